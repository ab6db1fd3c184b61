"""``scrapy compare CORPUS_DIR CORPUS_DIR``: two corpora side by side."""

from __future__ import annotations

import argparse

from ilspfc.command import ProjectCommand

# Characters of a value of a setting.
_SHOWN_CHARS = 60


class Command(ProjectCommand):
    """Prints what a second crawl or build of a subject has gained and lost."""

    arguments = "CORPUS_DIR CORPUS_DIR"
    takes = 2, 2, "give two corpus folders, the earlier first"
    options = (
        (
            "--list",
            "",
            "also print documents, pairs, units and terms that only one has",
        ),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print a table, the verdicts on both and the settings that differ."""
        from ilspfc.add_ons import load
        from ilspfc.line.compare import (
            CorpusContents,
            compare,
            compare_settings,
            name_things,
        )
        from ilspfc.line.report import judged_tables
        from ilspfc.report.numbers import align_numbers, clip

        with self.open_corpus(args[0]) as one, self.open_corpus(args[1]) as other:
            first, second = CorpusContents.of(one), CorpusContents.of(other)
            tables = [judged_tables(one), judged_tables(other)]
            precision: list[tuple[str, ...]] = []
            if any(tables):  # the add-on is there
                rows_of = load("judging.samples.compare_precision", "compare")
                precision = list(rows_of((one, other)))
            differences = list(compare(first, second))
            listed = [
                "\t".join((f"{sign} {row.name}", *names))
                for row in (differences if opts.list else ())
                for sign, corpus, keys in (
                    ("+", other, row.gained),
                    ("-", one, row.lost),
                )
                for names in name_things(corpus, row, keys)
            ]
        rows: list[tuple[str, ...]] = [("", args[0], args[1], "gained", "lost")]
        for row in differences:
            has_things = bool(row.gained or row.lost) or row.name in first.things
            changes = (row.gained, row.lost) if has_things else ()
            numbers = (row.first, row.second, *map(len, changes))
            rows.append((row.name, *map("{:,}".format, numbers)))
        print(*align_numbers([(*row, "", "")[:5] for row in rows]), sep="\n")
        for name, *shares in precision:
            print(f"{name}: {' -> '.join(shares)}")
        for folder, found in zip(args, tables, strict=True):
            for table in found:
                lines = ", ".join(map(" ".join, table.rows[1:]))
                print(f"{folder}: {table.title}: {lines}")
        for name, *values in compare_settings(first, second):
            print(
                f"{name}: {' -> '.join(clip(v, _SHOWN_CHARS) or '-' for v in values)}"
            )
        for line in listed:
            print(line)
