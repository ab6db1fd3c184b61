"""Settings that are refused before a crawl starts."""

from __future__ import annotations

import pytest
from scrapy.settings import Settings

import ilspfc.settings
from ilspfc.cleaning.content import backends
from ilspfc.cleaning.files import formats
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
        "CLEANING_FORMATS=docx,pdf: pypdfium2 is not installed; pip install pypdfium2,"
        " or leave pdf out"
    )
    # Nobody asked for it: crawls go on without.
    check_settings(settings_with())
    check_settings(settings_with(CLEANING_FORMATS="docx"))
    check_settings(settings_with(CLEANING_FORMATS=""))


def test_a_format_that_nobody_reads_is_an_error() -> None:
    with pytest.raises(SettingError, match="no such choice: rtf; known are pdf, docx"):
        check_settings(settings_with(CLEANING_FORMATS="rtf"))


def test_a_backend_that_is_not_installed_or_not_known_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(backends, "find_spec", lambda _: None)
    check_settings(settings_with())
    with pytest.raises(SettingError, match="pip install trafilatura,"):
        check_settings(settings_with(CLEANING_BACKEND="trafilatura"))
    with pytest.raises(SettingError, match="known are learned, boilerpy3, trafilatura"):
        check_settings(settings_with(CLEANING_BACKEND="jusText"))


@pytest.mark.parametrize("value", ["-0.1", "1.5", "half"])
def test_a_threshold_is_from_0_to_1(value: str) -> None:
    with pytest.raises(SettingError, match="CLEANING_THRESHOLD"):
        check_settings(settings_with(CLEANING_THRESHOLD=value))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("PAIRING_METHOD", "guess", "no such choice; known are combined"),
        ("PAIRING_THRESHOLD", "2", "give a number from 0 to 1"),
        ("ARCHIVE_WARC", "maybe", "give True or False"),
        ("DOWNLOAD_TIMEOUT", "soon", "give a number from 0.1"),
        (
            "ALIGNMENT_METOD",
            "length",
            "no such setting; the nearest is ALIGNMENT_METHOD",
        ),
        ("EXPORTS_XYZZY", "1", "no such setting"),
        ("DOWNLOAD_DELY", "0", "no such setting; the nearest is DOWNLOAD_DELAY"),
    ],
)
def test_values_and_names_are_checked(name: str, value: str, message: str) -> None:
    with pytest.raises(SettingError, match=f"^{name}={value}: {message}"):
        check_settings(settings_with(**{name: value}))


def test_settings_of_others_are_not_ours() -> None:
    check_settings(settings_with(MY_PIPELINE_MODE="x", LOG_FILE="crawl.log"))
