"""``scrapy pair CORPUS_DIR``: pairs of documents, and the evidence for them."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.command import CorpusCommand, say, warn
from ilspfc.documents import PairState
from ilspfc.exceptions import ArgumentError, CorpusError

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus
    from ilspfc.corpus.records import PairEntry
    from ilspfc.lexicon.readers import Dictionary

# Methods that no dictionary helps.
_WITHOUT_WORDS = frozenset({"ilsp-fc", "urls", "declared"})
# Unusable files that are named.
_MAX_NAMED = 5
# Errors against a gold list that are named.
_MAX_ERRORS = 20
# Documents that are named as places of several errors.
_MAX_PLACES = 10


class Command(CorpusCommand):
    """Runs the pairing stage over a corpus, or explains a document's candidates."""

    stage = "pairing"
    options = (
        ("--method", "NAME", "as PAIRING_METHOD"),
        ("--langs", "CODES", "pair these languages: de,it,en (default: the crawl's)"),
        (
            "--dictionary",
            "FILE",
            "a bilingual dictionary (TSV, .dic), beside what the corpus teaches",
        ),
        ("--explain", "URL", "write nothing; show the candidates of a document"),
        (
            "--gold",
            "FILE",
            "score the pairs by a list of right ones, two documents a line",
        ),
        (
            "--import",
            "FOLDER",
            "make the corpus of a folder of cesDoc files first, or of a cesCorpus file",
            {"dest": "folder"},
        ),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Pair, or explain."""
        if opts.method:
            self.settings.set("PAIRING_METHOD", opts.method, priority="cmdline")
        from ilspfc.crawl.arguments import parse_langs
        from ilspfc.pairing.gold import read_gold

        self._gold = read_gold(Path(opts.gold)) if opts.gold else {}
        self._langs = parse_langs("--langs", opts.langs) if opts.langs else ()
        if len(self._langs) == 1:
            raise ArgumentError(
                f"--langs={opts.langs}: give at least two languages, as de,it"
            )
        self._dictionary = Path(opts.dictionary) if opts.dictionary else None
        self._words = _read_words(self._dictionary, self.settings["PAIRING_METHOD"])
        if opts.explain and opts.method not in {"", "combined"}:
            raise ArgumentError(
                f"--method {opts.method}: --explain shows what combined makes of a page,"
                " no other method tells; leave --method out"
            )
        self.makes_corpus = bool(opts.folder)
        if not opts.explain:
            super().work(args, opts)
            return
        from ilspfc.line.explain import explain
        from ilspfc.setting_table import check_settings

        root = Path(args[0])
        if opts.folder:
            check_settings(self.settings)
            with self.alone(root):
                self.fill(root, opts)
        with self.open_corpus(root) as corpus:
            print("\n".join(explain(self.prepare(corpus), opts.explain)))

    def fill(self, root: Path, opts: argparse.Namespace) -> None:
        """Make the corpus of a folder of cesDoc files, if one is given."""
        if opts.folder:
            self._import(Path(opts.folder), root)

    def prepare(self, corpus: Corpus) -> Corpus:
        """Return the corpus for the languages that were asked for."""
        there = {entry.lang for entry in corpus.index.documents()}
        langs = self._choose_langs(corpus.files.root, corpus.langs, there)
        chosen = replace(corpus, run={**corpus.run, "langs": langs})
        if self._dictionary is None or self._words is None:
            return chosen
        from ilspfc.line.lexicons import cut_for_corpus

        pairs = chosen.language_pairs
        entries = cut_for_corpus(self._dictionary, self._words, pairs)
        return replace(chosen, dictionaries=entries)

    def conclude(self, corpus: Corpus, opts: argparse.Namespace) -> None:
        """Print the command that goes on after an import, and the score by a gold list."""
        if opts.folder:
            following = f"scrapy build {corpus.files.root}"
            say(f"Next       {following} aligns and exports the pairs")
        if not self._gold:
            return
        from ilspfc.pairing.gold import find_errors, score_pairs
        from ilspfc.report.numbers import largest_first

        candidates = {
            frozenset((entry.pair.source, entry.pair.target)): entry
            for langs in corpus.language_pairs
            for entry in corpus.bitext.candidates(*langs)
        }
        found = {
            pair: entry
            for pair, entry in candidates.items()
            if entry.state is PairState.PAIR
        }
        score = score_pairs(found, self._gold)
        print(
            f"Gold       {score.right} right, {score.wrong} wrong, {score.missed} missed,"
            f" {score.unjudged} not in the list: precision {score.precision:.3f},"
            f" recall {score.recall:.3f}, F1 {score.f1:.3f}"
        )
        wrong, missed = find_errors(found, self._gold)
        for pair in wrong[:_MAX_ERRORS]:
            print(f"Wrong      {_describe(found[pair])}")
        for pair in missed[:_MAX_ERRORS]:
            entry = candidates.get(pair)
            said = _describe(entry) if entry else f"not compared  {self._gold[pair]}"
            print(f"Missed     {said}")
        if hidden := sum(max(len(of) - _MAX_ERRORS, 0) for of in (wrong, missed)):
            print(f"           {hidden} further errors")
        places = Counter(chain.from_iterable((*wrong, *missed)))
        # Often a single document has most of them (000, 5.3).
        total = len(wrong) + len(missed)
        for identity, number in largest_first(places.items())[:_MAX_PLACES]:
            if number > 1:
                known = corpus.index.document(identity)
                name = known.url if known else identity
                print(f"Document   {number} of {total} errors  {name}")
        judged = {*wrong, *(found.keys() & self._gold.keys())}
        errors = Counter(found[pair].pair.evidence for pair in wrong)
        kinds = Counter(found[pair].pair.evidence for pair in judged)
        for kind, number in sorted(kinds.items()):
            print(f"By {kind + ',':<12}{errors[kind]} of {number} wrong")

    def _choose_langs(
        self, place: Path, langs: Collection[str], there: Collection[str]
    ) -> tuple[str, ...]:
        """Return the languages to pair, of those of a corpus and of its documents.

        They are in the corpus's order: what goes on after pairing knows no other.
        """
        known = [*langs, *sorted({*there} - {*langs})]
        if strange := [lang for lang in self._langs if lang not in known]:
            raise ArgumentError(
                f"--langs {_codes(self._langs)}: no documents in {_codes(strange)};"
                f" {place} has {_codes(sorted(there)) or 'none'}"
            )
        chosen = tuple(lang for lang in known if lang in (self._langs or langs))
        if len(chosen) < 2:
            raise CorpusError(
                f"{place}: one language only ({_codes(chosen) or 'none'});"
                " pairing needs documents in two"
            )
        return chosen

    def _import(self, folder: Path, root: Path) -> None:
        """Make a corpus of a folder; name the files that cannot be used."""
        from ilspfc.upkeep.imports import make_corpus, scan_folder

        found = scan_folder(folder, root)
        self._choose_langs(folder, found.langs, found.langs)
        make_corpus(found, root, self._langs)
        for _, said in found.dropped[:_MAX_NAMED]:
            warn(f"passed over: {said}")
        if (more := len(found.dropped) - _MAX_NAMED) > 0:
            warn(f"passed over: {more} more files")


def _read_words(path: Path | None, method: str) -> Dictionary | None:
    """Return the entries of a dictionary, if there is one; tell of lines left out."""
    if path is None:
        return None
    if method in _WITHOUT_WORDS:
        raise ArgumentError(
            f"--dictionary {path}: {method} compares no words; leave it out, or give"
            " --method combined, ets or pwcc"
        )
    from ilspfc.lexicon.readers import read_dictionary
    from ilspfc.report.numbers import count_noun

    words = read_dictionary(path)
    if words.bad_lines:
        warn(
            f"{path}: {count_noun(words.bad_lines, 'line')} left out; {words.problems[0]}"
        )
    return words


def _codes(langs: tuple[str, ...] | list[str]) -> str:
    from ilspfc.text.codes import to_bcp47

    return ", ".join(map(to_bcp47, langs))


def _describe(entry: PairEntry) -> str:
    """Return probability, state and kinds of evidence of a candidate, and its addresses."""
    pair = entry.pair
    addresses = f"{entry.source.url}  {entry.target.url}"
    return f"{pair.probability:.3f} {entry.state} {pair.evidence}  {addresses}"
