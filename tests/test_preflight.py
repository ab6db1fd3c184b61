"""Settings that are refused before a crawl starts."""

from __future__ import annotations

import pytest
from scrapy.settings import Settings

import ilspfc.settings
from ilspfc.cleaning import formats
from ilspfc.exceptions import SettingError
from ilspfc.preflight import check_settings


def settings_with(**given: str) -> Settings:
    settings = Settings()
    settings.setmodule(ilspfc.settings, priority="project")
    settings.update(given, priority="cmdline")
    return settings


def test_a_format_asked_for_without_its_reader_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(formats, "find_spec", lambda _: None)
    with pytest.raises(SettingError) as error:
        check_settings(settings_with(CLEANING_FORMATS="docx,pdf"))
    assert str(error.value) == (
        "CLEANING_FORMATS=docx,pdf: pypdfium2 is not installed; pip install 'ilspfc[pdf]',"
        " or leave pdf out"
    )
    # Nobody asked for it: crawls go on without.
    check_settings(settings_with())
    check_settings(settings_with(CLEANING_FORMATS="docx"))
    check_settings(settings_with(CLEANING_FORMATS=""))


def test_a_format_that_nobody_reads_is_an_error() -> None:
    with pytest.raises(SettingError, match="no such format: rtf; known are pdf, docx"):
        check_settings(settings_with(CLEANING_FORMATS="rtf"))
