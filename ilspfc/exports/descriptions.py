"""Descriptions of exports: origin of units, headers of memories, metadata of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from ilspfc.exports.formats.resource_info import ResourceInfo
from ilspfc.exports.interchange.tmx_writer import TmxHeader
from ilspfc.exports.units import PageOrigin, UnitOrigin
from ilspfc.text.language_names import language_name

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus
    from ilspfc.corpus.records import DocumentEntry, PairEntry
    from ilspfc.exports.selection import SelectionCounts

DESCRIPTION = "Crawled from the web by ilspfc"
_DAY_CHARS = len("2026-01-31")


def make_origin(entry: PairEntry, domain: str) -> UnitOrigin:
    """Return the origin that all units of a pair share."""
    return UnitOrigin(
        _page_origin(entry.source),
        _page_origin(entry.target),
        probability=entry.pair.probability,
        evidence=entry.pair.evidence,
        domain=domain,
    )


def _page_origin(entry: DocumentEntry) -> PageOrigin:
    return PageOrigin(
        url=entry.url,
        file=entry.path,
        subdomains=entry.subdomains,
        license=entry.license,
        optouts=tuple(entry.optouts.splitlines()),
        # The day alone: crawls of the same day write the same files.
        fetched_at=entry.fetched_at[:_DAY_CHARS],
    )


def make_header(
    langs: tuple[str, str],
    created: datetime,
    description: str,
    found: SelectionCounts,
    **others: str,
) -> TmxHeader:
    """Return the header of a memory with the counts of its units."""
    return TmxHeader(
        *langs,
        created=created,
        description=description,
        units=found.units,
        source_words=found.words[0],
        target_words=found.words[1],
        source_unique_words=found.unique_words[0],
        target_unique_words=found.unique_words[1],
        mean_score=found.mean_score,
        std_score=found.std_score,
        **others,
    )


def pair_name(entry: PairEntry) -> str:
    """Return the base name of the files of a pair of pages."""
    return f"{entry.source.id}_{entry.target.id}_{entry.pair.evidence}"


def describe_export(
    corpus: Corpus,
    langs: Sequence[str],
    pages: Iterable[DocumentEntry],
    sizes: Mapping[str, int],
) -> ResourceInfo:
    """Return the metadata of an export of some pages in one language or two (ISO 639-3)."""
    run = corpus.run
    topic, domain = run.get("topic") or {}, run.get("domain", "")
    names = " and ".join(map(language_name, langs))
    subject = topic.get("title") or domain
    licenses = {entry.license_id for entry in pages} - {""}
    return ResourceInfo(
        langs=langs,
        title=f"{subject}: {names}" if subject else names,
        description=topic.get("description") or DESCRIPTION,
        domain=subject,
        author=topic.get("author", ""),
        contact=corpus.settings["FETCH_CONTACT"],
        started=str(run.get("started", ""))[:_DAY_CHARS],
        finished=str(run.get("finished", ""))[:_DAY_CHARS],
        licenses=sorted(licenses),
        sizes=sizes,
    )
