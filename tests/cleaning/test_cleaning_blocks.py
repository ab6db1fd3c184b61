"""The walk over a page: which text becomes a block, in which order, with which anchors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from costs import assert_cheap
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from ilspfc.cleaning.blocks.markup import read_tree
from ilspfc.cleaning.blocks.tags import TAG_SIGNS
from ilspfc.cleaning.blocks.walk import read_blocks

if TYPE_CHECKING:
    from ilspfc.cleaning.blocks.parsed import Anchor, ParsedPage


def read(html: str, **options: Any) -> ParsedPage:
    return read_blocks(etree.fromstring(html, etree.HTMLParser()), **options)


def texts(html: str) -> list[str]:
    return [block.text for block in read(html).blocks]


def anchors(html: str, **options: int) -> list[Anchor]:
    return read(html, **options).anchors


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>eins</p><p>zwei</p>", ["eins", "zwei"]),
        ("<p>eins<p>zwei", ["eins", "zwei"]),
        ("eins<p>zwei</p>drei", ["eins", "zwei", "drei"]),
        ("<div>eins<p>zwei</p>drei</div>vier", ["eins", "zwei", "drei", "vier"]),
        ("<ul><li>a<li>b</ul>c", ["a", "b", "c"]),
        ("<ul><li>a<ul><li>b</ul>c</ul>", ["a", "b", "c"]),
        ("<table><tr><td>1<td>2<tr><th>3</table>", ["1", "2", "3"]),
        ("<dl><dt>Wort<dd>Sinn</dl>", ["Wort", "Sinn"]),
        ("<details><summary>kurz</summary>lang</details>", ["kurz", "lang"]),
        ("<h1>Kopf</h1>Text<hr>Ende", ["Kopf", "Text", "Ende"]),
        ("<section><header>H</header><main>M</main></section>", ["H", "M"]),
    ],
)
def test_a_block_ends_where_a_block_element_begins_or_ends(
    html: str, expected: list[str]
) -> None:
    assert texts(html) == expected


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Arbeits<b>schutz</b></p>", "Arbeitsschutz"),
        ("<p>H<sub>2</sub>O</p>", "H2O"),
        ("<p>Arbeits<wbr>schutz</p>", "Arbeitsschutz"),
        ("<p>Arbeits<!-- Kommentar -->schutz</p>", "Arbeitsschutz"),
        ("<p>Arbeits<?php echo 1 ?>schutz</p>", "Arbeitsschutz"),
        ("<p>Arbeits&shy;schutz am&nbsp;Bau</p>", "Arbeitsschutz am Bau"),
        ("<p>u&#776;ber</p>", "über"),
        ("<p> viel \n\t Luft </p>", "viel Luft"),
        ("<p>in <b> fetter </b> Schrift</p>", "in fetter Schrift"),
        ("<p>1 &lt; 2 &amp; 3</p>", "1 < 2 & 3"),
    ],
)
def test_inline_markup_neither_cuts_nor_glues_words(html: str, text: str) -> None:
    assert texts(html) == [text]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>eins<br>zwei<br/>drei</p>", "eins\nzwei\ndrei"),
        ("<p>eins<br><br> <br>zwei<br></p>", "eins\nzwei"),
        ("<p>eins\nzwei</p>", "eins zwei"),
        ("<p>eins\r\nzwei</p>", "eins zwei"),
        ("<p>eins&#x2028;zwei</p>", "eins\nzwei"),
        ("<pre>eins\nzwei\r\ndrei</pre>", "eins\nzwei\ndrei"),
        ("<pre>eins<b>\nzwei</b>\ndrei</pre>", "eins\nzwei\ndrei"),
    ],
)
def test_lines_are_those_of_br_and_pre_not_those_of_the_source(
    html: str, text: str
) -> None:
    assert texts(html) == [text]


_WRAPPED = (
    "Bitcoin on mobile devices allows you to pay with a simple two-step\nscan-and-pay."
)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        # A mail: short paragraphs, too, and lines that end early.
        (
            f"Hello,\n\n{_WRAPPED}\n\n- on the desk\n- on the phone",
            "Hello,\n{}\n- on the desk - on the phone",
        ),
        # Text on lines of its own is wrapped nowhere.
        (
            "Posted by\n\n  Anna Weber\n\n  on a day in May",
            "Posted by Anna Weber on a day in May",
        ),
        (f"{'x' * 120}\n\n{_WRAPPED}", f"{'x' * 120} {{}}"),
        (
            "One line that is longer than fifty characters by itself.\nOne\n\nTwo",
            "One line that is longer than fifty characters by itself. One\nTwo",
        ),
        (_WRAPPED, "{}"),
    ],
)
def test_a_mail_has_a_line_a_paragraph(source: str, text: str) -> None:
    joined = _WRAPPED.replace("\n", " ")
    assert texts(f"<p>{source}</p>") == [text.format(joined)]


@pytest.mark.parametrize(
    "hidden",
    [
        "<p hidden>weg</p>",
        '<div style="display:none">weg<p>weg</p></div>',
        '<span style="color:red; DISPLAY : none">weg</span>',
        '<div aria-hidden="true">weg</div>',
        "<script>weg</script>",
        "<style>weg</style>",
        "<noscript>weg</noscript>",
        "<template>weg</template>",
        "<svg><text>weg</text></svg>",
        "<select><option>weg</select>",
        "<textarea>weg</textarea>",
        "<iframe>weg</iframe>",
        "<video>weg</video>",
        "<!-- weg -->",
        '<div hidden><a href="weg">weg</a><img src="weg.png"></div>',
    ],
)
def test_what_readers_do_not_see_is_passed_over(hidden: str) -> None:
    page = read(f"<p>vor</p>{hidden}<p>nach</p>")
    assert [block.text for block in page.blocks] == ["vor", "nach"]
    assert not page.anchors
    assert not page.images
    assert "weg" not in texts(f"vor {hidden} nach")[0]
    assert texts(f"<p>vor {hidden} nach</p>")[-1].endswith("nach")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("Drücken Sie<button>Start</button>und warten", "Drücken Sie Start und warten"),
        ("Name<select><option>x</select>Vorname", "Name Vorname"),
        ("vor<iframe src=x></iframe>nach", "vor nach"),
    ],
)
def test_a_control_stands_between_words(html: str, text: str) -> None:
    assert texts(f"<p>{html}</p>") == [text]


def test_text_that_is_folded_up_is_read() -> None:
    assert texts("<p hidden=until-found>Antwort</p>") == ["Antwort"]


def test_hidden_elements_inside_each_other_end_together() -> None:
    assert texts("<div hidden>x<p hidden>y</p>z</div>a<p>b</p>") == ["a", "b"]


@pytest.mark.parametrize(
    "html",
    [
        "eins zwei",
        "<p>eins zwei",
        "<p><b><i>eins zwei",
        "<div><p>eins zwei</div>",
        "<b>eins zwei</p></b></div>",
        "<table><td>eins zwei",
        "<html><p>eins zwei</html>",
        "<head><title>x</title></head><p>eins zwei",
        "<html><head><p>eins zwei</p></head></html>",
    ],
)
def test_a_page_without_body_or_end_tags_keeps_its_text(html: str) -> None:
    assert texts(html) == ["eins zwei"]


def test_a_second_body_is_read_too() -> None:
    assert texts("<body>eins</body><body>zwei</body>") == ["eins", "zwei"]


@pytest.mark.costs
def test_deep_nesting_costs_nothing() -> None:
    depth = 2000
    html = "<p>vorher</p>" + "<div>" * depth + "unten" + "</div>" * depth + "<p>nachher"
    root = etree.fromstring(html, etree.HTMLParser(huge_tree=True))
    assert_cheap(lambda: read_blocks(root), steps=400_000, units=150.0)
    page = read_blocks(root)
    assert [block.text for block in page.blocks] == ["vorher", "unten", "nachher"]
    assert page.blocks[1].level > depth


@pytest.mark.parametrize(
    ("html", "in_list", "in_frame"),
    [
        ("<p>x", False, False),
        ("<li>x", True, False),
        ("<li><p>x", True, False),
        ("<dl><dd>x", True, False),
        ("<li><h3>x", False, False),
        ("<ul><li><table><tr><td>x</table></ul>", False, False),
        ("<nav><p>x", False, True),
        ("<footer>x", False, True),
        ("<aside><div><p>x", False, True),
        ("<form><p>x", False, True),
        ('<div role="navigation"><ul><li>x', True, True),
        ('<div role="contentinfo">x', False, True),
        ('<div role="main">x', False, False),
        ("<header>x", False, False),
    ],
)
def test_blocks_know_list_and_frame(html: str, in_list: bool, in_frame: bool) -> None:
    (block,) = read(html).blocks
    assert (block.is_list_item, block.is_frame) == (in_list, in_frame)


@pytest.mark.parametrize(
    ("names", "in_frame"),
    [
        ("x-aside x-aside--note", False),
        ("Warning", False),
        ("callout-info", False),
        ("page-aside notebook", True),
        ("s-notice s-notice__warning", True),
    ],
)
def test_an_aside_that_is_a_note_is_no_frame(names: str, in_frame: bool) -> None:
    root = read_tree(f"<aside class='{names}'><p>x</aside><aside><p>y".encode())
    assert root is not None
    assert [block.is_frame for block in read_blocks(root).blocks] == [in_frame, True]


def test_the_neighbors_of_a_section_of_docbook_are_frame() -> None:
    row = "<table><tr><td><a href=a>Prev</a><th>Part II"
    body = f"<div class='navheader'>{row}</table></div><div class='navfooters'>{row}"
    root = read_tree(f"{body}</table></div><div class='navfooter'>{row}".encode())
    assert root is not None
    frames = [block.is_frame for block in read_blocks(root).blocks]
    assert frames == [True] * 2 + [False] * 2 + [True] * 2


def test_list_and_frame_end_with_their_elements() -> None:
    page = read("<nav>a</nav><ul><li>b</ul><p>c")
    assert [(b.is_list_item, b.is_frame) for b in page.blocks] == [
        (False, True),
        (True, False),
        (False, False),
    ]


# -- anchors -----------------------------------------------------------------------------


def test_an_anchor_knows_the_words_around_it() -> None:
    (anchor,) = anchors("<p>Mehr zum Thema <a href=x>Lärm am Bau</a> finden Sie hier.")
    assert anchor.text == "Lärm am Bau"
    assert anchor.before == ["Mehr", "zum", "Thema"]
    assert anchor.after == ["finden", "Sie", "hier."]


def test_the_words_around_are_bounded_on_each_side() -> None:
    words = " ".join(f"w{number}" for number in range(50))
    html = f"<p>{words} <a href=x>mitte</a> {words}"
    (anchor,) = anchors(html, context_words=3)
    assert anchor.before == ["w47", "w48", "w49"]
    assert anchor.after == ["w0", "w1", "w2"]


def test_words_of_other_blocks_are_not_around() -> None:
    (anchor,) = anchors("<p>vor</p><p>eins <a href=x>mitte</a> zwei</p><p>nach</p>")
    assert (anchor.before, anchor.after) == (["eins"], ["zwei"])


def test_an_anchor_around_blocks_has_the_text_of_all() -> None:
    page = read("<a href=x><h2>Kopf hier</h2><p>Text dort</p></a><p>danach</p>")
    (anchor,) = page.anchors
    assert anchor.text == "Kopf hier Text dort"
    assert [(b.text, b.words, b.link_words) for b in page.blocks] == [
        ("Kopf hier", 2, 2),
        ("Text dort", 2, 2),
        ("danach", 1, 0),
    ]


def test_link_words_are_counted_apart() -> None:
    (block,) = read(
        "<p>ein <a href=1>Link hier</a> und <a href=2>da</a> Schluss"
    ).blocks
    assert (block.words, block.link_words) == (6, 3)


def test_an_anchor_without_href_is_only_text() -> None:
    page = read("<p><a name=top>oben</a> Text")
    assert not page.anchors
    assert (page.blocks[0].text, page.blocks[0].link_words) == ("oben Text", 0)


def test_the_next_anchor_ends_an_unclosed_one() -> None:
    first, second = anchors("<p><a href=1>eins <a href=2>zwei</a> Text")
    assert (first.text, second.text) == ("eins", "zwei")


def test_an_image_names_its_anchor() -> None:
    (anchor,) = anchors(
        '<a href=x title="Sprache wechseln"><img src=it.png alt="Italiano"></a>'
    )
    assert anchor.title == "Sprache wechseln Italiano"
    assert anchor.text == ""


def test_areas_and_frames_are_anchors() -> None:
    page = read('<map><area href=a alt="Karte"></map>')
    assert [(a.href, a.title) for a in page.anchors] == [("a", "Karte")]
    page = read("<frameset><frame src=menu.html><frame src=text.html></frameset>")
    assert [a.href for a in page.anchors] == ["menu.html", "text.html"]


def test_attributes_of_an_anchor_are_kept() -> None:
    (anchor,) = anchors('<a href=" x " rel="NoFollow me" hreflang=it>x</a>')
    assert (anchor.href.strip(), anchor.rel, anchor.hreflang) == (
        "x",
        "nofollow me",
        "it",
    )


@pytest.mark.costs
def test_links_in_one_huge_block_do_not_cost_its_length_each() -> None:
    """5,000 links take a unit or two, and twenty if they do."""
    html = "<p>" + "".join(f"<a href={n}>Verweis {n}</a> " for n in range(5_000))
    root = etree.fromstring(html, etree.HTMLParser())
    assert len(read_blocks(root).anchors) == 5_000
    assert_cheap(lambda: read_blocks(root), steps=6_000_000, units=10.0)


# -- images ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ('<img src="a/b/logo.png">', ["logo.png"]),
        ('<img src="logo.png?v=3">', ["logo.png"]),
        ('<img src="https://cdn.example.org/x/Bild%201.JPG">', ["Bild%201.JPG"]),
        ('<img data-src="lazy.webp">', ["lazy.webp"]),
        ('<img src="data:image/png;base64,iVBORw0KGgo=">', []),
        ("<img>", []),
        ('<img src="b.png"><p><a href=x><img src="a.png"></a>', ["b.png", "a.png"]),
    ],
)
def test_images_are_known_by_their_file_names(html: str, names: list[str]) -> None:
    assert read(html).images == names


# -- any page ----------------------------------------------------------------------------

_tags = st.sampled_from("p div b a li ul h2 table td br nav span pre section".split())
_pieces = st.one_of(
    st.from_regex(r"w[0-9]{3}", fullmatch=True).map(lambda word: f" {word} "),
    _tags.map(lambda tag: f"<{tag}>"),
    _tags.map(lambda tag: f"</{tag}>"),
    st.just("<a href=x>"),
    st.just("<!-- weg -->"),
    st.just("<script>weg</script>"),
)


@settings(deadline=None)
@given(st.lists(_pieces, max_size=40))
def test_every_word_of_a_tag_soup_is_kept_once_and_in_order(pieces: list[str]) -> None:
    html = "<div>" + "".join(pieces)
    root = etree.fromstring(html, etree.HTMLParser())
    page = read_blocks(root)
    words = " ".join(block.text for block in page.blocks).split()
    assert words == [word for piece in pieces if (word := piece.strip())[:1] == "w"]
    assert all(0 <= block.link_words <= block.words for block in page.blocks)
    assert sum(len(anchor.text.split()) for anchor in page.anchors) == sum(
        block.link_words for block in page.blocks
    )


def test_elements_that_are_named_alike_share_their_path() -> None:
    page = read("<ul class=a><li>x<li>y</ul><ul class=b><li>z</ul>")
    innermost = [block.container for block in page.blocks]
    first, second, third = [page.paths[place] for place in innermost]
    assert first == second != third
    assert page.distinct_paths[first].tag == "li"
    lists = [page.parents[place] for place in innermost]
    assert [page.ends[place] - place for place in lists] == [3, 3, 2]
    assert page.ends[0] == len(page.parents) == len(page.paths)


def test_each_start_tag_that_tells_of_structure_has_a_sign() -> None:
    """Elements of the type alone, scripts and controls have none, nor has what they hold."""
    found = read(
        "<div><p>Ein <b>Satz</b> <a href=x>hier</a><br><img src=y></p>"
        "<script>a</script><form><select><option>b</select></form></div>"
    ).tags
    tags = ("body", "div", "p", "a", "br", "img", "form")
    assert "".join(found) == "".join(TAG_SIGNS[tag] for tag in tags)


def test_signs_of_tags_are_one_character_each_and_differ() -> None:
    assert all(len(sign) == 1 for sign in TAG_SIGNS.values())
    assert len(set(TAG_SIGNS.values())) == len(TAG_SIGNS)
    # The index of a corpus has them: another sign for a tag is another structure.
    assert (TAG_SIGNS["address"], TAG_SIGNS["xmp"], TAG_SIGNS["img"]) == ("0", "c", "f")
