"""The learned model: how probably each block of a page is content.

Stages of boosted trees; each but the first is told the probabilities of the one before it,
in context. The model that ships was trained by ``python -m evaluation.train_cleaning`` on
the sets that NOTICE names.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import IO, TYPE_CHECKING

import numpy as np

from ilspfc.cleaning.content.stacking import read_stage_features
from ilspfc.cleaning.content.trees import Trees

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ilspfc.cleaning.content.block_features import PageFeatures

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
    with (
        resources.files("ilspfc.cleaning.content")
        .joinpath(MODEL_NAME)
        .open("rb") as file
    ):
        return ParagraphModel.read(file)
