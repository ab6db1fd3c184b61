"""Pages that scripts build, told from other pages with little text."""

from __future__ import annotations

import pytest

from ilspfc.cleaning.page import CleaningReason, clean_page
from ilspfc.documents import Document
from ilspfc.exceptions import ArgumentError
from ilspfc.files.page_files import PageOptions, make_document
from ilspfc.files.page_sources import PageSource

BUNDLE = '<script type="module" src="/assets/index-4f2a.js"></script>'
REQUEST = "<noscript>You need to enable JavaScript to run this app.</noscript>"
ANALYTICS = "<script>var _paq = _paq || []; _paq.push(['trackPageView']);</script>"
TEXT = (
    "<p>Wer auf dem Dach arbeitet, sichert sich mit einem Gurt gegen den Absturz.</p>"
)


def clean(html: str) -> Document | CleaningReason:
    return clean_page(html.encode(), url="http://example.org/", identity="x")


@pytest.mark.parametrize(
    "html",
    [
        f'{REQUEST}<div id="root"></div>{BUNDLE}',
        f'<head><title>Shop</title>{BUNDLE}</head><div id="app"></div>',
        f'<div id="__next"><img src="/spinner.svg"></div>{BUNDLE}',
        f'<div id="__nuxt"><div class="load">Loading …</div></div>{BUNDLE}',
        f"<app-root></app-root>{BUNDLE}",
        f"<head>{REQUEST}</head><body>{BUNDLE}</body>",
        f"<noscript>JavaScriptを有効にしてください。</noscript><main></main>{BUNDLE}",
        f"<div id=root></div><script>{'a=1;' * 999}</script>",
        f'<div id=root></div>{BUNDLE}<noscript><iframe src="/gtm"></iframe></noscript>',
    ],
)
def test_a_page_that_scripts_build_is_recognized(html: str) -> None:
    document = clean(html)
    assert isinstance(document, Document)
    assert document.needs_javascript
    with pytest.raises(ArgumentError, match="scripts build its text"):
        make_document(PageSource("a.html", body=html.encode()), PageOptions())


@pytest.mark.parametrize(
    "html",
    [
        # Text of its own, on the page or for readers without scripts.
        f'<div id="root">{TEXT * 6}</div>{REQUEST}{BUNDLE}',
        f'<div id="root"></div><noscript>{TEXT * 6}</noscript>{BUNDLE}',
        f'<div id="app" style="display:none">{TEXT * 6}</div>{BUNDLE}',
        # A short text that the server has rendered, with and without links.
        f'<div id="__next"><h1>Dach</h1>{TEXT}</div>{BUNDLE}',
        f'<div id="root">{TEXT}<a href="/b">Weiter</a></div>{REQUEST}{BUNDLE}',
        f'<h1>Dach</h1>{TEXT}<div id="modal-root"></div><my-app></my-app>{BUNDLE}',
        # Redirects.
        f'<meta http-equiv=refresh content="0;url=/de/"><div id=app></div>{BUNDLE}',
        f"<script>location.href = '/de/'</script>{REQUEST}{BUNDLE}",
        "<script>window.location.replace('/de/')</script>" + REQUEST,
        # Little to show, and that is all.
        f"<h1>Termine</h1><ul id=list></ul><p>Keine Termine.</p>{BUNDLE}",
        f"<h1>404</h1><p>Not found</p>{ANALYTICS}",
        f'<h1>Error</h1><p>Try later.</p>{BUNDLE}<noscript><img src="/px"></noscript>',
        f'<frameset cols="20%,80%"><frame src=a><frame src=b></frameset>{BUNDLE}',
        f'<img src="1.jpg"><img src="2.jpg"><img src="3.jpg">{REQUEST}{BUNDLE}',
        f'<div id=app><a href="1.jpg"><img src="1.jpg"></a></div>{BUNDLE}',
        f'<a href="/de/">DE</a> <a href="/it/">IT</a>{REQUEST}{BUNDLE}',
        f'<iframe src="/a"></iframe><iframe src="/b"></iframe>{REQUEST}{BUNDLE}',
        "<form><input name=q><button>Go</button></form><form></form>" + BUNDLE,
        f"<div id=root></div>{ANALYTICS}",
        "<div id=root></div>" + REQUEST,
        BUNDLE,
        "",
    ],
)
def test_other_pages_with_little_text_are_not(html: str) -> None:
    document = clean(html)
    assert not isinstance(document, Document) or not document.needs_javascript
