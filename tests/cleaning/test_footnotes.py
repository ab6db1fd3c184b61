"""Footnotes: what is a mark and what is not, and how the text around it is joined."""

from __future__ import annotations

import pytest

from ilspfc.cleaning.blocks.core import read_blocks
from ilspfc.cleaning.blocks.markup import read_tree


def read(body: str) -> list[str]:
    root = read_tree(f"<body>{body}".encode())
    assert root is not None
    return [block.text for block in read_blocks(root).blocks]


@pytest.mark.parametrize(
    ("mark", "note"),
    [
        # React, Word before it is filtered
        (
            "<sup><a href='#n1' id=r1>[<!-- -->1<!-- -->]</a></sup>",
            "<p id=n1>Note. <a href='#r1'><!-- -->↩</a>",
        ),
        (
            (
                "<a href='#n1' name=r1><span><span><![if !supportFootnotes]><span><span>[1]</span>"
                "</span><![endif]></span></span></a>"
            ),
            (
                "<p><a href='#r1' name=n1><span><![if !supportFootnotes]><span>[1]</span>"
                "<![endif]></span></a> Note."
            ),
        ),
        # LibreOffice, DocBook, Asciidoctor, pandoc, MediaWiki, Word, Substack
        (
            "<a class=sdfootnoteanc name=r1 href='#n1'><sup>1</sup></a>",
            "<div id=x><p><a class=sdfootnotesym name=n1 href='#r1'>1</a>Note.",
        ),
        (
            "<a href='#n1' id=r1><sup>[5]</sup></a>",
            "<div id=n1><p><a href='#r1'><sup>[5] </sup></a> Note.",
        ),
        (
            "<sup>[<a id=r1 href='#n1'>1</a>]</sup>",
            "<div id=n1><a href='#r1'>1</a>. Note.</div>",
        ),
        (
            "<a href='#n1' id=r1 role=doc-noteref><sup>1</sup></a>",
            "<ol><li id=n1><p>Note.<a href='#r1'>↩︎</a></ol>",
        ),
        (
            "<sup id=r1><a href='#n1'><span>[</span>1<span>]</span></a></sup>",
            "<ol><li id=n1><span>↑ <sup><a href='#r1'>1.0</a></sup></span> Note.</ol>",
        ),
        (
            "<a href='#n1' name=r1>[1]</a>",
            "<p><a href='#r1' name=n1>[1]</a> Note.",
        ),
        (
            "<a id=r1 href='https://a.example/p#n1'>1</a>",
            "<div><a id=n1 href='https://a.example/p#r1'>1</a><p>Note.</div>",
        ),
        ("[<a href='#n1' id=r1>1</a>]", "<p>[<a href='#r1' id=n1>1</a>] Note."),
    ],
)
def test_marks_of_footnotes_and_links_back_are_no_text(mark: str, note: str) -> None:
    assert read(f"<p>The end{mark}. More.</p>{note}") == ["The end. More.", "Note."]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("x <sup><a href='#n'>1</a></sup> y", "x y"),
        ("x <sup><a href='#n'>1</a></sup>, y", "x, y"),
        ("x<sup><a href='#n'>1</a>, <a href='#m'>2</a></sup> y", "x y"),
        ("<b>x</b> <a href='#n'><sup>*</sup></a>; y", "x; y"),
        ("10 m<sup>2</sup><sup><a href='#n'>a</a></sup>", "10 m2"),
    ],
)
def test_raised_marks_need_no_link_back(body: str, text: str) -> None:
    assert read(f"<p>{body}</p><p id=n>A<p id=m>B") == [text, "A", "B"]


@pytest.mark.parametrize(
    "mark",
    [
        # calibre, EPUB, DPUB-ARIA
        "<sup><a class=noteref href='notes.html#n1'>1</a></sup>",
        "<a epub:type=noteref href='notes.xhtml#n1'>[1]</a>",
        "<a role=doc-noteref href='notes.html#n1'>*</a>",
    ],
)
def test_the_notes_of_declared_marks_may_be_in_another_file(mark: str) -> None:
    assert read(f"<p>Bees fly.{mark}</p>") == ["Bees fly."]
    other = mark.replace("noteref", "see")
    assert read(f"<p>Bees fly.{other}</p>") != ["Bees fly."]


@pytest.mark.parametrize(
    "body",
    [
        # A citation, a section, a place that is not on the page
        "<p>See [<a href='#b1'>1</a>] and x</p><p id=b1>B",
        "<p>Section <a href='#b1'>2</a></p><p id=b1>B",
        "<p>x<sup><a href='#gone'>2</a></sup></p>",
        "<p>x<sup><a href='/other#b1'>2</a></sup></p><p id=b1>B",
        # A list of citations that lead back, a table of contents with numbers, a verse
        "<p>See [<a id=r1 href='#b1'>1</a>, 2]</p><p id=b1><a href='#r1'>1</a>",
        "<p>x <a id=t1 href='#s1'>10</a></p><h2 id=s1><a href='#t1'>10</a> y</h2>",
        "<p>x <sup id=v2><a href='#v2'>2</a></sup> y</p>",
        "<p><sup><a href='#b1'>2</a></sup> y</p><p id=b1>B",
        # A year, and words
        "<p>x <a id=r1 href='#b1'>1901</a></p><p><a id=b1 href='#r1'>1901</a> y",
        "<p>x <a id=r1 href='#b1'>note</a></p><p><a id=b1 href='#r1'>back</a> y",
    ],
)
def test_other_links_on_a_page_are_text(body: str) -> None:
    assert read(body) == read(body.replace("href=", "data-href="))


def test_a_note_inside_a_sentence_follows_its_paragraph() -> None:
    note = (
        "<span class='ltx_note ltx_role_footnote'><sup class=ltx_note_mark>{0}</sup>"
        "<span class=ltx_note_outer><span class=ltx_note_content>"
        "<sup class=ltx_note_mark>{0}</sup><span class='ltx_tag ltx_tag_note'>{0}</span>"
        "Note {0}.</span></span></span>"
    )
    body = f"<p>One{note.format(1)} and two{note.format(2)}.</p><p>More."
    assert read(body) == ["One and two.", "Note 1.", "Note 2.", "More."]
    assert read(f"<ul><li>One{note.format(1)}.</ul>") == ["One.", "Note 1."]


@pytest.mark.parametrize("back", ["r1", "elsewhere"])
def test_notes_around_links_back_are_no_asides_and_named_like_no_foot(
    back: str,
) -> None:
    root = read_tree(
        f"<p>Text<sup><a href='#n1' id=r1>1</a></sup> goes on.<aside class=footnote-list>"
        f"<div class=footNote id=n1><a href='#{back}'>1</a> Note.</div></aside>".encode()
    )
    assert root is not None
    tags = [(one.tag, one.get("class")) for one in root.iter("aside", "div")]
    assert tags == (
        [("div", "note-list"), ("div", "note")]
        if back == "r1"
        else [("aside", "footnote-list"), ("div", "footNote")]
    )
