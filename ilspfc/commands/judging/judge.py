"""``scrapy judge CORPUS_DIR [SHEET …]``: verdicts of people on samples."""

from __future__ import annotations

import argparse
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.command import ProjectCommand, say
from ilspfc.exceptions import ArgumentError

if TYPE_CHECKING:
    from ilspfc.judging.store import JudgingStore


class Command(ProjectCommand):
    """Reads sheets with verdicts and prints the tables of all verdicts."""

    arguments = "CORPUS_DIR [SHEET …]"
    takes = 1, inf, "give a corpus folder, and sheets with verdicts"
    options = (
        ("--judge", "NAME", "who judged (default: the name of the sheet)"),
        ("--gold", "FILE", "write the pairs judged parallel, for `scrapy pair --gold`"),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Keep the verdicts, write the tables and print them."""
        # Scrapy imports all commands whenever one is run.
        from ilspfc.corpus.files import CorpusFiles
        from ilspfc.judging.store import JudgingStore
        from ilspfc.judging.verdict_tables import format_tables

        files = CorpusFiles(Path(args[0])).require()
        if not files.judging.is_file():
            raise ArgumentError(
                f"{files.root}: no sample was drawn; `scrapy sample {files.root}` draws one"
            )
        with JudgingStore(files.judging) as store:
            for sheet in map(Path, args[1:]):
                _read(store, sheet, opts.judge or sheet.stem)
            text = format_tables(store)
            if opts.gold:
                _write_gold(store, Path(opts.gold))
        if not text:
            say(
                f"{files.root}: no verdicts yet; fill in a sheet that `scrapy sample` wrote,"
                f" and give it to `scrapy judge {files.root} SHEET`"
            )
            return
        out = files.root / "judging" / "tables.txt"
        out.parent.mkdir(exist_ok=True)
        out.write_text(text, encoding="utf-8")
        print(text, end="")


def _read(store: JudgingStore, sheet: Path, judge: str) -> None:
    """Keep the verdicts of a sheet; ArgumentError for items of another sample."""
    from ilspfc.judging.questions import QUESTIONS
    from ilspfc.judging.sheets import read_sheet

    what, verdicts = read_sheet(sheet)
    known = {item.name for item in store.items(what)}
    unknown = [item for item, _, verdict in verdicts if verdict and item not in known]
    if unknown:
        raise ArgumentError(
            f"{sheet}: {unknown[0]} is not in the sample of {what}; give the sheet of the"
            " last `scrapy sample`"
        )
    store.add_verdicts(what, judge, verdicts)
    if number := sum(bool(verdict) for *_, verdict in verdicts):
        print(f"{sheet}: {number} verdicts of {judge}")
        return
    cause = "its verdicts are empty" if verdicts else "it has no items"
    choices = "; ".join(f"{q.name}: {', '.join(q.verdicts)}" for q in QUESTIONS[what])
    print(f"{sheet}: {cause}; fill in its columns ({choices})")


def _write_gold(store: JudgingStore, path: Path) -> None:
    """Write the addresses of the pairs that are parallel by most judges."""
    from ilspfc.atomic import write_lines
    from ilspfc.judging.questions import PARALLEL
    from ilspfc.judging.verdict_tables import decide

    found = decide(store.verdicts("pairs", PARALLEL.name).values(), PARALLEL)
    lines = [
        f"{item.texts['url1']}\t{item.texts['url2']}"
        for item in store.items("pairs")
        if found.get(item.name) == "parallel"
    ]
    write_lines(path, lines)
    print(f"{path}: {len(lines)} pairs")
