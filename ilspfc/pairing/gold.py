"""Gold list: document pairs known to be right, against which the pairs found are scored.

ILSP-FC's ``-gt`` prints precision alone; this gives recall and F1 as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from ilspfc.documents import document_id
from ilspfc.exceptions import ArgumentError
from ilspfc.web.urls import canonicalize

Pair = frozenset[str]


class GoldScore(NamedTuple):
    """Counts of pairs against a gold list.

    ``right`` and ``wrong`` count pairs found, ``missed`` gold pairs not found, ``unjudged``
    pairs found with no document in the list.
    """

    right: int
    wrong: int
    missed: int
    unjudged: int

    @property
    def precision(self) -> float:
        """Share of right pairs among the judged pairs, 0 if there are none."""
        return self.right / max(self.right + self.wrong, 1)

    @property
    def recall(self) -> float:
        """Share of the gold pairs that were found, 0 if there are none."""
        return self.right / max(self.right + self.missed, 1)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.right / max(2 * self.right + self.wrong + self.missed, 1)


def read_gold(path: Path) -> dict[Pair, str]:
    """Return the pairs of a gold list as document ids, each with its line.

    A line has two URLs, ids, or names of cesDoc files, separated by whitespace; lines
    that begin with ``#`` are comments. ArgumentError names a malformed line.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(
            f"--gold={path}: cannot be read ({error}); give a UTF-8 file with two documents"
            " a line"
        ) from error
    pairs: dict[Pair, str] = {}
    for number, line in enumerate(lines, 1):
        names = line.split()
        if not names or line.startswith("#"):
            continue
        if len(names) != 2:
            raise ArgumentError(
                f"--gold={path}, line {number}: {len(names)} columns; give two URLs, ids or"
                " file names"
            )
        pairs.setdefault(frozenset(map(_identity_of, names)), "  ".join(names))
    if not pairs:
        raise ArgumentError(f"--gold={path}: no pair in it; write two documents a line")
    return pairs


def _identity_of(name: str) -> str:
    """Return the document id for a URL, an id or a file name."""
    if "://" not in name:
        return Path(name).stem.rsplit("-", 1)[-1]
    try:
        return document_id(canonicalize(name))
    except ValueError:
        return name


def find_errors(
    found: Iterable[Pair], gold: Collection[Pair]
) -> tuple[list[Pair], list[Pair]]:
    """Return the pairs found that are wrong by a gold list, and those of the list not found."""
    found, named = list(found), frozenset[str]().union(*gold)
    wrong = [pair for pair in found if pair & named and pair not in gold]
    there = set(found)
    return wrong, [pair for pair in gold if pair not in there]


def score_pairs(found: Iterable[Pair], gold: Iterable[Pair]) -> GoldScore:
    """Return the score of pairs; pairs without a document of the list are not judged.

    >>> a, b, c = frozenset("ax"), frozenset("by"), frozenset("cz")
    >>> score_pairs([a, frozenset("bx"), c], [a, b])
    GoldScore(right=1, wrong=1, missed=1, unjudged=1)
    """
    gold, found = set(gold), set(found)
    wrong, missed = map(len, find_errors(found, gold))
    right = len(gold) - missed
    return GoldScore(right, wrong, missed, len(found) - right - wrong)
