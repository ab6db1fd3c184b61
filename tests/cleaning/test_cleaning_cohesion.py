"""Blocks that are content together: code and the prose between it, headings and headers with their text."""

from __future__ import annotations

import pytest

from evaluation.cleaning_pages import parse_page
from ilspfc.cleaning.content.choice import lift_scores

HEADING = "<h2>Aufruf</h2>"
PROSE = "<p>Das Programm wird so aufgerufen:</p>"
CODE = "<div class=example><pre>convert --from=1 --to=2 FILE</pre></div>"
MENU = "<p><a href=a>Zur Übersicht aller Programme</a></p>"


def lift(html: str, *scores: float) -> list[bool]:
    """Return for each block whether it is content after the lift."""
    parsed = parse_page(f"<div><div>{html}</div></div>".encode())
    assert parsed is not None
    page = parsed[0]
    assert len(page.blocks) == len(scores)
    return [score >= 0.5 for score in lift_scores(page, scores, 0.5)]


def test_prose_between_blocks_of_code_stands_or_falls_with_them() -> None:
    page = HEADING + PROSE + CODE + PROSE + CODE
    assert lift(page, 0.6, 0.2, 0.6, 0.2, 0.6) == [True] * 5
    assert lift(page, 0.1, 0.2, 0.2, 0.2, 0.2) == [False] * 5


def test_code_and_prose_behind_most_of_a_section_belong_to_it() -> None:
    text = "<p>" + "Die Datei wird umgewandelt. " * 9 + "</p>"
    scores = 0.9, 0.9, 0.9, 0.1, 0.1, 0.1
    assert lift(text * 3 + CODE + PROSE + CODE, *scores) == [True] * 6


@pytest.mark.parametrize(
    ("html", "scores"),
    [
        (MENU + CODE, (0.2, 0.6)),
        (PROSE + CODE, (0.2, 0.6)),  # no content before it
        (f"<aside>{PROSE}</aside>{CODE}", (0.2, 0.6)),
        (HEADING + CODE + PROSE, (0.6, 0.6, 0.2)),  # the code ends the run
        (f"{HEADING}<p>{'Werbung für alle ' * 99}</p>{CODE}", (0.6, 0.2, 0.6)),
    ],
)
def test_other_blocks_keep_their_scores(html: str, scores: tuple[float, ...]) -> None:
    assert lift(html, *scores) == [score >= 0.5 for score in scores]


def test_a_heading_stays_with_the_text_below_it() -> None:
    assert lift(HEADING + PROSE, 0.36, 0.8) == [True, True]
    assert lift(HEADING + "<h3>Mit Dateien</h3>" + PROSE, 0.4, 0.4, 0.9) == [True] * 3
    assert lift(HEADING + "<h2>Mit Dateien</h2>" + PROSE, 0.4, 0.4, 0.9) == [
        False,
        True,
        True,
    ]


def test_a_heading_that_is_surely_boilerplate_is_not_raised() -> None:
    assert lift(HEADING + PROSE, 0.05, 0.8) == [False, True]
    assert lift(f"<nav>{HEADING}</nav>{PROSE}", 0.4, 0.8) == [False, True]


def test_the_headers_of_a_table_stay_with_the_row_below_them() -> None:
    headers = "<tr><th>Jahr<th>Völker</tr>"
    row = "<tr><td>2019<td>1200 im ganzen Tal</tr>"
    page = f"<table>{headers}{row}</table>"
    assert lift(page, 0.4, 0.2, 0.4, 0.6) == [True, True, False, True]
    assert lift(page, 0.4, 0.6, 0.6, 0.4) == [False, True, True, False]
    assert lift(f"<table>{row}{headers}</table>", 0.6, 0.6, 0.2, 0.2)[2:] == [False] * 2
    assert lift(f"<table>{headers}</table><table>{row}</table>", 0.2, 0.2, 0.6, 0.6) == [
        False, False, True, True,
    ]  # fmt: skip


def test_the_only_sentence_below_a_title_is_content() -> None:
    sentence, footer = "<p>Ein Werkzeug aus Stahl.</p>", "<footer>© 2026</footer>"
    page = f"<h1>Meißel</h1><div>{sentence}</div>{MENU}{footer}"
    assert lift(page, 0.5, 0.2, 0.1, 0.1) == [True, True, False, False]
    assert lift(f"<h1>Meißel</h1>{footer}", 0.5, 0.1) == [True, False]
    # Beside other text the model has seen that the sentence is none.
    assert lift(page + PROSE, 0.5, 0.2, 0.1, 0.1, 0.8)[1] is False
