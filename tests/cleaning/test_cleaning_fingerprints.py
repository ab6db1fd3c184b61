"""Which blocks of a page are boilerplate because they recur on the site."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pytest

from ilspfc.cleaning.content.backends import Backend
from ilspfc.cleaning.page import clean_page, parse_page
from ilspfc.cleaning.recurrence import RecurringTexts, SiteReviser, read_prints
from ilspfc.documents import CrawlInfo, Document

URL = "http://a.example/"
OWN = "<p>Wer auf dem Dach arbeitet, sichert sich gegen den Absturz."
MORE = "<p>Ein Gerüst schützt alle, die dort oben arbeiten."


def parse(html: str) -> list[int]:
    parsed = parse_page(html.encode())
    assert parsed is not None
    return [int(one) for one in read_prints(parsed[0].blocks)[0]]


def know(*fragments: str, doubtful: Collection[str] = ()) -> RecurringTexts:
    """Return the blocks of fragments of HTML as what recurs."""
    prints = [
        sorted({one for fragment in some for one in parse(fragment)})
        for some in ((*fragments, *doubtful), doubtful)
    ]
    every, mostly = (np.array(some, np.uint64) for some in prints)
    return RecurringTexts(every, mostly)


def dropped(html: str, known: RecurringTexts | None) -> list[str]:
    """Return what is boilerplate of a page that is content as far as the backend goes."""
    reviser = SiteReviser(known)
    document = clean_page(
        f"<body>{html}".encode(),
        url=URL,
        identity="0",
        backend=Backend.NONE,
        revise=reviser.revise,
        min_paragraph_tokens=0,
    )
    assert isinstance(document, Document)
    found = [
        p.text for p in document.paragraphs if p.crawlinfo is CrawlInfo.BOILERPLATE
    ]
    assert bool(found) == bool(reviser.marked)
    return found


@pytest.mark.parametrize(
    ("html", "other", "is_same"),
    [
        ("<p>Seite 3 von 12</p>", "<p>seite 4 VON 10</p>", True),
        ("<h2>Der Kran</h2>", "<p>Der Kran</p>", False),
        ("<p>Der Kran</p>", "<p><a href=/kran>Der Kran</a></p>", False),
        ("<p>Der Kran</p>", "<p>Der Helm</p>", False),
    ],
)
def test_what_a_fingerprint_tells_apart(
    html: str, other: str, *, is_same: bool
) -> None:
    assert (parse(html) == parse(other)) is is_same


def test_before_and_behind_the_own_text_what_recurs_is_boilerplate() -> None:
    head, foot = "<p>Amt für Arbeit: Start", "<p>Fragen beantwortet das Amt gern."
    html = f"{head}{OWN}{MORE}{foot}"
    assert dropped(html, know(head, foot)) == [
        "Amt für Arbeit: Start",
        "Fragen beantwortet das Amt gern.",
    ]
    assert dropped(html, None) == []


def test_amid_the_own_text_labels_and_headings_stay() -> None:
    label, heading = "<p>Beispiel:</p>", "<h3>Siehe auch</h3>"
    html = f"{OWN}{label}{heading}{MORE}"
    assert dropped(html, know(label, heading)) == []
    assert dropped(html, know(heading, doubtful=[label])) == ["Beispiel:"]
    assert dropped(html, know(doubtful=[label, heading])) == ["Beispiel:"]


def test_a_heading_stays_with_the_text_that_it_heads() -> None:
    heading = "<h2>Gefahren</h2>"
    known = know(heading)
    # The first h1 is the title, which stays whatever recurs.
    assert dropped(f"{heading}{OWN}", known) == []
    assert dropped(f"{OWN}{heading}", known) == ["Gefahren"]


def test_items_and_cells_stay_with_those_beside_them() -> None:
    items = "<ul><li>Helm<li>Seil aus Hanf</ul>"
    assert dropped(f"{OWN}{items}", know("<ul><li>Helm</ul>")) == []
    rows = "<tr><th>Stoff<th>Farbe<tr><td>Chlor<td>gelb<tr><td>Jod<td>keine"
    known = know("<table><tr><td>keine</table>")
    assert dropped(f"{OWN}<table>{rows}</table>", known) == []
    labels = "<table><tr><th>Stand:<td>geprüft</table>"
    assert dropped(OWN + labels + MORE, know(doubtful=[labels])) == []
    assert dropped(OWN + labels, know(doubtful=[labels])) != []


def test_a_page_without_text_of_its_own_stays_as_it_is() -> None:
    assert dropped(OWN + MORE, know(OWN, MORE)) == []


def test_the_title_stays() -> None:
    title = "<h1>Sicher arbeiten</h1>"
    known = know(title, "<p>Amt für Arbeit: Start")
    html = f"<p>Amt für Arbeit: Start{title}<p>Autor: Amt{OWN}"
    assert dropped(html, known) == ["Amt für Arbeit: Start"]


def test_a_page_counts_each_text_once_and_what_the_backend_kept() -> None:
    reviser = SiteReviser(know(OWN))
    clean_page(
        f"<body>{MORE}{OWN}{OWN}".encode(),
        url=URL,
        identity="0",
        backend=Backend.NONE,
        revise=reviser.revise,
    )
    assert reviser.page is not None
    assert sorted(parse(OWN + MORE)) == reviser.page.prints.tolist()
    assert reviser.page.content.all(), "counted as the backend had it"
    assert reviser.marked == 2


def test_of_a_long_page_content_is_counted_first() -> None:
    words = ["".join(chr(97 + int(digit)) for digit in str(n)) for n in range(900)]
    menu = "".join(f"<li><a href=/{word}>{word}</a>" for word in words)
    reviser = SiteReviser(None)
    clean_page(
        f"<body><nav><ul>{menu}</ul></nav>{OWN}{MORE}".encode(),
        url=URL,
        identity="0",
        backend=Backend.BOILERPY3,
        revise=reviser.revise,
    )
    assert reviser.page is not None
    assert len(reviser.page.prints) == 500
    assert set(parse(OWN + MORE)) <= set(reviser.page.prints.tolist())
