"""``scrapy corpus FOLDER --langs de,en``: a corpus of local files, without any network."""

from __future__ import annotations

import argparse

from scrapy.exceptions import UsageError

from ilspfc.commands.crawl import Command as CrawlCommand


class Command(CrawlCommand):
    """Runs a crawl over the files of a folder (``-offline`` of ILSP-FC's manual).

    The spider is monolingual for one language, bilingual for more; ``-a`` and ``-s`` are
    those of ``scrapy crawl``.
    """

    arguments = "FOLDER"
    options = (
        ("--langs", "CODES", "languages wanted, as de,en"),
        ("--out", "FOLDER", "the corpus, as CORPUS_DIR"),
    )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the spider over the files, then show the summary."""
        if len(args) != 1:
            raise UsageError("give one folder of HTML, text, PDF or Word files")
        if not opts.langs:
            raise UsageError("give the languages of the corpus: --langs de,en")
        if opts.out:
            self.settings.set("CORPUS_DIR", opts.out, priority="cmdline")
        from ilspfc.crawl.arguments import choose_spider

        langs = [code for code in opts.langs.split(",") if code.strip()]
        spider, name = choose_spider(langs)
        opts.spargs = {**opts.spargs, "folder": args[0], name: opts.langs}
        super().run([spider], opts)
