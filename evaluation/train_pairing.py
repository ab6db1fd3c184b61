"""Trains the model of pairing on real sites, and shows what it is worth on sites left out.

``python -m evaluation.train_pairing`` prints the figures of models trained without the site
that they are judged on, and writes ``ilspfc/pairing/model.json`` from all of them. The same
data give the same model, to the bit.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from evaluation.data import DATA, PROJECT, skip_text
from evaluation.pairing_cases import LANGUAGE_PAIRS, Case, read_cases
from evaluation.pairing_left_out import language_pairs, show_left_out
from ilspfc.pairing.combined import pair_sites
from ilspfc.pairing.features import FEATURES, GROUPS
from ilspfc.pairing.model import LogisticModel, PairingModel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy.typing as npt

    from ilspfc.pairing.comparison import Candidates, Comparison
    from ilspfc.pairing.sparse import FloatArray

    # Features, labels (see Case.label), and for how many candidates each stands.
    Sample = tuple[FloatArray, npt.NDArray[np.int8], FloatArray]

MODEL = PROJECT / "ilspfc" / "pairing" / "model.json"
# The forms of a site, and how many of its language pairs are learned from in each. What
# plain forms have beside hard ones, two sites teach.
PLAIN_SITES = frozenset({"installation-guide", "bitcoin"})
FORMS = (("hard", "", 4), ("plain", "", 1), ("hard", "short", 2), ("hard", "noisy", 2))
# All these sites have parallel link trees and clean structure; others have not. So each
# sample is there again with one kind of evidence shuffled, that no kind is trusted alone.
SHUFFLED = (
    ("links",),
    ("links", "anchors", "images"),
    ("links", "anchors", "structure", "length"),
    ("tokens",),
    ("cognates",),
    ("links", "anchors", "tokens", "cognates"),
    ("lexicon",),
    ("lexicon", "cognates"),
    ("structure", "length"),
    ("versions", "urls"),
    ("versions", "urls", "url_patterns"),
)
_PENALTY = 1.0
_CALIBRATION_PENALTY = 100.0
_SEED = 20
# A sample weighs as much as any other, whatever its size; a small one less.
_MIN_RIGHT = 20
_SHUFFLED_WEIGHT = 0.3
# Wrong candidates of a case and round that are learned from, and stand for all of them.
_MAX_WRONG = 500


def fit(samples: Sequence[Sample]) -> LogisticModel:
    """Return the model of samples."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - takes a second

    weighed = [
        (features, label, number / max(label.sum(), _MIN_RIGHT))
        for features, label, number in samples
        if label.any()
    ]
    features, labels, weights = _join([*weighed, *_shuffle(weighed)])
    mean, scale = features.mean(axis=0), np.maximum(features.std(axis=0), 1e-3)
    empty = LogisticModel(mean, scale, np.zeros(len(mean)), 0.0)
    model = LogisticRegression(C=_PENALTY, max_iter=500)
    model.fit(empty.standardize(features), labels, sample_weight=weights)
    # What has learned from shuffled evidence is too modest where none is shuffled.
    features, labels, weights = _join(weighed)
    logits = model.decision_function(empty.standardize(features))
    calibration = LogisticRegression(C=_CALIBRATION_PENALTY)
    calibration.fit(logits[:, None], labels, sample_weight=weights)
    factor = float(calibration.coef_[0, 0])
    bias = float(model.intercept_[0]) * factor + float(calibration.intercept_[0])
    return LogisticModel(mean, scale, model.coef_[0] * factor, bias)


def _shuffle(samples: Iterable[Sample]) -> Iterator[Sample]:
    """Yield each sample anew with one kind of evidence or more from other candidates."""
    generator = np.random.default_rng(_SEED)
    groups = np.array(GROUPS)
    for features, label, weight in samples:
        for names in SHUFFLED:
            columns = np.isin(groups, names)
            copy = features.copy()
            order = generator.permutation(len(features))
            copy[:, columns] = features[order][:, columns]
            yield copy, label, weight * _SHUFFLED_WEIGHT


def _join(samples: Iterable[Sample]) -> Sample:
    """Return all samples as one, with weights of mean 1."""
    features, labels, weights = zip(*samples, strict=True)
    weight = np.concatenate(weights)
    return np.concatenate(features), np.concatenate(labels), weight / weight.mean()


def _nothing() -> LogisticModel:
    zeros = np.zeros(len(FEATURES))
    return LogisticModel(zeros, zeros + 1, zeros, 0.0)


def observe_rounds(case: Case, model: PairingModel, rounds: int) -> list[Sample]:
    """Return features and labels of each round of a case, the first without a lexicon."""
    samples: list[Sample] = []

    def observe(
        number: int,
        comparison: Comparison,
        candidates: Candidates,
        features: FloatArray,
    ) -> None:
        del number
        label = case.label(comparison, candidates)
        kept, stands_for = _choose(label)
        samples.append((features[kept].astype(np.float32), label[kept], stands_for))

    comparison = case.make()
    pair_sites([comparison], model, case.learner(), rounds=rounds, observe=observe)
    return samples


def _choose(label: npt.NDArray[np.int8]) -> tuple[npt.NDArray[np.int64], FloatArray]:
    """Return all right candidates and some of the wrong ones, and what each stands for."""
    wrong = np.nonzero(label == 0)[0]
    share = min(_MAX_WRONG / max(len(wrong), 1), 1)
    if share < 1:
        wrong = np.random.default_rng(_SEED).choice(wrong, _MAX_WRONG, replace=False)
    kept = np.sort(np.concatenate([np.nonzero(label == 1)[0], wrong]))
    return kept, np.where(label[kept] == 1, 1, 1 / share)


def train(cases: Iterable[Case], starts: Mapping[str, Sample]) -> PairingModel:
    """Return the model of some cases; ``starts`` are their samples of the first round."""
    some = list(cases)
    start = fit([starts[case.name] for case in some])
    model = PairingModel(start, _nothing())
    full = [observe_rounds(case, model, 1)[1] for case in some]
    model = PairingModel(start, fit(full))
    for case in some:
        full += observe_rounds(case, model, 2)[2:]
    return PairingModel(start, fit(full))


def format_model(model: PairingModel) -> str:
    """Return the model as JSON, with six digits."""
    data: dict[str, object] = {"features": FEATURES}
    for name in ("start", "full"):
        part: LogisticModel = getattr(model, name)
        data[name] = {
            "mean": _round(part.mean),
            "scale": _round(part.scale),
            "weights": _round(part.weights),
            "bias": float(f"{part.bias:.6g}"),
        }
    return json.dumps(data, indent=1) + "\n"


def _round(values: FloatArray) -> list[float]:
    return [float(f"{value:.6g}") for value in values]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print figures on sites left out, then train on all and write the model."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sites", default=",".join(LANGUAGE_PAIRS))
    parser.add_argument(
        "--skip-figures", action="store_true", help="only write the model"
    )
    parser.add_argument(
        "--skip-model", action="store_true", help="only print the figures"
    )
    options = parser.parse_args(arguments)
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    cases, learned = read_all(options.sites.split(","))
    nothing = PairingModel(_nothing(), _nothing())
    starts = {case.name: observe_rounds(case, nothing, 0)[0] for case in learned}
    if not options.skip_figures:
        show_left_out(cases, learned, partial(train, starts=starts))
    if not options.skip_model:
        MODEL.write_text(format_model(train(learned, starts)), "utf-8")
    return 0


def read_all(sites: Iterable[str]) -> tuple[list[Case], list[Case]]:
    """Return the cases of some sites, and those of them that are learned from."""
    cases: list[Case] = []
    learned: list[Case] = []
    for site in sites:
        for form, variant, number in FORMS:
            if form == "plain" and site not in PLAIN_SITES:
                continue
            found = list(read_cases(site, form, variant, language_pairs(site)))
            cases += found
            learned += found[:number]
    return cases, learned


if __name__ == "__main__":
    sys.exit(main())
