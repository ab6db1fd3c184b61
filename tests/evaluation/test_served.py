"""Serving pages for the evaluation: what is logged, and what is not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from evaluation.served import folder_pages, serve_pages

if TYPE_CHECKING:
    from evaluation.served import PageKey

HOSTS = ("127.0.1.1", "127.0.1.2")


def test_pages_are_logged_once_in_their_order() -> None:
    pages = {(HOSTS[1], "/b"): b"two", (HOSTS[0], "/a"): b"one"}

    def answer(key: PageKey, port: int) -> bytes | None:
        return pages.get(key)

    with serve_pages(answer, HOSTS) as served:
        for key in [*pages, *pages]:
            with urlopen(served.url(key)) as response:
                assert response.read() == pages[key]
        with pytest.raises(HTTPError, match="404") as refused:
            urlopen(served.url((HOSTS[0], "/robots.txt")))
        refused.value.close()
        assert served.log == [*pages]
        served.clear()
        assert served.log == []


def test_a_folder_gives_its_html_alone(tmp_path: Path) -> None:
    folder = tmp_path / "www"
    (folder / "de").mkdir(parents=True)
    (folder / "de" / "index.html").write_bytes(b"page")
    (folder / "sitemap.xml").write_bytes(b"site file")
    (tmp_path / "outside.html").write_bytes(b"secret")
    read = folder_pages(folder)
    found = [
        read(("127.0.0.1", path), 80)
        for path in (
            "/de/index.html",
            "/de/",
            "/de",
            "/sitemap.xml",
            "/../outside.html",
        )
    ]
    assert found == [b"page", b"page", b"page", None, None]
