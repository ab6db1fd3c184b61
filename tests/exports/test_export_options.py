"""Options of the exports from their settings, and values that are refused."""

from __future__ import annotations

import pytest
from scrapy.settings import Settings

from ilspfc.exceptions import SettingError
from ilspfc.exports.export_options import check_lang_map, export_options
from ilspfc.exports.filters import ExportReason
from ilspfc.exports.selection import Action
from ilspfc.setting_table import check_settings


def settings(**values: object) -> Settings:
    found = Settings()
    found.setmodule("ilspfc.settings")
    found.setdict(values, priority="cmdline")
    return found


def test_a_filter_is_an_exception_from_the_preset() -> None:
    options = export_options(
        settings(EXPORTS_PRESET="clean", EXPORTS_FILTERS="url=off, numbers = annotate")
    )
    asked = {ExportReason.URL, ExportReason.NUMBERS, ExportReason.PERSONAL_DATA}
    others = set(options.actions) - asked
    assert {options.actions[reason] for reason in others} == {Action.DROP}
    assert options.actions[ExportReason.URL] is Action.OFF
    assert options.actions[ExportReason.NUMBERS] is Action.ANNOTATE


def test_tags_are_kept_to_the_letter() -> None:
    options = export_options(settings(EXPORTS_LANG_MAP="de=de-CH,por=pt-BR"))
    assert options.tmx.lang_map == {"deu": "de-CH", "por": "pt-BR"}


def test_a_language_that_the_corpus_does_not_have_gets_no_tag() -> None:
    asked = settings(EXPORTS_LANG_MAP="de=de-CH,fr=fr-CH")
    check_lang_map(asked, ["deu", "fra"])
    with pytest.raises(
        SettingError, match="the corpus has no fr; its languages are de"
    ):
        check_lang_map(asked, ["deu", "ita"])
    # One map of a project for all of its corpora.
    ours = Settings()
    ours.set("EXPORTS_LANG_MAP", "de=de-CH,fr=fr-CH", priority="project")
    check_lang_map(ours, ["deu", "ita"])


def test_the_range_of_the_length_ratio_is_read() -> None:
    limits = export_options(settings(EXPORTS_LENGTH_RATIO="0.9-1.1")).limits
    assert (limits.min_ratio, limits.max_ratio) == (0.9, 1.1)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("EXPORTS_PRESET", "strict", "no such choice; known are annotate"),
        ("EXPORTS_FILTERS", "digits=drop", "no filter 'digits'; known are no_letters"),
        ("EXPORTS_FILTERS", "url=kill", "no such action: 'kill'; known are off"),
        ("EXPORTS_LANG_MAP", "de=it-CH", "'de=it-CH' is no language code and a tag"),
        ("EXPORTS_LANG_MAP", "de", "'de' is no language code and a tag"),
        ("EXPORTS_LENGTH_RATIO", "0.6", "give the least and the greatest ratio"),
        ("EXPORTS_MIN_SCORE", "2", "give a number from 0 to 1"),
        ("EXPORTS_COMPRESS", "perhaps", "give True or False"),
    ],
)
def test_what_means_nothing_is_refused(name: str, value: str, message: str) -> None:
    with pytest.raises(SettingError, match=f"^{name}={value}: {message}"):
        check_settings(settings(**{name: value}))
