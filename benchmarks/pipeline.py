"""What the way of a page costs, stage by stage.

``python -m benchmarks.pipeline [FOLDER]`` takes the HTML files of a folder, or generated
pages, through the stages in this process, one stage after the other, and prints milliseconds
of CPU a page: of what runs in a worker, of what travels between worker and crawler, and of
what runs in the event loop. Then the same pages go through workers, and pages a second are
printed. Whole crawls, with Scrapy's part, are compared by ``python -m benchmarks.crawl``.
"""

from __future__ import annotations

import argparse
import asyncio
import pickle
import resource
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from benchmarks.site import render
from ilspfc.classification.domain import parse_domain
from ilspfc.classification.relevance import RelevanceScorer
from ilspfc.cleaning import clean_page, count_clean_tokens
from ilspfc.cleaning.blocks import read_blocks
from ilspfc.cleaning.boilerplate import mark_content
from ilspfc.cleaning.encoding import decode
from ilspfc.corpus.entries import DocumentEntry, LinkEntry
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.texts import text_digest
from ilspfc.corpus.xml import format_document, format_paragraphs
from ilspfc.documents import Document, document_id
from ilspfc.domain_terms import make_matchers
from ilspfc.frontier.focus import Focus
from ilspfc.frontier.score import FoundLink, TermScorer
from ilspfc.frontier.seen_text import SeenText, read_keys
from ilspfc.frontier.sqlite import SQLiteStore
from ilspfc.frontier.url import canonicalize, host_of
from ilspfc.job import make_cues
from ilspfc.language.codes import to_iso639_3
from ilspfc.language.identify import identify_page, load_identifiers
from ilspfc.language_texts import LanguageOptions
from ilspfc.page_rules import PageRules
from ilspfc.page_work import PageTask, PageWorker
from ilspfc.requests import make_candidate, select_links
from ilspfc.workers import WorkerPool

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CONTENT_TYPE = "text/html; charset=utf-8"
# Stages, in the order of the table. What is indented is a part of the line above it.
WORKER = (
    *("clean", "  decode", "  parse", "  blocks", "  boilerplate", "language"),
    *("classification", "text keys", "body of file"),
)
TRAVEL = ("pickle", "unpickle")
LOOP = ("file", "index", "seen text", "frontier")


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


def read_pages(folder: Path | None, limit: int) -> list[SourcePage]:
    """Return pages of a folder, spread over it, or generated ones."""
    if folder is None:
        return [
            SourcePage(f"http://127.0.0.1:8000/{n}.html", render(n, limit, 1, 8000))
            for n in range(limit)
        ]
    paths = sorted(folder.rglob("*.html"))
    step = max(len(paths) // limit, 1)
    return [
        SourcePage(
            f"http://127.0.0.1:8000/{path.relative_to(folder).as_posix()}",
            path.read_bytes(),
        )
        for path in paths[::step][:limit]
    ]


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
    worker = PageWorker(_rules(langs))
    for page in pages:
        work = worker.work(_task(page))
        with clock.time("pickle"):
            data = pickle.dumps(work, pickle.HIGHEST_PROTOCOL)
        with clock.time("unpickle"):
            pickle.loads(data)


def _rules(langs: tuple[str, ...]) -> PageRules:
    return PageRules(
        langs, LanguageOptions(texts=(), is_grouped=True, has_second_opinion=True)
    )


def _task(page: SourcePage) -> PageTask:
    return PageTask(page.url, "", page.body, CONTENT_TYPE)


def measure_language(
    documents: Sequence[Document], langs: tuple[str, ...], clock: Clock
) -> list[Document]:
    """Identify the languages; return the documents in one of ``langs``."""
    load_identifiers(langs)
    kept = []
    for document in documents:
        with clock.time("language"):
            document.lang, document.paragraphs = identify_page(
                document.paragraphs, langs
            )
        document.tokens = count_clean_tokens(document.paragraphs)
        if document.lang in langs:
            kept.append(document)
    return kept


def measure_rest(
    documents: Sequence[Document],
    langs: tuple[str, ...],
    definition: Path,
    folder: Path,
    clock: Clock,
) -> None:
    """Take documents through the other stages, in a worker and in the event loop."""
    text = definition.read_text(encoding="utf-8")
    domain, _ = parse_domain(text, definition.stem, to_iso639_3)
    matchers = make_matchers(domain, langs)
    scorer, cues, seen = RelevanceScorer(matchers), make_cues(langs), SeenText()
    focus = Focus(
        TermScorer(lambda words: sum(m.score(words) for m in matchers.values()))
    )
    store = SQLiteStore(folder / "frontier.db")
    with CorpusIndex(folder / "corpus.db") as index:
        for document in documents:
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
                links = [
                    LinkEntry(
                        document_id(canonicalize(link.url)),
                        "cue",
                        cues.detect(link) or cues.detect_in_url(link.url) or "",
                    )
                    for link in document.links
                ]
                index.add_document(
                    _make_entry(document), links, document.images, (), digest
                )
            with clock.time("seen text"):
                seen.add(keys)
            with clock.time("frontier"):
                found = [
                    FoundLink(link, document.url, document.lang)
                    for link in document.links
                ]
                for link in select_links(found, store, focus):
                    url = link.link.url
                    candidate = make_candidate(link, url, canonicalize(url), focus)
                    if candidate is not None:
                        store.push(candidate)
                store.commit()
    store.close()


def _make_entry(document: Document) -> DocumentEntry:
    host = host_of(document.url)
    return DocumentEntry(
        id=document.id,
        lang=document.lang,
        url=document.url,
        host=host,
        site=host,
        url_depth=1,
        file=document.id,
        title=document.metadata.title,
        paragraphs=len(document.paragraphs),
        clean_paragraphs=len(document.clean_paragraphs),
        tokens=document.tokens,
        relevance=document.relevance,
        terms=document.terms,
        subdomains="",
        license="",
        encoding=document.encoding,
        fetched_at="",
    )


async def measure_workers(
    pages: Sequence[SourcePage], langs: tuple[str, ...], size: int
) -> float:
    """Return the pages a second that so many workers take through the stages."""
    pool = WorkerPool(size, 60.0, 60.0, partial(PageWorker, _rules(langs)))
    for _ in range(size):  # started and prepared
        await pool.run(int)
    queue = list(pages)

    async def work() -> None:
        while queue:
            await pool.measure_prepared(60.0, PageWorker.work, _task(queue.pop()))

    start = time.monotonic()
    await asyncio.gather(*(work() for _ in range(2 * max(size, 1))))
    seconds = time.monotonic() - start
    pool.close()
    return len(pages) / seconds


def _print_table(clock: Clock, pages: int) -> None:
    for title, stages in (("worker", WORKER), ("travel", TRAVEL), ("event loop", LOOP)):
        whole = sum(clock.seconds[stage] for stage in stages if stage[0] != " ")
        print(f"{title:<18}{1000 * whole / pages:8.2f} ms a page")
        for stage in stages:
            print(f"  {stage:<16}{1000 * clock.seconds[stage] / pages:8.2f}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder", nargs="?", type=Path, help="with the site's HTML files"
    )
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--langs", default="de,it")
    parser.add_argument(
        "--domain", type=Path, default=Path("domains/health-safety.tsv"), metavar="FILE"
    )
    parser.add_argument("--workers", default="0,1,2", help="numbers of processes")
    options = parser.parse_args()
    langs = tuple(map(to_iso639_3, options.langs.split(",")))
    pages, clock = read_pages(options.folder, options.pages), Clock()
    size = sum(len(page.body) for page in pages) / len(pages)
    print(f"{len(pages)} pages of {size / 1000:.1f} kB on average")
    documents = measure_cleaning(pages, clock)
    measure_travel(pages, langs, clock)
    kept = measure_language(documents, langs, clock)
    with tempfile.TemporaryDirectory() as folder:
        measure_rest(documents, langs, options.domain, Path(folder), clock)
    links = sum(len(document.links) for document in documents) / len(pages)
    print(f"{len(kept)} in {options.langs}; {links:.0f} links a page")
    _print_table(clock, len(pages))
    for number in map(int, options.workers.split(",")):
        speed = asyncio.run(measure_workers(pages, langs, number))
        print(f"{number} workers: {speed:.1f} pages/s through the workers")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB with all pages in it")


if __name__ == "__main__":
    main()
