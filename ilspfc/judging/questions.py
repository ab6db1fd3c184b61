"""Questions that a judge answers on pairs, documents, units and paragraphs."""

from __future__ import annotations

from typing import NamedTuple


class Question(NamedTuple):
    """Question on an item: its name, the possible verdicts with their meaning, best first."""

    name: str
    verdicts: dict[str, str]

    @property
    def keys(self) -> dict[str, str]:
        """The key of each verdict: its first letter, which no other one has."""
        return {verdict[0]: verdict for verdict in self.verdicts}


PARALLEL = Question(
    "parallel",
    {
        "parallel": "the pages translate each other",
        "borderline": "more than a fifth of the sentences of one are translated in the other",
        "not": "no translations",
    },
)
DOMAIN = Question(
    "domain",
    {"in": "on the subject", "near": "near it", "out": "on something else"},
)
LANGUAGE = Question(
    "language", {"right": "in its language", "wrong": "in another one, or in none"}
)
BOILERPLATE = Question(
    "boilerplate", {"text": "belongs to the text", "frame": "belongs to the frame"}
)
UNIT = Question(
    "unit",
    {
        "right": "the segments translate each other",
        "partly": "something is missing on a side",
        "wrong": "they do not",
    },
)
ERROR = Question(
    "error",
    {
        "alignment": "neighbors of the right segments",
        "language": "a side in another language",
        "untranslated": "a side is a copy of the other",
        "machine": "a poor translation, likely by a machine",
        "frame": "menus, buttons, notices",
        "nonsense": "no language: code, numbers, damaged characters",
    },
)

QUESTIONS = {
    "pairs": (PARALLEL,),
    "documents": (DOMAIN, LANGUAGE),
    "segments": (UNIT, ERROR),
    "paragraphs": (LANGUAGE, BOILERPLATE),
}
"""Questions by what is judged; of several, each may stay without a verdict."""


def find_verdict(question: Question, text: str) -> str | None:
    """Return the verdict that a text or its first letter names, None for an unknown one.

    >>> find_verdict(UNIT, " P "), find_verdict(UNIT, "Right"), find_verdict(UNIT, "x")
    ('partly', 'right', None)
    """
    word = text.strip().lower()
    return word if word in question.verdicts else question.keys.get(word)
