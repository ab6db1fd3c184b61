"""Units as lines: Moses pairs, Bitextor's TSV and a sample of it, JSON Lines, also of pairs of pages."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from pathlib import Path

from ilspfc.exports.filters import count_bitextor_tokens
from ilspfc.exports.interchange.tmx_writer import SEPARATOR
from ilspfc.exports.units import (
    SCORE_DIGITS,
    ExportUnit,
    PageOrigin,
    PairOfPages,
    SplitDocument,
    UnitOrigin,
    length_ratio,
)
from ilspfc.exports.writers import FileWriter, Target, UnitWriter
from ilspfc.text.cells import to_cell, to_line
from ilspfc.text.codes import to_bcp47

COLUMNS = (
    *("src_url", "trg_url", "src_text", "trg_text", "aligner_score"),
    *("length_ratio", "src_num_tokens", "trg_num_tokens"),
    *("type", "pair_probability", "pair_evidence", "domain"),
    *("src_license", "trg_license", "src_optouts", "trg_optouts"),
    *("src_fetched", "trg_fetched", "info", "scores"),
)
"""Bitextor's columns of a ``sent.gz``, in its order, then ours as its metadata columns."""

SAMPLE_SHARE, MAX_SAMPLE = 0.1, 1500
"""Share of the units in a sample, and their number on average, at most (ILSP-FC)."""

# Line ends for some readers, which JSON does not escape.
_LINE_ENDS = {ord(char): f"\\u{ord(char):04x}" for char in "\x85\u2028\u2029"}


class LineWriter(UnitWriter):
    """Writes a line of each unit to each of some files."""

    def write(self, unit: ExportUnit) -> None:
        """Add a unit."""
        for file, line in zip(self._files, self._format(unit), strict=True):
            file.write(line.encode() + b"\n")

    def _format(self, unit: ExportUnit) -> Iterable[str]:
        """Return the line of a unit for each file."""
        raise NotImplementedError


class MosesWriter(LineWriter):
    """A file of source and a file of target segments: line n translates line n."""

    def _format(self, unit: ExportUnit) -> Iterable[str]:
        return to_line(unit.source), to_line(unit.target)


class TsvWriter(LineWriter):
    """Tab-separated columns with a header, as Bitextor's files have them."""

    def _open(self) -> None:
        super()._open()
        self._files[0].write(("\t".join(COLUMNS) + "\n").encode())

    def _format(self, unit: ExportUnit) -> Iterable[str]:
        return (format_row(unit),)


def format_row(unit: ExportUnit) -> str:
    """Return the cells of ``COLUMNS`` of a unit, separated by tabs."""
    urls, rest = _tsv_cells(unit.origin)
    texts = to_cell(unit.source), to_cell(unit.target)
    cells = (
        *(urls, *texts, _number(unit.score)),
        f"{length_ratio(unit.source, unit.target):.4f}",
        str(count_bitextor_tokens(texts[0])),
        str(count_bitextor_tokens(texts[1])),
        *(to_cell(unit.kind), rest, to_cell(SEPARATOR.join(unit.info))),
        SEPARATOR.join(f"{name}={score:.4f}" for name, score in unit.scores),
    )
    return "\t".join(cells)


# The units of a pair of pages are written together.
@lru_cache(maxsize=4)
def _tsv_cells(origin: UnitOrigin) -> tuple[str, str]:
    """Return the columns of both URLs, and the other columns of the pages."""
    source, target = origin.source, origin.target
    cells = (
        *(_number(origin.probability), origin.evidence, origin.domain),
        *(source.license, target.license),
        *(SEPARATOR.join(source.optouts), SEPARATOR.join(target.optouts)),
        *(source.fetched_at, target.fetched_at),
    )
    urls = to_cell(source.url), to_cell(target.url)
    return "\t".join(urls), "\t".join(map(to_cell, cells))


class SampleWriter(TsvWriter):
    """The columns of the TSV for a sample of the units, for review by eye.

    ``units`` is the number of all units. As in ILSP-FC a tenth is drawn, 1,500 on average at
    most, by a hash of the text, so that the same units are drawn again.
    """

    def __init__(self, units: int, *paths: Path) -> None:
        super().__init__(*paths)
        share = min(SAMPLE_SHARE, MAX_SAMPLE / max(units, 1))
        self._limit = int(share * 2**64)

    @classmethod
    def open(cls, to: Target) -> SampleWriter:
        """Return the writer of the sample of two languages."""
        return cls(to.found.units, *to.paths)

    def write(self, unit: ExportUnit) -> None:
        """Add a unit if it is drawn."""
        text = f"{unit.source}\t{unit.target}".encode("utf-8", "replace")
        if int.from_bytes(blake2b(text, digest_size=8).digest()) < self._limit:
            super().write(unit)


class JsonlWriter(LineWriter):
    """A JSON object a unit, without unknown fields."""

    def _format(self, unit: ExportUnit) -> Iterable[str]:
        record: dict[str, object] = {
            "source": unit.source,
            "target": unit.target,
            "type": unit.kind,
            "score": unit.score,
            "info": unit.info,
            "scores": dict(unit.scores),
        }
        return (format_json(_without_empty(record) | describe_origin(unit.origin)),)


def format_json(record: object) -> str:
    """Return a value as JSON that is one line for every reader."""
    line = json.dumps(record, ensure_ascii=False)
    return line if line.isprintable() else line.translate(_LINE_ENDS)


@lru_cache(maxsize=4)
def describe_origin(origin: UnitOrigin) -> dict[str, object]:
    """Return the fields of an origin, without unknown ones."""
    return _without_empty(
        {
            "source_page": _page(origin.source),
            "target_page": _page(origin.target),
            "pair_probability": origin.probability,
            "pair_evidence": origin.evidence,
            "domain": origin.domain,
        }
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.{SCORE_DIGITS}f}"


def _page(page: PageOrigin) -> dict[str, object]:
    return _without_empty({name: getattr(page, name) for name in page.__slots__})


def _without_empty(record: dict[str, object]) -> dict[str, object]:
    return {
        name: value
        for name, value in record.items()
        if value is not None and value not in ("", (), {})
    }


class PageWriter(FileWriter["PairOfPages"]):
    """Writes an object for each pair of pages, for translation beyond the sentence.

    The layout is that of DocHPLT (O'Brien et al. 2025, arXiv 2508.13079): both documents
    whole, as ``ids`` and ``sentences``, and in ``alignment`` the ids of the sentences of each
    unit. An id is ``paragraph.sentence``, both from 1. The other fields are those of units.
    """

    def write(self, pages: PairOfPages) -> None:
        """Add a pair of pages."""
        source, target, links = pages.aligned
        sides = _describe_side(source), _describe_side(target)
        langs = pages.entry.source.lang, pages.entry.target.lang
        record = {
            "src_doc_id": pages.entry.source.id,
            "tgt_doc_id": pages.entry.target.id,
            "lang_pair": "-".join(map(to_bcp47, langs)),
            "src_doc": sides[0],
            "tgt_doc": sides[1],
            "alignment": [
                {
                    "src": [sides[0]["ids"][number - 1] for number in link.source],
                    "tgt": [sides[1]["ids"][number - 1] for number in link.target],
                    "aligner-score": link.certainty,
                }
                for link in links
                if all(link.sides)
            ],
        }
        line = format_json(record | describe_origin(pages.origin))
        self._files[0].write(f"{line}\n".encode())


def _describe_side(document: SplitDocument) -> dict[str, list[str]]:
    """Return the sentences of a document and their ids."""
    ids = [
        f"{paragraph}.{number}"
        for paragraph, (_, sentences) in enumerate(groupby(document.blocks), 1)
        for number, _ in enumerate(sentences, 1)
    ]
    return {"ids": ids, "sentences": list(document.sentences)}
