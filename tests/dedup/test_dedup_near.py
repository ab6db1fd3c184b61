"""Near-duplicates: the paper's rule (section 3.8), whatever the order of the crawl."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ilspfc.dedup.duplicates import DedupReason
from ilspfc.dedup.hashes import DocumentParagraphs, digest_texts
from ilspfc.dedup.near import find_near_duplicates


def document(name: str, paragraphs: str, tokens: int = 0) -> DocumentParagraphs:
    """Return a document of one paragraph a letter."""
    return DocumentParagraphs(name, tokens, digest_texts(paragraphs))


def duplicates(
    *documents: DocumentParagraphs, threshold: float = 0.8
) -> dict[str, str]:
    return find_near_duplicates(documents, threshold=threshold)


@pytest.mark.parametrize(
    ("shorter", "is_duplicate"),
    [
        ("abcde", True),
        ("abcdX", False),  # 4 of 5: exactly 0.8 is not more than 0.8
        ("abcdefghX", True),  # 8 of 9
        ("abcdefghXY", False),  # 8 of 10
        ("abcdefghijklX", True),  # 12 of 13
        ("abcdefghijklXYZ", False),  # 12 of 15
        ("edcba", True),
        ("vwxyz", False),
    ],
)
def test_more_than_the_threshold_of_the_shorter_list_makes_a_duplicate(
    shorter: str, is_duplicate: bool
) -> None:
    longer = document("long", "abcdefghijklmnop")
    expected = {"short": "long"} if is_duplicate else {}
    assert duplicates(longer, document("short", shorter)) == expected
    assert duplicates(document("short", shorter), longer) == expected


@pytest.mark.parametrize("number", range(5, 505, 5))
def test_exactly_the_threshold_is_never_a_duplicate(number: int) -> None:
    """Not by the rounding of 0.8 times any length, either."""
    longer = [f"p{place}" for place in range(number * 2)]
    shared = number * 4 // 5
    shorter = longer[:shared] + [f"x{place}" for place in range(number - shared)]
    pool = [
        DocumentParagraphs("long", 0, digest_texts(longer)),
        DocumentParagraphs("short", 0, digest_texts(shorter)),
    ]
    assert find_near_duplicates(pool) == {}
    shorter[-1] = longer[-1]
    pool[1] = DocumentParagraphs("short", 0, digest_texts(shorter))
    assert find_near_duplicates(pool) == {"short": "long"}


def test_the_rest_of_the_longer_document_plays_no_part() -> None:
    assert duplicates(
        document("a", "abcdefghijklmnopqrstuvwxyz"), document("b", "abc")
    ) == {"b": "a"}


@pytest.mark.parametrize(
    ("first", "second", "gone"),
    [
        (document("a", "abcdef", 5), document("b", "abcde", 99), "b"),
        (document("a", "abcde", 5), document("b", "abcde", 6), "a"),
        (document("a", "abcde", 5), document("b", "abcde", 5), "b"),
    ],
)
def test_the_shorter_goes_then_the_one_of_fewer_tokens_then_the_larger_id(
    first: DocumentParagraphs, second: DocumentParagraphs, gone: str
) -> None:
    kept = "b" if gone == "a" else "a"
    assert duplicates(first, second) == {gone: kept}
    assert duplicates(second, first) == {gone: kept}


def test_a_repeated_paragraph_counts_once() -> None:
    assert document("a", "aaab").hashes == document("b", "ab").hashes


def test_a_document_without_clean_text_repeats_nothing() -> None:
    assert duplicates(document("a", ""), document("b", ""), document("c", "abc")) == {}


def test_a_document_that_goes_takes_no_other_with_it() -> None:
    """b repeats a and goes; c repeats only b and stays."""
    a = document("a", "abcdefghijklmnopqrst")
    b = document("b", "abcdefghijklmnopqXY")
    c = document("c", "mnopqXY")
    assert duplicates(b, c) == {"c": "b"}
    assert duplicates(a, b, c) == {"b": "a"}


def test_the_survivor_is_the_one_that_shares_most() -> None:
    a = document("a", "abcdefXYZUVW")
    b = document("b", "abcdefgh12")
    assert duplicates(a, b, document("c", "abcdefg")) == {"c": "b"}


# -- short documents ---------------------------------------------------------------------


def test_a_short_document_goes_only_for_the_very_same_paragraphs() -> None:
    chapter = document("chapter", "abcdefgh")
    assert duplicates(chapter, document("title", "a")) == {}
    assert duplicates(chapter, document("title", "ab")) == {}
    assert duplicates(chapter, document("title", "abc")) == {"title": "chapter"}
    assert duplicates(document("one", "ab"), document("two", "ab")) == {"two": "one"}


def test_three_paragraphs_are_not_short_unless_it_is_said() -> None:
    chapter = document("chapter", "abcdefgh")
    assert find_near_duplicates([chapter, document("x", "abc")]) == {"x": "chapter"}
    assert find_near_duplicates([chapter, document("x", "ab")]) == {}


def test_the_reason_is_a_word_of_the_reports() -> None:
    assert str(DedupReason.NEAR_DUPLICATE) == "near_duplicate"


# -- against all with all ----------------------------------------------------------------


def compare_all(
    documents: list[DocumentParagraphs], threshold: float
) -> dict[str, set[str]]:
    """Return for each document that goes those that it repeats, by the documented rule."""
    ordered = sorted(
        (d for d in documents if d.hashes),
        key=lambda d: (-len(d.hashes), -d.tokens, d.id),
    )
    staying: list[DocumentParagraphs] = []
    gone: dict[str, set[str]] = {}
    for candidate in ordered:
        repeated = {
            other.id: len(candidate.hashes & other.hashes)
            for other in staying
            if len(candidate.hashes & other.hashes) > threshold * len(candidate.hashes)
            and (len(candidate.hashes) >= 3 or candidate.hashes == other.hashes)
        }
        if repeated:
            most = max(repeated.values())
            gone[candidate.id] = {key for key, n in repeated.items() if n == most}
        else:
            staying.append(candidate)
    return gone


_documents = st.lists(
    st.tuples(st.text("abcdefgh", max_size=12), st.integers(0, 3)), max_size=14
).map(
    lambda drawn: [
        document(f"d{number:02}", text, tokens)
        for number, (text, tokens) in enumerate(drawn)
    ]
)


@settings(max_examples=300, deadline=None)
@given(_documents, st.sampled_from([0.0, 0.5, 0.6, 0.8, 0.99]))
def test_the_index_finds_what_comparing_all_with_all_finds(
    documents: list[DocumentParagraphs], threshold: float
) -> None:
    found = find_near_duplicates(documents, threshold=threshold)
    expected = compare_all(documents, threshold)
    assert found.keys() == expected.keys()
    assert all(survivor in expected[gone] for gone, survivor in found.items())


@settings(deadline=None)
@given(_documents, st.randoms(use_true_random=False))
def test_the_order_of_the_crawl_plays_no_part(
    documents: list[DocumentParagraphs], random: object
) -> None:
    expected = find_near_duplicates(documents)
    random.shuffle(documents)  # type: ignore[attr-defined]
    assert find_near_duplicates(documents) == expected
    assert list(find_near_duplicates(documents)) == list(expected)
    assert not expected.keys() & set(expected.values()), "survivors stay"
