"""Traces of printed books: numbers of pages and lines, notes that pop up, verses."""

from __future__ import annotations

import re

import pytest

from ilspfc.cleaning.blocks.core import read_blocks
from ilspfc.cleaning.blocks.markup import read_tree


def read(body: str) -> list[str]:
    root = read_tree(f"<body>{body}".encode())
    assert root is not None
    return [block.text for block in read_blocks(root).blocks]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            "<p>The cap<span class=pagenum><a id=P12>[Pg 12]</a></span>tain saw.",
            "The captain saw.",
        ),
        ("<p><span class='pagenum ws-pagenum'>[13]</span>He called.", "He called."),
        (
            "<p>It ends.<span class=page-number>{iv}</span>Here goes on.",
            "It ends. Here goes on.",
        ),
        ("<p>The cap<span class=pagenum>12</span>tain saw.", "The captain saw."),
        (
            "<div>The yellow fog <span class=linenum>15</span><br>that rubs</div>",
            "The yellow fog\nthat rubs",
        ),
        ("<p><span class=line-num>10</span> The yellow fog", "The yellow fog"),
    ],
)
def test_numbers_of_pages_and_lines_are_no_text(body: str, text: str) -> None:
    assert read(body) == [text]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            "<p>Look at page <span class=pagenum>3</span> of it.",
            "Look at page 3 of it.",
        ),
        ("<p>Look at page <span class=pagenum>3</span>.", "Look at page 3."),
        ("<li>Chapter One <span class=page-num>23</span>", "Chapter One 23"),
        ("<div><a class=page-numbers href=/2>2</a> Next", "2 Next"),
        ("<div><a class=page-number href=/2>[2]</a> Next", "[2] Next"),
        (
            "<div><span class=pagenum>[1]</span> <span class=pagenum>[2]</span>",
            "[1] [2]",
        ),
        ("<p>An error in line <span class=lineno>12</span>", "An error in line 12"),
        ("<p>Error in <span class=lineno>15</span>, said he.", "Error in 15, said he."),
    ],
)
def test_other_numbers_are_text(body: str, text: str) -> None:
    assert read(body) == [text]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            "<p>The earth.<a href=#n>*<span class=popup>A note.</span></a> And",
            "The earth.* And",
        ),
        ("<p>In <a>Hebrew<span class=tooltip>a tongue</span></a> too", "In Hebrew too"),
        ("<p>Two<sup>b<span class=tooltip-text>Or one</span></sup> men", "Twob men"),
    ],
)
def test_notes_that_pop_up_are_no_text(body: str, text: str) -> None:
    assert read(body) == [text]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            "<p>Read <a href=b><span class=tooltip>the book</span></a> now",
            "Read the book now",
        ),
        (
            "<p>Read <a href=b><span class=tooltip>the</span> book</a> now",
            "Read the book now",
        ),
        ("<p>Read <span class=tooltip>the book</span> now", "Read the book now"),
        (
            "<p>A <a href=b>map <span class=popup-link>here</span></a> now",
            "A map here now",
        ),
    ],
)
def test_other_text_named_after_a_popup_is_text(body: str, text: str) -> None:
    assert read(body) == [text]


GENESIS = ("In the beginning", "And the earth was", "And God said")


@pytest.mark.parametrize(
    ("form", "number"),
    [
        ("<sup>{}</sup>{}.", 1),
        ("<span class=verse><span class=label>{}</span><span>{}.</span></span>", 1),
        ("<span class=verse><sup>{}</sup>{}.</span>", 24),
    ],
)
def test_numbers_of_verses_are_parted_from_their_text(form: str, number: int) -> None:
    verses = list(enumerate(GENESIS, number))
    text = " ".join(f"{number} {verse}." for number, verse in verses)
    assert read(f"<p>{''.join(form.format(*verse) for verse in verses)}") == [text]


@pytest.mark.parametrize(
    "body",
    [
        "<p>x<sup>1</sup>and so on, x<sup>2</sup>and so on, x<sup>3</sup>and so on",
        "<p><i>a</i><sup>1</sup>in all of us, <i>b</i><sup>2</sup>in all of us, <i>c</i><sup>3</sup>in all of us",
        "<p>Heavy <sup>1</sup>H, <sup>2</sup>H and <sup>3</sup>H",
        "<p>One<sup>1</sup> and two<sup>2</sup> and three<sup>3</sup> and more",
        "<p>The <span>3</span>rd of the men, the <span>4</span>th of the men",
        "<p>The <sup>5</sup>th of us, the <sup>7</sup>th of us, the <sup>9</sup>th of us",
    ],
)
def test_other_numbers_stay_glued(body: str) -> None:
    assert read(body) == [re.sub("<[^<>]*>", "", body)]
