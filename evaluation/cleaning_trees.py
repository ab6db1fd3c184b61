"""Fits the trees of the paragraph model: draws, weights, trees as arrays."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from evaluation.cleaning_sets import FOLDS, fold_of
from ilspfc.cleaning.content.block_model import DEPTH, LEAF_UNIT, Trees

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ilspfc.cleaning.content.block_features import PageFeatures

# Models whose log odds are averaged: each has a draw of pages and blocks of its own.
MEMBERS = 3
# Of a page with more blocks so many are drawn.
MAX_BLOCKS = 160
SEED = 1
_FIT = {
    "max_iter": 100,
    "learning_rate": 0.1,
    "max_depth": DEPTH,
    "max_leaf_nodes": None,
    "min_samples_leaf": 30,
    "l2_regularization": 1.0,
    "early_stopping": False,
    "random_state": SEED,
}
_NEVER = 255
_ALL = -1

# What the processes that fit share with the one that started them.
_shared: dict[str, Any] = {}


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page's features, with which of its blocks are content, and of which that is known.

    ``weight`` is that of the page in training.
    """

    site: str
    features: PageFeatures
    labels: NDArray[np.bool_]
    known: NDArray[np.bool_]
    weight: float = 1.0


def _sample(
    pages: Sequence[LabelledPage], member: int
) -> tuple[NDArray[np.intp], NDArray[Any]]:
    """Return which blocks a member of the models learns from, and the weight of each.

    The blocks of a page share its weight by the roots of their words. A page counts as often
    as it is in a draw with replacement.
    """
    random = np.random.default_rng(SEED + member)
    times = random.poisson(1, len(pages))
    chosen, weights, start = [], [], 0
    for page, often in zip(pages, times, strict=True):
        places = np.flatnonzero(page.known & (often > 0))
        if len(places) > MAX_BLOCKS:
            places = np.sort(random.choice(places, MAX_BLOCKS, replace=False))
        roots = np.sqrt(page.features.words[places])
        chosen.append(places + start)
        weights.append(often * page.weight * roots / max(roots.sum(), 1))
        start += len(page.labels)
    return np.concatenate(chosen), np.concatenate(weights)


def _to_trees(model: Any) -> Trees:
    """Return the trees of a fitted HistGradientBoostingClassifier as arrays."""
    predictors = [tree for (tree,) in model._predictors]  # noqa: SLF001
    shape = (2**DEPTH - 1, len(predictors))
    features, thresholds = np.zeros(shape, np.intp), np.full(shape, _NEVER, np.uint8)
    leaves = np.zeros((len(predictors), 2**DEPTH), np.int32)
    for number, predictor in enumerate(predictors):
        waiting = [(0, 0, 0)]  # node, level, place among the nodes of its level
        while waiting:
            place, level, at = waiting.pop()
            node = predictor.nodes[place]
            if node["is_leaf"]:
                width = 2 ** (DEPTH - level)
                value = round(float(node["value"]) / LEAF_UNIT)
                leaves[number, at * width : (at + 1) * width] = value
                continue
            features[2**level - 1 + at, number] = node["feature_idx"]
            thresholds[2**level - 1 + at, number] = int(node["num_threshold"])
            waiting.append((int(node["left"]), level + 1, 2 * at))
            waiting.append((int(node["right"]), level + 1, 2 * at + 1))
    base = float(model._baseline_prediction.item())  # noqa: SLF001
    return Trees(features, thresholds, leaves, base)


def _fit(task: tuple[int, int]) -> Trees:
    """Return the trees of a member, fitted to all folds but one."""
    os.environ["OMP_NUM_THREADS"] = "1"
    from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415

    fold, member = task
    (places, weights), folds = _shared["samples"][member], _shared["folds"]
    use = folds[places] != fold
    rows = _shared["values"][:, places[use]].T
    model = HistGradientBoostingClassifier(**_FIT)
    model.fit(rows, _shared["labels"][places[use]], sample_weight=weights[use])
    return _to_trees(model)


def _average(members: Sequence[Trees]) -> Trees:
    """Return trees whose log odds are the mean of those of some models."""
    return Trees(
        np.concatenate([one.features for one in members], axis=1),
        np.concatenate([one.thresholds for one in members], axis=1),
        np.concatenate(
            [np.round(one.leaves / len(members)).astype(np.int32) for one in members]
        ),
        float(np.mean([one.base for one in members])),
    )


def fit_trees(
    pages: Sequence[LabelledPage], processes: int = 2
) -> tuple[Trees, list[Trees]]:
    """Return the trees of all pages, and those without each fold of the sites."""
    folds = [fold_of(page.site) for page in pages]
    _shared.update(
        values=np.concatenate([page.features.values for page in pages], axis=1),
        labels=np.concatenate([page.labels for page in pages]),
        folds=np.repeat(folds, [len(page.labels) for page in pages]),
        samples=[_sample(pages, member) for member in range(MEMBERS)],
    )
    with multiprocessing.get_context("fork").Pool(processes) as pool:
        tasks = list(product([_ALL, *range(FOLDS)], range(MEMBERS)))
        fitted = pool.map(_fit, tasks, chunksize=1)
    whole, *parts = (
        _average(members) for members in zip(*[iter(fitted)] * MEMBERS, strict=True)
    )
    return whole, parts
