"""What recurs on a site: counts that are bounded, and that outlive a run."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ilspfc.cleaning import recurrence
from ilspfc.cleaning.recurrence import (
    PagePrints,
    SiteTexts,
    TextCounts,
    load_site_texts,
    save_site_texts,
)

if TYPE_CHECKING:
    from ilspfc.cleaning.recurrence import RecurringTexts

SITE = "a.example"
FOOTER, MENU, NOTE = 7, 8, 9
BATCH = 16


def make_page(content: Iterable[int], others: Iterable[int] = ()) -> PagePrints:
    marks = dict.fromkeys(others, False) | dict.fromkeys(content, True)
    prints = sorted(marks)
    return PagePrints(
        np.array(prints, np.uint64), np.array([marks[one] for one in prints])
    )


def read_pages(texts: SiteTexts, number: int, *, lang: str = "deu") -> None:
    """Count pages that all have a footer, every second one as content, and a menu."""
    for page in range(1000, 1000 + number):
        content = {page, FOOTER} if page % 4 == 0 else {page}
        texts.learn(SITE, lang, make_page(content, {FOOTER, MENU} - content))


def known(texts: SiteTexts, site: str = SITE) -> tuple[list[int], list[int]]:
    found: RecurringTexts | None = texts.known(site)
    return (found.all.tolist(), found.doubtful.tolist()) if found else ([], [])


def test_what_recurs_is_known_and_what_is_never_content_is_left_out() -> None:
    texts = SiteTexts()
    read_pages(texts, BATCH - 1)
    assert texts.known(SITE) is None, "the first batch is not full"
    read_pages(texts, 1)
    assert known(texts) == ([FOOTER], [FOOTER])
    assert texts.known("b.example") is None


@pytest.mark.parametrize(
    ("pages", "share", "min_pages", "is_known"),
    [(10, 0.05, 10, True), (9, 0.05, 10, False), (12, 0.8, 10, False)],
)
def test_share_and_number_of_pages(
    monkeypatch: pytest.MonkeyPatch,
    pages: int,
    share: float,
    min_pages: int,
    *,
    is_known: bool,
) -> None:
    monkeypatch.setattr(recurrence, "SHARE", share)
    monkeypatch.setattr(recurrence, "MIN_PAGES", min_pages)
    texts = SiteTexts()
    for page in range(1000, 1000 + BATCH):
        texts.learn(
            SITE, "deu", make_page({page, NOTE} if page < 1000 + pages else {page})
        )
    assert known(texts) == ([NOTE] if is_known else [], [])


def test_languages_are_counted_apart_and_known_together() -> None:
    texts = SiteTexts()
    langs = ("deu", "ita")
    for page in range(1000, 1000 + BATCH):
        for place, lang in enumerate(langs):
            # The note is on eight pages of each language, the footers on all of one.
            content = {page + 100 * place, FOOTER + 10 * place}
            content |= {NOTE} if page % 2 else set()
            texts.learn(SITE, lang, make_page(content))
    assert known(texts) == ([FOOTER, FOOTER + 10], [])


def test_the_order_within_a_batch_does_not_count() -> None:
    pages = [make_page({page, FOOTER}, {MENU}) for page in range(1000, 1000 + BATCH)]
    counted = []
    for some in (pages, pages[::-1]):
        counts = TextCounts(100)
        for page in some:
            counts.add(page)
        counted.append((counts.prints.tolist(), counts.counts.tolist()))
    assert counted[0] == counted[1]


def test_memory_is_bounded_and_counts_are_never_too_high() -> None:
    counts = TextCounts(200)
    random = np.random.default_rng(1)
    pages = total = 0
    on_pages: dict[int, int] = {}
    for pages in range(1, 801):
        own = random.integers(1000, 1 << 60, 20).tolist()
        prints = {*own, FOOTER, *([NOTE] if pages % 3 == 0 else [])}
        for one in prints:
            on_pages[one] = on_pages.get(one, 0) + 1
        total += len(prints)
        counts.add(make_page(prints))
        assert len(counts) <= 200
    counts.merge()
    assert counts.pages == pages
    error = total / 200
    for place, one in enumerate(counts.prints.tolist()):
        number, content = counts.counts[:, place].tolist()
        assert content == number
        assert on_pages[one] - error <= number <= on_pages[one]
    assert {FOOTER, NOTE} <= set(counts.prints.tolist())


def test_content_once_is_not_forgotten_when_counts_are_cut() -> None:
    counts = TextCounts(20)
    for page in range(64):
        own = range(1000 + 30 * page, 1030 + 30 * page)
        counts.add(make_page({*own, FOOTER} if page == 0 else own, [FOOTER]))
    counts.merge()
    place = counts.prints.tolist().index(FOOTER)
    number, content = counts.counts[:, place].tolist()
    assert number < 64, "it was cut"
    assert content == 1


def test_the_sites_that_came_last_are_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(recurrence, "MAX_SITES", 2)
    texts = SiteTexts()
    read_pages(texts, BATCH)
    texts.learn("b.example", "deu", make_page({1}))
    texts.learn(SITE, "deu", make_page({2}))
    texts.learn("c.example", "deu", make_page({3}))
    assert [site for site, _ in texts.counts] == [SITE, "c.example"]
    assert known(texts)[0] == [FOOTER]
    texts.learn("d.example", "deu", make_page({4}))
    texts.learn("e.example", "deu", make_page({5}))
    assert texts.known(SITE) is None, "forgotten with its counts"


def test_a_file_keeps_what_was_counted(tmp_path: Path) -> None:
    path, texts = tmp_path / "recurrence.npz", SiteTexts()
    read_pages(texts, BATCH + 5)
    texts.learn("b.example", "ell", make_page({1}))
    save_site_texts(texts, path)
    restored = load_site_texts(path)
    assert known(restored) == ([FOOTER], [FOOTER])
    assert list(restored.counts) == list(texts.counts)
    counts = restored.counts[SITE, "deu"]
    assert counts.pages == BATCH + 5
    assert counts.counts[0, counts.prints.tolist().index(FOOTER)] == BATCH + 5


def test_fewer_sites_are_taken_over_where_fewer_are_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, texts = tmp_path / "recurrence.npz", SiteTexts()
    for site in "abc":
        texts.learn(site, "deu", make_page({1}))
    save_site_texts(texts, path)
    monkeypatch.setattr(recurrence, "MAX_SITES", 2)
    restored = load_site_texts(path)
    assert [site for site, _ in restored.counts] == ["b", "c"]


@pytest.mark.parametrize("content", [None, b"", b"no archive", b"PK\x03\x04 broken"])
def test_without_a_readable_file_counting_starts_anew(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "recurrence.npz"
    if content is not None:
        path.write_bytes(content)
    assert not load_site_texts(path).counts
