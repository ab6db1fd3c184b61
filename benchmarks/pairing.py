"""Pairing: seconds, memory and growth on generated sites.

``python -m benchmarks.pairing [--pages 1000,3000,10000] [--method combined]`` pairs sites of so
many pages a side, of a Zipf vocabulary, with names, numbers and a tree of links, a tenth of the
pages without a partner, and prints the exponents by which the seconds grow. Reading the corpus
is not counted. 100,000 pages a side can be asked for as well, and take some 16 minutes.
``--pages 40262x17324 --method pwcc --folders 50`` is the site of paper 002: so many pages in
either language, and so many pages in each folder.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import random
import resource
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from ilspfc.line.comparisons import CorpusLexicon, EncodedCorpus, stem
from ilspfc.line.pairing import pairing_methods
from ilspfc.pairing.methods import PairingOptions
from ilspfc.pairing.page_arrays import PageBlock, PageContent, PageEncoder
from ilspfc.pairing.page_content import PairingDocument

LANGS = ("deu", "ita")
_WORDS = 20_000
_BLOCKS = 12
_BRANCHES = 12
_ALONE = 0.1
_ID_CHARS = 12
_SPAWN = multiprocessing.get_context("spawn")


def make_site(pages: int, others: int, *, folders: int = 0) -> EncodedCorpus:
    """Return a site of so many pages in the two languages; page n is a translation of page n.

    With ``folders`` so many pages are in each folder, whose name is the same in both languages.
    """
    draw = random.Random(1)
    words = [draw_word(draw) for _ in range(_WORDS)]
    weights = list(accumulate(1 / (rank + 10) for rank in range(_WORDS)))
    encoder = PageEncoder(stem)
    encoded: dict[str, dict[str, list[object]]] = {lang: {"a": []} for lang in LANGS}
    for page in range(pages):
        blocks = [
            draw.choices(words, cum_weights=weights, k=draw.randint(3, 30))
            for _ in range(_BLOCKS)
        ]
        blocks[0] += [f"name{draw.randrange(pages)}", str(draw.randrange(3000))]
        for lang, number in zip(LANGS, (pages, others), strict=True):
            if draw.random() < _ALONE or page >= number:
                continue
            said = (
                blocks if lang == "deu" else [list(map(translate, b)) for b in blocks]
            )
            folder = f"{lang}/{page // folders}/" if folders else ""
            encoded[lang]["a"].append(
                _encode(encoder, lang, page, pages, said, folder=folder)
            )
    return EncodedCorpus(encoder, encoded, LANGS)  # type: ignore[arg-type]


def draw_word(draw: random.Random) -> str:
    """Return a made-up word."""
    return "".join(draw.choices("abcdefghiklmnorstu", k=draw.randint(4, 10)))


def translate(word: str) -> str:
    """Return the translation of a made-up word."""
    return word if word[0].isdigit() or word.startswith("name") else f"{word[::-1]}o"


def _encode(
    encoder: PageEncoder,
    lang: str,
    page: int,
    pages: int,
    blocks: list[list[str]],
    *,
    folder: str,
) -> object:
    children = range(page * _BRANCHES + 1, min((page + 1) * _BRANCHES + 1, pages))
    document = PairingDocument(
        id=_page_id(lang, page),
        lang=lang,
        url=f"http://a.example/{folder}{_page_id(lang, page)}",
        depth=1,
        paragraphs=len(blocks),
        tokens=sum(map(len, blocks)),
        fingerprint=(),
    )
    made = [
        PageBlock(0 if n else 1, float(sum(map(len, block))), [block])
        for n, block in enumerate(blocks)
    ]
    links = [_page_id(lang, number) for number in (page // _BRANCHES, *children)]
    return encoder.encode(document, PageContent(made, [b.kind for b in made], links))


def _page_id(lang: str, page: int) -> str:
    return f"{(page * 7_919_993 + LANGS.index(lang)) % 2**47:0{_ID_CHARS}x}"


@dataclass(frozen=True, slots=True)
class Measured:
    """What it took to pair a site: seconds of CPU, MB at the peak, right pairs found."""

    pages: int
    seconds: float
    megabytes: float
    recall: float


def measure(size: tuple[int, int], method: str, folders: int) -> Measured:
    """Pair a site of so many pages in either language."""
    pages = max(size)
    site = make_site(*size, folders=folders)
    started = time.process_time()
    outcome = pairing_methods()[method](
        site.compare(*LANGS), PairingOptions(), CorpusLexicon(site.encoder, *LANGS)
    )
    seconds = time.process_time() - started
    numbers = [{page.document.id for page in site.pages[lang]["a"]} for lang in LANGS]
    both = sum(
        _page_id("deu", n) in numbers[0] and _page_id("ita", n) in numbers[1]
        for n in range(pages)
    )
    right = sum(int(p.target, 16) - int(p.source, 16) == 1 for p in outcome.pairs)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Measured(pages, seconds, megabytes, right / max(both, 1))


def growth(found: Sequence[Measured]) -> float:
    """Return the exponent of the seconds over the pages, by least squares of logarithms."""
    pages = [math.log(one.pages) for one in found]
    seconds = [math.log(one.seconds) for one in found]
    return statistics.linear_regression(pages, seconds).slope


def _read_sizes(text: str) -> list[tuple[int, int]]:
    parts = [part.split("x") for part in text.split(",")]
    if not all(len(p) <= 2 and all(n.isdecimal() and int(n) for n in p) for p in parts):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a list of numbers of pages; write it like 1000,3000x2000"
        )
    return sorted({(int(part[0]), int(part[-1])) for part in parts})


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each size, and the exponent of growth over all of them."""
    parser = argparse.ArgumentParser(description="Measure pairing on generated sites.")
    parser.add_argument(
        "--pages",
        type=_read_sizes,
        default="1000,3000,10000",
        metavar="N,N,…",
        help="pages a side of each site, with commas between (default: %(default)s;"
        " 100000 takes some 16 minutes)",
    )
    parser.add_argument("--method", default="combined", choices=[*pairing_methods()])
    parser.add_argument(
        "--folders", type=int, default=0, help="pages of a folder (default: no folders)"
    )
    options = parser.parse_args(arguments)
    print("pages a side   CPU s   ms a page   recall   peak MB   exponent")
    found: list[Measured] = []
    for size in options.pages:
        # A process of its own, so that its memory can be told.
        with _SPAWN.Pool(1) as pool:
            one = pool.apply(measure, (size, options.method, options.folders))
        exponent = f"{growth([found[-1], one]):.2f}" if found else ""
        print(
            f"{'x'.join(f'{n:,}' for n in dict.fromkeys(size)):>12} {one.seconds:7.1f}"
            f" {1000 * one.seconds / sum(size):11.2f}"
            f" {one.recall:8.3f} {one.megabytes:9,.0f} {exponent:>10}",
            flush=True,
        )
        found.append(one)
    if len(found) > 2:
        print(f"exponent over all: {growth(found):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
