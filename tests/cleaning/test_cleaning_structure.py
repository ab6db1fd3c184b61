"""From HTML to typed paragraphs: tables, quotations, code, comments, headings by looks."""

from __future__ import annotations

from collections import Counter

import pytest
from lxml import etree

from ilspfc.cleaning.annotation import make_paragraphs
from ilspfc.cleaning.blocks.walk import read_blocks
from ilspfc.documents import CrawlInfo, Paragraph

LONG = "Dieser Absatz ist lang genug, um unter einer Überschrift zu stehen."


def read(html: str, *, is_content: bool = True) -> list[Paragraph]:
    page = read_blocks(etree.fromstring(html, etree.HTMLParser()))
    for block in page.blocks:
        block.is_content = is_content
    return make_paragraphs(page.blocks)


def typed(html: str) -> list[tuple[str, str]]:
    return [(one.text, one.type or "") for one in read(html)]


# -- tables ------------------------------------------------------------------------------

TABLE = (
    "<table><tr><th>Stoff<th>Farbe</tr><tr><td>Chlor<td>grün</tr>"
    "<tr><td>Brom<td>braun</tr></table>"
)


def test_a_row_of_a_table_of_data_is_one_paragraph() -> None:
    assert typed(TABLE) == [
        ("Stoff | Farbe", "row"),
        ("Chlor | grün", "row"),
        ("Brom | braun", "row"),
    ]


def test_short_cells_are_not_lost_with_their_row() -> None:
    html = TABLE.replace("<td>grün", "<td>17").replace("braun", "braun<td>2")
    html += TABLE.replace("<td>grün", "<td>cl")
    assert [one.crawlinfo for one in read(html)] == [
        None,  # headers are as short as headings
        CrawlInfo.OOI_LENGTH,
        None,
        *(None, None, None),  # and so are entries
    ]


def test_a_row_is_what_most_of_its_words_are() -> None:
    html = TABLE.replace("braun", "rotbraun bis braun")
    page = read_blocks(etree.fromstring(html, etree.HTMLParser()))
    page.blocks[-1].is_content = True
    paragraphs = make_paragraphs(page.blocks)
    assert [one.crawlinfo for one in paragraphs] == [
        CrawlInfo.BOILERPLATE,
        CrawlInfo.BOILERPLATE,
        None,
    ]


@pytest.mark.parametrize(
    "html",
    [
        f"<table><tr><td><p>{LONG}<p>{LONG}<td>Menü</table>",
        "<table role=presentation><tr><td>a<td>b</tr><tr><td>c<td>d</table>",
        "<table><tr><td>Start<td>Kontakt</tr></table>",
        f"<table><tr><td>{LONG * 5}<td>{LONG * 5}</tr><tr><td>{LONG * 5}<td>{LONG * 5}</table>",
        "<table><tr><td><h2>a</h2><td>b</tr><tr><td><h2>c</h2><td>d</table>",
    ],
)
def test_tables_that_lay_out_a_page_have_no_rows(html: str) -> None:
    assert not {"row", "cell"} & {one.type for one in read(html)}


def test_what_is_too_much_for_a_row_is_a_cell() -> None:
    html = f"<table><tr><th>Wort<th>Sinn</tr><tr><td>Lärm<td><p>{LONG}<p>x y z</table>"
    assert typed(html) == [
        ("Wort | Sinn", "row"),
        ("Lärm", "cell"),
        (LONG, "cell"),
        ("x y z", "cell"),
    ]


def test_a_table_in_a_cell_has_its_own_rows() -> None:
    html = f"<table><tr><td>vor<td>{TABLE}<td>nach</table>"
    assert [text for text, _ in typed(html)] == [
        *("vor", "Stoff | Farbe", "Chlor | grün", "Brom | braun", "nach"),
    ]


# -- kinds -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<blockquote>x", "quote"),
        ("<blockquote><p>x", "quote"),
        ("<blockquote><ul><li>x", "listitem"),
        ("<ul><li><blockquote>x", "quote"),
        ("<div class='epigraph'>x", "quote"),
        ("<table><caption>x</caption><tr><td></table>", "caption"),
        ("<figure><figcaption>x", "caption"),
        ("<p class='wp-caption-text'>x", "caption"),
        ("<pre><code>x</code></pre>", "code"),
        ("<div class='highlight-python'><pre>x</pre></div>", "code"),
        ("<p><code>x</code>", "code"),
        ("<p>ein <code>x</code>", ""),
        ("<pre>x</pre>", "preformatted"),
        ("<xmp>x</xmp>", "preformatted"),
        ("<p>• x", "listitem"),
        ("<p>– x", ""),
        ("<h3>x", "heading"),
        ("<div>x", ""),
    ],
)
def test_the_innermost_element_tells_what_a_paragraph_is(html: str, kind: str) -> None:
    assert [one for _, one in typed(html)] == [kind]


def test_headings_keep_their_level() -> None:
    paragraphs = read(f"<h2>Lärm</h2><p>{LONG}</p><h5>Staub</h5>")
    assert [one.level for one in paragraphs] == [2, 0, 5]


# -- preformatted text -------------------------------------------------------------------


def test_each_line_of_code_is_a_paragraph() -> None:
    html = "<pre><code>a = 1\nb = 2\n\n\nprint(a)\n</code></pre>"
    assert typed(html) == [("a = 1", "code"), ("b = 2", "code"), ("print(a)", "code")]


@pytest.mark.parametrize("tag", ["pre", "pre class=code"])
def test_lines_of_a_program_keep_their_indentation(tag: str) -> None:
    html = f"<{tag}>\nif a:\n    b = 2\n\n\n\tc = 3\nd = 4 </pre>"
    assert [one.indent for one in read(html)] == [0, 4, 1, 0]
    assert [one.gap for one in read(html)] == [0, 0, 1, 0]
    assert [one.indent for one in read("<p>  a\n  b<br>  C</p>")] == [0, 0]
    wrapped = (
        "  Wer auf einer Leiter steht, der braucht eine\n  Hand, um sich zu halten."
    )
    assert [one.indent for one in read(f"<pre>{wrapped}</pre>")] == [0]


@pytest.mark.parametrize(
    "html",
    [
        "<pre><code><div>if a:<br></div><div>    b = 2<br></div><div><br></div><div>c</div></code></pre>",
        "<pre class=code><div>if a:</div><div>    <b>b</b> = 2\n</div><div></div><div>c</div></pre>",
        "<pre><code>if a:<div><div>    b = 2</div></div><div><div>\n</div></div>c</code></pre>",
        "<pre><code><div><div class=gutter>1</div><div>if a:</div></div><div><div></div>    b = 2</div>\nc</code></pre>",
        "<pre><code><div>if a:</div><div>    b = 2</div><div hidden>x</div>\n<div class=comments>c</div></code></pre>",
    ],
)  # fmt: skip
def test_elements_are_lines_of_code(html: str) -> None:
    page = read(f"<p>{LONG}</p>{html}<div><p>Ende</div>")
    lines = [(one.text, one.type, one.indent, one.gap) for one in page[1:-1]]
    assert lines == [
        ("if a:", "code", 0, 0),
        ("b = 2", "code", 4, 0),
        ("c", "code", 0, 1),
    ]
    assert (page[-1].text, page[-1].type) == ("Ende", None)
    assert {one.crawlinfo for one in page[:-1]} == {None}


@pytest.mark.parametrize(
    "html",
    [
        "<pre><code>a = 1</code>{0}",
        "<pre><div>{0}",
        "<pre class=code><table><tr><td>{0}</table></pre>",
    ],
)
def test_other_elements_in_preformatted_text_are_no_lines(html: str) -> None:
    part = f"<div><h2>Lärm</h2><div>{LONG}</div></div><ul><li>Staub</ul>"
    found = dict(typed(html.format(part)))
    assert (found["Lärm"], found["Staub"]) == ("heading", "listitem")


@pytest.mark.parametrize("tag", ["pre", "pre class=code"])
def test_lines_of_a_program_are_as_long_as_the_whole(tag: str) -> None:
    lines = ["staff = {", "c4 c d e", "}"]
    paragraphs = read(f"<{tag}>" + "\n".join(lines) + "</pre>")
    assert [(one.text, one.crawlinfo) for one in paragraphs] == [
        (line, None) for line in lines
    ]
    (short,) = read(f"<{tag}>end</pre>")
    assert short.crawlinfo is CrawlInfo.OOI_LENGTH


def test_lines_of_code_in_a_paragraph_are_not_rejoined() -> None:
    lines = ["For zähler = 1 To Ende", "anweisung", "[Exit For]", "next", "Wend"]
    paragraphs = read(f"<p><code>{'<br>'.join(lines)}</code></p>")
    assert [(one.text, one.crawlinfo) for one in paragraphs] == [
        (line, None) for line in lines
    ]
    assert len(read(f"<p>{'<br>'.join(lines)}</p>")) == 3


def test_a_program_with_a_long_line_keeps_its_lines() -> None:
    lines = ["{", r"\\new Voice = sopranos { \\voiceOne << \\global >> }", "x", "}"]
    assert [text for text, _ in typed("<pre>" + "\n".join(lines) + "</pre>")] == lines


@pytest.mark.parametrize(
    "lines",
    [
        [
            "Sub ExampleInt",
            "Print Int(3.99) ' returns the value 3",
            "Print Int(0) ' returns the value 0",
            "Print Int(-3.14159) ' returns the value -4",
            "End Sub",
        ],
        ["cd docs", 'git commit -m "Add the new chapter about the office"', "git push"],
        ['greeting = File::open("hello.txt").unwrap();', "print(greeting); }"],
        [
            "extra/libpng 1.6.19-1 1.6.20-1 0.23 MiB ok",
            "extra/mariadb 10.1.9-4 2.8 MiB",
        ],
    ],
)
def test_short_code_and_tables_whose_lines_are_full_keep_them(lines: list[str]) -> None:
    assert [text for text, _ in typed("<pre>" + "\n".join(lines) + "</pre>")] == lines


@pytest.mark.parametrize(
    "wrapped",
    [
        "With -i (or --ignore-case), *all* of the files are read by grep(1); see\n[RFC 2119] for _words_ like that.",
        "安全帽和安全带是在2003年规定的，每个在高处工作的人都必须戴上，没有例外，因为PIN码是4位数，在第3章第2节里\n说明了这一点，请看。",
    ],
)
def test_prose_with_some_signs_and_numbers_is_rejoined(wrapped: str) -> None:
    assert len(typed(f"<pre>{wrapped}</pre>")) == 1


def test_wrapped_lines_are_rejoined_and_verses_are_not() -> None:
    wrapped = "Wer auf einer Leiter steht, der braucht eine\nHand, um sich zu halten."
    assert typed(f"<pre>{wrapped}</pre>") == [
        (wrapped.replace("\n", " "), "preformatted")
    ]
    assert typed("<pre>Sah ein Knab\nein Röslein stehn</pre>") == [
        ("Sah ein Knab", "preformatted"),
        ("ein Röslein stehn", "preformatted"),
    ]


# -- headings by their looks -------------------------------------------------------------


@pytest.mark.parametrize(
    "heading",
    [
        "<p><b>Lärm am Bau</b></p>",
        "<p><strong>Lärm <i>am</i> Bau</strong></p>",
        "<div><font size='+2'>Lärm am Bau</font></div>",
        "<p><span style='font-weight: bold'>Lärm am Bau</span></p>",
        "<b>Lärm am Bau</b><br>",
        "<b>Lärm am Bau<br></b>",
    ],
)
def test_a_short_line_in_bold_type_heads_the_text_below(heading: str) -> None:
    assert typed(f"{heading}{LONG}") == [("Lärm am Bau", "heading"), (LONG, "")]


@pytest.mark.parametrize(
    "html",
    [
        "<p><b>Lärm am Bau</b></p>",
        f"<p><b>Lärm</b> am Bau</p><p>{LONG}",
        f"<p><b>Das ist ein Satz.</b></p><p>{LONG}",
        f"<p><b>{LONG * 3}</b></p><p>{LONG}",
        f"<p><b><a href=x>Lärm am Bau</a></b></p><p>{LONG}",
        f"<p><b>***</b></p><p>{LONG}",
        f"<p><b>Lärm am Bau</b></p><h2>{LONG}</h2>",
        "<p><b>Lärm am Bau</b></p><p>kurz",
        "<b>" + "<p>Lärm am Bau</p>" * 9,
    ],
)
def test_other_bold_type_is_no_heading(html: str) -> None:
    assert all(kind != "heading" or text == LONG for text, kind in typed(html))


# -- comments of readers -----------------------------------------------------------------


@pytest.mark.parametrize(
    "html",
    [
        "<div id=comments><p>x",
        "<ol class=commentlist><li>x",
        "<section class='comments-area'><h3>x",
        "<div class=kommentare>x",
        "<div id=disqus_thread>x",
        "<div itemprop=comment>x",
        "<div itemscope itemtype='https://schema.org/Comment'>x",
    ],
)
def test_what_stands_in_a_section_of_comments_is_one(html: str) -> None:
    assert typed(html) == [("x", "comment")]


def test_comments_come_in_numbers() -> None:
    one = "<div id='comment-{0}' class='comment even'><p>{0} x</div>"
    assert [kind for _, kind in typed(one.format(1))] == [""]
    both = one.format(1) + "<p>y</p>" + one.format(2)
    assert [kind for _, kind in typed(both)] == ["comment", "", "comment"]


@pytest.mark.parametrize(
    "names",
    [
        "class=comments-open",
        "class=no-comments",
        "class=commented",
        "id=recent-comments",
    ],
)
def test_names_that_only_speak_of_comments_are_none(names: str) -> None:
    assert typed(f"<div {names}>x") == [("x", "")]
    assert typed("<body class=comments>x") == [("x", "")]


# -- odd pages: no word is lost, and the order is that of reading --------------------------


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<table><tr><td>1<table><tr><td>2<td>3</table>4<td>5</table>6", "1 2 3 4 5 6"),
        ("<table>1<tr>2<td>3</table>4", "1 2 3 4"),
        ("<p>1<template><p>weg</template>2", "12"),
        ("<p>1 <svg><title>weg</title><text>weg</text></svg>2", "1 2"),
        ("<p>1<noscript>weg</noscript>2", "12"),
        ("<frameset><frame src=a><noframes>weg</noframes></frameset>1", "1"),
        ("<details><summary>1</summary>2<p>3</details>4", "1 2 3 4"),
        ("<dl><dt>1<dt>2<dd>3<p>4</dl>5", "1 2 3 4 5"),
        ("<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字", "漢(かん)字"),
        ("<p><ruby>漢<rt>かん</rt></ruby>", "漢(かん)"),
        ("<p>10<sup>6</sup> H<sub>2</sub>O", "106 H2O"),
        ("<p>1<br><br/>2<br>3<br><br><br>4", "1 2 3 4"),
        ("<b>1<p>2</b>3<i>4</p>5</i>6", "1 234 56"),
        ("<a href=x>1<div>2<a href=y>3</div>4</a>5", "1 23 45"),
        ("<ul>1<li>2<div>3</ul> 4</li> 5", "1 2 3 4 5"),
        ("<form>1<p>2</form>3<label>4<input value=weg>5</label>", "1 2 345"),
        ("<fieldset><legend>1</legend>2</fieldset>3", "1 2 3"),
        ("<p>1<math><mi>weg</mi></math>2", "1 2"),
        ("<marquee>1</marquee>2<center>3</center>", "1 2 3"),
        ("<h1>1<p>2</h1> 3", "1 2 3"),
        ("<map><area href=x alt=weg></map>1<object>weg</object>2", "1 2"),
        ("<body>1<head><title>weg</title></head>2<html>3", "123"),
        ("<pre>1\n<p>2\n</pre>3", "1 2 3"),
        ("<p>1<o:p>2</o:p><my-tag>3</my-tag>", "123"),
        ("<blockquote>1<blockquote>2</blockquote>3</blockquote>", "1 2 3"),
        ("<p>1</p></p></div></td>2</table>3", "1 23"),
    ],
)
def test_an_odd_page_keeps_its_words_in_order(html: str, words: str) -> None:
    found = " ".join(one.text for one in read(html)).replace(" | ", " ")
    assert Counter(found.split()) == Counter(words.split())
    assert found == words


def test_headings_of_two_words_are_text() -> None:
    page = "<h2>Sicheres Heben</h2><p>Kurzer Text</p><h2>Heben</h2>"
    page += "<p><b>Richtig tragen</b></p><p>Wer schwer trägt, beugt die Knie.</p>"
    found = {one.text: one.crawlinfo for one in read(page)}
    assert found["Sicheres Heben"] is None
    assert found["Richtig tragen"] is None
    assert found["Kurzer Text"] is CrawlInfo.OOI_LENGTH
    assert found["Heben"] is CrawlInfo.OOI_LENGTH
