"""The work on a page: what comes back from a worker, and where a page's way ends."""

from __future__ import annotations

import pickle
import subprocess
import sys
from enum import StrEnum
from pathlib import Path

import pytest

from ilspfc.classification.definition import Domain, Term
from ilspfc.classification.relevance import ClassificationReason, Thresholds
from ilspfc.cleaning.page import CleaningReason
from ilspfc.corpus.xml import format_document, read_document
from ilspfc.crawl.fetched_page import FetchedPage, PageWork
from ilspfc.crawl.page_work import PageRules, PageWorker
from ilspfc.documents import Paragraph
from ilspfc.frontier.traps.seen_text import read_keys
from ilspfc.language.identification import LanguageReason
from ilspfc.optout.policy import OptOutReason

URL = "http://example.org/dach"
GERMAN = "Wer auf dem Dach arbeitet, muss sich mit einem Gurt gegen Absturz sichern."
MORE = "Der Arbeitgeber stellt die nötige Ausrüstung und prüft sie jedes Jahr."
ENGLISH = "This paragraph was left untranslated by whoever wrote this page for us."
DOMAIN = Domain("work", (Term(10.0, "Absturz", ("falls",), "deu"),))


def rules(**changes: object) -> PageRules:
    backend = {"backend": "none"}  # the text of a test is content
    given = {"langs": ("deu", "ita"), **changes}
    given.setdefault("page_options", backend)
    return PageRules(**given)  # type: ignore[arg-type]


def task(*texts: str, head: str = "", url: str = URL, **fields: object) -> FetchedPage:
    body = "".join(f"<p>{text}</p>" for text in texts)
    page = f"<html><head>{head}</head><body>{body}</body></html>"
    given = {"content_type": "text/html; charset=utf-8", "depth": 1, **fields}
    return FetchedPage(
        url=url,
        id="0123456789ab",
        fetched_at="2026-03-01",
        body=page.encode(),
        **given,  # type: ignore[arg-type]
    )


def work(page: FetchedPage, **changes: object) -> PageWork:
    return PageWorker(rules(**changes)).work(page)


def test_a_page_comes_back_without_its_text() -> None:
    done = work(task(*[GERMAN, MORE] * 20))
    stages = ("cleaning", "optout", "language", "classification")
    assert done.verdicts == dict.fromkeys(stages)
    assert done.document is not None
    assert done.document.paragraphs == []
    assert (done.paragraphs, done.clean_paragraphs) == (40, 40)
    assert (done.document.lang, done.document.tokens) == ("deu", 20 * 24)
    assert (done.document.depth, done.document.fetched_at) == (1, "2026-03-01")
    done.body = b""
    assert len(pickle.dumps(done)) < 40 * len(GERMAN)


@pytest.mark.parametrize("backend", ["learned", "none"])
def test_the_paragraphs_come_back_when_they_are_asked_for(backend: str) -> None:
    changes = {"domain": DOMAIN, "page_options": {"backend": backend}}
    page = task(GERMAN, ENGLISH, MORE)
    done = work(page, keeps_paragraphs=True, **changes)
    assert done.document is not None
    found = pickle.loads(pickle.dumps(done)).document.paragraphs
    assert [one.text for one in found] == [GERMAN, ENGLISH, MORE]
    assert found[0].topic == ("Absturz",)
    assert found[0].lang == "deu"
    assert found[0].score == done.document.paragraphs[0].score
    assert (found[0].score is None) is (backend == "none")
    # What export needs is made of them as they are then, and is otherwise the same.
    plain = work(page, **changes)
    assert (done.body, done.digest) == (b"", "")
    done.render(done.document)
    names = ("body", "digest", "paragraphs", "clean_paragraphs")
    assert [getattr(done, n) for n in names] == [getattr(plain, n) for n in names]


def test_the_file_is_that_of_the_whole_document(tmp_path: Path) -> None:
    done = work(task(GERMAN, MORE), domain=DOMAIN)
    assert done.document is not None
    file = tmp_path / "page.xml"
    file.write_bytes(format_document(done.document, body=done.body))
    found = read_document(file)
    assert [one.text for one in found.paragraphs] == [GERMAN, MORE]
    assert found.paragraphs[0].topic == ("Absturz",)
    assert format_document(found).count(b"<p id=") == 2


def test_terms_are_scored_and_words_are_read_for_the_learner() -> None:
    done = work(task(GERMAN, MORE), domain=DOMAIN, is_learning=True)
    assert done.document is not None
    assert (done.document.relevance, done.document.terms) == (10.0, 1)
    assert done.document.subdomains == ("falls",)
    assert done.words is not None
    assert work(task(GERMAN, MORE), domain=DOMAIN).words is None


def test_a_paragraph_in_another_language_is_no_clean_text_any_more() -> None:
    done = work(task(GERMAN, ENGLISH, MORE))
    assert done.text is not None
    assert (done.text.clean, done.clean_paragraphs) == (3, 2), "new text all the same"


NO_INDEX = '<meta name="robots" content="noindex">'
SCRIPTED = '<script src="/app.js"></script><div id="app"></div>'
RESERVED = '<meta name="tdm-reservation" content="1">'


@pytest.mark.parametrize(
    ("page", "stage", "reason"),
    [
        (
            task(GERMAN, content_type="image/png"),
            "cleaning",
            CleaningReason.NOT_HTML,
        ),
        (task(GERMAN, head=NO_INDEX), "cleaning", CleaningReason.NO_INDEX),
        (task(), "cleaning", CleaningReason.EMPTY),
        (task(head=SCRIPTED), "cleaning", CleaningReason.NEEDS_JAVASCRIPT),
        (task(head=NO_INDEX + SCRIPTED), "cleaning", CleaningReason.NO_INDEX),
        (task(GERMAN, head=RESERVED), "optout", OptOutReason.RESERVED),
        (task(ENGLISH, ENGLISH), "language", LanguageReason.OTHER_LANGUAGE),
        (task(GERMAN[:26]), "language", LanguageReason.TOO_SHORT),
        (
            task(MORE, MORE),
            "classification",
            ClassificationReason.OFF_TOPIC,
        ),
    ],
)
def test_a_page_goes_as_far_as_the_first_reason_against_it(
    page: FetchedPage, stage: str, reason: StrEnum
) -> None:
    done = work(page, domain=DOMAIN, min_tokens=8, thresholds=Thresholds(0, 0))
    assert list(done.verdicts.items())[-1] == (stage, reason)
    assert set(list(done.verdicts.values())[:-1]) <= {None}
    assert (done.body, done.digest) == (b"", "")
    is_document = reason is not CleaningReason.NOT_HTML
    assert (done.document is not None, done.text is not None) == (is_document,) * 2


def test_a_page_that_ends_early_says_nothing_of_later_stages() -> None:
    done = work(task(GERMAN, head=NO_INDEX + RESERVED), domain=DOMAIN)
    document = done.document
    assert document is not None
    assert (document.optouts, document.lang, document.relevance) == ((), "", 0.0)
    assert done.is_reserved, "the archive must know"
    assert done.text is not None
    assert done.text.clean_keys == read_keys(URL, [Paragraph(GERMAN)]).clean_keys


def test_versions_in_the_header_are_links() -> None:
    header = '<http://example.org/it>; rel="alternate"; hreflang="it"'
    done = work(task(GERMAN, link_header=header))
    assert done.document is not None
    assert [(one.url, one.hreflang) for one in done.document.links] == [
        ("http://example.org/it", "it")
    ]


def test_the_crawler_loads_nothing_that_only_workers_use() -> None:
    code = (
        "import ilspfc.crawl.job, ilspfc.pipelines.cleaning, sys;"
        "print(*{'scipy', 'htmldate', 'sklearn'} & sys.modules.keys())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == ""
