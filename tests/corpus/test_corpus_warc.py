"""WARC files as ilspfc writes them: valid, rolled over, whole again after a kill."""

from __future__ import annotations

import gzip
import os
import random
from io import FileIO
from pathlib import Path
from typing import Any

import pytest
from warc_examples import HTML, check, exchange, writer
from warcio.archiveiterator import ArchiveIterator

from ilspfc.corpus.warc import writer as warc
from ilspfc.corpus.warc.reader import whole_bytes
from ilspfc.corpus.warc.writer import format_request_head, format_response_head, restore

URL = "https://www.example.org/a?b=c"


def test_what_is_written_is_read_back_by_others(tmp_path: Path) -> None:
    body = gzip.compress("<p>Lärm macht krank".encode())
    headers = [*HTML, (b"Content-Encoding", b"gzip"), (b"Location", b"/\xfc")]
    archive = writer(tmp_path / "warc")
    archive.write(exchange(URL, body, headers))
    archive.close()
    [path] = (tmp_path / "warc").iterdir()
    assert check(path) == 0
    with path.open("rb") as stream:
        records = [
            (record.rec_type, record.rec_headers, record.content_stream().read())
            for record in ArchiveIterator(stream)
        ]
    assert [kind for kind, _, _ in records] == ["warcinfo", "response", "request"]
    info, response, request = (fields for _, fields, _ in records)
    assert info.get_header("WARC-Filename") == path.name
    assert b"operator: me@example.org" in records[0][2]
    assert records[1][2].decode() == "<p>Lärm macht krank"
    assert response.protocol == "WARC/1.1"
    assert response.get_header("WARC-Target-URI") == URL
    assert response.get_header("WARC-Date") == "2026-03-01T12:30:15Z"
    assert response.get_header("WARC-IP-Address") == "192.0.2.1"
    assert response.get_header("WARC-Payload-Digest").startswith("sha1:")
    assert response.get_header("WARC-Block-Digest").startswith("sha1:")
    identity = response.get_header("WARC-Record-ID")
    assert request.get_header("WARC-Concurrent-To") == identity
    # As it came, not as a library would put it.
    assert b"Location: /\xfc\r\n" in gzip.decompress(path.read_bytes())


def test_the_head_of_a_response_says_the_truth_of_its_body() -> None:
    head = format_response_head(
        "HTTP/1.1",
        200,
        [
            (b"Transfer-Encoding", b"chunked"),
            (b"Content-Length", b"7"),
            (b"X-Odd", b"a\r\nb"),
        ],
        3,
    )
    assert head == (
        b"HTTP/1.1 200 OK\r\nX-Crawler-Transfer-Encoding: chunked\r\n"
        b"X-Crawler-Content-Length: 7\r\nContent-Length: 3\r\nX-Odd: a  b\r\n\r\n"
    )
    same = format_response_head("HTTP/1.0", 599, [(b"Content-Length", b"3")], 3)
    assert same == b"HTTP/1.0 599\r\nContent-Length: 3\r\n\r\n"


def test_secrets_of_the_operator_are_not_archived() -> None:
    secret = [(b"Authorization", b"Basic x"), (b"Cookie", b"a=b"), (b"Accept", b"*/*")]
    head = format_request_head("GET", "https://me:x@example.org:8443/a?b", secret)
    assert head == b"GET /a?b HTTP/1.1\r\nHost: example.org:8443\r\nAccept: */*\r\n\r\n"


def test_a_new_file_is_begun_at_the_size(tmp_path: Path) -> None:
    archive = writer(tmp_path, max_bytes=2500)
    for number in range(6):
        archive.write(exchange(f"{URL}{number}", random.Random(number).randbytes(500)))
    opened = sorted(path.name for path in tmp_path.iterdir())
    assert [name.endswith(".open") for name in opened] == [False, False, True]
    assert [name.split("-")[2][:5] for name in opened] == ["00000", "00001", "00002"]
    archive.close()
    assert check(*tmp_path.glob("*.warc.gz")) == 0
    assert len(list(tmp_path.iterdir())) == 3


def test_nothing_is_written_before_the_first_record(tmp_path: Path) -> None:
    writer(tmp_path / "warc").close()
    assert not (tmp_path / "warc").exists()


def test_a_name_is_not_taken_twice(tmp_path: Path) -> None:
    for _ in range(3):  # within a second, or two
        archive = writer(tmp_path)
        archive.write(exchange(URL))
        archive.close()
    assert len(list(tmp_path.glob("*.warc.gz"))) == 3


def test_a_file_cut_off_anywhere_is_cut_back_to_whole_records(tmp_path: Path) -> None:
    folder = tmp_path / "whole"
    archive = writer(folder)
    for number in range(3):
        archive.write(exchange(f"{URL}{number}", os.urandom(40)))
    [path] = folder.glob("*.open")  # each record is in the file at once
    data = path.read_bytes()
    archive.close()
    ends = [end for end in range(len(data) + 1) if _is_whole(data[:end])]
    assert len(ends) == 8  # nothing, warcinfo, three responses and requests
    for size in sorted(
        {*range(0, len(data), 61), *ends, *(end - 1 for end in ends[1:])}
    ):
        cut = tmp_path / f"cut{size}"
        cut.mkdir()
        (cut / "a.warc.gz.open").write_bytes(data[:size])
        restore(cut)
        left = max(end for end in ends if end <= size)
        if left:
            assert (cut / "a.warc.gz").read_bytes() == data[:left]
            assert check(cut / "a.warc.gz") == 0
        assert len(list(cut.iterdir())) == bool(left)


def _is_whole(data: bytes) -> bool:
    try:
        gzip.decompress(data)
    except (EOFError, gzip.BadGzipFile):
        return False
    return True


def test_a_damaged_end_is_cut_off_too(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz.open"
    good = gzip.compress(b"WARC/1.1")
    path.write_bytes(good + b"\0" * 512)
    assert whole_bytes(path) == len(good)


def test_a_full_disk_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(FileIO):
        is_full = False

        def write(self, data: Any) -> int:
            return super().write(data[:10] if Full.is_full else data)

    monkeypatch.setattr(warc, "FileIO", Full)
    archive = writer(tmp_path)
    archive.write(exchange(URL))
    [path] = tmp_path.iterdir()
    before = path.read_bytes()
    Full.is_full = True
    with pytest.raises(OSError, match="No space left"):
        archive.write(exchange(URL))
    assert path.read_bytes() == before
    Full.is_full = False
    archive.write(exchange(URL))
    archive.close()
    assert check(*tmp_path.iterdir()) == 0
