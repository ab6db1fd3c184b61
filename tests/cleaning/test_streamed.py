"""Pages whose parts come behind them, and pages that are hidden until a script has run."""

from __future__ import annotations

import pytest

from ilspfc.cleaning.blocks.core import read_blocks
from ilspfc.cleaning.blocks.markup import read_tree

TEXT = "The colony stays in its hive and keeps warm by moving its muscles. " * 6


def read(body: str) -> tuple[list[str], list[str]]:
    """Return the texts of the blocks that are not hidden, and the addresses of links."""
    root = read_tree(body.encode())
    assert root is not None
    parsed = read_blocks(root)
    texts = [block.text for block in parsed.blocks if not block.is_hidden]
    return texts, [anchor.href for anchor in parsed.anchors]


# As React 18 and 19 and Next.js send it.
STREAMED = """<body><p>Before.</p><!--$?--><template id="B:0"></template><p>Loading…</p><!--/$-->
<p>After.</p><div hidden id="S:0"><h1>News</h1><p>Bees <template id="P:1"></template> today.</p>
<a href="/bees">More</a></div><script>$RC("B:0","S:0")</script>
<div hidden id="S:1">in <b>winter</b></div><script>$RS("S:1","P:1")</script>"""


def test_parts_are_read_in_their_places() -> None:
    texts, links = read(STREAMED)
    assert texts == ["Before.", "News", "Bees in winter today.", "More", "After."]
    assert links == ["/bees"]


def test_a_part_without_a_place_is_shown_where_it_stands() -> None:
    texts, links = read(
        '<body><p>Before.</p><div hidden id="S:a"><a href="/b">Bees</a>'
    )
    assert (texts, links) == (["Before.", "Bees"], ["/b"])


def test_rows_are_parts() -> None:
    page = """<body><table><!--$?--><template id="B:0"></template><!--/$--></table>
    <table hidden><tbody id="S:0"><tr><td>Bees</table><script>$RR("B:0","S:0",[])</script>"""
    assert read(page)[0] == ["Bees"]


@pytest.mark.parametrize(
    "calls",
    [
        '$RC("B:0","S:0");$RC("B:0","S:0")',
        '$RC("B:1","S:0")',  # a part inside itself
        '$RC("B:2","S:0");$RC("B:0","S:9")',
        '$RC("S:0","B:0")',
    ],
)
def test_calls_that_make_no_sense_lose_no_text(calls: str) -> None:
    page = """<body><template id="B:0"></template><p>Before.</p>
    <div hidden id="S:0"><p>Bees</p><template id="B:1"></template></div>"""
    assert sorted(read(f"{page}<script>{calls}</script>")[0]) == ["Bees", "Before."]


def test_other_hidden_elements_with_such_a_part_stay_hidden() -> None:
    page = '<body><div hidden id="S:0">Bees</div><div hidden id="SS:0">Menu</div>'
    assert read(page)[0] == ["Bees"]


@pytest.mark.parametrize(
    "page",
    [
        "<body style='display: none'><p>{}<a href=b>Bees</a>",
        "<body hidden><p>{}<a href=b>Bees</a>",
        "<body><div>Loading</div><div style='display:none'><h1>A</h1>{}<a href=b>Bees</a></div>",
        "<body><div aria-hidden=true><main>{}<a href=b>Bees</a></main></div><dialog>Yes",
    ],
)
def test_a_page_that_is_hidden_until_it_is_loaded_is_shown(page: str) -> None:
    texts, links = read(page.format(TEXT))
    assert TEXT.strip()[:60] in " ".join(texts)
    assert links == ["b"]


@pytest.mark.parametrize(
    "page",
    [
        # A menu, a dialog that is longer than the page, one with a heading that is not.
        "<body><p>Bees</p><div hidden>{0}<a href=b>Bees</a></div>",
        "<body><h1>Bees</h1><div hidden><h2>Terms</h2>{0}<a href=b>Bees</a></div>",
        "<body><p>{0}{0}</p><div hidden><h1>Sign in</h1>{0}<a href=b>Bees</a></div>",
    ],
)
def test_what_is_hidden_on_a_page_stays_hidden(page: str) -> None:
    texts, links = read(page.format(TEXT))
    assert "Sign in" not in texts
    assert links == []
