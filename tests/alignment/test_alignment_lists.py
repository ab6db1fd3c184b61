"""Alphabetical lists: a row has to be like its partner more than like any other row."""

from __future__ import annotations

from random import Random

from ilspfc.alignment.collection import align_texts
from ilspfc.alignment.sides import TextPair
from ilspfc.alignment.sorted_lists import find_lists
from ilspfc.lexicon.ibm1 import learn_tables

WORDS = {
    "Absturz": "caduta",
    "Baustelle": "cantiere",
    "Chemie": "chimica",
    "Dach": "tetto",
    "Elektriker": "elettricista",
    "Farbe": "colore",
    "Gerüst": "ponteggio",
    "Helm": "casco",
    "Kran": "gru",
    "Leiter": "scala",
    "Maschine": "macchina",
    "Notruf": "emergenza",
    "Pflaster": "cerotto",
    "Quarz": "quarzo",
    "Staub": "polvere",
    "Werkzeug": "attrezzo",
}


def find(texts: list[str], kind: int = 3) -> list[int]:
    found = find_lists(texts, range(len(texts)), [kind] * len(texts))
    return [int(number) for number in found]


def test_an_alphabetical_list_is_found() -> None:
    rows = [rf"\{word.lower()} | {n}" for n, word in enumerate(sorted(WORDS))]
    assert find(rows) == [1] * len(rows)
    assert find(["Überschrift", *rows[1:]]) == [1] * len(rows)  # one out of order
    kinds = [0, *[3] * len(rows), 2]
    texts = ["Register", *rows, "Ende"]
    assert find_lists(texts, range(len(texts)), kinds).tolist() == [
        0,
        *[1] * len(rows),
        0,
    ]


def test_an_index_with_terms_below_terms_is_found() -> None:
    terms = sorted(WORDS)
    for word in ("Maschine", "Dach"):
        place = terms.index(word) + 1
        terms[place:place] = [f"{part} ({word})" for part in ("Bau", "Kauf", "Wartung")]
    ascending = [one[:2].lower() for one in terms]
    assert ascending != sorted(ascending)
    assert find(terms) == [1] * len(terms)


def test_other_lists_are_none() -> None:
    rows = sorted(WORDS)
    assert not any(find(rows, kind=0))  # running text
    assert not any(find(rows[:9]))
    assert not any(find(rows[::-1]))
    shuffled = Random(1).sample(rows * 5, 5 * len(rows))
    assert not any(find(shuffled))
    assert not any(find([f"{n}. {word}" for n, word in enumerate(rows)]))
    assert not any(find([f"Option {n}" for n in range(30)]))
    assert not find_lists(rows, None, None).any()


def test_rows_of_two_indexes_are_no_units_by_their_order() -> None:
    """Each index is sorted in its language; the prose teaches the words."""
    prose = [f"{de} {other}." for de in WORDS for other in WORDS if de < other]
    there = [f"{WORDS[de]} {WORDS[o]}." for de in WORDS for o in WORDS if de < o]
    rows, columns = sorted(WORDS), sorted(WORDS.values())
    pair = TextPair(
        prose + rows,
        there + columns,
        range(len(prose) + len(rows)),
        range(len(there) + len(columns)),
        [0] * len(prose) + [3] * len(rows),
        [0] * len(there) + [3] * len(columns),
    )
    (beads,) = align_texts([pair], ("deu", "ita"), learn_tables)
    units = {
        (pair.source[bead.source[0]], pair.target[bead.target[0]]): bead.score
        for bead in beads
        if bead.shape == (1, 1) and bead.source[0] >= len(prose)
    }
    right = [score for (de, it), score in units.items() if WORDS[de] == it]
    wrong = [score for (de, it), score in units.items() if WORDS[de] != it]
    assert right
    assert wrong
    assert max(wrong) < 0.6 < min(right)
    assert all(bead.score > 0.6 for bead in beads if bead.source[0] < len(prose))


def test_sentences_of_a_row_belong_to_its_list() -> None:
    rows = sorted(WORDS)
    texts = [text for word in rows for text in (word, f"{word}: see 1.")]
    blocks = [n // 2 for n in range(len(texts))]
    assert find_lists(texts, blocks, [3] * len(texts)).tolist() == [1] * len(texts)
    # Eight rows are too few, though they have 16 sentences.
    assert not find_lists(texts[:16], blocks[:16], [3] * 16).any()


def test_lists_are_numbered_and_end_with_their_kind() -> None:
    rows = sorted(WORDS)
    texts = [*rows, "Text", *rows]
    kinds = [*[3] * len(rows), 0, *[2] * len(rows)]
    found = find_lists(texts, range(len(texts)), kinds).tolist()
    assert found == [*[1] * len(rows), 0, *[2] * len(rows)]


def test_case_accents_and_marks_do_not_change_the_order() -> None:
    rows = [
        f"({word.upper()})" if n % 2 else f"„{word.lower()}“"
        for n, word in enumerate(sorted(WORDS))
    ]
    rows[4] = f"É{rows[4].strip('„“()')[1:]}"
    assert find(rows) == [1] * len(rows)


def test_rows_without_letters_are_few() -> None:
    rows = sorted(WORDS)
    assert any(find([*rows, "—"]))
    assert not any(find([*rows, *["—"] * 4]))
