"""Remarks on translation units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ilspfc.exports import annotate, length_ratio

LETTERS = "non-letters"
EQUAL = "equal TUVs"
SHORT = "very short segments, shorter than 3"
RATIO = "charlength ratio of TUVs is lower than 0.6 or higher than 1.6"
NUMBERS = "different numbers in TUVs"

CASES = [
    ("Das ist ein Satz.", "Questa è una frase.", ()),
    ("Er wog 1.000 kg am 3. Mai.", "Pesava 1,000 kg il 3 maggio.", ()),
    ("On 5 March 2020 it was.", "Στις 5 Μαρτίου 2020 ήταν.", ()),
    ("Es waren genau ٣ Leute.", "Erano esattamente 3 persone.", ()),
    ("Es waren genau 3 Leute.", "Erano esattamente 4 persone.", (NUMBERS,)),
    ("Hotel Bella Vista", "HOTEL «Bella» Vista!", (EQUAL,)),
    ("Ja gut.", "Va bene.", (SHORT,)),
    ("12:30", "12.30", (LETTERS, SHORT)),
    ("", "", (LETTERS, SHORT)),
    ("Ein Satz mit Wörtern.", "", (LETTERS, SHORT, RATIO)),
    ("Ein kurzer Satz hier.", "Una frase che invece è proprio lunga.", (RATIO,)),
    ("今天天气", "Heute schönes Wetter", (RATIO,)),
    ("Seite 4", "Seite 5", (EQUAL, SHORT, NUMBERS)),
]


@pytest.mark.parametrize(("source", "target", "remarks"), CASES)
def test_remarks_say_what_may_be_wrong(
    source: str, target: str, remarks: tuple[str, ...]
) -> None:
    assert annotate(source, target) == remarks


def test_thresholds_are_arguments_and_stand_in_the_remark() -> None:
    assert annotate("eins zwei", "uno due", min_tokens=2) == ()
    assert annotate("eins zwei", "uno due", min_tokens=5) == (
        "very short segments, shorter than 5",
    )
    pair = ("eins zwei drei vier", "uno due tre")
    assert annotate(*pair, max_ratio=2.0) == ()
    assert annotate(*pair, max_ratio=1.5) == (
        "charlength ratio of TUVs is lower than 0.6 or higher than 1.5",
    )


@pytest.mark.parametrize(
    ("source", "target", "ratio"),
    [("ab", "a b c", 0.4), ("a", "", float("inf")), ("", "a", 0.0), ("", "", 1.0)],
)
def test_the_ratio_counts_characters_and_blanks(
    source: str, target: str, ratio: float
) -> None:
    assert length_ratio(source, target) == ratio


@given(st.text(), st.text())
def test_no_pair_is_refused(source: str, target: str) -> None:
    assert isinstance(annotate(source, target), tuple)
