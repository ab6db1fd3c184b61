"""Trains the models that decide on text by page, site and translation.

``python -m evaluation.train_content`` writes ``ilspfc/decisions/content.json`` from the
sites of :mod:`evaluation.main_elements` but for two. Each site weighs the same, and so does each page of
it; a paragraph weighs as its words do. ``python -m evaluation.main_text`` has the figures.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation.data import PROJECT, SITES
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
    TRANSLATION_EVIDENCE,
    ContentModel,
    PageBlocks,
    SiteBlocks,
    weigh_site,
    weigh_translation,
)
from ilspfc.line.content import (
    CorpusBlocks,
    iter_pairs,
    join_counterparts,
    match_sides,
    oppose,
)
from ilspfc.text.tokens import split_words

if TYPE_CHECKING:
    import numpy.typing as npt

    from ilspfc.text.arrays import FloatArray, IntArray

MODEL = PROJECT / "ilspfc" / "decisions" / "content.json"
# Ridge penalty against the mean loss of a word.
_PENALTY = 3e-4
# Pages of fewer words of main content weigh less.
_MIN_WORDS = 20
_DIGITS = 3
# Signs that weights must have: what speaks for content on few sites must not turn against
# it. The others are free.
_POSITIVE = {"place_scores", "amid_own_text", "length", "own", "counterpart"}
_NEGATIVE = {"beginning", "title_elsewhere", "edge_title_elsewhere", "title_here"}
_NEGATIVE |= {"repeated", "edge"}


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
            name: model.judge_pair(own[name], opposite)
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
        found = CorpusBlocks(corpus, pairs)
        pages = {}
        for entry in corpus.index.documents_to_pair():
            document = corpus.read(entry)
            blocks, site = found.page(entry.id)
            page = Page(
                entry.lang,
                blocks,
                site,
                weigh_site(blocks, site),
                np.array(label_paragraphs(name, document)),
                np.array(
                    [float(len(split_words(p.text))) for p in document.paragraphs]
                ),
            )
            if page.words[page.labels == MAIN].sum():
                pages[entry.id] = page
        matches = [
            (*ids, match_sides(found, ids))
            for ids in ((pair.source.id, pair.target.id) for pair in pairs)
            if pages.keys() >= {*ids}
        ]
    return Site(pages, matches)


def fit(sites: Iterable[Site]) -> ContentModel:
    """Return the model of some sites."""
    sites = list(sites)
    by_site = _fit_weights(
        SITE_EVIDENCE,
        [[(p.evidence, p.labels, p.weights) for p in s.pages.values()] for s in sites],
    )
    model = ContentModel(by_site, np.zeros(len(TRANSLATION_EVIDENCE)))
    groups = []
    for site in sites:
        own = site.judge(model, translations=False)
        groups.append(
            [
                (weigh_translation(own[name], there), page.labels, page.weights)
                for name, there in site.oppose(own).items()
                for page in (site.pages[name],)
            ]
        )
    return ContentModel(by_site, _fit_weights(TRANSLATION_EVIDENCE, groups))


def _fit_weights(
    names: Sequence[str],
    groups: Sequence[Sequence[tuple[FloatArray, IntArray, FloatArray]]],
) -> FloatArray:
    """Return the weights of a logistic model by L-BFGS-B, each group weighing the same."""
    from scipy.optimize import minimize  # noqa: PLC0415 - takes a second

    parts = [part for group in groups for part in group]
    totals = [sum(w.sum() for *_, w in group) for group in groups for _ in group]
    evidence = np.vstack([part[0] for part in parts])
    signs = np.where(np.concatenate([part[1] for part in parts]) == MAIN, 1, -1)
    weights = np.concatenate(
        [part[2] / total for part, total in zip(parts, totals, strict=True)]
    ) / len(groups)

    def loss(values: FloatArray) -> tuple[float, FloatArray]:
        margins = signs * (evidence @ values)
        slope = -(weights * signs / (1 + np.exp(margins))) @ evidence
        penalty = _PENALTY * values
        value = weights @ np.logaddexp(0, -margins) + values @ penalty / 2
        return float(value), slope + penalty

    bounds = [
        (0 if name in _POSITIVE else None, 0 if name in _NEGATIVE else None)
        for name in names
    ]
    start = np.zeros(len(names))
    found = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B")
    return np.asarray(np.round(found.x, _DIGITS), np.float64)


def main() -> int:
    """Write the model of all sites."""
    if not SITES.is_dir():
        print(f"Skipped: no sites in {SITES} (set ILSPFC_EVALUATION_SITES).")
        return 0
    model = fit(read_site(name) for name in SITES_WITH_MAIN if name not in UNSEEN)
    data = {
        "site": dict(zip(SITE_EVIDENCE, model.site.tolist(), strict=True)),
        "translation": dict(
            zip(TRANSLATION_EVIDENCE, model.translation.tolist(), strict=True)
        ),
    }
    MODEL.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
