"""Which text is the page's own: prose, its headings and lists, and no menu."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from ilspfc.cleaning.blocks.parsed import Block
from ilspfc.cleaning.blocks.walk import read_blocks
from ilspfc.cleaning.content.boilerpipe import _mark_lists, _wrapped, mark_content

PROSE = (
    "Wer auf einer Baustelle arbeitet, trägt einen Helm, feste Schuhe und eine Warnweste,"
    " denn herabfallende Gegenstände und rangierende Fahrzeuge sind die häufigsten"
    " Ursachen schwerer Unfälle. Die Ausrüstung stellt der Betrieb, und er sorgt dafür,"
    " dass sie geprüft und bei Bedarf ersetzt wird."
)
MENU = "".join(
    f'<li><a href="/{word}">{word}</a></li>'
    for word in "Start Themen Kurse Presse Kontakt Impressum".split()
)


def marked(html: str) -> dict[str, bool]:
    root = etree.fromstring(html, etree.HTMLParser())
    blocks = read_blocks(root).blocks
    mark_content(blocks)
    return {block.text: block.is_content for block in blocks}


def page(content: str) -> str:
    return (
        f"<body><nav><ul>{MENU}</ul></nav><ul>{MENU.upper()}</ul>{content}"
        f"<ul>{MENU.lower()}</ul><footer><p>© 2026 Fachstelle. {PROSE}</p></footer>"
    )


def test_prose_is_kept_and_what_frames_it_is_not() -> None:
    content = marked(page(f"<p>{PROSE}</p>"))
    assert [text for text, is_content in content.items() if is_content] == [PROSE]
    assert len(content) == 6 * 3 + 2, "nothing is deleted"


@pytest.mark.parametrize("frame", ["nav", "footer", "aside", "menu", "form"])
def test_even_prose_is_boilerplate_inside_a_frame(frame: str) -> None:
    content = marked(f"<{frame}><p>{PROSE}</p></{frame}><p>Haupttext: {PROSE}</p>")
    assert list(content.values()) == [False, True]


def test_a_short_sentence_between_short_neighbors_is_kept() -> None:
    sentence = "Melden Sie jeden Unfall noch am selben Tag der zuständigen Stelle."
    assert marked(page(f"<p>Hinweis</p><p>{sentence}</p><p>Druck</p>"))[sentence]


@pytest.mark.parametrize(
    "text",
    [
        "Melden Sie jeden Unfall noch heute.",
        "Mehr Themen Alle Kurse Unsere Presse Der Kontakt Das Impressum Die Suche hier",
    ],
)
def test_few_words_or_no_sentence_are_no_prose(text: str) -> None:
    assert not marked(page(f"<p>{text}</p>"))[text]


@pytest.mark.parametrize(("words", "is_prose"), [(9, False), (10, True)])
def test_prose_has_ten_words_and_an_end(words: int, is_prose: bool) -> None:
    for end in (".", "!", "?", ":", ".»", "."):
        text = " ".join(["Wort"] * words) + end
        assert marked(page(f"<p>{text}</p>"))[text] == is_prose
    text = " ".join(["Wort"] * words)
    assert not marked(page(f"<p>{text}</p>"))[text]


@pytest.mark.parametrize(("linked", "is_prose"), [(5, True), (6, False)])
def test_prose_has_at_most_a_third_of_its_words_in_links(
    linked: int, is_prose: bool
) -> None:
    html = f"{'Wort ' * (15 - linked)}<a href=x>{'Link ' * linked}</a>."
    content = marked(page(f"<p>{html}</p>"))
    (text,) = (text for text in content if text.startswith("Wort"))
    assert content[text] == is_prose


def test_a_sentence_of_links_is_no_prose() -> None:
    html = " ".join(f"<a href={n}>Thema</a>" for n in range(6)) + " und noch fünf mehr."
    content = marked(page(f"<p>{html}</p>"))
    assert not content["Thema " * 6 + "und noch fünf mehr."]


@pytest.mark.parametrize("heading", ["h1", "h2", "h3", "h6"])
def test_a_heading_goes_with_the_text_that_it_heads(heading: str) -> None:
    content = marked(
        page(f"<{heading}>Helm</{heading}><p>{PROSE}</p><{heading}>Links</{heading}>")
    )
    assert content["Helm"]
    assert not content["Links"]


def test_headings_one_after_the_other_go_with_the_text() -> None:
    content = marked(page(f"<h1>Schutz</h1><h2>Helm</h2><p>{PROSE}</p>"))
    assert content["Schutz"]
    assert content["Helm"]


def test_the_items_of_a_list_stay_together() -> None:
    items = ["Helm", "Warnweste", "Schuhe mit Kappe", "Brille"]
    html = "".join(f"<li>{item}</li>" for item in items)
    content = marked(page(f"<p>{PROSE}</p><ul>{html}</ul><p>Seite 1</p>"))
    assert all(content[item] for item in items)


def test_a_menu_after_a_list_is_another_list() -> None:
    html = "".join(f"<li>{item}</li>" for item in ("Helm", "Warnweste", "Brille"))
    content = marked(page(f"<p>{PROSE}</p><ul>{html}</ul>"))
    assert content["Helm"]
    assert not content["start"]


def item(words: int, *, links: int = 0, is_content: bool = False) -> Block:
    return Block(
        "Wort " * words,
        "li",
        words,
        links,
        level=3,
        is_list_item=True,
        list_number=1,
        is_content=is_content,
    )


@pytest.mark.parametrize(
    ("before", "items", "is_kept"),
    [
        # half of the words are content, or less
        (False, [item(4, is_content=True), item(4)], True),
        (False, [item(4, is_content=True), item(5)], False),
        # a content block introduces the list
        (True, [item(4), item(5)], True),
        (None, [item(4), item(5)], False),
        # less than half of the words are links, or a menu
        (True, [item(4, links=3), item(4)], True),
        (True, [item(4, links=4), item(4)], False),
    ],
)
def test_a_list_is_kept_for_its_content_or_its_introduction_unless_a_menu(
    before: bool | None, items: list[Block], is_kept: bool
) -> None:
    introduction = (
        [] if before is None else [Block("x", "p", 1, 0, 3, is_content=before)]
    )
    end = Block("x", "p", 1, 0, 3, is_content=True)
    _mark_lists([*introduction, *items, end])
    assert items[-1].is_content == is_kept


@pytest.mark.parametrize(
    ("words", "wrapped"),
    [(0, (0, 1)), (3, (3, 1)), (8, (8, 1)), (9, (8, 1)), (16, (8, 1)), (20, (16, 2))],
)
def test_text_density_is_that_of_full_lines_of_80_characters(
    words: int, wrapped: tuple[int, int]
) -> None:
    """Eight words of nine letters with their blanks are 79 characters."""
    assert _wrapped(["neunzeich"] * words) == wrapped


def test_a_list_that_is_mostly_content_is_kept_whole() -> None:
    """Without a text before it, too."""
    html = f"<li>Helm</li><li>{PROSE}</li><li>Schuhe</li>"
    content = marked(page(f"<p>Seite 1</p><ul>{html}</ul><p>Seite 2</p>"))
    assert content["Helm"]
    assert content["Schuhe"]


def test_a_list_at_the_beginning_of_a_page_is_not_introduced_by_its_end() -> None:
    content = marked(
        f"<ul><li>Suche</li><li>Hilfe</li></ul><p>Seite 1</p><p>{PROSE}</p>"
    )
    assert not content["Suche"]
    assert content[PROSE]


def test_a_list_after_text_is_a_menu_when_it_is_all_links() -> None:
    html = "".join(f"<li><a href={n}>Thema {n}</a></li>" for n in range(5))
    content = marked(page(f"<p>{PROSE}</p><ul>{html}</ul><p>Seite 1</p>"))
    assert not any(content[f"Thema {number}"] for number in range(5))


def test_a_page_of_nothing_has_no_content() -> None:
    mark_content([])
    assert marked(page("")) == dict.fromkeys(marked(page("")), False)


_blocks = st.lists(
    st.builds(
        lambda text, tag, links, level, in_list, in_frame: Block(
            text=text,
            tag=tag,
            words=len(text.split()),
            link_words=min(links, len(text.split())),
            level=level,
            is_list_item=in_list,
            is_frame=in_frame,
        ),
        text=st.text("ab .", min_size=1).filter(str.strip),
        tag=st.sampled_from(["p", "li", "h2", "div"]),
        links=st.integers(0, 30),
        level=st.integers(1, 9),
        in_list=st.booleans(),
        in_frame=st.booleans(),
    ),
    max_size=12,
)


@settings(deadline=None)
@given(_blocks)
def test_marking_changes_nothing_but_the_mark(blocks: list[Block]) -> None:
    before = [(block.text, block.tag, block.words) for block in blocks]
    mark_content(blocks)
    assert [(block.text, block.tag, block.words) for block in blocks] == before
    assert not any(block.is_content for block in blocks if block.is_frame)
