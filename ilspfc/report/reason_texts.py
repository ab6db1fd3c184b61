"""Plain words for reasons of losses and kinds of evidence, for report, summary and commands."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib import resources

from ilspfc.documents.figures import HeldBack
from ilspfc.report.numbers import count_noun

_CODE_RE = re.compile(r"[a-z]+/[a-z0-9_-]+")

_FILE = resources.files("ilspfc.report").joinpath("reason_texts.json")
_TABLES = json.loads(_FILE.read_text("utf-8"))

REASONS: Mapping[str, str] = _TABLES["reasons"]
"""Plain words by ``stage/reason``."""

UNITS: Mapping[str, Sequence[str]] = _TABLES["units"]
"""Nouns for the losses of each stage, singular and plural."""


EVIDENCE: Mapping[str, str] = _TABLES["evidence"]
"""Plain words by kind of evidence for a pair."""


def unit_of(code: str, count: int) -> str:
    """Return the noun for losses of a ``stage/reason``, empty for an unknown stage.

    >>> unit_of("dedup/near_duplicate", 1), unit_of("other/reason", 2)
    ('document', '')
    """
    one, many = UNITS.get(code.partition("/")[0], ("", ""))
    return one if count == 1 else many


def explain(code: str) -> str:
    """Return the plain words for a ``stage/reason``.

    An unknown code loses its stage and underscores; a text of another form stays as it is.

    >>> explain("cleaning/timeout")
    'cleaning, or identifying its language, took too long'
    >>> explain("exports/other_reason")
    'other reason'
    >>> explain("no answer from http://example.org/a_b")
    'no answer from http://example.org/a_b'
    """
    if code in REASONS:
        return REASONS[code]
    if not _CODE_RE.fullmatch(code):
        return code
    return code.rpartition("/")[2].replace("_", " ")


def describe_held_back(group: HeldBack) -> str:
    """Return number and pattern of addresses that were not asked for, in a line."""
    state = "a sample" if group.reason == "trap_barren" else "the last"
    addresses = count_noun(group.number, "address", "addresses")
    return f"{addresses} like {group.host}{group.pattern}: {state} gave nothing new"
