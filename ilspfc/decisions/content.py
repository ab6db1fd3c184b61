"""Decision on text: page, site and translation together say how probably a block is content.

Three witnesses are heard. The page: what its model says, and of the blocks around. The site:
on how many of its pages in the same language the text recurs. The translation: how probably
the block is content that stands opposite on the other page. Two logistic models combine
them, the second for pages that have a translation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.documents import CLEAN_TEXT, CrawlInfo, ParagraphType
from ilspfc.text.log_odds import to_log_odds
from ilspfc.text.navigation import is_navigation
from ilspfc.text.words import measure_length

if TYPE_CHECKING:
    import numpy.typing as npt

    from ilspfc.documents import Paragraph
    from ilspfc.text.arrays import BoolArray, FloatArray

# Scores of paragraphs that no model has judged: in PDF files, of other backends.
_SCORES_WITHOUT_MODEL = {True: 0.9, False: 0.1}
_MAX_LOGIT = 5.0
# Neighbors on each side that say something of a block.
_WINDOW = 2
# Text of fewer characters, comparable across scripts, may be a link with a label.
_SHORT = 150.0
# Pages of a site and language from which on recurrence counts in full.
_TRUSTED_PAGES = 20
# Least log odds of a verdict.
_SURE = 0.1
# Blocks in the first and last twentieth of a page are at its edge.
_EDGE = 20.0
# Of longer text the length says no more.
_LONG = 200.0
_KINDS = {None: 0} | {kind: number for number, kind in enumerate(ParagraphType, 1)}
_NAMES = frozenset({_KINDS[ParagraphType.TITLE], _KINDS[ParagraphType.HEADING]})
_HEADING = _KINDS[ParagraphType.HEADING]
_LIST_ITEM = _KINDS[ParagraphType.LISTITEM]
_NUMBERS_RE = re.compile(r"\d+")
_WORDS_RE = re.compile(r"\w+|\S")

# Classes of recurrence by the share of pages with a text: on this one alone, on few, on
# some, on many. On a small site three other pages are few.
_FEW_PAGES, _FEW_SHARE, _SOME_SHARE = 3, 0.01, 0.1
RECURRENCE = ("alone", "few", "some", "many")
SITE_EVIDENCE = (
    *(f"on_{name}" for name in RECURRENCE),
    *(f"score_on_{name}" for name in RECURRENCE),
    "verdict",
    "beginning",
    "title_elsewhere",
    "edge_title_elsewhere",
    "title_here",
    "repeated",
    "neighbor_scores",
    "neighbors_recur",
    "amid_own_text",
    "edge",
    "length",
    "headed_few",
)
"""Features of a block by its page and its site."""

TRANSLATION_EVIDENCE = ("own", "counterpart", "both", "own_alone")
"""Features of a block by its own log odds and those of its counterpart."""


@dataclass(frozen=True, slots=True)
class PageBlocks:
    """The paragraphs of a page as arrays, n of them.

    ``texts`` and ``beginnings`` are digests of the text without case and numbers, and of its
    first two words with its type, ``numbered`` of the text with its numbers; ``scores`` are
    log odds of the page's model, ``verdicts`` its decisions; ``lengths`` are comparable
    across scripts.
    """

    texts: npt.NDArray[np.uint64]
    beginnings: npt.NDArray[np.uint64]
    kinds: npt.NDArray[np.int8]
    levels: npt.NDArray[np.int8]
    scores: FloatArray
    verdicts: BoolArray
    lengths: FloatArray
    numbered: npt.NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.texts)


def read_blocks(paragraphs: Sequence[Paragraph]) -> PageBlocks:
    """Return the paragraphs of a page, as cleaning has judged them."""
    verdicts = [p.page_verdict is not CrawlInfo.BOILERPLATE for p in paragraphs]
    scores = [
        _SCORES_WITHOUT_MODEL[verdict] if p.score is None else p.score
        for p, verdict in zip(paragraphs, verdicts, strict=True)
    ]
    texts = [p.text.casefold() for p in paragraphs]
    folded = [_NUMBERS_RE.sub("0", text) for text in texts]
    kinds = [_KINDS[p.type] for p in paragraphs]
    beginnings = [
        f"{kind} {_WORDS_RE.findall(text[:60])[:2]}"
        for kind, text in zip(kinds, folded, strict=True)
    ]
    return PageBlocks(
        np.array([_digest(text) for text in folded], np.uint64),
        np.array([_digest(text) for text in beginnings], np.uint64),
        np.array(kinds, np.int8),
        np.array([p.level for p in paragraphs], np.int8),
        _logit(np.array(scores, float)),
        np.array(verdicts, bool),
        np.array([measure_length(text) for text in texts], float),
        np.array([_digest(text) for text in texts], np.uint64),
    )


def _digest(text: str) -> int:
    data = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")


def _logit(probabilities: FloatArray) -> FloatArray:
    odds = to_log_odds(probabilities, 1e-4)
    return np.clip(odds, -_MAX_LOGIT, _MAX_LOGIT)


class SiteBlocks:
    """Numbers of pages of a site and language that have a text.

    Digests are held, 8 bytes for each block of a page, until they are counted.
    """

    def __init__(self, pages: Iterable[PageBlocks]) -> None:
        texts, beginnings, numbered, titles = [], [], [], []
        self.pages = 0
        for page in pages:
            self.pages += 1
            texts.append(np.unique(page.texts))
            beginnings.append(np.unique(page.beginnings))
            numbered.append(np.unique(page.numbered))
            titles.append(np.unique(page.texts[_are_names(page)]))
        self._texts = _count(texts)
        self._beginnings = _count(beginnings)
        self._numbered = _count(numbered)
        self._titles = _count(titles)

    def others(self, page: PageBlocks) -> FloatArray:
        """Return the number of other pages with the text of each block.

        Numbers are part of what cleaning has kept: reports differ in them alone.
        """
        found = np.where(
            page.verdicts,
            _look_up(self._numbered, page.numbered),
            _look_up(self._texts, page.texts),
        )
        others: FloatArray = np.maximum(found - 1, 0)
        return others

    def beginnings(self, page: PageBlocks) -> FloatArray:
        """Return the share of other pages with a block of the same type and first two words."""
        found = np.maximum(_look_up(self._beginnings, page.beginnings) - 1, 0)
        return found / max(self.pages - 1, 1)

    def titles(self, page: PageBlocks) -> FloatArray:
        """Return the number of other pages that have the text as a title or heading."""
        own = np.isin(page.texts, page.texts[_are_names(page)])
        return np.maximum(_look_up(self._titles, page.texts) - own, 0)


Counts = tuple["npt.NDArray[np.uint64]", "npt.NDArray[np.int64]"]


def _are_names(page: PageBlocks) -> BoolArray:
    return np.isin(page.kinds, list(_NAMES))


def _count(parts: list[npt.NDArray[np.uint64]]) -> Counts:
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
    share = others / max(site.pages - 1, 1)
    few = _count_few(site)
    classes = np.digitize(others, [1, few + 1]) + (
        (others > few) & (share > _SOME_SHARE)
    )
    is_in = np.eye(len(RECURRENCE))[classes]
    is_short = page.lengths < _SHORT
    is_name = _are_names(page)
    is_title = page.kinds == _KINDS[ParagraphType.TITLE]
    values, numbers = np.unique(page.texts, return_counts=True)
    places = np.arange(len(page))
    edge = np.exp(-_EDGE * np.minimum(places, places[::-1]) / max(len(page), 1))
    beginning = site.beginnings(page) * (is_short & ~is_name)
    own = page.verdicts & (others == 0) & (beginning <= _SOME_SHARE)
    # Definitions begin alike as links to neighbors do: what cleaning has kept is text.
    beginning *= ~(page.verdicts & (others <= few))
    elsewhere = (site.titles(page) > 0) & ~is_name
    columns = {
        "verdict": 2.0 * page.verdicts - 1,
        "beginning": beginning,
        "title_elsewhere": elsewhere,
        "edge_title_elsewhere": elsewhere * edge,
        "title_here": np.isin(page.texts, page.texts[is_title]) & ~is_name,
        "repeated": numbers[np.searchsorted(values, page.texts)] > 1 + is_name,
        "neighbor_scores": _mean_of_neighbors(page.scores),
        "neighbors_recur": _mean_of_neighbors(1.0 * (classes == len(RECURRENCE) - 1)),
        "amid_own_text": _find_span(own),
        "edge": edge,
        "length": np.log1p(np.minimum(page.lengths, _LONG)) / np.log1p(_LONG),
        "headed_few": _find_headed_items(page.kinds) & (others <= few),
    }
    for number, name in enumerate(RECURRENCE):
        columns[f"on_{name}"] = is_in[:, number]
        columns[f"score_on_{name}"] = is_in[:, number] * page.scores
    return np.column_stack([columns[name] for name in SITE_EVIDENCE]).astype(float)


def _count_few(site: SiteBlocks) -> float:
    """Return the number of other pages on which a text is on few pages of a site."""
    return max(_FEW_PAGES, _FEW_SHARE * site.pages)


def _find_empty_headings(page: PageBlocks, odds: FloatArray) -> BoolArray:
    """Test for each block whether it is a heading without content below it.

    What is below it ends with the next heading of its level or a higher one.
    """
    is_heading = page.kinds == _HEADING
    empty = np.zeros(len(page), bool)
    for place in np.nonzero(is_heading)[0].tolist():
        ends = is_heading[place + 1 :] & (
            page.levels[place + 1 :] <= page.levels[place]
        )
        size = int(ends.argmax()) if ends.any() else ends.size
        empty[place] = not (odds[place + 1 :][:size] > 0).any()
    return empty


def _mean_of_neighbors(values: FloatArray) -> FloatArray:
    """Return the mean over the neighbors of each block, without it."""
    total, number = np.zeros(len(values)), np.zeros(len(values))
    for step in range(1, min(_WINDOW, len(values) - 1) + 1):
        total[step:] += values[:-step]
        total[:-step] += values[step:]
        number[step:] += 1
        number[:-step] += 1
    means: FloatArray = total / np.maximum(number, 1)
    return means


def _find_headed_items(kinds: npt.NDArray[np.int8]) -> BoolArray:
    """Test for each block whether it is a list item below a heading, items alone between.

    A heading tells a list of links that belongs to the text from a menu, if it is not the
    same on many pages.
    """
    is_item = kinds == _LIST_ITEM
    places = np.arange(len(kinds))
    before = np.maximum.accumulate(np.where(is_item, -1, places))
    headed: BoolArray = is_item & (before >= 0) & np.isin(kinds[before], list(_NAMES))
    return headed


def _find_span(own: BoolArray) -> BoolArray:
    """Test for each block whether it stands between the first and the last own block."""
    places = np.nonzero(own)[0]
    inside = np.zeros(len(own), bool)
    if len(places):
        inside[places[0] : places[-1] + 1] = True
    return inside


def weigh_translation(own: FloatArray, counterparts: FloatArray) -> FloatArray:
    """Return the evidence of translations, shape (blocks, ``TRANSLATION_EVIDENCE``).

    ``own`` are log odds of the blocks, ``counterparts`` those of the blocks opposite, not a
    number where there is none.
    """
    is_alone = np.isnan(counterparts)
    there = np.where(is_alone, 0, counterparts)
    columns = {
        "own": own,
        "counterpart": there,
        "both": np.minimum(own, there) * ~is_alone,
        "own_alone": own * is_alone,
    }
    return np.column_stack([columns[name] for name in TRANSLATION_EVIDENCE])


@dataclass(frozen=True, slots=True)
class ContentModel:
    """Two logistic models: by page and site, and by these and a translation."""

    site: FloatArray
    translation: FloatArray

    def judge_page(self, page: PageBlocks, site: SiteBlocks) -> FloatArray:
        """Return the log odds of the blocks of a page being content."""
        odds: FloatArray = weigh_site(page, site) @ self.site
        odds = mix_with_page(np.clip(odds, -_MAX_LOGIT, _MAX_LOGIT), page, site.pages)
        recurs = site.others(page) > _count_few(site)
        is_empty = recurs & _find_empty_headings(page, odds)
        return np.where(is_empty, np.minimum(odds, -_SURE), odds)

    def judge_pair(self, own: FloatArray, counterparts: FloatArray) -> FloatArray:
        """Return the log odds of blocks whose page has a translation."""
        odds: FloatArray = weigh_translation(own, counterparts) @ self.translation
        return odds


def keep_own_text(odds: FloatArray, page: PageBlocks, site: SiteBlocks) -> FloatArray:
    """Return log odds by which no page loses all of its text.

    Where nothing but titles and headings is content, what cleaning has kept and few other
    pages have stays.
    """
    is_own = page.verdicts & (site.others(page) <= _count_few(site))
    is_left = ((odds > 0) & ~_are_names(page)).any()
    return odds if is_left else np.where(is_own, np.maximum(odds, _SURE), odds)


def is_without_text(paragraphs: Iterable[Paragraph]) -> bool:
    """Test whether clean text of cleaning, but for titles and headings, is all frame."""
    texts = [
        p for p in paragraphs if p.page_verdict is None and _KINDS[p.type] not in _NAMES
    ]
    return bool(texts) and all(p.crawlinfo is CrawlInfo.BOILERPLATE for p in texts)


def mix_with_page(odds: FloatArray, page: PageBlocks, pages: int) -> FloatArray:
    """Return log odds by the site mixed with those of the page alone.

    On few pages little recurs: the site counts in full from ``_TRUSTED_PAGES`` on, and not
    at all where the page is the only one of its site. Its title stays where it is content.
    """
    trust = min(1.0, (pages - 1) / _TRUSTED_PAGES)
    least = np.where(page.verdicts, np.maximum(page.scores, _SURE), page.scores)
    alone = np.where(page.verdicts, least, np.minimum(page.scores, -_SURE))
    mixed: FloatArray = trust * odds + (1 - trust) * alone
    is_title = page.verdicts & (page.kinds == _KINDS[ParagraphType.TITLE])
    return np.where(is_title, np.maximum(mixed, _SURE), mixed)


class TextChange(StrEnum):
    """Decision on a paragraph against the verdict of cleaning."""

    RESTORED = "restored"
    FRAME = "frame"
    TYPE = "type"
    """Of a type that is no text for the user."""


def decide_text(
    paragraphs: Sequence[Paragraph], odds: FloatArray, tokens: Sequence[int], least: int
) -> list[Paragraph]:
    """Return paragraphs with the decision on each, whatever was decided before.

    ``tokens`` are their numbers of tokens: text of fewer than ``least`` is too short for
    clean text. Verdicts on the language stay, and so does boilerplate that is a breadcrumb
    or a list of languages by its form: these differ from page to page as text does.
    """
    decided = []
    for paragraph, value, number in zip(paragraphs, odds.tolist(), tokens, strict=True):
        verdict = crawlinfo = paragraph.page_verdict
        if value <= 0 and verdict in {None, CrawlInfo.OOI_LENGTH}:
            crawlinfo = CrawlInfo.BOILERPLATE
        elif (
            value > 0
            and verdict is CrawlInfo.BOILERPLATE
            and not is_navigation(paragraph.text)
        ):
            crawlinfo = CrawlInfo.OOI_LENGTH if number < least else None
        decided.append(set_crawlinfo(paragraph, crawlinfo))
    return decided


def set_crawlinfo(paragraph: Paragraph, crawlinfo: CrawlInfo | None) -> Paragraph:
    """Return a paragraph with a decision; the verdict of cleaning is kept beside it."""
    verdict = paragraph.page_verdict
    cleaning = "" if crawlinfo is verdict else verdict or CLEAN_TEXT
    return replace(paragraph, crawlinfo=crawlinfo, cleaning=cleaning)


def omit_types(
    paragraphs: Iterable[Paragraph], types: Container[ParagraphType | None]
) -> list[Paragraph]:
    """Return paragraphs with those of some types left out of the text."""
    return [
        set_crawlinfo(one, CrawlInfo.BOILERPLATE)
        if one.type in types and one.is_content
        else one
        for one in paragraphs
    ]


def find_change(
    paragraph: Paragraph, omitted: Container[ParagraphType | None] = ()
) -> TextChange | None:
    """Return the change of the verdict of cleaning, None where it stands."""
    if not paragraph.cleaning:
        return None
    if paragraph.crawlinfo is not CrawlInfo.BOILERPLATE:
        return TextChange.RESTORED
    return TextChange.TYPE if paragraph.type in omitted else TextChange.FRAME


def read_model(data: Mapping[str, Mapping[str, float]]) -> ContentModel:
    """Return the model of a parsed JSON object; KeyError where evidence is missing."""
    site, translation = data["site"], data["translation"]
    return ContentModel(
        np.array([site[name] for name in SITE_EVIDENCE]),
        np.array([translation[name] for name in TRANSLATION_EVIDENCE]),
    )


@cache
def shipped_model() -> ContentModel:
    """Return the model that ships."""
    text = files("ilspfc.decisions").joinpath("content.json").read_text("utf-8")
    return read_model(json.loads(text))
