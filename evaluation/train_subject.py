"""Fits the decision on the subject of documents, on sites that it is not judged by.

``python -m evaluation.train_subject`` takes sections of real manuals for subjects (pages under a
path), gets terms for each from half of its pages by their keyness, and asks of the pages that
the bilingual bounds keep: is it of the section? Definitions are of several kinds, from the most
telling terms to random ones; the other pages are all of the language, those of the site, as many
as the section's, or few. The weights printed are those of ``ilspfc.decisions.subject``; for each
site left out follow precision and recall by bound. The default bound is the largest tenth that
keeps nine in ten of the pages of the subject on sites left out.
"""

from __future__ import annotations

import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sklearn.linear_model import LogisticRegression

from evaluation.classification import iter_links, read_labeled_document
from evaluation.data import SITES, build_sites, read_table, skip_text
from ilspfc.bootstrap.keyness import extract_terms
from ilspfc.classification.definition import Term
from ilspfc.classification.relevance import RelevanceScorer, Thresholds
from ilspfc.classification.terms import StemmingTokenizer, TermMatcher
from ilspfc.decisions.subject import neighbor_evidence, term_evidence
from ilspfc.text.codes import to_iso639_3

if TYPE_CHECKING:
    from ilspfc.documents import Document
    from ilspfc.text.arrays import FloatArray

SITE_LANGS = {
    "apache-manual": ("en", "fr", "de"),
    "office-help": ("en", "it"),
    "bitcoin": ("en", "de", "fr", "it"),
}
LANGS = ("eng", "deu", "fra", "ita")
# Paths of the pages of a subject, and of pages near it, which are left out.
SUBJECTS = {
    "apache-manual": (
        (r"/rewrite/|mod_rewrite", r"mod_alias|urlmapping|mod_proxy"),
        (
            r"/ssl/|howto/(auth|access)|mod_(auth|ssl)|security_tips",
            r"mod_(session|access|remoteip|md)|suexec",
        ),
        (r"/programs/", r"install|stopping|invoking"),
        (r"/developer/", r"$^"),
        (r"/vhosts/", r"mod_vhost|urlmapping|core\.html"),
    ),
    "office-help": tuple((f"/{part}/", r"$^") for part in ("scalc", "sbasic", "smath")),
    "bitcoin": ((r".", r"$^"),),
}
# Terms of a definition, and the most telling ones that they are drawn from.
DEFINITIONS = ((37, 37), (37, 150), (37, 400), (15, 150))
MIXES = ("all", "site", "half", "few")
BOUNDS = tuple(tenth / 10 for tenth in range(1, 10))
WEIGHT = 100.0
RULE = Thresholds(relevance=WEIGHT, terms=1, density=2 * WEIGHT)
_MIN_PAGES = 6


@dataclass
class SitePage:
    """A page in its language, with the site that it is of."""

    site: str
    path: str
    document: Document


@dataclass
class Sample:
    """Pages kept by the bounds: evidence of terms and neighbors, and whether on the subject."""

    site: str
    rows: FloatArray
    truth: FloatArray


def read_page(row: dict[str, str]) -> SitePage | None:
    """Return a page, None where it is not in the language that the site says."""
    document = read_labeled_document(row, LANGS)
    if document is None:
        return None
    return SitePage(row["site"], row["path"], document)


def read_pages() -> list[SitePage]:
    """Return the pages of all sites."""
    rows = []
    for site, langs in SITE_LANGS.items():
        rows += [
            {**row, "site": site}
            for row in read_table(SITES / site)
            if row["lang"] in langs and row["status"] != "untranslated"
        ]
    with ProcessPoolExecutor(2) as pool:
        return [page for page in pool.map(read_page, rows, chunksize=50) if page]


def _text_of(page: SitePage) -> str:
    return "\n".join(one.text for one in page.document.clean_paragraphs)


def iter_samples(pages: Sequence[SitePage]) -> Iterator[Sample]:
    """Yield the samples of all subjects in all languages, definitions and mixes."""
    chance = random.Random(1)
    for site, subjects in SUBJECTS.items():
        for lang in map(to_iso639_3, SITE_LANGS[site]):
            own = [page for page in pages if page.document.lang == lang]
            for inside, near in subjects:
                labels = [_label(page, site, inside, near) for page in own]
                if sum(label == 1 for label in labels) >= _MIN_PAGES:
                    yield from _iter_subject(site, lang, own, labels, chance)


def _label(page: SitePage, site: str, inside: str, near: str) -> float:
    """Return 1 for a page of a subject, 0 for another one, NaN for one near it."""
    if page.site != site:
        return 0.0
    if re.search(inside, page.path):
        return 1.0
    return np.nan if re.search(near, page.path) else 0.0


def _iter_subject(
    site: str,
    lang: str,
    pages: Sequence[SitePage],
    labels: Sequence[float],
    chance: random.Random,
) -> Iterator[Sample]:
    """Yield the samples of one subject in one language."""
    inside = [place for place, label in enumerate(labels) if label == 1]
    others = [place for place, label in enumerate(labels) if label == 0]
    taught = set(chance.sample(inside, max(3, min(len(inside) // 2, 20))))
    tokenizer = StemmingTokenizer(lang)
    terms = extract_terms(
        (_text_of(pages[place]) for place in sorted(taught)),
        (_text_of(pages[n]) for n in chance.sample(others, min(200, len(others)))),
        tokenizer.stem,
        max(top for _, top in DEFINITIONS),
    )
    for number, top in DEFINITIONS:
        drawn = chance.sample(terms[:top], min(number, len(terms[:top])))
        chosen = tuple(Term(WEIGHT, term.text, (), lang) for term in drawn)
        scorer = RelevanceScorer({lang: TermMatcher(chosen, tokenizer)})
        for page in pages:
            scorer.score(page.document)
        for mix in MIXES:
            places = set(range(len(pages)))
            if mix == "site":
                places = {place for place in places if pages[place].site == site}
            elif mix in {"half", "few"}:
                size = len(inside) // (1 if mix == "half" else 6) or 2
                places = {*inside, *chance.sample(others, min(size, len(others)))}
            yield _sample(site, pages, labels, sorted(places), taught)


def _sample(
    site: str,
    pages: Sequence[SitePage],
    labels: Sequence[float],
    places: Sequence[int],
    taught: set[int],
) -> Sample:
    """Return the evidence of the pages at some places that the bounds keep.

    Pages that a definition was made of are neighbors, and no examples.
    """
    documents = [pages[place].document for place in places]
    accepted = np.array([RULE.accept(document) for document in documents], bool)
    relevance = np.array([document.relevance for document in documents])
    tokens = np.array([document.tokens for document in documents], float)
    values = np.where(accepted, term_evidence(relevance, tokens, WEIGHT), 0.0)
    numbers = {document.id: number for number, document in enumerate(documents)}
    neighbors = neighbor_evidence(values, iter_links(documents, accepted, numbers))
    truth = np.array([np.nan if place in taught else labels[place] for place in places])
    kept = accepted & ~np.isnan(truth)
    return Sample(site, np.stack([values, neighbors], 1)[kept], truth[kept])


def fit(samples: Sequence[Sample]) -> LogisticRegression:
    """Return the regression on samples, each with the same weight."""
    rows = np.concatenate([sample.rows for sample in samples])
    truth = np.concatenate([sample.truth for sample in samples])
    weights = np.concatenate(
        [np.full(len(sample.truth), 100 / len(sample.truth)) for sample in samples]
    )
    return LogisticRegression(C=1.0).fit(rows, truth, sample_weight=weights)


def main() -> int:
    """Fit on all sites, print the weights and the figures of each site left out."""
    if not (SITES / "bitcoin").is_dir():
        print(skip_text())
        return 0
    build_sites(*SITE_LANGS)
    found = [
        one
        for one in iter_samples(read_pages())
        if one.truth.sum() and len(one.truth) > 4
    ]
    model = fit(found)
    (weights,) = model.coef_
    print(
        f"terms {weights[0]:.2f}, neighbors {weights[1]:.2f}, intercept {model.intercept_[0]:.2f}"
    )
    figures: dict[tuple[str, float], list[tuple[float, float]]] = defaultdict(list)
    for site in SITE_LANGS:
        rest = fit([sample for sample in found if sample.site != site])
        for sample in (one for one in found if one.site == site):
            probabilities = rest.predict_proba(sample.rows)[:, 1]
            for bound in BOUNDS:
                kept = probabilities >= bound
                right = sample.truth[kept].sum()
                shares = right / max(kept.sum(), 1), right / sample.truth.sum()
                figures[site, bound].append(shares)
                figures["mean", bound].append(shares)
    print("left out", *BOUNDS, sep="\t")
    for site in (*SITE_LANGS, "mean"):
        cells = (np.mean(figures[site, bound], axis=0) for bound in BOUNDS)
        print(site, *(f"{p:.2f}/{r:.2f}" for p, r in cells), sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main())
