"""Content stage: the decision on paragraphs, by page, site and translation."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, groupby

import numpy as np

from ilspfc.cleaning.annotation import count_tokens
from ilspfc.cleaning.content.backends import Backend
from ilspfc.cleaning.page import count_clean_tokens
from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.reading import StoredReading, encode_verdicts
from ilspfc.corpus.records import DocumentEntry
from ilspfc.corpus.xml import write_verdicts
from ilspfc.crawl.text_options import language_texts
from ilspfc.decisions.content import (
    ContentModel,
    PageBlocks,
    SiteBlocks,
    TextChange,
    decide_text,
    find_change,
    find_own_text,
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
from ilspfc.text.arrays import BoolArray, FloatArray, IntArray, SingleArray
from ilspfc.text.vocabulary import Segments

# Pages that a task judges: the counts of their site are read once for all.
_TASK_PAGES = 200


@dataclass(frozen=True, slots=True)
class CorpusBlocks:
    """The blocks of the documents of a corpus and the counts of their sites, on disk.

    Documents have places: their numbers in the order of site, language and id. ``tokens`` are
    empty for documents in no pair; ``groups`` are the places of each site in a language.
    """

    pages: Spool[PageBlocks]
    tokens: Spool[Segments]
    sites: Spool[SiteBlocks]
    groups: list[range]


@dataclass(frozen=True, slots=True)
class PageJudgment:
    """Judgment of page and site on the blocks of a page, shapes (blocks,).

    ``odds`` are log odds of content, ``is_own`` marks text that cleaning keeps and few other
    pages have, ``shares`` are the shares of the site's other pages with each text.
    """

    odds: SingleArray
    is_own: BoolArray
    shares: FloatArray


def read_corpus_blocks(
    corpus: Corpus, pairs: Iterable[tuple[str, str]]
) -> tuple[list[str], CorpusBlocks]:
    """Return the ids of all documents by place, and their blocks; each is read once."""
    paired = set(chain.from_iterable(pairs))
    file = SpoolFile()
    stored: Spool[StoredReading] = Spool(file=file)
    blocks = CorpusBlocks(Spool(file=file), Spool(file=file), Spool(file=file), [])
    ids: list[str] = []
    entries = corpus.index.documents_by_site()
    for _, group in groupby(entries, lambda entry: (entry.site, entry.lang)):
        first = len(ids)
        for entry in group:
            ids.append(entry.id)
            stored.append(corpus.stored_reading(entry))
        blocks.groups.append(range(first, len(ids)))
    shared = stored, bytes(identity in paired for identity in ids)
    for page, tokens in corpus.run_tasks(_read_page, range(len(ids)), shared):
        blocks.pages.append_packed(page)
        blocks.tokens.append_packed(tokens)
    for counts in corpus.run_tasks(_count_site, blocks.groups, blocks.pages):
        blocks.sites.append_packed(counts)
    return ids, blocks


def _read_page(
    shared: tuple[Spool[StoredReading], bytes], place: int
) -> tuple[bytes, bytes]:
    """Return the blocks of a document, and their tokens if it is in a pair, packed."""
    stored, is_paired = shared
    paragraphs = stored[place].decode().paragraphs
    texts = (one.text for one in paragraphs) if is_paired[place] else ()
    return pack(read_blocks(paragraphs)), pack(hash_tokens(texts))


def _count_site(pages: Spool[PageBlocks], places: range) -> bytes:
    """Return the counts of a site in a language, packed."""
    return pack(SiteBlocks(pages[place] for place in places))


def _iter_tasks(groups: Iterable[range]) -> Iterator[tuple[int, range]]:
    """Yield the number of each group with the places of some of its pages."""
    for number, places in enumerate(groups):
        for first in range(0, len(places), _TASK_PAGES):
            yield number, places[first : first + _TASK_PAGES]


def _judge_pages(
    shared: tuple[CorpusBlocks, ContentModel], task: tuple[int, range]
) -> list[bytes]:
    """Return the judgments of some pages of a site, packed."""
    (blocks, model), (number, places) = shared, task
    site = blocks.sites[number]
    return [pack(_judge_page(blocks.pages[place], site, model)) for place in places]


def _judge_page(
    page: PageBlocks, site: SiteBlocks, model: ContentModel
) -> PageJudgment:
    odds = model.judge_page(page, site).astype(np.float32)
    return PageJudgment(odds, find_own_text(page, site), site.shares(page))


def _oppose_pages(
    shared: tuple[CorpusBlocks, Spool[PageJudgment]], places: tuple[int, int]
) -> tuple[FloatArray, FloatArray]:
    """Return the log odds of the counterparts of the blocks of both pages of a pair."""
    blocks, judged = shared
    left, right = (judged[place] for place in places)
    matched = match_sides(blocks, places, (left.shares, right.shares))
    return oppose(matched, left.odds, right.odds)


def match_sides(
    blocks: CorpusBlocks, places: tuple[int, int], shares: tuple[FloatArray, FloatArray]
) -> IntArray:
    """Return the counterpart of each block of the first document, -1 for none."""
    left, right = (blocks.pages[place] for place in places)
    tokens = blocks.tokens[places[0]], blocks.tokens[places[1]]
    return match_blocks(left, right, tokens, shares)


def iter_pairs(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Yield the ids of the candidates of two pages that are pairs by probability alone.

    Alignment comes later and is ignored, so another run uses the same translations.
    """
    threshold = corpus.settings.getfloat("PAIRING_THRESHOLD")
    for langs in corpus.bitext.language_pairs():
        pairs = corpus.bitext.candidate_pairs(*langs)
        states = decide_pairs(pairs, threshold=threshold)
        for pair in pairs:
            if states[pair] is PairState.PAIR and pair.source != pair.target:
                yield pair.source, pair.target


def judge_corpus(
    corpus: Corpus, model: ContentModel
) -> Iterator[tuple[DocumentEntry, FloatArray]]:
    """Yield each document with the log odds that its paragraphs are content."""
    pairs = list(iter_pairs(corpus))
    ids, blocks = read_corpus_blocks(corpus, pairs)
    judged: Spool[PageJudgment] = Spool()
    tasks = list(_iter_tasks(blocks.groups))
    for packed in corpus.run_tasks(_judge_pages, tasks, (blocks, model)):
        for one in packed:
            judged.append_packed(one)
    place_of = {identity: place for place, identity in enumerate(ids)}
    both = [(place_of[source], place_of[target]) for source, target in pairs]
    del ids, pairs, place_of
    opposite: dict[int, list[FloatArray]] = defaultdict(list)
    matches = corpus.run_tasks(_oppose_pages, both, (blocks, judged))
    for places, opposed in zip(both, matches, strict=True):
        for place, odds in zip(places, opposed, strict=True):
            opposite[place].append(odds)
    for place, entry in enumerate(corpus.index.documents_by_site()):
        judgment = judged[place]
        odds = judgment.odds.astype(float)
        if place in opposite:
            odds = join_sides(odds, join_counterparts(opposite[place]))
        yield entry, keep_own_text(odds, blocks.pages[place], judgment.is_own)


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
    sizes: Spool[tuple[str, int, int]] = Spool()
    signs: Spool[tuple[str, str]] = Spool()
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
        sizes.append((entry.id, clean, count_clean_tokens(decided)))
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
    for entry in corpus.index.documents_by_site():
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
