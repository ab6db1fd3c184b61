"""Measures what exporting a large memory costs.

``python -m benchmarks.exports [--units 1000000] [--formats tmx]`` makes a corpus of so
many units, 50 a pair of pages, in a temporary folder and exports it in a process of its
own, with every unit annotated. It prints CPU seconds by part, the seconds a million units
take and the memory at most. CPU seconds of one process: other work on the machine changes
them little.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import astuple
from pathlib import Path

import numpy as np
from scrapy.settings import Settings

from ilspfc.corpus.bitext import Bitext
from ilspfc.corpus.corpus import open_corpus
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.records import DocumentEntry
from ilspfc.documents import DocumentPair, PairState, TranslationUnit
from ilspfc.line.stages import STAGES

UNITS_PER_PAIR = 50
_VOCABULARY = 200_000
_SENTENCES = 100_000
_TEXTS = Path(__file__).parents[1] / "evaluation"


def make_sentences(generator: np.random.Generator, lang: str) -> list[str]:
    """Return sentences of a language, with few frequent words and many rare ones.

    The frequent words are real, the rare ones are made of two of them.
    """
    text = (_TEXTS / f"sentences.{lang}.txt").read_text("utf-8")
    known = Counter(re.findall(r"[^\W\d_]+", text))
    words = [word for word, _ in known.most_common()]
    parts = [word for word in words if 3 < len(word) < 8]
    both = generator.integers(len(parts), size=(_VOCABULARY - len(words), 2))
    words += [parts[head] + parts[tail].lower() for head, tail in both.tolist()]
    ranks = (_VOCABULARY ** generator.random((_SENTENCES, 11))).astype(int) - 1
    texts = (" ".join(words[rank] for rank in row) for row in ranks)
    return [text[0].upper() + text[1:] for text in texts]


def make_entry(number: int, lang: str) -> DocumentEntry:
    """Return the document of a number in a language."""
    name = f"{lang}{number:09}"
    return DocumentEntry(
        id=name,
        lang=lang,
        url=f"https://www.example.org/{lang}/page-{number}.html",
        host="www.example.org",
        site="example.org",
        url_depth=2,
        file=f"{lang}-{name}.xml",
        title="",
        paragraphs=60,
        clean_paragraphs=50,
        tokens=900,
        relevance=1.0,
        terms=5,
        subdomains="noise;construction",
        license="https://creativecommons.org/licenses/by/4.0/",
        encoding="utf-8",
        fetched_at="2026-03-01T10:00:00+00:00",
    )


def insert_entry(connection: sqlite3.Connection, entry: DocumentEntry) -> None:
    """Add a document to an index without its links."""
    # Whether it is off the topic stands in a table of its own.
    *values, _ = astuple(entry)
    marks = ", ".join("?" * len(values))
    connection.execute(f"INSERT INTO documents VALUES ({marks})", values)


def make_corpus(root: Path, units: int) -> None:
    """Write a corpus of so many units, without its documents' files."""
    generator = np.random.default_rng(1)
    sentences = make_sentences(generator, "de"), make_sentences(generator, "it")
    pairs = range(-(-units // UNITS_PER_PAIR))
    with CorpusIndex(root / "corpus.db") as index:
        index.add_run(
            {
                "langs": ["deu", "ita"],
                "domain": "demo",
                "finished": "2026-03-01T10:00:00+00:00",
            }
        )
        with index.transaction() as connection:
            for number in pairs:
                for lang in ("deu", "ita"):
                    insert_entry(connection, make_entry(number, lang))
        bitext = Bitext(index)
        found = [
            DocumentPair(f"deu{n:09}", f"ita{n:09}", 0.9 - n % 7 / 20, "links")
            for n in pairs
        ]
        bitext.set_states("deu", "ita", dict.fromkeys(found, PairState.PAIR))
        for pair in found:
            made = _units(generator, sentences)
            bitext.set_units(pair, made, null_share=0.05, mean_score=0.9)


def _units(
    generator: np.random.Generator, sentences: tuple[list[str], list[str]]
) -> list[TranslationUnit]:
    numbers = generator.integers(_SENTENCES, size=(UNITS_PER_PAIR, 2))
    scores = generator.random(UNITS_PER_PAIR)
    return [
        TranslationUnit(
            f"{sentences[0][source]} {source % 97}.",
            f"{sentences[1][target]} {source % 97}.",
            "1:1",
            float(score),
        )
        for (source, target), score in zip(numbers, scores, strict=True)
    ]


def export(root: Path, formats: str, filters: str) -> None:
    """Export a corpus and print what it took, as JSON."""
    settings = Settings()
    settings.setmodule("ilspfc.settings")
    settings.setdict({"EXPORTS_FORMATS": formats, "EXPORTS_FILTERS": filters})
    with open_corpus(root, settings) as corpus:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        started = time.process_time()
        STAGES[-1](corpus)
        seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([seconds, peak, before]))


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=1_000_000)
    parser.add_argument(
        "--formats", nargs="+", default=["tmx", "tmx,moses,tsv,jsonl", "cesalign,tmx"]
    )
    parser.add_argument("--corpus", type=Path, help="one that was made before")
    parser.add_argument("--filters", default="")
    parser.add_argument("--export", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.export:
        export(args.corpus, args.formats[0], args.filters)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        root = args.corpus or Path(folder)
        if not (root / "corpus.db").exists():
            make_corpus(root, args.units)
        print("| formats | CPU, s | µs a unit | memory, MB | of it before, MB |")
        print("| --- | ---: | ---: | ---: | ---: |")
        for formats in args.formats:
            command = [sys.executable, "-m", "benchmarks.exports", "--export"]
            command += ["--corpus", str(root), "--formats", formats]
            command += ["--filters", args.filters]
            answer = subprocess.run(command, check=True, capture_output=True)
            seconds, peak, before = json.loads(answer.stdout)
            each = seconds / args.units * 1e6
            print(
                f"| {formats} | {seconds:.1f} | {each:.1f} | {peak:.0f} | {before:.0f} |"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
