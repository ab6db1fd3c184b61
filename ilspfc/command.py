"""What the commands over a corpus share."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ilspfc.exceptions import IlspfcError

if TYPE_CHECKING:
    import argparse

    from ilspfc.stages import Corpus


class ProjectCommand(ScrapyCommand):
    """A command whose errors are one line and a non-zero exit status.

    Errors are those of the project, and files and folders that the system refuses.
    """

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar = {"LOG_ENABLED": False}

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the command."""
        from ilspfc.setting_values import check_values  # noqa: PLC0415

        assert self.settings is not None  # noqa: S101
        try:
            check_values(self.settings)
            self.work(args, opts)
        except IlspfcError as error:
            print(f"ilspfc: {error}", file=sys.stderr)
            self.exitcode = 2
        except BrokenPipeError:
            # Whoever reads the output has enough, as `| head` does; nothing is wrong, and
            # what Python would flush at its end has nowhere to go.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except OSError as error:
            if error.filename is None:
                raise
            print(
                f"ilspfc: {error.filename}: {error.strerror}; give a path that can be read"
                " and written",
                file=sys.stderr,
            )
            self.exitcode = 2

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do what the command is for; an IlspfcError is shown to the user."""
        raise NotImplementedError


class CorpusCommand(ProjectCommand):
    """Runs one stage over a corpus and renews the report."""

    stage: ClassVar[str]

    def syntax(self) -> str:
        """Return the arguments that the command takes."""
        return "[options] CORPUS_DIR"

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the stage and renew the report."""
        if unknown := [arg for arg in args if arg.startswith("-")]:
            raise UsageError(f"{unknown[0]}: no such option")
        if len(args) != 1:
            raise UsageError("give one corpus folder")
        assert self.settings is not None  # noqa: S101
        # Scrapy imports all commands whenever one is run.
        from ilspfc.preflight import check_settings  # noqa: PLC0415
        from ilspfc.report import render_summary  # noqa: PLC0415
        from ilspfc.stages import CORPUS_STAGES, open_corpus  # noqa: PLC0415
        from ilspfc.stages.report import collect_report  # noqa: PLC0415

        check_settings(self.settings)
        with open_corpus(Path(args[0]), self.settings) as opened:
            corpus = self.prepare(opened)
            CORPUS_STAGES[self.stage](corpus)
            if self.stage != "report":
                CORPUS_STAGES["report"](corpus)
            print(render_summary(collect_report(corpus)))

    def prepare(self, corpus: Corpus) -> Corpus:
        """Return the corpus as the command's options want it."""
        return corpus
