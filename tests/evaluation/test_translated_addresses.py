"""Addresses whose folders are named in the page's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from pairing_site import LANGS, encode, make_page, page_id

from evaluation.translated_addresses import make_name, translate_addresses

if TYPE_CHECKING:
    from pathlib import Path

UP = {"de": "Kapitel 3. Größe und Gewicht", "it": "Capitolo 3. Dimensioni e peso"}
START = {"de": "Handbuch", "it": "Manuale"}


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Kapitel 3. Bevor Sie Größe wählen", "bevor-sie-groesse-waehlen"),
        ("Annexe C. Méthodes d'accès", "methodes-d-acces"),
        ("1.5 Notes", "notes"),
        ("A b c d e f g h", "b-c-d-e-f-g"),
        ("Χρήση", "χρηση"),
    ],
)
def test_folders_are_named_by_the_words_of_a_heading(title: str, name: str) -> None:
    assert make_name(title) == name


def test_a_page_stands_in_the_folders_above_it(tmp_path: Path) -> None:
    hard, plain = tmp_path / "site-hard", tmp_path / "site"
    hard.mkdir()
    rows, moved = ["path\tlang\tkey"], []
    pages = {}
    for lang, iso in zip(("de", "it"), LANGS, strict=True):
        folder = plain / "www" / lang
        folder.mkdir(parents=True)
        up = f'<link rel="up" href="ch.html" title="{UP[lang]}">'
        (folder / "page.html").write_text(
            f"<html><head><meta charset=utf-8>{up}</head>", "utf-8"
        )
        up = f'<link rel="up" href="start.html" title="{START[lang]}">'
        (folder / "ch.html").write_text(
            f"<html><head><meta charset=utf-8>{up}</head>", "utf-8"
        )
        up = '<link rel="up" href="/" title="">'
        (folder / "start.html").write_text(
            f"<html><head><meta charset=utf-8>{up}</head>", "utf-8"
        )
        rows.append(f"{lang}/page.html\t{lang}\tpage")
        path = f"p/{page_id(iso, 1)}"
        moved.append(f"{lang}/page.html\t{path}")
        url = f"http://a.example/{path}"
        pages[iso] = [make_page(iso, 1, [["wort"]], url=url)]
    (plain / "pages.tsv").write_text("\n".join(rows), "utf-8")
    (hard / "idmap.tsv").write_text("\n".join(moved), "utf-8")
    encoded, paths = translate_addresses(encode(pages), hard)
    assert paths == {
        f"p/{page_id('deu', 1)}": f"de/groesse-und-gewicht/{page_id('deu', 1)}",
        f"p/{page_id('ita', 1)}": f"it/dimensioni-e-peso/{page_id('ita', 1)}",
    }
    (page,) = encoded.pages["ita"]["a"]
    assert page.document.url.endswith(paths[f"p/{page_id('ita', 1)}"])
    (before,) = encode(pages).pages["ita"]["a"]
    assert np.array_equal(page.tokens, before.tokens)
