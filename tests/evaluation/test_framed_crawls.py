"""Made-up sites of real systems: their pages, addresses, copies, and what is scored."""

from __future__ import annotations

import re

import pytest
from lxml import html

from evaluation.framed_crawls import main
from evaluation.framed_systems import (
    SYSTEMS,
    GoneError,
    RedirectError,
    Site,
    read_systems,
)
from evaluation.framed_texts import Block, Text


def make_site(name: str) -> Site:
    """Return a site with texts of all kinds of blocks."""
    texts = [
        {
            lang: Text(
                lang,
                f"Title {number} in {lang}",
                (
                    Block(
                        "paragraph", (f"Text {number} begins. It goes on in {lang}.",)
                    ),
                    Block("heading", (f"Heading {number}",)),
                    Block("list", (f"item one of {number}", f"item two of {number}")),
                    Block("table", (f"cell {number} | value", f"other {number} | 1")),
                    Block("code", (f"print({number})",)),
                ),
            )
            for lang in read_systems()[name]["langs"]
        }
        for number in range(32)
    ]
    return Site(name, texts)


def test_each_system_has_its_template() -> None:
    assert {path.stem for path in SYSTEMS.glob("*.html")} == set(read_systems())


@pytest.mark.parametrize("name", read_systems())
def test_pages_have_their_texts_in_marked_elements(name: str) -> None:
    site = make_site(name)
    for article in (site.content[1], site.content[-1]):
        root = html.fromstring(site.render(article.url))
        found = [one for one in root.iter() if isinstance(one, html.HtmlElement)]
        marked = " ".join(
            one.text_content() for one in found if one.get("data-is") == "main"
        )
        for text in (article.title, *(t for b in article.text.blocks for t in b.texts)):
            for cell in text.split(" | "):
                assert cell in marked


@pytest.mark.parametrize("name", read_systems())
def test_the_start_page_leads_to_pages_that_are_there(name: str) -> None:
    site = make_site(name)
    address = "/"
    try:
        page = site.render(address)
    except RedirectError as error:
        page = site.render(str(error))
    links = [link for link in re.findall(r'href="(/[^"#]*)"', page) if "." not in link]
    assert links or "href=" in page
    for article in site.content:
        assert site.resolve(article.url)[1]["a"] == article


@pytest.mark.parametrize(
    ("name", "copy"),
    [
        ("shopify", "/de/collections/news/products/{a.name}?variant=3"),
        ("sphinx_versions", "/en/v2.4/{a.name}.html"),
        ("newspaper", "/amp{a.url}"),
        ("phpbb_boards", "/viewtopic.php?sid=5&p={a.id}"),
        ("sharepoint", "/{a.lang}/pages/{a.camel}.ASPX"),
        ("typo3_ids", "/index.php?cHash=0&type=98&id={a.code}"),
        ("jsp_sessions", "/portal/article.jsp;jsessionid=A1?print=true&id={a.id}"),
    ],
)
def test_copies_are_those_of_their_articles(name: str, copy: str) -> None:
    site = make_site(name)
    article = site.content[4]
    found = site.resolve(copy.format(a=article))[1]["a"]
    assert (found.number, found.lang in site.langs) == (article.number, True)


def test_there_is_no_page_at_other_addresses() -> None:
    with pytest.raises(GoneError):
        make_site("museum").resolve("/es/objeto/999")


def test_without_data_it_is_skipped(
    tmp_path: object,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("evaluation.framed_sites.SITES", SYSTEMS / "missing")
    assert main(["canada"]) == 0
    assert "Skipped" in capsys.readouterr().out
