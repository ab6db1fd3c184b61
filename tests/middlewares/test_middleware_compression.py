"""Decompression within bounds."""

from __future__ import annotations

import gzip

import brotli  # type: ignore[import-untyped]
import pytest
from file_examples import zstd
from scrapy import Request
from scrapy.exceptions import DownloadCancelledError
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from ilspfc.middlewares.compression import CompressionMiddleware

MAX_BYTES = 100_000
TEXT = b"Gut. " * (MAX_BYTES // 5)


def _name_of(value: object) -> str | None:
    """Name a test after what stays the same at every run."""
    return "bytes" if isinstance(value, bytes) else None


def decompress(body: bytes, *encodings: str) -> bytes:
    crawler = get_crawler(settings_dict={"DOWNLOAD_MAXSIZE": MAX_BYTES})
    middleware = CompressionMiddleware.from_crawler(crawler)
    headers = {"Content-Encoding": list(encodings), "Content-Type": "text/html"}
    response = Response("http://example.org/", headers=headers, body=body)
    result = middleware.process_response(Request(response.url), response)
    assert isinstance(result, Response)
    return result.body


@pytest.mark.parametrize(
    ("body", "encodings"),
    [
        (TEXT, ()),
        (gzip.compress(TEXT), ("gzip",)),
        (brotli.compress(TEXT), ("br",)),
        (zstd.compress(TEXT), ("zstd",)),
        (gzip.compress(TEXT[:50]) + gzip.compress(TEXT[50:]), ("gzip",)),
        (brotli.compress(gzip.compress(TEXT)), ("gzip", "br")),
        (brotli.compress(gzip.compress(TEXT)), ("gzip, br",)),
    ],
    ids=_name_of,
)
def test_what_is_compressed_as_usual_is_read(
    body: bytes, encodings: tuple[str, ...]
) -> None:
    assert decompress(body, *encodings) == TEXT


@pytest.mark.parametrize(
    ("body", "encodings", "words"),
    [
        (gzip.compress(TEXT + b"x"), ("gzip",), "DOWNLOAD_MAXSIZE=100000"),
        (brotli.compress(TEXT * 9), ("br",), "DOWNLOAD_MAXSIZE=100000"),
        (zstd.compress(TEXT * 9), ("zstd",), "DOWNLOAD_MAXSIZE=100000"),
        (gzip.compress(b"x"), ("gzip, gzip, gzip",), "3 times over"),
        (gzip.compress(b"x"), ("gzip", "gzip", "br", "br"), "4 times over"),
        (gzip.compress(b"x") * 1001, ("gzip",), "too many parts"),
        (zstd.compress(b"x") * 1001, ("zstd",), "too many parts"),
        (b"\x50\x2a\x4d\x18\0\0\0\0" * 1001, ("zstd",), "too many parts"),
    ],
    ids=_name_of,
)
def test_what_costs_too_much_is_refused(
    body: bytes, encodings: tuple[str, ...], words: str
) -> None:
    with pytest.raises(DownloadCancelledError, match=words):
        decompress(body, *encodings)
