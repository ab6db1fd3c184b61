"""Words as numbers."""

from __future__ import annotations

import numpy as np

from ilspfc.text.vocabulary import Segments, Vocabulary


def test_words_are_numbered_as_they_come() -> None:
    vocabulary = Vocabulary()
    assert vocabulary.add(["b", "a", "b", "c"]).tolist() == [0, 1, 0, 2]
    offsets = np.array([0, 2, 2, 4])
    segments = Segments(vocabulary.encode(["b", "a", "b", "c"]), offsets)
    assert segments.ids.tolist() == [0, 1, 0, 2]
    assert [segments[n].tolist() for n in range(len(segments))] == [[0, 1], [], [0, 2]]
    assert segments.lengths.tolist() == [2, 0, 2]
    assert vocabulary.words == ["b", "a", "c"]


def test_a_sorted_vocabulary_does_not_depend_on_the_order() -> None:
    words = ["zwei", "eins", "drei", "eins"]
    assert Vocabulary.sort(words).words == Vocabulary.sort(reversed(words)).words


def test_unknown_words_have_no_number() -> None:
    vocabulary = Vocabulary(["a"])
    assert vocabulary.encode(["a", "x"]).tolist() == [0, -1]
    assert vocabulary.number("x") == -1
    assert "x" not in vocabulary
    assert len(vocabulary) == 1
    assert vocabulary.add(["x", "a"]).tolist() == [1, 0]
    assert list(vocabulary) == ["a", "x"]
