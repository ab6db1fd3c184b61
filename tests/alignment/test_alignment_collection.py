"""Alignment of collections with a lexicon learned from them."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ilspfc.alignment import collection, first_pass
from ilspfc.alignment import reestimation as fitting
from ilspfc.alignment.collection import align_texts
from ilspfc.alignment.sides import TextPair
from ilspfc.alignment.word_likeness import find_cognates
from ilspfc.lexicon.ibm1 import learn_tables

if TYPE_CHECKING:
    from ilspfc.alignment.beads import Bead
    from ilspfc.text.vocabulary import Segments

TOKENIZERS = ("deu", "ita")
Links = set[tuple[int, int]]


def _align(*pairs: TextPair, rounds: int | None = None) -> list[list[Bead]]:
    return list(align_texts(pairs, TOKENIZERS, learn_tables, rounds=rounds))


def _links(beads: list[Bead]) -> Links:
    return {(s, t) for bead in beads for s in bead.source for t in bead.target}


def _word(number: int, letters: str) -> str:
    return "".join(letters[number // 7**n % 7] for n in range(4))


def _make_pair(sentences: int, seed: int) -> tuple[TextPair, Links]:
    """Return texts of words that have nothing in common, of much the same lengths."""
    chance = random.Random(seed)
    source: list[str] = []
    target: list[str] = []
    links: Links = set()
    while len(source) < sentences:
        words = [int(chance.random() ** 2 * 300) for _ in range(9)]
        left = " ".join(_word(number, "abdefgk") for number in words)
        right = " ".join(_word(number, "pqrstuv") for number in sorted(words))
        fate = chance.random()
        if fate < 0.1:
            source.append(left)
        elif fate < 0.2:
            target.append(right)
        elif fate < 0.3 and target:
            target[-1] += " " + right
            source.append(left)
            links.add((len(source) - 1, len(target) - 1))
        else:
            source.append(left)
            target.append(right)
            links.add((len(source) - 1, len(target) - 1))
    return TextPair(source, target), links


def _share(beads: list[Bead], links: Links) -> float:
    found = _links(beads)
    return 2 * len(found & links) / (len(found) + len(links))


def _assert_complete(beads: list[Bead], pair: TextPair) -> None:
    """Check that every sentence is in one bead, in order."""
    assert [n for b in beads for n in b.source] == list(range(len(pair.source)))
    assert [n for b in beads for n in b.target] == list(range(len(pair.target)))
    assert all(0 <= bead.score <= 1 for bead in beads)


def test_the_lexicon_finds_what_lengths_do_not() -> None:
    pair, links = _make_pair(200, 1)
    (without,), (learned,) = _align(pair, rounds=0), _align(pair)
    _assert_complete(learned, pair)
    assert _share(without, links) < 0.8
    assert _share(learned, links) > 0.94


@pytest.mark.parametrize(
    ("consonants", "vowels"),
    [
        ("กขคงจฉชซดตถทธนบ", "าิีึืุู"),
        ("ကခဂငစဆဇညတထဒနပဖ", "ာိီုူေဲ"),
        ("កខគងចឆជញតថទនបផ", "ាិីឹឺុូ"),
    ],
)
def test_words_without_blanks_are_read_in_parts(consonants: str, vowels: str) -> None:
    chance = random.Random(1)
    parts = ["".join(part) for part in itertools.product(consonants, vowels)]
    words = ["".join(chance.choices(parts, k=3)) for _ in range(300)]
    numbers = [
        [int(chance.random() ** 2 * 300) for _ in range(chance.randint(5, 40))]
        for _ in range(80)
    ]
    source = [" ".join(_word(n, "abdefgk") for n in some) for some in numbers]
    target = ["".join(words[n] for n in some) for some in numbers]
    pair = TextPair(source, target)
    (beads,) = align_texts([pair], ("eng", "tha"), learn_tables)
    assert _share(beads, {(n, n) for n in range(80)}) > 0.98


def test_pairs_learn_from_each_other() -> None:
    long, _ = _make_pair(300, 1)
    short, links = _make_pair(20, 2)
    (alone,) = _align(short)
    together, _ = _align(short, long)
    assert _share(together, links) > max(0.9, _share(alone, links))


def test_the_order_of_the_pairs_does_not_matter() -> None:
    pairs = [_make_pair(30, seed)[0] for seed in range(6)]
    straight = _align(*pairs)
    assert straight == _align(*pairs[::-1])[::-1]
    again = _align(*pairs[3:], *pairs[:3])
    assert straight == again[3:] + again[:3]


def test_the_lexicon_of_many_texts_is_learned_from_a_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pairs, links = zip(*(_make_pair(60, seed) for seed in range(8)), strict=True)
    numbers = []

    def train(source: Segments, *others: Any) -> tuple[Any, Any]:
        numbers.append(len(source))
        return learn_tables(source, *others)

    shares = []
    for size in (collection.MAX_TRAINING_BYTES, 15_000):
        monkeypatch.setattr(collection, "MAX_TRAINING_BYTES", size)
        found = align_texts(pairs, TOKENIZERS, train, rounds=1)
        shares.append(sum(map(_share, found, links)) / len(pairs))
    assert 0 < numbers[1] < numbers[0]
    assert shares[0] > shares[1] > 0.5, "fewer lessons, all texts"


def test_a_dictionary_is_a_start() -> None:
    pair, links = _make_pair(40, 3)
    words = [
        (_word(number, "abdefgk"), _word(number, "pqrstuv"), 0.7)
        for number in range(300)
    ]
    (helped,) = align_texts(
        [pair], TOKENIZERS, learn_tables, dictionary=words, rounds=0
    )
    assert _share(helped, links) > 0.95
    assert _share(helped, links) > _share(_align(pair, rounds=0)[0], links)


def test_long_texts_are_cut_into_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_pass, "PIECE_ROWS", 200)
    monkeypatch.setattr(first_pass, "_CUT_ROWS", 60)
    monkeypatch.setattr(first_pass, "WIDE_HALF_WIDTH", 60)
    pair, links = _make_pair(700, 4)
    numbered = TextPair(
        [f"{text} {n * 7}" for n, text in enumerate(pair.source)],
        [
            f"{text} " + " ".join(str(s * 7) for s, t in sorted(links) if t == n)
            for n, text in enumerate(pair.target)
        ],
    )
    (beads,) = _align(numbered, rounds=1)
    _assert_complete(beads, numbered)
    assert _share(beads, links) > 0.94


def test_a_long_insertion_is_left_alone() -> None:
    pair, links = _make_pair(300, 5)
    extra = [f"{_word(n, 'xyzwjhi')} nulla" for n in range(500)]
    target = [*pair.target[:100], *extra, *pair.target[100:]]
    moved = {(s, t if t < 100 else t + 500) for s, t in links}
    numbered = TextPair(
        [f"{text} {n * 7}" for n, text in enumerate(pair.source)],
        [
            f"{text} " + " ".join(str(s * 7) for s, t in sorted(moved) if t == n)
            for n, text in enumerate(target)
        ],
    )
    (beads,) = _align(numbered)
    _assert_complete(beads, numbered)
    assert _share(beads, moved) > 0.9


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ([], []),
        (["Ein Satz."], []),
        ([], ["Una frase."]),
        ([""], [""]),
        (["…", "—"], ["字"]),
        (["Ein Satz."] * 3, ["Una frase."] * 400),
        (["a " * 10_000], ["b " * 10_000, "c"]),
        (["\ud800 x"], ["\u0000"]),
    ],
)
def test_odd_texts_are_aligned(source: list[str], target: list[str]) -> None:
    pair = TextPair(source, target)
    _assert_complete(_align(pair, rounds=1)[0], pair)


def test_no_texts_give_no_beads() -> None:
    assert _align() == []


def test_paragraphs_guide_where_words_do_not() -> None:
    source = ["aaa bbb ccc.", "ddd eee fff.", "ggg hhh iii.", "jjj kkk lll."]
    target = ["mmm nnn ooo.", "ppp qqq rrr.", "sss ttt uuu."]
    pair = TextPair(source, target, [0, 1, 2, 3], [0, 1, 2], [1, 0, 1, 0], [1, 1, 0])
    (beads,) = _align(pair, rounds=0)
    kinds = {(pair.source_kinds[s], pair.target_kinds[t]) for s, t in _links(beads)}  # type: ignore[index]
    assert kinds <= {(0, 0), (1, 1)}
    assert _links(beads)


def test_cognates_differ_by_a_letter() -> None:
    source = ["12", "!", "natio", "haus", "étude", "xyz"]
    target = ["!", "12", "nazio", "casa", "etude", "ayz"]
    pairs = zip(*(part.tolist() for part in find_cognates(source, target)), strict=True)
    found = {(source[s], target[t]): value for s, t, value in pairs}
    assert found == {
        ("12", "12"): 0.8,
        ("!", "!"): 0.5,
        ("natio", "nazio"): pytest.approx(0.32),
        ("étude", "etude"): pytest.approx(0.4),
    }


def test_posteriors_of_all_beads_add_up() -> None:
    """Each source sentence is in one bead or another: its posteriors sum to 1."""
    from ilspfc.alignment.bead_scores import Parameters
    from ilspfc.alignment.beads import PRIORS
    from ilspfc.alignment.pieces import Piece, align_piece
    from ilspfc.alignment.sides import Side

    chance = np.random.default_rng(1)

    def side(number: int) -> Side:
        none = np.zeros(0, np.int32), np.zeros(number + 1, np.int64)
        return Side(chance.integers(20, 60, number).astype(float), *none)

    parameters = Parameters(1.0, 6.8, [3.6] * 5, [0.5] * 5, PRIORS)
    piece = Piece(0, 0, 0, side(12), side(14))
    found = align_piece(piece, parameters, None, 1.0, least=1e-12)
    covered = np.zeros(12)
    for row, choice, value in zip(
        found.probable.rows, found.probable.choices, found.probable.values, strict=True
    ):
        covered[row - found.shapes[choice][0] : row] += value
    assert covered == pytest.approx(np.ones(12), abs=1e-6)


def _thin(pair: TextPair, links: Links) -> tuple[TextPair, Links]:
    """Return texts with four in ten target sentences left out."""
    kept = [n for n in range(len(pair.target)) if n % 10 > 3]
    left = {(s, kept.index(t)) for s, t in links if t in kept}
    return TextPair(pair.source, [pair.target[n] for n in kept]), left


def _spell_out(pair: TextPair, links: Links) -> TextPair:
    """Return texts of which one word in three is the same in both languages."""
    target = list(pair.target)
    for s, t in links:
        target[t] += " " + " ".join(pair.source[s].split()[::3])
    return TextPair(pair.source, target)


def test_missing_translations_cost_less_where_many_are_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pair, links = _make_pair(200, 6)
    thinned, left = _thin(_spell_out(pair, links), links)
    (beads,) = _align(thinned)
    _assert_complete(beads, thinned)
    monkeypatch.setattr(fitting, "MANY_NULLS", 1e9)
    (costly,) = _align(thinned)
    assert _share(beads, left) > 0.9
    assert _share(beads, left) > _share(costly, left) + 0.02


def test_texts_that_nothing_fits_are_not_left_alone() -> None:
    pair, links = _make_pair(200, 6)
    (beads,) = _align(_thin(pair, links)[0])
    assert len(_links(beads)) > 100
