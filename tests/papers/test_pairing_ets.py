"""ETS (paper 001): its equations and algorithms on pages counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pairing_site import LANGS, encode, make_page, page_id
from scipy.sparse import csr_array

from ilspfc.line.comparisons import CorpusLexicon
from ilspfc.pairing.comparison import Candidates, Comparison
from ilspfc.pairing.evidence.shape import common_share
from ilspfc.papers.ets import (
    AS_PRINTED,
    EtsOptions,
    Internal,
    choose,
    find_by_neighbors,
    iterate,
    translated_share,
)


def all_pairs(rows: int, columns: int) -> Candidates:
    return Candidates(*np.divmod(np.arange(rows * columns), columns))


# -- the internal similarity -------------------------------------------------------------


def test_content_is_the_share_of_words_with_a_translation_there() -> None:
    """Of the left page's words 0, 0, 1 and 2 the dictionary has 0 and 1."""
    left = csr_array(np.array([[2, 1, 1], [0, 0, 0]], "f4"))
    right = csr_array(np.array([[1, 0, 5], [0, 3, 0], [1, 1, 1]], "f4"))
    dictionary = csr_array(np.array([[0.9, 0, 0.1], [0, 0.5, 0], [0, 0, 0]]))
    shares = translated_share(left, right, all_pairs(2, 3), dictionary)
    assert shares.tolist() == pytest.approx([2 / 4, 1 / 4, 3 / 4, 0, 0, 0])


def test_structure_is_the_common_subsequence_over_the_mean_length() -> None:
    shares = common_share(["abcd", ""], ["abd"], all_pairs(2, 1))
    assert shares.tolist() == pytest.approx([3 / 3.5, 0])


# -- the enhanced similarity -------------------------------------------------------------


def compare(
    links: dict[int, tuple[int, ...]], pages: int = 3, text_bytes: int = 0
) -> Comparison:
    """Return pages of both languages that link alike."""
    made = {}
    for lang in LANGS:
        made[lang] = [
            make_page(
                lang,
                n,
                [[f"{lang}{n}", "xname"]],
                links=tuple(page_id(lang, target) for target in links.get(n, ())),
            )
            for n in range(pages)
        ]
        made[lang] = [
            (replace(d, text_bytes=text_bytes), content) for d, content in made[lang]
        ]
    (comparison,) = encode(made).compare(*LANGS)
    return comparison


def row_of(comparison: Comparison, side: int, number: int) -> int:
    pages = (comparison.left, comparison.right)[side]
    ids = [document.id for document in pages.documents]
    return ids.index(page_id(LANGS[side], number))


def similarity_of(
    comparison: Comparison, values: dict[tuple[int, int], float]
) -> Internal:
    """Return internal similarities by the numbers of the pages; content alone."""
    size = len(comparison.left)
    grid = np.zeros((size, size))
    for (a, b), value in values.items():
        grid[row_of(comparison, 0, a), row_of(comparison, 1, b)] = value
    return Internal(all_pairs(size, size), grid.ravel(), np.zeros(size * size))


def step(
    comparison: Comparison, values: dict[tuple[int, int], float], **options: object
) -> np.ndarray:
    """Return the similarities after one iteration, by the numbers of the pages."""
    given = {"beta": 1.0, "iterations": 1, **options}
    chosen = replace(AS_PRINTED, **given)  # type: ignore[arg-type]
    *_, found = iterate(comparison, similarity_of(comparison, values), chosen)
    size = len(comparison.left)
    order = [[row_of(comparison, side, n) for n in range(size)] for side in (0, 1)]
    return found.reshape(size, size)[np.ix_(*order)]


def test_an_iteration_by_hand() -> None:
    """Page 0 links to 1 and 2: these two have one neighbor, it has two (algorithm 1)."""
    values = {(0, 0): 0.5, (1, 1): 0.8, (2, 2): 0.4, (1, 2): 0.6}
    found = step(compare({0: (1, 2)}), values, alpha=0.6)
    external = {
        (0, 0): 2 * (0.8 + 0.4) / (2 + 2),  # the greedy 0.8 leaves 0.4, not 0.6
        (1, 1): 2 * 0.5 / 2,
        (2, 2): 2 * 0.5 / 2,
        (1, 2): 2 * 0.5 / 2,
    }
    expected = {p: 0.6 * external[p] + 0.4 * values[p] for p in values}
    for pair, value in expected.items():
        assert found[pair] == pytest.approx(value / max(expected.values()))


def test_beta_weighs_content_against_structure() -> None:
    internal = Internal(all_pairs(3, 3), np.full(9, 0.5), np.full(9, 0.9))
    first, *_ = iterate(compare({}), internal, EtsOptions(beta=0.6))
    assert first.tolist() == pytest.approx([0.6 * 0.5 + 0.4 * 0.9] * 9)


def test_neighbors_are_weighed_by_their_popularity() -> None:
    """All pages link to page 0; of four pages three, so that its weight is log 5/4."""
    links = {1: (0, 2), 2: (0,), 3: (0,)}
    comparison = compare(links, pages=4)
    values = {(n, n): 1.0 for n in range(4)} | {(1, 3): 0.1}
    # The neighbors of 1 are 0 and 2; those of 3 are 0 alone.
    plain = step(comparison, values, alpha=1.0)
    assert plain[1, 3] / plain[1, 1] == pytest.approx((2 * 1 / 3) / (2 * 2 / 4))
    weighed = step(comparison, values, alpha=1.0, weights="weigh")
    home, other = np.log(5 / 4), np.log(5 / 2)
    assert weighed[1, 3] / weighed[1, 1] == pytest.approx(
        (2 * home / 3) / (2 * (home + other) / 4)
    )
    left_out = step(comparison, values, alpha=1.0, weights="leave-out")
    assert left_out[1, 3] == 0
    assert left_out[1, 1] == pytest.approx(1)


def test_the_paper_is_run_as_printed() -> None:
    assert replace(AS_PRINTED, alpha=0.15, weights="paired") == EtsOptions()
    assert (AS_PRINTED.alpha, AS_PRINTED.beta, AS_PRINTED.iterations) == (0.6, 0.6, 3)


def test_of_paired_neighbors_those_in_common_count() -> None:
    """Page 0 links to 1 and 2; of the candidates of left page 0 the right 3 links to 2 alone.

    Pages 1 and 2 are paired with themselves, .8 alike; one page of four links to each.
    """
    comparison = compare({0: (1, 2), 3: (2,)}, pages=4)
    values = {(0, 0): 0.5, (1, 1): 0.8, (2, 2): 0.8, (3, 3): 0.5, (0, 3): 0.4}
    found = step(comparison, values, alpha=1.0, weights="paired", prior=0)
    once, twice = 0.8 * np.log(5 / 2), 0.8 * np.log(5 / 3)
    assert found[0, 0] == pytest.approx(1)
    assert found[0, 3] == pytest.approx(2 * twice / (once + 2 * twice))
    less = step(comparison, values, alpha=1.0, weights="paired", prior=2)
    shares = [
        2 * twice / (once + 2 * twice + 4),
        2 * (once + twice) / (2 * (once + twice) + 4),
    ]
    assert less[0, 3] / less[0, 0] == pytest.approx(shares[0] / shares[1])


def test_pages_without_a_translation_are_no_evidence() -> None:
    """Left page 0 links to 1 and to page 3, which no right page is like."""
    comparison = compare({0: (1, 3), 2: (1,)}, pages=4)
    values = {(0, 2): 0.5, (2, 0): 0.4, (1, 1): 0.8}
    paired = step(comparison, values, alpha=1.0, weights="paired", prior=0)
    assert paired[0, 2] == paired[2, 0] == pytest.approx(1)
    printed = step(comparison, values, alpha=1.0)
    # Pages 2 have that one neighbor alone: as printed, they are the most alike.
    assert printed[0, 2] == printed[2, 0] == pytest.approx((2 * 0.8 / 3) / 0.8)


def test_pairs_are_taken_up_to_the_number_of_pages_that_are_large_enough() -> None:
    comparison = compare({}, text_bytes=100)
    candidates, likeness = all_pairs(3, 3), np.eye(3).ravel()
    assert len(choose(comparison, candidates, likeness, EtsOptions())) == 3
    assert len(choose(comparison, candidates, likeness, EtsOptions(max_pairs=2))) == 2
    assert not len(choose(comparison, candidates, likeness, EtsOptions(min_bytes=101)))


@pytest.mark.parametrize(("least", "number"), [(100, 1), (101, 0)])
def test_pages_with_little_text_are_left_out(least: int, number: int) -> None:
    pages = {lang: [make_page(lang, 0, [["xname", "xother", lang]])] for lang in LANGS}
    for some in pages.values():
        some[0] = (replace(some[0][0], text_bytes=100), some[0][1])
    encoded = encode(pages)
    (comparison,) = encoded.compare(*LANGS)
    learn = CorpusLexicon(encoded.encoder, *LANGS)
    found, _ = find_by_neighbors(comparison, EtsOptions(min_bytes=least), learn)
    assert len(found) == number
