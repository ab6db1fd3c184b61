"""Soft 404s: which addresses are asked for, and what is taken for an error page."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from ilspfc.documents import Paragraph
from ilspfc.frontier.traps.error_pages import MIN_PAGES, ErrorPages, is_soft_404
from ilspfc.frontier.traps.seen_text import read_keys

SORRY, NOTHING, SEARCH, HOME = range(1, 5)
ERROR = {SORRY, NOTHING, SEARCH, HOME, 5}


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        (ERROR, True),
        ({SORRY, SEARCH}, True),
        (ERROR | {6}, True),
        (ERROR | {7, 8}, False),
        # A page with a text of the list that the host answers with.
        ({SORRY}, False),
        ({7, 8, 9}, False),
        (set(), False),
    ],
)
def test_an_error_page_is_known_by_its_paragraphs(
    paragraphs: set[int], expected: bool
) -> None:
    assert is_soft_404(paragraphs, [{10}, ERROR]) is expected


def test_a_share_of_just_the_threshold_is_not_enough() -> None:
    page = {SORRY, NOTHING, SEARCH, HOME, 7}
    assert not is_soft_404(page, [ERROR])


def test_hosts_without_a_known_error_page_have_no_soft_404() -> None:
    assert not is_soft_404(ERROR, [])
    assert not is_soft_404(ERROR, [set()])


# -- probes ------------------------------------------------------------------------------

SITE = "https://a.example"
LOST = ["This page does not exist here.", "Please try the search or go home."]
TEXT = ["A ladder stands on firm ground.", "It is checked before each use."]


def learned(*paths: str, texts: list[str] = LOST) -> ErrorPages:
    pages = ErrorPages()
    for path in paths:
        pages.learn(SITE + path, map(Paragraph, texts))
    return pages


def has(pages: ErrorPages, url: str, texts: list[str]) -> bool:
    return pages.has(url, read_keys(url, map(Paragraph, texts)))


def test_a_host_is_asked_once_after_five_pages() -> None:
    pages = ErrorPages()
    probes = [pages.probes(f"{SITE}/de/page-{number}.html") for number in range(9)]
    assert [len(found) for found in probes] == [0, 0, 0, 0, 2, 0, 0, 0, 0]
    paths = [urlsplit(url).path for url in probes[4]]
    assert [path.rpartition("/")[0] for path in paths] == ["/de", ""]
    assert paths[0].endswith(".html")
    assert pages.probes("https://b.example/") == ()


def test_a_page_with_parameters_is_asked_for_with_another_value() -> None:
    pages = ErrorPages()
    probes = [pages.probes(f"{SITE}/show?lang=de&id=7") for _ in range(MIN_PAGES)]
    *_, probe = sorted(probes[-1], key=len)
    assert urlsplit(probe).path == "/show"
    assert urlsplit(probe).query.startswith("lang=de&id=x")


def test_an_error_page_is_known_again_whatever_it_repeats_of_the_address() -> None:
    pages = ErrorPages()
    pages.learn(f"{SITE}/xyz", map(Paragraph, ["Nothing found for xyz.", LOST[0]]))
    assert has(pages, f"{SITE}/quux", ["Nothing found for quux.", LOST[0]])
    assert not has(pages, f"{SITE}/quux", TEXT)
    assert not has(pages, "https://b.example/quux", LOST)


@pytest.mark.parametrize(
    ("path", "is_error"),
    [
        ("/", False),
        ("/index.html", False),
        ("/de", False),
        ("/de/", False),
        ("/de/index.php", False),
        ("/de/xyz", False),
        ("/it/", True),
        ("/de/other", True),
        ("/de/?id=7", True),
        ("/de/xyz/index.html", True),
    ],
)
def test_what_a_host_shows_in_the_place_of_others_is_no_error_page(
    path: str, *, is_error: bool
) -> None:
    pages = learned("/de/xyz")
    assert has(pages, SITE + path, LOST) is is_error


def test_without_an_answer_nothing_is_an_error_page() -> None:
    assert not has(ErrorPages(), f"{SITE}/a", LOST)
    assert not has(learned("/xyz", texts=[]), f"{SITE}/a", [])
    assert not has(learned("/xyz"), f"{SITE}/a", [])
