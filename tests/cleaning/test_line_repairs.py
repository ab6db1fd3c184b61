"""Lines that markup splits or glues: headings in blocks, amounts beside names, glued words."""

from __future__ import annotations

import pytest

from ilspfc.cleaning.blocks.core import read_blocks
from ilspfc.cleaning.blocks.markup import read_tree


def read(body: str) -> list[str]:
    root = read_tree(f"<body>{body}".encode())
    assert root is not None
    return [f"{block.tag} {block.text}" for block in read_blocks(root).blocks]


@pytest.mark.parametrize(
    "inside",
    [
        "<div>A b</div>",
        "<div><p>A b</p></div>",
        "<a href=a><div><div>A <b>b</b></div></div></a>",
        "\n<div>A b</div>\n<button>edit</button> <div></div><!-- c -->",
    ],
)
def test_heading_in_a_block_is_one(inside: str) -> None:
    assert read(f"<h2>{inside}</h2><p>C") == ["h2 A b", "p C"]


@pytest.mark.parametrize(
    ("inside", "blocks"),
    [
        ("<div>A</div><div>B</div>", ["div A", "div B"]),
        ("<div>A</div> by B", ["div A", "h2 by B"]),
        ("A<div>B</div>", ["h2 A", "div B"]),
        ("<div><p>A</p><p>B</p></div>", ["p A", "p B"]),
        ("<ul><li>A</li></ul>", ["li A"]),
        (f"<div>{'a ' * 101}</div>", [f"div {'a ' * 100}a"]),
    ],
)
def test_heading_around_more_is_left(inside: str, blocks: list[str]) -> None:
    assert read(f"<h2>{inside}</h2>") == blocks


def test_hidden_block_in_a_heading_stays_hidden() -> None:
    assert read("<h2><div hidden>A</div></h2><p>B") == ["p B"]


def read_list(*items: str) -> list[str]:
    return read(f"<ul><li>{'<li>'.join(items)}</ul>")


def test_amount_and_name_are_a_line() -> None:
    assert read_list(
        "<p>100 g</p> <p>soft <a href=a>butter</a></p>",
        "<div><div><span>1 1/2</span></div><div>eggs</div></div>",
        "<strong>½ tsp.</strong><p>salt</p>",
        "<p>a pinch of</p><p>pepper</p>",
    ) == [
        "li 100 g soft butter",
        "li 1 1/2 eggs",
        "li ½ tsp. salt",
        "p a pinch of",
        "p pepper",
    ]


@pytest.mark.parametrize(
    "items",
    [
        ["<p>1</p><p>Mix</p>", "<p>2</p><p>Bake</p>"],
        ["<p>1998</p><p>The firm begins</p>"],
        ["<p>11/08</p><p>News</p>"],
        ["<p>5 min</p><p><a href=a>News</a></p>"],
        ["<p>5 stars</p><p>0</p>"],
        ["<p>10 g</p><p>salt</p><p>ground</p>"],
        [f"<p>10 g</p><p>{'a ' * 51}</p>"],
        ["<p>10 g</p><p>salt</p><table><td></table>"],
    ],
)
def test_other_items_are_left(items: list[str]) -> None:
    assert all(block.startswith("p ") for block in read_list(*items))


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<span>1</span><span>kilogram</span><span>tavuk</span>", "1 kilogram tavuk"),
        (
            "<span>3</span><span>g</span><span>oil</span><span>(raw)</span>",
            "3 g oil (raw)",
        ),
        ("<span>Time</span><span>20 min</span>", "Time 20 min"),
        ("<span>a: </span><span>82</span><span>kcal</span>", "a: 82 kcal"),
        # ordinals, units, letters, text around, scripts without blanks, formulas, code
        ("<span>1</span><span>st</span>", "1st"),
        ("<span>20</span><span>km</span>", "20km"),
        ("<span>2</span><span>0</span><span>a</span><span>b</span>", "20ab"),
        ("at <span>v2</span><span>beta</span>", "at v2beta"),
        ("<span>10</span><span>個入り箱</span>", "10個入り箱"),
        ("<span>Acid</span><sub>2</sub>", "Acid2"),
        ("<code><span>10</span><span>rem</span></code>", "10rem"),
        ("<span>Über</span><span>all</span>", "Überall"),
    ],
)
def test_number_and_word_are_parted(body: str, text: str) -> None:
    assert read(f"<div>{body}</div>") == [f"div {text}"]
