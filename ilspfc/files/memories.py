"""Translation memories and bitexts of any origin, merged into one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from itertools import tee
from pathlib import Path
from typing import NamedTuple

from scrapy.settings import BaseSettings

from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.exports.export_options import Privacy, export_options
from ilspfc.exports.formats.tmx import make_header
from ilspfc.exports.interchange.bitext_reader import (
    is_own_table,
    is_table,
    read_moses,
    read_sheets,
    read_table,
    side_lang,
    split_side,
)
from ilspfc.exports.interchange.tmx_reader import TmxEntry, read_entries, read_header
from ilspfc.exports.interchange.tmx_writer import TmxWriter
from ilspfc.exports.registry import FORMATS
from ilspfc.exports.selection import Selection, SelectionCounts
from ilspfc.exports.units import ExportUnit
from ilspfc.exports.writers import FileWriter
from ilspfc.line.units import judge_units
from ilspfc.text.codes import find_iso639_3, to_bcp47

TOOL = "ilspfc"
"""Creation tool of our own files; scores of other tools are not comparable."""


@dataclass(slots=True)
class MergeCounts:
    """Counts of units by file: ``read``, and ``left_out`` because a side is missing.

    Of a Moses pair ``files`` have the first; ``paths`` are those written.
    """

    langs: tuple[str, str]
    files: list[Path]
    paths: list[Path] = field(default_factory=list)
    read: Counter[Path] = field(default_factory=Counter)
    left_out: Counter[Path] = field(default_factory=Counter)
    selection: SelectionCounts = field(default_factory=SelectionCounts)


def merge_memories(
    files: Sequence[Path],
    out: Path,
    settings: BaseSettings,
    langs: tuple[str, str] | None = None,
    form: str = "tmx",
) -> MergeCounts:
    """Write the units of memories and bitexts in two languages (ISO 639-3) as one.

    They are TMX, workbooks, TSV, or Moses pairs, two files each; ``out`` is a TMX, or with
    ``form`` a TSV or, with the languages at its end, a Moses pair. Without ``langs`` they are
    those of the first unit. Units in the other direction are reversed. The settings of the
    exports say how doubtful units are treated; of duplicates the first stays. Raises
    CorpusError for a file that cannot be read, and ArgumentError if no file has units in the
    languages; ``out`` is then unchanged.
    """
    twice = [path for path, n in Counter(p.resolve() for p in files).items() if n > 1]
    if twice:
        raise ArgumentError(f"{twice[0]}: given twice; give each file once")
    sources = _group(files, langs)
    counts = MergeCounts(langs or _find_langs(sources), [one.path for one in sources])
    paths = [out]
    if form == "moses":
        paths = [out.with_name(f"{out.name}.{to_bcp47(lang)}") for lang in counts.langs]
    if {path.resolve() for path in paths} & {path.resolve() for path in files}:
        raise ArgumentError(f"{out}: is one of the files to merge; give another --out")
    options, privacy = export_options(settings), Privacy(settings)
    selection = Selection(options.actions, options.limits)
    judged, seen = tee(_iter_judged(sources, counts))
    found = judge_units(judged, counts.langs, settings)
    for (one, _), reasons in zip(seen, found, strict=True):
        selection.add(one.source, one.target, one.score, reasons)
    if not counts.read.total():
        names = " and ".join(map(to_bcp47, counts.langs))
        raise ArgumentError(
            f"{files[0]}: no units in {names} here or in the other files; give --langs"
        )
    counts.selection = selection.finish()
    date = _find_date(sources)
    header = make_header(counts.langs, date, "Merged by ilspfc", counts.selection)
    writer: TmxWriter | FileWriter[ExportUnit] = TmxWriter(out, header, options.tmx)
    if form != "tmx":
        writer = FORMATS[form].writer(*paths)
    with writer:
        units = (unit for _, unit in _iter_units(sources, counts.langs) if unit)
        for unit, info in zip(units, selection.infos(), strict=True):
            if info is not None:
                # Earlier remarks stay: not all of them can be found again.
                remarks = tuple(dict.fromkeys((*unit.info, *info)))
                source = privacy.mask(unit.source, counts.langs[0])
                target = privacy.mask(unit.target, counts.langs[1])
                writer.write(replace(unit, source=source, target=target, info=remarks))
    counts.paths = writer.paths
    return counts


class _Source(NamedTuple):
    """File of units; ``is_own`` if scores in it are ours, ``header`` that of a TMX."""

    path: Path
    read: Callable[[], Iterator[TmxEntry]]
    is_own: bool = False
    header: Mapping[str, str] = {}


def _group(files: Sequence[Path], langs: tuple[str, str] | None) -> list[_Source]:
    """Return the files with their readers, by their names; both files of a Moses pair are one."""
    moses: dict[str, list[Path]] = {}
    for path in files:
        if path.suffix != ".xlsx" and not is_table(path) and side_lang(path):
            moses.setdefault(str(path.with_name(split_side(path))), []).append(path)
    sources: list[_Source] = []
    for path in files:
        sides = moses.get(str(path.with_name(split_side(path))), [])
        if path.suffix == ".xlsx":
            sources.append(_Source(path, partial(read_sheets, path), is_own=True))
        elif is_table(path):
            read = partial(read_table, path, langs or ())
            sources.append(_Source(path, read, is_own_table(path)))
        elif len(sides) == 2:
            if path == sides[0]:
                sources.append(_Source(path, partial(read_moses, sides)))
        else:
            try:
                header = read_header(path)
            except CorpusError as error:
                if sides:
                    raise ArgumentError(
                        f"{path}: no TMX, and the other side of a Moses pair is missing;"
                        " give both sides"
                    ) from error
                raise
            is_own = header.get("creationtool") == TOOL
            sources.append(_Source(path, partial(read_entries, path), is_own, header))
    return sources


def _find_langs(sources: Sequence[_Source]) -> tuple[str, str]:
    """Return the languages of the first unit that has two."""
    for one in sources:
        for entry in one.read():
            codes = list(dict.fromkeys(filter(None, _codes(entry))))
            if len(codes) > 1:
                source = _codes(entry)[entry.source] or codes[0]
                return source, next(code for code in codes if code != source)
    raise ArgumentError(
        f"{sources[0].path}: no unit in two known languages; give --langs"
    )


def _codes(entry: TmxEntry) -> list[str]:
    """Return the ISO 639-3 codes of the variants, empty for unknown languages."""
    return [find_iso639_3(tag) for tag, _ in entry.variants]


def _iter_units(
    sources: Sequence[_Source], langs: tuple[str, str]
) -> Iterator[tuple[_Source, ExportUnit | None]]:
    """Yield the units from the first language to the second; None for those in others."""
    for one in sources:
        for entry in one.read():
            yield one, _pick(entry, langs)


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
    sources: Sequence[_Source], counts: MergeCounts
) -> Iterator[tuple[ExportUnit, float]]:
    """Yield the units to be judged, and count them."""
    for one, unit in _iter_units(sources, counts.langs):
        if unit is None:
            counts.left_out[one.path] += 1
            continue
        counts.read[one.path] += 1
        yield (unit if one.is_own else replace(unit, score=None)), 1.0


def _find_date(sources: Sequence[_Source]) -> datetime:
    """Return the latest date in the headers: the same files give the same file."""
    dates = []
    for one in sources:
        with suppress(ValueError):
            date = one.header.get("creationdate", "")
            dates.append(datetime.strptime(date, "%Y%m%dT%H%M%S%z"))
    latest = max(one.path.stat().st_mtime for one in sources)
    return max(dates, default=datetime.fromtimestamp(latest, UTC))
