"""Settings that are refused before a crawl starts."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy.settings import Settings

import ilspfc.settings
from ilspfc.cleaning.content import backends
from ilspfc.cleaning.files import formats
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.crawl.arguments import CrawlArguments, parse_arguments
from ilspfc.exceptions import CorpusError, SettingError
from ilspfc.frontier.scope import Scope
from ilspfc.preflight import check_crawl, check_databases
from ilspfc.setting_table import check_settings


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


def test_a_stage_that_is_none_is_an_error_before_the_crawl() -> None:
    with pytest.raises(
        SettingError, match=r"CORPUS_STAGES=json\.loads: no Stage whose"
    ):
        check_settings(settings_with(CORPUS_STAGES="json.loads"))


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


@pytest.mark.parametrize(
    ("backend", "cause"),
    [
        ("nowhere.extract", "No module named 'nowhere'"),
        ("learned,json.extract", "module 'json' has no attribute 'extract'"),
        ("json.decoder", "json.decoder is no function"),
        ("none,json.loads", "'none,json.loads' is not a valid Backend"),
    ],
)
def test_a_path_without_a_function_is_an_error(backend: str, cause: str) -> None:
    check_settings(settings_with(CLEANING_BACKEND="learned,json.loads"))
    with pytest.raises(SettingError) as error:
        check_settings(settings_with(CLEANING_BACKEND=backend))
    assert str(error.value) == (
        f"CLEANING_BACKEND={backend}: cannot be used ({cause}); known are learned, boilerpy3,"
        " trafilatura, none, the path of a function, such as mine.backends.extract, and"
        " learned,PATH"
    )


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
        (
            "FRONTER_MAX_PAGES",
            "9",
            "no such setting; the nearest is FRONTIER_MAX_PAGES",
        ),
    ],
)
def test_values_and_names_are_checked(name: str, value: str, message: str) -> None:
    with pytest.raises(SettingError, match=f"^{name}={value}: {message}"):
        check_settings(settings_with(**{name: value}))


def test_settings_of_others_are_not_ours() -> None:
    check_settings(settings_with(MY_PIPELINE_MODE="x", LOG_FILE="crawl.log"))


@pytest.mark.parametrize(
    "contact",
    ["", "me@example.org", "https://example.org/bot", "Ape, me@example.org (Rome)"],
)
def test_a_contact_that_can_be_reached_is_accepted(contact: str) -> None:
    check_settings(settings_with(FETCH_CONTACT=contact))


@pytest.mark.parametrize("contact", ["me", "@", "example.org", "me @ home", "http://"])
def test_a_contact_without_an_address_is_an_error(contact: str) -> None:
    with pytest.raises(SettingError) as error:
        check_settings(settings_with(FETCH_CONTACT=contact))
    assert str(error.value) == (
        f"FETCH_CONTACT={contact}: nobody can be reached there; give an e-mail address or a"
        " URL"
    )


def make_arguments(**given: str) -> CrawlArguments:
    raw = {"langs": "de,it", "seeds": "http://a.org/", **given}
    return parse_arguments(raw, lang_name="langs", default_scope=Scope.SITE)


def test_pages_cannot_be_written_from_an_archive_that_is_off(tmp_path: Path) -> None:
    arguments = make_arguments(domain="none")
    given = {"CORPUS_DIR": str(tmp_path / "out"), "EXPORTS_FORMATS": "html"}
    with pytest.raises(
        SettingError, match="ARCHIVE_WARC is off; leave one of both out"
    ):
        check_crawl("bilingual", arguments, settings_with(ARCHIVE_WARC="0", **given))
    check_crawl("bilingual", arguments, settings_with(ARCHIVE_WARC="1", **given))


@pytest.mark.parametrize("value", ["all", "learned"])
def test_a_learned_classifier_needs_a_domain(tmp_path: Path, value: str) -> None:
    given = {"CORPUS_DIR": str(tmp_path / "out"), "CLASSIFICATION_DECIDES_BY": value}
    with pytest.raises(SettingError, match=f"_BY={value}: no terms define"):
        check_crawl("bilingual", make_arguments(domain="none"), settings_with(**given))


def test_a_corpus_of_other_languages_is_refused(tmp_path: Path) -> None:
    files = CorpusFiles(tmp_path)
    with CorpusIndex(files.index) as index:
        index.add_run({"langs": ["deu", "fra"]})
    with pytest.raises(CorpusError, match="in deu, fra, not in deu, ita; give another"):
        check_databases(files, ("deu", "ita"))
    check_databases(files, ("deu", "fra"))


def test_an_empty_folder_is_a_place_for_a_crawl(tmp_path: Path) -> None:
    files = CorpusFiles(tmp_path)
    check_databases(files, ("deu",))
    files.documents.mkdir()
    (files.documents / "deu-1.xml").touch()
    with pytest.raises(CorpusError, match="is missing, but there are files"):
        check_databases(files, ("deu",))
