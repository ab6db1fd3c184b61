"""Decision on text: the probability that a block is content, by page, site and translation.

Evidence of the site is the number of its pages in the same language on which the text of a block
recurs, and the scores that the page model gave to the blocks in the same place; of the
translation, the probability of the block's counterpart on the other page. A logistic model
combines what is of page and site; with a translation the more probable side counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, lru_cache
from hashlib import blake2b
from importlib.resources import files

import numpy as np
import numpy.typing as npt

from ilspfc.documents import (
    CLEAN_TEXT,
    CrawlInfo,
    Paragraph,
    ParagraphType,
    find_listings,
    iter_runs,
)
from ilspfc.text.arrays import BoolArray, FloatArray
from ilspfc.text.log_odds import to_log_odds
from ilspfc.text.navigation import is_navigation
from ilspfc.text.tokens import measure_length

# Scores of paragraphs without a model's: in PDF files, or of other backends.
_SCORES_WITHOUT_MODEL = {True: 0.9, False: 0.1}
_MAX_LOGIT = 5.0
# Shorter text, in characters normalized across scripts, may be a link with a label.
_SHORT = 150.0
# Pages of a site and language from which recurrence has its full weight.
_TRUSTED_PAGES = 20
# Text on as many other pages may be frame by that alone; amid a page's own text if it is on
# most pages, and longer than a label.
_FRAME_PAGES, _MOST_SHARE, _LABEL = 10, 0.5, 40.0
# Minimum absolute log odds of a verdict.
_SURE = 0.1
# The score of a place is drawn to 0 as by so many pages, and bounded: a place that cleaning is sure
# of says no more than one that it is nearly sure of.
_DRAWN_PAGES = 3
_MAX_PLACE = 3.0
_KINDS = {None: 0} | {kind: number for number, kind in enumerate(ParagraphType, 1)}
_NAMES = frozenset({_KINDS[ParagraphType.TITLE], _KINDS[ParagraphType.HEADING]})
_HEADING = _KINDS[ParagraphType.HEADING]
_LIST_ITEM = _KINDS[ParagraphType.LISTITEM]
_NUMBERS_RE = re.compile(r"\d+")
_WORDS_RE = re.compile(r"\w+|\S")

# Texts on at most so many other pages of a site, or this share of them, are rare.
_FEW_PAGES, _FEW_SHARE, _SOME_SHARE = 3, 0.01, 0.1
SITE_EVIDENCE = ("always", "beginning", "amid_own_text", "headed", "place_scores")
"""Features of a block from its page and its site."""


@dataclass(frozen=True, slots=True)
class PageBlocks:
    """The paragraphs of a page as arrays, shapes (paragraphs,).

    ``texts`` are digests of the text without case and numbers, ``beginnings`` of its first
    two words with its type, ``numbered`` of the text with its numbers; ``scores`` are log
    odds of the page's model, ``verdicts`` the decisions of cleaning; ``lengths`` are in
    characters normalized across scripts; ``places`` are those of :class:`Paragraph`.
    """

    texts: npt.NDArray[np.uint64]
    beginnings: npt.NDArray[np.uint64]
    kinds: npt.NDArray[np.int8]
    levels: npt.NDArray[np.int8]
    scores: FloatArray
    verdicts: BoolArray
    lengths: FloatArray
    numbered: npt.NDArray[np.uint64]
    places: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.texts)


def read_blocks(paragraphs: Sequence[Paragraph]) -> PageBlocks:
    """Return the paragraphs of a page, with the verdicts of cleaning."""
    verdicts = [p.page_verdict is not CrawlInfo.BOILERPLATE for p in paragraphs]
    scores = [
        _SCORES_WITHOUT_MODEL[verdict] if p.score is None else p.score
        for p, verdict in zip(paragraphs, verdicts, strict=True)
    ]
    kinds = [_KINDS[p.type] for p in paragraphs]
    read = [_read_text(p.text, kind) for p, kind in zip(paragraphs, kinds, strict=True)]
    digests = np.array([found[0] for found in read], np.uint64).reshape(-1, 3).T
    return PageBlocks(
        digests[0],
        digests[1],
        np.array(kinds, np.int8),
        np.array([p.level for p in paragraphs], np.int8),
        _logit(np.array(scores, float)),
        np.array(verdicts, bool),
        np.array([length for _, length in read], float),
        digests[2],
        np.array([p.place for p in paragraphs], np.int64),
    )


@lru_cache(maxsize=1 << 14)  # most blocks of a site recur on its pages
def _read_text(text: str, kind: int) -> tuple[tuple[int, int, int], float]:
    """Return the digests of a text, its beginning and the text with its numbers; its length."""
    text = text.casefold()
    folded = _NUMBERS_RE.sub("0", text)
    beginning = f"{kind} {_WORDS_RE.findall(folded[:60])[:2]}"
    digests = _digest(folded), _digest(beginning), _digest(text)
    return digests, measure_length(text)


def _digest(text: str) -> int:
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")


def _logit(probabilities: FloatArray) -> FloatArray:
    odds = to_log_odds(probabilities, 1e-4)
    return np.clip(odds, -_MAX_LOGIT, _MAX_LOGIT)


class SiteBlocks:
    """Numbers of pages of a site and language with a text.

    Until they are counted, digests take 8 bytes for each block of a page.
    """

    def __init__(self, pages: Iterable[PageBlocks]) -> None:
        texts, beginnings, numbered = [], [], []
        places, scores, placed = [], [], []
        self.pages = 0
        for page in pages:
            self.pages += 1
            texts.append(np.unique(page.texts))
            beginnings.append(np.unique(page.beginnings))
            numbered.append(np.unique(page.numbered))
            placed.append(np.unique(_join_place(page)))
            found, means = _mean_by_place(page)
            places.append(found)
            scores.append(means)
        self._texts = _count_values(texts)
        self._beginnings = _count_values(beginnings)
        self._numbered = _count_values(numbered)
        self._placed = _count_values(placed)
        joined = np.concatenate([np.zeros(0, np.int64), *places])
        self._places, rows, self._place_pages = np.unique(
            joined, return_inverse=True, return_counts=True
        )
        given = np.concatenate([np.zeros(0), *scores])
        totals = np.bincount(rows, given, len(self._places))
        self._place_scores = totals / (self._place_pages + _DRAWN_PAGES)

    def others(self, page: PageBlocks) -> FloatArray:
        """Return the number of other pages with the text of each block.

        In text kept by cleaning, numbers count: reports may differ only in these.
        """
        found = np.where(
            page.verdicts,
            _look_up(self._numbered, page.numbered),
            _look_up(self._texts, page.texts),
        )
        others: FloatArray = np.maximum(found - 1, 0)
        return others

    def shares(self, page: PageBlocks) -> FloatArray:
        """Return the share of other pages with the text of each block."""
        return self.others(page) / max(self.pages - 1, 1)

    def repeats(self, page: PageBlocks) -> FloatArray:
        """Return the number of other pages with the text of each block, 0 for the page's own text.

        That is text kept by cleaning in a place where other pages have text, but none has this:
        they show it in a box or a footer, as the beginning of an article or an address.
        """
        places = np.searchsorted(self._places, -np.abs(page.places))
        pages_with_place = self._place_pages[places]
        is_alone = _look_up(self._placed, _join_place(page)) == 1
        is_own = page.verdicts & is_alone & (pages_with_place > 1)
        return np.where(is_own, 0, self.others(page))

    def beginnings(self, page: PageBlocks) -> FloatArray:
        """Return the share of other pages with a block of the same type and beginning."""
        found = np.maximum(_look_up(self._beginnings, page.beginnings) - 1, 0)
        return found / max(self.pages - 1, 1)

    def place_scores(self, page: PageBlocks) -> FloatArray:
        """Return the mean score of the blocks in the place of each block, over the pages.

        The mean is that of the page's own site, drawn to 0 as by ``_DRAWN_PAGES`` more pages. A
        block whose place is unknown has its own score.
        """
        means = self._place_scores[np.searchsorted(self._places, page.places)]
        return np.where(page.places == 0, page.scores, means)


Counts = tuple["npt.NDArray[np.uint64]", "npt.NDArray[np.int64]"]


def _mean_by_place(page: PageBlocks) -> tuple[npt.NDArray[np.int64], FloatArray]:
    """Return the distinct places of the blocks of a page, and the mean score in each.

    That of a link is of all blocks in its place, that of another block without the links.
    """
    is_plain = page.places > 0
    joined = np.concatenate([-np.abs(page.places), page.places[is_plain]])
    scores = np.concatenate([page.scores, page.scores[is_plain]])
    places, rows, numbers = np.unique(joined, return_inverse=True, return_counts=True)
    return places, np.bincount(rows, scores, len(places)) / numbers


def _join_place(page: PageBlocks) -> npt.NDArray[np.uint64]:
    """Return digests of each text in its place."""
    return page.numbered ^ page.places.astype(np.uint64)


def _find_names(page: PageBlocks) -> BoolArray:
    return np.isin(page.kinds, list(_NAMES))


def _count_values(parts: list[npt.NDArray[np.uint64]]) -> Counts:
    joined = np.concatenate([np.zeros(0, np.uint64), *parts])
    values, numbers = np.unique(joined, return_counts=True)
    return values, numbers


def _look_up(counts: Counts, wanted: npt.NDArray[np.uint64]) -> FloatArray:
    values, numbers = counts
    if not len(values):
        return np.zeros(len(wanted))
    places = np.minimum(np.searchsorted(values, wanted), len(values) - 1)
    return np.where(values[places] == wanted, numbers[places], 0).astype(float)


def weigh_site(page: PageBlocks, site: SiteBlocks) -> FloatArray:
    """Return the evidence of page and site, shape (blocks, ``SITE_EVIDENCE``)."""
    others = site.others(page)
    few = _count_few(site)
    is_name = _find_names(page)
    beginning = site.beginnings(page) * ((page.lengths < _SHORT) & ~is_name)
    own = page.verdicts & (others == 0) & (beginning <= _SOME_SHARE)
    # Definitions share beginnings too, like links to neighbors: trust cleaning on these.
    beginning *= ~(page.verdicts & (others <= few))
    leads = _find_leads(page.kinds)
    headed = _find_headed_items(page) & (others <= few)
    # Cleaning takes all lists of links for menus: the heading tells those of the text.
    places = site.place_scores(page)
    places = np.where(headed, places[leads], places)
    columns = {
        "always": np.ones(len(page)),
        "beginning": beginning,
        "amid_own_text": _find_span(own),
        "headed": headed,
        "place_scores": places.clip(-_MAX_PLACE, _MAX_PLACE),
    }
    return np.column_stack([columns[name] for name in SITE_EVIDENCE]).astype(float)


def _count_few(site: SiteBlocks) -> float:
    """Return the maximum number of other pages on which a recurring text is rare."""
    return max(_FEW_PAGES, _FEW_SHARE * site.pages)


def _find_empty_headings(
    page: PageBlocks, odds: FloatArray, recurs: BoolArray
) -> BoolArray:
    """Return a mask of recurring headings without content in their sections, and of those therein.

    A section ends at the title, or at the next heading of the same or a higher level. Headings
    that are links, as of related products, are no content of it.
    """
    is_heading, is_name = page.kinds == _HEADING, _find_names(page)
    is_text = (odds > 0) & ~(is_heading & (page.places < 0))
    empty = np.zeros(len(page), bool)
    for place in np.nonzero(is_heading & recurs)[0].tolist():
        is_above = ~is_heading | (page.levels <= page.levels[place])
        ends = (is_name & is_above)[place + 1 :]
        size = int(ends.argmax()) if ends.any() else ends.size
        if not is_text[place + 1 :][:size].any():
            empty[place : place + 1 + size] = True
    headings: BoolArray = empty & is_heading
    return headings


def _find_frame(
    page: PageBlocks, own: BoolArray, others: FloatArray, pages: int
) -> BoolArray:
    """Return a mask of the texts of many pages around a page's own text, and of most pages in it.

    ``own`` is content that few others have, ``others`` are numbers of other pages with a text,
    ``pages`` is that of the site.
    The page model may take a sentence of the frame for content on every page. Titles and
    headings stay, labels within own text, items and rows next to an own one, and a page without
    text of its own.
    """
    is_name = _find_names(page)
    groups = np.cumsum(np.diff(np.abs(page.places), prepend=0) != 0)
    is_beside = (page.kinds != _KINDS[None]) & np.isin(groups, groups[own])
    share = np.where(others < _FRAME_PAGES, 0, others / max(pages - 1, 1))
    is_around = (share > _SOME_SHARE) & ~_find_span(own)
    is_amid = (share > _MOST_SHARE) & (page.lengths > _LABEL)
    frame: BoolArray = (is_around | is_amid) & ~(is_name | is_beside)
    return frame & (own & ~is_name).any()


def _bound_restored_items(odds: FloatArray, page: PageBlocks) -> FloatArray:
    """Return log odds, those of items that cleaning rejects at most the mean of their list.

    Lists are those directly below a heading: of links to related pages, the site alone would
    restore the one that other pages seldom have. Items that cleaning keeps stay as they are.
    """
    headed = _find_headed_items(page)
    is_same = np.diff(np.abs(page.places), prepend=0) == 0
    goes_on = headed & np.append(False, headed[:-1]) & is_same
    lists = np.cumsum(headed & ~goes_on)[headed] - 1
    lengths = page.lengths[headed]
    means = np.bincount(lists, odds[headed] * lengths) / np.bincount(lists, lengths)
    bounds = np.full(len(page), np.inf)
    bounds[headed] = np.where(page.verdicts[headed], np.inf, means[lists])
    bounded: FloatArray = np.minimum(odds, bounds)
    return bounded


def _find_headed_items(page: PageBlocks) -> BoolArray:
    """Return a mask of the items of lists that directly follow a heading.

    A heading that is not the same on many pages distinguishes a list of links in the text
    from a menu. A table of contents stays one.
    """
    kinds, leads = page.kinds, _find_leads(page.kinds)
    headed: BoolArray = (
        (kinds == _LIST_ITEM) & (leads >= 0) & np.isin(kinds[leads], list(_NAMES))
    )
    return headed & ~_find_contents(page, leads) if headed.any() else headed


def _find_contents(page: PageBlocks, leads: npt.NDArray[np.intp]) -> BoolArray:
    """Return a mask of the items of lists most of which are headings further down the page.

    ``leads`` are of :func:`_find_leads`.
    """
    is_item = page.kinds == _LIST_ITEM
    headings = np.nonzero(page.kinds == _HEADING)[0].tolist()
    last = {page.texts[place]: place for place in headings}
    found = [last.get(text, -1) > n for n, text in enumerate(page.texts.tolist())]
    is_named = np.array(found, bool)
    _, lists = np.unique(leads, return_inverse=True)
    sizes = np.bincount(lists, is_item)
    named = np.bincount(lists, is_item & is_named)
    contents: BoolArray = is_item & (named > sizes / 2)[lists]
    return contents


def _find_leads(kinds: npt.NDArray[np.int8]) -> npt.NDArray[np.intp]:
    """Return for each block the last one up to it that is no item of a list, -1 without."""
    places = np.arange(len(kinds))
    leads: npt.NDArray[np.intp] = np.maximum.accumulate(
        np.where(kinds == _LIST_ITEM, -1, places)
    )
    return leads


def _find_span(own: BoolArray) -> BoolArray:
    """Return a mask of the blocks from the first to the last own block."""
    places = np.nonzero(own)[0]
    inside = np.zeros(len(own), bool)
    if len(places):
        inside[places[0] : places[-1] + 1] = True
    return inside


@dataclass(frozen=True, slots=True)
class ContentModel:
    """Logistic model with a weight for each feature of ``SITE_EVIDENCE``."""

    weights: FloatArray

    def judge_page(self, page: PageBlocks, site: SiteBlocks) -> FloatArray:
        """Return the log odds that the blocks of a page are content."""
        odds: FloatArray = weigh_site(page, site) @ self.weights
        odds = mix_with_page(np.clip(odds, -_MAX_LOGIT, _MAX_LOGIT), page, site.pages)
        odds = _bound_restored_items(odds, page)
        others, few = site.repeats(page), _count_few(site)
        is_empty = _find_empty_headings(page, odds, others > few)
        # A page may be no more than its heading and a menu below it.
        is_empty &= ((odds > 0) & ~_find_names(page)).any()
        is_frame = is_empty | _find_frame(
            page, (odds > 0) & (others <= few), others, site.pages
        )
        return np.where(is_frame, np.minimum(odds, -_SURE), odds)


def join_sides(own: FloatArray, counterparts: FloatArray) -> FloatArray:
    """Return the log odds of the blocks of a page with a translation.

    A block is content where it is on either side. ``counterparts`` are the log odds of the
    counterparts, NaN for blocks without one.
    """
    odds: FloatArray = np.fmax(own, counterparts)
    return odds


def find_own_text(page: PageBlocks, site: SiteBlocks) -> BoolArray:
    """Return a mask of the text that cleaning keeps and that is rare on other pages."""
    is_own: BoolArray = page.verdicts & (site.others(page) <= _count_few(site))
    return is_own


def keep_own_text(odds: FloatArray, page: PageBlocks, is_own: BoolArray) -> FloatArray:
    """Return log odds adjusted so that no page loses all of its text.

    If only titles and headings would remain, the page's own text stays.
    """
    is_left = ((odds > 0) & ~_find_names(page)).any()
    return odds if is_left else np.where(is_own, np.maximum(odds, _SURE), odds)


def is_without_text(paragraphs: Iterable[Paragraph]) -> bool:
    """Test whether all text kept by cleaning, except titles and headings, is boilerplate."""
    texts = [
        p for p in paragraphs if p.page_verdict is None and _KINDS[p.type] not in _NAMES
    ]
    return bool(texts) and all(p.crawlinfo is CrawlInfo.BOILERPLATE for p in texts)


def mix_with_page(odds: FloatArray, page: PageBlocks, pages: int) -> FloatArray:
    """Return log odds by the site, interpolated with those of the page alone.

    On small sites little recurs: the weight of the site grows with its pages, from 0 for a
    single page to 1 beyond ``_TRUSTED_PAGES``. A title kept by cleaning stays.
    """
    trust = min(1.0, (pages - 1) / _TRUSTED_PAGES)
    least = np.where(page.verdicts, np.maximum(page.scores, _SURE), page.scores)
    alone = np.where(page.verdicts, least, np.minimum(page.scores, -_SURE))
    mixed: FloatArray = trust * odds + (1 - trust) * alone
    is_title = page.verdicts & (page.kinds == _KINDS[ParagraphType.TITLE])
    return np.where(is_title, np.maximum(mixed, _SURE), mixed)


class TextChange(StrEnum):
    """Decision on a paragraph that overrules cleaning."""

    RESTORED = "restored"
    FRAME = "frame"
    TYPE = "type"
    """Paragraph of a type omitted by the user."""


def decide_text(
    paragraphs: Sequence[Paragraph], odds: FloatArray, tokens: Sequence[int], least: int
) -> list[Paragraph]:
    """Return paragraphs with the decision on each, ignoring earlier decisions.

    ``tokens`` are their numbers of tokens: text of fewer than ``least`` is too short. Verdicts
    on the language stay. Breadcrumbs and lists of languages stay boilerplate: they differ from
    page to page, as text does. Lines of a listing are decided together.
    """
    decided = []
    values, numbers = odds.tolist(), list(tokens)
    for place in find_listings(paragraphs):
        lines = place.stop - place.start
        weights = np.maximum(tokens[place], 1)
        values[place] = [float(np.average(odds[place], weights=weights))] * lines
        numbers[place] = [sum(tokens[place])] * lines
    for kind, place in iter_runs(paragraphs):
        if kind is ParagraphType.ROW:
            mean = np.average(odds[place], weights=np.maximum(tokens[place], 1))
            if mean > 0:
                values[place] = [max(value, mean) for value in values[place]]
    for paragraph, value, number in zip(paragraphs, values, numbers, strict=True):
        verdict = crawlinfo = paragraph.page_verdict
        if value <= 0 and verdict in {None, CrawlInfo.OOI_LENGTH}:
            crawlinfo = CrawlInfo.BOILERPLATE
        elif (
            value > 0
            and verdict is CrawlInfo.BOILERPLATE
            and not is_navigation(paragraph.text)
        ):
            # Also for a heading: "Related pages" recurs on both sides, too.
            crawlinfo = CrawlInfo.OOI_LENGTH if number < least else None
        decided.append(set_crawlinfo(paragraph, crawlinfo))
    return decided


def set_crawlinfo(paragraph: Paragraph, crawlinfo: CrawlInfo | None) -> Paragraph:
    """Return a paragraph, itself if it is so, with a decision and the verdict of cleaning."""
    verdict = paragraph.page_verdict
    cleaning = "" if crawlinfo is verdict else verdict or CLEAN_TEXT
    if crawlinfo is paragraph.crawlinfo and cleaning == paragraph.cleaning:
        return paragraph
    return replace(paragraph, crawlinfo=crawlinfo, cleaning=cleaning)


def omit_types(
    paragraphs: Iterable[Paragraph], types: Container[ParagraphType | None]
) -> list[Paragraph]:
    """Return paragraphs, with those of the given types marked as boilerplate."""
    return [
        set_crawlinfo(one, CrawlInfo.BOILERPLATE)
        if one.type in types and one.is_content
        else one
        for one in paragraphs
    ]


def find_change(
    paragraph: Paragraph, omitted: Container[ParagraphType | None] = ()
) -> TextChange | None:
    """Return the change to the verdict of cleaning, None if counterpart is none."""
    if not paragraph.cleaning:
        return None
    if paragraph.crawlinfo is not CrawlInfo.BOILERPLATE:
        return TextChange.RESTORED
    return TextChange.TYPE if paragraph.type in omitted else TextChange.FRAME


@cache
def shipped_model() -> ContentModel:
    """Return the model that comes with the package."""
    text = files("ilspfc.decisions").joinpath("content.json").read_text("utf-8")
    weights = json.loads(text)
    return ContentModel(np.array([weights[name] for name in SITE_EVIDENCE]))
