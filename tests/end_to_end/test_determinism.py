"""The same site gives the same corpus, however fast and by how many workers it is crawled."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Crawl, Project, Site

pytestmark = pytest.mark.slow

# Times, and the WARC records of which the digests tell pages fetched at another time.
TIMES_RE = re.compile(rb"\d{8}T\d{6}Z|\d{4}-\d\d-\d\dT[\d:.+Z]+|20\d\d-\d\d-\d\d")


def read_files(folder: Path) -> dict[str, bytes]:
    """Return documents, pairs and exports by name, without their times."""
    names = ("xml/*.xml", "pairs/*.tsv", "cesalign/*.xml", "*.tmx", "tmx/*")
    return {
        path.relative_to(folder).as_posix(): TIMES_RE.sub(b"", path.read_bytes())
        for name in names
        for path in sorted(folder.glob(name))
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("requests", "workers"), [("1", "0"), ("16", "2")], ids=["slow", "fast"]
)
def test_the_corpus_does_not_depend_on_the_pace(
    requests: str,
    workers: str,
    make_project: Callable[[], Project],
    workshop: Site,
    bilingual_crawl: Crawl,
) -> None:
    project = make_project()
    settings = {
        "CORPUS_DIR": "out",
        "WORKERS": workers,
        "CONCURRENT_REQUESTS": requests,
        "CONCURRENT_REQUESTS_PER_DOMAIN": requests,
    }
    done = project.crawl(
        "bilingual", settings, langs="de,it", domain="demo", seeds=workshop.url
    )
    assert done.status == 0, done.stderr
    found = read_files(project.folder / "out")
    expected = read_files(bilingual_crawl.corpus)
    assert found.keys() == expected.keys()
    assert len(found) > 15
    assert [name for name in found if found[name] != expected[name]] == []
