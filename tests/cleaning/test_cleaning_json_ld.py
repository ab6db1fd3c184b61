"""What JSON-LD says of a page as a text."""

from __future__ import annotations

import json

import pytest

from ilspfc.cleaning.metadata.json_ld import read_page_facts
from ilspfc.documents import Metadata


def facts(*contents: object) -> Metadata:
    return read_page_facts(map(json.dumps, contents))


def test_an_article_tells_its_facts() -> None:
    article = {
        "@type": ["NewsArticle"],
        "headline": " Lärm \n am Bau ",
        "author": [{"name": "A. Muster"}, "B. Beispiel"],
        "datePublished": "2026-01-02T03:04:05Z",
        "dateModified": "2026-02-03",
        "publisher": {"@type": "Organization", "name": "Fachstelle"},
        "inLanguage": "de-CH",
        "keywords": ["Lärm", "Bau"],
        "description": "Was hilft",
    }
    assert facts(article) == Metadata(
        title="Lärm am Bau",
        description="Was hilft",
        keywords="Lärm, Bau",
        author="A. Muster, B. Beispiel",
        date="2026-01-02",
        modified="2026-02-03",
        publisher="Fachstelle",
        declared_lang="de-CH",
        type="NewsArticle",
    )


def test_the_article_counts_before_the_page_and_the_page_before_the_site() -> None:
    graph = [
        {"@type": "WebSite", "inLanguage": "de", "headline": "Seite", "author": "Z"},
        {"@type": "WebPage", "datePublished": "2026", "author": "Y"},
        {"@type": "Article", "author": {"@id": "#a"}},
        {"@type": "Person", "@id": "#a", "name": "A. Muster"},
    ]
    found = facts({"@graph": graph})
    assert (found.type, found.author) == ("Article", "A. Muster")
    assert (found.date, found.declared_lang, found.title) == ("2026", "de", "Seite")


def test_what_is_only_mentioned_is_not_the_page() -> None:
    product = {"@type": "Product", "review": {"@type": "Article", "author": "X"}}
    assert facts(product) == Metadata()
    assert (
        facts({"@type": "WebPage", "author": "A", "image": {"author": "B"}}).author
        == "A"
    )


@pytest.mark.parametrize("script", ["", "{", '{"author": 3}', '["author"]', '"author"'])
def test_what_is_no_json_or_no_page_says_nothing(script: str) -> None:
    assert read_page_facts([script]) == Metadata()
