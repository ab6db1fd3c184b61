"""The documents of a crawl, without the index that it made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crawled_corpus import CrawledCorpus

if TYPE_CHECKING:
    from conftest import Crawl, Project


def test_files_of_a_crawl_are_paired_nearly_as_in_it(
    bilingual_crawl: Crawl, project: Project
) -> None:
    crawled = CrawledCorpus(bilingual_crawl.corpus)
    done = project.run("pair", "out", "--import", str(crawled.root / "xml"))
    assert (done.status, done.stderr) == (0, "")
    imported = CrawledCorpus(project.folder / "out")
    assert imported.documents().keys() == crawled.documents().keys()
    with_links, without = set(crawled.paired_paths()), set(imported.paired_paths())
    assert len(with_links & without) >= len(with_links) - 1
    assert len(without - with_links) <= 1
