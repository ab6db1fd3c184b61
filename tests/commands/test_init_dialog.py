"""The dialog of ``ilspfc init``, and the crawl that ``ilspfc corpus`` stands for."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
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


def answer(monkeypatch: pytest.MonkeyPatch, *answers: str) -> list[str]:
    """Answer the questions of the dialog; return them as they are asked."""
    asked: list[str] = []
    left: Iterator[str] = iter(answers)

    def reply(question: str) -> str:
        asked.append(question.partition(" ")[0])
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", reply)
    return asked


def start(*args: str) -> None:
    InitCommand().work(list(args), argparse.Namespace())


def test_five_answers_are_a_job(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(
        monkeypatch, " de, it ", "https://a.org/", "", 'https://a.org/"bot"', "Käse/out"
    )
    start("bees.toml")
    job = read_job(Path("bees.toml"))
    assert job.arguments == {
        "langs": "de,it",
        "seeds": "https://a.org/",
        "domain": "none",
    }
    assert job.settings == {
        "FETCH_CONTACT": 'https://a.org/"bot"',
        "CORPUS_DIR": "Käse/out",
    }
    assert "go on with `scrapy run bees.toml`" in capsys.readouterr().out


def test_the_folder_has_the_name_of_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, "it", "https://a.org/", "none", "", "")
    start()
    job = read_job(Path("job.toml"))
    assert job.spider == "monolingual"
    assert job.settings["CORPUS_DIR"] == "corpora/job"


def test_a_wrong_answer_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = ["deutsch", "de", "a.org", "https://a.org/", "no-such.tsv", "none"]
    asked = answer(monkeypatch, *answers, "me", "me@example.org", "out")
    start()
    words = ["Languages", "Seeds", "Subject", "Contact"]
    assert asked == [word for word in words for _ in range(2)] + ["Folder"]
    shown = capsys.readouterr().err.splitlines()
    assert len(shown) == 4
    assert "nobody can be reached there" in shown[3]
    assert read_job(Path("job.toml")).settings["FETCH_CONTACT"] == "me@example.org"


def test_a_dialog_that_breaks_off_writes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer(monkeypatch, "de", "https://a.org/")
    with pytest.raises(ArgumentError, match=r"Subject .* no answer"):
        start()
    assert not Path("job.toml").exists()


def test_a_job_is_not_overwritten(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = answer(monkeypatch)
    Path("job.toml").write_text("mine")
    with pytest.raises(ArgumentError, match=r"job\.toml: there already"):
        start()
    assert asked == []
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
