"""The reading of CleanEval's gold, with its marks and without, and the scores by mark."""

from __future__ import annotations

from collections import Counter

from evaluation.structure import (
    Marked,
    has_marks,
    match,
    read_bulleted,
    read_marked,
    score,
)


def test_marks_part_and_type_the_paragraphs() -> None:
    gold = "URL: http://x/\n\n<h>A Title\n\n <p>Some\n text.\n<l>One\n<L>Two"
    assert has_marks(gold)
    assert read_marked(gold) == [
        Marked(("a", "title"), "h"),
        Marked(("some", "text"), "p"),
        Marked(("one",), "l"),
        Marked(("two",), "l"),
    ]


def test_without_marks_bullets_and_numbers_make_items() -> None:
    gold = "A Title\n\n\n  Some\n  text - here.\n\n  * One\n    more\n  2. Two\n"
    assert not has_marks(gold)
    assert read_bulleted(gold) == [
        Marked(("a", "title"), "p"),
        Marked(("some", "text", "here"), "p"),
        Marked(("one", "more"), "l"),
        Marked(("two",), "l"),
    ]


def test_paragraphs_with_the_same_words_are_scored_by_their_marks() -> None:
    gold = [Marked(("a",), "h"), Marked(("b",), "l"), Marked(("c",), "l")]
    ours = [Marked(("b",), "l"), Marked(("a",), "l"), Marked(("d",), "l")]
    pairs = Counter(match(gold, ours))
    assert pairs == {("h", "l"): 1, ("l", "l"): 1}
    assert score(pairs, "l") == {"precision": 0.5, "recall": 1.0, "f1": 0.667, "n": 1}
    assert score(pairs, "p") == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "n": 0}
