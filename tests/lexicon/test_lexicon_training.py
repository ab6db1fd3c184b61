"""IBM Model 1, against an implementation by the book."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ilspfc.lexicon import bags, cooccurrence, ibm1
from ilspfc.lexicon.ibm1 import Options, train
from ilspfc.text.vocabulary import Segments, Vocabulary

if TYPE_CHECKING:
    from ilspfc.lexicon.translation_model import Lexicon

Pairs = list[tuple[list[int], list[int]]]
SIZES = (12, 15)


def _segments(rows: Sequence[Sequence[int]]) -> Segments:
    offsets = np.cumsum([0, *map(len, rows)])
    return Segments(np.array([n for row in rows for n in row], np.int32), offsets)


def _train(pairs: Pairs, sizes: tuple[int, int] = SIZES, **keywords: Any) -> Lexicon:
    source, target = zip(*pairs, strict=True)
    return train(_segments(source), _segments(target), sizes, **keywords)


def _make_pairs(number: int, seed: int = 1, longest: int = 6) -> Pairs:
    random = np.random.default_rng(seed)
    return [
        (
            random.integers(SIZES[0], size=random.integers(1, longest)).tolist(),
            random.integers(SIZES[1], size=random.integers(1, longest)).tolist(),
        )
        for _ in range(number)
    ]


def _book(
    pairs: Pairs, size: int, weights: Sequence[float], options: Options
) -> dict[tuple[int, int], float]:
    """Model 1 with an empty word, by the book; the discount at the end."""
    table: dict[tuple[int | None, int], float] = {}
    for given, found in pairs:
        table |= dict.fromkeys(product(given, found), 1.0)
    degrees = Counter(e for e, _ in table)
    table = {(e, f): 1 / degrees[e] for e, f in table}
    table |= {(None, f): 1 / size for f in range(size)}
    counts: dict[tuple[int | None, int], float] = {}
    totals: dict[int | None, float] = {}
    for _ in range(options.iterations):
        counts, totals = defaultdict(float), defaultdict(float)
        for (given, found), weight in zip(pairs, weights, strict=True):
            for f in found:
                words = [*given, None] if options.use_null else given
                norm = sum(table[e, f] for e in words)
                for e in words:
                    share = weight * table[e, f] / norm
                    counts[e, f] += share
                    totals[e] += share
        table |= {(e, f): n / totals[e] for (e, f), n in counts.items()}
    return {
        (e, f): (n - options.discount) / (totals[e] + 1)
        for (e, f), n in counts.items()
        if e is not None and n > options.discount
    }


def _cells(matrix: Any) -> dict[tuple[int, int], float]:
    table = matrix.tocoo()
    cells = zip(
        table.row.tolist(), table.col.tolist(), table.data.tolist(), strict=True
    )
    return {(row, column): value for row, column, value in cells}


@pytest.mark.parametrize(
    "options", [Options(), Options(iterations=4, discount=0.3, use_null=False)]
)
@pytest.mark.parametrize("chunk_places", [1 << 20, 50])
def test_both_tables_are_those_of_the_book(
    monkeypatch: pytest.MonkeyPatch, options: Options, chunk_places: int
) -> None:
    monkeypatch.setattr(cooccurrence, "CHUNK_PLACES", chunk_places)
    pairs = _make_pairs(60)
    weights = np.random.default_rng(2).uniform(0.1, 1, len(pairs))
    lexicon = _train(pairs, weights=weights, options=options)
    turned = [(target, source) for source, target in pairs]
    for table, book in (
        (lexicon.forward, _book(pairs, SIZES[1], weights.tolist(), options)),
        (lexicon.backward, _book(turned, SIZES[0], weights.tolist(), options)),
    ):
        cells = _cells(table)
        assert cells.keys() == book.keys()
        assert len(cells) > 10
        for key, value in cells.items():
            assert value == pytest.approx(book[key])


def test_a_large_lexicon_is_the_same_and_not_sent_to_another_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran: list[str] = []

    def run_backward_first(function: Any, tasks: Any, shared: Any) -> Iterator[Any]:
        ran.extend(map(str, tasks))
        found = [function(shared, task) for task in reversed(tasks)]
        yield from reversed(found)

    pairs = _make_pairs(60)
    shared = _train(pairs, run=run_backward_first)
    assert len(ran) == 2
    monkeypatch.setattr(ibm1, "MAX_SHARED_PLACES", 0)
    alone = _train(pairs, run=run_backward_first)
    assert len(ran) == 2
    for one, other in (
        (shared.forward, alone.forward),
        (shared.backward, alone.backward),
    ):
        assert _cells(one) == _cells(other)
    found, same = shared.entries(0.0, 1), alone.entries(0.0, 1)
    assert found.segments.tolist() == same.segments.tolist()


def test_the_order_of_the_segments_does_not_matter() -> None:
    pairs = _make_pairs(60)
    weights, documents = np.linspace(0.1, 1, 60), np.arange(60) % 7
    lexicon = _train(pairs, weights=weights, documents=documents)
    order = np.random.default_rng(3).permutation(60)
    other = _train(
        [pairs[n] for n in order], weights=weights[order], documents=documents[order]
    )
    for name in ("forward", "backward"):
        table, again = getattr(lexicon, name), getattr(other, name)
        assert table.data.tobytes() == again.data.tobytes()
        assert table.indices.tobytes() == again.indices.tobytes()
    assert lexicon.candidates.documents.tolist() == other.candidates.documents.tolist()


def test_translations_are_found() -> None:
    pairs = [([n, (n + 3) % 10], [(n + 3) % 10, n]) for n in range(10)] * 3
    entries = _train(pairs, (10, 10)).entries()
    best = entries.take(entries.scores > 0.3)
    assert best.sources.tolist() == best.targets.tolist() == list(range(10))
    assert set(best.segments.tolist()) == {6}


def test_support_counts_segments_and_documents() -> None:
    pairs: Pairs = [([0], [0]), ([0, 0], [0]), ([0, 1], [0, 1]), ([1], [1])]
    lexicon = _train(pairs, (2, 2), documents=np.array([4, 4, 9, 9]))
    found = lexicon.entries(min_segments=1)
    counts = {
        (s, t): (n, d)
        for s, t, n, d in zip(
            found.sources.tolist(),
            found.targets.tolist(),
            found.segments.tolist(),
            found.documents.tolist(),
            strict=True,
        )
    }
    assert counts == {(0, 0): (3, 2), (1, 1): (2, 1)}
    assert len(lexicon.entries(min_segments=3)) == 1
    assert lexicon.entries(min_pairs=2).sources.tolist() == [0]
    assert len(lexicon.entries(min_score=1.0)) == 0


def test_the_matrix_has_the_scores() -> None:
    lexicon = _train(_make_pairs(60))
    entries = lexicon.entries(0.1)
    matrix = lexicon.entries(0.1).matrix()
    assert matrix.shape == SIZES
    assert matrix.nnz == len(entries) > 0
    forward, backward = lexicon.forward.toarray(), lexicon.backward.toarray()
    expected = np.sqrt(forward * backward.T)
    expected[expected < 0.1] = 0
    assert np.allclose(matrix.toarray(), expected)


def test_what_is_seen_once_does_not_confirm_itself() -> None:
    lexicon = _train([([0, 1], [0, 1])], (2, 2))
    assert lexicon.forward.nnz == 0
    assert len(lexicon.entries(min_segments=0)) == 0


def test_a_prior_counts_by_its_strength() -> None:
    options = Options(use_null=False)
    prior = (
        np.array([0, 2, 2], np.int32),
        np.array([0, 1, 1], np.int32),
        np.array([0.8, 0.1, 0.4]),
    )
    lexicon = _train([([0], [0])] * 3, (3, 2), prior=prior, options=options)
    cells = _cells(lexicon.forward)
    # Word 0 has three counts, one of them discounted; word 2 was never seen.
    assert cells[0, 0] == pytest.approx((3 - 1 + 4) / (3 + 1 + 4))
    assert cells[2, 1] == pytest.approx(2 / (0 + 1 + 2))
    assert len(lexicon.entries(min_segments=0, min_pairs=0)) == 2
    assert lexicon.entries().sources.tolist() == [0]


def test_a_prior_tells_apart_what_always_stands_together() -> None:
    prior = (np.array([0], np.int32), np.array([0], np.int32), np.array([0.8]))
    lexicon = _train([([0, 1], [0, 1])] * 5, (2, 2), prior=prior)
    table = lexicon.forward.toarray()
    assert table[0, 0] > 2 * table[0, 1]
    assert table[1, 1] > 2 * table[1, 0]


def test_a_word_keeps_its_likeliest_translations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ibm1, "MAX_TRANSLATIONS", 3)
    pairs: Pairs = [([0], [n]) for n in range(10) for _ in range(n + 2)]
    lexicon = _train(pairs, (1, 10))
    assert lexicon.forward.indices.tolist() == [7, 8, 9]


def test_unlikely_translations_can_be_left_out_of_the_tables() -> None:
    pairs = _make_pairs(80)
    everything = _train(pairs, options=Options(discount=0))
    likely = _train(pairs, options=Options(discount=0, min_probability=0.1**2))
    assert likely.forward.data.min() >= 0.1**2 > everything.forward.data.min()
    # The score of an entry is the mean of both probabilities.
    found = [
        lexicon.entries(min_score=0.1).matrix() for lexicon in (everything, likely)
    ]
    assert found[0].nnz
    assert (found[0] != found[1]).nnz == 0


def test_long_segments_are_cut_at_the_same_shares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bags, "MAX_TOKENS", 100)
    source = np.arange(450, dtype=np.int32)
    pair: Pairs = [(source.tolist(), source.tolist())] * 4
    lexicon = _train(pair, (450, 450), options=Options(discount=0))
    table = lexicon.forward.tocoo()
    assert (abs(table.row - table.col) < 100).all()
    assert np.unique(table.row).size == 450


def test_of_many_segments_the_same_sample_is_taken() -> None:
    pairs = _make_pairs(80)
    everything = _train(pairs, options=Options(discount=0))
    options = Options(discount=0, max_places=300)
    lexicon = _train(pairs, options=options)
    again = _train(pairs[::-1], options=options)
    assert lexicon.forward.data.tobytes() == again.forward.data.tobytes()
    assert 0 < lexicon.forward.nnz < everything.forward.nnz


@pytest.mark.parametrize(
    "pairs", [[], [([], [1])], [([-1], [1])], [([], []), ([2], [])]], ids=str
)
def test_nothing_is_learned_from_nothing(pairs: Pairs) -> None:
    source = _segments([left for left, _ in pairs])
    target = _segments([right for _, right in pairs])
    lexicon = train(source, target, SIZES)
    assert lexicon.forward.shape == SIZES
    assert lexicon.entries().matrix().nnz == 0


def test_pairs_without_weight_are_left_out() -> None:
    pairs: Pairs = [([0], [0])] * 3 + [([1], [1])] * 3
    weights = np.array([1.0] * 3 + [0.0] * 3)
    assert _train(pairs, (2, 2), weights=weights).entries().sources.tolist() == [0]


def test_unequal_numbers_are_refused() -> None:
    one, two = _segments([[0]]), _segments([[0], [1]])
    with pytest.raises(ValueError, match="target: 2 for 1 source segments"):
        train(one, two, SIZES)
    with pytest.raises(ValueError, match="weights: 2 for 1 source segments"):
        train(one, one, SIZES, weights=np.ones(2))
    with pytest.raises(ValueError, match="word number 1 in a vocabulary of 1"):
        train(two, two, (1, 2))
    prior = (np.array([9], np.int32), np.array([0], np.int32), np.ones(1))
    with pytest.raises(ValueError, match="prior: word number beyond a vocabulary of 2"):
        train(one, one, (2, 2), prior=prior)


def test_entries_are_spelled_and_numbered() -> None:
    source, target = Vocabulary(["ja", "nein"]), Vocabulary(["sì", "no"])
    pairs: Pairs = [([0], [0])] * 4 + [([1], [1])] * 4
    lexicon = _train(pairs, (2, 2))
    spelled = lexicon.entries().spell(source, target)
    assert [(e.source, e.target, e.segments) for e in spelled] == [
        ("ja", "sì", 4),
        ("nein", "no", 4),
    ]
