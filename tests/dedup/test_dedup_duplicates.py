"""Exact duplicates, untranslated copies, and which version stays."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ilspfc.dedup.duplicates import DedupReason, Duplicate, find_duplicates
from ilspfc.dedup.hashes import DocumentParagraphs, digest_texts
from ilspfc.dedup.near import (
    SharedParagraphs,
    find_collections,
    find_near_duplicates,
    find_untranslated_copies,
)

EXACT = DedupReason.EXACT_DUPLICATE
COPY = DedupReason.UNTRANSLATED_COPY
NEAR = DedupReason.NEAR_DUPLICATE
PART = DedupReason.CONTAINED
LIST = DedupReason.COLLECTION


def document(
    name: str, paragraphs: Iterable[str], **said: object
) -> DocumentParagraphs:
    """Return an English document of one paragraph a letter, unless it is said otherwise."""
    values = {"tokens": 10, "lang": "eng", "url": f"http://a.org/{name}", **said}
    return DocumentParagraphs(name, digests=digest_texts(paragraphs), **values)  # type: ignore[arg-type]


def found(*documents: DocumentParagraphs) -> dict[str, tuple[str, DedupReason]]:
    duplicates = find_duplicates(documents)
    assert find_duplicates(reversed(documents)) == duplicates
    return {name: (one.survivor, one.reason) for name, one in duplicates.items()}


# -- the very same text ------------------------------------------------------------------


def test_the_very_same_text_is_an_exact_duplicate() -> None:
    pool = [document("a", "abcdef"), document("b", "abcdef"), document("c", "abcdef")]
    assert found(*pool) == {"b": ("a", EXACT), "c": ("a", EXACT)}


@pytest.mark.parametrize(
    ("typeset", "typed"),
    [
        ("She said: “It’s ‘new’.”", "She said: \"It's 'new'.\""),
        ("Er sagte: „Gut.“", 'Er sagte: "Gut."'),
        ("Il dit : «\u00a0Oui\u202f!\u00a0»", "Il dit : « Oui ! »"),
        ("Bees — and wasps – fly…", "Bees -- and wasps - fly..."),
        ("An e\u00adco\u00adnomic o\ufb03ce", "An economic office"),
        ("l´arte, l`arte", "l'arte, l'arte"),
        ("cafe\u0301 at５：００", "caf\u00e9 at5:00"),
    ],
)
def test_typography_makes_no_difference(typeset: str, typed: str) -> None:
    one = document("a", [typeset, *"bcd"])
    assert found(one, document("b", [typed, *"bcd"])) == {"b": ("a", EXACT)}


@pytest.mark.parametrize(
    ("text", "other"),
    [("Yes", "yes"), ("Yes.", "Yes"), ("a-b", "ab"), ("résumé", "resume"), ("5", "6")],
)
def test_letters_and_signs_make_a_difference(text: str, other: str) -> None:
    assert found(document("a", [text, *"b"]), document("b", [other, *"b"])) == {}


def test_another_order_of_paragraphs_is_no_exact_duplicate() -> None:
    assert found(document("a", "abcdef"), document("b", "abcdfe")) == {"b": ("a", NEAR)}


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"foreign_marks": 0, "url": "http://a.org/long"}, {"foreign_marks": 1}),
        ({"foreign_marks": 1, "url": "http://a.org/long"}, {"foreign_marks": 2}),
        ({"own_marks": 1, "url": "http://a.org/long"}, {}),
        ({"foreign_marks": 1, "own_marks": 2}, {"foreign_marks": 2, "own_marks": 9}),
        ({"url": "http://a.org/"}, {"url": "http://a.org/print"}),
    ],
)
def test_the_better_version_stays_whatever_its_id(
    better: dict[str, object], worse: dict[str, object]
) -> None:
    one, other = document("z", "abcd", **better), document("y", "abcd", **worse)
    assert found(one, other).keys() == {"y"}
    one, other = document("y", "abcd", **better), document("z", "abcd", **worse)
    assert found(one, other).keys() == {"z"}


def test_five_thousand_identical_pages_leave_one() -> None:
    pool = [document(f"{number:04}", "abcdef") for number in range(5000)]
    duplicates = find_duplicates(pool)
    assert len(duplicates) == 4999
    assert set(duplicates.values()) == {Duplicate("0000", EXACT)}


# -- versions that name the original ------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"), [("abcdef", EXACT), ("abcdefg", NEAR), ("abcde", NEAR)]
)
def test_the_version_that_another_names_stays(text: str, reason: DedupReason) -> None:
    """By its words and its URL the other one would stay, and the longer one."""
    old = document("a", text, url_words=4, original="the-current-one")
    assert found(old, document("the-current-one", "abcdef", url_words=3)) == {
        "a": ("the-current-one", reason)
    }


def test_all_older_versions_go_and_their_original_may_go_as_well() -> None:
    pool = [document(name, "abcdef", original="current") for name in ("1", "2")]
    pool.append(document("current", "abcdef", original="current"))
    assert found(*pool) == {"1": ("current", EXACT), "2": ("current", EXACT)}
    best = document("0", "abcdef")
    assert found(*pool, best) == dict.fromkeys(("1", "2", "current"), ("0", EXACT))


@pytest.mark.parametrize(
    ("text", "said", "gone"),
    [
        ("abcdef", {"lang": "deu"}, {"z"}),  # in another language
        ("abcdef", {"foreign_marks": 1}, {"z"}),  # marked as such
        ("abcdef", {"original": "a"}, {"z"}),  # each names the other
        ("abcd", {}, {"z"}),  # a part
        ("abcdefghij", {}, {"a"}),
        ("uvwxyz", {}, set()),  # another text: the home page, the first page of a list
    ],
)
def test_what_is_named_may_be_no_original(
    text: str, said: dict[str, object], gone: set[str]
) -> None:
    named = document("z", text, **said)
    assert found(document("a", "abcdef", original="z"), named).keys() == gone
    assert found(document("a", "abcdef"), named).keys() == gone


def test_one_paragraph_in_common_makes_no_version_of_short_documents() -> None:
    pool = [document("a", "ab", original="z"), document("z", "ac")]
    assert find_duplicates(pool, threshold=0.4) == {}


# -- copies in the folder of another language --------------------------------------------


def test_the_same_text_under_another_language_is_an_untranslated_copy() -> None:
    original = document("z", "abcdef", url="http://a.org/en/help/")
    copy = document("a", "abcdef", url="http://a.org/de/", foreign_marks=1)
    assert found(original, copy) == {"a": ("z", COPY)}


def test_a_copy_with_a_line_of_its_own_is_longer_and_goes_all_the_same() -> None:
    original = document("z", "abcdef")
    copy = document("a", "!abcdef", tokens=20, foreign_marks=1)
    assert found(original, copy) == {"a": ("z", COPY)}
    # Without the mark the paper's rule keeps the longer one.
    assert found(original, document("a", "!abcdef")) == {"z": ("a", NEAR)}


def test_of_a_post_and_a_list_of_it_alone_the_post_stays() -> None:
    pool = [
        document("a-long-title", "abcdef", url_words=3),
        document("label", "abcdef"),
    ]
    assert found(*pool) == {"label": ("a-long-title", EXACT)}


def test_a_marked_document_that_holds_much_more_is_no_copy() -> None:
    book = document("a", "abcdefghijklmnop", foreign_marks=1)
    assert found(document("z", "abcdef"), book) == {"z": ("a", PART)}


def test_of_two_marked_documents_none_is_the_original() -> None:
    pool = [document("a", "abcdef", foreign_marks=1)]
    pool.append(document("b", "abcdef", foreign_marks=1))
    assert found(*pool) == {"b": ("a", EXACT)}
    assert find_untranslated_copies(pool) == {}


def test_a_text_that_was_taken_for_two_languages_stays_once() -> None:
    one, other = document("a", "abc"), document("b", "abc", lang="deu")
    assert found(one, other) == {"b": ("a", COPY)}


def test_names_and_numbers_may_be_the_same_in_two_languages() -> None:
    assert found(document("a", "ab"), document("b", "ab", lang="deu")) == {}
    assert found(document("a", "ab"), document("b", "ab")) == {"b": ("a", EXACT)}


def test_near_duplicates_are_of_one_language() -> None:
    pool = [document("a", "abcdefgh"), document("b", "abcdefg", lang="deu")]
    assert found(*pool) == {}


def test_a_short_copy_has_the_very_same_paragraphs() -> None:
    original = document("z", "ab")
    assert found(original, document("a", "ba", foreign_marks=1)) == {"a": ("z", COPY)}
    assert found(original, document("a", "a", foreign_marks=1)) == {}


def test_the_survivor_is_one_that_stays() -> None:
    """The original of the copy is a near-duplicate of a longer page itself."""
    pool = [
        document("a", "abcdefghijkl"),
        document("b", "abcdef"),
        document("c", "abcdef!", foreign_marks=1),
    ]
    assert found(*pool) == {"b": ("a", PART), "c": ("a", COPY)}


def test_equally_long_near_duplicates_stay_by_their_marks_first() -> None:
    """Too different to be a copy of the other, by the longer list."""
    pool = [
        document("z", "abcde12345", tokens=1),
        document("a", "abcde12346", tokens=9, foreign_marks=1),
    ]
    assert find_near_duplicates(pool) == {"a": "z"}


def test_equally_long_near_duplicates_stay_by_their_own_marks_next() -> None:
    pool = [
        document("z", "abcde12345", tokens=1, own_marks=1),
        document("a", "abcde12346", tokens=9),
    ]
    assert find_near_duplicates(pool) == {"a": "z"}


# -- parts of longer pages ---------------------------------------------------------------


def test_a_page_that_stands_within_a_longer_one_is_contained() -> None:
    """Four of its five paragraphs would be too few, and all are but half of the other."""
    pool = [document("faq", "abcdefghij"), document("press", "abcde")]
    assert found(*pool) == {"press": ("faq", PART)}
    assert found(pool[0], document("press", "abcd!")) == {}


@pytest.mark.parametrize(("shared", "reason"), [(8, PART), (9, NEAR)])
def test_a_version_has_most_of_the_longer_page_too(
    shared: int, reason: DedupReason
) -> None:
    whole = "abcdefghij"
    assert found(document("a", whole), document("b", whole[:shared])) == {
        "b": ("a", reason)
    }


def test_what_is_called_foreign_more_often_is_no_part() -> None:
    half = document("half", "abcde", foreign_marks=1)
    assert found(document("whole", "abcdefghij"), half) == {"half": ("whole", NEAR)}


# -- documents that repeat others ---------------------------------------------------------


def test_the_archive_of_a_blog_goes_and_its_posts_stay() -> None:
    posts = [document("p", "abcd"), document("q", "efgh"), document("r", "ijkl")]
    assert found(*posts, document("archive", "!abcdefghijkl")) == {
        "archive": ("p", LIST)
    }


def test_a_list_of_teasers_goes() -> None:
    posts = [document("p", "abcde"), document("q", "fghij"), document("r", "klmno")]
    assert found(*posts, document("list", "abfgkl")) == {"list": ("p", LIST)}


def test_an_archive_goes_that_a_larger_one_repeats() -> None:
    posts = [document("p", "abcd"), document("q", "efgh"), document("r", "ijkl")]
    lists = [document("tag", "abcdefgh"), document("author", "abcdefghijkl")]
    gone = {"tag": ("p", LIST), "author": ("p", LIST)}
    assert found(*posts, *lists) == gone


@pytest.mark.parametrize(
    ("paragraphs", "goes"), [("abcdefgh12", False), ("abcdefgh1", True)]
)
def test_a_page_with_text_of_its_own_stays(paragraphs: str, goes: bool) -> None:
    """Eight of ten paragraphs are no more than the threshold, and its parts go."""
    posts = [document("p", "abcd"), document("q", "efgh")]
    whole = document("whole", paragraphs)
    expected = {"whole": ("p", LIST)} if goes else dict.fromkeys("pq", ("whole", PART))
    assert found(*posts, whole) == expected


def test_what_is_on_all_pages_makes_no_collection_of_one_page() -> None:
    """The form below a product repeats its text, and other products have the rest."""
    pool, forms = [], []
    for size, name in enumerate("abcdefghijkl", 5):
        page = [f"{name}{n}" for n in range(size)]
        pool.append(document(name, [*page, "price", "reviews", "related", "basket"]))
        forms.append(document(f"{name}-form", page))
    assert found(*pool, *forms) == {
        form.id: (one.id, PART) for one, form in zip(pool, forms, strict=True)
    }


CHAPTERS = [document("p", "abcdefg"), document("q", "hijklm")]


def test_a_manual_stays_with_the_only_copy_of_a_chapter() -> None:
    """Three paragraphs in a row may be a page of their own that was not fetched."""
    expected = {"p": ("whole", PART), "q": ("whole", PART)}
    assert found(*CHAPTERS, document("whole", "abcdefg123hijklm")) == expected
    assert found(*CHAPTERS, document("list", "1abcdefg23hijklm")) == {
        "list": ("p", LIST)
    }


def test_of_collections_with_the_only_copy_of_a_part_the_shortest_stays() -> None:
    pool = [*CHAPTERS, document("r", "nopqrst"), document("month", "abcdefg123hijklm")]
    assert found(*pool, document("year", "abcdefg123hijklmnopqrst")) == {
        "p": ("month", PART),
        "q": ("month", PART),
        "year": ("month", LIST),
    }


def test_what_a_page_in_another_language_has_is_no_part_of_its_own() -> None:
    """Archives of a blog in two languages have the examples of all posts."""
    pool = [*CHAPTERS, document("archive", "abcdefg123hijklm")]
    assert found(*pool, document("s", "wxyz123", lang="deu")) == {
        "archive": ("p", LIST)
    }


def test_a_thread_stays_whose_posts_have_pages_of_their_own() -> None:
    posts = [document(f"post{one}", one) for one in "abcdef"]
    assert found(*posts, document("thread", "abcdef")) == {}


def test_what_repeats_one_document_is_a_version_of_it() -> None:
    pool = [document("a", "abcdefghi"), document("print", "abcdefghi!")]
    assert found(*pool, document("tag", "xyzabcd")) == {"a": ("print", NEAR)}


def test_the_archive_of_one_post_goes() -> None:
    """Its URL has no words of the heading; of versions with like URLs the longer stays."""
    post = document("post", "abcdef", url_words=3)
    assert found(post, document("month", "!abcdef", url_words=1)) == {
        "month": ("post", LIST)
    }
    assert found(post, document("whole", "abcdef!", url_words=3)) == {
        "post": ("whole", NEAR)
    }


def test_what_is_called_foreign_more_often_replaces_no_collection() -> None:
    posts = [document("p", "abcd", foreign_marks=1), document("q", "efgh")]
    assert found(*posts, document("whole", "abcdefgh")) == {
        "p": ("whole", NEAR),
        "q": ("whole", PART),
    }


def found_with(
    links: dict[str, list[str]], *documents: DocumentParagraphs
) -> dict[str, tuple[str, DedupReason]]:
    duplicates = find_duplicates(documents, named=lambda one: links.get(one, []))
    return {name: (one.survivor, one.reason) for name, one in duplicates.items()}


def test_a_list_of_short_posts_goes_that_it_links_to() -> None:
    """Without links the third post is contained; posts of one or two paragraphs are no parts."""
    documents = [
        document(name, text)
        for name, text in {
            "list": "Aabc Bd Ce",
            "A": "Aabc ",
            "B": "Bd",
            "C": "Ce",
        }.items()
    ]
    assert found(*documents) == {"A": ("list", DedupReason.CONTAINED)}
    links = {"list": ["A", "B", "C", "elsewhere", "list"]}
    gone = {"list": ("A", DedupReason.COLLECTION)}
    assert found_with(links, *documents) == gone
    assert found_with(links, *documents[::-1]) == gone
    links["list"].remove("A")
    assert found_with(links, *documents) == found(*documents)


def test_a_list_of_beginnings_of_longer_posts_goes() -> None:
    posts = [document("A", "Aabefghijk"), document("B", "Blmnopqrstu")]
    teasers, whole = document("list", "AaBlCcd"), document("C", "Ccd")
    links = {"list": ["A", "B", "C"]}
    assert found(*posts, teasers, whole) == {"C": ("list", DedupReason.CONTAINED)}
    assert found_with(links, *posts, teasers, whole) == {
        "list": ("C", DedupReason.COLLECTION)
    }


@pytest.mark.parametrize(
    ("page", "parts"),
    [
        ("AaBbX", ["Aa", "Bb"]),  # a paragraph of its own
        ("abcdefg", ["xyzabc", "uvwdefg"]),  # not by their beginnings
        ("Aabcdefghi", ["Aabcdefghi!?.", "i"]),  # a version of one
        ("AaB", ["Aa", "B"]),  # too short
    ],
)
def test_what_links_to_its_parts_may_be_no_list(page: str, parts: list[str]) -> None:
    names = [f"part{number}" for number in range(len(parts))]
    documents = [document("page", page), *map(document, names, parts)]
    assert found_with({"page": names}, *documents) == found(*documents)


def test_of_lists_that_link_to_each_other_one_stays() -> None:
    """The pages of the posts A to C are not in the corpus."""
    lists = document("one", "AaBbCcDd"), document("two", "BbAaCcEe")
    rest = document("D", "Dd"), document("E", "Ee")
    links = {"one": ["two", "D"], "two": ["one", "E"]}
    gone = {"one": ("two", DedupReason.COLLECTION)}
    assert found_with(links, *lists, *rest) == gone
    assert found_with(links, *rest, *lists[::-1]) == gone


# -- bad input ---------------------------------------------------------------------------


def test_no_documents_have_no_duplicates() -> None:
    assert find_duplicates([]) == {}
    assert find_near_duplicates([]) == {}
    assert find_collections([]) == {}
    assert find_untranslated_copies([]) == {}


def test_documents_without_text_stay() -> None:
    assert found(*(document(name, "") for name in "abc")) == {}


# -- the index ---------------------------------------------------------------------------


def test_digests_that_begin_alike_are_told_apart() -> None:
    same, digests = b"12345678", (b"abcdefgh", b"ijklmnop")
    pool = [
        DocumentParagraphs(name, 1, same + digests[end])
        for name, end in (("a", 0), ("b", 1), ("c", 0))
    ]
    assert find_near_duplicates(pool) == {"c": "a"}
    assert [len(SharedParagraphs(pool)[place]) for place in range(3)] == [1, 0, 1]


def compare_all(documents: list[DocumentParagraphs]) -> dict[str, set[str]]:
    """Return the originals that each untranslated copy may have, by the documented rule."""
    copies: dict[str, set[str]] = {}
    for one in documents:
        for other in documents:
            shared = len(one.hashes & other.hashes)
            longer = max(len(one.hashes), len(other.hashes))
            is_short = len(one.hashes) < 3
            if (
                other.foreign_marks < one.foreign_marks
                and shared > 0.8 * longer
                and (not is_short or one.hashes == other.hashes)
            ):
                copies.setdefault(one.id, set()).add(other.id)
    return copies


_pools = st.lists(
    st.tuples(st.text("abcdefg", max_size=9), st.integers(0, 3)), max_size=12
).map(
    lambda drawn: [
        document(f"d{number:02}", text, foreign_marks=marks)
        for number, (text, marks) in enumerate(drawn)
    ]
)


@settings(max_examples=200, deadline=None)
@given(_pools)
def test_all_copies_are_found(documents: list[DocumentParagraphs]) -> None:
    copies, expected = find_untranslated_copies(documents), compare_all(documents)
    assert copies.keys() == expected.keys()
    assert all(original in expected[copy] for copy, original in copies.items())


@settings(max_examples=100, deadline=None)
@given(_pools, st.randoms(use_true_random=False))
def test_the_order_plays_no_part_and_survivors_stay(
    documents: list[DocumentParagraphs], random: object
) -> None:
    duplicates = find_duplicates(documents)
    random.shuffle(documents)  # type: ignore[attr-defined]
    assert find_duplicates(documents) == duplicates
    assert not duplicates.keys() & {one.survivor for one in duplicates.values()}


def test_paragraphs_are_told_by_their_md5() -> None:
    one = document("a", ["Text"])
    assert one.digests == hashlib.md5(b"Text", usedforsecurity=False).digest()
