"""Translation memories of any origin, merged into one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.exceptions import ArgumentError
from ilspfc.exports.export_options import Privacy, export_options
from ilspfc.exports.formats.tmx import make_header
from ilspfc.exports.interchange.sheet_reader import read_sheets
from ilspfc.exports.interchange.tmx_reader import TmxEntry, read_entries, read_header
from ilspfc.exports.interchange.tmx_writer import TmxWriter
from ilspfc.exports.selection import Selection, SelectionCounts
from ilspfc.line.units import judge_units
from ilspfc.text.codes import find_iso639_3, to_bcp47

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.exports.units import ExportUnit

TOOL = "ilspfc"
"""Creation tool of our own files; scores of other tools are not comparable."""


@dataclass(slots=True)
class MergeCounts:
    """Counts of units by file: ``read``, and ``left_out`` because a side is missing."""

    langs: tuple[str, str]
    paths: list[Path] = field(default_factory=list)
    read: Counter[Path] = field(default_factory=Counter)
    left_out: Counter[Path] = field(default_factory=Counter)
    selection: SelectionCounts = field(default_factory=SelectionCounts)


def merge_memories(
    files: Sequence[Path],
    out: Path,
    settings: BaseSettings,
    langs: tuple[str, str] | None = None,
) -> MergeCounts:
    """Write the units of TMX files and workbooks in two languages (ISO 639-3) to one file.

    Without ``langs`` they are those of the first unit. Units in the other direction are
    reversed. The settings of the exports say how doubtful units are treated; of duplicates the
    first stays. Raises CorpusError for a file that cannot be read, and ArgumentError if no file
    has units in the languages; ``out`` is then unchanged.
    """
    if out.resolve() in {path.resolve() for path in files}:
        raise ArgumentError(f"{out}: is one of the files to merge; give another --out")
    twice = [path for path, n in Counter(p.resolve() for p in files).items() if n > 1]
    if twice:
        raise ArgumentError(f"{twice[0]}: given twice; give each file once")
    counts = MergeCounts(langs or _find_langs(files))
    options, privacy = export_options(settings), Privacy(settings)
    selection = Selection(options.actions, options.limits)
    judged, seen = tee(_iter_judged(files, counts))
    found = judge_units(judged, counts.langs, settings)
    for (one, _), reasons in zip(seen, found, strict=True):
        selection.add(one.source, one.target, one.score, reasons)
    if not counts.read.total():
        names = " and ".join(map(to_bcp47, counts.langs))
        raise ArgumentError(
            f"{files[0]}: no units in {names} here or in the other files; give --langs"
        )
    counts.selection = selection.finish()
    header = make_header(
        counts.langs, _find_date(files), "Merged by ilspfc", counts.selection
    )
    with TmxWriter(out, header, options.tmx) as writer:
        units = (unit for _, unit in _iter_units(files, counts.langs) if unit)
        for unit, info in zip(units, selection.infos(), strict=True):
            if info is not None:
                # Earlier remarks stay: not all of them can be found again.
                remarks = tuple(dict.fromkeys((*unit.info, *info)))
                source = privacy.mask(unit.source, counts.langs[0])
                target = privacy.mask(unit.target, counts.langs[1])
                writer.write(replace(unit, source=source, target=target, info=remarks))
    counts.paths = writer.paths
    return counts


def _is_sheet(path: Path) -> bool:
    return path.suffix == ".xlsx"


def _read(path: Path) -> Iterator[TmxEntry]:
    """Yield the entries of a memory, or of a judged workbook."""
    return read_sheets(path) if _is_sheet(path) else read_entries(path)


def _find_langs(files: Sequence[Path]) -> tuple[str, str]:
    """Return the languages of the first unit that has two."""
    for path in files:
        for entry in _read(path):
            codes = list(dict.fromkeys(filter(None, _codes(entry))))
            if len(codes) > 1:
                source = _codes(entry)[entry.source] or codes[0]
                return source, next(code for code in codes if code != source)
    raise ArgumentError(f"{files[0]}: no unit in two known languages; give --langs")


def _codes(entry: TmxEntry) -> list[str]:
    """Return the ISO 639-3 codes of the variants, empty for unknown languages."""
    return [find_iso639_3(tag) for tag, _ in entry.variants]


def _iter_units(
    files: Sequence[Path], langs: tuple[str, str]
) -> Iterator[tuple[Path, ExportUnit | None]]:
    """Yield the units from the first language to the second; None for those in others."""
    for path in files:
        for entry in _read(path):
            yield path, _pick(entry, langs)


def _pick(entry: TmxEntry, langs: tuple[str, str]) -> ExportUnit | None:
    """Return the unit of the first variants in two languages that have text, if any."""
    codes = [
        code if text.strip() else ""
        for code, (_, text) in zip(_codes(entry), entry.variants, strict=True)
    ]
    if not set(langs) <= set(codes):
        return None
    source, target = map(codes.index, langs)
    if entry.source == target:
        return replace(entry, source=target).make_unit(source).exchanged()
    return replace(entry, source=source).make_unit(target)


def _iter_judged(
    files: Sequence[Path], counts: MergeCounts
) -> Iterator[tuple[ExportUnit, float]]:
    """Yield the units to be judged, and count them."""
    own = {
        path
        for path in files
        if _is_sheet(path) or read_header(path).get("creationtool") == TOOL
    }
    for path, unit in _iter_units(files, counts.langs):
        if unit is None:
            counts.left_out[path] += 1
            continue
        counts.read[path] += 1
        yield (unit if path in own else replace(unit, score=None)), 1.0


def _find_date(files: Sequence[Path]) -> datetime:
    """Return the latest date in the headers: the same files give the same file."""
    dates = []
    for path in files:
        if _is_sheet(path):
            continue
        with suppress(ValueError):
            date = read_header(path).get("creationdate", "")
            dates.append(datetime.strptime(date, "%Y%m%dT%H%M%S%z"))
    if dates:
        return max(dates)
    return datetime.fromtimestamp(max(p.stat().st_mtime for p in files), UTC)
