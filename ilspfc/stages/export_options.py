"""Options of the exports, read from the settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import langcodes

from ilspfc.exceptions import SettingError
from ilspfc.exports import PRESETS, Action, ExportReason, Thresholds
from ilspfc.text.codes import to_iso639_3

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.settings import BaseSettings

FORMATS = ("cesalign", "tmx", "pair-tmx", "moses", "tsv", "jsonl", "text")


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Formats and their options, and the actions on doubtful units."""

    formats: frozenset[str]
    actions: Mapping[ExportReason, Action]
    limits: Thresholds
    lang_map: Mapping[str, str]
    compress: bool
    doctype: bool
    max_units: int
    max_bytes: int
    text_level: str


def export_options(settings: BaseSettings) -> ExportOptions:
    """Return the options; SettingError for a word that means nothing.

    Numbers and switches are checked by :func:`ilspfc.preflight.check_settings`.
    """
    return ExportOptions(
        formats=_formats(settings),
        actions=_actions(settings),
        limits=Thresholds(
            min_tokens=settings.getint("EXPORTS_MIN_TOKENS"),
            min_ratio=settings.getfloat("EXPORTS_MIN_LENGTH_RATIO"),
            max_ratio=settings.getfloat("EXPORTS_MAX_LENGTH_RATIO"),
            max_token_chars=settings.getint("EXPORTS_MAX_TOKEN_CHARS"),
            min_score=settings.getfloat("EXPORTS_MIN_SCORE"),
            kinds=frozenset(map(str.strip, settings.getlist("EXPORTS_TYPES"))),
            max_null_share=settings.getfloat("EXPORTS_MAX_NULL_SHARE"),
        ),
        lang_map=_lang_map(settings),
        compress=settings.getbool("EXPORTS_COMPRESS"),
        doctype=settings.getbool("EXPORTS_TMX_DOCTYPE"),
        max_units=settings.getint("EXPORTS_MAX_UNITS"),
        max_bytes=settings.getint("EXPORTS_MAX_BYTES"),
        text_level=settings.get("EXPORTS_TEXT_LEVEL", ""),
    )


def _formats(settings: BaseSettings) -> frozenset[str]:
    names = _words(settings, "EXPORTS_FORMATS")
    for name in names:
        if name not in FORMATS:
            raise SettingError(
                f"EXPORTS_FORMATS={','.join(names)}: no such format: {name}; known are"
                f" {', '.join(FORMATS)}"
            )
    return frozenset(names)


def _actions(settings: BaseSettings) -> Mapping[ExportReason, Action]:
    """Return what is done for each reason: the preset's, or what is said of it alone."""
    preset = settings.get("EXPORTS_PRESET")
    if preset not in PRESETS:
        raise SettingError(
            f"EXPORTS_PRESET={preset}: no such choice; known are {', '.join(PRESETS)}"
        )
    actions = dict(PRESETS[preset])
    words = _words(settings, "EXPORTS_FILTERS")
    for word in words:
        name, _, action = map(str.strip, word.partition("="))
        try:
            actions[ExportReason(name)] = Action(action)
        except ValueError as error:
            is_known = name in set(ExportReason)
            known = Action if is_known else ExportReason
            what = f"no such action: {action!r}" if is_known else f"no filter {name!r}"
            raise SettingError(
                f"EXPORTS_FILTERS={','.join(words)}: {what}; known are"
                f" {', '.join(known)}; give filter=action, such as numbers=drop"
            ) from error
    return actions


def _lang_map(settings: BaseSettings) -> Mapping[str, str]:
    words = _words(settings, "EXPORTS_LANG_MAP")
    tags = {}
    for word in words:
        code, _, tag = map(str.strip, word.partition("="))
        lang = _code_of(code)
        if not lang or _code_of(tag) != lang or not langcodes.tag_is_valid(tag):
            raise SettingError(
                f"EXPORTS_LANG_MAP={','.join(words)}: {word!r} is no language code and a"
                " tag of that language; give code=tag, such as de=de-CH"
            )
        tags[lang] = tag
    return tags


def _code_of(code: str) -> str:
    """Return the ISO 639-3 code, empty for what names no language."""
    try:
        return to_iso639_3(code)
    except ValueError:
        return ""


def _words(settings: BaseSettings, name: str) -> list[str]:
    return [word.strip() for word in settings.getlist(name) if word.strip()]
