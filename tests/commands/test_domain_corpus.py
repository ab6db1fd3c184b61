"""``scrapy domain check --corpus`` and ``domain expand`` over a corpus that was crawled."""

from __future__ import annotations

import csv
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ilspfc.classification.terms import StemmingTokenizer

if TYPE_CHECKING:
    from conftest import Crawl, Project, Result

HEADER = ["weight", "term", "subdomain", "lang", "keyness", "occurrences", "documents"]


def test_the_use_of_each_term_is_told(bilingual_crawl: Crawl) -> None:
    corpus = str(bilingual_crawl.corpus)
    arguments = ("domain", "check", "demo", "--corpus", corpus)
    result = bilingual_crawl.project.run_process(*arguments)
    assert (result.status, result.stderr) == (0, "")
    assert "German: 7 documents; " in result.stdout
    assert "Italian: 6 documents; " in result.stdout
    assert "de: never matches: " in result.stdout
    assert "never matches: 'Gehörschutz'" not in result.stdout


def test_a_corpus_in_other_languages_is_named(bilingual_crawl: Crawl) -> None:
    project = bilingual_crawl.project
    (project.folder / "french.tsv").write_text("weight\tterm\tlang\n1\tmiel\tfr\n")
    corpus = str(bilingual_crawl.corpus)
    result = project.run("domain", "check", "french.tsv", "--corpus", corpus)
    assert result.status == 2
    assert "no document in a language of the domain" in result.stderr
    missing = project.run("domain", "check", "demo", "--corpus", "nowhere")
    assert missing.status == 2
    assert "nowhere" in missing.stderr


def _rows(result: Result) -> list[dict[str, str]]:
    assert result.status == 0, result.stderr
    return list(csv.DictReader(result.stdout.splitlines(), delimiter="\t"))


def test_pages_off_the_topic_are_what_terms_are_compared_with(
    bilingual_crawl: Crawl,
) -> None:
    """The archive has one such page in German, and none in Italian."""
    corpus = str(bilingual_crawl.corpus)
    result = bilingual_crawl.project.run_process("domain", "expand", corpus)
    assert result.stdout.splitlines()[0].split("\t") == HEADER
    assert {row["lang"] for row in _rows(result)} <= {"de"}


def test_pages_of_a_crawl_over_an_archive_are_found_in_it(
    bilingual_crawl: Crawl, project: Project
) -> None:
    shutil.copytree(bilingual_crawl.corpus / "warc", project.folder / "warc")
    crawled = project.crawl(
        "bilingual",
        {"CORPUS_DIR": "over"},
        langs="de,it",
        domain="demo",
        warc="warc/*.warc.gz",
    )
    assert crawled.status == 0, crawled.stderr
    assert {row["lang"] for row in _rows(project.run("domain", "expand", "over"))} <= {
        "de"
    }
    (gone,) = (project.folder / "warc").iterdir()
    gone.unlink()
    result = project.run("domain", "expand", "over")
    assert result.status == 2
    assert (
        f"over: was crawled over warc/{gone.name}, which is not there" in result.error
    )


@pytest.fixture
def others(project: Project) -> Path:
    folder = project.folder / "others"
    for lang, text in (
        ("de", "Der Zug ist voll und die Sonne scheint auf das Dorf. "),
        ("it", "Il treno è pieno e il sole splende sul paese. "),
    ):
        (folder / lang).mkdir(parents=True)
        (folder / lang / "a.txt").write_text(text * 300, encoding="utf-8")
    return folder


def test_terms_are_proposed_that_the_definition_lacks(
    bilingual_crawl: Crawl, others: Path
) -> None:
    project, corpus = bilingual_crawl.project, str(bilingual_crawl.corpus)
    background = ("--background", str(others))
    result = project.run("domain", "expand", corpus, *background)
    rows = _rows(result)
    assert rows
    own = (project.folder / "domains" / "demo.tsv").read_text("utf-8").splitlines()
    stems = {
        lang: StemmingTokenizer(code).stems
        for lang, code in (("de", "deu"), ("it", "ita"))
    }
    known = {
        (lang, tuple(stems[lang](line.split("\t")[1])))
        for line in own
        if not line.startswith("#") and (lang := line.split("\t")[-1]) in stems
    }
    assert len(known) > 10
    for row in rows:
        assert (row["lang"], tuple(stems[row["lang"]](row["term"]))) not in known
        assert int(row["occurrences"]) >= 3
        assert float(row["weight"]) >= 1
    keyness = [float(row["keyness"]) for row in rows if row["lang"] == "de"]
    assert keyness == sorted(keyness, reverse=True)
    # Against no definition the known terms come, too.
    whole = project.run("domain", "expand", corpus, "--domain", "none", *background)
    assert len(_rows(whole)) > len(rows)


def test_proposals_are_lines_of_a_definition(
    bilingual_crawl: Crawl, others: Path
) -> None:
    project, corpus = bilingual_crawl.project, str(bilingual_crawl.corpus)
    result = project.run("domain", "expand", corpus, "--background", str(others))
    (project.folder / "proposed.tsv").write_text(result.stdout, encoding="utf-8")
    checked = project.run("domain", "check", "proposed.tsv")
    assert checked.status == 0, checked.stdout


def test_a_corpus_without_further_terms_is_told(
    bilingual_crawl: Crawl,
) -> None:
    corpus = str(bilingual_crawl.corpus)
    result = bilingual_crawl.project.run(
        "domain", "expand", corpus, "--background", corpus
    )
    assert (result.status, len(result.stdout.splitlines())) == (0, 1)
    assert "no further term is far more frequent" in result.error


def test_a_background_that_is_not_there_is_named(bilingual_crawl: Crawl) -> None:
    corpus = str(bilingual_crawl.corpus)
    result = bilingual_crawl.project.run(
        "domain", "expand", corpus, "--background", "nowhere"
    )
    assert (result.status, result.stdout) == (2, "")
    assert "--background=nowhere: no such file or folder" in result.error


def test_a_definition_that_was_elsewhere_is_asked_for(
    bilingual_crawl: Crawl, others: Path, tmp_path: Path
) -> None:
    project, corpus = bilingual_crawl.project, tmp_path / "corpus"
    shutil.copytree(bilingual_crawl.corpus, corpus)
    with closing(sqlite3.connect(corpus / "corpus.db")) as database, database:
        database.execute(
            "UPDATE runs SET description = json_set(description, '$.domain', 'bees')"
        )
    arguments = ("domain", "expand", str(corpus), "--background", str(others))
    result = project.run(*arguments)
    assert result.status == 2
    assert "was crawled for bees, which is not in domains/" in result.error
    assert project.run(*arguments, "--domain", "domains/demo.tsv").status == 0
