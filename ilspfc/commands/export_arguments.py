"""Options of commands that are settings of the exports."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Container

    from scrapy.settings import BaseSettings

# With the setting, what they take and what they say.
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

UNITS_ALONE = frozenset(_OPTIONS) - {"--format", "--level"} | {"--no-doctype"}
"""The options that concern the units of one memory."""


def add_arguments(
    parser: argparse.ArgumentParser, names: Container[str] | None = None
) -> None:
    """Add the options of these names, or all."""
    for name, (setting, metavar, text) in _OPTIONS.items():
        if names is None or name in names:
            help_ = f"{text} [{setting}]"
            parser.add_argument(name, dest=setting, metavar=metavar, help=help_)
    for name, (setting, value, text) in _SWITCHES.items():
        if names is None or name in names:
            parser.add_argument(
                name,
                dest=setting,
                action="store_const",
                const=value,
                help=f"{text} [{setting}]",
            )


def apply_arguments(settings: BaseSettings, opts: argparse.Namespace) -> None:
    """Set what was given; SettingError for a setting that cannot be used."""
    # Scrapy imports all commands whenever one is run.
    from ilspfc.preflight import check_settings

    for setting, *_ in (*_OPTIONS.values(), *_SWITCHES.values()):
        if (value := getattr(opts, setting, None)) is not None:
            settings.set(setting, value, priority="cmdline")
    check_settings(settings)
