"""Pages with a title, a script or a comment that never ends."""

from __future__ import annotations

import pytest
from costs import assert_cheap

from ilspfc.cleaning.blocks.markup import close_elements
from ilspfc.cleaning.page import CleaningReason, clean_page
from ilspfc.documents import Document

SENTENCES = (
    "The workshop at the harbour has new gloves for everybody, and they hang beside the door.",
    "Another paragraph tells of the helmets that people wear on the building site all day.",
)
TEXT = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
TITLE = "<title>The workshop</title>"
CASES = {
    "title": f"<head><title>The workshop\n<meta name=a></head><body>{TEXT}",
    "title, its end cut": f"<head><title>The workshop</title</head><body>{TEXT}",
    "title, opened twice": f"<head><title>The workshop<TITLE></head><body>{TEXT}",
    "textarea": f"<head>{TITLE}</head><body><form><textarea>Write here</form>{TEXT}",
    "script without code": f"<head>{TITLE}<script src=a.js></head><body>{TEXT}",
    "script": f"<head>{TITLE}<script>\nif (a<b) f('<p>')\n</head><body>{TEXT}",
    "script in the text": f"<head>{TITLE}</head><body><script>f('<b>')\n {TEXT}",
    "scripts": f"<head>{TITLE}<script>a()<script src=b>\n<body>{TEXT}",
    "style": f"<head>{TITLE}<STYLE type='a>b'>p {{color: red}}</head><body>{TEXT}",
    "comment": f"<head>{TITLE}</head><body><!-- navigation {TEXT}",
    "comment with half an end": f"<head>{TITLE}</head><body><!-- navigation ->{TEXT}",
    "comment, after others": f"<!-- a -->{TITLE}<!----><!-- b --!><!-- c <body>{TEXT}",
    "button": f"<head>{TITLE}</head><body><header><button class=menu><div><i></i><div></button></header>{TEXT}",
    "button, with a comment": f"<head>{TITLE}</head><body><div><BUTTON><!-- </div> --><div>\n</BUTTON></div>{TEXT}",
    "frame": f"<head>{TITLE}</head><body><iframe src=a>{TEXT}",
}
CLOSED = (
    "<title>a <b></title><script>f('<title><!--')</script><p title='<style>'>b</p>",
    "<!-- <title> --><p>a</p><!-- <script> -->",
    "<p>a</p><!--><p>b</p>",
    "<textarea><title></textarea >",
    "<titles>a</titles><p>1 <2</p>",
    "<button><div>a</div></button><div><button/></div>",
    "<button><div>never closed",
)


@pytest.mark.parametrize("name", CASES)
def test_the_text_behind_is_kept(name: str) -> None:
    document = clean_page(
        CASES[name].encode(), url="http://example.org/", identity="0123456789ab"
    )
    assert isinstance(document, Document)
    assert document.metadata.title == "The workshop"
    assert [p.text for p in document.clean_paragraphs] == list(SENTENCES)


@pytest.mark.parametrize("page", CLOSED)
def test_what_is_closed_stays_as_it_is(page: str) -> None:
    html = page.encode()
    assert close_elements(html) == html


def test_nothing_behind_is_nothing_lost() -> None:
    assert close_elements(b"<p>a</p><!-- b") == b"<p>a</p><!-- b-->"
    assert close_elements(b"<title>a") == b"<title>a</title>"


def test_tags_that_a_comment_hid_count() -> None:
    page = b"<!-- " + b"<p>" * 100_000
    reason = clean_page(page, url="http://example.org/", identity="0123456789ab")
    assert reason is CleaningReason.EXCESSIVE_MARKUP


@pytest.mark.parametrize(
    "part",
    [
        b"<!-- ",
        b"<title>",
        b"<script>a",
        b"<script>\n",
        b"</titlex",
        b"<textarea a='",
        b"\n",
    ],
)
@pytest.mark.costs
def test_a_page_is_read_once(part: bytes) -> None:
    page = b"<title></title><!-- --><script>" + part * (1_000_000 // len(part))
    # A reading for each part would take minutes.
    assert_cheap(lambda: close_elements(page), steps=10_000_000, units=600.0)
