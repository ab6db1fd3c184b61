"""How the stages of the paragraph model are fitted: folds by site, weights, trees as arrays."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from ilspfc.cleaning.content.block_model import (
    DEPTH,
    LEAF_UNIT,
    ParagraphModel,
    Trees,
    read_stage_features,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ilspfc.cleaning.content.block_features import PageFeatures

FOLDS = 3
STAGES = 2
# Models of a stage, whose log odds are averaged: each has a draw of pages and blocks of its own.
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


def fold_of(site: str) -> int:
    """Return the fold that all pages of a site are in."""
    return int.from_bytes(blake2b(site.encode(), digest_size=4).digest()) % FOLDS


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


def _iter_parts(
    pages: Sequence[LabelledPage], flat: NDArray[Any]
) -> Iterator[NDArray[Any]]:
    start = 0
    for page in pages:
        yield flat[start : start + len(page.labels)]
        start += len(page.labels)


def fit_stages(
    pages: Sequence[LabelledPage], processes: int = 2
) -> tuple[ParagraphModel, list[ParagraphModel], list[NDArray[np.float64]]]:
    """Return the model of all pages, those without each fold, and out-of-fold probabilities.

    A stage after the first learns from probabilities that models without the page's fold
    gave. Its own models without a fold saw them made by models with it: of the gold of a
    page left out they know no more than that.
    """
    values = np.concatenate([page.features.values for page in pages], axis=1)
    samples = [_sample(pages, member) for member in range(MEMBERS)]
    folds = np.repeat(
        [fold_of(page.site) for page in pages], [len(page.labels) for page in pages]
    )
    labels = np.concatenate([page.labels for page in pages])
    _shared.update(samples=samples, folds=folds, labels=labels)
    chains: list[list[Trees]] = [[] for _ in range(FOLDS + 1)]
    unseen = np.zeros(len(labels))
    for stage in range(STAGES):
        _shared["values"] = values
        if stage:
            context = [
                read_stage_features(
                    part, page.features.words, page.features.surroundings
                )
                for part, page in zip(_iter_parts(pages, unseen), pages, strict=True)
            ]
            _shared["values"] = np.concatenate(
                [values, np.concatenate(context, axis=1)]
            )
        with multiprocessing.get_context("fork").Pool(processes) as pool:
            tasks = list(product([*range(FOLDS), _ALL], range(MEMBERS)))
            fitted = pool.map(_fit, tasks, chunksize=1)
        unseen = np.zeros(len(labels))
        for fold, members in enumerate(zip(*[iter(fitted)] * MEMBERS, strict=True)):
            trees = _average(members)
            chains[fold].append(trees)
            if fold < FOLDS:
                unseen[folds == fold] = trees.predict(
                    _shared["values"][:, folds == fold]
                )
    columns = len(values)
    *parts, whole = (ParagraphModel(tuple(chain), columns) for chain in chains)
    return whole, parts, list(_iter_parts(pages, unseen))
