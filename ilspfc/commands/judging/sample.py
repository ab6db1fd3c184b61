"""``scrapy sample CORPUS_DIR --what pairs``: a sample for people to judge."""

from __future__ import annotations

import argparse
from pathlib import Path

from ilspfc.command import ProjectCommand, say
from ilspfc.exceptions import ArgumentError
from ilspfc.judging.questions import QUESTIONS
from ilspfc.judging.sampling import CONFIDENCE, MARGIN


class Command(ProjectCommand):
    """Draws a sample of a corpus and writes it as a sheet."""

    arguments = "CORPUS_DIR"
    takes = 1, 1, "give one corpus folder"
    options = (
        (
            "--out",
            "FILE",
            "sheet to write, .tsv or .xlsx (default: judging/WHAT.tsv in the corpus)",
        ),
        (
            "--what",
            "WHAT",
            "what is judged",
            {"choices": [*QUESTIONS], "default": "pairs", "metavar": None},
        ),
        (
            "--confidence",
            "X",
            f"confidence of the intervals (default {CONFIDENCE:g})",
            CONFIDENCE,
        ),
        (
            "--margin",
            "X",
            f"half the width of the intervals, at most (default {MARGIN:g})",
            MARGIN,
        ),
        ("--size", "N", "items, in place of confidence and margin", 0),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Draw the sample, keep it in the corpus and write the sheet."""
        for name in ("confidence", "margin"):
            if not 0 < (value := getattr(opts, name)) < 1:
                raise ArgumentError(
                    f"--{name} {value:g}: give a number between 0 and 1"
                )
        if opts.size < 0:
            raise ArgumentError(f"--size {opts.size}: give a whole number from 1")
        # Scrapy imports all commands whenever one is run.
        from ilspfc.judging.samples import Size, draw_items
        from ilspfc.judging.sheets import write_sheet
        from ilspfc.judging.store import JudgingStore

        root = Path(args[0])
        with self.open_corpus(root) as corpus:
            size = Size(opts.confidence, opts.margin, opts.size)
            items = draw_items(corpus, opts.what, size)
            judging = corpus.files.judging
        if not items:
            raise ArgumentError(f"{root}: there are no {opts.what} to judge")
        path = Path(opts.out or root / "judging" / f"{opts.what}.tsv")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_sheet(path, opts.what, items)
        with JudgingStore(judging) as store:
            store.set_items(opts.what, items)
        print(f"{path}: {len(items)} {opts.what}")
        for question in QUESTIONS[opts.what]:
            verdicts = ", ".join(
                f"{v} ({text})" for v, text in question.verdicts.items()
            )
            print(f"  {question.name}: {verdicts}")
        say(
            f"Fill in the columns and run `scrapy judge {root} {path} --judge YOUR_NAME`"
        )
