"""Decision on candidates: one-to-one, by probability and by the figures of alignment."""

from __future__ import annotations

import random
from dataclasses import replace

from ilspfc.decisions.pairs import Figures, decide_pairs
from ilspfc.documents import DocumentPair, PairState

PAIR, TAKEN, NOT_PARALLEL, UNSURE, _ = PairState

# Hardly anything is aligned; a short part is, and well.
UNRELATED, ABRIDGED = Figures(0.9, 0.4), Figures(0.9, 0.9)


def candidate(key: str, probability: float) -> DocumentPair:
    values = (("lexicon", 0.5),)
    return DocumentPair(key[0], key[1], probability, "url", values=values)


def decide(
    candidates: list[DocumentPair],
    figures: dict[tuple[str, str], Figures] | None = None,
) -> dict[str, PairState]:
    states = decide_pairs(candidates, figures or {}, threshold=0.5)
    return {pair.source + pair.target: state for pair, state in states.items()}


def test_the_most_probable_candidate_is_the_pair() -> None:
    found = decide([candidate("ax", 0.6), candidate("ay", 0.9), candidate("bx", 0.5)])
    assert found == {"ay": PAIR, "ax": TAKEN, "bx": PAIR}


def test_of_equals_the_first_by_id_is_the_pair() -> None:
    close = [candidate("bx", 0.7), candidate("ax", 0.7 - 1e-12)]
    assert decide(close) == {"ax": PAIR, "bx": TAKEN}


def test_a_refused_candidate_frees_its_documents() -> None:
    candidates = [candidate("ax", 0.9), candidate("ay", 0.6), candidate("bx", 0.5)]
    found = decide(candidates, {("a", "x"): UNRELATED})
    assert found == {"ax": NOT_PARALLEL, "ay": PAIR, "bx": PAIR}


def test_a_rival_is_refused_as_well() -> None:
    candidates = [candidate("ax", 0.9), candidate("ay", 0.6)]
    figures = {("a", "x"): UNRELATED, ("a", "y"): UNRELATED}
    assert set(decide(candidates, figures).values()) == {NOT_PARALLEL}


def test_an_abridged_translation_stays_a_pair() -> None:
    found = decide([candidate("ax", 0.6)], {("a", "x"): ABRIDGED})
    assert found == {"ax": PAIR}


def test_the_bound_belongs_to_what_it_accepts() -> None:
    figures = {("a", "x"): Figures(0.5, 0.4), ("b", "y"): Figures(0.5, 0.39)}
    found = decide([candidate("ax", 1.0), candidate("by", 1.0)], figures)
    assert found == {"ax": PAIR, "by": NOT_PARALLEL}


def test_a_less_probable_pair_needs_more_that_is_aligned() -> None:
    figures = dict.fromkeys([("a", "x"), ("b", "y")], Figures(0.4, 0.45))
    found = decide([candidate("ax", 0.8), candidate("by", 0.6)], figures)
    assert found == {"ax": PAIR, "by": NOT_PARALLEL}


def test_a_weak_candidate_gives_way_to_an_aligned_one() -> None:
    candidates = [candidate("ax", 0.9), candidate("ay", 0.6)]
    weak = {("a", "x"): Figures(0.1, 0.4), ("a", "y"): Figures(0.1, 0.9)}
    assert decide(candidates, weak) == {"ay": PAIR, "ax": TAKEN}


def test_short_pages_are_judged_by_the_words_that_units_explain() -> None:
    pairs = [candidate("ax", 0.9), candidate("by", 0.9), candidate("cz", 0.99)]
    figures = {
        ("a", "x"): Figures(explained=0.0),
        ("b", "y"): Figures(explained=-2.0),
        ("c", "z"): Figures(explained=-2.0),
    }
    assert decide(pairs, figures) == {"ax": PAIR, "by": NOT_PARALLEL, "cz": PAIR}


def test_below_the_threshold_the_words_have_to_speak_for_a_pair() -> None:
    pairs = [candidate(key, 0.4) for key in ("ax", "by", "cz")]
    figures = {
        ("a", "x"): Figures(0.1, 0.9, explained=0.0),
        ("b", "y"): Figures(0.1, 0.9, explained=-1.0),
        ("c", "z"): Figures(0.1, 0.4, explained=0.0),
    }
    assert decide(pairs, figures) == {"ax": PAIR, "by": UNSURE, "cz": UNSURE}
    assert set(decide(pairs).values()) == {UNSURE}


def test_scores_of_other_methods_are_no_probabilities() -> None:
    pairs = [replace(candidate(key, 0.1), values=()) for key in ("ax", "by", "cz")]
    figures = {
        ("a", "x"): Figures(0.1, 0.9, explained=-3.0),
        ("b", "y"): Figures(explained=-3.0),
        ("c", "z"): Figures(0.1, 0.4),
    }
    assert decide(pairs, figures) == {"ax": PAIR, "by": PAIR, "cz": NOT_PARALLEL}


def test_no_pair_is_so_probable_that_words_do_not_count() -> None:
    figures = {("a", "x"): Figures(explained=-6.0)}
    assert decide([candidate("ax", 1.0)], figures) == {"ax": NOT_PARALLEL}


def test_without_figures_nothing_is_refused() -> None:
    assert set(decide_pairs([candidate("ax", 0.6)], threshold=0.5).values()) == {PAIR}
    assert decide_pairs([], threshold=0.5) == {}


def test_the_order_of_the_candidates_plays_no_part() -> None:
    chance = random.Random(3)
    candidates = [
        candidate(source + target, chance.randint(5, 10) / 10)
        for source in "abcdef"
        for target in "uvwxyz"
    ]
    expected = decide_pairs(candidates, threshold=0.5)
    chance.shuffle(candidates)
    assert decide_pairs(candidates, threshold=0.5) == expected
    pairs = [pair for pair, state in expected.items() if state == PAIR]
    assert len({p.source for p in pairs}) == len({p.target for p in pairs}) == 6
