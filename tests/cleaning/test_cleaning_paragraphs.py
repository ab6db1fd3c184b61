"""Blocks to paragraphs: where they end, what they are, which are too short."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ilspfc.cleaning.annotation import (
    count_tokens,
    find_title,
    make_paragraphs,
    title_variants,
)
from ilspfc.cleaning.blocks.parsed import Block
from ilspfc.cleaning.page import clean_page
from ilspfc.documents import CrawlInfo, Document, ParagraphType


def block(text: str, tag: str = "p", **attributes: object) -> Block:
    block = Block(text, tag, len(text.split()), 0, 1, is_content=True)
    return replace(block, **attributes)  # type: ignore[arg-type]


def split(text: str) -> list[str]:
    return [paragraph.text for paragraph in make_paragraphs([block(text)])]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("  ", 0),
        ("eins", 1),
        ("eins zwei\ndrei", 3),
        ("E-Mail-Adresse", 1),
        ("安全第一", 2),
        ("安全第", 2),
        ("安", 1),
        ("使用 PPE 设备", 3),
        ("ความปลอดภัย", 6),
        ("산업 안전", 2),
        # Ethiopic parts words by a mark, Tibetan syllables: two of these are one token.
        ("የሰው፡ልጅ፡ሁሉ፡ነው።", 4),
        ("የሰው ልጅ፡ሁሉ ፡ ነው፡፡", 4),
        ("རྒྱལ་ཁབ་ཁག་གི་དབར།", 4),
        ("ｵｼﾗｾ", 2),
        ("ꀀꀁꀂꀃ", 2),
        ("ꦲꦤꦕꦫ", 2),
        ("ᦍᦎᦏᦐ", 2),
        ("ㄓㄨˋㄧㄣ", 3),
    ],
)
def test_tokens_are_words_or_pairs_of_characters(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        ("Eine Zeile.", ["Eine Zeile."]),
        ("Eine Zeile.\nNoch eine Zeile.", ["Eine Zeile.", "Noch eine Zeile."]),
        ("Ohne Punkt\nGroßer Anfang", ["Ohne Punkt", "Großer Anfang"]),
        ("Mitten im\nsatz geht es weiter", ["Mitten im satz geht es weiter"]),
        ("eins\nzwei\ndrei", ["eins zwei drei"]),
        ("Ein Satz.\nklein begonnen", ["Ein Satz.", "klein begonnen"]),
        ("Es gilt:\nerstens", ["Es gilt:", "erstens"]),
        ("Er sagte: «Komm»\nund ging", ["Er sagte: «Komm»", "und ging"]),
        ("安全。\n第一", ["安全。", "第一"]),
    ],
)
def test_a_br_ends_a_paragraph_unless_it_stands_amid_a_sentence(
    text: str, paragraphs: list[str]
) -> None:
    assert split(text) == paragraphs


@settings(deadline=None)
@given(st.lists(st.from_regex(r"[A-Za-zäÄ.:]{1,8}", fullmatch=True), min_size=1))
def test_rejoining_lines_loses_no_word(lines: list[str]) -> None:
    assert " ".join(split("\n".join(lines))).split() == lines


def test_paragraphs_are_typed_by_their_blocks() -> None:
    blocks = [
        block("Titel der Seite hier", "h1", is_title=True),
        block("Eine kleine Überschrift", "h4"),
        block("Ein Punkt der Liste", "li", is_list_item=True),
        block("Ein Absatz mit Text"),
    ]
    assert [paragraph.type for paragraph in make_paragraphs(blocks)] == [
        ParagraphType.TITLE,
        ParagraphType.HEADING,
        ParagraphType.LISTITEM,
        None,
    ]


def test_a_content_paragraph_of_too_few_tokens_is_marked() -> None:
    blocks = [block("eins zwei"), block("eins zwei drei"), block("eins", "h2")]
    assert [paragraph.crawlinfo for paragraph in make_paragraphs(blocks)] == [
        CrawlInfo.OOI_LENGTH,
        None,
        CrawlInfo.OOI_LENGTH,
    ]
    assert make_paragraphs(blocks, min_paragraph_tokens=1)[0].crawlinfo is None


def test_boilerplate_stays_boilerplate_however_short() -> None:
    paragraphs = make_paragraphs([block("kurz", is_content=False)])
    assert [paragraph.crawlinfo for paragraph in paragraphs] == [CrawlInfo.BOILERPLATE]


# -- the title ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "variants"),
    [
        ("", set()),
        ("Hi", set()),
        ("Lärm", {"lärm"}),
        ("Lärm | Suva", {"lärm | suva", "lärm", "suva"}),
        ("Bau | So", {"bau | so", "bau"}),
        ("Lärm|Suva", {"lärm|suva", "lärm", "suva"}),
        ("Suva - Lärm - DE", {"suva - lärm - de", "suva", "lärm"}),
        ("Lärm-Schutz", {"lärm-schutz"}),
        ("Startseite » Lärm", {"startseite » lärm", "startseite", "lärm"}),
    ],
)
def test_a_title_element_may_name_the_site_too(title: str, variants: set[str]) -> None:
    assert title_variants(title) == variants


@pytest.mark.parametrize(
    ("blocks", "title", "found"),
    [
        ([block("Willkommen", "h1"), block("Lärm", "h2")], "Lärm | Suva", 1),
        ([block("LÄRM", "h2"), block("Lärm", "h1")], "Lärm", 0),
        ([block("Text"), block("Anders", "h1"), block("Noch", "h1")], "Lärm", 1),
        ([block("Anders", "h2"), block("Lärm")], "Lärm", 1),
        ([block("Lärm"), block("Suva", "h3")], "Lärm | Suva", 1),
        ([block("Lärm", "h1", is_frame=True), block("Lärm", "h2")], "Lärm", 1),
        ([block("Suva", "h1", link_words=1), block("Lärm")], "Lärm | Suva", 0),
        ([block("Suva", "h3", link_words=1), block("Lärm", "h1")], "Lärm – Suva", 1),
        ([block("Suva", "h1", link_words=1), block("Lärm", "h1")], "Lärm [Suva]", 1),
        ([block("Lärm"), block("1. Quellen", "h1"), block("Lärm")], "Lärm", 0),
        ([block("1. Quellen", "h1"), block("Lärm")], "Lärm", 0),
        ([block("Suva"), block("Quellen", "h1")], "Lärm | Suva", 1),
        # The site's name: Redmine, Trac, Blogger, an h1 above that of the page
        (
            [block("Handbuch", "h1"), block("Bug #1", "h2"), block("Drucken", "h3")],
            "Bug #1: Drucken - Handbuch - Redmine",
            2,
        ),
        ([block("Suva", "h1", link_words=1), block("Anders", "h1")], "Lärm – Suva", 1),
        ([block("Suva", "h1", link_words=1), block("Lärm", "h3")], "Suva: Lärm", 1),
        (
            [block("Suva", "h1", link_words=1), block("Lärm", "h3", link_words=1)],
            "Suva: Lärm",
            1,
        ),
        ([block("Suva", "h1"), block("Anders", "h1")], "Lärm im Büro | Suva", 1),
        ([block("Suva", "h1"), block("Lärm im Büro", "h2")], "Lärm im Büro | Suva", 1),
        # The first parts together, a later part, and the longest
        ([block("Lärm : Büro", "h1"), block("Lärm", "h2")], "Lärm : Büro – Suva", 0),
        ([block("Lärm", "h1"), block("Büro – Suva", "h2")], "Lärm : Büro – Suva", 0),
        ([block("Lärm im Büro", "h1"), block("Mehr", "h1")], "Suva - Lärm im Büro", 0),
        ([block("Lärmschutz", "h1"), block("Büro", "h2")], "Lärmschutz: Büro", 0),
        ([block("Text"), block("Anders", "h2")], "Lärm", None),
        ([block("Text")], "", None),
        ([], "Lärm", None),
    ],
)
def test_the_title_is_the_heading_that_repeats_it_else_the_first_h1_else_its_text(
    blocks: list[Block], title: str, found: int | None
) -> None:
    fresh = [
        Block(b.text, b.tag, b.words, b.link_words, 1, is_frame=b.is_frame)
        for b in blocks
    ]
    find_title(fresh, title)
    marked = [number for number, b in enumerate(fresh) if b.is_title]
    assert marked == ([] if found is None else [found])
    assert [number for number, b in enumerate(fresh) if b.is_content] == marked


@pytest.mark.parametrize(
    ("above", "found"),
    [
        ([block("Handbuch 1.2"), block("Lärm im Büro")], 1),
        ([block("Lärm im Büro"), block("Handbuch 1.2")], 3),
        ([block("Handbuch 1.2"), block("Lärm im Büro", link_words=3)], 3),
        ([block("Handbuch 1.2"), block("Büro")], 3),
    ],
)
def test_a_block_right_above_the_text_may_be_the_title(
    above: list[Block], found: int
) -> None:
    blocks = [replace(one, is_content=False) for one in above]
    blocks += [block("Ein Satz über Lärm."), block("Quellen", "h1")]
    find_title(blocks, "Handbuch: Lärm im Büro")
    assert [number for number, one in enumerate(blocks) if one.is_title] == [found]


def test_paragraphs_in_elements_of_the_same_names_have_the_same_place() -> None:
    html = (
        "<div class=post-1><p>Erster Satz.</p></div><div class=post-22><p>Zweiter"
        " Satz.</p></div><div class=menu><p>Dritter Satz.</p></div>"
    )
    document = clean_page(html.encode(), url="http://a.org/", identity="a")
    assert isinstance(document, Document)
    first, second, third = (one.place for one in document.paragraphs)
    assert first == second != third


def test_the_place_of_a_paragraph_that_is_all_link_is_negative() -> None:
    html = "<ul><li>Ein Satz.</li><li><a href=b>Ein Satz.</a></li><li><a href=c>Ein</a> Satz."
    document = clean_page(html.encode(), url="http://a.org/", identity="a")
    assert isinstance(document, Document)
    plain, linked, partly = (one.place for one in document.paragraphs)
    assert plain == partly == -linked > 0
