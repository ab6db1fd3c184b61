"""Scorers of the user's own: classes that judge units or documents by other means.

Their scores are kept in ``scores.db`` of the corpus by the text that they are of, so that a
text is scored once, also when it is aligned or exported again.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar, runtime_checkable

from scrapy.utils.misc import load_object

from ilspfc.database import Database
from ilspfc.exceptions import CorpusError, SettingError
from ilspfc.setting_table import split_list

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.settings import BaseSettings

_SCHEMA = """
CREATE TABLE IF NOT EXISTS scores (
    scorer TEXT NOT NULL,
    digest BLOB NOT NULL,        -- of the languages and the texts
    score REAL NOT NULL,
    PRIMARY KEY (scorer, digest)
) WITHOUT ROWID;
"""
T = TypeVar("T")
_EXAMPLE = "give the path of a class, such as ilspfc.embeddings.Embeddings"


class Scorer(Protocol):
    """Class of a scorer; ``name`` is that of its scores in all exports.

    It has ``score_units`` or ``score_documents``, or both. Where it has a class method
    ``from_settings``, that makes it of the settings; else it is called without arguments.
    """

    name: ClassVar[str]


@runtime_checkable
class UnitScorer(Scorer, Protocol):
    """Scorer of units."""

    def score_units(
        self, langs: tuple[str, str], units: Sequence[tuple[str, str]]
    ) -> Iterable[float]:
        """Return a score for each unit (source, target), the higher the better.

        ``langs`` are ISO 639-3 codes.
        """


@runtime_checkable
class DocumentScorer(Scorer, Protocol):
    """Scorer of documents."""

    def score_documents(self, lang: str, texts: Sequence[str]) -> Iterable[float]:
        """Return a score for each clean text of a document, the higher the better."""


class Scores:
    """Scores by all scorers, computed where they are not known yet."""

    def __init__(self, path: Path, settings: BaseSettings) -> None:
        self._path = path
        self.bounds = read_bounds(settings)
        self._scorers = [_make(kind, settings) for kind in load_scorers(settings)]

    @property
    def has_document_scorers(self) -> bool:
        """True where a scorer judges documents."""
        return any(isinstance(one, DocumentScorer) for one in self._scorers)

    def score_units(
        self, langs: tuple[str, str], units: Sequence[tuple[str, str]]
    ) -> list[dict[str, float]]:
        """Return the scores of units by the name of the scorer."""
        return self._score(
            [_digest(*langs, *texts) for texts in units],
            {
                one.name: partial(_pick, partial(one.score_units, langs), units)
                for one in self._scorers
                if isinstance(one, UnitScorer)
            },
        )

    def score_documents(
        self, lang: str, texts: Sequence[str]
    ) -> list[dict[str, float]]:
        """Return the scores of clean texts by the name of the scorer."""
        return self._score(
            [_digest(lang, text) for text in texts],
            {
                one.name: partial(_pick, partial(one.score_documents, lang), texts)
                for one in self._scorers
                if isinstance(one, DocumentScorer)
            },
        )

    def are_low(self, scores: Mapping[str, float]) -> bool:
        """Test whether a score is below its bound."""
        return any(
            scores.get(name, bound) < bound for name, bound in self.bounds.items()
        )

    def _score(
        self,
        digests: Sequence[bytes],
        functions: Mapping[str, Callable[[Sequence[int]], Iterable[float]]],
    ) -> list[dict[str, float]]:
        """Return the scores of items by the functions that score some of them, by number."""
        found: list[dict[str, float]] = [{} for _ in digests]
        if not functions:
            return found
        with _ScoreFile(self._path) as file:
            for name, function in functions.items():
                known = file.read(name, digests)
                first = {digest: n for n, digest in enumerate(digests)}
                missing = [n for digest, n in first.items() if digest not in known]
                if missing:
                    values = _check(name, list(function(missing)), len(missing))
                    new = {digests[n]: v for n, v in zip(missing, values, strict=True)}
                    file.write(name, new)
                    known |= new
                for scores, digest in zip(found, digests, strict=True):
                    scores[name] = known[digest]
        return found


class _ScoreFile(Database):
    kind = "file of scores"
    remedy = "delete it: the scores are computed again"
    error_type = CorpusError

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.executescript(_SCHEMA)

    def read(self, name: str, digests: Iterable[bytes]) -> dict[bytes, float]:
        """Return the known scores of a scorer."""
        sql = "SELECT score FROM scores WHERE scorer = ? AND digest = ?"
        return {
            digest: score
            for digest in digests
            for (score,) in self.rows(sql, (name, digest))
        }

    def write(self, name: str, scores: Mapping[bytes, float]) -> None:
        """Keep scores of a scorer."""
        with self.transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO scores VALUES (?, ?, ?)",
                [(name, digest, score) for digest, score in scores.items()],
            )


def load_scorers(settings: BaseSettings) -> list[type[Scorer]]:
    """Return the classes of EXPORTS_SCORERS; SettingError for one that is none."""
    kinds = []
    for path in split_list(settings, "EXPORTS_SCORERS"):
        try:
            kind = load_object(path)
        except (ImportError, NameError, ValueError) as error:
            raise SettingError(
                f"EXPORTS_SCORERS={path}: cannot be loaded ({error}); {_EXAMPLE}"
            ) from error
        has_method = hasattr(kind, "score_units") or hasattr(kind, "score_documents")
        if not has_method or not getattr(kind, "name", ""):
            raise SettingError(
                f"EXPORTS_SCORERS={path}: no scorer: it needs a name, and score_units or"
                " score_documents (docs/exports.md#scorers-of-your-own)"
            )
        kinds.append(kind)
    return kinds


def read_bounds(settings: BaseSettings) -> dict[str, float]:
    """Return the least score by scorer (EXPORTS_SCORER_BOUNDS); SettingError for a wrong one."""
    names = [kind.name for kind in load_scorers(settings)]
    bounds = {}
    for word in split_list(settings, "EXPORTS_SCORER_BOUNDS"):
        name, _, number = map(str.strip, word.partition("="))
        try:
            bounds[name] = float(number)
        except ValueError as error:
            raise SettingError(
                f"EXPORTS_SCORER_BOUNDS={word}: {error}; give name=number, such as"
                " embeddings=0.6"
            ) from error
        if name not in names:
            raise SettingError(
                f"EXPORTS_SCORER_BOUNDS={word}: no scorer {name!r}; EXPORTS_SCORERS names"
                f" {', '.join(names) or 'none'}"
            )
    return bounds


def _make(kind: type[Scorer], settings: BaseSettings) -> Scorer:
    make: Callable[..., Scorer] | None = getattr(kind, "from_settings", None)
    return make(settings) if make else kind()


def _pick(
    function: Callable[[Sequence[T]], Iterable[float]],
    items: Sequence[T],
    numbers: Sequence[int],
) -> Iterable[float]:
    """Return the scores of the items with some numbers."""
    return function([items[number] for number in numbers])


def _check(name: str, values: Sequence[float], number: int) -> list[float]:
    """Return scores as numbers; CorpusError for too many, too few, or what is no number."""
    if len(values) != number:
        raise CorpusError(
            f"scorer {name}: {len(values)} scores for {number} texts; return one for each"
        )
    scores = [float(value) for value in values]
    if not all(map(math.isfinite, scores)):
        raise CorpusError(f"scorer {name}: a score is not finite; return numbers alone")
    return scores


def _digest(*texts: str) -> bytes:
    return blake2b("\0".join(texts).encode("utf-8", "replace"), digest_size=16).digest()
