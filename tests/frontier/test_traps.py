"""Trap detection: what groups of addresses have given, and what is expected of the next."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterable
from hashlib import blake2b
from itertools import pairwise
from typing import Any

import pytest
from costs import assert_cheap
from hypothesis import given
from hypothesis import strategies as st

from ilspfc.frontier.traps import detector as traps
from ilspfc.frontier.traps.detector import TrapDetector
from ilspfc.frontier.traps.url_patterns import read_shape

SITE = "https://a.example"


def token(number: int) -> str:
    """Return a token that looks like a session's and is the same in every run."""
    return "a0" + blake2b(repr(number).encode(), digest_size=15).hexdigest()


def letters(number: int) -> str:
    """Return a name without digits, the same in every run."""
    return token(number).translate(str.maketrans("0123456789", "ghijklmnop"))


def visit(
    detector: TrapDetector, urls: Iterable[str], *, is_good: bool, **more: Any
) -> None:
    for url in urls:
        detector.record(SITE + url, is_good=is_good, **more)


def barren(detector: TrapDetector, url: str, **more: Any) -> bool:
    return detector.is_barren(SITE + url, **more)


@pytest.mark.parametrize(
    ("form", "like", "unlike"),
    [
        ("/item/{n}", "/item/99", "/article/99"),
        ("/n/{x}.html", "/n/5f3a9c21d0.html", "/m/5f3a9c21d0.html"),
        ("/?id={n}", "/?id=99", "/home?page=99"),
        ("/shop?color=v{n}", "/shop?color=red", "/sale?size=red"),
        ("/{x}/cart/{n}", "/5f3a9c21d0/cart/7", "/cart/7"),
        ("/{n}-some-words", "/99-other-words", "/x/99-other-words"),
    ],
)
def test_a_group_that_gives_nothing_new_is_barren(
    form: str, like: str, unlike: str
) -> None:
    detector = TrapDetector()
    urls = [form.format(n=n, x=token(n)) for n in range(30)]
    visit(detector, urls[:11], is_good=False)
    assert not barren(detector, like)
    visit(detector, urls[11:], is_good=False)
    assert barren(detector, like)
    assert not barren(detector, unlike)
    assert not detector.is_barren(like.join(["https://b.example", ""]))


@pytest.mark.parametrize("every", [2, 10, 40])
def test_a_group_that_gives_something_now_and_then_is_not(every: int) -> None:
    detector = TrapDetector()
    for number in range(1, 2_000):
        if number > 200:
            assert not barren(detector, f"/item/{number}")
        visit(detector, [f"/item/{number}"], is_good=number % every == 1)


def test_a_long_row_after_much_that_was_good_proves_it_too() -> None:
    detector = TrapDetector()
    visit(detector, map("/item/{}".format, range(4_000)), is_good=True)
    visit(detector, map("/item/{}".format, range(5_000, 5_030)), is_good=False)
    assert barren(detector, "/item/9999")
    visit(detector, ["/item/7"], is_good=True)
    assert not barren(detector, "/item/9999")


def test_lists_live_on_what_they_lead_to() -> None:
    detector = TrapDetector()
    lists = [f"/list?page={number}" for number in range(40)]
    visit(detector, lists, is_good=False)
    assert barren(detector, "/list?page=99")
    visit(detector, ["/item/7"], is_good=True, sources={SITE + lists[0]: 0})
    assert not barren(detector, "/list?page=99")


def test_texts_and_buttons_with_addresses_alike_are_told_apart_by_their_places() -> (
    None
):
    detector = TrapDetector()
    for number in range(240):
        place = 1 if number % 20 else 2
        is_good = place == 2 and number < 100
        visit(detector, [f"/node/{number}"], is_good=is_good, place=place)
    assert barren(detector, "/node/900", place=1)
    assert barren(detector, "/node/900")
    assert not barren(detector, "/node/900", place=2)


def test_a_place_lives_on_what_its_lists_lead_to() -> None:
    detector = TrapDetector()
    lists = [f"/list/{number}" for number in range(60)]
    for number, one in enumerate(lists):
        visit(detector, [one], is_good=False, place=1)
        if number % 10 == 0:
            found = {SITE + one: 1}
            visit(detector, [f"/item/{number}"], is_good=True, sources=found, place=2)
    assert not barren(detector, "/list/99", place=1)


def test_so_do_lists_of_lists() -> None:
    detector = TrapDetector()
    years = [f"/archive/{number}/" for number in range(40)]
    visit(detector, years, is_good=False)
    assert barren(detector, "/archive/99/")
    sources = dict.fromkeys([f"{SITE}/months/3", f"{SITE}/archive/3/"], 0)
    visit(detector, ["/item/7"], is_good=True, sources=sources)
    assert not barren(detector, "/archive/99/")


def test_a_group_with_new_text_of_late_is_judged_by_no_wider_one() -> None:
    detector = TrapDetector()
    for number in range(40):
        visit(detector, [f"/{token(number)[2:8]}/x"], is_good=False, via=SITE)
    visit(detector, ["/list?start=0"], is_good=False, via=SITE)
    assert barren(detector, "/list?start=2", via=SITE)
    visit(detector, ["/item/7"], is_good=True, sources={f"{SITE}/list?start=0": 0})
    assert not barren(detector, "/list?start=2", via=SITE)


def test_a_list_does_not_prove_that_a_part_changes_no_text() -> None:
    for is_copy in (False, True):
        detector = TrapDetector()
        names = [letters(number) for number in range(30)]
        urls = [f"/{name}/a/" for name in names]
        visit(detector, urls, is_good=False, is_copy=is_copy)
        assert barren(detector, f"/{letters(99)}/a/") is is_copy


def test_wide_groups_speak_for_what_narrow_ones_do_not_know() -> None:
    detector = TrapDetector()
    for number in range(70):
        visit(detector, [f"/index.php?a={number}&b=x"], is_good=True)
        visit(detector, [f"/index.php?c{number}=1&d=2"], is_good=False)
    assert not barren(detector, "/index.php?a=7&b=y")
    assert barren(detector, "/index.php?c99=1&d=2")


def test_links_of_pages_without_text_speak_for_each_other() -> None:
    detector = TrapDetector()
    names = [f"/{token(number)[2:8]}x/{token(-number)[2:8]}y" for number in range(40)]
    for before, url in pairwise(names):
        visit(detector, [url], is_good=False, via=SITE + before)
    assert barren(detector, "/qqq/rrr", via=SITE + names[-1])
    assert not barren(detector, "/qqq/rrr"), "found on a page with text"


@pytest.mark.parametrize(
    ("form", "page"),
    [
        ("/article/{page}?zenid={x}", "/article/other?zenid={x}"),
        ("/{x}/article/{page}", "/{x}/article/other"),
        ("/mirror{n}/{page}", "/mirror{n}/other"),
        ("/article/{page}?order=o{n}", "/article/other?order=o{n}"),
    ],
)
def test_a_part_that_changes_no_text_makes_versions(form: str, page: str) -> None:
    detector = TrapDetector()
    for number in range(60):
        names = {"page": letters(number // 2)}
        url = form.format(n=number, x=token(number), **names)
        visit(detector, [url], is_good=number % 2 == 0, is_copy=number % 2 == 1)
    known = form.format(n=99, x=token(99), **names)
    assert barren(detector, known)
    assert not barren(detector, page.format(n=99, x=token(99)))


def test_a_part_that_changes_the_text_does_not() -> None:
    detector = TrapDetector()
    for number in range(60):
        visit(detector, [f"/story.php?sid={number}"], is_good=True)
    assert not barren(detector, "/story.php?sid=99")


def test_copies_made_by_one_part_do_not_speak_against_the_others() -> None:
    detector = TrapDetector()
    visit(detector, [f"/view?id={number}&item=0" for number in range(8)], is_good=True)
    for number in range(8):
        urls = [f"/view?id={number}&item={item}" for item in range(1, 13)]
        visit(detector, urls, is_good=False, is_copy=True)
    assert barren(detector, "/view?id=3&item=99")
    assert not barren(detector, "/view?id=99&item=3")


@pytest.mark.parametrize(
    ("url", "is_odd"),
    [
        ("/a/b/a/b/a/b/", True),
        ("/en/img/en/css/en/", True),
        ("/About/about/ABOUT", True),
        ("/" + "0/" * 20, True),
        ("/?" + "&".join(["a[]=1"] * 9), True),
        ("/1/1/1", False),
        ("/a/b/a/c/a/d", False),
    ],
)
def test_odd_addresses_are_tried_less_often(url: str, is_odd: bool) -> None:
    shape = read_shape(SITE + url)
    assert (shape.own[0].trials < 20) is is_odd


# -- robustness --------------------------------------------------------------------------


@given(
    st.lists(
        st.one_of(
            st.text(max_size=60),
            st.from_regex(r"[/?&=.%0-9a-fT\-\[\]]{0,60}", fullmatch=True),
        ),
        max_size=5,
    )
)
def test_whatever_comes_is_judged_the_same_way_twice(tails: list[str]) -> None:
    first, second = TrapDetector(), TrapDetector()
    for tail in tails:
        url = f"http://a.example/{tail}"
        for detector in (first, second):
            detector.record(url, is_good=False, via=url, sources={url: 0})
        assert first.is_barren(url, via=url) == second.is_barren(url, via=url)


def test_a_url_without_a_host_is_an_error() -> None:
    with pytest.raises(ValueError, match="host"):
        TrapDetector().is_barren("/relative")


@pytest.mark.parametrize(
    "tail",
    [
        *(part * (1_900 // len(part)) for part in ("a/", "1/", "2031/", "a/b/", "/")),
        *(
            part * (1_900 // len(part))
            for part in ("1", "_", "a-1", "a-11111", "é", "%d0")
        ),
        *(
            "?" + part * (1_900 // len(part))
            for part in ("a&", "y=2031&", "a=1&", "s=1a")
        ),
        "a/" + "/".join(f"{n % 7}{n % 5}{n % 3}" for n in range(450)),
    ],
)
@pytest.mark.costs
def test_no_url_takes_long(tail: str) -> None:
    def judge() -> None:
        detector = TrapDetector()
        for number in range(10):
            detector.is_barren(f"http://a{number}.example/{tail}")

    assert_cheap(judge, steps=4_000_000, units=15.0)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traps, "MAX_GROUPS", 100)
    detector = TrapDetector()
    tracemalloc.start()
    for number in range(4_000):
        name = "".join(chr(97 + int(digit)) for digit in str(number))
        url = f"http://{name}.example/{name}/1?a={number}&{name}=2"
        detector.record(url, is_good=False)
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak_bytes < 12_000_000
