"""Pages that leave out the tag of their body, as HTML allows."""

from __future__ import annotations

import pytest

from ilspfc import extract

TEXT = "Der Imker öffnet den Stock an einem warmen Tag und sieht nach der Königin."


@pytest.mark.parametrize("tag", ["main", "article", "section", "div", "bee-page", "p"])
@pytest.mark.parametrize(
    "head",
    [
        "<title>Stock</title>",
        "<!doctype html><html lang=de><meta charset=utf-8><title>a > b</title>\n",
        "<!-- <main> --><head><style>p > a {}</style><link rel=x href='a>b'></head>",
        "<title>Stock</title><script>let a = '<main>';</script>",
        "",
    ],
)
def test_no_text_and_no_link_is_lost(head: str, tag: str) -> None:
    page = f"{head}<{tag}><p>{TEXT}</p><a href=/weiter>Weiter</a></{tag}>"
    document = extract(page, url="https://example.org/")
    assert document is not None
    assert TEXT in [one.text for one in document.paragraphs]
    assert [link.url for link in document.links] == ["https://example.org/weiter"]


def test_a_frameset_stays_one() -> None:
    page = "<title>Stock</title><frameset><frame src=/a></frameset>"
    assert extract(page, url="https://example.org/") is not None
