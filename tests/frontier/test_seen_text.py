"""What of a page's text is new to the crawl."""

from __future__ import annotations

import tracemalloc

import pytest

from ilspfc.documents import CrawlInfo, Paragraph
from ilspfc.frontier.traps.seen_text import Novelty, SeenText, read_keys

URL = "https://a.example/page"
LONG = "Wer auf dem Dach arbeitet, sichert sich gegen den Absturz mit Gurt und Seil."
OTHER = "Ein Gerüst geht dem Gurt vor, denn es schützt alle, die dort oben arbeiten."


def add(seen: SeenText, url: str, paragraphs: list[Paragraph]) -> Novelty:
    return seen.add(read_keys(url, paragraphs))


def clean(*texts: str) -> list[Paragraph]:
    return [Paragraph(text) for text in texts]


def links(*texts: str) -> list[Paragraph]:
    return [Paragraph(text, crawlinfo=CrawlInfo.BOILERPLATE) for text in texts]


def test_text_is_new_once() -> None:
    seen = SeenText()
    first, second = add(seen, URL, clean(LONG)), add(seen, URL, clean(LONG))
    assert (first.is_new, first.is_old, first.is_copy) == (True, False, False)
    assert (second.is_new, second.is_old, second.is_copy) == (False, True, True)


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://a.example/?page=17", f"Seite 17 von 99: {LONG}"),
        ("https://a.example/?q=kran", f"Zum Kran: Seite 3 von 9: {LONG}"),
        ("https://a.example/", f"Seite 5 von 9, Sitzung a0b1c2d3e4f5: {LONG}"),
    ],
)
def test_numbers_and_words_of_the_url_are_not_new(url: str, text: str) -> None:
    seen = SeenText()
    add(seen, URL, clean(f"Seite 1 von 8: {LONG}"))
    add(seen, URL, clean(f"Zum : Seite: {LONG}", f"Seite von, Sitzung : {LONG}"))
    add(seen, "https://a.example/?q=helm", clean(f"Zum Helm: Seite 3 von 9: {LONG}"))
    assert add(seen, url, clean(text)).is_old


def test_a_fifth_of_new_text_is_not_enough() -> None:
    seen = SeenText()
    add(seen, URL, clean(*(f"{LONG} {name}" for name in "abcdefg")))
    old = [f"{LONG} {name}" for name in "abcdefg"]
    assert add(seen, URL, clean(*old, OTHER)).is_old
    assert add(seen, URL, clean(old[0], f"{OTHER} {OTHER}")).is_new


def test_little_text_is_neither_new_nor_old() -> None:
    novelty = add(SeenText(), URL, clean("Nichts gefunden"))
    assert not novelty.is_new
    assert not novelty.is_old


def test_a_list_of_other_links_is_no_copy() -> None:
    seen = SeenText()
    add(seen, URL, clean(LONG) + links(*(f"Ausgabe {n}" for n in range(20))))
    same = add(seen, URL, clean(LONG) + links(*(f"Ausgabe {n}" for n in range(20))))
    other = add(
        seen, URL, clean(LONG) + links(*(f"Ausgabe {n}" for n in range(20, 40)))
    )
    assert (same.is_copy, same.is_old) == (True, True)
    assert (other.is_copy, other.is_old) == (False, True)


def test_what_a_page_repeats_is_new_once() -> None:
    novelty = add(SeenText(), URL, clean(LONG, LONG, OTHER, LONG))
    assert novelty.new_clean == len(LONG) + len(OTHER)
    assert novelty.clean == 3 * len(LONG) + len(OTHER)


def test_a_page_without_text_is_old() -> None:
    novelty = add(SeenText(), URL, [])
    assert novelty.is_old
    assert novelty.is_copy


def test_texts_are_told_apart() -> None:
    seen = SeenText(1 << 20)
    names = [f"{a}{b}{c}" for a in "abcdefghij" for b in "klmnopqrst" for c in "uvwxyz"]
    assert all(add(seen, URL, clean(f"{LONG} {name}")).is_new for name in names)


def test_memory_is_taken_up_as_it_is_used() -> None:
    tracemalloc.start()
    add(SeenText(1 << 20), URL, clean(LONG))
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak_bytes < 300_000
