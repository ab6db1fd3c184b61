"""The pages of a corpus as files: every link leads to a file, nothing asks a server."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from small_corpus import SmallCorpus

from ilspfc.documents import DocumentPair, PairState, TranslationUnit
from ilspfc.exports.corpus_files import run_exports
from ilspfc.line.units import run_units

if TYPE_CHECKING:
    import pytest

TEXTS = ("Die Bienen fliegen im Sommer.", "Le api volano d'estate.")
SITE = {"EXPORTS_FORMATS": "site"}


def fill(corpus: SmallCorpus, number: int = 3) -> None:
    """Add pairs of documents with a unit each."""
    pairs = []
    for n in range(number):
        for prefix, lang, text in zip("di", ("deu", "ita"), TEXTS, strict=True):
            corpus.add(f"{prefix}{n}", lang, [f"{text} {n}"], title=f"<b>{prefix} {n}")
        pairs.append(DocumentPair(f"d{n}", f"i{n}", 0.9 - n / 10, "content", 0.5, ()))
    with corpus.open() as opened:
        opened.bitext.set_states("deu", "ita", dict.fromkeys(pairs, PairState.PAIR))
        for n, pair in enumerate(pairs):
            texts = [f"{text} {n}" for text in TEXTS]
            unit = TranslationUnit(texts[0], texts[1], "1:1", 0.9)
            opened.bitext.set_units(pair, [unit], null_share=0.0, mean_score=0.8)
        run_units(opened)


def read_pages(folder: Path) -> dict[str, str]:
    paths = folder.rglob("*.html")
    return {p.relative_to(folder).as_posix(): p.read_text("utf-8") for p in paths}


def check_links(folder: Path) -> dict[str, str]:
    """Return the pages; each is reached from the first one, and each link leads to a file."""
    pages = read_pages(folder)
    linked = {"index.html"}
    for name, page in pages.items():
        for href in map(unescape, re.findall(r'href="([^"]*)"', page)):
            if not href.startswith(("#", "http://a.org/")):
                path = (folder / name).parent / unquote(href.partition("#")[0])
                assert path.is_file(), (name, href)
                linked.add(path.resolve().relative_to(folder.resolve()).as_posix())
        assert not re.search(r"<script|<form|<button| hx-| src=|/c/|<b>", page), name
        assert len(page) < 60_000
    assert linked >= pages.keys()
    return pages


def test_pages_open_from_the_disk(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path / "the bees")
    fill(corpus)
    folder = corpus.files.root / "site"
    folder.mkdir()
    (folder / "documents").mkdir()
    for stale in ("old.html", "documents/old.html"):
        (folder / stale).touch()
    with corpus.open(**SITE) as opened:
        run_exports(opened)
        (line,) = opened.run["written"]
    pages = check_links(folder)
    details = {f"{prefix}{n}" for n in range(3) for prefix in "di"}
    assert {f"documents/{one}.html" for one in details} < pages.keys()
    assert {f"pairs/d{n}-i{n}.html" for n in range(3)} < pages.keys()
    assert {"index.html", "documents.html", "pairs.html", "units.html"} < pages.keys()
    assert not {name for name in pages if "old" in name}
    assert "6 documents." in pages["documents.html"]
    assert "d&#39;estate." in pages["pairs/d1-i1.html"]
    assert "&lt;b&gt;d 0" in pages["documents.html"]
    assert 'href="../report.css"' in pages["documents/d1.html"]
    files = len(pages) + 2
    assert line == f"{folder}: web pages; {files} files"


def test_the_same_corpus_gives_the_same_pages(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path / "bees")
    fill(corpus)
    found = []
    for _ in range(2):
        with corpus.open(**SITE) as opened:
            run_exports(opened)
        found.append(read_pages(corpus.files.root / "site"))
    assert found[0] == found[1]


def test_a_large_corpus_is_cut_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ilspfc.server.queries.PAGE_ROWS", 2)
    monkeypatch.setattr("ilspfc.server.site.PAGE_ROWS", 2)
    corpus = SmallCorpus(tmp_path / "bees")
    fill(corpus, 5)
    with corpus.open(EXPORTS_SITE_ROWS=4, **SITE) as opened:
        run_exports(opened)
    pages = check_links(corpus.files.root / "site")
    kinds = [name.partition("/")[0] for name in pages if "/" in name]
    assert (kinds.count("documents"), kinds.count("pairs")) == (4, 4)
    # The first ones of the list, over its pages.
    first = re.findall(r'href="documents/(\w+)', pages["documents.html"])
    assert len(set(first)) == 2
    assert 'rel="next" href="documents-2.html"' in pages["documents.html"]
    last = pages["documents-2.html"]
    assert "10 documents." in last
    assert "This copy ends here, after 4." in last
    assert "the first 4 documents, pairs and rows of each list" in pages["index.html"]
    assert 'rel="next"' not in last


def test_one_language_has_no_pages_of_pairs(tmp_path: Path) -> None:
    corpus = SmallCorpus(tmp_path / "bees")
    corpus.add("d1", "deu", [TEXTS[0]])
    with corpus.open(**SITE) as opened:
        opened.index.add_run({"langs": ["deu"]})
    with corpus.open(**SITE) as opened:
        run_exports(opened)
    pages = check_links(corpus.files.root / "site")
    assert {"index.html", "documents.html", "documents/d1.html"} <= pages.keys()
    assert not {name for name in pages if name.startswith(("pairs", "units"))}
