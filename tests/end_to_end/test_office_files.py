"""A monolingual crawl over a site whose texts are HTML, PDF and Word files."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from conftest import SiteHandler
from crawled_corpus import CrawledCorpus, paragraphs
from file_examples import column, make_docx, make_pdf, word_paragraph

from ilspfc.cleaning.files.formats import FORMATS

if TYPE_CHECKING:
    from conftest import Project, Serve, Site

INDEX = """<html lang=de><title>Leitern</title><h1>Leitern und Dächer</h1><p>Wer auf einer
Leiter arbeitet, prüft sie vor jedem Gebrauch. Auch wer auf dem Dach arbeitet, sieht sich die
Stelle vorher an.</p><a href="/dach.pdf">Dach</a> <a href="/leiter.docx">Leiter</a>
<a href="/kaputt">Helm</a> <a href="/archiv.zip">Archiv</a>"""
PDF = make_pdf(
    [
        [
            (50, 790, 18, "Sicher auf dem Dach"),
            *column(
                50,
                740,
                [
                    "Wer auf dem Dach arbeitet, braucht eine Gefährdungsbeurteilung. Der",
                    "Arbeitgeber sieht sich die Stelle an und überlegt, wo ein Absturz droht.",
                ],
            ),
        ]
    ],
    "/Title (Sicher auf dem Dach) /Author (Fachstelle)",
)
DOCX = make_docx(
    word_paragraph("Leitern prüfen", "Titel")
    + word_paragraph(
        "Vor jedem Gebrauch wird die Leiter geprüft, und zwar von dem, der sie benutzt."
    )
    + word_paragraph(
        "Wer einen Schaden findet, sagt es dem Vorgesetzten und sperrt die Leiter."
    )
)


class OfficeHandler(SiteHandler):
    def respond(self) -> None:
        if self.path == "/":
            self.answer(INDEX)
        elif self.path == "/dach.pdf":
            self.answer(PDF, content_type="application/pdf")
        elif self.path == "/leiter.docx":
            self.answer(DOCX, content_type="application/octet-stream")
        elif self.path == "/kaputt":
            self.answer(b"%PDF-1.4 \0", content_type="application/pdf")
        else:
            self.answer(status=404)


@pytest.fixture(scope="module")
def site(serve: Serve) -> Site:
    pytest.importorskip("pypdfium2", reason="The extra [pdf] is not installed.")
    return serve(OfficeHandler)


@pytest.fixture(scope="module")
def project(make_project: Callable[[], Project], site: Site) -> Project:
    project = make_project()
    settings = {"CORPUS_DIR": "out", "WORKERS": "1"}
    result = project.crawl("monolingual", settings, lang="de", seeds=site.url)
    assert result.status == 0, result.stderr
    return project


@pytest.fixture(scope="module")
def corpus(project: Project) -> CrawledCorpus:
    return CrawledCorpus(project.folder / "out")


def test_files_of_all_formats_are_exported(corpus: CrawledCorpus) -> None:
    assert corpus.fates() == {
        "": "kept",
        "dach.pdf": "kept",
        "leiter.docx": "kept",
        "kaputt": "cleaning/unreadable",
    }
    documents = corpus.documents()
    assert any(
        text.endswith("überlegt, wo ein Absturz droht.")
        and "Gefährdungsbeurteilung. Der Arbeitgeber" in text
        for text in paragraphs(documents["dach.pdf"])
    )
    assert any(
        "sperrt die Leiter" in text for text in paragraphs(documents["leiter.docx"])
    )


def test_files_of_other_formats_are_not_asked_for(
    site: Site, corpus: CrawledCorpus
) -> None:
    assert corpus.stats["frontier/links_out_of_scope"] == 1
    assert "/archiv.zip" not in site.requests


def test_the_archive_gives_the_same_documents(
    project: Project, corpus: CrawledCorpus
) -> None:
    settings = {"CORPUS_DIR": "again"}
    result = project.crawl(
        "monolingual", settings, lang="de", warc="out/warc/*.warc.gz"
    )
    assert result.status == 0, result.stderr
    again = CrawledCorpus(project.folder / "again")
    assert again.contents("xml") == corpus.contents("xml")


def test_files_are_visited_again(
    project: Project, site: Site, corpus: CrawledCorpus
) -> None:
    before = corpus.contents("xml")
    settings = {"CORPUS_DIR": "out", "FRONTIER_REVISIT_AFTER": "0.001"}
    result = project.crawl("monolingual", settings, lang="de", seeds=site.url)
    assert result.status == 0, result.stderr
    assert site.requests.count("/dach.pdf") == site.requests.count("/leiter.docx") == 2
    assert corpus.contents("xml") == before


def test_without_the_formats_they_are_no_pages(project: Project, site: Site) -> None:
    count = site.requests.count("/dach.pdf")
    settings = {"CORPUS_DIR": "html", "CLEANING_FORMATS": ""}
    result = project.crawl("monolingual", settings, lang="de", seeds=site.url)
    assert result.status == 0, result.stderr
    fates = CrawledCorpus(project.folder / "html").fates()
    assert fates == {"": "kept", "kaputt": "cleaning/not_html"}
    assert site.requests.count("/dach.pdf") == count


def test_a_format_that_nobody_knows_is_an_error(project: Project, site: Site) -> None:
    settings = {"CLEANING_FORMATS": "pdf,rtf"}
    result = project.crawl("monolingual", settings, lang="de", seeds=site.url)
    assert result.status == 2
    assert (
        "CLEANING_FORMATS=pdf,rtf: no such choice: rtf; known are pdf, docx"
        in result.error
    )
    assert FORMATS["docx"].is_readable
