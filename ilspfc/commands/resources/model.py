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
        ("--order", "N", "length of the longest n-grams", "5"),
        ("--unique", "", "count each sentence once"),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Train a model."""
        if args[:1] != ["train"] or len(args) < 2:
            raise UsageError("give train and the texts")
        from ilspfc.classification.perplexity.arpa import write_arpa
        from ilspfc.classification.perplexity.kneser_ney import RESERVED
        from ilspfc.classification.perplexity.page_perplexity import train
        from ilspfc.exceptions import DomainError
        from ilspfc.files.language_models import drop_repeated, read_sentences
        from ilspfc.text.codes import to_iso639_3

        if not opts.out.endswith(_SUFFIXES):
            raise ArgumentError(
                f"--out={opts.out}: no ARPA file; give a name that ends in .arpa or .arpa.gz"
            )
        if not opts.order.isdecimal() or not 1 <= int(opts.order) <= _MAX_ORDER:
            raise ArgumentError(
                f"--order={opts.order}: give a whole number from 1 to {_MAX_ORDER}"
            )
        try:
            lang = to_iso639_3(opts.lang or "")
        except ValueError as error:
            raise ArgumentError(
                f"--lang={opts.lang}: {error}; give the language of the texts, as in de"
            ) from error
        sentences: Iterator[list[str]] = chain.from_iterable(
            read_sentences(Path(source), lang, self.settings) for source in args[1:]
        )
        if opts.unique:
            sentences = drop_repeated(sentences)
        try:
            model = train(sentences, int(opts.order))
        except DomainError as error:
            names = ", ".join(args[1:])
            raise ArgumentError(
                f"{names}: no sentence of five words; give texts in {opts.lang}"
            ) from error
        write_arpa(model, Path(opts.out))
        print(
            f"{opts.out}: order {model.order}, {len(model.words) - len(RESERVED)} words"
        )
        for n, level in enumerate(model.levels, 1):
            print(f"  {n}-grams: {len(level.keys)}")
