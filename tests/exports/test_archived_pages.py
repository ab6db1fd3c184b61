"""Pages as fetched, from the WARC files of a corpus."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest
from small_corpus import SmallCorpus

from ilspfc.corpus.warc.writer import (
    Exchange,
    WarcWriter,
    digest,
    format_response_head,
)
from ilspfc.corpus.xml import replace_sources
from ilspfc.exceptions import ArgumentError
from ilspfc.exports.archived_pages import ArchivedPages, to_utf_8, write_pages

PAGE = '<html><meta charset="iso-8859-1"><p>Grüße aus Köln</html>'
HEAD = [(b"Content-Type", b"text/html; charset=iso-8859-1")]


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    """A corpus of two documents: the record of one is named, of the other lost."""
    corpus = SmallCorpus(tmp_path)
    body = gzip.compress(PAGE.encode("latin-1"), mtime=0)
    writer = WarcWriter(corpus.files.archive, {}, max_bytes=10_000, prefix="t")
    for name, source in (("d1", digest(body)), ("d2", digest(b"never written"))):
        corpus.add(name, "deu", ["Grüße aus Köln"])
        headers = [*HEAD, (b"Content-Encoding", b"gzip")]
        head = format_response_head("HTTP/1.1", 200, headers, len(body))
        url, now = f"http://a.org/{name}", datetime.now(UTC)
        writer.write(Exchange(url, now, b"GET / HTTP/1.1\r\n\r\n", head, body))
        path = corpus.files.documents / f"deu-{name}.xml"
        path.write_bytes(replace_sources(path.read_bytes(), [source]))
    writer.close()
    return corpus


def test_pages_stand_beside_their_documents_in_utf_8(corpus: SmallCorpus) -> None:
    stale = corpus.files.documents / "deu-gone.html"
    stale.touch()
    with corpus.open() as opened:
        assert write_pages(opened) == 2
        assert write_pages(opened) == 2  # the record is named still
        entries = opened.index.documents()
        names = [opened.read(entry).sources[0] for entry in entries]
    assert names == ["deu-d1.html", "deu-d2.html"]
    for name in names:
        text = (corpus.files.documents / name).read_text("utf-8")
        assert text == PAGE.replace("iso-8859-1", "utf-8")
    assert not stale.exists()


@pytest.mark.parametrize(
    "name", ["d1", "deu-d1.xml", "http://a.org/d1", "http://a.org/d2"]
)
def test_a_page_is_found_by_many_names(name: str, corpus: SmallCorpus) -> None:
    with corpus.open() as opened:
        page = ArchivedPages(opened).find(name)
    assert page.suffix == ".html"
    assert "Köln" in page.data.decode()


def test_an_unknown_page_is_named(corpus: SmallCorpus) -> None:
    with corpus.open() as opened:
        pages = ArchivedPages(opened)
        for name in ("nope", "http://a.org/none", "sha1:NONE"):
            with pytest.raises(ArgumentError, match=f"{name}: no such page"):
                pages.find(name)
        with pytest.raises(ArgumentError, match="give it as https"):
            pages.find("ftp://a.org/")


@pytest.mark.parametrize(
    ("page", "is_said"),
    [
        ('<meta content="text/html; charset=latin1">ä', "charset=utf-8"),
        ('<?xml version="1.0" encoding="iso-8859-1"?><p>ä', 'encoding="utf-8"'),
        ("<p>charset=latin1 ä", "charset=latin1"),
    ],
)
def test_only_declarations_are_changed(page: str, is_said: str) -> None:
    text = to_utf_8(page.encode("latin-1"), "text/html; charset=iso-8859-1").decode()
    assert is_said in text
    assert "ä" in text
