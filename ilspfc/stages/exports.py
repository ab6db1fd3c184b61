"""Exports over a corpus: a cesAlign file a pair, a merged TMX for each two languages."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from ilspfc.exports import TmxHeader, TmxUnit, annotate, write_cesalign, write_tmx
from ilspfc.language.codes import to_bcp47

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ilspfc.corpus.entries import PairEntry
    from ilspfc.stages.corpus import Corpus


@dataclass(slots=True)
class _Counts:
    """What a TMX header says of its units; filled in by a first pass over them."""

    units: int = 0
    score_sum: float = 0.0
    score_square_sum: float = 0.0
    words: tuple[int, int] = (0, 0)
    vocabulary: tuple[set[str], set[str]] = field(
        default_factory=lambda: (set(), set())
    )

    def add(self, source: str, target: str, score: float) -> None:
        self.units += 1
        self.score_sum += score
        self.score_square_sum += score * score
        sides = source.split(), target.split()
        self.words = (self.words[0] + len(sides[0]), self.words[1] + len(sides[1]))
        for words, vocabulary in zip(sides, self.vocabulary, strict=True):
            vocabulary.update(word.casefold() for word in words)

    @property
    def mean(self) -> float | None:
        return self.score_sum / self.units if self.units else None

    @property
    def deviation(self) -> float | None:
        if self.mean is None:
            return None
        variance = self.score_square_sum / self.units - self.mean**2
        return math.sqrt(max(variance, 0.0))


def run_exports(corpus: Corpus) -> None:
    """Write the files that other tools take, in place of those of an earlier run."""
    written: set[Path] = set()
    for source_lang, target_lang in corpus.language_pairs:
        entries = corpus.bitext.pairs(source_lang, target_lang)
        for entry in entries:
            written.add(_write_cesalign(corpus, entry))
        path = corpus.files.tmx_file(to_bcp47(source_lang), to_bcp47(target_lang))
        write_tmx(
            path,
            _iter_units(corpus, entries),
            _make_header(corpus, source_lang, target_lang, entries),
            doctype=corpus.settings.getbool("EXPORTS_TMX_DOCTYPE"),
        )
    if corpus.files.alignments.is_dir():
        for path in set(corpus.files.alignments.glob("*.xml")) - written:
            path.unlink()


def _write_cesalign(corpus: Corpus, entry: PairEntry) -> Path:
    source, target = entry.source, entry.target
    path = (
        corpus.files.alignments / f"{source.id}_{target.id}_{entry.pair.evidence}.xml"
    )
    write_cesalign(
        path,
        (f"../xml/{source.file}", source.lang),
        (f"../xml/{target.file}", target.lang),
    )
    return path


def _make_header(
    corpus: Corpus, source_lang: str, target_lang: str, entries: list[PairEntry]
) -> TmxHeader:
    counts = _Counts()
    for entry in entries:
        for unit in corpus.bitext.units(entry.pair):
            counts.add(unit.source, unit.target, unit.score)
    finished = corpus.run.get("finished") or datetime.now(UTC).isoformat()
    return TmxHeader(
        source_lang=source_lang,
        target_lang=target_lang,
        created=datetime.fromisoformat(finished),
        description="Crawled from the web by ilspfc",
        availability="unknown",
        domain=corpus.run.get("domain", ""),
        units=counts.units,
        source_words=counts.words[0],
        target_words=counts.words[1],
        source_unique_words=len(counts.vocabulary[0]),
        target_unique_words=len(counts.vocabulary[1]),
        mean_score=counts.mean,
        std_score=counts.deviation,
    )


def _iter_units(corpus: Corpus, entries: list[PairEntry]) -> Iterator[TmxUnit]:
    for entry in entries:
        source, target = entry.source, entry.target
        for unit in corpus.bitext.units(entry.pair):
            yield TmxUnit(
                source=unit.source,
                target=unit.target,
                kind=unit.kind,
                score=unit.score,
                source_url=source.url,
                target_url=target.url,
                pair_probability=entry.pair.probability,
                pair_evidence=entry.pair.evidence,
                license=source.license or target.license,
                info=annotate(unit.source, unit.target),
            )
