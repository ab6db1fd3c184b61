"""Translation memories of a corpus: one of two languages, or one of each pair of pages."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from ilspfc.corpus.corpus import Corpus
from ilspfc.exports.interchange.tmx_writer import TmxHeader, TmxWriter, write_tmx
from ilspfc.exports.selection import SelectionCounts
from ilspfc.exports.units import PairOfPages
from ilspfc.exports.writers import FolderWriter, Target

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


class MemoryWriter(TmxWriter):
    """Writes the memory of two languages."""

    @classmethod
    def open(cls, to: Target) -> MemoryWriter:
        """Return the writer of the memory."""
        more = {"availability": "unknown", "domain": to.corpus.run.get("domain", "")}
        more["preset"] = to.options.preset
        langs, created = (to.langs[0], to.langs[1]), _end_of_crawl(to.corpus)
        header = make_header(langs, created, DESCRIPTION, to.found, **more)
        return cls(to.paths[0], header, to.options.tmx)


class PairMemoryWriter(FolderWriter["PairOfPages"]):
    """Writes a memory for each pair of pages into a folder beside that of the documents."""

    def write(self, pages: PairOfPages) -> None:
        """Write the memory of a pair."""
        corpus, options = self._to.corpus, self._to.options
        end = ".gz" if options.compress else ""
        source, target = pages.entry.source, pages.entry.target
        header = TmxHeader(
            source.lang,
            target.lang,
            created=_end_of_crawl(corpus),
            description=DESCRIPTION,
            domain=corpus.run.get("domain", ""),
            preset=options.preset,
            source_file=f"{pages.to_corpus}/{source.path}",
            target_file=f"{pages.to_corpus}/{target.path}",
            units=len(pages.units),
        )
        self.paths.append(self._folder / f"{pages.name}.tmx{end}")
        write_tmx(
            self.paths[-1], pages.units, header, replace(options.tmx, max_units=0)
        )


def _end_of_crawl(corpus: Corpus) -> datetime:
    finished = corpus.run.get("finished")
    return datetime.fromisoformat(finished) if finished else datetime.now(UTC)
