"""Sentence embeddings as a scorer of units: an example for classes of one's own.

A scorer is named in EXPORTS_SCORERS (docs/exports.md#scorers-of-your-own).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Self

from ilspfc.exceptions import SettingError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


class Embeddings:
    """Similarity of the sides of a unit by multilingual sentence embeddings.

    The score is the cosine of the embeddings by a model of sentence-transformers. Needs the
    extra ``embeddings``.
    """

    name = "embeddings"

    def __init__(self, model: str) -> None:
        if not find_spec("sentence_transformers"):
            raise SettingError(
                "EXPORTS_SCORERS=ilspfc.embeddings.Embeddings: sentence-transformers is not"
                " installed; pip install sentence-transformers, or leave the scorer out"
            )
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415

        try:
            self._model: Any = SentenceTransformer(model)
        except (OSError, ValueError) as error:
            first = str(error).partition("\n")[0]
            raise SettingError(
                f"EXPORTS_EMBEDDINGS={model}: no such model ({first}); give the name of a"
                " model of sentence-transformers, or its folder"
            ) from error

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Return the scorer with the model of EXPORTS_EMBEDDINGS."""
        return cls(settings["EXPORTS_EMBEDDINGS"])

    def score_units(
        self, langs: tuple[str, str], units: Sequence[tuple[str, str]]
    ) -> list[float]:
        """Return the cosine of both sides for each unit, -1 to 1."""
        sources, targets = (
            self._model.encode(
                [unit[side] for unit in units], normalize_embeddings=True
            )
            for side in (0, 1)
        )
        return [float(value) for value in (sources * targets).sum(axis=1)]
