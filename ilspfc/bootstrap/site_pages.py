"""Language of a page of a site under survey, and its links to pages in other languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ilspfc.bootstrap.sites import Announced, SitePage
from ilspfc.cleaning import clean_page
from ilspfc.documents import Document
from ilspfc.frontier.scope import IGNORED_SUFFIXES, Scope, ScopeFilter
from ilspfc.frontier.scoring.cues import CueDetector
from ilspfc.language.identification import identify_page
from ilspfc.web.urls import canonicalize, site_of

if TYPE_CHECKING:
    from ilspfc.documents import Link

is_page = ScopeFilter(Scope.ANY, (), ignored_suffixes=IGNORED_SUFFIXES).accept
"""Test whether a URL may be that of a page: no picture, no archive, no film."""


def read_site_page(
    body: bytes,
    *,
    url: str,
    content_type: str,
    langs: Sequence[str],
    options: Mapping[str, Any],
) -> SitePage:
    """Return language and links of a page (in a worker); without text it has no language.

    ``options`` are those of cleaning.
    """
    document = clean_page(
        body, url=url, identity="", content_type=content_type, **options
    )
    key = canonicalize(url)
    if not isinstance(document, Document):
        return SitePage(key, "und")
    declared = document.metadata.declared_lang
    lang, _ = identify_page(document.paragraphs, langs, declared)
    cues = CueDetector(langs)
    announced: dict[Announced, None] = {}
    links: dict[str, None] = {}
    for link in document.links:
        try:
            target = canonicalize(link.url)
        except ValueError:
            continue
        if not is_page(target):
            continue
        is_near = site_of(target) == site_of(key)
        found = _announce(cues, link, target)
        # A version on another site counts if hreflang declares it.
        if found is not None and found.lang != lang and (is_near or link.hreflang):
            announced[found] = None
        if is_near and target != key:
            links[target] = None
    return SitePage(key, lang, tuple(announced), tuple(links))


def _announce(cues: CueDetector, link: Link, target: str) -> Announced | None:
    """Return the language that a link announces, with the evidence."""
    if (lang := cues.detect(link)) is not None:
        return Announced(lang, target, "hreflang" if link.hreflang else "link text")
    if (lang := cues.detect_in_url(target)) is not None:
        return Announced(lang, target, "URL")
    return None
