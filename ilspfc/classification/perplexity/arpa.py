r"""Language models in the ARPA format: the n-grams of SRILM, KenLM, BerkeleyLM.

The format is plain text (SRILM's manual page ngram-format): ``\data\`` and the number of
n-grams of each order; a section ``\n-grams:`` for each, with lines of log10 probability,
n words and, below the highest order, log10 back-off weight; ``\end\``.
"""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import numpy as np

from ilspfc.atomic import open_atomic
from ilspfc.classification.perplexity.kneser_ney import (
    BOS,
    EOS,
    RESERVED,
    UNK,
    Level,
    find_keys,
)
from ilspfc.classification.perplexity.page_perplexity import UNKNOWN_LOG10, NgramModel
from ilspfc.exceptions import DomainError
from ilspfc.text.packed import iter_lines, open_packed
from ilspfc.text.vocabulary import Numbering

_DATA = b"\\data\\"
_END = b"\\end\\"
# No model has an order of three digits, or more n-grams than 18 digits can number.
_COUNT_RE = re.compile(rb"ngram\s+(\d{1,2})\s*=\s*(\d{1,18})$")


def read_arpa(path: Path) -> NgramModel:
    """Read a model from an ARPA file in UTF-8; a name that ends in ``.gz`` is compressed.

    Fields are separated by blanks or tabs, back-off weights may be missing (log10 is then
    0). A file without ``<unk>`` gives it :data:`UNKNOWN_LOG10`. DomainError names the file,
    the line and the cause where the file cannot be read, is not whole, or contradicts
    itself: counts that are not those announced, an n-gram twice, words that are no
    unigram, n-grams whose first n - 1 words are not in the model, positive logarithms of
    probabilities, no ``<s>`` or ``</s>``.
    """
    parser = None
    try:
        with open_packed(path) as file:
            parser = _Parser(iter_lines(file))
            return parser.parse()
    except (OSError, EOFError, zlib.error, _BrokenError) as error:
        line = f", line {parser.line}" if parser else ""
        raise DomainError(f"{path}{line}: {error}") from None


class _BrokenError(Exception):
    """Cause why an ARPA file cannot be used."""


class _Rows:
    """The lines of a section: numbers as written, words by number, line numbers."""

    def __init__(self) -> None:
        self.log10 = array("f")
        self.backoff = array("f")
        self.words = array("i")
        self.lines = array("q")


class _Parser:
    """Reads the lines of an ARPA file; ``line`` is the number of the one it is about."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._lines = iter(lines)
        self._numbers: dict[bytes, int] = Numbering(
            (word.encode(), n) for n, word in enumerate(RESERVED)
        )
        self._levels: list[Level] = []
        self._awaited = _DATA
        self.line = 0

    def parse(self) -> NgramModel:
        """Return the model; _BrokenError for a wrong line."""
        while self._next() != _DATA:
            pass
        self._awaited = _END
        counts, header = self._read_counts()
        words = list(RESERVED)
        for n, count in enumerate(counts, 1):
            self._expect(b"\\%d-grams:" % n, header)
            rows, header = self._read_rows(n)
            if len(rows.lines) != count:
                raise _BrokenError(
                    f"{count} {n}-grams announced, {len(rows.lines)} found"
                )
            if n == 1:
                self._complete(rows)
                words = self._decode(rows)
                self._numbers = dict(self._numbers)
            if rows.lines:
                self._levels.append(self._build_level(rows, n))
        self._expect(_END, header)
        highest = self._levels.pop()
        empty = np.zeros(0, dtype=np.float32)
        return NgramModel(words, [*self._levels, replace(highest, backoff=empty)])

    def _next(self) -> bytes:
        """Return the next line that is not blank."""
        for line in self._lines:
            self.line += 1
            if stripped := line.strip():
                return stripped
        raise _BrokenError(f"the file ends before {self._awaited.decode()}")

    @staticmethod
    def _expect(header: bytes, found: bytes) -> None:
        if found != header:
            raise _BrokenError(f"{_show(found)} where {_show(header)} should be")

    def _fail(self, rows: _Rows, row: int, cause: str) -> NoReturn:
        """Raise the error of a row of a section that was read before."""
        self.line = rows.lines[row]
        raise _BrokenError(cause)

    def _read_counts(self) -> tuple[list[int], bytes]:
        """Return the number of n-grams of each order, and the line after them."""
        counts: list[int] = []
        while not (line := self._next()).startswith(b"\\"):
            match = _COUNT_RE.match(line)
            if not match or int(match[1]) != len(counts) + 1:
                raise _BrokenError(
                    f"{_show(line)} where ngram {len(counts) + 1}= should be"
                )
            counts.append(int(match[2]))
        if not counts:
            raise _BrokenError("no numbers of n-grams")
        return counts, line

    def _read_rows(self, n: int) -> tuple[_Rows, bytes]:
        """Return the lines of a section, and the line after them."""
        rows = _Rows()
        while not (line := self._next()).startswith(b"\\"):
            fields = line.split()
            if len(fields) not in {n + 1, n + 2}:
                raise _BrokenError(f"{len(fields)} fields for an n-gram of {n}")
            try:
                rows.log10.append(float(fields[0]))
                rows.backoff.append(float(fields[-1]) if len(fields) == n + 2 else 0.0)
                rows.words.extend(map(self._numbers.__getitem__, fields[1 : n + 1]))
            except ValueError as error:
                raise _BrokenError(str(error)) from None
            except KeyError as error:
                raise _BrokenError(f"{_show(error.args[0])} is no 1-gram") from None
            rows.lines.append(self.line)
        return rows, line

    def _complete(self, rows: _Rows) -> None:
        """Add an unknown word to the 1-grams if they have none."""
        for number in (BOS, EOS):
            if number not in rows.words:
                raise _BrokenError(f"{RESERVED[number]} is no 1-gram")
        if UNK not in rows.words:
            rows.log10.append(UNKNOWN_LOG10)
            rows.backoff.append(0.0)
            rows.words.append(UNK)
            rows.lines.append(self.line)

    def _decode(self, rows: _Rows) -> list[str]:
        """Return the words of the vocabulary."""
        try:
            return [word.decode() for word in self._numbers]
        except UnicodeDecodeError as error:
            number = self._numbers[error.object]
            self._fail(rows, rows.words.index(number), f"not UTF-8: {error}")

    def _build_level(self, rows: _Rows, n: int) -> Level:
        """Return the n-grams of a section in the order of their keys."""
        log10 = np.array(rows.log10, dtype=np.float32)
        backoff = np.array(rows.backoff, dtype=np.float32)
        words = np.array(rows.words, dtype=np.int64).reshape(-1, n)
        if not (is_valid := (log10 <= 0) & (backoff < np.inf)).all():
            row = int(is_valid.argmin())
            self._fail(rows, row, "not the logarithm of a probability or a weight")
        keys, is_known = find_keys(words, self._levels, len(self._numbers))
        if not is_known.all():
            row = int(is_known.argmin())
            self._fail(rows, row, f"the first {n - 1} words are no {n - 1}-gram")
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        if (is_twice := keys[1:] == keys[:-1]).any():
            self._fail(rows, int(order[1:][is_twice][0]), "the n-gram is there twice")
        return Level(keys, log10[order], backoff[order])


def _show(text: bytes) -> str:
    """Return the beginning of a line for an error message."""
    shown = text[:60].decode(errors="replace")
    return f"'{shown}'" if shown.isprintable() else ascii(shown)


def write_arpa(model: NgramModel, path: Path) -> None:
    """Write a model as an ARPA file in UTF-8, compressed where the name ends in ``.gz``.

    :func:`read_arpa` gives the same model back. The file is written atomically.
    """
    with open_atomic(path) as file:
        file.write(_DATA + b"\n")
        for n, level in enumerate(model.levels, 1):
            file.write(b"ngram %d=%d\n" % (n, len(level.keys)))
        ngrams: list[str] = []
        for n, level in enumerate(model.levels, 1):
            ngrams = _spell(level, ngrams, model.words)
            file.write(b"\n\\%d-grams:\n" % n)
            file.writelines(_format_rows(level, ngrams))
        file.write(b"\n" + _END + b"\n")


def _spell(level: Level, lower: Sequence[str], words: Sequence[str]) -> list[str]:
    """Return the n-grams of a level as text; ``lower`` are those of the order below."""
    contexts, last = np.divmod(level.keys, len(words))
    if not lower:
        return [words[number] for number in last.tolist()]
    return [
        f"{lower[context]} {words[number]}"
        for context, number in zip(contexts.tolist(), last.tolist(), strict=True)
    ]


def _format_rows(level: Level, ngrams: Iterable[str]) -> Iterator[bytes]:
    """Yield the lines of a section; nine digits tell all numbers of 32 bits apart."""
    if not level.backoff.size:
        for log10, ngram in zip(level.log10.tolist(), ngrams, strict=True):
            yield f"{log10:.9g}\t{ngram}\n".encode()
        return
    rows = zip(level.log10.tolist(), ngrams, level.backoff.tolist(), strict=True)
    for log10, ngram, backoff in rows:
        yield f"{log10:.9g}\t{ngram}\t{backoff:.9g}\n".encode()
