"""Scorers of the user's own: classes that judge units or documents by other means."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from ilspfc.exceptions import CorpusError, SettingError
from ilspfc.setting_table import split_list


class Scores:
    """Scores by the classes of EXPORTS_SCORERS, which are made without arguments.

    A class has a ``name``, under which its scores appear in all exports, and one of these methods
    or both. They return a finite number for each item, the higher the better; languages are
    ISO 639-3 codes::

        def score_units(self, langs: tuple[str, str], units: Sequence[tuple[str, str]]): ...
        def score_documents(self, lang: str, texts: Sequence[str]): ...

    Items with a score below its ``threshold``, if it has one, are dropped.
    """

    def __init__(self, settings: BaseSettings) -> None:
        self._scorers: list[Any] = [kind() for kind in load_scorers(settings)]
        self._thresholds: Mapping[str, float] = {
            one.name: one.threshold
            for one in self._scorers
            if hasattr(one, "threshold")
        }

        self.can_drop = bool(self._thresholds)
        self.has_document_scorers = any(
            hasattr(one, "score_documents") for one in self._scorers
        )

    def score_units(
        self, langs: tuple[str, str], units: Sequence[tuple[str, str]]
    ) -> list[dict[str, float]]:
        """Return the scores of units (source, target) by the name of the scorer."""
        return self._score("score_units", langs, units)

    def score_document(self, lang: str, text: str) -> dict[str, float]:
        """Return the scores of the clean text of a document by the name of the scorer."""
        return self._score("score_documents", lang, [text])[0]

    def are_low(self, scores: Mapping[str, float]) -> bool:
        """Test whether a score is below the threshold of its scorer."""
        return any(
            value < self._thresholds.get(name, -math.inf)
            for name, value in scores.items()
        )

    def _score(
        self, method: str, langs: object, items: Sequence[object]
    ) -> list[dict[str, float]]:
        found: list[dict[str, float]] = [{} for _ in items]
        for one in self._scorers:
            if hasattr(one, method) and items:
                values = _check(one.name, getattr(one, method)(langs, items), items)
                for scores, value in zip(found, values, strict=True):
                    scores[one.name] = value
        return found


def load_scorers(settings: BaseSettings) -> list[Any]:
    """Return the classes of EXPORTS_SCORERS; SettingError for one that is no scorer."""
    kinds = []
    for path in split_list(settings, "EXPORTS_SCORERS"):
        try:
            kind = load_object(path)
        except (ImportError, NameError, ValueError) as error:
            raise SettingError(
                f"EXPORTS_SCORERS={path}: cannot be loaded ({error}); give the path of a"
                " class, such as mine.scorers.Bicleaner"
            ) from error
        has_method = hasattr(kind, "score_units") or hasattr(kind, "score_documents")
        if not has_method or not getattr(kind, "name", ""):
            raise SettingError(
                f"EXPORTS_SCORERS={path}: no scorer: it needs a name, and score_units or"
                " score_documents (docs/exports.md#scorers-of-your-own)"
            )
        kinds.append(kind)
    return kinds


def _check(name: str, scores: Iterable[float], items: Sequence[object]) -> list[float]:
    """Return scores as numbers; CorpusError for a wrong count or what is no number."""
    values = [float(value) for value in scores]
    if len(values) != len(items):
        raise CorpusError(
            f"scorer {name}: {len(values)} scores for {len(items)} texts; return one for each"
        )
    if not all(map(math.isfinite, values)):
        raise CorpusError(f"scorer {name}: a score is not finite; return numbers alone")
    return values
