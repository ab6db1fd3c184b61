"""What WARC files cost: ``python -m benchmarks.archive``.

Pages of 30 kB, half of them compressed by their server, are written, indexed and read.
Times are CPU times of one process; a record is a response, which has its request beside it.
"""

from __future__ import annotations

import gzip
import random
import sys
import time
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from ilspfc.corpus.warc.lookup import WarcArchive
from ilspfc.corpus.warc.writer import Exchange, WarcWriter, format_response_head

PAGE_BYTES = 30_000
DIFFERENT_PAGES = 100


def make_pages() -> list[tuple[bytes, bytes]]:
    """Return heads and bodies of responses, every second one compressed."""
    generator = random.Random(1)
    words = ["".join(generator.choices("etaoinshrdlu", k=7)) for _ in range(5000)]
    pages = []
    for number in range(DIFFERENT_PAGES):
        body = b"<p>"
        while len(body) < PAGE_BYTES:
            body += " ".join(generator.choices(words, k=50)).encode() + b"<p>"
        headers = [(b"Content-Type", b"text/html")]
        if number % 2:
            body = gzip.compress(body, 6)
            headers.append((b"Content-Encoding", b"gzip"))
        pages.append((format_response_head("HTTP/1.1", 200, headers, len(body)), body))
    return pages


def write(folder: Path, number: int) -> float:
    """Write so many exchanges; return the milliseconds that one took."""
    pages, date = make_pages(), datetime.now(UTC)
    request = b"GET / HTTP/1.1\r\nHost: www.example.org\r\n\r\n"
    archive = WarcWriter(folder, {}, max_bytes=10**9, prefix="benchmark")
    start = time.process_time()
    for index in range(number):
        head, body = pages[index % DIFFERENT_PAGES]
        url = f"https://www.example.org/{index}"
        archive.write(Exchange(url, date, request, head, body, "192.0.2.1"))
    archive.close()
    return (time.process_time() - start) / number * 1000


def main(number: int) -> None:
    """Print the figures for so many pages."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{number} pages")
        print(f"write: {write(folder, number):.2f} ms a page")
        paths = sorted(folder.iterdir())
        size = sum(path.stat().st_size for path in paths)
        print(f"size: {size / number / 1000:.1f} kB a page")
        archive = WarcArchive(paths, ["text/html"])
        start = time.process_time()
        archive.index()
        seconds = time.process_time() - start
        print(f"index: {seconds / number * 1000:.2f} s for 1,000 pages")
        start = time.process_time()
        for index in range(number):
            assert archive.read(f"https://www.example.org/{index}", 10**7)
        seconds = time.process_time() - start
        print(f"read: {seconds / number * 1000:.2f} ms a page")
        tracemalloc.start()
        archive.index()
        kept, peak = tracemalloc.get_traced_memory()
        print(f"memory: {kept / number:.0f} bytes a page, {peak / number:.0f} at most")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)
