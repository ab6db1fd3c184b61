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
    assert (first.is_new, first.is_copy) == (True, False)
    assert (second.is_new, second.is_copy) == (False, True)


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
    assert not add(seen, url, clean(text)).is_new


def test_words_beside_numbers_are_dates() -> None:
    seen = SeenText()
    add(seen, URL, clean("Am Montag, 3. März 2031, steht nichts im Kalender."))
    other = clean("Am Freitag, 9. Mai 2032, steht nichts im Kalender.")
    assert not add(seen, URL, other).is_new


def test_tables_of_numbers_differ_by_their_numbers() -> None:
    seen = SeenText()
    first, second = "Wert 17 40 3 99 1250 6 71 88 12", "Wert 18 41 9 70 1310 5 73 80 11"
    assert add(seen, URL, clean(first)).is_new
    assert add(seen, URL, clean(second)).is_new
    assert not add(seen, URL, clean(second)).is_new


def test_a_paragraph_is_new_however_much_old_text_is_beside_it() -> None:
    seen = SeenText()
    old = [f"{LONG} {name}" for name in "abcdefg"]
    add(seen, URL, clean(*old))
    assert add(seen, URL, clean(*old, OTHER)).is_new
    assert not add(seen, URL, clean(*old, OTHER, "Stand am Morgen, ohne Gewähr")).is_new


def test_little_text_is_new_where_it_is_most_of_the_page() -> None:
    seen = SeenText()
    assert add(seen, URL, clean("Ein Nagel steckt im Brett")).is_new
    assert not add(seen, URL, clean("Nichts gefunden")).is_new


def test_words_of_the_url_make_no_text_new_that_was_seen() -> None:
    seen = SeenText()
    add(seen, URL, clean(LONG, OTHER))
    assert not add(seen, "https://a.example/?q=gurt+dach", clean(LONG, OTHER)).is_new


def test_a_list_of_other_links_is_no_copy() -> None:
    seen = SeenText()
    add(seen, URL, clean(LONG) + links(*(f"Ausgabe {n}" for n in range(20))))
    same = add(seen, URL, clean(LONG) + links(*(f"Ausgabe {n}" for n in range(20))))
    other = add(
        seen, URL, clean(LONG) + links(*(f"Ausgabe {n}" for n in range(20, 40)))
    )
    assert (same.is_copy, same.is_new) == (True, False)
    assert (other.is_copy, other.is_new) == (False, False)


def test_what_a_page_repeats_is_new_once() -> None:
    novelty = add(SeenText(), URL, clean(LONG, LONG, OTHER, LONG))
    assert novelty.new_clean == len(LONG) + len(OTHER)
    assert novelty.clean == 3 * len(LONG) + len(OTHER)


def test_a_page_without_text_is_old() -> None:
    novelty = add(SeenText(), URL, [])
    assert not novelty.is_new
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
