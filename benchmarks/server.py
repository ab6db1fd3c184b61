"""Measures how long pages of the web application take over a large corpus.

``python -m benchmarks.server [--documents 100000] [--units 1000000]`` makes a corpus of so
many documents and units in a temporary folder, prints how long the search file takes to
make, and for each page the median and the maximum of ten requests in milliseconds, that of
the first after the corpus has changed, and its size in kB.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scrapy.settings import Settings
from starlette.testclient import TestClient

from benchmarks.exports import (
    UNITS_PER_PAIR,
    insert_entry,
    make_corpus,
    make_entry,
    make_sentences,
)
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.xml import format_document
from ilspfc.documents import Document, Paragraph
from ilspfc.server.application import make_application
from ilspfc.server.library import Library

_REQUESTS = 10
_PARAGRAPHS = 10
# Of the domain that is edited: more than a page of the table.
_TERMS = 200


def _add_documents(root: Path, documents: int, units: int) -> None:
    """Add the documents without a pair to a corpus, and the files of all."""
    files = CorpusFiles(root)
    files.documents.mkdir()
    pairs = -(-units // UNITS_PER_PAIR)
    generator = np.random.default_rng(2)
    sentences = {
        "deu": make_sentences(generator, "de"),
        "ita": make_sentences(generator, "it"),
    }
    words = dict.fromkeys(word for text in sentences["deu"] for word in text.split())
    terms = (f"1; {word}; ; de\n" for word in [*words][:_TERMS] if word.isalpha())
    (root / "edited-domain.tsv").write_text("".join(terms), encoding="utf-8")
    with CorpusIndex(files.index) as index, index.transaction() as connection:
        for number in range(max(pairs, documents // 2)):
            for lang, texts in sentences.items():
                entry = make_entry(number, lang)
                places = generator.integers(len(texts), size=_PARAGRAPHS).tolist()
                paragraphs = [Paragraph(texts[place]) for place in places]
                document = Document(entry.id, entry.url, paragraphs, lang=lang)
                path = files.documents / entry.file
                path.write_bytes(format_document(document))
                if number >= pairs:
                    insert_entry(connection, entry)


def main(arguments: list[str] | None = None) -> int:
    """Print the times; return 0."""
    parser = argparse.ArgumentParser(description="Time the pages of the application.")
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--units", type=int, default=1_000_000)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "large"
        root.mkdir()
        make_corpus(root, options.units)
        _add_documents(root, options.documents, options.units)
        settings = Settings()
        settings.setmodule("ilspfc.settings")
        library = Library([root], settings)
        started = time.perf_counter()
        library.renew_search("large")
        print(f"search file: {time.perf_counter() - started:.0f} s")
        application = make_application(library, token="t")
        with TestClient(application, base_url="http://127.0.0.1") as client:
            client.headers["authorization"] = "Bearer t"
            _time_pages(client, CorpusFiles(root).index)
    return 0


def _time_pages(client: TestClient, index: Path) -> None:
    first, second = (make_entry(7, lang).id for lang in ("deu", "ita"))
    print(f"{'page':44} median   max  after a change (ms)   kB")
    for path in (
        "",
        "documents",
        "documents?lang=ita&site=example.org",
        "documents?sort=-tokens",
        "documents?sort=language",
        "documents?q=der",
        "search?q=der",
        f"documents/{first}",
        "pairs",
        "pairs?min=0.6&max=0.8",
        "pairs?sort=-score",
        "pairs?sort=evidence",
        f"pairs/{first}-{second}",
        "units",
        "units?min=0.5",
        "units?q=der",
        "units?reason=duplicate",
        "units?reason=numbers",
        "lost?reason=",
        "lost?reason=alignment/unaligned_target",
        "judge",
        "edit/domain",
        "downloads",
    ):
        times = []
        for number in range(_REQUESTS + 1):
            if number == _REQUESTS:
                os.utime(index)
            started = time.perf_counter()
            answer = client.get(f"/c/large/{path}")
            times.append(1000 * (time.perf_counter() - started))
            answer.raise_for_status()
        *times, changed = times
        print(
            f"/{path:43} {statistics.median(times):6.0f} {max(times):5.0f}"
            f" {changed:20.0f} {len(answer.content) / 1000:4.0f}"
        )


if __name__ == "__main__":
    sys.exit(main())
