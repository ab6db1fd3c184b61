"""Learned model of the probability of blocks to be content.

The mean of the log odds of boosted trees, which judge a block by its features alone, and of
convolutional networks over the blocks of a page in their order (dilated convolutions as in Yu
and Koltun 2016, residual layers). The model that ships was trained by
``python -m evaluation.train_cleaning`` on the sets that NOTICE names.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from typing import IO, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ilspfc.cleaning.content.block_features import STEPS, PageFeatures
from ilspfc.text.log_odds import to_probability

if TYPE_CHECKING:
    from collections.abc import Sequence

    Array = NDArray[np.float32]

DEPTH = 6
LEAF_UNIT = 2.0**-16
"""What a leaf of 1 adds to the log odds."""
# Blocks at once: the bits of a number.
_CHUNK = 64


@dataclass(frozen=True, slots=True)
class Trees:
    """An ensemble of trees.

    ``features`` and ``thresholds`` have the shape (questions, trees), the questions of a
    tree level by level: question q is followed by 2q + 1 where the feature is at most the
    threshold, else by 2q + 2. ``leaves`` has the shape (trees, leaves), in units of
    ``LEAF_UNIT``; ``base`` is the log odds that they add to.
    """

    features: NDArray[np.intp]
    thresholds: NDArray[np.uint8]
    leaves: NDArray[np.int32]
    base: float

    _asked: NDArray[np.intp] = field(init=False, repr=False, compare=False)
    _bounds: NDArray[np.uint8] = field(init=False, repr=False, compare=False)
    _places: NDArray[np.intp] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Find the distinct questions: half of all occur in several trees."""
        steps = np.iinfo(np.uint8).max + 1
        questions = self.features.astype(np.intp) * steps + self.thresholds
        distinct, places = np.unique(questions, return_inverse=True)
        object.__setattr__(self, "_asked", distinct // steps)
        # One column a block of a chunk: numpy compares whole arrays at a third of the cost.
        bounds = (distinct % steps).astype(np.uint8)
        object.__setattr__(self, "_bounds", np.repeat(bounds[:, None], _CHUNK, axis=1))
        object.__setattr__(self, "_places", places.reshape(questions.shape))

    def read_odds(self, values: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the log odds of blocks whose features stand in columns."""
        count = values.shape[1]
        some = np.zeros((len(values), _CHUNK), np.uint8)
        answers = np.empty((len(self._asked), _CHUNK), np.uint8)
        odds = np.full(count, self.base)
        for start in range(0, count, _CHUNK):
            part = values[:, start : start + _CHUNK]
            width = part.shape[1]
            some[:, :width] = part
            sums = self._sum_leaves(some, answers)[:width]
            odds[start : start + width] += sums * LEAF_UNIT
        return odds

    def _sum_leaves(
        self, values: NDArray[np.uint8], answers: NDArray[np.uint8]
    ) -> NDArray[np.int64]:
        """Return the sums of the leaves of a chunk; ``answers`` is written over."""
        np.take(values, self._asked, axis=0, out=answers, mode="clip")
        np.greater(answers, self._bounds, out=answers.view(bool))
        # The answers of a chunk to a question are the bits of one number.
        distinct = np.packbits(answers.reshape(-1)).view(np.uint64)
        bits = distinct[self._places]
        chosen: list[NDArray[np.uint64]] = []
        for level in range(DEPTH):
            asked = bits[2**level - 1 : 2 ** (level + 1) - 1]
            for answer in chosen:
                half = len(asked) // 2
                left, right = asked[:half], asked[half:]
                asked = left ^ ((left ^ right) & answer)
            chosen.append(asked[0])
        went_right = np.unpackbits(np.array(chosen).view(np.uint8))
        ways, *further = went_right.reshape(DEPTH, len(self.leaves), _CHUNK)
        for step in further:
            ways += ways
            ways |= step
        first_leaves = np.arange(0, self.leaves.size, 2**DEPTH, dtype=np.int32)
        leaves = self.leaves.ravel().take(ways + first_leaves[:, None])
        return np.asarray(leaves.sum(axis=0, dtype=np.int64))


DISTANCES = (1, 2, 4, 8, 16)
"""Distances of the blocks before and behind that each layer sees."""
WORDS_SCALE = 5.0
"""Divisor of the logarithm of the words of a block, the last feature."""
LEAST_SQUARE = 1e-5
"""Added to the mean square that a block's values are divided by."""
# OpenBLAS shares larger products among threads, which wait busily for one another: twice the
# CPU on two cores.
_MOST_OF_THREAD = 1 << 18


def _multiply(rows: Array, weights: Array) -> Array:
    """Return a matrix product that is computed by the calling thread alone."""
    features, size = weights.shape
    step = _MOST_OF_THREAD // weights.size
    whole = len(rows) // step * step
    product = np.empty((len(rows), size), np.float32)
    stacked = product[:whole].reshape(-1, step, size)
    np.matmul(rows[:whole].reshape(-1, step, features), weights, out=stacked)
    np.matmul(rows[whole:], weights, out=product[whole:])
    return product


@dataclass(frozen=True, slots=True)
class Network:
    """The weights of one network of ``size`` values a block.

    Shapes: ``enter`` (features, size); ``gains`` (layers, size); ``around`` (layers, 3 size,
    size) of the block before, the block itself and the block behind; ``page`` (layers, 2 size,
    size) of the mean and the maximum over the page; ``leave`` (layers, size, size); ``judge``
    (size, 1). The others are added.
    """

    enter: Array
    enter_bias: Array
    gains: Array
    around: Array
    page: Array
    bias: Array
    leave: Array
    leave_bias: Array
    judge: Array
    judge_bias: Array

    def read_odds(self, values: Array, shares: Array) -> Array:
        """Return the log odds of blocks, one row of ``values`` each.

        ``shares`` are their weights in the mean over the page.
        """
        hidden = _multiply(values, self.enter)
        hidden += self.enter_bias
        np.maximum(hidden, 0, out=hidden)
        count, size = hidden.shape
        widest = max(DISTANCES)
        padded = np.zeros((count + 2 * widest, size), np.float32)
        for layer, distance in enumerate(DISTANCES):
            square = np.einsum("ij,ij->i", hidden, hidden) / size + LEAST_SQUARE
            normal = padded[widest : widest + count]
            np.multiply(
                hidden, self.gains[layer] / np.sqrt(square)[:, None], out=normal
            )
            near = np.concatenate(
                [
                    padded[widest + step : widest + step + count]
                    for step in (-distance, 0, distance)
                ],
                axis=1,
            )
            mean = np.einsum("i,ij->j", shares, normal)
            whole = np.concatenate([mean, normal.max(axis=0)])
            seen = _multiply(near, self.around[layer])
            seen += whole @ self.page[layer] + self.bias[layer]
            hidden += _multiply(np.maximum(seen, 0, out=seen), self.leave[layer])
            hidden += self.leave_bias[layer]
        odds = np.einsum("ij,j->i", hidden, self.judge[:, 0])
        return np.asarray(odds + self.judge_bias)


def scale_features(page: PageFeatures) -> tuple[Array, Array]:
    """Return the features of the blocks of a page, one row each, and their weights in it."""
    words = np.log1p(page.words).astype(np.float32)
    values = np.empty((len(words), len(page.values) + 1), np.float32)
    np.divide(page.values.T, STEPS, out=values[:, :-1], casting="unsafe")
    values[:, -1] = words / WORDS_SCALE
    return values, words / words.sum()


def read_mean_odds(
    networks: Sequence[Network], page: PageFeatures
) -> NDArray[np.float64]:
    """Return the mean of the log odds that networks give the blocks of a page."""
    values, shares = scale_features(page)
    odds = [network.read_odds(values, shares) for network in networks]
    return np.asarray(np.mean(odds, axis=0, dtype=np.float64))


MODEL_NAME = "paragraphs.npz"


@dataclass(frozen=True, slots=True)
class ParagraphModel:
    """Trees, and networks whose log odds are averaged and multiplied by ``scale``.

    The scale makes the odds of the networks probabilities: what is fitted until the end is too
    sure of itself (temperature scaling, Guo and others 2017).
    """

    trees: Trees
    networks: tuple[Network, ...]
    scale: float = 1.0

    @property
    def columns(self) -> int:
        """Return the number of features of a block."""
        return len(self.networks[0].enter) - 1

    def predict(self, page: PageFeatures) -> NDArray[np.float64]:
        """Return the probabilities that the blocks of a page are content."""
        by_trees = self.trees.read_odds(page.values)
        by_networks = self.scale * read_mean_odds(self.networks, page)
        return np.asarray(to_probability((by_trees + by_networks) / 2))

    @classmethod
    def read(cls, file: IO[bytes]) -> ParagraphModel:
        """Return the model in a file. It is read as numbers alone, and can run no code."""
        with np.load(file, allow_pickle=False) as arrays:
            columns = [arrays[one.name].astype(np.float32) for one in fields(Network)]
            trees = Trees(
                arrays["features"].astype(np.intp),
                arrays["thresholds"],
                arrays["leaves"],
                float(arrays["base"]),
            )
            scale = float(arrays["scale"])
        networks = tuple(Network(*parts) for parts in zip(*columns, strict=True))
        return cls(trees, networks, scale)


@cache
def shipped_model() -> ParagraphModel:
    """Return the model that comes with the package."""
    path = resources.files("ilspfc.cleaning.content") / MODEL_NAME
    with path.open("rb") as file:
        return ParagraphModel.read(file)
