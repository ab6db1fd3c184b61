"""Made-up sites: texts in their frames, marks, scores."""

from __future__ import annotations

import pytest
from lxml import html

from evaluation.framed_sites import (
    PAGES,
    TEMPLATES,
    THEMES,
    Judged,
    Site,
    render_pages,
    strip_marks,
)
from evaluation.framed_texts import Block, Text
from ilspfc.documents import Paragraph


def make_texts(lang: str = "en") -> list[Text]:
    """Return texts with blocks of all kinds."""
    return [
        Text(
            lang,
            f"Title of text {number}",
            (
                Block("paragraph", (f"Text {number} begins. It goes on for a while.",)),
                Block("heading", (f"A heading in text {number}",)),
                Block("list", (f"item <one> of {number}", f"item two of {number}")),
                Block("numbers", (f"first of {number}", f"second of {number}")),
                Block("quote", (f"“A saying of {number}”",)),
                Block("table", (f"cell {number} | value", f"other {number} | 1")),
                Block("code", (f"x = {number}", f"print(x + {number})")),
                Block("paragraph", (f"The last words, {number}.",)),
            ),
        )
        for number in range(PAGES + 2)
    ]


def _find_marked(root: html.HtmlElement, marks: set[str]) -> list[html.HtmlElement]:
    elements = [one for one in root.iter() if isinstance(one, html.HtmlElement)]
    return [one for one in elements if one.get("data-is") in marks]


def test_each_theme_has_its_template() -> None:
    templates = {path.stem for path in TEMPLATES.glob("[!_]*.html")}
    assert templates == set(THEMES)


@pytest.mark.parametrize("theme", THEMES)
def test_pages_have_their_texts_in_marked_elements(theme: str) -> None:
    page, marked = next(render_pages(theme, make_texts()))

    root = html.fromstring(marked)
    for element in _find_marked(root, {"frame", "neither"}):
        element.drop_tree()
    main = "".join(one.text_content() for one in _find_marked(root, {"main"}))
    for text in (page.text.title, *(t for b in page.text.blocks for t in b.texts)):
        for cell in text.split(" | "):
            assert cell in main


def test_marks_are_taken_out_and_pages_are_the_same_each_time() -> None:
    first, again = (
        [markup for _, markup in render_pages("newspaper", make_texts())]
        for _ in range(2)
    )
    assert len(first) == PAGES
    assert first == again
    assert "data-is" in first[0]
    assert "data-is" not in strip_marks(first[0])


def test_words_are_scored_by_page_before_and_after_the_decision() -> None:
    def judge(words: int, *, is_main: bool, cleaned: bool, decided: bool) -> Judged:
        return Judged(Paragraph(""), words, is_main, cleaned, decided)

    page = [
        judge(6, is_main=True, cleaned=True, decided=True),
        judge(2, is_main=True, cleaned=False, decided=True),
        judge(2, is_main=False, cleaned=False, decided=True),
    ]
    site = Site([page], [8], 0, 0)
    assert site.score(is_decided=False) == pytest.approx((12 / 14, 1, 6 / 8))
    assert site.score(is_decided=True) == pytest.approx((16 / 18, 8 / 10, 1))
    assert site.count_changes() == (1, 1)
