"""Trains the model that decides on text by page, site and translation.

``python -m evaluation.train_content`` writes ``ilspfc/decisions/content.json`` from the
sites of :mod:`evaluation.main_elements` but for two, and from five themes of :mod:`evaluation.framed_sites`
that cleaning has not learned from. Sites and themes weigh the same together, each site as any other, and so does each page of it; a paragraph weighs as its words do. ``python -m evaluation.main_text`` and
``evaluation.framed_sites`` have the figures.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation import framed_sites
from evaluation.data import PROJECT
from evaluation.main_elements import (
    FRAME,
    MAIN,
    SITES_WITH_MAIN,
    UNSEEN,
    label_paragraphs,
    make_settings,
    make_site,
)
from ilspfc.corpus.corpus import open_corpus
from ilspfc.decisions.content import (
    SITE_EVIDENCE,
    ContentModel,
    PageBlocks,
    SiteBlocks,
    join_sides,
    weigh_site,
)
from ilspfc.line.content import (
    CorpusBlocks,
    iter_pairs,
    join_counterparts,
    match_sides,
    oppose,
    read_corpus_blocks,
)
from ilspfc.text.word_split import split_words

if TYPE_CHECKING:
    import numpy.typing as npt

    from ilspfc.corpus.corpus import Corpus
    from ilspfc.corpus.records import DocumentEntry
    from ilspfc.documents import Paragraph
    from ilspfc.text.arrays import FloatArray, IntArray

MODEL = PROJECT / "ilspfc" / "decisions" / "content.json"
# Ridge penalty against the mean loss of a word.
_PENALTY = 3e-4
# Pages of fewer words of main content weigh less.
_MIN_WORDS = 20
_DIGITS = 3
# Signs that weights must have: what speaks for content on few sites must not turn against
# it. The others are free.
_POSITIVE = {"place_scores", "amid_own_text"}
_NEGATIVE = {"beginning"}


@dataclass(frozen=True, slots=True)
class Page:
    """A page: blocks, those of its site, evidence, labels and words of its paragraphs."""

    lang: str
    blocks: PageBlocks
    site: SiteBlocks
    evidence: FloatArray
    labels: IntArray
    words: FloatArray

    @property
    def weights(self) -> FloatArray:
        """What each paragraph counts for in training."""
        whole = max(self.words[self.labels == MAIN].sum(), _MIN_WORDS)
        return np.where(self.labels >= FRAME, self.words / whole, 0.0)

    def score(self, is_content: npt.NDArray[np.bool_]) -> tuple[float, float, float]:
        """Return F1, precision and recall of the words of the main content."""
        words = np.where(self.labels >= FRAME, self.words, 0)
        is_main = self.labels == MAIN
        right = words[is_main & is_content].sum()
        kept, wanted = words[is_content].sum(), words[is_main].sum()
        precision = right / kept if kept else 1.0
        return 2 * right / (kept + wanted), precision, right / wanted


@dataclass(frozen=True, slots=True)
class Site:
    """The pages of a site by id, and the matched blocks of those that are pairs."""

    pages: Mapping[str, Page]
    matches: Sequence[tuple[str, str, IntArray]]

    def judge(
        self, model: ContentModel, *, translations: bool = True
    ) -> dict[str, FloatArray]:
        """Return the log odds of the paragraphs of each page."""
        own = {
            name: model.judge_page(page.blocks, page.site)
            for name, page in self.pages.items()
        }
        if not translations:
            return own
        judged = {
            name: join_sides(own[name], opposite)
            for name, opposite in self.oppose(own).items()
        }
        return own | judged

    def oppose(self, own: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
        """Return the log odds opposite the paragraphs of the pages in a pair."""
        found: dict[str, list[FloatArray]] = defaultdict(list)
        for left, right, matched in self.matches:
            there, back = oppose(matched, own[left], own[right])
            found[left].append(there)
            found[right].append(back)
        return {name: join_counterparts(parts) for name, parts in found.items()}


def read_site(name: str) -> Site:
    """Return the pages of a site that have main content."""
    with open_corpus(make_site(name), make_settings()) as corpus:
        pairs = list(iter_pairs(corpus))
        ids, found = read_corpus_blocks(corpus, pairs)
        pages = {}
        for entry, blocks, site in _iter_pages(corpus, found):
            document = corpus.read(entry)
            labels = label_paragraphs(name, document)
            page = _make_page(entry.lang, blocks, site, document.paragraphs, labels)
            if page.words[page.labels == MAIN].sum():
                pages[entry.id] = page
    place_of = {identity: place for place, identity in enumerate(ids)}
    matches = []
    for both in pairs:
        if pages.keys() >= {*both}:
            left, right = (pages[one].site.shares(pages[one].blocks) for one in both)
            places = place_of[both[0]], place_of[both[1]]
            matches.append((*both, match_sides(found, places, (left, right))))
    return Site(pages, matches)


def read_theme(name: str) -> Site:
    """Return the pages of a theme of :mod:`evaluation.framed_sites`."""
    with framed_sites.open_theme(name) as made:
        _, found = read_corpus_blocks(made.corpus, [])
        pages = {}
        for entry, blocks, site in _iter_pages(made.corpus, found):
            paragraphs = made.corpus.reading(entry).paragraphs
            labels = framed_sites.label_paragraphs(
                paragraphs, made.marked[entry.url][1]
            )
            pages[entry.id] = _make_page(entry.lang, blocks, site, paragraphs, labels)
    return Site(pages, [])


def _iter_pages(
    corpus: Corpus, found: CorpusBlocks
) -> Iterator[tuple[DocumentEntry, PageBlocks, SiteBlocks]]:
    """Yield each document with its blocks and the counts of its site."""
    entries = corpus.index.documents_by_site()
    for places, site in zip(found.groups, found.sites, strict=True):
        for place in places:
            yield next(entries), found.pages[place], site


def _make_page(
    lang: str,
    blocks: PageBlocks,
    site: SiteBlocks,
    paragraphs: Sequence[Paragraph],
    labels: Sequence[int],
) -> Page:
    words = [float(len(split_words(p.text))) for p in paragraphs]
    evidence = weigh_site(blocks, site)
    return Page(lang, blocks, site, evidence, np.array(labels), np.array(words))


def fit(sites: Iterable[Site], themes: Iterable[Site]) -> ContentModel:
    """Return the model of some sites and themes, by L-BFGS-B.

    Both kinds weigh the same, and each site or theme among those of its kind.
    """
    from scipy.optimize import minimize  # noqa: PLC0415 - takes a second

    kinds = [list(sites), list(themes)]
    parts = [
        (page.evidence, page.labels, page.weights / total / len(kind))
        for kind in kinds
        for site in kind
        for total in (sum(page.weights.sum() for page in site.pages.values()),)
        for page in site.pages.values()
    ]
    evidence = np.vstack([part[0] for part in parts])
    signs = np.where(np.concatenate([part[1] for part in parts]) == MAIN, 1, -1)
    weights = np.concatenate([part[2] for part in parts]) / len(kinds)

    def loss(values: FloatArray) -> tuple[float, FloatArray]:
        margins = signs * (evidence @ values)
        slope = -(weights * signs / (1 + np.exp(margins))) @ evidence
        penalty = _PENALTY * values
        value = weights @ np.logaddexp(0, -margins) + values @ penalty / 2
        return float(value), slope + penalty

    bounds = [
        (0 if name in _POSITIVE else None, 0 if name in _NEGATIVE else None)
        for name in SITE_EVIDENCE
    ]
    start = np.zeros(len(SITE_EVIDENCE))
    found = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B")
    return ContentModel(np.asarray(np.round(found.x, _DIGITS), np.float64))


def main() -> int:
    """Write the model of all sites."""
    if framed_sites.is_skipped():
        return 0
    sites = (read_site(name) for name in SITES_WITH_MAIN if name not in UNSEEN)
    model = fit(sites, map(read_theme, sorted(framed_sites.DECISION_THEMES)))
    data = dict(zip(SITE_EVIDENCE, model.weights.tolist(), strict=True))
    MODEL.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
