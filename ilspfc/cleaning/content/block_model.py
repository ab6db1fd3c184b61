"""Learned model of the probability of blocks to be content.

A convolutional network over the blocks of a page in their order (dilated convolutions as in Yu
and Koltun 2016, residual layers), or the mean of several. The model that ships was trained by
``python -m evaluation.train_cleaning`` on the sets that NOTICE names.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields
from functools import cache
from importlib import resources
from typing import IO, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ilspfc.cleaning.content.block_features import STEPS
from ilspfc.text.log_odds import to_probability

if TYPE_CHECKING:
    from ilspfc.cleaning.content.block_features import PageFeatures

    Array = NDArray[np.float32]

DISTANCES = (1, 2, 4, 8, 16)
"""Of the blocks before and behind that each layer sees."""
WORDS_SCALE = 5.0
"""Divides the logarithm of the words of a block, the last feature."""
LEAST_SQUARE = 1e-5
"""Added to the mean square that a block's values are divided by."""


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
        hidden = np.maximum(values @ self.enter + self.enter_bias, 0)
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
            whole = np.concatenate([shares @ normal, normal.max(axis=0)])
            seen = near @ self.around[layer]
            seen += whole @ self.page[layer] + self.bias[layer]
            hidden += np.maximum(seen, 0, out=seen) @ self.leave[layer]
            hidden += self.leave_bias[layer]
        return np.asarray(hidden @ self.judge + self.judge_bias)[:, 0]


def scale_features(page: PageFeatures) -> tuple[Array, Array]:
    """Return the features of the blocks of a page, one row each, and their weights in it."""
    words = np.log1p(page.words).astype(np.float32)
    values = np.empty((len(words), len(page.values) + 1), np.float32)
    np.divide(page.values.T, STEPS, out=values[:, :-1], casting="unsafe")
    values[:, -1] = words / WORDS_SCALE
    return values, words / words.sum()


MODEL_NAME = "paragraphs.npz"


@dataclass(frozen=True, slots=True)
class ParagraphModel:
    """Networks whose log odds are averaged."""

    networks: tuple[Network, ...]

    @property
    def columns(self) -> int:
        """Return the number of features of a block."""
        return len(self.networks[0].enter) - 1

    def predict(self, page: PageFeatures) -> NDArray[np.float64]:
        """Return the probabilities that the blocks of a page are content."""
        values, shares = scale_features(page)
        odds = [network.read_odds(values, shares) for network in self.networks]
        return np.asarray(to_probability(np.mean(odds, axis=0, dtype=np.float64)))

    def write(self, file: IO[bytes]) -> None:
        """Write the model in half precision; the same model gives the same bytes."""
        names = [field.name for field in fields(Network)]
        columns = zip(*map(astuple, self.networks), strict=True)
        arrays = {
            name: np.array(column, np.float16)
            for name, column in zip(names, columns, strict=True)
        }
        # Savez takes each array by a name of its own; mypy sees its other arguments.
        np.savez(file, **arrays)  # type: ignore[arg-type]

    @classmethod
    def read(cls, file: IO[bytes]) -> ParagraphModel:
        """Return a written model. It is read as numbers alone, and can run no code."""
        with np.load(file, allow_pickle=False) as arrays:
            columns = [
                arrays[field.name].astype(np.float32) for field in fields(Network)
            ]
        return cls(tuple(Network(*parts) for parts in zip(*columns, strict=True)))


@cache
def shipped_model() -> ParagraphModel:
    """Return the model that comes with the package."""
    path = resources.files("ilspfc.cleaning.content") / MODEL_NAME
    with path.open("rb") as file:
        return ParagraphModel.read(file)
