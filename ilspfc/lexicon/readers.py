"""Bilingual dictionaries, and their readers: TSV, Bitextor's and hunalign's .dic.

Every reader returns a :class:`Dictionary` and raises
LexiconError if the file cannot be read or has no entries.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from ilspfc.exceptions import LexiconError
from ilspfc.lexicon.entries import Entry
from ilspfc.text.packed import iter_lines, open_packed

# -- dictionaries ------------------------------------------------------------------------

MAX_WORD_CHARS = 200
"""Longer "words" are misplaced text."""

MAX_PROBLEMS = 20
"""Maximum number of bad lines to report individually; all are counted."""

DICTIONARY_VALUE = 0.7
"""Prior value of the only translation of a word in a dictionary; 1 is certainty."""

AMBIGUITY = 0.7
"""Exponent of the ambiguity discount: each of n translations gets a factor n ** -AMBIGUITY."""

MAX_PHRASE_TOKENS = 4
"""Longer entries are explanations, not translations."""


@dataclass(slots=True)
class Dictionary:
    """The distinct entries of a file, in its order.

    ``langs`` are the language codes as spelled in the file, empty if it has none.
    ``bad_lines`` counts the rejected lines, ``problems`` describes the first of them.
    """

    entries: list[Entry] = field(default_factory=list)
    langs: tuple[str, ...] = ()
    bad_lines: int = 0
    problems: list[str] = field(default_factory=list)
    _known: set[tuple[str, str]] = field(default_factory=set, repr=False)

    def refuse(self, line: int, cause: str) -> None:
        """Count and record a rejected line."""
        self.bad_lines += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(f"line {line}: {cause}")

    def add(self, line: int, entry: Entry) -> None:
        """Add an entry, unless it is a repetition or has an impossible word."""
        for word in (entry.source, entry.target):
            if not word:
                self.refuse(line, "a word is missing")
                return
            if len(word) > MAX_WORD_CHARS:
                self.refuse(line, f"a word of {len(word)} characters")
                return
        key = (entry.source, entry.target)
        if key not in self._known:
            self._known.add(key)
            self.entries.append(entry)

    def require(self, path: Path, expected: str) -> Dictionary:
        """Return the dictionary; LexiconError if it has no entries."""
        if self.entries:
            return self
        cause = f"; {self.problems[0]}" if self.problems else ""
        raise LexiconError(f"{path}: no entries{cause}; give {expected}")

    def transpose(self) -> Dictionary:
        """Return the dictionary with source and target swapped."""
        return Dictionary(
            [entry.transpose() for entry in self.entries],
            self.langs[::-1],
            self.bad_lines,
            self.problems,
        )


def cut_entries(
    entries: Sequence[Entry],
    split_source: Callable[[str], list[str]],
    split_target: Callable[[str], list[str]],
) -> list[Entry]:
    """Return the entries of a dictionary split into tokens, sorted, with prior scores.

    Each of n translations of a word (or n words of a translation) gets ``0.7 / n ** 0.7``
    times its score; in a phrase, each token pair gets an equal share. Phrases of more than
    four tokens are left out. Learned entries, which have segment counts, keep score and
    counts. Of repeated pairs, the best score is kept.
    """
    sources = Counter(entry.source for entry in entries)
    targets = Counter(entry.target for entry in entries)
    best: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        left, right = split_source(entry.source), split_target(entry.target)
        longest = max(len(left), len(right))
        if not left or not right or longest > MAX_PHRASE_TOKENS:
            continue
        score = entry.score
        if not entry.segments:
            number = max(sources[entry.source], targets[entry.target])
            score *= DICTIONARY_VALUE / number**AMBIGUITY / longest
        for key in product(left, right):
            if key not in best or best[key].score < score:
                counts = entry.segments, entry.documents, entry.sites
                best[key] = Entry(*key, score, *counts)
    return [entry for _, entry in sorted(best.items())]


HEADER = ("source", "target", "score", "segments", "documents", "sites")
"""Columns of a lexicon in a TSV file; the first two suffice.

Their headers may be the language codes instead.
"""

_HUNALIGN = " @ "


def read_dictionary(path: Path) -> Dictionary:
    """Read a dictionary, its format inferred from the file name.

    ``.dic`` is Bitextor's or hunalign's format, the rest is TSV; both may be gzipped (.gz).
    """
    if path.name.removesuffix(".gz").endswith(".dic"):
        return read_dic(path)
    return read_tsv(path)


def read_tsv(path: Path) -> Dictionary:
    """Read ``word TAB word [TAB score [TAB segments TAB documents TAB sites]]``.

    Scores are in (0, 1]. The first line may be a header with the names of the columns, or
    with the languages.
    """
    found = Dictionary()
    for number, line in _read_lines(path, found):
        cells = [cell.strip() for cell in line.split("\t")]
        if number == 1 and tuple(cells) == HEADER[: len(cells)]:
            continue
        if number == 1 and tuple(cells[2:]) == HEADER[2:] and _are_codes(cells[:2]):
            found.langs = tuple(cells[:2])
            continue
        if not 2 <= len(cells) <= len(HEADER):
            found.refuse(number, f"{len(cells)} columns instead of 2 to {len(HEADER)}")
            continue
        try:
            score = float(cells[2]) if len(cells) > 2 else 1.0
            counts = [int(cell) for cell in cells[3:]]
        except ValueError:
            found.refuse(number, f"{' '.join(cells[2:])!r}: not numeric")
            continue
        if not 0 < score <= 1 or min(counts, default=0) < 0:
            found.refuse(
                number, f"score {cells[2]} is not in (0, 1], or a count is negative"
            )
            continue
        found.add(number, Entry(cells[0], cells[1], score, *counts))
    return found.require(path, "lines of word TAB word [TAB score], in UTF-8")


def read_dic(path: Path) -> Dictionary:
    """Read Bitextor's ``word TAB word`` under a line with two language codes.

    Also read hunalign's ``target @ source``, identified by its separator.
    """
    found = Dictionary()
    for number, line in _read_lines(path, found):
        if "\t" in line:
            cells = [cell.strip() for cell in line.split("\t")]
            if number == 1 and _are_codes(cells):
                found.langs = tuple(cells)
                continue
        else:
            cells = [cell.strip() for cell in line.split(_HUNALIGN)][::-1]
        if len(cells) != 2:
            found.refuse(number, "neither word TAB word nor target @ source")
            continue
        found.add(number, Entry(cells[0], cells[1]))
    return found.require(path, "lines of word TAB word, or target @ source, in UTF-8")


def write_tsv(entries: list[Entry], langs: tuple[str, str]) -> Iterator[bytes]:
    """Yield the lines of a lexicon as a TSV file in UTF-8.

    The header names the first two columns by their language codes.
    """
    yield ("\t".join((*langs, *HEADER[2:])) + "\n").encode()
    for entry in entries:
        counts = f"{entry.segments}\t{entry.documents}\t{entry.sites}"
        line = f"{entry.source}\t{entry.target}\t{entry.score:.6g}\t{counts}\n"
        yield line.encode("utf-8", "replace")


def _are_codes(cells: list[str]) -> bool:
    """Test whether all cells look like language codes."""
    return all(c.isascii() and c.isalpha() and 2 <= len(c) <= 3 for c in cells)


def _read_lines(path: Path, found: Dictionary) -> Iterator[tuple[int, str]]:
    """Yield the numbers and texts of nonempty lines."""
    with _report(path), open_packed(path) as file:
        for number, raw in enumerate(iter_lines(file), 1):
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                found.refuse(number, "not in UTF-8")
                continue
            if line.strip():
                yield number, line.rstrip("\r\n")


@contextmanager
def _report(path: Path) -> Iterator[None]:
    """Convert errors of reading a file into LexiconError."""
    try:
        yield
    except (OSError, EOFError, zlib.error) as error:
        cause = getattr(error, "strerror", None) or error
        raise LexiconError(
            f"{path}: cannot be read ({cause}); give a dictionary as TSV or .dic"
        ) from error
