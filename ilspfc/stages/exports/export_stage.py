"""Exports over a corpus: the files that other tools take."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from ilspfc.exports import (
    ExportUnit,
    Selection,
    SelectionCounts,
    TextDocument,
    remove_stale,
    write_cesalign,
    write_texts,
)
from ilspfc.stages.exports.export_files import export_paths, pair_name, text_path
from ilspfc.stages.exports.export_options import ExportOptions, export_options
from ilspfc.stages.exports.export_units import iter_judged, judge_units, make_origin
from ilspfc.stages.exports.export_writers import (
    UNIT_FORMATS,
    open_writers,
    write_memory,
)
from ilspfc.text.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ilspfc.corpus.corpus import Corpus
    from ilspfc.corpus.records import PairEntry


def run_exports(corpus: Corpus) -> None:
    """Write the files that other tools take, in place of those of an earlier run.

    Files of formats that are not asked for stay as they are.
    """
    options = export_options(corpus.settings)
    counts = _Counts()
    written: set[Path] = set()
    for langs in corpus.language_pairs:
        entries = corpus.bitext.pairs(*langs)
        if "cesalign" in options.formats:
            written |= {_write_cesalign(corpus, entry) for entry in entries}
        if options.formats & UNIT_FORMATS:
            written |= _write_units(corpus, langs, entries, options, counts)
    for format_, folder in (
        ("cesalign", corpus.files.alignments),
        ("pair-tmx", corpus.files.memories),
    ):
        if format_ in options.formats and folder.is_dir():
            for path in set(folder.iterdir()) - written:
                path.unlink()
    if "text" in options.formats:
        _write_texts(corpus, options, counts)
    _keep_counts(corpus, counts)


class _Counts:
    """What was written, annotated and dropped, over all language pairs."""

    def __init__(self) -> None:
        self.stats: Counter[str] = Counter()
        self.dropped: Counter[str] = Counter()

    def add(self, counts: SelectionCounts) -> None:
        self.stats["exports/units"] += counts.units
        for reason, number in counts.annotated.items():
            self.stats[f"exports/annotated/{reason}"] += number
        self.dropped.update({str(reason): n for reason, n in counts.dropped.items()})


def _keep_counts(corpus: Corpus, counts: _Counts) -> None:
    """Write the counts down, in place of those of the last run of the stage."""
    corpus.index.set_drops("exports", +counts.dropped)
    stats = corpus.run.setdefault("stats", {})
    old = {name: None for name in stats if name.startswith("exports/")}
    new = +counts.stats
    corpus.index.finish_run({"stats": {**old, **new}})
    for name in old:
        del stats[name]
    stats.update(new)


def _write_cesalign(corpus: Corpus, entry: PairEntry) -> Path:
    source, target = entry.source, entry.target
    path = corpus.files.alignments / f"{pair_name(entry)}.xml"
    write_cesalign(
        path,
        (f"../{source.path}", source.lang),
        (f"../{target.path}", target.lang),
        confidence=entry.pair.probability,
        method=entry.pair.evidence,
    )
    return path


def _write_units(
    corpus: Corpus,
    langs: tuple[str, str],
    entries: list[PairEntry],
    options: ExportOptions,
    counts: _Counts,
) -> set[Path]:
    """Write the units of a language pair in all formats; return the memories of pairs."""
    selection = Selection(options.actions, options.limits)
    judged = iter_judged(corpus, entries)
    judge_units(judged, langs, selection, corpus.settings, options)
    found = selection.finish()
    counts.add(found)
    pairs = set()
    with ExitStack() as stack:
        writers = {
            format_: stack.enter_context(writer)
            for format_, writer in open_writers(corpus, langs, options, found)
        }
        infos = selection.infos()
        for entry in entries:
            units = list(_iter_kept(corpus, entry, infos))
            for unit in units:
                for writer in writers.values():
                    writer.write(unit)
            if "pair-tmx" in options.formats:
                pairs.add(write_memory(corpus, entry, units, options))
    for format_, writer in writers.items():
        for path in export_paths(corpus, langs, format_, compress=options.compress):
            remove_stale(path, writer.paths)
    return pairs


def _iter_kept(
    corpus: Corpus, entry: PairEntry, infos: Iterator[tuple[str, ...] | None]
) -> Iterator[ExportUnit]:
    """Yield the units of a pair that stay, with the remarks on them."""
    origin = make_origin(entry, corpus.run.get("domain", ""))
    # The units first: where they end, no verdict is taken.
    for unit, info in zip(corpus.bitext.units(entry.pair), infos, strict=False):
        if info is not None:
            texts = unit.source, unit.target
            yield ExportUnit(*texts, unit.kind, unit.score, info, origin)


def _write_texts(corpus: Corpus, options: ExportOptions, counts: _Counts) -> None:
    """Write the text of each language."""
    entries = corpus.index.documents()
    for lang in corpus.langs:
        path = text_path(corpus, lang, compress=options.compress)
        found = write_texts(
            path,
            (
                TextDocument(
                    entry.url,
                    entry.file,
                    [p.text for p in corpus.read(entry).clean_paragraphs],
                )
                for entry in entries
                if entry.lang == lang
            ),
            level=options.text_level,
            split=partial(split_sentences, lang=lang),
        )
        remove_stale(path, [path])
        counts.stats["exports/texts"] += found.lines
        counts.dropped.update({str(r): n for r, n in found.dropped.items()})
