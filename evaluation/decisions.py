"""Scores the decision on pairs after alignment, on sites where pages have no translation.

``python -m evaluation.decisions [SITE …] [--forms FORM,…] [--pairs de-it,…]`` makes the forms of
:mod:`evaluation.article_forms` of sites with gold. Printed for each form and two languages: precision,
recall and F1 of the pairs by the probability of pairing alone, and as decided after
alignment; then the means by form, and how many right and wrong pairs were refused. With
``--fit``, the decision on short pages is fitted to the other sites each time, and the
weights of all sites are printed last.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from evaluation.article_forms import FORMS
from evaluation.data import DATA, skip_text
from evaluation.main_elements import make_settings
from evaluation.pairing_cases import (
    CORPORA,
    LANGUAGE_PAIRS,
    Case,
    read_cases,
    site_folder,
)
from evaluation.pairing_scores import Scores, make_scores
from evaluation.pairing_variants import chance
from evaluation.site_corpora import write_corpus
from ilspfc.alignment.page_units import make_alignment
from ilspfc.corpus.corpus import open_corpus
from ilspfc.decisions import pairs
from ilspfc.decisions.pairs import Figures, decide_pairs
from ilspfc.documents import Document, DocumentPair, PairState
from ilspfc.line.alignment import align_candidates, find_figures
from ilspfc.line.pairing import run_pairing
from ilspfc.text.log_odds import fit_logistic, to_log_odds

# Pages of a site, and its language pairs, that are enough for a figure.
_MAX_KEYS, _MAX_PAIRS = 250, 2
_THRESHOLD = 0.5
_PENALTY = 1.0
_WEIGHTS = ("EXPLAINED_BIAS", "ODDS_WEIGHT", "EXPLAINED_WEIGHT")


@dataclass(frozen=True, slots=True)
class Observed:
    """The candidates of two languages of a site in a form, aligned.

    ``figures`` are by the ids of both documents, ``keys`` by that of one.
    """

    site: str
    form: str
    candidates: Sequence[DocumentPair]
    figures: Mapping[tuple[str, str], Figures]
    keys: Mapping[str, str]
    gold: AbstractSet[str]

    def is_right(self, pair: DocumentPair) -> bool:
        """Test whether a pair is of versions of one page."""
        return bool(key := self.keys[pair.source]) and key == self.keys[pair.target]

    def find(self, wanted: PairState, *, is_aligned: bool) -> list[DocumentPair]:
        """Return the candidates in a state, without or with the figures of alignment."""
        figures = self.figures if is_aligned else {}
        states = decide_pairs(self.candidates, figures, threshold=_THRESHOLD)
        return [pair for pair, state in states.items() if state is wanted]

    def score(self, *, is_aligned: bool) -> Scores:
        """Return the scores of the pairs, without or with the figures of alignment."""
        found = self.find(PairState.PAIR, is_aligned=is_aligned)
        right = {self.keys[pair.source] for pair in found if self.is_right(pair)}
        errors = sum(not self.is_right(pair) for pair in found)
        return make_scores(len(right & self.gold), errors, len(self.gold))


def observe(
    case: Case, documents: Mapping[str, Sequence[Document]], form: str
) -> Observed:
    """Return two languages of a site in a form, paired and aligned."""
    langs = case.iso_langs
    made = FORMS[form]({lang: documents[lang] for lang in langs}, case.key_of)
    keys = {one.id: case.key_of(one.url) for one in chain(*made.values())}
    first, second = ({keys[one.id] for one in made[lang]} for lang in langs)
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "corpus")
        write_corpus(place, chain(*made.values()), langs)
        with open_corpus(place, make_settings()) as corpus:
            run_pairing(corpus)
            candidates = corpus.bitext.candidate_pairs(*langs)
            for pair, pages, beads in align_candidates(corpus, langs):
                key = pair.source, pair.target
                figures[key] = find_figures(make_alignment(*pages, beads))
    gold = case.gold & first & second
    return Observed(case.site, form, candidates, figures, keys, gold)


def fit(observed: Iterable[Observed]) -> dict[str, float]:
    """Return the weights of the decision by probability and words explained."""
    rows, are_right = [], []
    for one in observed:
        for pair in one.candidates:
            share = one.figures[pair.source, pair.target].explained
            if share is not None:
                odds = float(to_log_odds(pair.probability, pairs.LEAST_DOUBT))
                rows.append((odds, share))
                are_right.append(one.is_right(pair))
    weights, bias = fit_logistic(np.array(rows), np.array(are_right), _PENALTY)
    return dict(zip(_WEIGHTS, (bias, *weights.tolist()), strict=True))


def read_documents(case: Case, lang: str) -> list[Document]:
    """Return documents of a site in a language (ISO 639-3) that pairing compares."""
    versions = Counter(case.keys.values())
    share = _MAX_KEYS / sum(number > 1 for number in versions.values())
    place = CORPORA / site_folder(case.site, "hard").name
    with open_corpus(place, make_settings()) as corpus:
        compared = {one.id for one in corpus.index.documents_to_pair()}
        return [
            one
            for one in corpus.documents(lang)
            if one.id in compared
            and (key := case.key_of(one.url))
            and chance("key", key) < share
        ]


def observe_all(
    sites: Iterable[str], forms: Iterable[str], pairs_of_langs: Sequence[str]
) -> Iterator[Observed]:
    """Yield all sites, languages and forms; their figures are printed."""
    for site in sites:
        some = pairs_of_langs or LANGUAGE_PAIRS[site][:_MAX_PAIRS]
        for case in read_cases(site, "hard", "", some):
            documents = {lang: read_documents(case, lang) for lang in case.iso_langs}
            for form in forms:
                found = observe(case, documents, form)
                print(
                    f"{case.name:28} {form:8} {len(found.keys):5} pages,"
                    f" pairing {found.score(is_aligned=False)},"
                    f" decided {found.score(is_aligned=True)}",
                    flush=True,
                )
                yield found


def show_means(title: str, observed: Iterable[tuple[Observed, Scores]]) -> None:
    """Print the means by form over sites and languages."""
    scores: dict[str, list[Scores]] = defaultdict(list)
    for one, score in observed:
        scores[one.form].append(score)
    for form, found in scores.items():
        means = np.mean([(s.precision, s.recall, s.f1) for s in found], axis=0)
        print(
            f"{title:10} {form:8} P {means[0]:.3f} R {means[1]:.3f} F1 {means[2]:.3f}"
        )


def show_refused(observed: Iterable[Observed]) -> None:
    """Print by form how many right and wrong pairs of pairing were refused."""
    right, wrong, pairs = Counter[str](), Counter[str](), Counter[str]()
    for one in observed:
        pairs[one.form] += len(one.find(PairState.PAIR, is_aligned=False))
        for pair in one.find(PairState.NOT_PARALLEL, is_aligned=True):
            (right if one.is_right(pair) else wrong)[one.form] += 1
    for form, number in pairs.items():
        print(
            f"refused    {form:8} {right[form]} right, {wrong[form]} wrong of {number}"
        )


def leave_out(observed: Sequence[Observed]) -> Iterator[tuple[Observed, Scores]]:
    """Yield the scores of each site decided on as the other sites teach."""
    for site in dict.fromkeys(one.site for one in observed):
        vars(pairs).update(fit(one for one in observed if one.site != site))
        for one in observed:
            if one.site == site:
                yield one, one.score(is_aligned=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sites", nargs="*", default=LANGUAGE_PAIRS)
    parser.add_argument("--forms", default=",".join(FORMS), help=", ".join(FORMS))
    parser.add_argument("--pairs", default="", help="of languages, like de-uk,pt-uk")
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args(arguments)
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    langs = [pair for pair in options.pairs.split(",") if pair]
    observed = [*observe_all(options.sites, options.forms.split(","), langs)]
    show_means("pairing", ((one, one.score(is_aligned=False)) for one in observed))
    show_means("decided", ((one, one.score(is_aligned=True)) for one in observed))
    show_refused(observed)
    if options.fit:
        show_means("left out", leave_out(observed))
        print(fit(observed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
