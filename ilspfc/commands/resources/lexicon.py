"""``scrapy lexicon train | merge``: bilingual lexicons and the store of them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from ilspfc.command import ProjectCommand
from ilspfc.exceptions import ArgumentError

if TYPE_CHECKING:
    from ilspfc.lexicon.entries import Entry
    from ilspfc.lexicon.learner import SegmentTexts


class Command(ProjectCommand):
    """Learns lexicons and keeps them across crawls."""

    arguments = "train CORPUS_DIR | train SOURCE.txt TARGET.txt | merge STORE FILE …"
    options = (
        ("--langs", "L1,L2", "source and target language"),
        (
            "--out",
            "FILE",
            "train: TSV file to write (compressed if its name ends in .gz)",
        ),
        ("--store", "FILE", "train: store to add to (default: setting LEXICON_STORE)"),
        ("--site", "NAME", "train on text files: name of their part of the store"),
        ("--dictionary", "FILE", "train: a dictionary that helps (TSV, .dic)"),
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of both."""
        from ilspfc.lexicon.translation_model import MIN_SCORE

        super().add_options(parser)
        parser.add_argument(
            "--min-score",
            type=float,
            default=MIN_SCORE,
            metavar="X",
            help=f"least score of an entry (default: {MIN_SCORE})",
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Learn or merge."""
        if not 0 <= opts.min_score <= 1:
            raise ArgumentError(
                f"--min-score {opts.min_score:g}: give a number from 0 to 1"
            )
        match args:
            case ["train", _] | ["train", _, _]:
                self._train(opts, *map(Path, args[1:]))
            case ["merge", store, _, *_]:
                _merge(Path(store), [Path(arg) for arg in args[2:]], opts.langs)
            case _:
                raise UsageError("give train or merge, and what they need")

    def _train(
        self, opts: argparse.Namespace, source: Path, target: Path | None = None
    ) -> None:
        """Learn from the aligned segments of a corpus, or from two files, one segment a line.

        The store takes each site of a corpus apart.
        """
        from ilspfc.atomic import write_bytes
        from ilspfc.lexicon.lexicon_file import LexiconStore
        from ilspfc.lexicon.readers import write_tsv
        from ilspfc.line import lexicons
        from ilspfc.text.codes import to_bcp47

        store = Path(opts.store) if opts.store else lexicons.store_path(self.settings)
        if target is not None:
            langs = lexicons.parse_langs(opts.langs)
            texts, date = lexicons.read_texts(source, target, langs)
            sites = {opts.site or source.stem: (texts, date)}
        else:
            given = lexicons.parse_langs(opts.langs) if opts.langs else None
            with self.open_corpus(source) as corpus:
                texts, sites = lexicons.read_corpus(corpus, given)
        entries = _learn(texts, opts)
        tsv = write_tsv(entries, (to_bcp47(texts.langs[0]), to_bcp47(texts.langs[1])))
        if opts.out:
            write_bytes(Path(opts.out), b"".join(tsv))
        elif not store:
            print(b"".join(tsv).decode(), end="")
            return
        print(
            f"{len(texts)} segments, {texts.skipped} left out (identical or empty):"
            f" {len(entries)} entries{f' in {opts.out}' if opts.out else ''}"
        )
        if store:
            with LexiconStore(store) as kept:
                for site, (segments, date) in sites.items():
                    own = entries if segments is texts else _learn(segments, opts)
                    kept.put(texts.langs, site, own, date)
            print(f"{store}: {'-'.join(texts.langs)} of {', '.join(sites)}")


def _learn(segments: SegmentTexts, opts: argparse.Namespace) -> list[Entry]:
    from ilspfc.lexicon.readers import read_dictionary
    from ilspfc.line.lexicons import cut_dictionary

    prior: list[Entry] = []
    if opts.dictionary:
        path = Path(opts.dictionary)
        prior = cut_dictionary(path, read_dictionary(path), segments.langs)
    return segments.learn(prior=prior, min_score=opts.min_score)


def _merge(path: Path, others: list[Path], langs_value: str) -> None:
    """Add dictionaries to a store; each counts as a site."""
    from ilspfc.lexicon.lexicon_file import LexiconStore
    from ilspfc.lexicon.readers import read_dictionary
    from ilspfc.line.lexicons import cut_dictionary, find_langs, parse_langs

    given = parse_langs(langs_value) if langs_value else None
    if missing := [other for other in others if not other.is_file()]:
        raise ArgumentError(f"{missing[0]}: no such file; give dictionaries")
    with LexiconStore(path) as store:
        for other in others:
            dictionary = read_dictionary(other)
            langs = find_langs(other, given, dictionary)
            entries = cut_dictionary(other, dictionary, langs)
            store.put(langs, other.name, entries, "")
            print(
                f"{other}: {len(entries)} entries, {dictionary.bad_lines} bad lines left"
                " out"
            )
            for problem in dictionary.problems[:3]:
                print(f"  {problem}")
