"""``scrapy model train``: language models of a domain."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from scrapy.exceptions import UsageError

from ilspfc.command import ProjectCommand
from ilspfc.exceptions import ArgumentError

_SUFFIXES = (".arpa", ".arpa.gz")
_MAX_ORDER = 9


class Command(ProjectCommand):
    """Trains Kneser-Ney models."""

    arguments = "train SOURCE … --lang L --out FILE.arpa"
    options = (
        ("--lang", "CODE", "language of the texts, which are cut into sentences by it"),
        ("--out", "FILE", "ARPA file to write (compressed if it ends in .gz)"),
        ("--order", "N", "length of the longest n-grams", {"default": "5"}),
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options."""
        super().add_options(parser)
        parser.add_argument(
            "--unique", action="store_true", help="count each sentence once"
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Train a model."""
        match args:
            case ["train", _, *_]:
                self._train([Path(arg) for arg in args[1:]], opts)
            case _:
                raise UsageError("give train and the texts")

    def _train(self, sources: list[Path], opts: argparse.Namespace) -> None:
        from ilspfc.classification.perplexity.arpa import write_arpa
        from ilspfc.classification.perplexity.kneser_ney import RESERVED
        from ilspfc.classification.perplexity.page_perplexity import train
        from ilspfc.exceptions import DomainError
        from ilspfc.files.language_models import drop_repeated

        out, order = _check_out(opts.out), _check_order(opts.order)
        lang = _check_lang(opts.lang)
        sentences: Iterator[list[str]] = chain.from_iterable(
            self._read(source, lang) for source in sources
        )
        if opts.unique:
            sentences = drop_repeated(sentences)
        try:
            model = train(sentences, order)
        except DomainError as error:
            names = ", ".join(map(str, sources))
            raise ArgumentError(
                f"{names}: no sentence of five words; give texts in {opts.lang}"
            ) from error
        write_arpa(model, out)
        print(f"{out}: order {model.order}, {len(model.words) - len(RESERVED)} words")
        for n, level in enumerate(model.levels, 1):
            print(f"  {n}-grams: {len(level.keys)}")

    def _read(self, source: Path, lang: str) -> Iterator[list[str]]:
        from ilspfc.files.language_models import read_sentences

        return read_sentences(source, lang, self.settings)


def _check_out(value: str) -> Path:
    if not value.endswith(_SUFFIXES):
        raise ArgumentError(
            f"--out={value}: no ARPA file; give a name that ends in .arpa or .arpa.gz"
        )
    return Path(value)


def _check_order(value: str) -> int:
    if not value.isdecimal() or not 1 <= int(value) <= _MAX_ORDER:
        raise ArgumentError(
            f"--order={value}: give a whole number from 1 to {_MAX_ORDER}"
        )
    return int(value)


def _check_lang(value: str) -> str:
    from ilspfc.text.codes import to_iso639_3

    if not value:
        raise ArgumentError("--lang: missing; give the language of the texts, as in de")
    try:
        return to_iso639_3(value)
    except ValueError as error:
        raise ArgumentError(
            f"--lang={value}: {error}; give a code, as in de"
        ) from error
