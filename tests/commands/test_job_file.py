"""Job files: ``scrapy init``, ``scrapy run`` and ``scrapy build``, from a file to a corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ilspfc.corpus.files import CorpusFiles
from ilspfc.crawl.job_file import find_recipe, read_job, read_recipe, write_recipe
from ilspfc.exceptions import ArgumentError

if TYPE_CHECKING:
    from conftest import Project, Site

JOB = """\
languages = ["de", "it"]
seeds = "seeds.txt"
domain = "none"
scope = "host"
corpus = "out"

[exports]
formats = ["tmx", "moses"]

[settings]
DOWNLOAD_DELAY = 0
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "job.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_job_is_arguments_and_settings(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("https://www.example.org/\n")
    job = read_job(write(tmp_path, JOB))
    assert job.spider == "bilingual"
    seeds = str(tmp_path / "seeds.txt")
    assert job.arguments == {
        "domain": "none",
        "langs": "de,it",
        "scope": "host",
        "seeds": seeds,
    }
    assert job.settings == {
        "CORPUS_DIR": "out",
        "EXPORTS_FORMATS": "tmx,moses",
        "DOWNLOAD_DELAY": "0",
    }


def test_a_recipe_is_what_a_job_says_of_the_exports(tmp_path: Path) -> None:
    assert read_recipe(write(tmp_path, JOB)) == {"EXPORTS_FORMATS": "tmx,moses"}
    settings = {"EXPORTS_MIN_SCORE": "0.7", "EXPORTS_FILTERS": "numbers=drop,url=off"}
    files = CorpusFiles(tmp_path)
    assert find_recipe(files) == {}
    write_recipe(files, settings)
    assert find_recipe(files) == settings
    wrong = "[exports]\nmin_score = 0.7\n"
    with pytest.raises(ArgumentError, match="line 2: min_score: no such key"):
        read_recipe(write(tmp_path, wrong))


def test_one_language_is_a_monolingual_crawl(tmp_path: Path) -> None:
    job = read_job(write(tmp_path, 'languages = ["it"]\n'))
    assert (job.spider, job.arguments) == ("monolingual", {"lang": "it"})


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('languages = ["de"\nseeds = 1', 2, "write it as TOML"),
        (
            'languages = ["de"]\nlangauges = ["it"]',
            2,
            "no such key; the nearest is languages; known are languages",
        ),
        ("\nlanguages = 3", 2, "give a list"),
        ('languages = ["de"]\n[exports]\nformat = "tmx"', 3, "known are formats"),
        ('languages = ["de"]\nexports = 3', 2, "write [exports]"),
        ('languages = ["de"]\n[exports]\nformats = ["doc"]', 3, "no such choice: doc"),
        ('languages = ["de"]\n[settings]\nDEDUP_TRESHOLD = 1', 3, "DEDUP_THRESHOLD"),
        ('languages = ["de"]\n[settings]\nWORKERS = -1', 3, "give a whole number"),
        ('languages = ["de"]\nseeds = {a = 1}', 2, "give a text, a number"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, line: int, said: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(ArgumentError) as error:
        read_job(path)
    assert f"line {line}" in str(error.value)
    assert said in str(error.value)
    assert str(error.value).startswith(str(path))


def test_a_file_that_is_no_job_is_named(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="cannot be read"):
        read_job(tmp_path / "none.toml")
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(ArgumentError, match="no manifest of a corpus"):
        read_job(tmp_path / "a.json")


def test_from_a_job_file_to_a_corpus_and_again(
    project: Project, workshop: Site
) -> None:
    assert project.run_process("init").status == 0
    job = project.folder / "job.toml"
    text = job.read_text("utf-8").replace("https://www.example.org/", workshop.url)
    job.write_text(text.replace("corpora/job", "out"), "utf-8")
    local = [
        "-s",
        "GUARD_ALLOW=127.0.0.0/8",
        "-s",
        "DOWNLOAD_DELAY=0",
        "-s",
        "WORKERS=0",
    ]
    assert project.run("run", "job.toml", *local).status == 0
    # All is there already; other settings need what follows from them.
    built = project.run("build", "out")
    assert (built.status, built.error) == (0, "ilspfc: all is up to date")
    built = project.run("build", "out", "--preset", "clean")
    assert built.error == "ilspfc: run again: units, exports"
    built = project.run("build", "out", "-s", "PAIRING_THRESHOLD=0.9")
    stages = "pairing, content, alignment, decisions, units, exports"
    assert built.error == f"ilspfc: run again: {stages}"
    # The manifest describes the same crawl.
    manifest = project.folder / "out" / "manifest.json"
    again = project.run("run", str(manifest), "-s", "CORPUS_DIR=again", *local)
    assert again.status == 0, again.stderr
    counts = [
        json.loads((project.folder / name / "manifest.json").read_text())["counts"]
        for name in ("out", "again")
    ]
    assert counts[0]["documents"] == counts[1]["documents"]
