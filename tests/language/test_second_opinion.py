"""The second opinion: asked about what is in question, and about nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ilspfc.language import second_opinion
from ilspfc.language.identification import PageIdentifier
from ilspfc.language.second_opinion import SecondOpinion
from ilspfc.text.scripts import MIXED, SCRIPTS

if TYPE_CHECKING:
    from numpy.typing import NDArray

CYRILLIC, LATIN = SCRIPTS.index("Cyrl"), SCRIPTS.index("Latn")
BULGARIAN = "Работодателят осигурява"


def weigh(
    langs: Sequence[str], row: Sequence[float], text: str, script: int = CYRILLIC
) -> NDArray[np.float64]:
    """Return the probabilities of one text after the second opinion."""
    probabilities = np.array([row])
    SecondOpinion(langs).weigh([text], np.array([script]), probabilities)
    result: NDArray[np.float64] = probabilities[0]
    return result


def test_lingua_divides_what_the_languages_in_question_have() -> None:
    row = weigh(("rus", "bul", "mkd"), (0.3, 0.2, 0.1, 0.4), BULGARIAN)
    assert row.argmax() == 1
    assert row[1] > 0.5
    assert row[:3].sum() == pytest.approx(0.6)
    assert row[3] == 0.4


@pytest.mark.parametrize(
    ("langs", "row", "script"),
    [
        (("rus", "bul", "mkd"), (0.98, 0.009, 0.005, 0.006), CYRILLIC),  # one is sure
        (("rus", "bul"), (0.009, 0.001, 0.99), CYRILLIC),  # it is in none of them
        (("rus", "uig"), (0.6, 0.3, 0.1), CYRILLIC),  # lingua does not know Uyghur
        (("hrv", "srp"), (0.6, 0.3, 0.1), LATIN),  # nor Serbian in Latin letters
        (("rus", "bul"), (0.6, 0.3, 0.1), MIXED),
    ],
)
def test_of_other_texts_lingua_is_not_asked(
    langs: tuple[str, ...],
    row: tuple[float, ...],
    script: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def ask(_: tuple[str, ...]) -> None:
        raise AssertionError

    monkeypatch.setattr(second_opinion, "_detector", ask)
    assert tuple(weigh(langs, row, BULGARIAN, script)) == row


def test_what_lingua_rules_out_stays_possible() -> None:
    """A letter of another alphabet may be that of a name."""
    row = weigh(("rus", "ukr"), (0.5, 0.499, 0.001), "Город Київ, столица страны")
    assert row[:2].min() > 0


def test_short_texts_in_languages_that_are_alike_are_told_apart_better() -> None:
    """Czech and Slovak, written for this test."""
    lines = {
        "Přijďte včas a vezměte si boty": "ces",
        "Kurz začíná příští úterý ráno": "ces",
        "Nová pravidla platí od ledna": "ces",
        "Príďte načas a vezmite si topánky": "slk",
        "Kurz sa začína budúci utorok": "slk",
        "Nové pravidlá platia od januára": "slk",
        "Projekt potrebuje pomoc ludi": "slk",
    }
    verdicts = PageIdentifier(("ces", "slk", "pol")).identify(list(lines))
    assert [verdict.lang for verdict in verdicts] == list(lines.values())
