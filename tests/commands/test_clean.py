"""``scrapy clean``: pages in files and at URLs, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import SITES
from lxml import etree

from ilspfc.crawl.arguments import parse_langs
from ilspfc.exceptions import ArgumentError

if TYPE_CHECKING:
    from conftest import Project, Site

WORKSHOP = SITES / "workshop"
PRIVATE = "http://10.0.0.1/"
LOOPBACK = ("-s", "GUARD_ALLOW=127.0.0.0/8", "-s", "DOWNLOAD_DELAY=0")
# A worker takes a second to load what it needs.
ALONE = ("-s", "WORKERS=0")


@pytest.fixture
def page(project: Project) -> Path:
    path = project.folder / "laerm.html"
    path.write_bytes((WORKSHOP / "de" / "laerm.html").read_bytes())
    return path


def test_files_are_cleaned_in_order_and_bad_ones_told(
    project: Project, page: Path
) -> None:
    (project.folder / "empty.html").touch()
    (project.folder / "list").write_text("laerm.html\n\nnone.html\nempty.html\n.\n")
    done = project.run_process(
        *("clean", "laerm.html", "--files-from", "list", "--format", "json"),
        *("--langs", "de,it", "-s", "WORKERS=1"),
    )
    assert done.status == 1
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["file"] for record in records] == ["laerm.html", "laerm.html"]
    assert records[0] == records[1]
    assert records[0]["language"] == "de"
    lines = done.stderr.splitlines()
    assert [line.split(":")[1].strip() for line in lines] == [
        *("none.html", "empty.html", ".")
    ]
    assert project.written == {"laerm.html", "empty.html", "list"}


def test_urls_are_fetched_by_the_rules_of_a_crawl(
    project: Project, page: Path, workshop: Site
) -> None:
    asked = len(workshop.requests)
    urls = [
        workshop.at(path)
        for path in ("de/laerm.html", "none.html", "intern/termine.html")
    ]
    done = project.run(
        "clean", *urls, PRIVATE, "laerm.html", "--format", "xml", *LOOPBACK, *ALONE
    )
    assert done.status == 1
    root = etree.fromstring(done.stdout.encode())
    texts = [[p.text for p in document.iter("{*}p")] for document in root]
    assert len(texts) == 2
    assert texts[0] == texts[1]
    missing, forbidden, private = done.stderr.splitlines()
    assert missing == f"ilspfc: {urls[1]}: not fetched: HTTP 404"
    assert forbidden == f"ilspfc: {urls[2]}: not fetched: forbidden by robots.txt"
    assert private.startswith(f"ilspfc: {PRIVATE}: not fetched: ")
    assert "is no public address" in private
    assert workshop.requests[asked] == "/robots.txt"
    assert "/intern/termine.html" not in workshop.requests[asked:]


def test_a_wrong_argument_is_one_line(project: Project) -> None:
    done = project.run("clean", "--format", "yaml", "x")
    assert done.status == 2
    assert done.error == (
        "ilspfc: --format=yaml: no such format; known are text, markdown, json, xml"
    )


def test_an_unknown_language_is_called_so() -> None:
    with pytest.raises(
        ArgumentError, match=r"^--langs=de,xx: 'xx' is no known language"
    ):
        parse_langs("--langs", "de,xx")


def test_a_language_can_be_taught(project: Project) -> None:
    words = "qapla nuqneh tlhIngan maH batlh Daqawlu'taH jaghpu' lujpu' Qapchu'taH"
    text = " ".join(sorted(words.split(), key=str.lower)) + ". "
    (project.folder / "tlh.txt").write_text(text * 30)
    (project.folder / "p.html").write_text(f"<title>x</title><p>{text * 3}</p>")
    refused = project.run("clean", "p.html", "--langs", "tlh")
    assert refused.status == 2
    assert "with -s LANGUAGE_TEXTS=tlh=FILE" in refused.error
    taught = ("-s", "LANGUAGE_TEXTS=tlh=tlh.txt")
    done = project.run(
        "clean", "p.html", "--langs", "de,tlh", "--format", "json", *taught, *ALONE
    )
    assert done.status == 0, done.stderr
    assert json.loads(done.stdout)["language"] == "tlh"


def test_a_list_that_cannot_be_read_is_called_so(project: Project) -> None:
    done = project.run("clean", "--files-from", "none")
    assert done.status == 2
    assert done.error.startswith("ilspfc: none: No such file or directory; give a path")


def test_the_text_holds_short_content_and_no_boilerplate(project: Project) -> None:
    sentences = [
        (
            "Wer auf einer Baustelle arbeitet, trägt einen Helm und feste Schuhe, denn"
            " herabfallende Gegenstände sind eine häufige Ursache schwerer Unfälle."
        ),
        "Die Ausrüstung stellt der Betrieb, und er sorgt dafür, dass sie geprüft wird.",
    ]
    menu = "".join(f'<li><a href="/{n}">Thema {n}</a></li>' for n in range(8))
    prose = "".join(f"<p>{sentence}</p>" for sentence in sentences)
    (project.folder / "helm.html").write_text(
        f"<title>Helme</title><div class=nav><ul>{menu}</ul></div><div class=article>"
        f"<h1>Helme</h1>{prose}</div>"
    )
    text = project.run("clean", "helm.html", *ALONE)
    assert text.stdout.splitlines() == ["Helme", *sentences]
    shown = project.run("clean", "helm.html", "--format", "json", *ALONE)
    record = json.loads(shown.stdout)
    assert record["text"].splitlines() == text.stdout.splitlines()
    labels = {one["text"]: one["label"] for one in record["paragraphs"]}
    assert (labels["Helme"], labels["Thema 1"]) == ("ooi-length", "boilerplate")
