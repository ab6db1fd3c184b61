"""``scrapy evaluate_mt CORPUS_DIR``: what a corpus, and its lowest quarter, does to translation."""

from __future__ import annotations

import argparse

from ilspfc.command import ProjectCommand
from ilspfc.exceptions import ArgumentError


class Command(ProjectCommand):
    """Trains a small translation model on the units, and without some, as a check of them."""

    arguments = "CORPUS_DIR"
    takes = 1, 1, "give one corpus folder"
    options = (
        ("--langs", "CODES", "two languages of the corpus (default: its first two)"),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print a table of BLEU and chrF, both ways."""
        from ilspfc.line.lexicons import parse_langs
        from ilspfc.papers.translation_check import check_translation
        from ilspfc.report.numbers import align_numbers
        from ilspfc.text.codes import to_bcp47

        with self.open_corpus(args[0]) as corpus:
            given = {*(parse_langs(opts.langs) if opts.langs else corpus.langs[:2])}
            langs = next((p for p in corpus.language_pairs if {*p} == given), None)
            if langs is None:
                raise ArgumentError(
                    f"{args[0]}: has {','.join(map(to_bcp47, corpus.langs))}; give --langs"
                    " with two of its languages"
                )
            one, other = map(to_bcp47, langs)
            ways = (f"{one}-{other}", f"{other}-{one}")
            head = [f"{measure} {way}" for way in ways for measure in ("BLEU", "chrF")]
            rows = [("learned from", "units", "held out", *head)]
            for name, units, held, figures in check_translation(corpus, langs):
                cells = (f"{figure:.1f}" for figure in figures)
                rows.append((name, str(units), str(held), *cells))
        print(*align_numbers(rows), sep="\n")
