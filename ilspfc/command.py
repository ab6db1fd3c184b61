"""Base classes of the commands: errors in one line, and a stage run over a corpus."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ilspfc.disk import describe_refusal
from ilspfc.exceptions import DiskError, IlspfcError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from ilspfc.stages import Corpus


class ProjectCommand(ScrapyCommand):
    """Command that shows an error as one line and exits with a non-zero status.

    Errors are exceptions of the project, and files and folders that the system refuses.
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
            self.exitcode = 1 if isinstance(error, DiskError) else 2
        except BrokenPipeError:
            # The reader of the output has closed it, as `| head` does. That is no error;
            # Python's flush at exit goes to the null device instead.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (OSError, sqlite3.Error) as error:
            if line := describe_refusal(_folder_of(args, error), error):
                print(f"ilspfc: {line}", file=sys.stderr)
                self.exitcode = 1
                return
            if not isinstance(error, OSError) or error.filename is None:
                raise
            print(
                f"ilspfc: {error.filename}: {error.strerror}; give a path that can be read"
                " and written",
                file=sys.stderr,
            )
            self.exitcode = 2

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do the work of the command; an IlspfcError is shown to the user."""
        raise NotImplementedError


def _folder_of(args: list[str], error: Exception) -> Path:
    """Return the folder that a command has worked in when the system refused something."""
    if isinstance(error, OSError) and isinstance(error.filename, str):
        return Path(error.filename).parent
    return next((Path(arg) for arg in args if Path(arg).is_dir()), Path())


class CorpusCommand(ProjectCommand):
    """Command that runs one stage over a corpus and renews the report."""

    stage: ClassVar[str]
    makes_corpus = False  # whether the corpus need not be there before

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
        from ilspfc.stages import open_corpus, run_report, run_stage  # noqa: PLC0415

        check_settings(self.settings)
        root = Path(args[0])
        with self.alone(root):
            self.fill(root, opts)
            with open_corpus(root, self.settings) as opened:
                corpus = self.prepare(opened)
                if self.stage != "report":
                    run_stage(self.stage, corpus)
                print(render_summary(run_report(corpus)))

    @contextmanager
    def alone(self, root: Path) -> Iterator[None]:
        """Hold the corpus' lock; exit with 130 where a signal interrupts the block."""
        from ilspfc.corpus.files import CorpusFiles  # noqa: PLC0415
        from ilspfc.corpus.lock import CorpusLock  # noqa: PLC0415
        from ilspfc.interrupts import INTERRUPTED, Interrupts, tell  # noqa: PLC0415

        def stop(*_: object) -> None:
            tell(f"ilspfc: stopping {self.stage}; interrupt again to leave at once")
            raise KeyboardInterrupt

        if not self.makes_corpus:
            CorpusFiles(root).require()
        with CorpusLock(root) as lock, Interrupts(stop, lock.release):
            try:
                yield
            except KeyboardInterrupt:
                tell(
                    f"ilspfc: {root}: interrupted; the documents are safe, what {self.stage}"
                    " and later stages make may be of an earlier run or not whole: give the"
                    " same command again"
                )
                self.exitcode = INTERRUPTED

    def fill(self, root: Path, opts: argparse.Namespace) -> None:
        """Make the corpus of other files, where the command's options ask for it."""

    def prepare(self, corpus: Corpus) -> Corpus:
        """Return the corpus, changed by the options of the command."""
        return corpus
