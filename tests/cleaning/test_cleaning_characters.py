"""Kinds of characters, counted for all blocks at once."""

from __future__ import annotations

import pytest

from ilspfc.cleaning.content.block_features import CharKind, count_kinds

KINDS = [
    ("Ab", CharKind.UPPER, 1),
    ("Ab", CharKind.LETTER, 1),
    ("Ab CD", CharKind.INITIAL, 2),
    ("ÖÄÜ", CharKind.UPPER, 3),
    ("Χαίρετε", CharKind.LETTER, 6),
    ("12 ٣", CharKind.DIGIT, 3),
    ("a b\nc", CharKind.SPACE, 1),
    ("a b\nc", CharKind.BREAK, 1),
    ("eins, zwei、drei", CharKind.COMMA, 2),
    ("Ja. 是。", CharKind.SENTENCE_END, 2),
    ("安全第一", CharKind.UNSPACED, 4),
    ("ภาษาไทย", CharKind.UNSPACED, 7),
    ("a | b » c", CharKind.SEPARATOR, 2),
    ("€ ©", CharKind.SYMBOL, 2),
    ("😀", CharKind.SYMBOL, 1),
    ("(a) “b”", CharKind.CLOSING, 2),
]


@pytest.mark.parametrize(("text", "kind", "count"), KINDS)
def test_characters_have_kinds(text: str, kind: CharKind, count: int) -> None:
    for before in ([], ["davor"], ["É", "ß. "]):
        counts, _, _ = count_kinds([*before, text, "nach"])
        assert counts[len(before)][kind] == count


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Ende.", CharKind.SENTENCE_END),
        ("(Ende.)", CharKind.SENTENCE_END),
        ("»Ende.«)", CharKind.SEPARATOR),
        ("Ende", CharKind.LETTER),
        (")", CharKind.CLOSING),
        ("a)", CharKind.LETTER),
    ],
)
def test_the_last_kind_looks_behind_brackets(text: str, last: CharKind) -> None:
    _, _, lasts = count_kinds(["davor.", text])
    assert lasts[1] == last


def test_every_character_but_initials_is_counted_once() -> None:
    texts = ["Größe: 5 m², (laut DIN).", "安全第一 — ja!", "x"]
    counts, _, _ = count_kinds(texts)
    total = counts.sum(axis=1) - counts[:, CharKind.INITIAL]
    assert total.tolist() == [len(text) for text in texts]
