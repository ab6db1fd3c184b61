"""Options of the exports, from their settings, and the treatment of personal data."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from importlib.util import find_spec

import langcodes
from scrapy.settings import BaseSettings

from ilspfc.documents import Document
from ilspfc.exceptions import SettingError, name_known
from ilspfc.exports.filters import ExportReason, Thresholds
from ilspfc.exports.registry import FORMATS
from ilspfc.exports.selection import PRESETS, Action
from ilspfc.exports.split import PARTS
from ilspfc.exports.writers import ExportOptions, TmxForm
from ilspfc.setting_table import is_asked_for, split_list
from ilspfc.text.codes import find_iso639_3, to_bcp47
from ilspfc.text.personal_data import mask_personal_data

# Names that the methods of the papers give, beside those of ``combined``.
_OTHER_EVIDENCE = ("within", "structure", "ets", "pwcc")


def export_options(settings: BaseSettings) -> ExportOptions:
    """Return the options; SettingError for an unknown filter or language tag.

    Numbers, switches and choices are checked by :mod:`ilspfc.setting_table`.
    """
    _check_packages(settings)
    return ExportOptions(
        formats=_formats(settings),
        preset=",".join(
            [settings["EXPORTS_PRESET"], *split_list(settings, "EXPORTS_FILTERS")]
        ),
        actions=unit_actions(settings),
        limits=unit_limits(settings),
        tmx=TmxForm(
            props=settings["EXPORTS_TMX_PROPS"],
            lang_map=_lang_map(settings),
            max_units=settings.getint("EXPORTS_MAX_UNITS"),
        ),
        compress=settings.getbool("EXPORTS_COMPRESS"),
        licensed=settings.getbool("EXPORTS_LICENSED"),
        evidence=_evidence(settings),
        split=_split(settings),
    )


def _check_packages(settings: BaseSettings) -> None:
    """Raise SettingError for a format whose package is not installed."""
    for format_ in split_list(settings, "EXPORTS_FORMATS"):
        package = FORMATS[format_].package
        if package and not find_spec(package):
            raise SettingError(
                f"EXPORTS_FORMATS={format_}: {package} is not installed; pip install"
                f" {package}, or leave {format_} out"
            )


def _formats(settings: BaseSettings) -> frozenset[str]:
    """Return the formats; the packages of OPUS are made of the files of ``xces``."""
    names = split_list(settings, "EXPORTS_FORMATS")
    return frozenset([*names, "xces"] if "opus" in names else names)


def _split(settings: BaseSettings) -> tuple[float, ...]:
    """Return the shares of the parts for training, development and test, none for no split."""
    given = settings["EXPORTS_SPLIT"]
    if not given:
        return ()
    try:
        sizes = [float(size) for size in given.split(",")]
    except ValueError:
        sizes = []
    if len(sizes) != len(PARTS) or not min(sizes) >= 0 or not 0 < sum(sizes) < math.inf:
        raise SettingError(
            f"EXPORTS_SPLIT={given}: give the parts for training, development and test,"
            " such as 98,1,1"
        )
    for name in sorted(_formats(settings)):
        if FORMATS[name].of == "pair" and FORMATS[name].folder:
            raise SettingError(
                f"EXPORTS_SPLIT={given}: {name} has a file a pair of pages, which is not"
                " split; leave it out of EXPORTS_FORMATS (--format tmx,moses)"
            )
    return tuple(size / sum(sizes) for size in sizes)


def unit_limits(settings: BaseSettings) -> Thresholds:
    """Return the bounds on the measures of units; SettingError for a wrong range."""
    ratios = settings["EXPORTS_LENGTH_RATIO"]
    try:
        min_ratio, max_ratio = map(float, ratios.split("-"))
    except ValueError as error:
        raise SettingError(
            f"EXPORTS_LENGTH_RATIO={ratios}: give the least and the greatest ratio, such"
            " as 0.6-1.6"
        ) from error
    return Thresholds(
        min_tokens=settings.getint("EXPORTS_MIN_TOKENS"),
        min_ratio=min_ratio,
        max_ratio=max_ratio,
        min_score=settings.getfloat("EXPORTS_MIN_SCORE"),
    )


def unit_actions(settings: BaseSettings) -> Mapping[ExportReason, Action]:
    """Return the action for each reason: that of a filter, else that of the preset.

    SettingError for an unknown filter or action.
    """
    actions = dict(PRESETS[settings["EXPORTS_PRESET"]])
    if settings["EXPORTS_PERSONAL_DATA"] == "drop":
        actions[ExportReason.PERSONAL_DATA] = Action.DROP
    words = split_list(settings, "EXPORTS_FILTERS")
    for word in words:
        name, _, action = map(str.strip, word.partition("="))
        try:
            actions[ExportReason(name)] = Action(action)
        except ValueError as error:
            is_known = name in set(ExportReason)
            known = Action if is_known else ExportReason
            unknown = (
                f"no such action: {action!r}" if is_known else f"no filter {name!r}"
            )
            raise SettingError(
                f"EXPORTS_FILTERS={','.join(words)}: {unknown};"
                f" {name_known(name if known is ExportReason else action, known)}; give filter=action, such as numbers=drop"
            ) from error
    return actions


def _evidence(settings: BaseSettings) -> frozenset[str]:
    """Return the kinds of evidence of the pairs to export, empty for all."""
    names = split_list(settings, "EXPORTS_EVIDENCE")
    if not names:
        return frozenset()
    from ilspfc.pairing.evidence.catalog import EVIDENCE  # noqa: PLC0415 - loads scipy

    known = (*(kind.name for kind in EVIDENCE), *_OTHER_EVIDENCE)
    for name in names:
        if name not in known:
            raise SettingError(
                f"EXPORTS_EVIDENCE={','.join(names)}: no such kind of evidence: {name!r};"
                f" {name_known(name, known)}"
            )
    return frozenset(names)


def check_lang_map(settings: BaseSettings, langs: Collection[str]) -> None:
    """Raise SettingError where a map that was asked for has none of the languages (ISO 639-3)."""
    # One among the settings of a project may serve many corpora.
    missing = [lang for lang in _lang_map(settings) if lang not in langs]
    if missing and is_asked_for(settings, "EXPORTS_LANG_MAP"):
        raise SettingError(
            f"EXPORTS_LANG_MAP={settings['EXPORTS_LANG_MAP']}: the corpus has no"
            f" {to_bcp47(missing[0])}; its languages are {', '.join(map(to_bcp47, langs))}"
        )


def _lang_map(settings: BaseSettings) -> Mapping[str, str]:
    words = split_list(settings, "EXPORTS_LANG_MAP")
    tags = {}
    for word in words:
        code, _, tag = map(str.strip, word.partition("="))
        lang = find_iso639_3(code)
        if not lang or find_iso639_3(tag) != lang or not langcodes.tag_is_valid(tag):
            raise SettingError(
                f"EXPORTS_LANG_MAP={','.join(words)}: {word!r} is no language code and a"
                " tag of that language; give code=tag, such as de=de-CH"
            )
        tags[lang] = tag
    return tags


class Privacy:
    """Treatment of personal data in texts; ``counts`` are stats of the data found.

    SettingError if data are looked for and the package for phone numbers is missing.
    """

    def __init__(self, settings: BaseSettings) -> None:
        self._treatment = settings["EXPORTS_PERSONAL_DATA"]
        self.counts: Counter[str] = Counter()
        if self._treatment != "keep" and not find_spec("phonenumbers"):
            raise SettingError(
                f"EXPORTS_PERSONAL_DATA={self._treatment}: phonenumbers is not"
                " installed; pip install phonenumbers, or give keep"
            )

    def is_dropped(self, text: str, lang: str) -> bool:
        """Test whether a text in a language (ISO 639-3) has data because of which it is dropped."""
        return self._treatment == "drop" and self._mask(text, lang) != text

    def mask(self, text: str, lang: str) -> str:
        """Return a text in a language (ISO 639-3), masked if the setting says so."""
        if self._treatment not in {"count", "mask"}:
            return text
        masked = self._mask(text, lang)
        return masked if self._treatment == "mask" else text

    def conceal(self, text: str, lang: str) -> str:
        """Return a text that must stay in its place, masked unless all data are kept."""
        if self._treatment in {"keep", "count"}:
            return text
        return self._mask(text, lang)

    def _mask(self, text: str, lang: str) -> str:
        masked, found = mask_personal_data(text, lang)
        for kind, number in found.items():
            self.counts[f"exports/personal_data/{kind}"] += number
        return masked

    def treat(self, document: Document) -> Document:
        """Return a document with its clean text as it is exported."""
        lang = document.lang
        kept = [
            replace(one, text=self.mask(one.text, lang))
            for one in document.clean_paragraphs
            if not self.is_dropped(one.text, lang)
        ]
        return replace(document, paragraphs=kept)
