"""What a page may ask of the parser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from costs import assert_cheap
from hostile_pages import PAGES
from hypothesis import given, settings
from hypothesis import strategies as st

from ilspfc.cleaning import annotation
from ilspfc.cleaning.annotation import count_tokens
from ilspfc.cleaning.blocks.markup import (
    MAX_ATTRIBUTES,
    MAX_TAG_CHARS,
    MAX_TAGS,
    is_excessive,
)
from ilspfc.cleaning.page import CleaningReason, clean_page
from ilspfc.language.identification import identify_page, page_identifier

if TYPE_CHECKING:
    from ilspfc.documents import Document

SENTENCE = "Wer auf dem Dach arbeitet, sichert sich gegen den Absturz."
MAX_STEPS = 15_000_000
MAX_UNITS = 150.0
# Each took longer than that, most of them minutes, before something was mended for it.
MENDED = (
    "60k attributes",
    "5k attributes, many tags",
    "a million p",
    "200k links",
    "combining marks",
    "images in a link",
    "empty links around a long text",
    "dashes",
    "one line of lower case",
    "one paragraph",
    "lines of code",
    "verses",
)


def clean(html: str) -> Document | CleaningReason:
    return clean_page(html.encode(), url="http://example.org/", identity="x")


def attributes(number: int, form: str = "a{}=x") -> str:
    return f"<p {' '.join(form.format(n) for n in range(number))}>{SENTENCE}</p>"


@pytest.mark.parametrize(
    ("html", "is_expected"),
    [
        ("<p>" * MAX_TAGS, False),
        ("<p>" * (MAX_TAGS + 1), True),
        ("<!-- x -->" * (MAX_TAGS + 1), True),
        ("<!x>" * (MAX_TAGS + 1), True),
        ("</p>" * (MAX_TAGS + 1), False),
        ("< " * (MAX_TAGS + 1), False),
        ("<!--" + "<p>" * (MAX_TAGS + 1) + "-->", False),
        ("<!-->" + "<p>" * (MAX_TAGS + 1), True),
        ("<script>" + "<p>" * (MAX_TAGS + 1) + "</script>", False),
        ("<script>x</script>" + "<p>" * (MAX_TAGS + 1), True),
        ("<SCRIPT src='>'>x</Script >" + "<p>" * (MAX_TAGS + 1), True),
        ("<scripture>" + "<p>" * (MAX_TAGS + 1), True),
        (attributes(MAX_ATTRIBUTES), False),
        (attributes(MAX_ATTRIBUTES + 1), True),
        (attributes(MAX_ATTRIBUTES + 1, "a{}"), True),
        (attributes(MAX_ATTRIBUTES + 1, "a{}='>'"), True),
        (attributes(MAX_ATTRIBUTES + 1, 'a{} = "<p"'), True),
        (attributes(MAX_ATTRIBUTES + 1, "a{}<b"), True),
        (attributes(MAX_ATTRIBUTES + 1).replace("<p", "<script"), True),
        (f"<p {'a' * (MAX_TAG_CHARS - 1)}>", False),
        (f"<p {'a' * MAX_TAG_CHARS}>", True),
        (f'<img src="data:image/png;base64,{"A" * 2_000_000}">', False),
        (f"<p>{'x' * 9_000_000}", False),
    ],
    ids=range(23),
)
def test_excessive_markup_is_told_from_much_text(html: str, is_expected: bool) -> None:
    assert is_excessive(html) == is_expected
    document = clean(f"<p>{SENTENCE}</p>{html}" if is_expected else f"<p>{SENTENCE}")
    assert (document is CleaningReason.EXCESSIVE_MARKUP) == is_expected


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            "< > / = ! - ' \" a p <p> <script> </script> <!-- --> <a href=x <![CDATA[ & \0 ü"
            " \u0301".split(" ")
        ),
        max_size=60,
    )
)
def test_no_markup_breaks_the_scan_or_the_page(pieces: list[str]) -> None:
    html = "".join(pieces)
    assert not is_excessive(html)
    assert not isinstance(clean(f"{html}<p>{SENTENCE}"), BaseException)


@settings(max_examples=60, deadline=None)
@given(st.text("<>/='\"!- ab", min_size=1, max_size=6))
@pytest.mark.costs
def test_a_page_that_repeats_itself_is_cheap(unit: str) -> None:
    """Whatever it repeats: the scan, the parse and the walk are linear."""
    html = unit * (50_000 // len(unit))
    assert_cheap(lambda: clean(html), steps=MAX_STEPS, units=MAX_UNITS)


@pytest.mark.parametrize("tags", ["<pre>", "<pre><code>"])
def test_tokens_of_a_listing_are_counted_once(
    tags: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not with each line again: a listing of 4 MB took minutes."""
    counted = []

    def count(text: str) -> int:
        counted.append(len(text))
        return count_tokens(text)

    monkeypatch.setattr(annotation, "count_tokens", count)
    html = tags + "if the first line is too long { b = c + 1; }\n\n" * 200
    document = clean(html)
    assert not isinstance(document, CleaningReason)
    assert len(document.clean_paragraphs) > 100
    assert sum(counted) <= 2 * len(html)


@pytest.mark.parametrize("name", MENDED)
@pytest.mark.costs
def test_a_hostile_page_is_refused_or_cheap(name: str) -> None:
    page_identifier(("deu", "ita"))
    body = PAGES[name]().encode()

    def read() -> None:
        document = clean_page(body, url="http://example.org/", identity="x")
        if not isinstance(document, CleaningReason):
            identify_page(document.paragraphs, ["deu", "ita"])

    assert_cheap(read, steps=MAX_STEPS, units=MAX_UNITS)


def test_a_page_at_the_limit_keeps_its_text() -> None:
    html = f"<ul>{f'<li>{SENTENCE}</li>' * (MAX_TAGS - 1)}</ul>"
    document = clean(html)
    assert not isinstance(document, CleaningReason)
    assert len(document.paragraphs) == MAX_TAGS - 1


def test_the_scan_sees_the_tags_that_the_parser_sees() -> None:
    html = f"<title>a<b</title><p x='<i>'>{SENTENCE}<!-- <u> --><br><a href=x>y</a>"
    from ilspfc.cleaning.blocks.markup import _TAG_RE

    names = [re.match(r"<([a-z]+)", tag[0]) for tag in _TAG_RE.finditer(html)]
    found = [name[1] for name in names if name]
    assert found == ["title", "p", "br", "a"]
