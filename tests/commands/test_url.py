"""``scrapy url``: why a URL was or was not visited and exported."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Crawl, Site

ABSENT = "http://127.0.0.1:9/never"


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("", ["a seed", "frontier: done"]),
        ("en/about.html", ["not kept", "[language/other_language]", "language eng"]),
        ("intern/termine.html", ["frontier: refused", "forbidden by robots.txt"]),
        ("de/laerm.html", ["found on", "kept", "exported as xml/deu-"]),
    ],
)
def test_each_way_is_told(
    bilingual_crawl: Crawl, workshop: Site, page: str, said: list[str]
) -> None:
    done = bilingual_crawl.project.run(
        "url", str(bilingual_crawl.corpus), workshop.at(page)
    )
    assert done.status == 0, done.stderr
    for words in said:
        assert words in done.stdout


def test_an_unknown_url_is_called_so(bilingual_crawl: Crawl) -> None:
    done = bilingual_crawl.project.run("url", str(bilingual_crawl.corpus), ABSENT)
    assert done.status == 1
    assert (
        done.stdout.strip() == f"{ABSENT}: not known; no page that was read links to it"
    )


def test_what_is_no_url_is_one_line(bilingual_crawl: Crawl) -> None:
    done = bilingual_crawl.project.run("url", str(bilingual_crawl.corpus), "workshop")
    assert done.status == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("ilspfc: 'workshop' is not an http(s) URL with a host;")
