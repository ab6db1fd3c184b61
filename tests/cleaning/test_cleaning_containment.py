"""Which blocks a text holds that was made from the same page."""

from __future__ import annotations

from ilspfc.cleaning.content.backends import covered_blocks

TEXTS = ["Start", "Wer baut, trägt einen Helm.", "Quelle: Amt", "Start", "Impressum"]


def test_blocks_are_found_by_runs_of_three_words() -> None:
    reference = "Wer baut, trägt einen Helm!\n\nQuelle: Amt"
    assert covered_blocks(TEXTS, reference) == [False, True, True, False, False]


def test_words_in_another_order_are_not_the_text() -> None:
    assert not any(covered_blocks(TEXTS, "Helm einen trägt, baut wer. Amt"))


def test_of_repeated_blocks_as_many_are_held_as_the_text_has() -> None:
    prose = "Der Betrieb stellt die Ausrüstung und prüft sie."
    texts = ["Zuerst der Helm", "Menü", "Kontakt", "Zuerst der Helm", prose]
    marks = covered_blocks(texts, f"Zuerst der Helm {prose}")
    assert marks == [False, False, False, True, True]


def test_nothing_holds_nothing() -> None:
    assert covered_blocks([], "Text") == []
    assert covered_blocks(["Text", "…"], "") == [False, False]
