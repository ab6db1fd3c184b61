"""Content stage: the decision on paragraphs, by page, site and translation."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ilspfc.cleaning.annotation import count_tokens
from ilspfc.cleaning.content.backends import Backend
from ilspfc.cleaning.page import count_clean_tokens
from ilspfc.corpus.reading import StoredReading, encode_verdicts
from ilspfc.corpus.records import DocumentEntry, PairEntry
from ilspfc.corpus.xml import write_verdicts
from ilspfc.crawl.text_options import language_texts
from ilspfc.decisions.content import (
    ContentModel,
    PageBlocks,
    SiteBlocks,
    TextChange,
    decide_text,
    find_change,
    is_without_text,
    join_sides,
    keep_own_text,
    omit_types,
    read_blocks,
    set_crawlinfo,
    shipped_model,
)
from ilspfc.decisions.counterparts import hash_tokens, match_blocks
from ilspfc.decisions.pairs import decide_pairs
from ilspfc.documents import CrawlInfo, PairState, Paragraph, ParagraphType
from ilspfc.language.identification import (
    is_row_of_names,
    join_listings,
    page_identifier,
)
from ilspfc.language.labels import is_identifiable
from ilspfc.setting_table import split_list
from ilspfc.spool import Spool, SpoolFile, pack
from ilspfc.text.arrays import FloatArray, IntArray, SingleArray

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus
    from ilspfc.text.vocabulary import Segments


PairSides: TypeAlias = "tuple[PageBlocks, PageBlocks, tuple[Segments, Segments], tuple[FloatArray, FloatArray]]"
"""Blocks of two pages, their tokens, and the share of their sites' pages with each."""


class CorpusBlocks:
    """The blocks of the documents of a corpus, with those of their sites.

    Documents are read once; their blocks are kept on disk, with the tokens of those in ``pairs``.
    """

    def __init__(self, corpus: Corpus, pairs: Sequence[PairEntry]) -> None:
        paired = {one.id for pair in pairs for one in (pair.source, pair.target)}
        file = SpoolFile()
        self._pages: Spool[PageBlocks] = Spool(file=file)
        self._tokens: Spool[Segments] = Spool(file=file)
        self._places: dict[str, int] = {}
        self._groups: list[tuple[str, str]] = []
        groups: dict[tuple[str, str], list[int]] = defaultdict(list)
        entries = corpus.index.documents_to_pair()
        stored = Spool(map(corpus.stored_reading, entries), file)
        tasks = [(place, entry.id in paired) for place, entry in enumerate(entries)]
        read = corpus.run_tasks(_read_page, tasks, stored)
        for place, (entry, (page, tokens)) in enumerate(
            zip(entries, read, strict=True)
        ):
            self._places[entry.id] = place
            self._groups.append((entry.site, entry.lang))
            groups[entry.site, entry.lang].append(place)
            self._pages.append_packed(page)
            self._tokens.append_packed(tokens)
        self._sites = {
            group: SiteBlocks(self._pages[place] for place in places)
            for group, places in groups.items()
        }

    def page(self, identity: str) -> tuple[PageBlocks, SiteBlocks]:
        """Return the blocks of a document, and those of its site in its language."""
        place = self._places[identity]
        return self._pages[place], self._sites[self._groups[place]]

    def sides(self, pair: tuple[str, str]) -> PairSides:
        """Return both sides of a pair, given by the ids, as input of matching."""
        pages, tokens, shares = [], [], []
        for identity in pair:
            blocks, site = self.page(identity)
            pages.append(blocks)
            tokens.append(self._tokens[self._places[identity]])
            shares.append(site.others(blocks) / max(site.pages - 1, 1))
        return pages[0], pages[1], (tokens[0], tokens[1]), (shares[0], shares[1])


def _read_page(
    stored: Spool[StoredReading], task: tuple[int, bool]
) -> tuple[bytes, bytes]:
    """Return the blocks of a document, and their tokens if it is in a pair, packed."""
    place, is_paired = task
    paragraphs = stored[place].decode().paragraphs
    texts = (one.text for one in paragraphs) if is_paired else ()
    return pack(read_blocks(paragraphs)), pack(hash_tokens(texts))


def _judge_page(
    shared: tuple[CorpusBlocks, ContentModel], identity: str
) -> SingleArray:
    blocks, model = shared
    return model.judge_page(*blocks.page(identity)).astype(np.float32)


def match_sides(blocks: CorpusBlocks, pair: tuple[str, str]) -> IntArray:
    """Return the counterpart of each block of the first document, -1 for none."""
    return match_blocks(*blocks.sides(pair))


def iter_pairs(corpus: Corpus) -> Iterator[PairEntry]:
    """Yield the candidates of two pages that are pairs by probability alone.

    Alignment comes later and is ignored, so another run uses the same translations.
    """
    for langs in corpus.bitext.language_pairs():
        entries = corpus.bitext.candidates(*langs)
        pairs = [entry.pair for entry in entries]
        states = decide_pairs(
            pairs, threshold=corpus.settings.getfloat("PAIRING_THRESHOLD")
        )
        yield from (
            entry
            for entry in entries
            if states[entry.pair] is PairState.PAIR
            and entry.source.id != entry.target.id
        )


def judge_corpus(
    corpus: Corpus, model: ContentModel
) -> Iterator[tuple[DocumentEntry, FloatArray]]:
    """Yield each document with the log odds that its paragraphs are content."""
    pairs = list(iter_pairs(corpus))
    blocks = CorpusBlocks(corpus, pairs)
    entries = corpus.index.documents_to_pair()
    ids = [entry.id for entry in entries]
    judged = corpus.run_tasks(_judge_page, ids, (blocks, model))
    own = dict(zip(ids, judged, strict=True))
    opposite: dict[str, list[FloatArray]] = defaultdict(list)
    both = [(pair.source.id, pair.target.id) for pair in pairs]
    matches = corpus.run_tasks(match_sides, both, blocks)
    for (source, target), matched in zip(both, matches, strict=True):
        found = oppose(matched, own[source], own[target])
        opposite[source].append(found[0])
        opposite[target].append(found[1])
    for entry in entries:
        odds = own[entry.id].astype(float)
        if entry.id in opposite:
            odds = join_sides(odds, join_counterparts(opposite[entry.id]))
        yield entry, keep_own_text(odds, *blocks.page(entry.id))


def oppose(
    matched: IntArray, left: FloatArray | SingleArray, right: FloatArray | SingleArray
) -> tuple[FloatArray, FloatArray]:
    """Return the log odds of the counterparts of each page's blocks, NaN for none."""
    forward = np.full(len(left), np.nan)
    backward = np.full(len(right), np.nan)
    rows = np.nonzero(matched >= 0)[0]
    forward[rows] = right[matched[rows]]
    backward[matched[rows]] = left[rows]
    return forward, backward


def join_counterparts(found: list[FloatArray]) -> FloatArray:
    """Return the mean log odds over a page's translations with a counterpart, NaN for none."""
    stacked = np.array(found)
    number = (~np.isnan(stacked)).sum(axis=0)
    total = np.nansum(stacked, axis=0)
    means: FloatArray = np.where(number, total / np.maximum(number, 1), np.nan)
    return means


def run_content(corpus: Corpus) -> None:
    """Decide which paragraphs of all documents are text, and write it to their files.

    The verdict of cleaning is kept with the decision, so that another run decides the same.
    """
    counts: Counter[TextChange] = Counter()
    sizes, signs = {}, []
    types = split_list(corpus.settings, "DECISIONS_OMITTED_TYPES")
    omitted = frozenset(map(ParagraphType, types))
    for entry, odds in _judge(corpus):
        found = corpus.reading(entry).paragraphs
        decided = _decide(corpus, entry, found, odds)
        decided = omit_types(decided, omitted)
        changes = (find_change(paragraph, omitted) for paragraph in decided)
        counts.update(filter(None, changes))
        if decided != found:
            write_verdicts(corpus.path_of(entry), decided)
            signs.append((entry.id, encode_verdicts(decided)))
        clean = sum(paragraph.crawlinfo is None for paragraph in decided)
        sizes[entry.id] = (clean, count_clean_tokens(decided))
    with corpus.index.transaction():
        corpus.index.set_verdicts(signs)
        corpus.index.set_text_sizes(sizes)
    losses = TextChange.FRAME, TextChange.TYPE
    corpus.index.set_drops("content", {change: counts[change] for change in losses})
    corpus.index.finish_run({"restored": counts[TextChange.RESTORED]})


def _judge(corpus: Corpus) -> Iterator[tuple[DocumentEntry, FloatArray | None]]:
    """Yield each document with log odds, None if the verdicts of cleaning apply."""
    settings = corpus.settings
    is_on = settings.getbool("DECISIONS_TEXT")
    if is_on and settings.get("CLEANING_BACKEND") != Backend.NONE:
        yield from judge_corpus(corpus, shipped_model())
        return
    for entry in corpus.index.documents_to_pair():
        yield entry, None


def _decide(
    corpus: Corpus,
    entry: DocumentEntry,
    paragraphs: list[Paragraph],
    odds: FloatArray | None,
) -> list[Paragraph]:
    """Return the paragraphs of a document with the decision on each."""
    if odds is not None:
        least = corpus.settings.getint("CLEANING_MIN_PARAGRAPH_TOKENS")
        tokens = [count_tokens(paragraph.text) for paragraph in paragraphs]
        decided = decide_text(paragraphs, odds, tokens, least)
        if not is_without_text(decided):  # such as a table of contents
            _mark_foreign(corpus, entry.lang, decided)
            return decided
    return [set_crawlinfo(one, one.page_verdict) for one in paragraphs]


def _is_restored(paragraph: Paragraph) -> bool:
    return paragraph.cleaning == CrawlInfo.BOILERPLATE and paragraph.crawlinfo is None


def _mark_foreign(corpus: Corpus, lang: str, decided: list[Paragraph]) -> None:
    """Mark restored paragraphs in another language, as boilerplate was not identified."""
    restored = [(n, one) for n, one in enumerate(decided) if _is_restored(one)]
    texts = language_texts(corpus.settings)
    taught = {code for code, _ in texts}
    if not restored or not all(
        code in taught or is_identifiable(code) for code in (*corpus.langs, lang)
    ):
        return
    identifier = page_identifier(corpus.langs, texts)
    verdicts = identifier.identify([one.text for _, one in restored], lang)
    langs = join_listings(
        [one for _, one in restored], [verdict.lang for verdict in verdicts], lang
    )
    for (number, paragraph), its_lang in zip(restored, langs, strict=True):
        if its_lang != lang and not is_row_of_names(paragraph):
            decided[number] = replace(
                paragraph, crawlinfo=CrawlInfo.OOI_LANG, lang=its_lang
            )
