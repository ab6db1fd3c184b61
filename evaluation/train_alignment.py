"""Trains the model that gives beads their score, and shows what it is worth elsewhere.

``python -m evaluation.train_alignment`` learns from two sets with gold links, from pages of
real sites that were disturbed, once as plain sentences and once with their paragraphs, and
from units of crawls that were judged by eye (``evaluation.unit_scores``), except those of
``HELD_OUT``. It prints the figures of models trained without a set, or without the crawls of
a site, beside those of the bare posterior, and writes ``ilspfc/alignment/quality.json`` from
all. The same data give the same model.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from evaluation.alignment import SETS as GOLD_SETS
from evaluation.alignment import calibrate, rank, read_set
from evaluation.alignment_disturbed import read_disturbed
from evaluation.data import DATA, PROJECT, build_sites, skip_text
from evaluation.lexicon import SETS as PAGE_SETS
from evaluation.unit_scores import Judged, read_judged, read_verdicts
from evaluation.unit_scores import show as show_judged
from ilspfc.alignment import align_texts
from ilspfc.alignment.quality import EVIDENCE, QualityModel, shipped_model
from ilspfc.lexicon.ibm1 import learn_tables

if TYPE_CHECKING:
    import numpy.typing as npt

    from evaluation.alignment import Link
    from ilspfc.alignment import TextPair
    from ilspfc.text.arrays import FloatArray

MODEL = PROJECT / "ilspfc" / "alignment" / "quality.json"
_SEED = 5
_PENALTY = 1.0
# A set weighs as much as so many beads, whatever its size; the crawls together as three.
_BEADS_OF_A_SET = 500
_BEADS_OF_A_CRAWL = 300
_DIGITS = 3

HELD_OUT = ("gimp-help",)
"""Sites whose judged units are in no model."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The evidence of beads, shape (beads, features), and which are right, strict and lax.

    ``posteriors`` are those under the model that found the beads. ``weight`` is the number
    of beads that the sample counts for, ``judged`` what is known of units judged by eye.
    """

    posteriors: FloatArray
    evidence: FloatArray
    strict: npt.NDArray[np.bool_]
    lax: npt.NDArray[np.bool_]
    weight: float = _BEADS_OF_A_SET
    judged: tuple[Judged, ...] = ()


def read_sample(
    texts: list[TextPair], links: list[list[Link]], langs: tuple[str, str]
) -> Sample:
    """Align texts and return the beads with both sides."""
    rows, strict, lax = [], [], []
    found = align_texts(texts, langs, learn_tables)
    for known, beads in zip(links, found, strict=True):
        exact = set(known)
        for bead in beads:
            if bead.evidence:
                left, right = frozenset(bead.source), frozenset(bead.target)
                rows.append(bead.evidence)
                strict.append((left, right) in exact)
                lax.append(any(s & left and t & right for s, t in known))
    evidence = np.array(rows)
    return Sample(evidence[:, 0], evidence[:, 1:], np.array(strict), np.array(lax))


def read_crawl(name: str, verdicts: dict[str, tuple[float, str]]) -> Sample:
    """Return the judged units of a crawl, without rows of alphabetical lists.

    What is known of these is known from the list, not from the evidence.
    """
    model = shipped_model()
    judged, rows = [], []
    for one in read_judged(name, verdicts):
        evidence = one.bead.evidence if one.bead else None
        if evidence and one.score > 0.99 * model.score(np.array([evidence[1:]]))[0]:
            judged.append(one)
            rows.append(evidence)
    values = np.array(rows)
    return Sample(
        values[:, 0],
        values[:, 1:],
        np.array([one.verdict == "right" for one in judged]),
        np.array([one.verdict != "wrong" for one in judged]),
        _BEADS_OF_A_CRAWL,
        tuple(judged),
    )


def join(samples: Iterable[Sample]) -> Sample:
    """Return samples as one."""
    parts = list(samples)
    return Sample(
        np.concatenate([part.posteriors for part in parts]),
        np.concatenate([part.evidence for part in parts]),
        np.concatenate([part.strict for part in parts]),
        np.concatenate([part.lax for part in parts]),
    )


def fit(samples: Iterable[Sample]) -> QualityModel:
    """Return the model of samples, each of which weighs the same."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - takes a second

    parts = list(samples)
    weights = [np.full(s.strict.size, s.weight / s.strict.size) for s in parts]
    whole = join(parts)
    scale = whole.evidence.std(axis=0)
    model = LogisticRegression(C=_PENALTY, max_iter=2000)
    model.fit(whole.evidence / scale, whole.strict, np.concatenate(weights))
    found = np.round(model.coef_[0] / scale, _DIGITS)
    return QualityModel(found, round(float(model.intercept_[0]), _DIGITS))


def show(name: str, scores: FloatArray, sample: Sample) -> None:
    """Print how well scores tell the wrong beads of a sample, and how calibrated they are."""
    strict, best = rank(scores.tolist(), sample.strict.tolist())
    lax, _ = rank(scores.tolist(), sample.lax.tolist())
    table = calibrate(scores.tolist(), sample.strict.tolist())
    print(
        f"{name}: AUC strict {strict:.3f}, lax {lax:.3f}, best nine tenths {best:.3f},"
        f" mean {scores.mean():.3f}, right {sample.strict.mean():.3f};"
        f" {', '.join(table)}",
        flush=True,
    )


def main() -> int:
    """Print the figures of sets left out, and write the model."""
    if not (DATA / "data" / "alignment").is_dir() or not (DATA / "sites").is_dir():
        print(skip_text())
        return 0
    build_sites(*dict.fromkeys(name for name, *_ in PAGE_SETS))
    samples = {
        name: read_sample(*read_set(name)[1:], (source[1], target[1]))
        for name, (source, target) in GOLD_SETS.items()
    }
    for kind, is_guided in (("plain", False), ("guided", True)):
        chance = Random(_SEED)
        samples[f"disturbed pages, {kind}"] = join(
            read_sample(
                *read_disturbed(name, pair, langs, chance, is_guided=is_guided), langs
            )
            for name, pair, langs in PAGE_SETS
        )
    crawls = {name: read_crawl(name, known) for name, known in read_verdicts().items()}
    is_held = {name: name.startswith(HELD_OUT) for name in crawls}
    learned = {name: crawl for name, crawl in crawls.items() if not is_held[name]}
    opinions = QualityModel(np.eye(len(EVIDENCE))[0], 0.0)
    for name, sample in samples.items():
        others = [other for key, other in samples.items() if key[:9] != name[:9]]
        show(f"{name}, posterior", sample.posteriors, sample)
        show(f"{name}, mean of two posteriors", opinions.score(sample.evidence), sample)
        without = fit([*others, *learned.values()])
        show(f"{name}, left out", without.score(sample.evidence), sample)
    every: list[Judged] = []
    scores: list[float] = []
    for name, crawl in crawls.items():
        site = name.split("-", maxsplit=1)[0]
        others = [one for key, one in learned.items() if not key.startswith(site)]
        found = fit([*samples.values(), *others]).score(crawl.evidence)
        show_judged(f"{name}, site left out", found.tolist(), crawl.judged)
        every += crawl.judged
        scores += found.tolist()
    show_judged("all crawls, sites left out", scores, every)
    samples |= learned
    model = fit(samples.values())
    for name, sample in samples.items():
        show(f"{name}, known", model.score(sample.evidence), sample)
    data = dict(zip(EVIDENCE, model.weights.tolist(), strict=True))
    text = json.dumps({**data, "bias": model.bias}, indent=2, sort_keys=True)
    MODEL.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
