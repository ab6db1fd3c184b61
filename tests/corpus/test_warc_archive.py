"""Answers found in WARC files: ours, Common Crawl's, wget's, and damaged ones."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from warc_examples import (
    DATE,
    answer,
    exchange,
    record,
    write_compressed,
    write_plain,
    writer,
)

from ilspfc.corpus.warc import reader as warc_records
from ilspfc.corpus.warc.lookup import WarcArchive, iter_by_digest
from ilspfc.corpus.warc.reader import (
    DamagedError,
    find_problem,
    join_chunks,
    parse_http,
)

SITE = "http://www.example.org/"
LIMIT = 100_000
Write = "Callable[..., Path]"
WRITERS = pytest.mark.parametrize("write", [write_plain, write_compressed])


def _name_of(value: object) -> str | None:
    """Name a test after what stays the same at every run."""
    return "bytes" if isinstance(value, bytes) else None


def index(*paths: Path) -> WarcArchive:
    archive = WarcArchive(paths, ["text/html"])
    archive.index()
    return archive


def body(archive: WarcArchive, url: str) -> bytes | None:
    found = archive.read(url, LIMIT)
    return found.body if found else None


def test_what_was_written_is_found(tmp_path: Path) -> None:
    warc = writer(tmp_path)
    payload = gzip.compress(b"<p>text")
    headers = [(b"Content-Type", b"text/html"), (b"Content-Encoding", b"gzip")]
    warc.write(exchange(SITE, payload, headers))
    warc.write(exchange(f"{SITE}robots.txt", b"User-agent: *"))
    warc.close()
    archive = index(*tmp_path.iterdir())
    found = archive.read(SITE, LIMIT)
    assert found is not None
    assert (found.url, found.date, found.status) == (SITE, DATE, 200)
    assert found.body == payload  # Scrapy decompresses, within its limits
    assert dict(found.headers)[b"Content-Encoding"] == b"gzip"
    assert list(archive.pages()) == [SITE]
    assert archive.read(f"{SITE}other", LIMIT) is None
    assert f"{SITE}other" not in archive
    assert f"{SITE}robots.txt" in archive
    assert archive.counts == {"response": 2}


@WRITERS
def test_records_of_others_are_read(tmp_path: Path, write: Callable[..., Path]) -> None:
    """As Common Crawl, wget and old crawlers write them."""
    chunked = b"4\r\n<p>a\r\n1\r\nb\r\n0\r\n\r\n"
    packed = gzip.compress(b"<p>packed")
    path = write(
        tmp_path / "a.warc",
        record("", b"software: x\r\n", kind="warcinfo"),
        record(f"{SITE}1", b"GET /1 HTTP/1.0\r\n\r\n", kind="request"),
        record(f"{SITE}1", answer(b"<p>1", version="1.0")),
        record(f"<{SITE}2>", answer(chunked, "transfer-encoding: Chunked")),
        record(f"{SITE}3", answer(b"<p>3", "Transfer-Encoding: chunked")),
        record(f"{SITE}4", answer(packed, "Content-Encoding: gzip")),
        record(f"{SITE}5", answer(b"<p>5", "Content-Encoding: gzip")),
        record(f"{SITE}6", answer(b"<p>6", status="200")),
        record(f"{SITE}7", answer(b"", "Location: /1", status="301 Moved")),
        record(f"{SITE}8", answer(b""), kind="revisit"),
        record(f"{SITE}9", answer(b"", status="304 Not Modified")),
        record(f"{SITE}10", b"HTTP/1.1 200 OK\nContent-Type: image/png\n\nx"),
        record("dns:www.example.org", b"192.0.2.1", kind="response"),
        record(f"{SITE}11", b"a: b", kind="metadata"),
        record(f"{SITE}12", b"HTTP/2 200\r\n\r\n<p>no type"),
    )
    archive = index(path)
    bodies = {n: body(archive, f"{SITE}{n}") for n in range(1, 13)}
    assert bodies == {
        1: b"<p>1",
        2: b"<p>ab",
        3: b"<p>3",
        4: packed,
        5: b"<p>5",
        6: b"<p>6",
        7: b"",
        8: None,
        9: None,
        10: b"x",
        11: None,
        12: b"<p>no type",
    }
    pages = [url.removeprefix(SITE) for url in archive.pages()]
    assert pages == ["1", "2", "3", "4", "5", "6", "12"]
    assert archive.counts == {"response": 9, "revisit": 2}
    names = {
        name.lower()
        for number in (2, 3, 5)
        for name, _ in archive.read(f"{SITE}{number}", LIMIT).headers  # type: ignore[union-attr]
    }
    assert names == {b"content-type"}


@WRITERS
def test_resources_are_answers_of_their_media_type(
    tmp_path: Path, write: Callable[..., Path]
) -> None:
    page = b"<p>HTTP/1.1 200 OK\r\n\r\nis no header here."
    path = write(
        tmp_path / "a.warc",
        record(
            f"{SITE}a",
            page,
            kind="resource",
            media_type="text/html; charset=utf-8",
            WARC_Block_Digest="sha1:A",
        ),
        record(f"{SITE}b.png", b"\x89PNG", kind="resource", media_type="image/png"),
        record("urn:text:1", b"text", kind="resource", media_type="text/plain"),
        record(f"{SITE}c", b"x: y", kind="metadata", media_type="text/html"),
    )
    archive = index(path)
    assert list(archive.pages()) == [f"{SITE}a"]
    assert f"{SITE}c" not in archive
    found = archive.read(f"{SITE}a", LIMIT)
    assert found is not None
    assert (found.status, found.body, found.payload_digest) == (200, page, "sha1:A")
    assert dict(found.headers)[b"Content-Type"].startswith(b"text/html; charset=utf-8")
    assert archive.counts == {"resource": 2}
    assert [one.body for one in iter_by_digest([path], {"sha1:A"}, LIMIT)] == [page]


def test_of_several_answers_the_newest_good_one_counts(tmp_path: Path) -> None:
    def at(day: int, text: bytes, **kwargs: str) -> bytes:
        return record(SITE, answer(text, **kwargs), date=f"2026-03-{day:02}T00:00:00Z")

    newest = write_plain(tmp_path / "1.warc", at(3, b"3"), at(2, b"2"))
    failed = write_plain(tmp_path / "2.warc", at(4, b"4", status="503 Busy"))
    assert body(index(newest, failed), SITE) == b"3"
    assert body(index(failed, newest), SITE) == b"3"
    assert body(index(failed), SITE) == b"4"
    gone = write_plain(tmp_path / "3.warc", at(5, b"5", status="404 Not Found"))
    assert body(index(gone, newest), SITE) == b"5"


SESSION = "3f09ab12cd4e5f60718293a4b5c6d7e8"


def test_a_url_is_found_in_another_spelling(tmp_path: Path) -> None:
    path = write_plain(
        tmp_path / "a.warc",
        record(
            f"{SITE}a?PHPSESSID={SESSION}",
            answer(b"", "Location: /a", status="302 Found"),
        ),
        record(f"{SITE}a", answer(b"a")),
        record("HTTP://WWW.Example.org/b?x=1&utm_source=y", answer(b"-")),
        record("http://www.example.org:80/b?utm_source=y&x=1", answer(b"b")),
    )
    archive = index(path)
    assert body(archive, f"{SITE}a") == b"a"
    assert body(archive, f"{SITE}a#top") == b"a"
    assert body(archive, f"{SITE}a?PHPSESSID={SESSION}") == b""
    assert body(archive, f"{SITE}a?PHPSESSID={SESSION[::-1]}") == b"a"
    assert body(archive, f"{SITE}b?x=1") == b"b"


@WRITERS
def test_damaged_records_are_passed_over(
    tmp_path: Path, write: Callable[..., Path]
) -> None:
    random_bytes = random.Random(1).randbytes(2000)
    records = [record(f"{SITE}{n}", answer(random_bytes + b"%d" % n)) for n in range(5)]
    path = write(tmp_path / "a.warc", *records)
    data = bytearray(path.read_bytes())
    whole = write(tmp_path / "b.warc", *records[:2]).stat().st_size
    # The third record loses its length or its middle, the last its end.
    broken = data[whole:].replace(b"Content-Length: ", b"Content-Length: 9", 1)
    broken[900:910] = b"\0" * 10
    path.write_bytes(data[:whole] + broken[:-100])
    archive = index(path)
    assert [url.removeprefix(SITE) for url in archive.pages()] == ["0", "1", "3"]
    assert archive.counts == {"response": 3, "damaged": 2}


def test_odd_records_are_counted_and_passed_over(tmp_path: Path) -> None:
    path = write_compressed(
        tmp_path / "a.warc.gz",
        record(f"{SITE}1", b"no answer at all"),
        record(f"{SITE}2", answer(b""), date="yesterday"),
        record("http://www.example.org:99999/", answer(b"")),
        record(f"{SITE}3", answer(b"3")).replace(b"Content-Length: ", b"X: ", 1),
        record(f"{SITE}4", answer(b"4")),
    )
    archive = index(path)
    assert list(archive.pages()) == [f"{SITE}4"]
    assert archive.counts == {"response": 1, "damaged": 4}


@pytest.mark.parametrize(
    ("old", "new", "is_read"),
    [
        (b"Content-Length: ", b"content-length:", True),
        (b"WARC-Record-ID: ", b"WARC-Record-ID:\r\n  ", True),
        (b"\r\n", b"\n", True),
        (b"Content-Length: ", b"Content-Length: -", False),
        (b"Content-Length: ", b"Content-Length: x", False),
        (b"WARC/1.0", b"WARC/9.0", False),
        (b"WARC/1.0", b"HTTP/1.0", False),
    ],
)
def test_the_head_of_a_record(
    tmp_path: Path, old: bytes, new: bytes, *, is_read: bool
) -> None:
    head, _, block = record(SITE, answer(b"1")).partition(b"\r\n\r\n")
    changed = (head + b"\r\n\r\n").replace(old, new) + block
    archive = index(write_compressed(tmp_path / "a.warc.gz", changed))
    assert list(archive.pages()) == ([SITE] if is_read else [])
    assert archive.counts == ({"response": 1} if is_read else {"damaged": 1})


def test_a_body_beyond_the_limit_is_cut(tmp_path: Path) -> None:
    path = write_compressed(
        tmp_path / "a.warc.gz",
        record(f"{SITE}1", answer(b"x" * 1000)),
        record(f"{SITE}2", answer(b"x" * 300_000)),
    )
    archive = index(path)
    for name, limit, is_cut in (("1", 999, True), ("1", 1000, False), ("2", 9, True)):
        found = archive.read(SITE + name, limit)
        assert found is not None
        assert (found.is_cut, len(found.body)) == (is_cut, limit)


def test_an_archive_that_has_gone_is_an_error(tmp_path: Path) -> None:
    path = write_compressed(tmp_path / "a.warc.gz", record(SITE, answer(b"")))
    archive = index(path)
    path.write_bytes(b"")
    with pytest.raises(DamagedError):
        archive.read(SITE, LIMIT)
    path.unlink()
    with pytest.raises(OSError, match="No such file"):
        archive.read(SITE, LIMIT)


def test_an_empty_index_finds_nothing() -> None:
    archive = index()
    assert (list(archive.pages()), SITE in archive) == ([], False)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (None, "cannot be read (No such file"),
        (b"", "does not begin with a WARC record"),
        (b"<html>", "does not begin with a WARC record"),
        (gzip.compress(b"<html>", mtime=0), "does not begin with a WARC record"),
        (b"\x1f\x8b\x08zzzz", "does not begin with a WARC record"),
        (gzip.compress(record(SITE, answer(b"")) * 2, mtime=0), "warcio recompress"),
        (record(SITE, answer(b"")), ""),
        (gzip.compress(record(SITE, answer(b""))), ""),
    ],
    ids=_name_of,
)
def test_what_is_no_warc_file_is_told(
    tmp_path: Path, data: bytes | None, problem: str
) -> None:
    path = tmp_path / "a.warc"
    if data is not None:
        path.write_bytes(data)
    found = find_problem(path)
    assert problem in found
    assert bool(found) == bool(problem)


def test_a_folder_is_no_warc_file(tmp_path: Path) -> None:
    assert "cannot be read" in find_problem(tmp_path)


@pytest.mark.parametrize(
    ("data", "joined"),
    [
        (b"3\r\nabc\r\n0\r\n\r\n", b"abc"),
        (b"3\r\nabc\r\n0\r\nExpires: x\r\n\r\n", b"abc"),
        (b"3\nabc\n0\n\n", b"abc"),
        (b"3\r\nabc\r\n5\r\nde", b"abcde"),  # cut off
        (b"3\r\nabc\r\nnonsense", b"abc"),
        (b"0\r\n\r\n", b""),
        (b"", b""),
        (b"abc\r\nis no chunk", b"abc\r\nis no chunk"),
        (b"<p>no chunks", b"<p>no chunks"),
    ],
)
def test_chunks_are_joined(data: bytes, joined: bytes) -> None:
    assert join_chunks(data) == joined


def test_a_folded_header_is_one(tmp_path: Path) -> None:
    message = parse_http(b"HTTP/1.0 200 OK\r\nA: b\r\n  c\r\nbroken\r\nD:e\r\n\r\nx")
    assert message.headers == ((b"A", b"b c"), (b"D", b"e"))
    assert message.header(b"d") == b"e"


def test_a_damaged_stretch_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each line of it may begin a record; none is read to the end of the stretch."""
    sizes: list[int] = []
    parse = warc_records._parse_head

    def count(head: bytes) -> object:
        sizes.append(len(head))
        return parse(head)

    monkeypatch.setattr(warc_records, "_parse_head", count)
    stretch = b"WARC/1.0\r\nno field\r\n" * 5000
    good = record(f"{SITE}1", answer(b"1"))
    path = write_plain(tmp_path / "a.warc", good, stretch, good)
    found = [one and one.url for one in warc_records.iter_records(path)]
    assert found[-2:] == [None, f"{SITE}1"]
    assert sum(sizes) <= 2 * path.stat().st_size
