"""A whole page: from bytes to a document, or to the reason why there is none."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from costs import assert_cheap
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ilspfc.cleaning.page import (
    CleaningReason,
    clean_page,
    count_clean_tokens,
    mime_type,
)
from ilspfc.documents import CrawlInfo, Document, Paragraph, ParagraphType

PAGE = "https://example.org/de/leiter.html"
SENTENCE = (
    "Vor jeder Benutzung wird die Leiter geprüft, und eine beschädigte wird nicht mehr"
    " benutzt, sondern sofort aus dem Verkehr gezogen und der zuständigen Stelle gemeldet."
)
HTML = f"""<!doctype html>
<html lang="de"><head>
  <title>Leitern sicher benutzen | Fachstelle</title>
  <meta name="description" content="Regeln f&uuml;r Leitern">
  <link rel="alternate" hreflang="it" href="/it/scala.html">
</head><body>
  <nav><ul><li><a href="/">Start</a></li><li><a href="/kurse">Kurse</a></li></ul></nav>
  <h1>Leitern sicher benutzen</h1>
  <p>{SENTENCE}<br>Eine zweite Zeile hat auch genug Wörter.</p>
  <h2>Prüfung</h2>
  <p>{SENTENCE} <a href="liste.html">Zur Liste</a></p>
  <ul><li>Holme ohne Risse</li><li>Füße</li></ul>
  <img src="/media/leiter.jpg"><script>nein()</script>
  <footer>© Fachstelle</footer>
</body></html>"""


def clean(page: str | bytes, **options: Any) -> Document:
    document = attempt(page, **options)
    assert isinstance(document, Document)
    return document


def attempt(page: str | bytes, **options: Any) -> Document | CleaningReason:
    body = page.encode() if isinstance(page, str) else page
    return clean_page(body, url=PAGE, identity="0123456789ab", **options)


def texts(document: Document) -> list[str]:
    return [paragraph.text for paragraph in document.paragraphs]


def test_a_page_becomes_a_document() -> None:
    document = clean(HTML, content_type="text/html; charset=utf-8", backend="boilerpy3")
    boilerplate, title = CrawlInfo.BOILERPLATE, "Leitern sicher benutzen"
    assert document.paragraphs == [
        Paragraph("Start", ParagraphType.LISTITEM, boilerplate),
        Paragraph("Kurse", ParagraphType.LISTITEM, boilerplate),
        Paragraph(title, ParagraphType.TITLE, level=1),
        Paragraph(SENTENCE),
        Paragraph("Eine zweite Zeile hat auch genug Wörter."),
        Paragraph("Prüfung", ParagraphType.HEADING, CrawlInfo.OOI_LENGTH, level=2),
        Paragraph(f"{SENTENCE} Zur Liste"),
        Paragraph("Holme ohne Risse", ParagraphType.LISTITEM),
        Paragraph("Füße", ParagraphType.LISTITEM, CrawlInfo.OOI_LENGTH),
        Paragraph("© Fachstelle", None, boilerplate),
    ]
    assert (document.id, document.url) == ("0123456789ab", PAGE)
    assert (document.encoding, document.mime) == ("utf-8", "text/html")
    assert document.metadata.title == "Leitern sicher benutzen | Fachstelle"
    assert document.metadata.description == "Regeln für Leitern"
    assert document.metadata.declared_lang == "de"
    assert document.images == ["leiter.jpg"]
    assert document.html_bytes == len(HTML.encode())
    assert len(document.tags) == 18
    assert [(link.url, link.hreflang) for link in document.links] == [
        ("https://example.org/it/scala.html", "it"),
        ("https://example.org/", ""),
        ("https://example.org/kurse", ""),
        ("https://example.org/de/liste.html", ""),
    ]
    assert document.follow
    assert document.index
    clean_texts = [p.text for p in document.paragraphs if p.crawlinfo is None]
    assert count_clean_tokens(document.paragraphs) == len(" ".join(clean_texts).split())


@pytest.mark.parametrize(
    ("header", "mime"),
    [
        ("", "text/html"),
        ("Text/HTML; charset=utf-8", "text/html"),
        (" application/xhtml+xml ", "application/xhtml+xml"),
        (";", "text/html"),
    ],
)
def test_the_media_type_is_that_of_the_header(header: str, mime: str) -> None:
    assert mime_type(header) == mime
    assert clean(HTML, content_type=header).mime == mime


@pytest.mark.parametrize("mime", ["application/pdf", "image/png", "text/css", "x"])
def test_what_is_no_text_page_is_dropped_with_a_reason(mime: str) -> None:
    assert attempt(HTML, content_type=mime) is CleaningReason.NOT_HTML


@pytest.mark.parametrize("body", ["", " \n", "<!-- x -->", "<!doctype html>", "\x00"])
def test_a_page_without_anything_is_dropped_with_a_reason(body: str) -> None:
    assert attempt(body) is CleaningReason.EMPTY


def test_a_page_without_text_has_no_paragraphs_but_its_links() -> None:
    document = clean('<frameset><frame src="text.html"></frameset>')
    assert document.paragraphs == []
    assert [link.url for link in document.links] == ["https://example.org/de/text.html"]


@pytest.mark.parametrize(
    ("meta", "header", "index", "follow"),
    [
        ("index, follow", "", True, True),
        ("noindex", "", False, True),
        ("nofollow", "", True, False),
        ("NONE", "", False, False),
        ("", "noindex, nofollow", False, False),
        ("all", "none", False, False),
    ],
)
def test_the_page_says_whether_it_may_be_kept_and_followed(
    meta: str, header: str, index: bool, follow: bool
) -> None:
    html = f'<meta name="robots" content="{meta}">{HTML}'
    document = clean(html, robots_header=header)
    assert (document.index, document.follow) == (index, follow)


@pytest.mark.parametrize(
    ("content_type", "place"), [("text/html", "footer"), ("text/plain", "text")]
)
def test_licenses_are_found_in_header_and_page(content_type: str, place: str) -> None:
    by, sa = (f"https://creativecommons.org/licenses/{c}/4.0/" for c in ("by", "by-sa"))
    html = "<p>x<footer>CC BY-SA 4.0"
    document = clean(html, content_type=content_type, license_links=(by,))
    assert [(one.id, one.url, one.place) for one in document.licenses] == [
        ("CC-BY-4.0", by, "link-header"),
        ("CC-BY-SA-4.0", sa, place),
    ]
    assert document.metadata.license == by


def test_canonical_and_license_refer_to_the_base_element() -> None:
    html = "<base href='/it/'><link rel=canonical href=a><link rel=license href=b><p>x"
    metadata = clean(html).metadata
    assert metadata.canonical == "https://example.org/it/a"
    assert metadata.license == "https://example.org/it/b"


@pytest.mark.parametrize(
    ("link", "author"),
    [
        ("class=author-link>View all of Anna Berger's posts.", ""),
        ("class='profile-link x'>Vollständiges Profil von Anna anzeigen", ""),
        ("class=author-link>Anna Berger", "Anna Berger"),
        ("class=fn>Anna Berger aus der Redaktion", "Anna Berger aus der Redaktion"),
    ],
)
def test_a_link_to_more_by_an_author_is_no_name(link: str, author: str) -> None:
    assert (
        clean(f"<p>{SENTENCE} <a rel=author href=/a {link}</a>").metadata.author
        == author
    )


@pytest.mark.parametrize("codec", ["utf-8", "latin-1", "cp1252", "utf-16"])
def test_a_page_reads_the_same_in_every_encoding(codec: str) -> None:
    html = HTML.replace('<html lang="de">', f"<html><meta charset={codec}>", 1)
    header = f"text/html; charset={codec}"
    assert texts(clean(html.encode(codec), content_type=header)) == texts(clean(HTML))


def test_an_xml_declaration_does_not_decode_a_second_time() -> None:
    html = f'<?xml version="1.0" encoding="iso-8859-1"?><html><p>{SENTENCE}'
    for codec in ("utf-8", "latin-1"):
        assert texts(clean(html.encode(codec))) == [SENTENCE]


def test_entities_are_normalized_like_characters() -> None:
    html = f"<p>Arbeits&shy;schutz&nbsp;am&#x202f;Bau&#8203; u&#776;ber. {SENTENCE}"
    assert texts(clean(html)) == [f"Arbeitsschutz am Bau über. {SENTENCE}"]


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\ufffe", "\u00ad"])
def test_control_characters_do_not_end_a_page(character: str) -> None:
    html = f"<p>Vor{character}sicht. {SENTENCE}</p><p>Danach: {SENTENCE}</p>"
    assert texts(clean(html)) == [f"Vorsicht. {SENTENCE}", f"Danach: {SENTENCE}"]


def test_deep_nesting_does_not_crash() -> None:
    html = (
        "<div>" * 2000 + f"<p>{SENTENCE}</p>" + "</div>" * 2000 + f"<p>{SENTENCE}</p>"
    )
    assert texts(clean(html)) == [SENTENCE] * 2


@pytest.mark.parametrize("depth", [10_000, 100_000])
def test_hostile_nesting_does_not_crash(depth: int) -> None:
    attempt("<div>" * depth + SENTENCE)
    attempt("<b>" * depth + SENTENCE)


@pytest.mark.costs
def test_tags_without_an_end_do_not_cost_the_page_each() -> None:
    page = "<div>" * 3000 + "<b " * 60_000
    assert_cheap(lambda: attempt(page), steps=5_000_000, units=50.0)


@pytest.mark.parametrize("tag", ["font", "div"])
def test_unclosed_elements_lose_no_text(tag: str) -> None:
    html = "".join(f"<p><{tag}>Absatz {n} mit Text" for n in range(2500))
    assert len(clean(html).paragraphs) == 2500


@pytest.mark.parametrize(
    "html",
    [
        f"<html><body><p>Eins zwei drei.</p></body></html><p>{SENTENCE}</p>",
        f"<html><head><title>x</title></head></html><body><p>{SENTENCE}</p></body>",
        f"<html><p>Eins</p></html><html><body><p>{SENTENCE}</p></body></html>",
    ],
)
def test_text_after_the_end_of_html_is_read(html: str) -> None:
    """Browsers show it, and templates that are printed twice are common."""
    assert SENTENCE in texts(clean(html))


def test_twenty_words_on_each_side_are_around_a_link() -> None:
    words = " ".join(f"w{number}" for number in range(30))
    (link,) = clean(f"<p>{words} <a href=x>mitte</a> {words}").links
    around = link.context.split()
    assert (around[0], around[20], around[-1]) == ("w10", "mitte", "w19")


def test_a_page_of_25_000_links_is_read_up_to_the_bound() -> None:
    items = "".join(f'<li><a href="/{n}">Verweis {n}</a></li>' for n in range(25_000))
    document = clean(f"<p>{SENTENCE}</p><ul>{items}</ul>")
    assert len(document.links) == 2000
    assert document.links[-1].url == "https://example.org/1999"
    assert len(document.paragraphs) == 25_001
    assert len(clean("<a href=x>x</a>" * 20, max_links=7).links) == 7


def test_an_unclosed_anchor_around_everything_loses_no_text() -> None:
    html = "<a href=x>" + f"<p>{SENTENCE}</p>" * 3000
    document = clean(html)
    assert len(document.paragraphs) == 3000
    assert len(document.links) == 1


# -- plain text --------------------------------------------------------------------------


def test_a_plain_text_page_has_paragraphs_between_empty_lines() -> None:
    text = f"{SENTENCE}\n\nEine Zeile\nund noch eine.\r\n\r\n\r\n<p>kein &amp; HTML</p>"
    document = clean(text, content_type="text/plain")
    assert texts(document) == [
        SENTENCE,
        "Eine Zeile und noch eine.",
        "<p>kein &amp; HTML</p>",
    ]
    assert (document.mime, document.links) == ("text/plain", [])


def test_a_line_of_blanks_is_empty() -> None:
    document = clean("Eins zwei drei\n \t\nvier fünf sechs", content_type="text/plain")
    assert texts(document) == ["Eins zwei drei", "vier fünf sechs"]


def test_short_paragraphs_of_a_plain_text_are_marked_not_deleted() -> None:
    text = f"Ein Titel\n\nDrei ganze Wörter\n\n{SENTENCE}"
    document = clean(text, content_type="text/plain")
    assert document.paragraphs == [
        Paragraph("Ein Titel", crawlinfo=CrawlInfo.OOI_LENGTH),
        Paragraph("Drei ganze Wörter"),
        Paragraph(SENTENCE),
    ]


# -- any bytes ---------------------------------------------------------------------------

_soup = st.lists(
    st.sampled_from(
        [
            *(
                "<p>",
                "</p>",
                "<a href='",
                "'>",
                "<br>",
                "<td>",
                "<!--",
                "-->",
                "<![CDATA[",
            ),
            *(
                "]]>",
                "<script>",
                "</script>",
                "<html>",
                "</html>",
                "<body>",
                "<base href=x>",
            ),
            *(
                "&#0;",
                "&#xd800;",
                "&#x110000;",
                "&shy;",
                "&",
                "<",
                ">",
                "\x00",
                "\ufeff",
            ),
            *(
                "<meta name=robots content='",
                "<link rel=alternate hreflang=",
                "http://[",
            ),
            *(
                "wort ",
                "安全",
                "<?xml ",
                "<img src=",
                "<frame src=x>",
                "style='display:none",
            ),
        ]
    )
).map("".join)


@settings(deadline=None)
@given(st.binary(max_size=300) | _soup.map(str.encode))
@example(b"<")
@example(b"<base href='http://['><a href='x'>")
def test_any_bytes_become_a_document_or_a_reason(body: bytes) -> None:
    result = attempt(body)
    assert pickle.loads(pickle.dumps(result)) == result, "it has to leave its worker"
    if isinstance(result, Document):
        assert all(p.text == " ".join(p.text.split()) != "" for p in result.paragraphs)
        assert all(link.url.lower().startswith("http") for link in result.links)
        assert all("#" not in link.url for link in result.links)
