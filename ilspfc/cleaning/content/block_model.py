"""Learned model of the probability of blocks to be content.

Stages of boosted trees; each but the first takes the probabilities of the one before it,
in context. The model that ships was trained by ``python -m evaluation.train_cleaning`` on
the sets that NOTICE names.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import IO, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ilspfc.cleaning.content.block_features import quantized, shifted, windowed
from ilspfc.text.log_odds import to_probability

if TYPE_CHECKING:
    from ilspfc.cleaning.content.block_features import PageFeatures, Row
    from ilspfc.cleaning.content.surroundings import Surroundings

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

    def predict(self, values: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the probabilities of blocks whose features stand in columns."""
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
        return np.asarray(to_probability(odds))

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


_STAGE_NEIGHBORS = 5
_STAGE_WINDOWS = (3, 7, 15, 31)
_STAGE_LEVELS = (0, 1, 2, 3, 4, 6)
_LIKELY = 0.9
"""The quantile of a page's probabilities that stands for its surest blocks."""


def read_stage_features(
    probabilities: Row, words: Row, surroundings: Surroundings
) -> NDArray[np.uint8]:
    """Return features from the probabilities of a page's blocks, one column a block.

    They are the probabilities of the block and its neighbors, means weighted by words over
    windows, over the elements around it and over the blocks with the same path, and the
    place of the block within the probable content.
    """
    count = len(words)
    mass = probabilities * words
    total, total_words = mass.sum(), words.sum()
    steps = [k for k in range(-_STAGE_NEIGHBORS, _STAGE_NEIGHBORS + 1) if k]
    own = probabilities[None]
    rows = [*own, *shifted(own, _STAGE_NEIGHBORS, steps)]
    both = np.stack([mass, words])
    for width in _STAGE_WINDOWS:
        near, near_words = windowed(both, width)
        rows.append(near / near_words)
    inside, inside_words = surroundings.sums_inside(both)
    for level in _STAGE_LEVELS:
        at = surroundings.around[level]
        rows += [
            inside[at] / np.maximum(inside_words[at], 1),
            inside[at] / max(total, 1),
        ]
    for level in (0, 1):
        paths = surroundings.paths[surroundings.around[level]]
        sums, sums_words = (np.bincount(paths, row)[paths] for row in both)
        rows.append(sums / sums_words)
    before = (np.cumsum(mass) - mass / 2) / max(total, 1e-9)
    places = np.arange(count)
    center = (mass * places).sum() / max(total, 1e-9)
    spread = np.sqrt((mass * (places - center) ** 2).sum() / max(total, 1e-9)) + 1
    rows += [
        before,
        np.abs(places - center) / count,
        (places - center) / spread / 6 + 0.5,
        *(
            np.full(count, value)
            for value in (
                total / total_words,
                np.quantile(probabilities, _LIKELY),
                probabilities.max(),
                min(np.log1p(total) / np.log1p(5000), 1),
            )
        ),
    ]
    return quantized(rows)


MODEL_NAME = "paragraphs.npz"


@dataclass(frozen=True, slots=True)
class ParagraphModel:
    """Stages of trees, the first over ``columns`` features."""

    stages: tuple[Trees, ...]
    columns: int

    def predict(self, page: PageFeatures) -> NDArray[np.float64]:
        """Return the probabilities that the blocks of a page are content."""
        first, *further = self.stages
        probabilities = first.predict(page.values)
        for stage in further:
            context = read_stage_features(probabilities, page.words, page.surroundings)
            probabilities = stage.predict(np.concatenate([page.values, context]))
        return probabilities

    def write(self, file: IO[bytes]) -> None:
        """Write the model; the same model gives the same bytes."""
        arrays = {"columns": np.array(self.columns)}
        for number, trees in enumerate(self.stages):
            arrays[f"features{number}"] = trees.features.astype(np.uint16)
            arrays[f"thresholds{number}"] = trees.thresholds
            arrays[f"leaves{number}"] = trees.leaves
            arrays[f"base{number}"] = np.array(trees.base)
        # Savez takes each array by a name of its own; mypy sees its other arguments.
        np.savez(file, **arrays)  # type: ignore[arg-type]

    @classmethod
    def read(cls, file: IO[bytes]) -> ParagraphModel:
        """Return a written model. It is read as numbers alone, and can run no code."""
        with np.load(file, allow_pickle=False) as arrays:
            count = sum(name.startswith("features") for name in arrays.files)
            stages = [
                Trees(
                    arrays[f"features{number}"].astype(np.intp),
                    arrays[f"thresholds{number}"],
                    arrays[f"leaves{number}"],
                    float(arrays[f"base{number}"]),
                )
                for number in range(count)
            ]
            return cls(tuple(stages), int(arrays["columns"]))


@cache
def shipped_model() -> ParagraphModel:
    """Return the model that comes with the package."""
    path = resources.files("ilspfc.cleaning.content") / MODEL_NAME
    with path.open("rb") as file:
        return ParagraphModel.read(file)
