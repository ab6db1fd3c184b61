"""``scrapy corpus FOLDER``: a corpus of local files, and pages as fetched beside the XML."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from conftest import CRAWL_SETTINGS, SITES, Crawl
from crawled_corpus import CESDOC, CrawledCorpus
from file_examples import make_docx, word_paragraph

if TYPE_CHECKING:
    from conftest import Project

LATIN_1 = (
    '<html lang="de"><head><meta charset="iso-8859-1"><title>Gerüste prüfen</title></head>'
    "<body><p>Das Gerüst wird täglich geprüft, bevor jemand darauf arbeitet, und nach jedem"
    " Sturm prüft es eine befähigte Person noch einmal.</p></body></html>"
)

OFF = ("-s", "ARCHIVE_WARC=0", "-s", "EXPORTS_FORMATS=html")
DOCX = make_docx(
    word_paragraph(
        "Vor jedem Aufstieg prüft man die Leiter: Holme, Sprossen und Füße müssen heil sein,"
        " und wer oben arbeitet, hat immer eine Hand frei."
    )
)


@pytest.fixture(scope="module")
def made(make_project: Callable[[], Project]) -> Crawl:
    """A corpus of the workshop's files and of an old page, without any site."""
    project = make_project()
    shutil.copytree(SITES / "workshop", project.folder / "site")
    (project.folder / "site" / "de" / "gerüst alt.htm").write_text(LATIN_1, "latin-1")
    (project.folder / "site" / "de" / "leiter.docx").write_bytes(DOCX)
    (project.folder / "site" / "notes.odt").write_text("no page")
    options = ["--langs", "de,it", "--out", "out", "-s", "EXPORTS_FORMATS=tmx,html"]
    for name, value in CRAWL_SETTINGS.items():
        options += ["-s", f"{name}={value}"]
    result = project.run("corpus", "site", *options)
    assert result.status == 0, result.stderr
    return Crawl(project, result, project.folder / "out")


def test_files_are_paired_by_made_up_addresses(made: Crawl) -> None:
    corpus = CrawledCorpus(made.corpus)
    pairs = corpus.paired_paths()
    assert ("de/laerm.html", "it/rumore.html") in pairs
    assert len(corpus.units()) > 20
    word = corpus.documents()["de/leiter.docx"]
    assert word.findtext(f".//{CESDOC}genre") == ""
    page = made.corpus / "xml" / (word.findtext(f".//{CESDOC}annotation") or "")
    assert page.suffix == ".docx"
    assert page.read_bytes() == DOCX
    assert "de/ger%C3%BCst%20alt.htm" in corpus.documents()
    assert "notes.odt" not in corpus.fates()
    assert "robots.txt" not in corpus.fates()


def test_the_page_as_read_stands_beside_its_xml_in_utf_8(made: Crawl) -> None:
    document = CrawledCorpus(made.corpus).documents()["de/ger%C3%BCst%20alt.htm"]
    names = [one.text or "" for one in document.iter(f"{CESDOC}annotation")]
    page = made.corpus / "xml" / names[0]
    text = page.read_text("utf-8")
    assert '<meta charset="utf-8"><title>Gerüste prüfen' in text
    assert names[1].startswith("sha1:")
    for name in (page.stem, names[1], "http://folder.invalid/de/gerüst alt.htm"):
        printed = made.project.run("url", "out", "--html", name)
        assert printed.stdout == text


def test_pages_that_no_document_was_made_of_are_printed_too(made: Crawl) -> None:
    url = "http://folder.invalid/en/about.html"
    printed = made.project.run("url", "out", "--html", url)
    assert printed.stdout.startswith("<!DOCTYPE html>")
    unknown = made.project.run("url", "out", "--html", "http://folder.invalid/none")
    assert unknown.status == 2
    assert "http://folder.invalid/none: no such page" in unknown.error


def test_stages_run_again_over_the_corpus(made: Crawl) -> None:
    for stage in ("dedup", "pair", "align", "export", "report"):
        assert made.project.run(stage, "out").status == 0
    (made.corpus / "corpus.db").unlink()
    assert made.project.run("reindex", "out", "-s", "WORKERS=0").status == 0
    made.project.run("pair", "out")
    pairs = CrawledCorpus(made.corpus).paired_paths()
    assert ("de/laerm.html", "it/rumore.html") in pairs


def test_output_of_clean_is_imported(made: Crawl) -> None:
    files = sorted((SITES / "workshop").glob("[di][et]/*.html"))
    cleaned = made.project.run("clean", "--format", "xml", *map(str, files))
    (made.project.folder / "all.xml").write_text(cleaned.stdout, "utf-8")
    done = made.project.run(
        "pair", "imported", "--import", "all.xml", "--langs", "de,it"
    )
    assert done.status == 0, done.stderr
    pairs = CrawledCorpus(made.project.folder / "imported").paired_paths()
    assert any(one.endswith("de/laerm.html") for one, _ in pairs)


def test_fewer_pages_are_stored_than_visited(project: Project) -> None:
    shutil.copytree(SITES / "workshop", project.folder / "site")
    (project.folder / "words.txt").write_text("Gehörschutz\n", "utf-8")
    options = ["--langs", "de,it", "--out", "out", "-a", "store=//folder.invalid/de/*"]
    unwanted = {"CLASSIFICATION_UNWANTED": "words.txt"}
    for name, value in {**CRAWL_SETTINGS, **unwanted}.items():
        options += ["-s", f"{name}={value}"]
    assert project.run("corpus", "site", *options).status == 0
    fates = CrawledCorpus(project.folder / "out").fates()
    assert fates["de/staub.html"] == "kept"
    assert fates["it/polvere.html"] == "export/not_stored"
    assert fates["de/laerm.html"] == "classification/unwanted_word"
    assert fates["it/rumore.html"] == "export/not_stored"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere", "--langs", "de,it"), "folder=nowhere: no such folder"),
        (("scrapy.cfg", "--langs", "de"), "folder=scrapy.cfg: a file"),
        (("domains/empty", "--langs", "de"), "folder=domains/empty: no pages in it"),
        (("domains", "--langs", "de,xx"), "langs=de,xx: 'xx' is no known language"),
        (("domains", "--langs", "de", "-a", "scope=site"), "scope=site: without seeds"),
        (
            ("domains", "--langs", "de", "-a", "store=de/"),
            "store=de/: 'de/' matches no",
        ),
        (
            ("domains", *OFF, "--langs", "de"),
            "EXPORTS_FORMATS=html: pages are written from the WARC files",
        ),
        (
            ("domains", "--langs", "de", "-s", "CLASSIFICATION_UNWANTED=no.txt"),
            "CLASSIFICATION_UNWANTED=no.txt: cannot be read (No such file",
        ),
    ],
)
def test_bad_input_is_named(
    project: Project, arguments: tuple[str, ...], said: str
) -> None:
    (project.folder / "domains" / "empty").mkdir()
    (project.folder / "domains" / "page.txt").write_text("text")
    done = project.run("corpus", *arguments)
    assert done.status == 2
    assert said in done.error
