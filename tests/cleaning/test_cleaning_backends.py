"""What tells content from boilerplate can be chosen, and how much is kept."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from ilspfc.cleaning.content import backends
from ilspfc.cleaning.content.backends import Backend, is_installed
from ilspfc.cleaning.page import clean_page
from ilspfc.documents import Document

MENU = "".join(f'<li><a href="/{n}">Thema {n}</a></li>' for n in range(8))
SENTENCE = (
    "Wer auf einer Baustelle arbeitet, trägt einen Helm und feste Schuhe, denn"
    " herabfallende Gegenstände sind eine häufige Ursache schwerer Unfälle."
)
HIDDEN = (
    "Dieser Satz steht in einem Element, das erst ein Skript zeigt, und ist lang genug."
)
PAGE = (
    f"<html><head><title>Helme</title></head><body><nav><ul>{MENU}</ul></nav>"
    f"<h1>Helme</h1><p>{SENTENCE}</p><p>{SENTENCE.upper()}</p><div hidden><p>{HIDDEN}</p>"
    f'<a href="/falle">Falle</a></div><ul>{MENU}</ul><footer>© 2026 Fachstelle</footer>'
    "</body></html>"
)


def clean(backend: str, threshold: float = 0.5) -> Document:
    document = clean_page(
        PAGE.encode(),
        url="http://example.org/",
        identity="x",
        backend=backend,
        threshold=threshold,
    )
    assert isinstance(document, Document)
    return document


def kept(backend: str, threshold: float = 0.5) -> list[str]:
    return [p.text for p in clean(backend, threshold).clean_paragraphs]


@pytest.mark.parametrize("backend", [Backend.LEARNED, Backend.BOILERPY3])
def test_prose_is_kept_and_menus_are_not(backend: Backend) -> None:
    texts = kept(backend)
    assert SENTENCE in texts
    assert not any(text.startswith("Thema") for text in texts)


def test_none_keeps_everything_that_readers_see() -> None:
    texts = [p.text for p in clean(Backend.NONE).paragraphs if p.crawlinfo is None]
    assert SENTENCE in texts
    assert "© 2026 Fachstelle" in texts
    assert HIDDEN not in texts


def test_only_the_learned_backend_sees_hidden_text_and_no_single_link_in_it() -> None:
    for backend in (Backend.LEARNED, Backend.BOILERPY3, Backend.NONE):
        document = clean(backend)
        has_hidden = any(p.text == HIDDEN for p in document.paragraphs)
        assert has_hidden == (backend is Backend.LEARNED)
        assert not any(link.url.endswith("/falle") for link in document.links)


def test_a_higher_threshold_keeps_less() -> None:
    counts = [len(kept("learned", at)) for at in (0.0, 0.3, 0.5, 0.7, 0.9, 1.0)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]


def test_content_is_what_scores_at_least_the_threshold() -> None:
    for paragraph in clean("learned").paragraphs:
        assert paragraph.score is not None
        if paragraph.type != "title":
            assert (paragraph.crawlinfo == "boilerplate") == (paragraph.score < 0.5)
    assert all(p.score is None for p in clean("boilerpy3").paragraphs)


def test_trafilatura_decides_by_the_text_that_it_keeps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[str] = []

    def extract(text: str) -> str:
        given.append(text)
        return SENTENCE

    module = SimpleNamespace(extract=extract)
    monkeypatch.setitem(sys.modules, "trafilatura", module)
    assert kept("trafilatura") == ["Helme", SENTENCE] or kept("trafilatura") == [
        SENTENCE
    ]
    assert given[0] == PAGE


def test_trafilatura_that_keeps_nothing_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = SimpleNamespace(extract=lambda _: None)
    monkeypatch.setitem(sys.modules, "trafilatura", module)
    assert SENTENCE not in kept("trafilatura")


def test_an_extra_that_is_missing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "find_spec", lambda _: None)
    assert not is_installed("trafilatura")
    assert is_installed("learned")


def test_a_backend_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="readability"):
        clean("readability")
