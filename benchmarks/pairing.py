"""Pairing: seconds, memory and growth on generated sites.

``python -m benchmarks.pairing [--pages 1000,3000,10000]`` pairs sites of so many pages a
side, of a Zipf vocabulary, with names, numbers and a tree of links, a tenth of the pages
without a partner. Reading the corpus is not counted.
"""

from __future__ import annotations

import argparse
import math
import random
import resource
import sys
import time
from itertools import accumulate
from typing import TYPE_CHECKING

from ilspfc.pairing.documents import PairingDocument
from ilspfc.pairing.methods import METHODS, PairingOptions
from ilspfc.pairing.pages import PageBlock, PageContent, PageEncoder
from ilspfc.stages.comparisons import EncodedCorpus
from ilspfc.stages.page_lexicon import CorpusLexicon
from ilspfc.stages.pages import stem

if TYPE_CHECKING:
    from collections.abc import Sequence

LANGS = ("deu", "ita")
_WORDS = 20_000
_BLOCKS = 12
_BRANCHES = 12
_ALONE = 0.1
_ID_CHARS = 12


def make_site(pages: int, *, seed: int = 1) -> EncodedCorpus:
    """Return a site of so many pages a side; page n of one is page n of the other."""
    draw = random.Random(seed)
    words = [_word(draw) for _ in range(_WORDS)]
    weights = list(accumulate(1 / (rank + 10) for rank in range(_WORDS)))
    encoder = PageEncoder(stem)
    encoded: dict[str, dict[str, list[object]]] = {lang: {"a": []} for lang in LANGS}
    for page in range(pages):
        blocks = [
            draw.choices(words, cum_weights=weights, k=draw.randint(3, 30))
            for _ in range(_BLOCKS)
        ]
        blocks[0] += [f"name{draw.randrange(pages)}", str(draw.randrange(3000))]
        for lang in LANGS:
            if draw.random() < _ALONE:
                continue
            said = (
                blocks if lang == "deu" else [list(map(_translate, b)) for b in blocks]
            )
            encoded[lang]["a"].append(_encode(encoder, lang, page, pages, said))
    return EncodedCorpus(encoder, encoded, LANGS)  # type: ignore[arg-type]


def _word(draw: random.Random) -> str:
    return "".join(draw.choices("abcdefghiklmnorstu", k=draw.randint(4, 10)))


def _translate(word: str) -> str:
    return word if word[0].isdigit() or word.startswith("name") else f"{word[::-1]}o"


def _encode(
    encoder: PageEncoder, lang: str, page: int, pages: int, blocks: list[list[str]]
) -> object:
    children = range(page * _BRANCHES + 1, min((page + 1) * _BRANCHES + 1, pages))
    document = PairingDocument(
        id=_page_id(lang, page),
        lang=lang,
        url=f"http://a.example/{_page_id(lang, page)}",
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


def measure(pages: int) -> tuple[float, float]:
    """Return the seconds of CPU to pair a site, and the share of right pairs found."""
    site = make_site(pages)
    started = time.process_time()
    outcome = METHODS["combined"](
        site.compare(*LANGS), PairingOptions(), CorpusLexicon(site.encoder, *LANGS)
    )
    seconds = time.process_time() - started
    numbers = [{page.document.id for page in site.pages[lang]["a"]} for lang in LANGS]
    both = sum(
        _page_id("deu", n) in numbers[0] and _page_id("ita", n) in numbers[1]
        for n in range(pages)
    )
    right = sum(int(p.target, 16) - int(p.source, 16) == 1 for p in outcome.pairs)
    return seconds, right / max(both, 1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each size, and the exponent of growth."""
    parser = argparse.ArgumentParser(description="Measure pairing on generated sites.")
    parser.add_argument("--pages", default="1000,3000,10000")
    sizes = [int(n) for n in parser.parse_args(arguments).pages.split(",")]
    print("pages a side   CPU s   ms a page   recall   peak MB   exponent")
    before: tuple[int, float] | None = None
    for size in sizes:
        seconds, recall = measure(size)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        growth = ""
        if before is not None:
            growth = f"{math.log(seconds / before[1]) / math.log(size / before[0]):.2f}"
        print(
            f"{size:12,} {seconds:7.1f} {500 * seconds / size:11.2f} {recall:8.3f}"
            f" {peak:9,.0f} {growth:>10}",
            flush=True,
        )
        before = (size, seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
