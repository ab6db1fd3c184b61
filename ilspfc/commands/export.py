"""``scrapy export CORPUS_DIR``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.command import CorpusCommand
from ilspfc.commands.export_arguments import add_arguments, apply_arguments

if TYPE_CHECKING:
    import argparse


class Command(CorpusCommand):
    """Runs the exports stage over a corpus."""

    stage = "exports"

    def short_desc(self) -> str:
        """Return what the command does."""
        return "Write TMX, Moses, TSV, JSONL, text and cesAlign files of a corpus"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options, each of which is a setting too."""
        super().add_options(parser)
        add_arguments(parser)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check what was asked for, and write it."""
        assert self.settings is not None  # noqa: S101
        apply_arguments(self.settings, opts)
        super().work(args, opts)
