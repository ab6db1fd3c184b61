"""Job files: the manifest of an earlier crawl, files beside the job, kinds of values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ilspfc.crawl.arguments import NO_DOMAIN
from ilspfc.crawl.job_file import JobFile, read_job
from ilspfc.exceptions import ArgumentError


def read_toml(folder: Path, text: str) -> JobFile:
    path = folder / "job.toml"
    path.write_text(text, encoding="utf-8")
    return read_job(path)


def read_manifest(folder: Path, **changes: Any) -> JobFile:
    arguments = {
        "langs": ["deu", "ita"],
        "seeds": ["http://a.org/", "http://b.org/"],
        "domain": "bees",
        "scope": "host",
        "allow": [],
    }
    manifest = {
        "spider": "bilingual",
        "arguments": arguments | changes.pop("arguments", {}),
        "settings": {"CORPUS_DIR": "old", "DEDUP_THRESHOLD": 0.5, "ARCHIVE_WARC": True},
    }
    path = folder / "manifest.json"
    path.write_text(json.dumps(manifest | changes))
    return read_job(path)


def test_a_manifest_is_the_same_crawl_in_another_folder(tmp_path: Path) -> None:
    job = read_manifest(tmp_path)
    assert job.spider == "bilingual"
    assert job.arguments == {
        "langs": "deu,ita",
        "seeds": "http://a.org/,http://b.org/",
        "domain": "bees",
        "scope": "host",
    }
    assert job.settings == {"DEDUP_THRESHOLD": "0.5", "ARCHIVE_WARC": "True"}


@pytest.mark.parametrize(
    ("told", "domain"),
    [
        ({"domain_file": "my/bees.tsv"}, "my/bees.tsv"),
        ({"domain": "bees"}, "bees"),
        ({"domain": ""}, NO_DOMAIN),
        ({"domain": None, "domain_file": None}, NO_DOMAIN),
    ],
)
def test_a_manifest_names_the_domain_by_its_file(
    tmp_path: Path, told: dict[str, str | None], domain: str
) -> None:
    assert read_manifest(tmp_path, arguments=told).arguments["domain"] == domain


def test_the_manifest_of_one_language_has_the_argument_lang(tmp_path: Path) -> None:
    job = read_manifest(
        tmp_path, spider="monolingual", arguments={"langs": ["ita"], "later": 3}
    )
    assert job.arguments["lang"] == "ita"
    assert not {"langs", "later"} & job.arguments.keys()


@pytest.mark.parametrize("settings", [{"RETRY_HTTP_CODES": [500, 503]}])
def test_lists_are_written_with_commas(
    tmp_path: Path, settings: dict[str, Any]
) -> None:
    assert read_manifest(tmp_path, settings=settings).settings == {
        "RETRY_HTTP_CODES": "500,503"
    }


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "3",
        "{",
        '{"arguments": null}',
        '{"spider": "bilingual", "arguments": {"langs": ["de"]}, "settings": []}',
        '{"spider": "bilingual", "arguments": {}, "settings": {}}',
    ],
)
def test_other_json_is_no_manifest(tmp_path: Path, text: str) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(text)
    with pytest.raises(ArgumentError, match="no manifest of a corpus"):
        read_job(path)


def test_a_manifest_with_a_setting_of_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"DOWNLOAD_SLOTS: give a text, a number"):
        read_manifest(tmp_path, settings={"DOWNLOAD_SLOTS": {"a.org": 1}})


def test_files_are_looked_up_beside_the_job(tmp_path: Path) -> None:
    folder = tmp_path / "jobs"
    folder.mkdir()
    (folder / "bees.tsv").touch()
    job = read_toml(
        folder,
        'languages = ["de", "it"]\n'
        'domain = "bees.tsv"\n'
        'seeds = "https://a.org/seeds.txt"\n'
        'warc = "old/*.warc.gz"\n'
        'domain_texts = "/else/texts"\n'
        'folder = "none-there"\n',
    )
    assert job.arguments == {
        "langs": "de,it",
        "domain": str(folder / "bees.tsv"),
        "seeds": "https://a.org/seeds.txt",
        "warc": str(folder / "old/*.warc.gz"),
        "domain_texts": "/else/texts",
        # Perhaps in the working folder; the crawl says so if it is not.
        "folder": "none-there",
    }


def test_exports_and_contact_stand_for_settings(tmp_path: Path) -> None:
    job = read_toml(
        tmp_path,
        'languages = ["it"]\n'
        'contact = "me@example.org"\n'
        "[exports]\n"
        'preset = "clean"\n'
        'filters = ["numbers=drop", "short=off"]\n'
        "[settings]\n"
        "ARCHIVE_WARC = false\n"
        "DOWNLOAD_TIMEOUT = 2.5\n",
    )
    assert job.settings == {
        "FETCH_CONTACT": "me@example.org",
        "EXPORTS_PRESET": "clean",
        "EXPORTS_FILTERS": "numbers=drop,short=off",
        "ARCHIVE_WARC": "False",
        "DOWNLOAD_TIMEOUT": "2.5",
    }


@pytest.mark.parametrize("value", ["[]", '""', "{}"])
def test_languages_are_a_list_with_one_at_least(tmp_path: Path, value: str) -> None:
    with pytest.raises(ArgumentError, match=r'line 2: languages: .*\["de", "it"\]'):
        read_toml(tmp_path, f'seeds = "a"\nlanguages = {value}\n')


def test_a_file_in_another_encoding_is_named(tmp_path: Path) -> None:
    path = tmp_path / "job.toml"
    path.write_bytes('seeds = "Ä"'.encode("latin-1"))
    with pytest.raises(ArgumentError, match="cannot be read"):
        read_job(path)
