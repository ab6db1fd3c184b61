"""Trains the model of pairing on real sites, and shows what it is worth on sites left out.

``python -m evaluation.train_pairing`` prints the figures of models trained without the site
that they are judged on, and writes ``ilspfc/pairing/model/model.json`` from all of them, with a
calibration by what was found on the sites left out. The same data give the same model, to
the bit.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from evaluation.data import DATA, PROJECT, skip_text
from evaluation.pairing_cases import LANGUAGE_PAIRS, UNSEEN, Case, read_cases
from evaluation.pairing_left_out import judge_left_out, language_pairs, show_left_out
from ilspfc.pairing.combined import judge_sites
from ilspfc.pairing.model.candidate_features import FEATURES, GROUPS
from ilspfc.pairing.model.pair_model import LogisticModel, PairingModel
from ilspfc.pairing.ranking import assign_greedily
from ilspfc.text.log_odds import to_probability

if TYPE_CHECKING:
    import numpy.typing as npt

    from ilspfc.pairing.comparison import Candidates, Comparison
    from ilspfc.text.arrays import FloatArray

    # Features, labels, and what each weighs.
    Weighed = tuple[FloatArray, npt.NDArray[np.int8], FloatArray]

MODEL = PROJECT / "ilspfc" / "pairing" / "model" / "model.json"
LEARNED_FROM = tuple(site for site in LANGUAGE_PAIRS if site not in UNSEEN)
# The forms of a site, and how many of its language pairs are learned from in each. What
# plain forms have beside hard ones, two sites teach.
PLAIN_SITES = frozenset({"installation-guide", "bitcoin"})
FORMS = (
    ("hard", "", 4),
    ("plain", "", 1),
    ("hard", "short", 2),
    ("hard", "noisy", 2),
    ("hard", "brief", 2),
)
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
# What the lexicon makes dispensable: it helps to find the first pairs.
SILENT = ("cognates",)
_PENALTY = 1.0
_CALIBRATION_PENALTY = 100.0
_MIN_CHOSEN = 0.01
_SEED = 20
# A sample weighs as much as any other, whatever its size; a small one less.
_MIN_RIGHT = 20
_SHUFFLED_WEIGHT = 0.3
# Wrong candidates of a case and round that are learned from, and stand for all of them.
_MAX_WRONG = 500


@dataclass(frozen=True, slots=True)
class Sample:
    """The candidates of a round of a case, shape (candidates, …), see ``Case.label``."""

    candidates: Candidates
    features: FloatArray
    labels: npt.NDArray[np.int8]


def fit(samples: Sequence[Sample], silent: Sequence[str] = ()) -> LogisticModel:
    """Return the model of samples; groups of evidence that are silent get no weight."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - takes a second

    heard = ~np.isin(np.array(GROUPS), silent)
    samples = [sample for sample in samples if (sample.labels == 1).any()]
    weighed = [_choose(sample) for sample in samples]
    features, labels, weights = _join([*weighed, *_shuffle(weighed)])
    mean, scale = features.mean(axis=0), np.maximum(features.std(axis=0), 1e-3)
    empty = LogisticModel(mean, scale, np.zeros(len(mean)), 0.0)
    model = LogisticRegression(C=_PENALTY, max_iter=500)
    model.fit(empty.standardize(features) * heard, labels, sample_weight=weights)
    bias = float(model.intercept_[0])
    return _calibrate(LogisticModel(mean, scale, model.coef_[0] * heard, bias), samples)


def _calibrate(model: LogisticModel, samples: Sequence[Sample]) -> LogisticModel:
    """Return the model scaled so that so many of the pairs are right as are probable.

    What has learned from shuffled evidence is too modest where none is shuffled; and a
    candidate that no better one takes its pages from is right more often than others.
    """
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - takes a second

    parts = []
    for sample in samples:
        logits = model.logits(sample.features)
        chosen = assign_greedily(sample.candidates, to_probability(logits), _MIN_CHOSEN)
        chosen = chosen[sample.labels[chosen] >= 0]
        weight = np.full(len(chosen), 1 / max(len(chosen), _MIN_RIGHT))
        parts.append((logits[chosen, None], sample.labels[chosen], weight))
    logits, labels, weights = _join(parts)
    calibration = LogisticRegression(C=_CALIBRATION_PENALTY)
    calibration.fit(logits, labels, sample_weight=weights)
    factor = float(calibration.coef_[0, 0])
    bias = model.bias * factor + float(calibration.intercept_[0])
    return LogisticModel(model.mean, model.scale, model.weights * factor, bias)


def _choose(sample: Sample) -> Weighed:
    """Return all right candidates and some of the wrong ones, which stand for the rest."""
    label = sample.labels
    wrong = np.nonzero(label == 0)[0]
    share = min(_MAX_WRONG / max(len(wrong), 1), 1)
    if share < 1:
        wrong = np.random.default_rng(_SEED).choice(wrong, _MAX_WRONG, replace=False)
    kept = np.sort(np.concatenate([np.nonzero(label == 1)[0], wrong]))
    stands_for = np.where(label[kept] == 1, 1, 1 / share)
    weight = stands_for / max((label == 1).sum(), _MIN_RIGHT)
    return sample.features[kept], label[kept], weight


def _shuffle(samples: Iterable[Weighed]) -> Iterator[Weighed]:
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


def _join(samples: Iterable[Weighed]) -> Weighed:
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
        labels = case.label(comparison, candidates)
        samples.append(Sample(candidates, features.astype(np.float32), labels))

    comparison = case.make()
    judge_sites([comparison], model, case.learner(), rounds=rounds, observe=observe)
    return samples


def train(cases: Iterable[Case], starts: Mapping[str, Sample]) -> PairingModel:
    """Return the model of some cases; ``starts`` are their samples of the first round."""
    some = list(cases)
    start = fit([starts[case.name] for case in some])
    model = PairingModel(start, _nothing())
    full = [observe_rounds(case, model, 1)[1] for case in some]
    model = PairingModel(start, fit(full, SILENT))
    for case in some:
        full += observe_rounds(case, model, 2)[2:]
    return PairingModel(start, fit(full, SILENT))


def format_model(model: PairingModel) -> str:
    """Return the model as JSON, with six digits."""
    data: dict[str, object] = {"features": FEATURES}
    for name in ("start", "full"):
        part: LogisticModel = getattr(model, name)
        data[name] = {
            "mean": [*map(_round, part.mean)],
            "scale": [*map(_round, part.scale)],
            "weights": [*map(_round, part.weights)],
            "bias": _round(part.bias),
        }
    data["calibration"] = {
        name: _round(value) for name, value in asdict(model.calibration).items()
    }
    return json.dumps(data, indent=1) + "\n"


def _round(value: float) -> float:
    return float(f"{value:.6g}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print figures on sites left out, then train on all and write the model."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sites", default=",".join(LEARNED_FROM))
    parser.add_argument(
        "--skip-model", action="store_true", help="only print the figures"
    )
    parser.add_argument(
        "--folds", type=int, help="leave out sites in so many groups, not one by one"
    )
    options = parser.parse_args(arguments)
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    cases, learned = read_all(options.sites.split(","))
    nothing = PairingModel(_nothing(), _nothing())
    starts = {case.name: observe_rounds(case, nothing, 0)[0] for case in learned}
    left_out = judge_left_out(
        cases, learned, partial(train, starts=starts), options.folds
    )
    calibration = show_left_out(left_out)
    if not options.skip_model:
        model = replace(train(learned, starts), calibration=calibration)
        MODEL.write_text(format_model(model), "utf-8")
    return 0


def read_all(sites: Iterable[str]) -> tuple[list[Case], list[Case]]:
    """Return the cases of some sites, and those of them that are learned from."""
    cases, learned = list[Case](), list[Case]()
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
