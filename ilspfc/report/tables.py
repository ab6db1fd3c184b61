"""The blocks that the sections are made of: a section with its heading, a table, a list of examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.report.markup import Markup, element, join, web_link
from ilspfc.report.numbers import clip, count_noun

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MAX_EXAMPLES = 20
URL_CHARS = 300


def section(anchor: str, title: str, *children: str) -> Markup:
    """Return a section with its heading."""
    return element("section", element("h2", title), *children, id=anchor)


def paragraph(*children: str, class_: str | None = None) -> Markup:
    """Return a paragraph."""
    return element("p", *children, class_=class_)


def code(text: str) -> Markup:
    """Return a name from the program, such as ``stage/reason``."""
    return element("code", text)


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numeric: Iterable[int] = (),
    bars: Iterable[int] = (),
) -> Markup:
    """Return a table that scrolls by itself on a narrow screen.

    ``numeric`` are the columns that align right, ``bars`` those that hold a bar.
    """
    classes = dict.fromkeys(numeric, "n") | dict.fromkeys(bars, "b")
    head = _row("th", columns, classes, scope="col")
    body = join(_row("td", cells, classes) for cells in rows)
    content = element("table", element("thead", head), element("tbody", body))
    return element("div", content, class_="scroll")


def _row(
    name: str,
    cells: Sequence[str],
    classes: Mapping[int, str],
    scope: str | None = None,
) -> Markup:
    return element(
        "tr",
        *(
            element(name, cell, scope=scope, class_=classes.get(index))
            for index, cell in enumerate(cells)
        ),
    )


def examples(urls: Sequence[str]) -> Markup:
    """Return example addresses as a list, with the number of those that are left out."""
    items = [
        element("li", web_link(clip(url, URL_CHARS))) for url in urls[:MAX_EXAMPLES]
    ]
    rest = len(urls) - len(items)
    if rest > 0:
        items.append(element("li", f"and {count_noun(rest, 'more', 'more')}"))
    return element("ul", *items, class_="examples")


def definitions(entries: Iterable[tuple[str, str]]) -> Markup:
    """Return names and values as a definition list, in the order of the names."""
    return element(
        "dl",
        *(
            element("div", element("dt", name), element("dd", value))
            for name, value in sorted(entries)
        ),
        class_="definitions",
    )
