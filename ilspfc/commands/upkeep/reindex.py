"""``scrapy reindex CORPUS_DIR``: index and frontier rebuilt from xml/ and warc/."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path

from scrapy.exceptions import UsageError
from scrapy.utils.conf import arglist_to_dict

from ilspfc.command import ProjectCommand, say


class Command(ProjectCommand):
    """Rebuilds index and frontier of a corpus, where they cannot be used."""

    arguments = "CORPUS_DIR"
    takes = 1, 1, "give one corpus folder"
    options = (
        (
            "-a",
            "NAME=VALUE",
            "an argument of the crawl (default: as manifest.json has it)",
            {"dest": "spargs", "action": "append", "default": []},
        ),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Rebuild the lost files, and print their contents."""
        try:
            given = arglist_to_dict(opts.spargs)
        except ValueError:
            raise UsageError("-a takes NAME=VALUE", print_help=False) from None
        # Scrapy imports all commands whenever one is run.
        from ilspfc.setting_table import check_settings
        from ilspfc.upkeep.reindex import recover

        check_settings(self.settings)
        print("\n".join(_describe(*recover(Path(args[0]), given, self.settings))))
        say(f"Now run: scrapy build {args[0]}")


def _describe(counts: Mapping[str, int], kept: Iterable[Path]) -> list[str]:
    urls = ", ".join(
        f"{counts[state]} {state}" for state in ("done", "failed", "queued")
    )
    lines = [f"Rebuilt: {counts.get('documents', 0)} documents; URLs: {urls}"]
    lines += [
        f"{counts[name]} {text}" for name, text in _TOLD.items() if counts.get(name)
    ]
    lines += [f"The old file is kept: {path}" for path in kept]
    return lines


_TOLD = {
    "without_page": "documents have no page in the WARC files: only the links in their"
    " files are known",
    "unreadable": "files in xml/, duplicates/ and off-topic/ cannot be read and are left out",
    "undecided": "pages were dropped for a reason that the files do not tell; the crawl"
    " fetches them again",
}
