"""The text around a place in a block that is a list of parts.

Only so many characters are looked at: links in one huge block must not cost its length
each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHARS = 400
_PARTS = 20


def text_before(parts: Sequence[str]) -> str:
    """Return the last characters of the parts."""
    recent: list[str] = []
    chars = 0
    for part in reversed(parts):
        recent.append(part[-_CHARS:])
        chars += len(part)
        if chars >= _CHARS:
            break
    return "".join(reversed(recent))[-_CHARS:]


def text_after(parts: Sequence[str], start: int) -> str:
    """Return the first characters of the parts from ``start`` on."""
    following = (part[:_CHARS] for part in parts[start : start + _PARTS])
    return "".join(following)[:_CHARS]
