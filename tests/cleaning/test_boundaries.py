"""Boundaries that tags do not tell: custom elements, spans shown as blocks, numbers of items."""

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
    ("body", "texts"),
    [
        # CETEIcean, Angular, cards in a link, a slot
        (
            "<tei-body><tei-head>A</tei-head><tei-p>B <tei-hi>C</tei-hi>.</tei-p></tei-body>",
            ["A", "B C."],
        ),
        (
            "<app-root><x-bar><a href=a>A</a></x-bar><app-p>B</app-p><x-li><span>C</span></x-li></app-root>",
            ["A", "B", "C"],
        ),
        ("<a href=a><x-title>A</x-title><x-text>B</x-text></a>", ["A", "B"]),
        (
            "1 <x-a><div>2</div><x-b><x-c>3</x-c><x-c>4</x-c></x-b></x-a>",
            ["1", "2", "3", "4"],
        ),
        (
            "<a-b><template shadowroot=open><slot></slot></template><x-p>A</x-p><x-p>B</x-p></a-b>",
            ["A", "B"],
        ),
    ],
)
def test_custom_elements_are_blocks(body: str, texts: list[str]) -> None:
    assert read(body) == texts


def test_custom_elements_in_a_run_of_text_are_inline() -> None:
    name = "<x-name><x-first>Anna</x-first> <x-last>Meier</x-last></x-name>"
    assert read(f"<div>By {name}, <x-time>today</x-time></div>") == [
        "By Anna Meier, today"
    ]
    assert read(f"<div><span>By</span> {name}</div>") == ["By Anna Meier"]
    assert read(f"<div><b>{name}</b>: <i>Bees</i></div>") == ["Anna Meier: Bees"]
    assert read("<p><x-i>A</x-i><x-i>B</x-i></p>") == ["AB"]
    assert read("<h1>A<x-emoji>B</x-emoji></h1>") == ["AB"]
    assert read("<pre><x-l>a</x-l>\n<x-l>b</x-l></pre>") == ["a\nb"]


def test_hidden_custom_elements_are_no_text() -> None:
    header = "<tei-teiheader><tei-title>A</tei-title></tei-teiheader>"
    assert read(f"<tei-tei>{header}<tei-p>B</tei-p></tei-tei>") == ["B"]
    assert read("<div><x-p hidden>A</x-p><x-p>B</x-p></div>") == ["B"]


def test_spans_that_are_shown_as_blocks_end_a_line() -> None:
    span = "<span style='display: block;'>"
    assert read(f"<div>{span}A</span>{span}B</span></div>") == ["A", "B"]
    assert read(f"<p>A{span}B</span>{span}C</span>D</p>") == ["A B C D"]
    assert read(f"<h1>{span}A</span>{span}B</span></h1>") == ["A B"]
    assert read(f"<div><a href=a>{span}A</span>B</a></div>") == ["A B"]
    assert read(f"<p>A{span}<img src=b.png></span>C</p>") == ["AC"]
    assert read("<p>A<span style='display: inline-block'>B</span></p>") == ["AB"]


def test_a_label_ends_the_text_of_the_one_before_it() -> None:
    labels = "<label for=a>A</label><label for=b>B</label>"
    assert read(f"<div>{labels}</div>") == ["A", "B"]
    assert read("<div><label>A</label><input id=b><label for=b>B</label></div>") == [
        "A",
        "B",
    ]
    assert read(f"<p>Say {labels}C</p>") == ["Say A B C"]
    assert read(f"<p>{labels}</p>") == ["A B"]
    apart = "<div><label>A</label> <label>B</label></div>"
    assert read(f"{apart}<div>{labels}</div>") == ["A B", "A", "B"]
    assert read("<div><label>A</label>:<label>B</label></div>") == ["A:B"]
    assert read(f"<div><label>A</label><b>C</b></div>{labels}") == ["AC", "A", "B"]


def test_the_author_in_front_of_a_quotation_is_no_part_of_it() -> None:
    cite = "<blockquote class=q><cite>Quote from: <a href=a>B</a> at 10:12</cite>"
    assert read(f"{cite}Linux</blockquote>") == ["Quote from: B at 10:12", "Linux"]
    cite = "<blockquote><div><cite>B wrote:</cite>"
    assert read(f"{cite}Linux</div></blockquote>") == ["B wrote:", "Linux"]
    for quoted in (
        "<cite>Hamlet</cite> is a play",
        "<cite>Hamlet</cite>, a play",
        "<cite>\u7d05</cite>\u6a13",
        "<cite>\u0e01</cite>\u0e02",
        "A<cite></cite>B",
        "In <cite>Hamlet</cite>s",
        "<b></b><cite>Hamlet</cite>s",
    ):
        body = f"{cite}A</div></blockquote><blockquote>{quoted}</blockquote>"
        assert read(body) == ["B wrote:", "A", re.sub("<[^<>]*>", "", quoted)]
    assert read(f"{cite}A</div></blockquote><i><cite>C</cite>D</i>")[2:] == ["CD"]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p><span class=akn-num>(1)</span><span><span>Bees", "(1) Bees"),
        ("<p><span class='LegDS LegP1No'>7</span><span>A bee", "7 A bee"),
        ("<li>\n<span class=label>1.</span><cite>Bees</cite>", "1. Bees"),
        ("<p><b class=enum>a)</b>bees", "a) bees"),
        ("<p><i class=list-marker>IV.</i>Bees", "IV. Bees"),
        ("<p><span class=num>§ 5</span><b>Bees</b>", "§ 5 Bees"),
        ("<p><em class=secnum><b>2.1</b></em>Bees", "2.1 Bees"),
    ],
)
def test_a_blank_is_behind_the_number_of_an_item(body: str, text: str) -> None:
    assert read(body) == [text]


@pytest.mark.parametrize(
    "body",
    [
        "<p>H<span class=num>2</span>Ohne",
        "<p><span class=drop-cap>B</span>ees",
        "<p><span class=label>B</span>ees",
        "<p><span class=piano>7</span>Bees",
        "<p><span class=num>5</span>th <span class=num>5</span>Th",
        "<p><span class=num>3</span>D printing",
        "<p><span class=num>20</span><span class=unit>km</span>",
        "<p><span class=num>1</span>/2",
        "<p><span class=num>(1)</span>. Bees",
    ],
)
def test_other_numbers_are_left_as_they_are(body: str) -> None:
    assert read(body) == read(body.replace("class", "data-class"))
