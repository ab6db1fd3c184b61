"""The writers of the exports, each with what its files say of the corpus."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ilspfc.exports import (
    JsonlWriter,
    LineWriter,
    MosesWriter,
    TmxHeader,
    TmxWriter,
    TsvWriter,
)
from ilspfc.stages.exports.export_files import export_paths, pair_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ilspfc.corpus.corpus import Corpus
    from ilspfc.corpus.records import PairEntry
    from ilspfc.exports import ExportUnit, SelectionCounts, UnitWriter
    from ilspfc.stages.exports.export_options import ExportOptions

_LINE_WRITERS: dict[str, type[LineWriter]] = {
    "moses": MosesWriter,
    "tsv": TsvWriter,
    "jsonl": JsonlWriter,
}
UNIT_FORMATS = frozenset({"tmx", "pair-tmx", *_LINE_WRITERS})
"""The formats that hold translation units."""

_DESCRIPTION = "Crawled from the web by ilspfc"


def open_writers(
    corpus: Corpus,
    langs: tuple[str, str],
    options: ExportOptions,
    found: SelectionCounts,
) -> Iterator[tuple[str, UnitWriter]]:
    """Yield the writers of two languages (ISO 639-3) by their format."""
    for format_ in sorted(options.formats & UNIT_FORMATS - {"pair-tmx"}):
        paths = export_paths(corpus, langs, format_, compress=options.compress)
        if format_ == "tmx":
            yield (
                format_,
                TmxWriter(
                    paths[0],
                    _make_header(corpus, langs, found),
                    doctype=options.doctype,
                    lang_map=options.lang_map,
                    max_units=options.max_units,
                    max_bytes=options.max_bytes,
                ),
            )
        else:
            yield format_, _LINE_WRITERS[format_](*paths)


def _make_header(
    corpus: Corpus, langs: tuple[str, str], found: SelectionCounts
) -> TmxHeader:
    return TmxHeader(
        *langs,
        created=_created(corpus),
        description=_DESCRIPTION,
        availability="unknown",
        domain=corpus.run.get("domain", ""),
        units=found.units,
        source_words=found.words[0],
        target_words=found.words[1],
        source_unique_words=found.unique_words[0],
        target_unique_words=found.unique_words[1],
        mean_score=found.mean_score,
        std_score=found.std_score,
    )


def _created(corpus: Corpus) -> datetime:
    finished = corpus.run.get("finished") or datetime.now(UTC).isoformat()
    return datetime.fromisoformat(finished)


def write_memory(
    corpus: Corpus, entry: PairEntry, units: list[ExportUnit], options: ExportOptions
) -> Path:
    """Write the memory of one pair of pages."""
    gz = ".gz" if options.compress else ""
    path = corpus.files.memories / f"{pair_name(entry)}.tmx{gz}"
    header = TmxHeader(
        entry.source.lang,
        entry.target.lang,
        created=_created(corpus),
        description=_DESCRIPTION,
        domain=corpus.run.get("domain", ""),
        source_file=f"../{entry.source.path}",
        target_file=f"../{entry.target.path}",
        units=len(units),
    )
    with TmxWriter(
        path, header, doctype=options.doctype, lang_map=options.lang_map
    ) as writer:
        for unit in units:
            writer.write(unit)
    return path
