"""The model as it ships: numbers alone, the same scores everywhere, prose before menus."""

from __future__ import annotations

import io
import pickle
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np
import pytest
from lxml import etree

from evaluation.cleaning_pages import write_model
from ilspfc.cleaning.blocks.walk import read_blocks
from ilspfc.cleaning.content.block_features import PageFeatures, read_features
from ilspfc.cleaning.content.block_model import (
    MODEL_NAME,
    ParagraphModel,
    shipped_model,
)

if TYPE_CHECKING:
    from ilspfc.cleaning.blocks.parsed import ParsedPage

MAX_BYTES = 3_000_000
SENTENCES = (
    (
        "Wer auf einer Baustelle arbeitet, trägt einen Helm und feste Schuhe, denn"
        " herabfallende Gegenstände sind eine häufige Ursache schwerer Unfälle."
    ),
    "Die Ausrüstung stellt der Betrieb, und er sorgt dafür, dass sie geprüft wird.",
    (
        "Beschädigte Teile werden nicht mehr benutzt, sondern sofort gemeldet, ersetzt und"
        " aus dem Verkehr gezogen, damit niemand zu Schaden kommt."
    ),
)
MENU = "".join(f'<li><a href="/{n}">Thema {n}</a></li>' for n in range(8))
PAGE = (
    f"<html><body><div id=top><ul>{MENU}</ul></div><div class=x><h1>Helme</h1>"
    + "".join(f"<p>{sentence}</p>" for sentence in SENTENCES * 3)
    + f"</div><div><ul>{MENU}</ul><p>© 2026</p></div></body></html>"
)


def parse(html: str) -> ParsedPage:
    return read_blocks(etree.fromstring(html, etree.HTMLParser()), keep_hidden=True)


def features(html: str, title: str = "") -> PageFeatures:
    return read_features(parse(html), title)


def test_the_model_fits_the_features() -> None:
    page = features(PAGE)
    assert len(page.values) == shipped_model().columns
    probabilities = shipped_model().predict(page)
    assert probabilities.shape == page.words.shape
    assert ((probabilities > 0) & (probabilities < 1)).all()


def test_prose_is_content_and_menus_are_not() -> None:
    page = parse(PAGE)
    probabilities = shipped_model().predict(read_features(page, "Helme"))
    by_tag: dict[str, list[float]] = {"p": [], "li": []}
    for block, probability in zip(page.blocks, probabilities, strict=True):
        if block.tag in by_tag and block.words > 1 and "©" not in block.text:
            by_tag[block.tag].append(float(probability))
    assert min(by_tag["p"]) > max(by_tag["li"])


def test_the_first_of_equal_texts_is_content() -> None:
    # A page that quotes its first post and shows it once more for narrow screens.
    post = f"<div class=post><p>{' '.join(SENTENCES)}</p></div>"
    others = [f"<div class=post><p>{sentence}</p></div>" for sentence in SENTENCES]
    html = f"<html><body><h1>Helme</h1>{post}{''.join(others)}{post}</body></html>"
    probabilities = shipped_model().predict(features(html, "Helme"))
    assert probabilities[1] > probabilities[-1] + 0.1


def test_no_word_of_a_language_counts() -> None:
    letters = str.maketrans("bdfgkmwz", "zwmkgfdb")
    text = etree.fromstring(PAGE, etree.HTMLParser())
    for element in text.iter():
        if element.text:
            element.text = element.text.translate(letters)
    other = read_features(read_blocks(text, keep_hidden=True), "")
    assert (other.values == features(PAGE).values).all()


def test_a_model_is_written_and_read_back_byte_by_byte() -> None:
    shipped = (
        resources.files("ilspfc.cleaning.content").joinpath(MODEL_NAME).read_bytes()
    )
    written = io.BytesIO()
    write_model(ParagraphModel.read(io.BytesIO(shipped)), written)
    assert written.getvalue() == shipped
    assert len(shipped) <= MAX_BYTES


def test_a_model_that_could_run_code_is_refused() -> None:
    file = io.BytesIO()
    np.savez(file, enter=np.array([print], dtype=object))
    with pytest.raises(ValueError, match="pickle"):
        ParagraphModel.read(io.BytesIO(file.getvalue()))
    with pytest.raises((ValueError, pickle.UnpicklingError)):
        ParagraphModel.read(io.BytesIO(pickle.dumps(print)))
