"""Comparisons of a corpus for pairing, and the lexicon learned from its pairs."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

import numpy as np
from scipy.sparse import csr_array

from ilspfc.cleaning.page import count_clean_tokens
from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.reading import Reading
from ilspfc.documents import CrawlInfo, ParagraphType
from ilspfc.frontier.scope import SiteGroups
from ilspfc.lexicon.entries import Entry
from ilspfc.lexicon.ibm1 import LOOKUP_OPTIONS, train
from ilspfc.lexicon.translation_model import Lexicon
from ilspfc.pairing.comparison import Comparison, TokenTable
from ilspfc.pairing.page_arrays import (
    EncodedPage,
    PageBlock,
    PageContent,
    PageEncoder,
    address_key,
    make_pages,
)
from ilspfc.pairing.page_content import PairingDocument, VersionLink, make_fingerprint
from ilspfc.spool import Spool, SpoolFile
from ilspfc.tasks import RunTasks, run_here
from ilspfc.text.arrays import IntArray
from ilspfc.text.codes import codes_of, names_of
from ilspfc.text.tokens import (
    HANGUL_CHARS,
    PREFIX_CHARS,
    measure_length,
    measure_lengths,
    tokenize,
)
from ilspfc.text.transcription import TRANSCRIBING
from ilspfc.text.vocabulary import Segments

# The pages of a site in two languages.
Part = tuple[Iterable[EncodedPage], Iterable[EncodedPage]]


# Maximum number of characters of a word that are compared.
_MAX_WORD = 40
# Maximum number of anchors of a page; a page that all others link to has thousands.
_MAX_ANCHORS = 30
_KINDS = {None: 0} | {kind: number for number, kind in enumerate(ParagraphType, 1)}
_BOILERPLATE = 64
# Types whose texts may begin with the number of a section.
_NUMBERED = frozenset({ParagraphType.TITLE, ParagraphType.HEADING})
_SECTION_RE = re.compile(r"\A\s*\d{1,2}(?:\.\d{1,2})+\.?(?=\s+\S)")
MIN_SCORE = 0.05
# Weight of a translation from elsewhere, relative to one learned from the corpus.
KNOWN_WEIGHT = 0.8
# More translations of a word take memory on every page with it, and are little evidence.
KEPT_TRANSLATIONS = 4
# A translation seen once would confirm the pair of pages that it was learned from.
MIN_SEGMENTS = 2
# Size of the sample of segments to learn from; 5,000 suffice for sites of 25,000.
MAX_SEGMENTS = 20_000
# A score is the geometric mean of two probabilities, and too low if either is smaller.
_OPTIONS = replace(LOOKUP_OPTIONS, min_probability=MIN_SCORE**2 / 2)
# Number of page pairs from which a translation must occur in two of them.
MANY_PAIRS = 40


def stem(token: str, lang: str) -> str:
    """Return the stem of a token, as in lexicons."""
    return (
        token[:HANGUL_CHARS] if "\uac00" <= token <= "\ud7af" else token[:PREFIX_CHARS]
    )


def iter_pages(
    corpus: Corpus, langs: Container[str], left_out: Container[str] = ()
) -> Iterator[tuple[PairingDocument, PageContent]]:
    """Yield the documents in the given languages to pair, ordered by address.

    ``left_out`` are the ids of documents not to be paired with others.
    """
    versions = _read_versions(corpus)
    images: dict[str, list[str]] = defaultdict(list)
    for document, name in corpus.index.rows("SELECT document, name FROM images"):
        images[document].append(name)
    links = _read_links(corpus)
    anchors = _read_anchors(corpus)
    entries = [
        entry
        for entry in corpus.index.documents_to_pair()
        if entry.lang in langs and entry.id not in left_out
    ]
    for entry in sorted(entries, key=lambda entry: address_key(entry.url, entry.id)):
        reading = corpus.reading(entry, is_decided=False)
        markup = corpus.index.markup_of(entry.id)
        yield (
            PairingDocument(
                id=entry.id,
                lang=entry.lang,
                url=entry.url,
                depth=entry.url_depth,
                paragraphs=entry.paragraphs,
                tokens=count_clean_tokens(reading.paragraphs),
                fingerprint=make_fingerprint(reading.paragraphs),
                images=frozenset(images[entry.id]),
                versions=tuple(versions[entry.id]),
                text_bytes=sum(
                    len(p.text.encode("utf-8", "replace")) for p in reading.paragraphs
                ),
                html_bytes=markup.bytes,
                tags=markup.tags,
            ),
            _read_content(
                reading, entry.lang, links.get(entry.id, ()), anchors.get(entry.id, ())
            ),
        )


def _read_content(
    reading: Reading, lang: str, links: tuple[str, ...], anchors: tuple[str, ...]
) -> PageContent:
    anchor_tokens: list[str] = []
    for anchor in anchors:
        anchor_tokens += tokenize_words(anchor, lang)
    return PageContent(
        blocks=[
            _make_block(
                p.text, p.type, tuple(reading.sentences(number)), lang, p.crawlinfo
            )
            for number, p in enumerate(reading.paragraphs)
        ],
        frame=[
            _KINDS[p.type] + _BOILERPLATE * (p.crawlinfo is CrawlInfo.BOILERPLATE)
            for p in reading.paragraphs
        ],
        links=links,
        anchors=anchor_tokens,
    )


@lru_cache(maxsize=1 << 12)  # most blocks of a site recur on its pages
def _make_block(
    text: str,
    type_: ParagraphType | None,
    sentences: tuple[str, ...],
    lang: str,
    crawlinfo: CrawlInfo | None,
) -> PageBlock:
    if type_ in _NUMBERED and sentences:
        sentences = drop_section_number(sentences[0]), *sentences[1:]
    return PageBlock(
        _KINDS[type_],
        measure_length(text),
        [tokenize_words(sentence, lang) for sentence in sentences],
        is_clean=crawlinfo is None,
    )


def drop_section_number(heading: str) -> str:
    """Return a heading without the number of its section, which editions do not share.

    >>> drop_section_number("7.2. Setting up accounts"), drop_section_number("2.5")
    (' Setting up accounts', '2.5')
    """
    return _SECTION_RE.sub("", heading)


def tokenize_words(text: str, lang: str) -> list[str]:
    """Return the words of a text, not cut to the prefixes used as stems."""
    return tokenize(text, lang, prefix_chars=_MAX_WORD, hangul_chars=_MAX_WORD)


def _read_versions(corpus: Corpus) -> dict[str, list[VersionLink]]:
    versions: dict[str, list[VersionLink]] = defaultdict(list)
    rows = corpus.index.rows(
        "SELECT source, target, kind FROM links WHERE kind IN ('hreflang', 'cue')"
        " UNION SELECT source, target, 'hreflang' FROM versions ORDER BY 1, 2, 3"
    )
    for source, target, kind in rows:
        versions[source].append(VersionLink(target, is_declared=kind == "hreflang"))
    return versions


def _read_links(corpus: Corpus) -> dict[str, tuple[str, ...]]:
    links: dict[str, dict[str, None]] = defaultdict(dict)
    rows = corpus.index.rows(
        "SELECT links.source, links.target FROM links"
        " JOIN documents ON documents.id = links.target"
        " ORDER BY links.source, links.position"
    )
    for source, target in rows:
        links[source][target] = None
    return {source: tuple(targets) for source, targets in links.items()}


def _read_anchors(corpus: Corpus) -> dict[str, tuple[str, ...]]:
    """Return the most frequent anchors of links from pages in the same language."""
    anchors: dict[str, list[str]] = defaultdict(list)
    rows = corpus.index.rows(
        "SELECT links.target, links.anchor FROM links"
        " JOIN documents AS there ON there.id = links.target"
        " JOIN documents AS here ON here.id = links.source AND here.lang = there.lang"
        " WHERE links.anchor <> ''"
        " GROUP BY links.target, links.anchor"
        " ORDER BY links.target, count(*) DESC, links.anchor"
    )
    for target, anchor in rows:
        if len(anchors[target]) < _MAX_ANCHORS:
            anchors[target].append(anchor)
    return {target: tuple(texts) for target, texts in anchors.items()}


@dataclass(frozen=True, slots=True)
class EncodedCorpus:
    """The pages of a corpus as arrays, by language and group of sites.

    ``encode_corpus`` keeps the pages on disk, so each iteration loads them again.
    ``without_text`` are the ids of documents without words, which are left out.
    """

    encoder: PageEncoder
    pages: Mapping[str, Mapping[str, Iterable[EncodedPage]]]
    langs: tuple[str, ...]
    without_text: frozenset[str] = frozenset()

    def compare(self, source_lang: str, target_lang: str) -> Iterator[Comparison]:
        """Yield the comparisons of two languages, one per site, in a stable order.

        A site with pages in both languages is compared within itself. The other sites, such
        as German on one host and Italian on another, are compared together.
        """
        table = self._make_table(source_lang, target_lang)
        marks = {
            lang: codes_of(lang) | names_of(lang, self.langs)
            for lang in (source_lang, target_lang)
        }
        for left, right in self._divide(source_lang, target_lang):
            yield Comparison(
                make_pages(left, self.encoder, table.left_stems),
                make_pages(right, self.encoder, table.right_stems),
                table,
                marks,
            )

    def compared(self, source_lang: str, target_lang: str) -> list[str]:
        """Return the ids of the documents compared in two languages."""
        parts = self._divide(source_lang, target_lang)
        return [page.document.id for part in parts for side in part for page in side]

    def _divide(self, source_lang: str, target_lang: str) -> list[Part]:
        """Return the groups of pages in two languages that are compared with each other."""
        left, right = self.pages.get(source_lang, {}), self.pages.get(target_lang, {})
        both = sorted(left.keys() & right.keys())
        parts = [(left[group], right[group]) for group in both]
        rest = tuple(
            [page for group in sorted(side.keys() - set(both)) for page in side[group]]
            for side in (left, right)
        )
        if all(rest):
            parts.append((rest[0], rest[1]))
        return parts

    def _make_table(self, source_lang: str, target_lang: str) -> TokenTable:
        tokens = self.encoder.tokens
        by_sound = not TRANSCRIBING.isdisjoint({source_lang, target_lang})
        left_stems, right_stems = (
            self.encoder.stem_numbers(
                lang, chain.from_iterable(self.pages.get(lang, {}).values())
            )
            for lang in (source_lang, target_lang)
        )
        return TokenTable(
            numbers=np.array([t[0].isdigit() for t in tokens], bool),
            # Single digits and Latin letters identify no page; a Chinese character is a word.
            telling=np.array([len(t) > 1 or t >= "\u2e80" for t in tokens], bool),
            keys=self.encoder.cognates(by_sound=by_sound),
            lengths=measure_lengths(tokens),
            left_stems=left_stems,
            right_stems=right_stems,
        )


def encode_corpus(
    corpus: Corpus, langs: Iterable[str], left_out: Container[str] = ()
) -> EncodedCorpus:
    """Read the documents in the given languages, except the ids in ``left_out``."""
    encoder = PageEncoder(stem)
    wanted = tuple(langs)
    seeds = corpus.run.get("groups", ())
    groups = SiteGroups((f"http://{site}/" for site in group) for group in seeds)
    file = SpoolFile()
    pages: dict[str, dict[str, Spool[EncodedPage]]] = {
        lang: defaultdict(lambda: Spool(file=file)) for lang in wanted
    }
    sites = {entry.id: entry.site for entry in corpus.index.documents_to_pair()}
    without_text = set()
    for document, content in iter_pages(corpus, wanted, left_out):
        page = encoder.encode(document, content)
        if not len(page.tokens):
            without_text.add(document.id)
            continue
        pages[document.lang][groups.of_host(sites[document.id])].append(page)
    return EncodedCorpus(encoder, pages, corpus.langs, frozenset(without_text))


class CorpusLexicon:
    """Learner of a lexicon of two languages from segments of paired pages.

    ``known`` are translations from elsewhere, which count too, with a lower weight; ``run``
    fits the two directions.
    """

    def __init__(
        self,
        encoder: PageEncoder,
        source_lang: str,
        target_lang: str,
        known: Iterable[Entry] = (),
        *,
        run: RunTasks = run_here,
    ) -> None:
        self._encoder = encoder
        self._run = run
        self._langs = (source_lang, target_lang)
        self._known = list(known)
        self._learned: Lexicon | None = None

    def __call__(
        self, source: Segments, target: Segments, documents: IntArray
    ) -> tuple[csr_array, csr_array]:
        """Return the translation scores of stems; see ``pairing.combined``."""
        sizes = tuple(len(self._encoder.stems(lang)) for lang in self._langs)
        known = self._number_known((sizes[0], sizes[1]))
        if not len(source):
            return known, known
        if (total := len(source)) > MAX_SEGMENTS:
            chosen = np.arange(MAX_SEGMENTS) * total // MAX_SEGMENTS
            source, target = source.take(chosen), target.take(chosen)
            documents = documents[chosen]
        self._learned = train(
            source,
            target,
            (sizes[0], sizes[1]),
            documents=documents,
            options=_OPTIONS,
            run=self._run,
        )
        pairs = 2 if len(np.unique(documents)) >= MANY_PAIRS else 1
        own, shared = (
            _keep_best(
                csr_array(
                    self._learned.entries(MIN_SCORE, MIN_SEGMENTS, n)
                    .matrix()
                    .maximum(known)
                )
            )
            for n in (pairs, 2)
        )
        return own, shared

    def _number_known(self, sizes: tuple[int, int]) -> csr_array:
        source, target = (self._encoder.stems(lang) for lang in self._langs)
        found = [
            (source[e.source], target[e.target], e.score * KNOWN_WEIGHT)
            for e in self._known
            if e.source in source and e.target in target
        ]
        if not found:
            return csr_array(sizes)
        rows, columns, scores = zip(*found, strict=True)
        return csr_array((scores, (rows, columns)), shape=sizes)

    def entries(self) -> list[Entry]:
        """Return the entries learned in the last round, without known ones."""
        if self._learned is None:
            return []
        source, target = (list(self._encoder.stems(lang)) for lang in self._langs)
        found = self._learned.entries()
        return [
            Entry(source[a], target[b], float(score), int(segments), int(documents), 1)
            for a, b, score, segments, documents in zip(
                found.sources,
                found.targets,
                found.scores,
                found.segments,
                found.documents,
                strict=True,
            )
        ]


def _keep_best(scores: csr_array) -> csr_array:
    """Return the scores of the best translations of each word of either language."""
    coordinates = scores.tocoo()
    rows, columns, values = coordinates.row, coordinates.col, coordinates.data
    kept = np.zeros(len(values), bool)
    for owners, others in ((rows, columns), (columns, rows)):
        order = np.lexsort((others, -values, owners))
        first = np.r_[True, owners[order][1:] != owners[order][:-1]]
        starts = np.maximum.accumulate(np.where(first, np.arange(len(order)), 0))
        kept[order[np.arange(len(order)) - starts < KEPT_TRANSLATIONS]] = True
    return csr_array((values[kept], (rows[kept], columns[kept])), shape=scores.shape)
