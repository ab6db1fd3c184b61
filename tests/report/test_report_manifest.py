"""The manifest and the JSON files of a run."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import REPOSITORY
from report_examples import bilingual_report

import ilspfc
from ilspfc.exceptions import CorpusError
from ilspfc.report.manifest import (
    PACKAGES,
    build_manifest,
    collect_versions,
    write_json,
    write_text,
)

if TYPE_CHECKING:
    from ilspfc.report.data import ReportData


@pytest.fixture
def data(tmp_path: Path) -> ReportData:
    (tmp_path / "xml").mkdir()
    (tmp_path / "deu-ita.tmx").write_bytes(b"<tmx/>")
    (tmp_path / "corpus.db").write_bytes(b"x" * 3_000_000)
    return replace(bilingual_report(), corpus_dir=str(tmp_path))


def test_files_have_size_and_digest(data: ReportData, tmp_path: Path) -> None:
    manifest = build_manifest(data, tmp_path.iterdir())
    digest = blake2b(b"x" * 3_000_000, digest_size=16).hexdigest()
    assert len(digest) == 32
    assert manifest["files"] == {
        "corpus.db": {"bytes": 3_000_000, "blake2b": digest},
        "deu-ita.tmx": {
            "bytes": 6,
            "blake2b": blake2b(b"<tmx/>", digest_size=16).hexdigest(),
        },
    }


def test_a_file_outside_the_corpus_keeps_its_path(
    data: ReportData, tmp_path: Path
) -> None:
    data = replace(data, corpus_dir=str(tmp_path / "xml"))
    manifest = build_manifest(data, [tmp_path / "deu-ita.tmx"])
    assert manifest["files"].keys() == {(tmp_path / "deu-ita.tmx").as_posix()}  # type: ignore[attr-defined]


def test_manifest_tells_how_the_corpus_was_made(data: ReportData) -> None:
    manifest = build_manifest(data, [])
    assert manifest["name"] == "ilspfc"
    assert manifest["version"] == "0.1.0"
    assert manifest["python"] == "3.11.9"
    assert manifest["languages"] == ["deu", "ita"]
    assert manifest["domain"] == "health-safety"
    assert manifest["arguments"] == {"langs": "de,it", "domain": "health-safety"}
    assert manifest["settings"] == {"PAIRING_THRESHOLD": "0.5", "CORPUS_DIR": "out"}
    assert manifest["counts"] == {
        "pages_fetched": 12_480,
        "documents": {"deu": 1_800, "ita": 1_320},
        "tokens": {"deu": 1_234_567, "ita": 987_654},
        "pairs": {"deu-ita": 612},
        "units": {"deu-ita": 18_402},
        "hosts": 112,
        "dropped": bilingual_report().dropped,
        "licenses": {"CC-BY-4.0": 212, "other": 9, "none": 2_899},
        "license_places": {"a-rel": 180, "json-ld": 41},
        "payment_hosts": {},
        "optouts": {"tdmrep_header": 35, "noai_meta": 7},
        "pages_reserved": 38,
        "pages_skipped": 38,
    }
    seeds = manifest["seeds"]
    assert isinstance(seeds, tuple)
    assert seeds[2] == {
        "url": "https://blocked.example.com/de/",
        "reached": False,
        "cause": "fetch/robots",
    }


def test_the_same_data_give_the_same_bytes(data: ReportData, tmp_path: Path) -> None:
    files = [tmp_path / "deu-ita.tmx", tmp_path / "corpus.db"]
    turned = replace(data, dropped=dict(reversed(list(data.dropped.items()))))
    write_json(tmp_path / "a.json", build_manifest(data, files))
    write_json(tmp_path / "b.json", build_manifest(turned, reversed(files)))
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_a_missing_file_is_an_error_for_the_user(
    data: ReportData, tmp_path: Path
) -> None:
    with pytest.raises(CorpusError, match=r"gone\.tmx: cannot be read .*export again"):
        build_manifest(data, [tmp_path / "gone.tmx"])


def test_versions_are_sorted_and_hold_the_main_packages() -> None:
    versions = collect_versions()
    assert versions["ilspfc"] == ilspfc.__version__
    assert {"python", "lxml", "scrapy"} <= versions.keys()
    assert list(versions) == sorted(versions)


def test_a_package_that_is_not_installed_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ilspfc.report.manifest.PACKAGES", ("no-such-package-at-all",))
    assert collect_versions().keys() == {"ilspfc", "python"}


def test_json_is_sorted_readable_and_ends_in_a_newline(tmp_path: Path) -> None:
    path = tmp_path / "stats.json"
    write_json(path, {"b": "Überschrift", "a": 1, "c": ["x/y"]})
    assert path.read_text(encoding="utf-8") == (
        '{\n  "a": 1,\n  "b": "Überschrift",\n  "c": [\n    "x/y"\n  ]\n}\n'
    )


def test_a_lone_surrogate_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_json(path, {"url": "https://a.example/\udc80"})
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "url": "https://a.example/\udc80"
    }


@pytest.mark.parametrize(
    ("value", "error"), [(float("nan"), ValueError), (object(), TypeError)]
)
def test_a_value_without_a_form_leaves_the_old_file(
    tmp_path: Path, value: object, error: type[Exception]
) -> None:
    path = tmp_path / "stats.json"
    write_json(path, {"a": 1})
    with pytest.raises(error):
        write_json(path, {"a": value})
    assert json.loads(path.read_text(encoding="utf-8")) == {"a": 1}
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written_is_an_error_for_the_user(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "inside").touch()
    with pytest.raises(CorpusError, match="taken: cannot be written"):
        write_text(tmp_path / "taken", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_text_has_unix_line_ends(tmp_path: Path) -> None:
    write_text(tmp_path / "report.html", "a\nb\n")
    assert (tmp_path / "report.html").read_bytes() == b"a\nb\n"


def test_all_packages_that_judge_are_named() -> None:
    lines = (REPOSITORY / "requirements.txt").read_text("utf-8").splitlines()
    required = {re.split("[<>=]", line)[0] for line in lines}
    # They carry or show texts, and decide nothing.
    others = {"http-sf", "httpx2", "jinja2", "pyoxigraph"}
    assert required - others <= set(PACKAGES)
