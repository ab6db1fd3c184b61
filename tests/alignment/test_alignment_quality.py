"""The score of beads: second opinion, borders, and the model that weighs them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from ilspfc.alignment.bead_scores import Parameters
from ilspfc.alignment.beads import PRIORS, Rating
from ilspfc.alignment.borders import NOISE, compare_words, join_sentences
from ilspfc.alignment.collection import align_texts
from ilspfc.alignment.lexical_score import Explainer, Table
from ilspfc.alignment.pieces import (
    Found,
    Piece,
    align_piece,
    make_program,
    make_scorer,
)
from ilspfc.alignment.pieces import weigh_all as weigh
from ilspfc.alignment.quality import (
    EVIDENCE,
    find_typical_shares,
    rate,
    read_model,
    score_beads,
    shipped_model,
)
from ilspfc.alignment.sides import Side, TextPair
from ilspfc.lexicon.ibm1 import learn_tables

WORDS = 40
UNIGRAMS, WEIGHTS = np.full(WORDS, 1 / WORDS), np.ones(WORDS, np.float32)
# Word n translates word n, as surely as a table says.
TABLES = (
    Table.make(csr_array(np.eye(WORDS)), UNIGRAMS, WEIGHTS, 0.75),
    Table.make(csr_array(np.eye(WORDS)), UNIGRAMS, WEIGHTS, 0.75),
)
PARAMETERS = Parameters(1.0, 6.8, [3.6] * 5, [0.5] * 5, PRIORS)


def make_side(*sentences: Sequence[int]) -> Side:
    ids = np.array([word for sentence in sentences for word in sentence], np.int32)
    sizes = [len(sentence) for sentence in sentences]
    offsets = np.cumsum([0, *sizes]).astype(np.int64)
    return Side(6.0 * np.array(sizes, np.float64), ids, offsets)


PLAIN = make_side(range(10), range(10, 20), range(20, 30))
# The last words of the first sentence are told at the beginning of the second one.
MOVED = make_side(range(7), range(7, 20), range(20, 30))


def test_a_clause_across_a_border_is_a_gain() -> None:
    gains = compare_words(PLAIN, MOVED, TABLES).gains
    # Three words explained instead of none, on the side where they make up less.
    each = math.log1p(WORDS / 13 / 3)
    assert gains == pytest.approx([0, 3 * each - NOISE, 0, 0])
    assert compare_words(MOVED, PLAIN, TABLES).gains == pytest.approx(gains)


def test_borders_that_are_right_gain_nothing() -> None:
    assert compare_words(PLAIN, PLAIN, TABLES).gains.tolist() == [0, 0, 0, 0]


def test_one_side_alone_gains_nothing() -> None:
    """Words that a neighbor has too say nothing."""
    repeated = make_side(range(10), [*range(10, 20), 8, 9], range(20, 30))
    assert compare_words(PLAIN, repeated, TABLES).gains.tolist() == [0, 0, 0, 0]


def test_a_sentence_left_alone_that_a_neighbor_explains_is_a_gain() -> None:
    source = make_side(range(10), range(10, 20))
    target = make_side(range(5), range(5, 10), range(10, 20))
    left_alone = join_sentences(source, np.array([1, 1, 2]))
    gains = compare_words(left_alone, target, TABLES).gains
    assert gains[1] > 1
    assert gains[2] == 0


def test_texts_without_words_gain_nothing() -> None:
    side = make_side(range(0), range(0))
    assert compare_words(side, side, TABLES).gains.tolist() == [0, 0, 0]


@pytest.mark.parametrize("block", [(0, 3), (0, 1), (1, 3), (2, 3)])
def test_tokens_are_explained_by_the_sentences_near_them(
    block: tuple[int, int],
) -> None:
    chance = np.random.default_rng(3)
    matrix = csr_array(chance.random((WORDS, WORDS)) * (chance.random(WORDS) < 0.4))
    table = Table.make(matrix, UNIGRAMS, WEIGHTS, 0.75)
    found = Explainer(PLAIN, MOVED, table).explain_near(block)
    odds = matrix.toarray() * WORDS / 3
    for sentence in range(*block):
        tokens = MOVED.ids[MOVED.offsets[sentence] : MOVED.offsets[sentence + 1]]
        start = MOVED.offsets[sentence] - MOVED.offsets[block[0]]
        for step in (-1, 0, 1):
            near = sentence + step
            words = PLAIN.ids[10 * max(near, 0) : 10 * near + 10]
            expected = np.log1p(odds[words][:, tokens].sum(axis=0) / 10)
            row = found[step + 1, start : start + tokens.size]
            assert row == pytest.approx(expected, rel=1e-5)


def test_joined_sentences_keep_their_words_and_lengths() -> None:
    joined = join_sentences(PLAIN, np.array([2, 2, 3]))
    assert joined.token_counts.tolist() == [20, 0, 10]
    assert joined.lengths.tolist() == [120, 0, 60]


def test_posteriors_of_a_path_are_those_of_the_whole_program() -> None:
    piece = Piece(0, 0, 0, PLAIN, MOVED)
    found = align_piece(piece, PARAMETERS, TABLES, 0.5)
    scorer = make_scorer(PLAIN, MOVED, PARAMETERS, TABLES)
    grid = piece.make_grid()
    weights = weigh(scorer, grid) * np.float32(0.5)
    program = make_program(scorer, grid, weights, 0.5)
    scores = program.sum_paths(weights, found.steps, None)[0]
    assert scores == pytest.approx(found.scores)


def score(piece: Piece, found: Found) -> Rating:
    """Return the rating of the only piece of a collection."""
    rating = rate(piece, found, PARAMETERS, TABLES, 0.5)
    return score_beads(rating, find_typical_shares([rating]))


def test_a_moved_clause_lowers_the_score_of_both_beads() -> None:
    scores = []
    for target in (PLAIN, MOVED):
        piece = Piece(0, 0, 0, PLAIN, target)
        found = align_piece(piece, PARAMETERS, TABLES, 0.5)
        assert found.steps.nodes == [(1, 1), (2, 2), (3, 3)]
        rating = score(piece, found)
        scores.append(rating.scores)
    assert (scores[1][:2] < scores[0][:2] - 0.1).all()
    assert scores[1][2] == pytest.approx(scores[0][2], abs=0.1)


def with_blocks(side: Side, *blocks: int) -> Side:
    return replace(side, blocks=np.array(blocks), kinds=np.zeros(len(side), np.int64))


def rate_pages(
    source: Side, target: Side
) -> tuple[list[dict[str, float]], list[float]]:
    """Return evidence and scores of the beads of two pages."""
    piece = Piece(0, 0, 0, source, target)
    found = align_piece(piece, PARAMETERS, TABLES, 0.5)
    rating = score(piece, found)
    rows = [dict(zip(EVIDENCE, row, strict=True)) for row in rating.evidence.tolist()]
    return rows, rating.scores.tolist()


def test_ends_of_paragraphs_anchor_beads() -> None:
    pages = with_blocks(PLAIN, 0, 0, 1), with_blocks(PLAIN, 0, 0, 1)
    rows, scores = rate_pages(*pages)
    assert [row["anchors"] for row in rows] == [1, 1, 2]
    assert not any(row["crossings"] for row in rows)
    assert min(scores) > 0.9
    plain, _ = rate_pages(PLAIN, PLAIN)
    assert not any(row["anchors"] for row in plain)


def test_paragraphs_joined_in_a_bead_are_doubted() -> None:
    split = make_side(range(5), range(5, 10), range(10, 30))
    joined = make_side(range(10), range(10, 30))
    blocks = with_blocks(joined, 0, 1)
    near, near_scores = rate_pages(with_blocks(split, 0, 0, 1), blocks)
    far, far_scores = rate_pages(with_blocks(split, 0, 1, 2), blocks)
    assert [row["crossings"] for row in near] == [0, 0]
    assert [row["crossings"] for row in far] == [1, 0]
    assert far_scores[0] < near_scores[0] - 0.3


def test_a_sentence_in_the_place_of_another_is_told_by_its_words() -> None:
    other = make_side(range(10), range(30, 40), range(20, 30))
    blocks = 0, 1, 2
    rows, scores = rate_pages(with_blocks(PLAIN, *blocks), with_blocks(other, *blocks))
    assert [row["words"] < -1 for row in rows] == [False, True, False]
    assert scores[1] < 0.6
    assert min(scores[0], scores[2]) > 0.9


def test_words_that_the_lexicon_does_not_know_say_nothing() -> None:
    known = np.eye(WORDS)
    known[:, 30:] = 0
    tables = (
        Table.make(csr_array(known), UNIGRAMS, WEIGHTS, 0.75),
        Table.make(csr_array(known.T), UNIGRAMS, WEIGHTS, 0.75),
    )
    near = compare_words(PLAIN, make_side(range(10), range(30, 40), range(5)), tables)
    assert near.known.tolist() == [[10, 0, 5], [10, 10, 10]]
    assert near.explained.tolist() == [[10, 0, 0], [10, 0, 0]]


def test_nothing_to_rate_has_no_scores() -> None:
    none = make_side()
    piece = Piece(0, 0, 0, none, none)
    found = align_piece(piece, PARAMETERS, TABLES, 0.5)
    rating = rate(piece, found, PARAMETERS, TABLES, 0.5)
    assert rating.scores.size == 0
    assert rating.evidence.shape == (0, len(EVIDENCE))


def test_units_have_evidence_and_sentences_left_alone_have_none() -> None:
    source = ["Es regnet im Mai 1999.", "Otto 12 kommt.", "Ende 7."]
    target = ["Piove nel maggio 1999.", "Fine 7."]
    (beads,) = align_texts([TextPair(source, target)], ("deu", "ita"), learn_tables)
    for bead in beads:
        assert (bead.evidence is None) == (not bead.source or not bead.target)
        if bead.evidence is None:
            assert bead.posterior == bead.score
        else:
            score = shipped_model(is_page=False).score(np.array([bead.evidence[1:]]))[0]
            assert bead.score == pytest.approx(score)
            assert bead.posterior == bead.evidence.posterior


def test_the_shipped_models_believe_posteriors_and_doubts_the_rest() -> None:
    for is_page, known in ((False, set()), (True, {"anchors", "words"})):
        weights = shipped_model(is_page=is_page).weights.tolist()
        signs = {name: np.sign(w) for name, w in zip(EVIDENCE, weights, strict=True)}
        assert {name for name, sign in signs.items() if sign > 0} == {
            "opinions"
        } | known


def test_a_model_of_other_evidence_is_refused() -> None:
    with pytest.raises(ValueError, match="needs bias, opinions, sentences"):
        read_model({"bias": 0.0, "opinions": 1.0})
