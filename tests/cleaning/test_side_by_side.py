"""Blocks with their text in several languages, an inline element each."""

from __future__ import annotations

import pytest

from ilspfc.cleaning.page import clean_page
from ilspfc.documents import Document, ParagraphType

GERMAN = "Das Volk bleibt im Stock."
ENGLISH = "The colony stays in its hive."


def clean(body: str) -> list[tuple[str, ParagraphType | None]]:
    page = f"<title>Bienen</title><main>{body}</main>".encode()
    document = clean_page(page, url="http://a.example/", identity="a", backend="none")
    assert isinstance(document, Document)
    return [(one.text, one.type) for one in document.paragraphs]


@pytest.mark.parametrize("between", ["", " ", " / ", "<br>", "<!-- en -->", " – <br> "])
@pytest.mark.parametrize(
    ("tag", "kinds"),
    [
        ("p", (None, None)),
        ("div", (None, None)),
        ("li", (ParagraphType.LISTITEM,) * 2),
        ("h2", (ParagraphType.HEADING,) * 2),
        ("h1", (ParagraphType.TITLE, ParagraphType.HEADING)),
    ],
)
def test_a_block_ends_between_languages(
    tag: str, between: str, kinds: tuple[ParagraphType | None, ...]
) -> None:
    body = f"<{tag}><span lang=de>{GERMAN}</span>{between}<span lang=en-GB>{ENGLISH}</span></{tag}>"
    assert clean(body) == list(zip((GERMAN, ENGLISH), kinds, strict=True))


def test_classes_name_languages_and_there_may_be_more_than_two() -> None:
    body = (
        f'<p><span class="t lang-de">{GERMAN}</span><i class="lang_en">{ENGLISH}</i>'
        "<b lang=it>La colonia resta qui.</b></p>"
    )
    assert [text for text, _ in clean(body)] == [
        GERMAN,
        ENGLISH,
        "La colonia resta qui.",
    ]


@pytest.mark.parametrize(
    "body",
    [
        # glosses and names
        "<p><i lang=la>Apis mellifera</i> <span lang=en>honey bee, in the wild</span></p>",
        "<p><span lang=de>Bienen</span> / <span lang=en>Bees</span></p>",
        # lists of languages
        (
            "<p><a lang=de href=/de>Diese Seite auf Deutsch</a>"
            " | <a lang=en href=/en>This page in English</a></p>"
        ),
        (
            "<p><span lang=de><a href=/de>Diese Seite auf Deutsch</a></span>"
            " | <span lang=en><a href=/en>This page in English</a></span></p>"
        ),
        # quotes inside a sentence, and a language that goes on
        f"<p>He said <span lang=de>{GERMAN}</span> <span lang=en>{ENGLISH}</span></p>",
        f"<p><span lang=de>{GERMAN}</span>, that is: <span lang=en>{ENGLISH}</span></p>",
        f"<p><span lang=en-GB>{ENGLISH}</span> <span lang=en-US>{ENGLISH}</span></p>",
        f'<p><span class="lang-switch">{GERMAN}</span> <span lang=en>{ENGLISH}</span></p>',
        # code in highlighters
        (
            '<pre><span class="lang-cs">int one = two + three</span>'
            '<span class="lang-go">var one = two + three</span></pre>'
        ),
    ],
)
def test_other_blocks_stay_whole(body: str) -> None:
    assert len(clean(body)) == 1
