"""Fits the networks of the paragraph model: folds by site, gradients, Adam."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import threadpool_limits

from evaluation.cleaning_sets import FOLDS, fold_of
from ilspfc.cleaning.content.block_model import (
    DISTANCES,
    LEAST_SQUARE,
    Network,
    read_mean_odds,
    scale_features,
)

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from evaluation.cleaning_trees import LabelledPage

    Array = NDArray[np.float32]
    Weights = dict[str, Array]
    Networks = tuple[Network, ...]

# Networks of a model, whose log odds are averaged.
MEMBERS = 2
SIZE = 64
EPOCHS = 12
# Pages of a step.
BATCH = 12
# Of a longer page so many blocks in a row are learned from, others in each epoch.
MAX_BLOCKS = 400
SEED = 1
# Shares of the features of a page, and of the values of a layer, that are hidden.
_HIDDEN_FEATURES = 0.15
_HIDDEN_VALUES = 0.15
# Weight of 1 - F1 by words (Milletari and others 2016) beside the log loss of the blocks.
_F1_WEIGHT = 0.5
# Adam with decoupled decay (Loshchilov and Hutter 2019).
_RATE = 2e-3
_RISE = 0.05  # of the steps, until the whole rate
_MOMENTS = (0.9, 0.99)
_DECAY = 0.01
_LARGEST_NORM = 1.0
_ALL = -1
# Factors of the log odds that are tried.
_SCALES = [step / 100 for step in range(30, 121)]

# What the processes that fit share with the one that started them.
_shared: dict[str, Any] = {}


@dataclass(slots=True)
class _Layer:
    """Values of a layer that its gradients need."""

    scale: Array
    unit: Array
    near: Array
    whole: Array
    highest: NDArray[np.intp]
    seen: Array
    kept: Array


@dataclass(slots=True)
class _Example:
    """Blocks in a row of a page, as a step learns from them."""

    values: Array
    shares: Array
    words: Array
    labels: Array
    known: Array
    layers: list[_Layer] = field(default_factory=list)


def _start(columns: int, random: Generator) -> Weights:
    """Return the weights before training."""
    layers = len(DISTANCES)

    def draw(*shape: int, scale: float = 1.0) -> Array:
        return random.normal(0, scale / np.sqrt(shape[-2]), shape).astype(np.float32)

    def zeros(*shape: int) -> Array:
        return np.zeros(shape, np.float32)

    return {
        "enter": draw(columns, SIZE),
        "enter_bias": zeros(SIZE),
        "gains": np.ones((layers, SIZE), np.float32),
        "around": draw(layers, 3 * SIZE, SIZE),
        "page": draw(layers, 2 * SIZE, SIZE, scale=0.3),
        "bias": zeros(layers, SIZE),
        "leave": draw(layers, SIZE, SIZE, scale=0.3),
        "leave_bias": zeros(layers, SIZE),
        "judge": draw(SIZE, 1, scale=0.1),
        "judge_bias": zeros(1),
    }


def _cut(page: LabelledPage, random: Generator) -> _Example:
    """Return the blocks of a page, or some in a row, with a part of the features hidden."""
    values, shares = scale_features(page.features)
    count = len(values)
    start = int(random.integers(max(count - MAX_BLOCKS, 0) + 1))
    part = slice(start, start + MAX_BLOCKS)
    kept = np.asarray(random.random(values.shape[1]) >= _HIDDEN_FEATURES, np.float32)
    shares = shares[part]
    return _Example(
        values[part] * kept,
        shares / shares.sum(),
        page.features.words[part].astype(np.float32),
        page.labels[part].astype(np.float32),
        page.known[part].astype(np.float32),
    )


def _forward(weights: Weights, example: _Example, random: Generator) -> Array:
    """Return the last values of the blocks, as :meth:`Network.read_odds` finds them."""
    hidden: Array = np.maximum(
        example.values @ weights["enter"] + weights["enter_bias"], 0
    )
    count = len(hidden)
    for number, distance in enumerate(DISTANCES):
        scale = 1 / np.sqrt(
            np.square(hidden).mean(axis=1, keepdims=True) + LEAST_SQUARE
        )
        unit = hidden * scale
        normal = unit * weights["gains"][number]
        padded = np.zeros((count + 2 * distance, SIZE), np.float32)
        padded[distance : distance + count] = normal
        near = np.concatenate([padded[:count], normal, padded[2 * distance :]], axis=1)
        highest = normal.argmax(axis=0)
        whole = np.concatenate([example.shares @ normal, normal.max(axis=0)])
        seen = near @ weights["around"][number]
        seen += whole @ weights["page"][number] + weights["bias"][number]
        kept = (random.random(seen.shape) >= _HIDDEN_VALUES).astype(np.float32)
        kept *= (seen > 0) / np.float32(1 - _HIDDEN_VALUES)
        seen *= kept
        example.layers.append(_Layer(scale, unit, near, whole, highest, seen, kept))
        hidden = (
            hidden + seen @ weights["leave"][number] + weights["leave_bias"][number]
        )
    return hidden


def _slope(odds: Array, example: _Example) -> Array:
    """Return the derivative of an example's loss by the log odds."""
    probabilities = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    labels, words = example.labels, example.words * example.known
    shares = _share(words)
    right = (probabilities * words * labels).sum()
    total = max((words * (probabilities + labels)).sum(), 1e-3)
    by_f1 = 2 * words * (labels * total - right) / total**2
    slope = shares * (probabilities - labels)
    slope -= _F1_WEIGHT * by_f1 * probabilities * (1 - probabilities)
    return np.asarray(slope)


def _learn(
    weights: Weights,
    example: _Example,
    random: Generator,
    slopes: Weights,
    share: float,
) -> None:
    """Add the derivatives of an example's loss to ``slopes``, ``share`` times."""
    hidden = _forward(weights, example, random)
    odds = (hidden @ weights["judge"] + weights["judge_bias"])[:, 0]
    by_odds = (share * _slope(odds, example)).astype(np.float32)[:, None]
    slopes["judge"] += hidden.T @ by_odds
    slopes["judge_bias"] += by_odds.sum()
    slope = by_odds @ weights["judge"].T
    for number in reversed(range(len(DISTANCES))):
        layer, distance = example.layers[number], DISTANCES[number]
        slopes["leave"][number] += layer.seen.T @ slope
        slopes["leave_bias"][number] += slope.sum(axis=0)
        by_seen = (slope @ weights["leave"][number].T) * layer.kept
        by_page = by_seen.sum(axis=0)
        slopes["bias"][number] += by_page
        slopes["page"][number] += np.outer(layer.whole, by_page)
        slopes["around"][number] += layer.near.T @ by_seen
        by_near = by_seen @ weights["around"][number].T
        by_normal = by_near[:, SIZE : 2 * SIZE]
        by_normal[:-distance] += by_near[distance:, :SIZE]
        by_normal[distance:] += by_near[:-distance, 2 * SIZE :]
        by_whole = weights["page"][number] @ by_page
        by_normal += np.outer(example.shares, by_whole[:SIZE])
        by_normal[layer.highest, np.arange(SIZE)] += by_whole[SIZE:]
        slopes["gains"][number] += (by_normal * layer.unit).sum(axis=0)
        by_unit = by_normal * weights["gains"][number]
        inner = (by_unit * layer.unit).mean(axis=1, keepdims=True)
        slope = slope + layer.scale * (by_unit - layer.unit * inner)
    entered = example.values @ weights["enter"] + weights["enter_bias"]
    slope = slope * (entered > 0)
    slopes["enter"] += example.values.T @ slope
    slopes["enter_bias"] += slope.sum(axis=0)


@dataclass(slots=True)
class _Adam:
    weights: Weights
    means: Weights
    squares: Weights
    steps: int = 0

    def step(self, slopes: Weights, rate: float) -> None:
        """Change the weights by the derivatives of a batch."""
        self.steps += 1
        first, second = _MOMENTS
        norm = np.sqrt(sum(float(np.square(slope).sum()) for slope in slopes.values()))
        bound = min(1.0, _LARGEST_NORM / max(norm, 1e-9))
        for name, weight in self.weights.items():
            slope = slopes[name] * np.float32(bound)
            mean, square = self.means[name], self.squares[name]
            mean += (1 - first) * (slope - mean)
            square += (1 - second) * (slope**2 - square)
            change = mean / (1 - first**self.steps)
            change /= np.sqrt(square / (1 - second**self.steps)) + 1e-8
            if "bias" not in name and name != "gains":
                change += _DECAY * weight
            np.subtract(weight, np.float32(rate) * change, out=weight)


def _fit(fold: int, member: int) -> Network:
    """Return a member, fitted to the pages of all folds but one."""
    pages = [page for page in _shared["pages"] if fold_of(page.site) != fold]
    random = np.random.default_rng((SEED, member))
    weights = _start(len(pages[0].features.values) + 1, random)
    blank = {name: np.zeros_like(weight) for name, weight in weights.items()}
    adam = _Adam(weights, blank, {name: zero.copy() for name, zero in blank.items()})
    steps = EPOCHS * -(-len(pages) // BATCH)
    for _ in range(EPOCHS):
        order = random.permutation(len(pages))
        for start in range(0, len(pages), BATCH):
            batch = [pages[place] for place in order[start : start + BATCH]]
            total = sum(page.weight for page in batch)
            slopes = {name: np.zeros_like(weight) for name, weight in weights.items()}
            for page in batch:
                example = _cut(page, random)
                _learn(weights, example, random, slopes, page.weight / total)
            done = (adam.steps + 0.5) / steps
            rise = min(1.0, done / _RISE)
            adam.step(slopes, _RATE * rise * (1 + np.cos(np.pi * done)) / 2)
    return Network(*(weights[one.name] for one in fields(Network)))


def fit_networks(
    pages: Sequence[LabelledPage], processes: int = 2
) -> tuple[Networks, list[Networks], float]:
    """Return the networks of all pages, those without each fold, and the scale of their odds."""
    _shared["pages"] = pages
    context = multiprocessing.get_context("fork")
    with context.Pool(processes, threadpool_limits, (1,)) as pool:  # a core each
        tasks = list(product([_ALL, *range(FOLDS)], range(MEMBERS)))
        fitted = pool.starmap(_fit, tasks, chunksize=1)
    whole, *parts = zip(*[iter(fitted)] * MEMBERS, strict=True)
    return whole, parts, _fit_scale(pages, parts)


def _fit_scale(pages: Sequence[LabelledPage], parts: Sequence[Networks]) -> float:
    """Return the factor of the log odds with the least log loss, by networks of other sites."""
    odds, labels, weights = [], [], []
    for page in pages:
        odds.append(read_mean_odds(parts[fold_of(page.site)], page.features))
        labels.append(page.labels)
        weights.append(page.weight * _share(page.features.words * page.known))
    found, is_content = np.concatenate(odds), np.concatenate(labels)
    losses = {
        scale: np.concatenate(weights)
        @ (np.logaddexp(0, scale * found) - is_content * scale * found)
        for scale in _SCALES
    }
    return min(losses, key=lambda scale: float(losses[scale]))


def _share(words: NDArray[Any]) -> Any:
    """Return the weights of the blocks of a page in its log loss."""
    roots = np.sqrt(words)
    return roots / max(roots.sum(), 1)
