"""``scrapy compare CORPUS_DIR CORPUS_DIR``: two corpora side by side."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ilspfc.command import ProjectCommand

if TYPE_CHECKING:
    from ilspfc.line.compare import CorpusContents

# Characters of a value of a setting.
_SHOWN_CHARS = 60


class Command(ProjectCommand):
    """Prints what a second crawl or build of a subject has gained and lost."""

    arguments = "CORPUS_DIR CORPUS_DIR"
    takes = 2, 2, "give two corpus folders, the earlier first"
    options = (
        ("--list", "", "also print the documents and pairs that only one of them has"),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print a table, the verdicts on both and the settings that differ."""
        from ilspfc.line.compare import compare, compare_settings
        from ilspfc.report.numbers import align_numbers, clip

        first, second = map(self._read, args)
        rows: list[tuple[str, ...]] = [("", args[0], args[1], "gained", "lost")]
        differences = list(compare(first[0], second[0]))
        for one in differences:
            has_things = bool(one.gained or one.lost) or one.name in first[0].things
            changes = (one.gained, one.lost) if has_things else ()
            numbers = (one.first, one.second, *map(len, changes))
            rows.append((one.name, *map("{:,}".format, numbers)))
        print(*align_numbers([(*row, "", "")[:5] for row in rows]), sep="\n")
        for folder, (_, tables) in zip(args, (first, second), strict=True):
            for line in tables:
                print(f"{folder}: {line}")
        for name, *values in compare_settings(first[0], second[0]):
            print(
                f"{name}: {' -> '.join(clip(v, _SHOWN_CHARS) or '-' for v in values)}"
            )
        for one in differences if opts.list else ():
            for sign, keys in (("+", one.gained), ("-", one.lost)):
                for key in keys:
                    print(f"{sign} {one.name}\t" + "\t".join(key))

    def _read(self, folder: str) -> tuple[CorpusContents, list[str]]:
        """Return the contents of a corpus, and the lines of the verdicts on it."""
        from ilspfc.line.compare import CorpusContents
        from ilspfc.line.report import judged_tables

        with self.open_corpus(folder) as corpus:
            tables = [
                f"{table.title}: {', '.join(map(' '.join, table.rows[1:]))}"
                for table in judged_tables(corpus)
            ]
            return CorpusContents.of(corpus), tables
