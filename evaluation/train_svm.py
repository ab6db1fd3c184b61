"""Trains the support vector machine of pairing by structure (000, section 3.9).

``python -m evaluation.train_svm`` takes the pages of the given sites, in the form that tells
nothing by URLs, and candidates that meet the bounds of the cascade: right ones by the gold,
and as many wrong ones. It prints what structure alone finds on each site with a machine
trained on the others, and writes ``ilspfc/papers/structure_svm.json`` from all. The same
data give the same machine, to the bit.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from evaluation.data import DATA, PROJECT, SITES, build_sites, read_table, skip_text
from ilspfc.cleaning.page import CleaningReason, clean_page, count_clean_tokens
from ilspfc.pairing.page_content import PairingDocument, make_fingerprint
from ilspfc.papers.ilsp_fc import (
    FEATURES,
    PairingBounds,
    PolynomialSvm,
    assign,
    find_by_images,
    find_by_structure,
    iter_features,
    language_log_ratio,
    read_svm,
)

MODEL = PROJECT / "ilspfc" / "papers" / "structure_svm.json"
PAIRS = ("de-it", "en-it", "en-fr", "el-en", "en-ja", "de-en", "en-ko", "en-tr")
NAMES = (
    "installation-guide",
    "debian-handbook",
    "apache-manual",
    "lilypond",
    "bitcoin",
)
DEGREE = 2
PENALTY = 1.0
# Right candidates of a site's language pair that are learned from, and as many wrong ones.
MAX_RIGHT = 100
_SEED = 0
_BOUNDS = PairingBounds()


@dataclass(frozen=True)
class Case:
    """Two languages of a site; ``keys`` are the same for versions of one page."""

    site: str
    sources: Mapping[str, PairingDocument]
    targets: Mapping[str, PairingDocument]
    keys: Mapping[str, str]
    gold: frozenset[str]
    log_ratio: float

    def label(self, source: str, target: str) -> int:
        """Return 1 for a right pair, 0 for a wrong one, -1 for one that does not count."""
        if self.keys[source] != self.keys[target]:
            return 0
        return 1 if self.keys[source] in self.gold else -1

    def accept(self, source: str, target: str) -> bool:
        """Return whether a pair meets the bounds of the cascade."""
        return _BOUNDS.accept(self.sources[source], self.targets[target])


def read_page(row: tuple[str, str], *, root: Path) -> PairingDocument | None:
    """Return a page as pairing looks at it, by its path and language."""
    path, lang = row
    url = f"http://www.example.org/{path}"
    document = clean_page((root / path).read_bytes(), url=url, identity=path)
    if isinstance(document, CleaningReason):
        return None
    return PairingDocument(
        id=path,
        lang=lang,
        url=url,
        depth=path.count("/") + 1,
        paragraphs=len(document.paragraphs),
        tokens=count_clean_tokens(document.paragraphs),
        fingerprint=make_fingerprint(document.paragraphs),
        images=frozenset(document.images),
    )


def read_cases(site: str) -> Iterator[Case]:
    """Yield the language pairs of a site that have gold."""
    folder = SITES / f"{site}-hard"
    rows = read_table(folder)
    langs = {lang for pair in PAIRS for lang in pair.split("-")}
    wanted = [(row["path"], row["lang"]) for row in rows if row["lang"] in langs]
    read = partial(read_page, root=folder / "www")
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        documents = [d for d in pool.map(read, wanted, chunksize=16) if d is not None]
    keys = {row["path"]: row["key"] for row in rows}
    for pair in PAIRS:
        path = folder / "gold" / f"{pair}.tsv"
        if not path.is_file():
            continue
        found = (line.split("\t")[0] for line in path.read_text("utf-8").splitlines())
        gold = frozenset(keys[page] for page in found if page in keys)
        left, right = (
            {d.id: d for d in documents if d.lang == lang} for lang in pair.split("-")
        )
        if gold and left and right:
            yield Case(site, left, right, keys, gold, _log_ratio(left, right))


def _log_ratio(
    sources: Mapping[str, PairingDocument], targets: Mapping[str, PairingDocument]
) -> float:
    """Return the ratio of the languages as the cascade knows it here: by images."""
    pairs = [
        pair
        for pair in find_by_images(sources, targets, _BOUNDS.min_jaccard)
        if pair.probability >= _BOUNDS.threshold
        and _BOUNDS.accept(sources[pair.source], targets[pair.target])
    ]
    return language_log_ratio(assign(pairs), [*sources.values(), *targets.values()])


def sample(case: Case) -> tuple[list[tuple[float, ...]], list[tuple[float, ...]]]:
    """Return features of right candidates and of as many wrong ones."""
    by_label: dict[int, list[tuple[float, ...]]] = {0: [], 1: [], -1: []}
    for source, target, features in iter_features(
        case.sources, case.targets, log_ratio=case.log_ratio
    ):
        if case.accept(source, target):
            # The same to the bit wherever it is learned.
            rounded = tuple(round(value, 4) for value in features)
            by_label[case.label(source, target)].append(rounded)
    generator = np.random.default_rng(_SEED)
    right = generator.permutation(len(by_label[1]))[:MAX_RIGHT]
    wrong = generator.permutation(len(by_label[0]))[: len(right)]
    return [by_label[1][i] for i in right], [by_label[0][i] for i in wrong]


def train(cases: Iterable[Case]) -> PolynomialSvm:
    """Return the machine of the samples of some cases, as it is stored."""
    from sklearn.svm import SVC  # noqa: PLC0415 - takes a second

    samples = [sample(case) for case in cases]
    right = [features for part, _ in samples for features in part]
    wrong = [features for _, part in samples for features in part]
    labels = [1] * len(right) + [0] * len(wrong)
    fitted = SVC(C=PENALTY, kernel="poly", degree=DEGREE, gamma=1.0, coef0=1.0)
    fitted.fit(np.array(right + wrong), labels)
    machine = PolynomialSvm(
        fitted.support_vectors_,
        fitted.dual_coef_[0],
        float(fitted.intercept_[0]),
        DEGREE,
        gamma=1.0,
        constant=1.0,
    )
    return read_svm(format_svm(machine))


def format_svm(svm: PolynomialSvm) -> str:
    """Return the machine as JSON with six digits, a support vector a line."""
    rows = [
        f"  {json.dumps([_round(x) for x in vector])}"
        for vector in svm.vectors.tolist()
    ]
    head = {
        "features": FEATURES,
        "degree": svm.degree,
        "gamma": _round(svm.gamma),
        "constant": _round(svm.constant),
        "intercept": _round(svm.intercept),
        "coefficients": [_round(x) for x in svm.coefficients.tolist()],
    }
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(head[key])}" for key in head)
    return "{\n" + lines + ',\n "vectors": [\n' + ",\n".join(rows) + "\n ]\n}\n"


def _round(value: float) -> float:
    return float(f"{value:.6g}")


def score(case: Case, machine: PolynomialSvm) -> tuple[float, float, float]:
    """Return precision, recall and F1 of structure alone."""
    claims = find_by_structure(
        case.sources, case.targets, log_ratio=case.log_ratio, svm=machine
    )
    pairs = assign(c for c in claims if case.accept(c.source, c.target))
    labels = [case.label(pair.source, pair.target) for pair in pairs]
    hits, errors = labels.count(1), labels.count(0)
    precision, recall = hits / max(hits + errors, 1), hits / len(case.gold)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def main(arguments: Sequence[str]) -> int:
    """Print the figures on sites left out, then write the machine of all."""
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    names = arguments or NAMES
    build_sites(*(f"{name}-hard" for name in names))
    cases = [case for name in names for case in read_cases(name)]
    for name in names:
        machine = train(case for case in cases if case.site != name)
        scores = [score(case, machine) for case in cases if case.site == name]
        means = " ".join(f"{100 * value:.0f}" for value in np.mean(scores, axis=0))
        print(f"{name}: precision, recall, F1 {means}, language pairs {len(scores)}")
    machine = train(cases)
    MODEL.write_text(format_svm(machine), "utf-8")
    print(f"{len(machine.coefficients)} support vectors, {MODEL.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
