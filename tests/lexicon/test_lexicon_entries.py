"""Entries as numbers and as words."""

from __future__ import annotations

import numpy as np

from ilspfc.lexicon.entries import Entry, number_entries
from ilspfc.text.vocabulary import Vocabulary


def test_entries_are_numbered_by_two_vocabularies() -> None:
    source, target = Vocabulary(["nein", "ja"]), Vocabulary(["no", "sì"])
    entries = [
        Entry("ja", "sì", 0.5, 3, 2, 1),
        Entry("ja", "sì", 0.7, 2, 1, 1),
        Entry("nein", "no"),
        Entry("ja", "unbekannt"),
    ]
    numbered = number_entries(entries, source, target)
    assert numbered.matrix().toarray().tolist() == [[1.0, 0.0], [0.0, 0.7]]
    assert numbered.segments.tolist() == [0, 3]
    spelled = numbered.spell(source, target)
    assert spelled == [Entry("ja", "sì", 0.7, 3, 2), Entry("nein", "no")]


def test_no_entries_are_an_empty_matrix() -> None:
    for words in ([], ["a"]):
        vocabulary = Vocabulary(words)
        numbered = number_entries([Entry("x", "y")], vocabulary, vocabulary)
        assert len(numbered) == 0
        assert numbered.matrix().shape == (len(words), len(words))
        assert numbered.take(np.zeros(0, bool)).spell(vocabulary, vocabulary) == []


def test_an_entry_in_the_other_direction_keeps_its_counts() -> None:
    assert Entry("ja", "sì", 0.5, 3, 2, 1).transpose() == Entry(
        "sì", "ja", 0.5, 3, 2, 1
    )
