"""A function of the user's tells content from boilerplate, on all pages or on doubtful ones."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ilspfc.cleaning.content import backends
from ilspfc.cleaning.page import clean_page
from ilspfc.documents import Document

GUIDE = Path(__file__).parents[2] / "docs" / "cleaning.md"
OWN = "Die Saline von Trapani liefert seit dem Mittelalter Salz für die halbe Insel."
OTHER = (
    "Wer hier weiterliest, stimmt der Nutzung von Keksen durch uns zu, und zwar gern."
)
PAGE = (
    f"<html><head><title>Salz</title></head><body><p>{OTHER}</p>"
    f"<article><p>{OWN}</p></article></body></html>"
)


@pytest.fixture
def set_function(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], str]:
    """Return a function that has a function of the user's loaded from any path."""

    def set_it(function: object) -> str:
        monkeypatch.setattr(backends, "load_function", lambda _: function)
        return "mine.backends.extract"

    return set_it


def clean(backend: str) -> Document:
    document = clean_page(
        PAGE.encode(), url="http://example.org/", identity="x", backend=backend
    )
    assert isinstance(document, Document)
    return document


def kept(document: Document) -> list[str]:
    return [one.text for one in document.clean_paragraphs]


def test_the_backend_of_the_docs_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = GUIDE.read_text("utf-8").split("### A backend of your own")[1]
    found = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert found is not None
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "backends.py").write_text(found[1], "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    document = clean("mine.backends.extract")
    assert kept(document) == [OWN]
    assert not document.backend_error
    # The score was of the learned result.
    assert document.cleaning_score is None
    backends.load_function.cache_clear()
    for name in ("mine.backends", "mine"):
        del sys.modules[name]


def test_a_function_gets_markup_and_url_and_gives_text_or_lines(
    set_function: Callable[[object], str],
) -> None:
    given: list[tuple[bytes, str]] = []

    def extract(html: bytes, url: str) -> str:
        given.append((html, url))
        return OTHER

    assert kept(clean(set_function(extract))) == [OTHER]
    assert given == [(PAGE.encode(), "http://example.org/")]
    assert kept(clean(set_function(lambda *_: [OTHER, OWN]))) == [OTHER, OWN]
    assert kept(clean(set_function(lambda *_: ""))) == []


@pytest.mark.parametrize(("bound", "is_asked"), [(0.0, False), (1.1, True)])
def test_doubtful_pages_alone_are_asked_for(
    set_function: Callable[[object], str],
    monkeypatch: pytest.MonkeyPatch,
    bound: float,
    is_asked: bool,
) -> None:
    monkeypatch.setattr(backends, "ASKED_BELOW", bound)
    learned = clean("learned")
    document = clean(f"learned,{set_function(lambda *_: OTHER)}")
    assert kept(document) == ([OTHER] if is_asked else kept(learned))
    score = None if is_asked else learned.cleaning_score
    assert document.cleaning_score == score


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (None, "mine.backends.extract: TypeError: gave NoneType, no text"),
        (
            [1],
            "mine.backends.extract: TypeError: sequence item 0: expected str instance",
        ),
        (OSError("no\nserver"), "mine.backends.extract: OSError: no server"),
    ],
)
def test_an_error_of_the_function_leaves_the_learned_result(
    set_function: Callable[[object], str], answer: object, error: str
) -> None:
    def extract(*_: object) -> object:
        if isinstance(answer, Exception):
            raise answer
        return answer

    document, learned = clean(set_function(extract)), clean("learned")
    assert document.backend_error.startswith(error)
    assert document.paragraphs == learned.paragraphs
    assert document.cleaning_score == learned.cleaning_score


def test_a_page_has_the_f1_that_the_learned_backend_expects() -> None:
    score = clean("learned").cleaning_score
    assert score is not None
    assert 0 < score <= 1
    for backend in ("boilerpy3", "none"):
        assert clean(backend).cleaning_score is None
    empty = clean_page(b"<p></p>", url="http://example.org/", identity="x")
    assert isinstance(empty, Document)
    assert empty.cleaning_score is None
