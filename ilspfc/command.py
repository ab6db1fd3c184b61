"""Base classes of the commands: errors in one line, options, a stage run over a corpus."""

from __future__ import annotations

import argparse
import os
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from ilspfc.command_summaries import SUMMARIES, name_commands
from ilspfc.disk import describe_refusal
from ilspfc.exceptions import ArgumentError, DiskError, IlspfcError, name_known
from ilspfc.interrupts import INTERRUPTED, Interrupts, tell
from ilspfc.setting_table import check_settings, check_values, read_meanings, read_table

if TYPE_CHECKING:
    from scrapy.crawler import CrawlerProcessBase
    from scrapy.settings import BaseSettings, Settings

    from ilspfc.corpus.corpus import Corpus
    from ilspfc.tasks import RunTasks


Option = tuple[str, str, str] | tuple[str, str, str, object]


class InheritedCommand(ScrapyCommand):
    """Base of Scrapy's commands as they are changed here, and of the project's own."""

    # One line; the project's own stand in ``command_summaries``.
    summary: ClassVar[str] = ""
    arguments: ClassVar[str] = ""  # those of Scrapy's command where empty
    # Name, placeholder of the value, help. A fourth part is the default, whose type the value
    # has, ``list`` for an option that may be given again, or has further arguments of argparse's.
    # Without one the value is a string, or the option, if it has no placeholder, a switch.
    options: ClassVar[Iterable[Option]] = ()
    # Further options, each with the setting that it stands for.
    setting_options: ClassVar[Mapping[str, str]] = {}
    # Scrapy sets both before anything runs.
    settings: Settings
    crawler_process: CrawlerProcessBase

    def syntax(self) -> str:
        """Return the arguments that the command takes."""
        return f"[options] {self.arguments}" if self.arguments else super().syntax()

    def short_desc(self) -> str:
        """Return a one-line description of the command."""
        name = type(self).__module__.rpartition(".")[2]
        return name_commands(self.summary or SUMMARIES.get(name, ""))

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of Scrapy and of the command; usage begins with the program that runs."""
        super().add_options(parser)
        for name, metavar, text, *others in self.options:
            form: dict[str, Any] = {"action": "store_true"}
            if metavar:
                form = {"default": "", "metavar": metavar}
            for other in others:
                if isinstance(other, dict):
                    form |= other
                elif other is list:
                    form |= {"default": [], "action": "append"}
                else:
                    form |= {"default": other, "type": type(other)}
            parser.add_argument(name, help=keep_colons(text), **form)
        add_setting_options(parser, self.setting_options)
        if parser.usage and Path(sys.argv[0]).name == "ilspfc":
            parser.usage = f"ilspfc{parser.usage.removeprefix('scrapy')}"

    def fail(self, error: object, exit_code: int) -> None:
        """Show an error as one line; the program exits with a status."""
        warn(error)
        self.exitcode = exit_code

    def check_plain_spider(self, name: str, remedy: str) -> None:
        """Raise ArgumentError for a name that no spider has, or one that fills a corpus."""
        from ilspfc.spiders.corpus_spider import CorpusSpider  # noqa: PLC0415

        loader = self.crawler_process.spider_loader
        if name not in loader.list():
            known = name_known(name, sorted(loader.list()))
            raise ArgumentError(f"{name}: no such spider; {known}")
        if issubclass(loader.load(name), CorpusSpider):
            raise ArgumentError(
                f"{name}: this spider fills a corpus, and takes no single page; {remedy}"
            )


class ProjectCommand(InheritedCommand):
    """Command that shows an error as one line and exits with a non-zero status.

    Errors are exceptions of the project, and files and folders that the system refuses.
    """

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar = {"LOG_ENABLED": False}
    # Least and largest number of arguments, and the words for a user who gives others.
    takes: ClassVar[tuple[int, float, str]] = (0, inf, "")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the command."""
        if unknown := [arg for arg in args if arg.startswith("-") and arg != "-"]:
            raise UsageError(f"{unknown[0]}: no such option; a file is ./{unknown[0]}")
        least, most, wanted = self.takes
        if not least <= len(args) <= most:
            raise UsageError(wanted)
        try:
            check_values(self.settings)
            self.work(args, opts)
        except IlspfcError as error:
            self.fail(error, 1 if isinstance(error, DiskError) else 2)
        except BrokenPipeError:
            # The reader of the output has closed it, as `| head` does. That is no error;
            # Python's flush at exit goes to the null device instead.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except (OSError, sqlite3.Error) as error:
            if line := describe_refusal(_folder_of(args, error), error):
                self.fail(line, 1)
                return
            if not isinstance(error, OSError) or error.filename is None:
                raise
            said = f"{error.filename}: {error.strerror}"
            self.fail(f"{said}; give a path that can be read and written", 2)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Do the work of the command; an IlspfcError is shown to the user."""
        raise NotImplementedError

    def open_corpus(self, folder: str | Path) -> AbstractContextManager[Corpus]:
        """Open a corpus with the settings of the command; CorpusError where there is none."""
        # Scrapy imports all commands whenever one is run.
        from ilspfc.corpus.corpus import open_corpus  # noqa: PLC0415

        return open_corpus(Path(folder), self.settings)


def summary_columns() -> int:
    """Return the columns of a summary: those of a terminal, 0 in a file or a pipe."""
    from ilspfc.report.summary import COLUMNS  # noqa: PLC0415

    return COLUMNS if sys.stdout.isatty() else 0


def warn(message: object) -> None:
    """Print one line for the user to standard error."""
    print(f"ilspfc: {name_commands(str(message))}", file=sys.stderr)


def say(text: str) -> None:
    """Print text that advises commands."""
    print(name_commands(text))


def keep_colons(text: str) -> str:
    """Return a help text without line breaks behind colons: Scrapy makes headings there."""
    return name_commands(text).replace(": ", ":\N{NO-BREAK SPACE}")


def add_setting_options(
    parser: argparse.ArgumentParser, options: Mapping[str, str]
) -> None:
    """Add options, each of which stands for a setting; a switch turns its default over."""
    for name, setting_name in options.items():
        setting = read_table()[setting_name]
        text = read_meanings()[setting_name][0].replace("%", "%%")
        if choices := setting.list_choices():
            text += f" Values: {choices}."
        text = keep_colons(text)
        form: dict[str, Any] = {"dest": setting_name}
        if setting.kind is bool:
            value = str(not setting.default)
            form |= {"action": "store_const", "const": value}
            text += f" [{setting_name}={value}]"
        else:
            form["metavar"] = (
                "N" if setting.kind is int else "NAME" if choices else "TEXT"
            )
            text += f" [{setting_name}]"
        parser.add_argument(name, help=text, **form)


def apply_setting_options(settings: BaseSettings, opts: argparse.Namespace) -> None:
    """Set the settings whose options were given; SettingError if one cannot be used."""
    given = {n: v for n, v in vars(opts).items() if n in read_table() and v is not None}
    if given.get("EXPORTS_FILTERS", "").endswith(".toml"):
        from ilspfc.crawl.job_file import read_recipe  # noqa: PLC0415

        given = read_recipe(Path(given.pop("EXPORTS_FILTERS"))) | given
    settings.setdict(given, priority="cmdline")
    check_settings(settings)


def _folder_of(args: list[str], error: Exception) -> Path:
    """Return the folder in which the system refused something to a command."""
    if isinstance(error, OSError) and isinstance(error.filename, str):
        return Path(error.filename).parent
    return next((Path(arg) for arg in args if Path(arg).is_dir()), Path())


class CorpusCommand(ProjectCommand):
    """Command that runs one stage over a corpus and renews the report."""

    stage: ClassVar[str]
    arguments = "CORPUS_DIR"
    takes = 1, 1, "give one corpus folder"
    makes_corpus: bool = False  # whether the corpus need not exist before

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the stage and renew the report."""
        from ilspfc.corpus.files import CorpusFiles  # noqa: PLC0415
        from ilspfc.crawl.job_file import apply_recipe  # noqa: PLC0415
        from ilspfc.line.report import run_report  # noqa: PLC0415
        from ilspfc.report.summary import render_summary  # noqa: PLC0415

        root = Path(args[0])
        apply_recipe(self.settings, CorpusFiles(root))
        check_settings(self.settings)
        with self.alone(root):
            self.fill(root, opts)
            with self.open_corpus(root) as opened, self.open_tasks() as run:
                corpus = self.prepare(replace(opened, run_tasks=run))
                self.make(corpus)
                summary = render_summary(run_report(corpus), columns=summary_columns())
                say(summary)
                self.conclude(corpus, opts)

    def open_tasks(self) -> AbstractContextManager[RunTasks]:
        """Return the runner of the tasks of the stages."""
        from ilspfc.workers import LocalTasks  # noqa: PLC0415

        return LocalTasks(self.settings.getint("WORKERS"))

    @contextmanager
    def alone(self, root: Path) -> Iterator[None]:
        """Hold the corpus' lock; exit with 130 where a signal interrupts the block."""
        from ilspfc.corpus.files import CorpusFiles  # noqa: PLC0415
        from ilspfc.corpus.lock import CorpusLock  # noqa: PLC0415

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
        """Make the corpus of other files, if an option asks for it."""

    def make(self, corpus: Corpus) -> None:
        """Run the stage of the command."""
        from ilspfc.line import run_stage  # noqa: PLC0415

        run_stage(self.stage, corpus)

    def conclude(self, corpus: Corpus, opts: argparse.Namespace) -> None:
        """Print what an option asks for, below the summary."""

    def prepare(self, corpus: Corpus) -> Corpus:
        """Return the corpus, changed by the options of the command."""
        return corpus
