"""Translation memories of a corpus: one of two languages, or one of each pair of pages."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.exports.interchange.tmx_writer import TmxHeader, TmxWriter, write_tmx
from ilspfc.exports.writers import FileWriter

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus
    from ilspfc.exports.interchange.tmx_writer import TmxForm
    from ilspfc.exports.selection import SelectionCounts
    from ilspfc.exports.units import PairOfPages

DESCRIPTION = "Crawled from the web by ilspfc"


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


def open_memory(
    path: Path,
    langs: tuple[str, str],
    corpus: Corpus,
    form: TmxForm,
    found: SelectionCounts,
) -> TmxWriter:
    """Return the writer of the memory of two languages (ISO 639-3)."""
    more = {"availability": "unknown", "domain": corpus.run.get("domain", "")}
    header = make_header(langs, _end_of_crawl(corpus), DESCRIPTION, found, **more)
    return TmxWriter(path, header, form)


class PairMemoryWriter(FileWriter["PairOfPages"]):
    """Writes a memory for each pair of pages into a folder beside that of the documents."""

    def __init__(self, folder: Path, corpus: Corpus, form: TmxForm, end: str) -> None:
        super().__init__()
        self._folder, self._end = folder, end
        self._form = replace(form, max_units=0)
        self._created = _end_of_crawl(corpus)
        self._domain = corpus.run.get("domain", "")

    def write(self, pages: PairOfPages) -> None:
        """Write the memory of a pair."""
        path = self._folder / f"{pages.name}.tmx{self._end}"
        source, target = pages.entry.source, pages.entry.target
        header = TmxHeader(
            source.lang,
            target.lang,
            created=self._created,
            description=DESCRIPTION,
            domain=self._domain,
            source_file=f"../{source.path}",
            target_file=f"../{target.path}",
            units=len(pages.units),
        )
        write_tmx(path, pages.units, header, self._form)
        self.paths.append(path)


def _end_of_crawl(corpus: Corpus) -> datetime:
    finished = corpus.run.get("finished")
    return datetime.fromisoformat(finished) if finished else datetime.now(UTC)
