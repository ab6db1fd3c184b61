"""What the way of a page costs, stage by stage, in milliseconds of CPU.

Pages are taken through the stages in this process, one stage after the other: through what
runs in a worker, what travels between worker and crawler, and what runs in the event loop.
"""

from __future__ import annotations

import pickle
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from ilspfc.classification.relevance import RelevanceScorer
from ilspfc.cleaning.blocks.core import read_blocks
from ilspfc.cleaning.content.boilerpipe import mark_content
from ilspfc.cleaning.encoding.decoding import decode
from ilspfc.cleaning.page import clean_page, count_clean_tokens
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.reading import text_digest
from ilspfc.corpus.warc.writer import Exchange, WarcWriter
from ilspfc.corpus.xml import format_document, format_paragraphs
from ilspfc.crawl.domain_terms import make_matchers
from ilspfc.crawl.fetched_page import FetchedPage
from ilspfc.crawl.index_records import make_entry, make_link
from ilspfc.crawl.page_work import PageRules, PageWorker
from ilspfc.crawl.requests import iter_candidates
from ilspfc.documents import Document, document_id
from ilspfc.frontier.scoring.cues import CueDetector
from ilspfc.frontier.scoring.link_score import Focus, FoundLink, TermScorer
from ilspfc.frontier.store.sqlite import SQLiteStore
from ilspfc.frontier.traps.seen_text import SeenText, read_keys
from ilspfc.language.identification import identify_page, page_identifier
from ilspfc.web.urls import canonicalize

if TYPE_CHECKING:
    from ilspfc.classification.definition import Domain

CONTENT_TYPE = "text/html; charset=utf-8"
# Stages, in the order of the table. What is indented is a part of the line above it.
WORKER = (
    *("clean", "  decode", "  parse", "  blocks", "  boilerplate", "language"),
    *("classification", "text keys", "body of file"),
)
TRAVEL = ("pickle", "unpickle")
LOOP = ("file", "index", "seen text", "frontier", "archive")
GROUPS = (("worker", WORKER), ("travel", TRAVEL), ("event loop", LOOP))


class SourcePage(NamedTuple):
    """A page before the stages."""

    url: str
    body: bytes


class Clock:
    """Sums the CPU seconds of stages."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    @contextmanager
    def time(self, stage: str) -> Iterator[None]:
        """Count the CPU time of the block for a stage."""
        start = time.process_time()
        try:
            yield
        finally:
            self.seconds[stage] += time.process_time() - start  # type: ignore[assignment]


def measure_cleaning(pages: Sequence[SourcePage], clock: Clock) -> list[Document]:
    """Clean the pages; return the documents."""
    documents = []
    for page in pages:
        with clock.time("  decode"):
            text, _ = decode(page.body, CONTENT_TYPE)
        with clock.time("  parse"):
            root = etree.fromstring(
                text.encode(), etree.HTMLParser(encoding="utf-8", huge_tree=True)
            )
        with clock.time("  blocks"):
            parsed = read_blocks(root)
        with clock.time("  boilerplate"):
            mark_content(parsed.blocks)
        with clock.time("clean"):
            result = clean_page(
                page.body,
                url=page.url,
                identity=document_id(canonicalize(page.url)),
                content_type=CONTENT_TYPE,
            )
        if isinstance(result, Document):
            documents.append(result)
    return documents


def measure_travel(
    pages: Sequence[SourcePage], langs: tuple[str, ...], clock: Clock
) -> None:
    """Send what comes of pages as a worker does, without terms."""
    worker = PageWorker(make_rules(langs))
    for page in pages:
        work = worker.work(make_task(page))
        with clock.time("pickle"):
            data = pickle.dumps(work, pickle.HIGHEST_PROTOCOL)
        with clock.time("unpickle"):
            pickle.loads(data)


def make_rules(langs: tuple[str, ...]) -> PageRules:
    """Return the rules of a crawl without a domain."""
    return PageRules(langs)


def make_task(page: SourcePage) -> FetchedPage:
    """Return what a worker is given of a page."""
    return FetchedPage(
        url=page.url,
        id="",
        fetched_at="",
        depth=0,
        body=page.body,
        content_type=CONTENT_TYPE,
    )


def measure_language(
    documents: Sequence[Document], langs: tuple[str, ...], clock: Clock
) -> None:
    """Identify the languages of the documents."""
    page_identifier(tuple(langs))
    for document in documents:
        with clock.time("language"):
            document.lang, document.paragraphs = identify_page(
                document.paragraphs, langs
            )
        document.tokens = count_clean_tokens(document.paragraphs)


def measure_rest(
    documents: Sequence[Document],
    langs: tuple[str, ...],
    domain: Domain,
    folder: Path,
    clock: Clock,
) -> None:
    """Take documents through the other stages, in a worker and in the event loop.

    The links of all go to the frontier; only those in ``langs`` go further.
    """
    matchers = make_matchers(domain, langs)
    scorer, cues, seen = RelevanceScorer(matchers), CueDetector(langs), SeenText()
    focus = Focus(
        TermScorer(lambda words: sum(m.score(words) for m in matchers.values()))
    )
    store = SQLiteStore(folder / "frontier.db")
    with CorpusIndex(folder / "corpus.db") as index:
        for document in documents:
            with clock.time("frontier"):
                _push_links(document, store, focus)
            if document.lang not in langs:
                continue
            with clock.time("classification"):
                scorer.score(document)
            with clock.time("text keys"):
                keys = read_keys(document.url, document.paragraphs)
            with clock.time("body of file"):
                digest = text_digest(document)
                body = format_paragraphs(document.paragraphs)
            with clock.time("file"):
                (folder / document.id).write_bytes(
                    format_document(document, domain=domain.name, body=body)
                )
            with clock.time("index"):
                index.add_document(
                    make_entry(document, document.id, (0, 0)),
                    (make_link(cues, link, document.url) for link in document.links),
                    document.images,
                    document.licenses,
                    digest,
                )
            with clock.time("seen text"):
                seen.add(keys)
    store.close()


def _push_links(document: Document, store: SQLiteStore, focus: Focus) -> None:
    found = [FoundLink(link, document.url, document.lang) for link in document.links]
    for candidate in iter_candidates(found, store, focus):
        if candidate is not None:
            store.push(candidate)
    store.commit()


def measure_archive(pages: Sequence[SourcePage], folder: Path, clock: Clock) -> None:
    """Write the pages to a WARC file."""
    archive = WarcWriter(folder / "warc", {}, max_bytes=10**9, prefix="pages")
    request, response = b"GET / HTTP/1.1\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n"
    for page in pages:
        now = datetime.now(UTC)
        with clock.time("archive"):
            archive.write(Exchange(page.url, now, request, response, page.body))
    archive.close()


def measure_stages(
    pages: Sequence[SourcePage], langs: tuple[str, ...], domain: Domain
) -> None:
    """Take the pages through all stages; print what they are and what each costs."""
    clock = Clock()
    documents = measure_cleaning(pages, clock)
    measure_travel(pages, langs, clock)
    measure_language(documents, langs, clock)
    with tempfile.TemporaryDirectory() as folder:
        measure_rest(documents, langs, domain, Path(folder), clock)
        measure_archive(pages, Path(folder), clock)
    kept = sum(document.lang in langs for document in documents)
    size = sum(len(page.body) for page in pages) / len(pages)
    links = sum(len(document.links) for document in documents) / len(pages)
    print(
        f"{len(pages)} pages of {size / 1000:.1f} kB on average, {links:.0f} links a"
        f" page; {kept} of them in {', '.join(langs)}"
    )
    for title, stages in GROUPS:
        whole = sum(clock.seconds[stage] for stage in stages if stage[0] != " ")
        print(f"{title:<18}{1000 * whole / len(pages):8.2f} ms a page")
        for stage in stages:
            print(f"  {stage:<16}{1000 * clock.seconds[stage] / len(pages):8.2f}")
