"""The native walk gives what the walk in Python gives, field by field."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree, html

from benchmarks.fuzz.targets import compare_markup, compare_walks
from ilspfc.cleaning import blocks
from ilspfc.cleaning.blocks import core, walk
from ilspfc.cleaning.blocks.markup import read_tree
from ilspfc.cleaning.blocks.tags import BLOCK_TAGS, SKIPPED_TAGS
from ilspfc.cleaning.encoding.decoding import decode

native = pytest.importorskip(
    "ilspfc.cleaning.blocks._walk",
    reason="the native walk is not built: python setup.py build_ext --inplace",
)
REPOSITORY = Path(__file__).resolve().parent.parent.parent
FOLDERS = [
    REPOSITORY / "demo",
    REPOSITORY / "build" / "cleaning",
    REPOSITORY.parent / "shared" / "data" / "bugs",
    REPOSITORY.parent / "shared" / "conformance",
]
# Every so many pages of a large folder, to take seconds; `make fuzz` goes on from these.
MAX_PAGES = 150
TAGS = sorted(
    {*BLOCK_TAGS, *walk.INLINE_TAGS, *SKIPPED_TAGS, "i", "math", "o:p", "rt", "ruby"}
)
ATTRIBUTES = {
    "class": [
        *(
            "",
            "a b",
            "sr-only",
            "lineno",
            "code-line",
            "mw-editsection",
            "alert-dismissible",
        ),
        *(
            "comments",
            "comment",
            "wp-caption-text",
            "lineNumber",
            "not-sr-only",
            "highlight",
            "line",
        ),
    ],
    "id": ["", "x", "comments", "disqus_thread"],
    "role": ["navigation", "presentation", "button", "note"],
    "style": ["display: none", "left:-9999px", "font-weight: bold", "color:red", ""],
    "aria-hidden": ["true", "false"],
    "hidden": ["", "until-found"],
    "href": ["", "/a", "#L1", "#n", "?action=edit"],
    "src": ["/i/a.png?1", "data:image/png;base64,AA", ""],
    "rel": ["NoFollow"],
    "title": ["t\u00a0t", ""],
    "alt": ["Bild", ""],
    "size": ["5", "+1", "2"],
    "itemprop": ["comment", "name", "url"],
    "itemtype": ["http://schema.org/Comment"],
    "data-line": ["1"],
    "data-line-number": ["1"],
    "aria-expanded": ["false"],
}
TEXTS = st.sampled_from(
    [
        *(
            "",
            " ",
            "\n",
            "1",
            "1\n2\n3",
            "word",
            "two words. ",
            "é",
            "e\u0301",
            "\u200b",
        ),
        *(
            "\u00ad",
            "漢字",
            "ไทย\u200bไทย",
            "a = 1\n\nb",
            "¶",
            "#",
            "\u00a0",
            "https://a.org/",
            "x\u2028y",
        ),
    ]
)


@st.composite
def elements(draw: st.DrawFn, depth: int = 0) -> str:
    """Return a text, a comment, or an element with some inside, as markup."""
    kind = draw(st.integers(0, 9))
    if kind < 2 or depth > 5:
        return draw(TEXTS)
    if kind == 2:
        return "<!-- note --><?pi x?>"
    tag = draw(st.sampled_from(TAGS))
    names = draw(st.lists(st.sampled_from(sorted(ATTRIBUTES)), max_size=3, unique=True))
    given_ = "".join(
        f' {name}="{draw(st.sampled_from(ATTRIBUTES[name]))}"' for name in names
    )
    inside = "".join(draw(st.lists(elements(depth=depth + 1), max_size=4)))
    return f"<{tag}{given_}>{inside}</{tag}>"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_pages_of_sets_are_read_alike(folder: Path) -> None:
    pages = sorted(path for path in folder.rglob("*.htm*") if path.is_file())
    if not pages:
        pytest.skip(f"{folder} is not here")
    for path in pages[:: max(len(pages) // MAX_PAGES, 1)]:
        text, _ = decode(path.read_bytes())
        compare_markup(text.encode("utf-8", "replace"))
        if (root := read_tree(text.encode())) is not None:
            compare_walks(root)


@settings(max_examples=50)  # `make fuzz` goes on
@given(st.lists(elements(), min_size=1, max_size=5).map("".join))
def test_any_markup_is_read_alike(markup: str) -> None:
    compare_walks(html.document_fromstring(f"<html><body>{markup}</body></html>"))


LINES = (
    "<div>|</div>|<br>|a| |\n|<b>|</b>|<a href=#n>|</a>|¶|<div hidden>x</div>"
    "|<div class=lineno>1</div>|<p>|</code>"
).split("|")


@settings(max_examples=100)
@given(st.lists(st.sampled_from(LINES), max_size=20).map("".join))
def test_lines_of_code_are_read_alike(markup: str) -> None:
    compare_walks(html.document_fromstring(f"<pre><code>{markup}</code></pre>"))


@settings(max_examples=50)  # `make fuzz` goes on
@given(st.lists(elements(), min_size=1, max_size=4).map("".join))
def test_any_tree_is_read_alike(markup: str) -> None:
    """Trees that no parser of HTML makes: CDATA, namespaces, entities, nodes in a row."""
    parser = etree.XMLParser(recover=True, strip_cdata=False, resolve_entities=False)
    source = (
        '<!DOCTYPE body [<!ENTITY e "x">]><body xmlns:n="urn:n"><n:p n:class="a">1</n:p>'
        f"<p>a<![CDATA[ b ]]>c &e; d</p>{markup}</body>"
    )
    root = etree.fromstring(source.encode(), parser)
    if root is not None:
        last = etree.SubElement(root, "p", {"class": "lineno"})
        last.text, last.tail = "1", "tail"
        compare_walks(root)


# Pieces that raw text, comments, tags and buttons begin and end with, or nearly.
PIECES = [
    *(
        "<!--",
        "-->",
        "--!>",
        "<!-->",
        "<!",
        "<?",
        ">",
        "<",
        "</",
        "/>",
        "-",
        "a",
        " ",
        "\n",
    ),
    *(
        "<script",
        "</script>",
        "<Script>",
        "</SCRIPT\x1c>",
        "<style x='",
        "</style ",
        "=",
        '"',
    ),
    *(
        "<title>",
        "</title>",
        "<titlex>",
        "<iframe/",
        "</iframe/",
        "<textarea\n",
        "'",
        "é",
    ),
    *(
        "<button>",
        "<button\x1f",
        "</button>",
        "</button/",
        "<div",
        "</div>",
        "<p a=b c>",
    ),
    *(
        "\u017fcript>",
        "<\u212a>",
        "\u00a0",
        "\x0b",
        "<a href='<b>'>",
        "<!DOCTYPE html>",
    ),
    *(" x" * 399, ' y="' + "z" * 800 + '"', "k" * 70_000, " n=1"),
]


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
@example("<a" + " x" * 401 + ">")
@example("<a x" + "=y" * 40_000 + ">")
@example('<script a="</script>" b=">">' + "<p" + " x" * 401 + ">")
@example("<p>" * 60_001)
def test_plain_markup_needs_no_repair_and_exceeds_no_limit(markup: str) -> None:
    compare_markup(markup.encode())


@pytest.mark.parametrize(
    ("markup", "is_plain"),
    [
        ("<!DOCTYPE html><title>a</title><p class='b' c=d>é<!-- e --></p>", True),
        ("<script>if (a < b) '<p'</script><button><div></div></button>", True),
        ("<title>a<body>", False),
        ("<p>a<!-- b", False),
        ("<button><div>a</button>", False),
        ("<p" + " a" * 401 + ">", False),
        ("<p" + " a" * 400 + ">", True),
    ],
)
def test_most_markup_is_plain(markup: str, *, is_plain: bool) -> None:
    assert native.is_plain(markup.encode()) is is_plain
    assert core.needs_repair(markup.encode()) is not is_plain


def test_the_native_walk_is_in_use() -> None:
    assert core.IS_NATIVE
    assert core.read_blocks is native.read_blocks


def test_one_that_differs_is_not_used(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(native, "read_blocks", lambda root: None)
    with caplog.at_level(logging.WARNING):
        assert core._load_native() is None
    assert "another version of lxml" in caplog.text


@pytest.mark.parametrize("is_built", [True, False])
def test_the_walk_in_python_takes_its_place(
    monkeypatch: pytest.MonkeyPatch, *, is_built: bool
) -> None:
    if is_built:
        monkeypatch.setenv("ILSPFC_PURE", "1")
    else:
        monkeypatch.delattr(blocks, "_walk")
        monkeypatch.setitem(sys.modules, native.__name__, None)
    assert core._load_native() is None
