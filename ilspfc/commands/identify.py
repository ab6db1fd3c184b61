"""``scrapy identify --langs de,it FILE``: the language of each line of a text."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ilspfc.command import ProjectCommand, warn
from ilspfc.exceptions import ArgumentError
from ilspfc.text.codes import find_iso639_3

if TYPE_CHECKING:
    from ilspfc.language.identification import PageIdentifier

# Lines that are identified at a time, and characters of each that are read.
_BATCH_LINES = 200
_MAX_CHARS = 2000


class Command(ProjectCommand):
    """Writes code, confidence and the line, separated by tabs, for each line."""

    arguments = "--langs CODES FILE"
    takes = 1, 1, "give one file, or - for standard input"
    options = (
        ("--langs", "CODES", "languages, such as de,it; all others are 'other'"),
        ("--page", "CODE", "language of the page of the lines, expected of short ones"),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Write a line for each line; those that are not UTF-8 are counted."""
        from ilspfc.crawl.arguments import parse_langs
        from ilspfc.crawl.text_options import check_languages, language_texts
        from ilspfc.language.identification import PageIdentifier

        langs = parse_langs("--langs", opts.langs)
        given = [code for part in opts.langs.split(",") if (code := part.strip())]
        codes = dict(zip(langs, given, strict=True))
        check_languages(langs, self.settings)
        page_lang = _page_lang(opts.page, langs)
        identifier = PageIdentifier(langs, language_texts(self.settings))
        with _open(args[0]) as file:
            bad = _identify(file, identifier, page_lang, codes)
        if bad:
            warn(
                f"{args[0]}: {len(bad)} lines are not UTF-8, the first is line {bad[0]};"
                " unreadable bytes were replaced; convert the file to UTF-8"
            )


def _page_lang(code: str, langs: tuple[str, ...]) -> str:
    lang = find_iso639_3(code)
    if code and lang not in langs:
        raise ArgumentError(
            f"--page={code}: {code!r} is not one of --langs; give one of them"
        )
    return lang


def _open(name: str) -> BinaryIO:
    if name == "-":
        return open(sys.stdin.fileno(), "rb", closefd=False)
    return Path(name).open("rb")


def _identify(
    file: BinaryIO, identifier: PageIdentifier, page_lang: str, codes: dict[str, str]
) -> list[int]:
    """Write the language of each line; return the numbers of lines that are not UTF-8."""
    bad: list[int] = []
    lines = _decode(file, bad)
    while batch := list(islice(lines, _BATCH_LINES)):
        verdicts = identifier.identify([line[:_MAX_CHARS] for line in batch], page_lang)
        answer = "".join(
            f"{codes.get(verdict.lang, verdict.lang)}\t{verdict.confidence:.4f}\t{line}\n"
            for verdict, line in zip(verdicts, batch, strict=True)
        )
        sys.stdout.buffer.write(answer.encode())
        sys.stdout.buffer.flush()
    return bad


def _decode(file: BinaryIO, bad: list[int]) -> Iterator[str]:
    for number, line in enumerate(file, 1):
        content = line.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1:
            content = content.removeprefix(b"\xef\xbb\xbf")
        try:
            yield content.decode()
        except UnicodeDecodeError:
            bad.append(number)
            yield content.decode(errors="replace")
