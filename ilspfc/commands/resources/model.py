"""``scrapy model train | score | info``: language models of a domain."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from scrapy.exceptions import UsageError

from ilspfc.command import ProjectCommand, warn
from ilspfc.exceptions import ArgumentError

_SUFFIXES = (".arpa", ".arpa.gz")
_MAX_ORDER = 9


class Command(ProjectCommand):
    """Trains Kneser-Ney models, scores texts with them, tells their size."""

    arguments = (
        "train SOURCE … --lang L --out FILE.arpa | score MODEL SOURCE … --lang L |"
        " info MODEL"
    )
    summary = "Train language models on texts or a corpus, score texts with them"
    options = (
        ("--lang", "CODE", "language of the texts, which are cut into sentences by it"),
        ("--out", "FILE", "train: ARPA file to write (compressed if it ends in .gz)"),
        ("--order", "N", "train: length of the longest n-grams", {"default": "5"}),
        (
            "--unknown",
            "X",
            "score: log10 p of an unknown word, or 'own' for the model's estimate",
            {"default": "-10"},
        ),
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options."""
        super().add_options(parser)
        parser.add_argument(
            "--unique", action="store_true", help="train: count each sentence once"
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Train, score or tell."""
        match args:
            case ["train", _, *_]:
                self._train([Path(arg) for arg in args[1:]], opts)
            case ["score", model, _, *_]:
                self._score(Path(model), [Path(arg) for arg in args[2:]], opts)
            case ["info", model]:
                _tell(Path(model))
            case _:
                raise UsageError("give train, score or info, and what they need")

    def _train(self, sources: list[Path], opts: argparse.Namespace) -> None:
        from ilspfc.classification.perplexity.arpa import write_arpa
        from ilspfc.classification.perplexity.page_perplexity import train
        from ilspfc.exceptions import DomainError
        from ilspfc.stages.language_models import drop_repeated

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
        _tell(out)

    def _score(self, path: Path, sources: list[Path], opts: argparse.Namespace) -> None:
        """Print a line for each file, and one for all of them together."""
        from ilspfc.classification.perplexity.arpa import read_arpa
        from ilspfc.classification.perplexity.held_out_score import score_test_set

        unknown, lang = _check_unknown(opts.unknown), _check_lang(opts.lang)
        model = read_arpa(_check_model(path))
        print("sentences", "words", "oov", "perplexity", "without oov", "", sep="\t")
        files = [file for source in sources for file in _expand(source)]
        for files_of_row, name in _rows(files):
            read = chain.from_iterable(self._read(file, lang) for file in files_of_row)
            score = score_test_set(model, read, unknown)
            print(
                score.sentences,
                score.words,
                score.unknown,
                _show(score.oov),
                _show(score.no_oov),
                name,
                sep="\t",
            )
            if not score.sentences:
                warn(f"{name}: no sentence of five words or more; give longer texts")

    def _read(self, source: Path, lang: str) -> Iterator[list[str]]:
        from ilspfc.stages.language_models import read_sentences

        return read_sentences(source, lang, self.settings)


def _rows(files: list[Path]) -> Iterator[tuple[list[Path], str]]:
    for file in files:
        yield [file], str(file)
    if len(files) > 1:
        yield files, "all"


def _expand(source: Path) -> list[Path]:
    """Return the texts in a folder, or the source itself."""
    return sorted(source.glob("*.txt")) or [source]


def _show(perplexity: float) -> str:
    return f"{perplexity:.1f}" if perplexity < math.inf else "-"


def _tell(path: Path) -> None:
    """Print order, vocabulary and numbers of n-grams of a model."""
    from ilspfc.classification.perplexity.arpa import read_arpa
    from ilspfc.classification.perplexity.kneser_ney import RESERVED, UNK

    model = read_arpa(_check_model(path))
    print(f"{path}: order {model.order}, {len(model.words) - len(RESERVED)} words")
    for n, level in enumerate(model.levels, 1):
        print(f"  {n}-grams: {len(level.keys)}")
    print(f"  log10 p of an unknown word: {model.levels[0].log10[UNK]:.3f}")


def _check_model(path: Path) -> Path:
    if not path.is_file():
        raise ArgumentError(
            f"{path}: no such model; scrapy model train --out {path} makes one"
        )
    return path


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


def _check_unknown(value: str) -> float | None:
    if value == "own":
        return None
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not -99 <= number <= 0:
        raise ArgumentError(f"--unknown={value}: give a number from -99 to 0, or own")
    return number


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
