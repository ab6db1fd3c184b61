"""Genre: shapes and words of pages, and the model that ships."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evaluation.train_genre import save_model
from ilspfc.classification import genre
from ilspfc.classification.genre import GENRES, GenreModel, measure_shape, read_words
from ilspfc.cleaning.page import clean_page
from ilspfc.documents import Document, Link, Metadata, Paragraph, ParagraphType

TEXT = "Wer auf dem Dach arbeitet, sichert sich gegen den Absturz. " * 12


def make_document(url: str = "http://a.org/forum/thread/12") -> Document:
    paragraphs = [
        Paragraph("Frage?", ParagraphType.TITLE),
        Paragraph("Preis 12 €, 2026"),
    ]
    document = Document("1", url, paragraphs, Metadata(type="Article", author="A"))
    document.meta = {"generator": "Discourse 3.1", "og:type": "article"}
    document.links = [Link("http://a.org/", "zur Liste")]
    return document


def test_words_are_those_of_path_and_declarations() -> None:
    assert read_words(make_document()) == {
        *("path:forum", "path:thread", "meta:generator", "meta:og:type"),
        *("type:article", "made by:discourse"),
    }


def test_a_page_without_anything_has_a_shape() -> None:
    empty = measure_shape(Document("1", "http://a.org/", []))
    full = measure_shape(make_document())
    assert empty.shape == full.shape
    assert np.isfinite(empty).all()
    assert np.isfinite(full).all()
    assert (empty != full).sum() > 8


def test_a_model_is_the_same_after_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(measure_shape(make_document()))
    weights = np.zeros((size + 1, len(GENRES)))
    weights[size, GENRES.index("forum")] = 3.0
    model = GenreModel(
        {"path:forum": 0}, np.zeros(size), np.ones(size), weights, np.zeros(len(GENRES))
    )
    name, probability = model.judge(make_document())
    assert name == "forum"
    assert probability == pytest.approx(np.exp(3) / (np.exp(3) + 6))
    save_model(tmp_path / "genre.npz", model)
    monkeypatch.setattr(genre, "files", lambda _: tmp_path)
    genre.shipped_model.cache_clear()
    try:
        assert genre.shipped_model().judge(make_document()) == (name, probability)
    finally:
        genre.shipped_model.cache_clear()


def test_the_shipped_model_tells_an_article_from_a_forum() -> None:
    article = (
        '<html><head><title>Dach</title><meta property="og:type" content="article">'
        '<meta name="author" content="A. Muster"></head><body><article><h1>Dach</h1>'
        + f"<p>{TEXT}</p>" * 6
        + "</article></body></html>"
    )
    url = "http://a.org/blog/2026/03/dach-sichern"
    document = clean_page(article.encode(), url=url, identity="1")
    assert isinstance(document, Document)
    name, probability = genre.shipped_model().judge(document)
    assert name == "article"
    assert 0.5 < probability <= 1
