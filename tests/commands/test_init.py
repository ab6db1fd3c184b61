"""The job file of ``ilspfc init``, and the crawl that ``ilspfc corpus`` stands for."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ilspfc.commands.corpus import Command as CorpusOfFolder
from ilspfc.commands.crawl import Command as CrawlCommand
from ilspfc.commands.init import Command as InitCommand
from ilspfc.crawl.job_file import read_job
from ilspfc.exceptions import ArgumentError


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def start(*args: str) -> None:
    InitCommand().work(list(args), argparse.Namespace())


def test_what_is_written_is_a_job(capsys: pytest.CaptureFixture[str]) -> None:
    start("bees.toml")
    job = read_job(Path("bees.toml"))
    assert job.spider == "bilingual"
    assert job.arguments == {
        "langs": "de,it",
        "seeds": "https://www.example.org/",
        "domain": "none",
    }
    assert job.settings == {"FETCH_CONTACT": "", "CORPUS_DIR": "corpora/bees"}
    assert "then run `scrapy run bees.toml`" in capsys.readouterr().out


def test_what_is_commented_out_can_be_used() -> None:
    start()
    text = Path("job.toml").read_text("utf-8")
    Path("job.toml").write_text(
        "".join(
            f"{line.removeprefix('# ')}\n"
            for line in text.splitlines()
            if "=" in line or line.startswith("[")
        ),
        "utf-8",
    )
    job = read_job(Path("job.toml"))
    assert job.arguments["scope"] == "site"
    assert job.settings["FRONTIER_MAX_PAGES"] == "1000"


def test_a_job_is_not_overwritten() -> None:
    Path("job.toml").write_text("mine")
    with pytest.raises(ArgumentError, match=r"job\.toml: there already"):
        start()
    with pytest.raises(UsageError):
        start("a.toml", "b.toml")


# -- scrapy corpus -----------------------------------------------------------------------


def crawl(
    monkeypatch: pytest.MonkeyPatch, *words: str, **spargs: str
) -> tuple[list[str], dict[str, str], str | None]:
    """Return spider, its arguments and the folder of the corpus."""
    ran: list[Any] = []

    def note(self: CrawlCommand, args: list[str], opts: argparse.Namespace) -> None:
        assert self.settings is not None
        ran.append((args, opts.spargs, self.settings.get("CORPUS_DIR")))

    monkeypatch.setattr(CrawlCommand, "run", note)
    command = CorpusOfFolder()
    command.settings = Settings()
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    opts, args = parser.parse_known_args(words)
    opts.spargs = spargs
    command.run(args, opts)
    (found,) = ran
    return found[0], found[1], found[2]


@pytest.mark.parametrize(
    ("langs", "spider", "argument"),
    [
        ("de,it", "bilingual", "langs"),
        ("it", "monolingual", "lang"),
        ("it,", "monolingual", "lang"),
    ],
)
def test_a_folder_is_crawled_by_the_spider_of_its_languages(
    monkeypatch: pytest.MonkeyPatch, langs: str, spider: str, argument: str
) -> None:
    found = crawl(monkeypatch, "files", "--langs", langs, domain="bees")
    expected = {"domain": "bees", "folder": "files", argument: langs}
    assert found == ([spider], expected, None)


def test_the_corpus_may_be_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    *_, folder = crawl(monkeypatch, "files", "--langs", "de,it", "--out", "there")
    assert folder == "there"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--langs", "de"], "give one folder"),
        (["a", "b", "--langs", "de"], "give one folder"),
        (["a"], "give the languages"),
    ],
)
def test_folder_and_languages_have_to_be_given(
    monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        crawl(monkeypatch, *words)
