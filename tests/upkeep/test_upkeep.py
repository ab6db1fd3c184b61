"""Corpora of cesDoc files that no crawl of ours has made, and corpora merged."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from scrapy.settings import Settings
from small_corpus import SmallCorpus

from ilspfc import settings as defaults
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.warc.writer import Exchange, WarcWriter, format_response_head
from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.upkeep.imports import ImportReason, make_corpus, scan_folder
from ilspfc.upkeep.merging import merge_corpora
from ilspfc.upkeep.reindex import recover


@pytest.fixture
def small(tmp_path: Path) -> SmallCorpus:
    small = SmallCorpus(tmp_path / "small")
    small.add("d1", "deu", ["Die Bienen fliegen von Blüte zu Blüte."])
    small.add("i1", "ita", ["Le api volano di fiore in fiore."])
    return small


def test_files_become_a_corpus_and_others_are_dropped_with_a_reason(
    small: SmallCorpus, tmp_path: Path
) -> None:
    folder = small.files.documents
    (folder / "deu-bad.xml").write_text("<cesDoc>")
    same = (folder / "deu-d1.xml").read_bytes()
    (folder / "deu-same.xml").write_bytes(same)
    found = scan_folder(folder, tmp_path / "new")
    assert found.langs == ("deu", "ita")
    assert {reason for reason, _ in found.dropped} == {
        ImportReason.UNREADABLE,
        ImportReason.SAME_URL,
    }
    make_corpus(found, tmp_path / "new", ["ita"])
    with CorpusIndex(tmp_path / "new" / "corpus.db") as index:
        assert sorted(one.url for one in index.documents()) == [
            "http://a.org/d1",
            "http://a.org/i1",
        ]
        assert index.last_run()["langs"] == ["ita", "deu"]


def test_a_folder_without_use_is_one_line(small: SmallCorpus, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"no \*\.xml there"):
        scan_folder(tmp_path, tmp_path / "new")
    with pytest.raises(CorpusError, match="holds a corpus already"):
        scan_folder(small.files.documents, small.files.root)


def test_corpora_are_merged_into_a_new_folder_alone(
    small: SmallCorpus, tmp_path: Path
) -> None:
    root = small.files.root
    with small.open() as corpus:
        settings = corpus.settings
    with pytest.raises(ArgumentError, match="is not empty"):
        merge_corpora(root, [root], settings)
    with pytest.raises(ArgumentError, match="given twice"):
        merge_corpora(tmp_path / "out", [root, root], settings)
    assert not (tmp_path / "out").exists()


def test_failures_are_rebuilt_in_the_words_of_the_crawl(small: SmallCorpus) -> None:
    urls = {
        "http://a.org/busy": 429,
        "http://a.org/gone": 404,
        "http://a.org/paid": 402,
    }
    writer = WarcWriter(small.files.archive, {}, prefix="test")
    for url, status in urls.items():
        head = format_response_head("HTTP/1.1", status, [], 0)
        writer.write(
            Exchange(url, datetime.now(UTC), b"GET / HTTP/1.1\r\n\r\n", head, b"")
        )
    writer.close()
    small.files.index.unlink()
    settings = Settings({"WORKERS": 0})
    settings.setmodule(defaults, priority="default")
    given = {"langs": "de,it", "domain": "none", "seeds": ",".join(urls)}
    counts, _ = recover(small.files.root, given, settings)
    assert counts["without_page"] == 2
    with CorpusIndex(small.files.index) as index:
        rows = index.rows("SELECT reason, cause, is_seed FROM failures ORDER BY url")
        assert list(rows) == [
            ("throttled", "HTTP 429", 1),
            ("http_error", "HTTP 404", 1),
            ("payment_required", "HTTP 402", 1),
        ]
