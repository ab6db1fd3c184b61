"""Versions of pages that sitemaps declare, as crawls and reindexing write them down."""

from __future__ import annotations

from ilspfc.documents import document_id
from ilspfc.frontier.sitemaps.reader import SitemapEntry
from ilspfc.responses.sitemap_requests import iter_versions

GERMAN, ITALIAN = "https://example.org/de", "https://example.org/it"


def test_a_page_is_no_version_of_itself_and_no_url_is_none() -> None:
    versions = (("de", GERMAN), ("it", ITALIAN), ("fr", "https://"))
    found = list(iter_versions([SitemapEntry(GERMAN, alternates=versions)]))
    assert found == [(document_id(GERMAN), document_id(ITALIAN), "it")]
