"""Scores the list of comparable documents, on sites with reports and with halves of pages.

``python -m evaluation.comparable [SITE …]`` makes two forms of sites with gold
(:mod:`evaluation.article_forms`). *news*: articles and reports on the same, with paragraphs of
pages that are left out. *halves*: pages of which one language has the first half and the other
the second. Printed for each form and two languages: precision, recall and F1 at the threshold
that is best on the other sites, precision of the first 10 and 50, and how many of the
translations that were refused as pairs are listed; then the means, and those at the threshold
of the settings. A report with fewer than five names and numbers of the other text does not
count, nor does a translation.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, product
from pathlib import Path

import numpy as np

from evaluation.article_forms import Documents, KeyOf, halve, report_on, shared_names
from evaluation.data import DATA, skip_text
from evaluation.decisions import read_documents
from evaluation.main_elements import make_settings
from evaluation.pairing_cases import LANGUAGE_PAIRS, Case, read_cases
from evaluation.site_corpora import write_corpus
from ilspfc.corpus.corpus import open_corpus
from ilspfc.documents import Document
from ilspfc.line import run_one, run_stage
from ilspfc.papers.comparable import COMPARABLE
from ilspfc.text.arrays import FloatArray, IntArray

_FORMS: Mapping[str, Callable[[Documents, KeyOf], Documents]] = {
    "news": partial(report_on, donors_apart=1 / 3),
    "halves": halve,
}
_MARKS = ("-report", "-half")
_MAX_PAIRS, _MIN_NAMES = 2, 5
# Labels of two documents: those below 0 do not count.
_RIGHT, _WRONG, _TRANSLATION, _UNCLEAR = 1, 0, -1, -2


@dataclass(frozen=True, slots=True)
class Listed:
    """The list of two languages of a site in a form, the best first, without a threshold.

    ``gold`` is the number of comparable documents, ``refused`` that of translations that
    are no pairs.
    """

    name: str
    site: str
    form: str
    scores: FloatArray
    labels: IntArray
    gold: int
    refused: int

    def score(self, threshold: float) -> tuple[float, float, float]:
        """Return precision, recall and F1."""
        labels = self.labels[self.scores >= threshold]
        hits, errors = int((labels == _RIGHT).sum()), int((labels == _WRONG).sum())
        precision = hits / (hits + errors) if hits + errors else 1.0
        f1 = 2 * hits / max(hits + errors + self.gold, 1)
        return precision, hits / max(self.gold, 1), f1

    def first(self, number: int) -> float:
        """Return the precision of the first ones that count."""
        counted = self.labels[self.labels >= 0][:number]
        return float(counted.mean()) if len(counted) else 0.0

    def measure(self, threshold: float) -> tuple[float, ...]:
        """Return all figures at a threshold; the last is the share of refused translations."""
        translations = self.labels[self.scores >= threshold] == _TRANSLATION
        refused = translations.sum() / max(self.refused, 1)
        return *self.score(threshold), self.first(10), self.first(50), float(refused)


def list_documents(case: Case, form: str, documents: Documents) -> Listed:
    """Return the list of two languages of a site in a form."""
    langs = case.iso_langs
    made = _FORMS[form]({lang: documents[lang] for lang in langs}, case.key_of)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "corpus")
        write_corpus(place, chain(*made.values()), langs)
        settings = make_settings()
        settings.set("CORPUS_STAGES", "ilspfc.papers.comparable.COMPARABLE")
        settings.set("COMPARABLE_THRESHOLD", 0.0)
        with open_corpus(place, settings) as corpus:
            for stage in ("pairing", "alignment"):
                run_stage(stage, corpus)
            run_one(COMPARABLE, corpus)
            sql = (
                "SELECT source, target, score FROM comparable ORDER BY score DESC, 1, 2"
            )
            rows = list(corpus.index.rows(sql))
            pairs = {(e.source.id, e.target.id) for e in corpus.bitext.pairs(*langs)}
    keyed = {
        lang: [(one, case.key_of(_strip_mark(one.url))) for one in some]
        for lang, some in made.items()
    }
    labels = {
        (one.id, other.id): _label(one, other)
        for (one, key), (other, other_key) in product(*(keyed[lang] for lang in langs))
        if key and key == other_key and (one.id, other.id) not in pairs
    }
    values = list(labels.values())
    return Listed(
        f"{case.site} {'-'.join(case.langs)}",
        case.site,
        form,
        np.array([score for *_, score in rows]),
        np.array([labels.get((a, b), _WRONG) for a, b, _ in rows], np.int64),
        values.count(_RIGHT),
        values.count(_TRANSLATION),
    )


def _strip_mark(url: str) -> str:
    for mark in _MARKS:
        url = url.removesuffix(mark)
    return url


def _label(one: Document, other: Document) -> int:
    """Return the label of two documents of a key."""
    if not one.url.endswith(_MARKS) and not other.url.endswith(_MARKS):
        return _TRANSLATION
    if "-half" in one.url or len(shared_names([one, other])) >= _MIN_NAMES:
        return _RIGHT
    return _UNCLEAR


def list_all(sites: Sequence[str]) -> Iterator[Listed]:
    """Yield the lists of all sites, languages and forms."""
    for site in sites:
        for case in read_cases(site, "hard", "", LANGUAGE_PAIRS[site][:_MAX_PAIRS]):
            documents = {lang: read_documents(case, lang) for lang in case.iso_langs}
            for form in _FORMS:
                yield list_documents(case, form, documents)


def choose_threshold(lists: Sequence[Listed]) -> float:
    """Return the threshold of the greatest mean F1."""
    tried = np.quantile(
        np.concatenate([one.scores for one in lists]), np.arange(0.1, 1, 0.005)
    )
    return float(max(tried, key=lambda t: np.mean([one.score(t)[2] for one in lists])))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sites", nargs="*", default=LANGUAGE_PAIRS)
    options = parser.parse_args(arguments)
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    lists = list(list_all(options.sites))
    shipped = make_settings().getfloat("COMPARABLE_THRESHOLD")
    print(f"{'':38}gold   at     P    R   F1 P@10 P@50 refused")
    for form in _FORMS:
        some = [one for one in lists if one.form == form and one.gold]
        figures = []
        for one in some:
            others = [other for other in some if other.site != one.site]
            threshold = choose_threshold(others or some)
            figures.append(one.measure(threshold))
            _show(f"{one.name:29} {form:7} {one.gold:5} {threshold:.2f}", figures[-1])
        _show(f"{'mean, site left out':29} {form}", np.mean(figures, axis=0))
        at = np.mean([one.measure(shipped) for one in some], axis=0)
        _show(f"{f'mean, at {shipped}':29} {form}", at)
        _show(f"best threshold {choose_threshold(some):.2f}", ())
    return 0


def _show(title: str, figures: Sequence[float] | FloatArray) -> None:
    cells = (f"{figure:.2f}".removeprefix("0") for figure in figures)
    print(f"{title:48}", *(f"{cell:>4}" for cell in cells), flush=True)


if __name__ == "__main__":
    sys.exit(main())
