"""Alignment of plain text files, one sentence a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from scrapy.settings import BaseSettings

from ilspfc.alignment.beads import Bead
from ilspfc.alignment.collection import align_texts
from ilspfc.alignment.page_units import PageText, make_alignment
from ilspfc.alignment.sides import TextPair
from ilspfc.atomic import write_lines
from ilspfc.exceptions import ArgumentError
from ilspfc.exports.interchange.tmx_writer import TmxHeader, write_tmx
from ilspfc.exports.units import ExportUnit
from ilspfc.language.identification import PageIdentifier
from ilspfc.language.labels import is_identifiable
from ilspfc.lexicon.ibm1 import learn_tables
from ilspfc.lexicon.readers import read_dictionary
from ilspfc.line.lexicons import cut_dictionary, known_entries, read_lines
from ilspfc.text.codes import to_bcp47

MAX_LINES = 200_000
"""Longer files are refused: what they take is memory for all lines of both sides."""

LONG_LINE_CHARS = 5_000
"""Longer lines are no sentences; they are aligned, with a warning."""

MAX_SIZE_RATIO = 3
"""Ratio of the numbers of lines of two files above which the user is warned."""

_SAMPLE_CHARS = 4_000
_SURE = 0.9


@dataclass(frozen=True, slots=True)
class TextFiles:
    """Two files to align with each other, and where the result goes."""

    source: Path
    target: Path
    out: Path | None = None


def read_list(path: Path) -> list[TextFiles]:
    """Return the files of a list, ``source TAB target TAB out`` a line.

    Relative names are relative to where the command runs. ArgumentError for a line
    without three names, and for two lines that would write the same file.
    """
    files: list[TextFiles] = []
    outs: dict[Path, int] = {}
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        names = line.rstrip("\r").split("\t")
        if len(names) != 3 or not all(names):
            raise ArgumentError(
                f"{path}, line {number}: {len(names)} names; give source TAB target TAB"
                " out"
            )
        source, target, out = map(Path, names)
        if out in outs:
            raise ArgumentError(
                f"{path}, line {number}: {out} is written by line {outs[out]} already;"
                " give each pair a file of its own"
            )
        outs[out] = number
        files.append(TextFiles(source, target, out))
    if not files:
        raise ArgumentError(
            f"{path}: no pairs of files; give source TAB target TAB out"
        )
    return files


class TextCollection:
    """The sentences of pairs of text files in two languages (ISO 639-3)."""

    def __init__(
        self, files: Sequence[TextFiles], langs: tuple[str, str], *, is_strict: bool
    ) -> None:
        """Read all files; with ``is_strict`` one without text is an ArgumentError.

        So is a result that would overwrite a text.
        """
        texts = {p.resolve() for pair in files for p in (pair.source, pair.target)}
        for pair in files:
            if pair.out is not None and pair.out.resolve() in texts:
                raise ArgumentError(
                    f"{pair.out}: is one of the texts; give the result another file"
                )
        self.langs = langs
        self.warnings: list[str] = []
        self._lines: list[tuple[list[str], list[str]]] = []
        self._identifier = PageIdentifier(langs)
        for pair in files:
            left = self._read(pair.source, langs[0], is_strict=is_strict)
            right = self._read(pair.target, langs[1], is_strict=is_strict)
            self._lines.append((left, right))
            self._compare_sizes(pair)

    def _read(self, path: Path, lang: str, *, is_strict: bool) -> list[str]:
        lines = [line.strip() for line in read_lines(path)]
        if len(lines) > MAX_LINES:
            raise ArgumentError(
                f"{path}: {len(lines):,} lines; split it into files of at most"
                f" {MAX_LINES:,}"
            )
        if not any(lines):
            if is_strict:
                raise ArgumentError(f"{path}: no text in it; give one sentence a line")
            self.warnings.append(f"{path}: no text in it")
        long = [n for n, line in enumerate(lines, 1) if len(line) > LONG_LINE_CHARS]
        if long:
            self.warnings.append(
                f"{path}: {len(long)} of {len(lines)} lines have more than"
                f" {LONG_LINE_CHARS:,} characters, the first is line {long[0]}; one"
                " sentence a line is expected"
            )
        self._check_language(path, lines, lang)
        return lines

    def _compare_sizes(self, pair: TextFiles) -> None:
        """Warn of a text that can hardly be a translation, so different is its size."""
        sizes = [sum(map(bool, lines)) for lines in self._lines[-1]]
        if min(sizes) and max(sizes) > MAX_SIZE_RATIO * min(sizes):
            self.warnings.append(
                f"{pair.source} has {sizes[0]} lines with text, {pair.target} {sizes[1]};"
                " most will have no translation"
            )

    def _check_language(self, path: Path, lines: list[str], lang: str) -> None:
        """Warn of a text that is in another language than is said."""
        if not is_identifiable(lang):
            return
        middle = len(lines) // 2
        sample = " ".join([*lines[middle:], *lines[:middle]])[:_SAMPLE_CHARS]
        if len(sample) < _SAMPLE_CHARS // 20:
            return
        (verdict,) = self._identifier.identify([sample])
        if verdict.lang != lang and verdict.confidence > _SURE:
            known = verdict.lang in self.langs
            found = to_bcp47(verdict.lang) if known else "another language"
            self.warnings.append(
                f"{path}: the text looks like {found}, not like {to_bcp47(lang)};"
                " check --langs"
            )

    def align(
        self, settings: BaseSettings, dictionary: Path | None, rounds: int | None
    ) -> Iterator[AlignedTexts]:
        """Yield the result for each pair of files."""
        texts = [(_drop_blank(left), _drop_blank(right)) for left, right in self._lines]
        pairs = [TextPair(source, target) for (source, _), (target, _) in texts]
        entries = known_entries(settings, self.langs)
        if dictionary is not None:
            entries += cut_dictionary(
                dictionary, read_dictionary(dictionary), self.langs
            )
        found = align_texts(
            pairs,
            self.langs,
            None if settings["ALIGNMENT_METHOD"] == "length" else learn_tables,
            dictionary=[(e.source, e.target, e.score) for e in entries],
            rounds=rounds,
        )
        for one, pair, beads in zip(texts, pairs, found, strict=True):
            (_, source), (_, target) = one
            yield AlignedTexts(beads, pair, (source, target))


def _drop_blank(lines: list[str]) -> tuple[list[str], list[int]]:
    """Return the lines with text in them, and the numbers of these; then that of all."""
    numbers = [number for number, line in enumerate(lines) if line]
    return [lines[number] for number in numbers], [*numbers, len(lines)]


@dataclass(frozen=True, slots=True)
class AlignedTexts:
    """Two texts with their beads; the numbers of lines with text end in that of all lines."""

    beads: list[Bead]
    texts: TextPair
    numbers: tuple[list[int], list[int]]

    def lines(self) -> Iterator[str]:
        """Yield a line for each bead and for each blank line, in the order of the texts."""
        source, target = self.numbers
        row = column = 0
        for bead in self.beads:
            sources = [source[number] for number in bead.source]
            targets = [target[number] for number in bead.target]
            if sources:
                yield from (f"{blank}\t\t1.0000" for blank in range(row, sources[0]))
                row = sources[-1] + 1
            if targets:
                yield from (f"\t{blank}\t1.0000" for blank in range(column, targets[0]))
                column = targets[-1] + 1
            cells = (",".join(map(str, side)) for side in (sources, targets))
            yield "\t".join([*cells, f"{bead.score:.4f}"])
        yield from (f"{blank}\t\t1.0000" for blank in range(row, source[-1]))
        yield from (f"\t{blank}\t1.0000" for blank in range(column, target[-1]))

    def write(self, path: Path, langs: tuple[str, str]) -> None:
        """Write a translation memory if the name is that of one, else the lines."""
        if path.name.removesuffix(".gz").endswith(".tmx"):
            source = PageText.of_sentences(self.texts.source, langs[0])
            target = PageText.of_sentences(self.texts.target, langs[1])
            units = make_alignment(source, target, self.beads).units
            header = TmxHeader(*langs, created=datetime.now(UTC), units=len(units))
            kept = (ExportUnit(u.source, u.target, u.kind, u.score) for u in units)
            write_tmx(path, kept, header)
            return
        write_lines(path, self.lines())
