"""Traces of licences in HTML: where there are none, a full search finds none either."""

from __future__ import annotations

import pytest
from lxml import etree

from ilspfc.cleaning.metadata.license_traces import Traces, find_traces
from ilspfc.cleaning.metadata.licenses import find_licenses

PAGE = "https://a.example/page"
COMMONS = "https://creativecommons.org/licenses/by/4.0/"
NAMING = [
    "<p>CC BY-SA 4.0</p>",
    "<p>CC&nbsp;BY 4.0</p>",
    "<p>&#67;C BY 4.0</p>",
    "<p>CC0</p>",
    "<p>CC</i> BY 4.0</p>",
    f"<p>{COMMONS}</p>",
    f'<a href="{COMMONS}">terms</a>',
    '<a rel="LICENSE" href="/terms">terms</a>',
    '<a rel="&#x6c;icense" href="/terms">terms</a>',
    '<a href="https://www.gnu.org/copyleft/fdl.html">terms</a>',
    '<span property="dct:license" content="MIT">terms</span>',
    '<meta name="dc.rights" content="MIT">',
    f'<link rel="license" href="{COMMONS}">',
    '<script type="application/ld+json">{"@type": "WebPage", "\\u006cicense": "MIT"}</script>',
]


def names(html: str, traces: Traces) -> list[str]:
    root = etree.fromstring(html.encode(), etree.HTMLParser(encoding="utf-8"))
    found = find_licenses(root, PAGE, traces=traces)
    return [f"{one.id} {one.url} {one.place}" for one in found]


@pytest.mark.parametrize("html", NAMING)
def test_no_licence_is_lost_to_the_first_look(html: str) -> None:
    page = f"<html><body>{html}<p>All rights reserved.</p></body></html>"
    full = names(page, Traces())
    assert full
    assert names(page, find_traces(page.encode())) == full


def test_a_page_without_traces_is_not_searched() -> None:
    page = "<p>All rights reserved &#8217;24, &copy; CCITT</p><a href='/mpl'>MPL</a>"
    assert find_traces(page.encode()) == Traces(in_text=False, in_markup=False)
