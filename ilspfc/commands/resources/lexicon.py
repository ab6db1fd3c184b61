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
            case ["train", corpus]:
                self._train_corpus(Path(corpus), opts)
            case ["train", source, target]:
                self._train_texts(Path(source), Path(target), opts)
            case ["merge", store, _, *_]:
                _merge(Path(store), [Path(arg) for arg in args[2:]], opts.langs)
            case _:
                raise UsageError("give train or merge, and what they need")

    def _train_corpus(self, root: Path, opts: argparse.Namespace) -> None:
        """Learn from the aligned segments of a corpus; the store takes each site apart."""
        from ilspfc.corpus.corpus import open_corpus
        from ilspfc.lexicon.lexicon_file import LexiconStore
        from ilspfc.line.lexicons import parse_langs, read_corpus

        langs = parse_langs(opts.langs) if opts.langs else None
        store = self._store(opts)
        with open_corpus(root, self.settings) as corpus:
            texts, sites = read_corpus(corpus, langs)
        self._write(texts, opts)
        if store:
            with LexiconStore(store) as kept:
                for site, (segments, date) in sites.items():
                    kept.put(texts.langs, site, _learn(segments, opts), date)
            print(f"{store}: {'-'.join(texts.langs)} of {', '.join(sites)}")

    def _train_texts(
        self, source: Path, target: Path, opts: argparse.Namespace
    ) -> None:
        """Learn from two files, one segment a line."""
        from ilspfc.lexicon.lexicon_file import LexiconStore
        from ilspfc.line.lexicons import parse_langs, read_texts

        langs = parse_langs(opts.langs)
        segments, date = read_texts(source, target, langs)
        entries = self._write(segments, opts)
        if store := self._store(opts):
            site = opts.site or source.stem
            with LexiconStore(store) as kept:
                kept.put(langs, site, entries, date)
            print(f"{store}: {'-'.join(langs)} of {site}")

    def _store(self, opts: argparse.Namespace) -> Path | None:
        from ilspfc.line.lexicons import store_path

        return Path(opts.store) if opts.store else store_path(self.settings)

    def _write(self, segments: SegmentTexts, opts: argparse.Namespace) -> list[Entry]:
        """Learn and write the entries, to standard output unless a file or store is given."""
        from ilspfc.atomic import open_atomic
        from ilspfc.lexicon.readers import write_tsv
        from ilspfc.text.codes import to_bcp47

        entries = _learn(segments, opts)
        codes = to_bcp47(segments.langs[0]), to_bcp47(segments.langs[1])
        if opts.out:
            with open_atomic(Path(opts.out)) as file:
                file.writelines(write_tsv(entries, codes))
        elif not self._store(opts):
            print(b"".join(write_tsv(entries, codes)).decode(), end="")
            return entries
        print(
            f"{len(segments)} segments, {segments.skipped} left out (identical or empty):"
            f" {len(entries)} entries{f' in {opts.out}' if opts.out else ''}"
        )
        return entries


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
