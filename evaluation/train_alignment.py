"""Trains the models that give beads their score, and shows what they are worth elsewhere.

``python -m evaluation.train_alignment`` learns the model of plain sentences from two sets
with gold links and from pages of real sites that were disturbed (``disturbed lines``), that
of pages from such pages with their paragraphs (``disturbed pages``) and from units of crawls
that were judged by eye (``evaluation.unit_scores``), except those of ``HELD_OUT``. It prints
the figures of models trained without a set, or without the crawls of a site, beside those of
the bare posterior, and writes ``ilspfc/alignment/quality.json`` from all. The same data give
the same models.
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
from ilspfc.alignment.collection import align_texts
from ilspfc.alignment.quality import EVIDENCE, QualityModel, shipped_model
from ilspfc.lexicon.ibm1 import learn_tables

if TYPE_CHECKING:
    import numpy.typing as npt

    from evaluation.alignment import Link
    from ilspfc.alignment.sides import TextPair
    from ilspfc.text.arrays import FloatArray

MODEL = PROJECT / "ilspfc" / "alignment" / "quality.json"
_SEED = 5
_PENALTY = 1.0
# A set weighs as much as so many beads, whatever its size.
_BEADS_OF_A_SET = 500
_DIGITS = 3

HELD_OUT = ("gimp-help", "apache-manual-en-fr", "lilypond-de-it")
"""Sites and crawls whose judged units are in no model."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The evidence of beads, shape (beads, features), and which are right, strict and lax.

    ``posteriors`` are those under the model that found the beads, ``judged`` what is known
    of units judged by eye, ``rows`` those that are rows of alphabetical lists: their scores
    are known from the lists, not from the evidence, and no model learns from them.
    """

    posteriors: FloatArray
    evidence: FloatArray
    strict: npt.NDArray[np.bool_]
    lax: npt.NDArray[np.bool_]
    judged: tuple[Judged, ...] = ()
    rows: tuple[Judged, ...] = ()


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
    """Return the judged units of a crawl."""
    model = shipped_model(is_page=True)
    judged, rows, evidence = [], [], []
    for one in read_judged(name, verdicts):
        values = one.bead.evidence if one.bead else None
        if values is None or one.score < 0.99 * model.score(np.array([values[1:]]))[0]:
            rows.append(one)
        else:
            judged.append(one)
            evidence.append(values)
    array = np.array(evidence)
    return Sample(
        array[:, 0],
        array[:, 1:],
        np.array([one.verdict == "right" for one in judged]),
        np.array([one.verdict != "wrong" for one in judged]),
        tuple(judged),
        tuple(rows),
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
    weights = [np.full(s.strict.size, _BEADS_OF_A_SET / s.strict.size) for s in parts]
    whole = join(parts)
    # Lines have no paragraphs: what is always 0 gets no weight.
    scale = np.maximum(whole.evidence.std(axis=0), 1e-9)
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
    lines = {
        name: read_sample(*read_set(name)[1:], (source[1], target[1]))
        for name, (source, target) in GOLD_SETS.items()
    }
    lines["disturbed lines"] = read_pages(is_guided=False)
    pages = {"disturbed pages": read_pages(is_guided=True)}
    for name, sample in lines.items():
        show_left_out(name, sample, [one for key, one in lines.items() if key != name])
    crawls = {name: read_crawl(name, known) for name, known in read_verdicts().items()}
    learned = {n: one for n, one in crawls.items() if not n.startswith(HELD_OUT)}
    show_left_out("disturbed pages", pages["disturbed pages"], list(learned.values()))
    every: list[Judged] = []
    scores: list[float] = []
    for name, crawl in crawls.items():
        site = name.split("-", maxsplit=1)[0]
        others = [one for key, one in learned.items() if not key.startswith(site)]
        found = fit([*pages.values(), *others]).score(crawl.evidence)
        judged = [*crawl.judged, *crawl.rows]
        values = found.tolist() + [one.score for one in crawl.rows]
        show_judged(f"{name}, site left out", values, judged)
        every += judged
        scores += values
    show_judged("all crawls, sites left out", scores, every)
    pages |= learned
    data = {}
    for kind, samples in (("lines", lines), ("pages", pages)):
        model = fit(samples.values())
        for name, sample in samples.items():
            show(f"{name}, known", model.score(sample.evidence), sample)
        weights = dict(zip(EVIDENCE, model.weights.tolist(), strict=True))
        data[kind] = {**weights, "bias": model.bias}
    text = json.dumps(data, indent=2, sort_keys=True)
    MODEL.write_text(text + "\n", encoding="utf-8")
    return 0


def read_pages(*, is_guided: bool) -> Sample:
    """Return the beads of disturbed pages of all sites, with or without paragraphs."""
    chance = Random(_SEED)
    return join(
        read_sample(
            *read_disturbed(name, pair, langs, chance, is_guided=is_guided), langs
        )
        for name, pair, langs in PAGE_SETS
    )


def show_left_out(name: str, sample: Sample, others: list[Sample]) -> None:
    """Print the figures of the posteriors and of a model trained on the others."""
    opinions = QualityModel(np.eye(len(EVIDENCE))[0], 0.0)
    show(f"{name}, posterior", sample.posteriors, sample)
    show(f"{name}, mean of two posteriors", opinions.score(sample.evidence), sample)
    show(f"{name}, left out", fit(others).score(sample.evidence), sample)


if __name__ == "__main__":
    sys.exit(main())
