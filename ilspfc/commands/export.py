"""``scrapy export CORPUS_DIR``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.command import CorpusCommand

if TYPE_CHECKING:
    import argparse

# Options of the command that are settings, with what they take and what they say.
_OPTIONS = {
    "--format": (
        "EXPORTS_FORMATS",
        "F,F…",
        "cesalign, tmx, pair-tmx, moses, tsv, jsonl, text",
    ),
    "--preset": ("EXPORTS_PRESET", "NAME", "doubtful units: annotate, clean, off"),
    "--filter": (
        "EXPORTS_FILTERS",
        "R=A,R=A…",
        "what else is done for a reason, such as numbers=drop",
    ),
    "--max-units": ("EXPORTS_MAX_UNITS", "N", "split TMX after so many units"),
    "--max-bytes": ("EXPORTS_MAX_BYTES", "N", "split TMX after so many bytes"),
    "--lang-map": ("EXPORTS_LANG_MAP", "C=T,C=T…", "xml:lang, such as de=de-CH"),
    "--level": (
        "EXPORTS_TEXT_LEVEL",
        "NAME",
        "a line of text: document, paragraph, sentence",
    ),
}
_SWITCHES = {
    "--gz": ("EXPORTS_COMPRESS", "True", "compress what is written"),
    "--no-doctype": ("EXPORTS_TMX_DOCTYPE", "False", "TMX without its DTD named"),
}


class Command(CorpusCommand):
    """Runs the exports stage over a corpus."""

    stage = "exports"

    def short_desc(self) -> str:
        """Return what the command does."""
        return "Write TMX, Moses, TSV, JSONL, text and cesAlign files of a corpus"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options, each of which is a setting too."""
        super().add_options(parser)
        for name, (setting, metavar, text) in _OPTIONS.items():
            parser.add_argument(
                name, dest=setting, metavar=metavar, help=f"{text} [{setting}]"
            )
        for name, (setting, value, text) in _SWITCHES.items():
            parser.add_argument(
                name,
                dest=setting,
                action="store_const",
                const=value,
                help=f"{text} [{setting}]",
            )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check what was asked for, and write it."""
        # Scrapy imports all commands whenever one is run.
        from ilspfc.preflight import check_settings

        assert self.settings is not None  # noqa: S101
        for setting, *_ in (*_OPTIONS.values(), *_SWITCHES.values()):
            if (value := getattr(opts, setting)) is not None:
                self.settings.set(setting, value, priority="cmdline")
        check_settings(self.settings)
        super().work(args, opts)
