"""The job file of ``ilspfc init``, and the crawl that ``ilspfc corpus`` stands for."""

from __future__ import annotations

import argparse
import json
from base64 import b64encode, urlsafe_b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ilspfc.commands.corpus import Command as CorpusOfFolder
from ilspfc.commands.crawl import Command as CrawlCommand
from ilspfc.commands.init import Command as InitCommand
from ilspfc.crawl.job_file import read_job
from ilspfc.exceptions import ArgumentError, SettingError
from ilspfc.web.signatures import read_key


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def start(*args: str, signing_key: str = "", contact: str = "") -> None:
    command = InitCommand()
    command.settings = Settings(
        {"FETCH_CONTACT": contact, "FETCH_SIGNING_FORM": "dictionary"}
    )
    command.work(list(args), argparse.Namespace(signing_key=signing_key))


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


# -- keys for signed requests ------------------------------------------------------------


def test_a_key_is_made_once_and_its_directory_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    directories = []
    for _ in range(2):
        start(signing_key="key.pem", contact="https://example.org/crawler")
        printed = capsys.readouterr()
        directories.append(printed.out)
        digest = b64encode(sha256(printed.out.encode()).digest()).decode()
        assert f"\nContent-Digest: sha-256=:{digest}:\n" in printed.err
        path = ".well-known/http-message-signatures-directory"
        assert f"serve this at https://example.org/{path} with" in printed.err
    assert directories[0] == directories[1]
    (key,) = json.loads(directories[0])["keys"]
    public = read_key(Path("key.pem").read_bytes()).public_key().public_bytes_raw()
    assert urlsafe_b64decode(key["x"] + "=") == public
    assert not Path("job.toml").exists()


def test_no_key_is_made_that_is_published_nowhere() -> None:
    with pytest.raises(SettingError, match=r"FETCH_CONTACT=me@example\.org: no https"):
        start(signing_key="key.pem", contact="me@example.org")
    assert not Path("key.pem").exists()


def test_a_file_that_is_no_key_stays_as_it_is() -> None:
    Path("key.pem").write_text("mine")
    with pytest.raises(SettingError, match=r"FETCH_SIGNING_KEY=key\.pem: no private"):
        start(signing_key="key.pem", contact="https://example.org/")
    assert Path("key.pem").read_text() == "mine"


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
