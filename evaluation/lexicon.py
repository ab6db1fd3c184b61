"""Measures learned lexicons by the translations that they find on unseen pages.

``python -m evaluation.lexicon`` takes the gold pairs of the sites whose pages have the same
blocks in two languages, learns from the blocks of ten pairs and of half of them, and asks
for each block of the other half which block translates it: cosine of TF-IDF vectors, one
of them projected by the lexicon, both ways together. It prints how many are found at once,
in per cent, for several ways to train and to tokenize.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from lxml import html
from scipy.sparse import csr_array

from evaluation.data import DATA, SITES, build_sites, skip_text
from ilspfc.lexicon.ibm1 import LOOKUP_OPTIONS, Options, train
from ilspfc.text.tokens import tokenize
from ilspfc.text.vocabulary import Segments, Vocabulary

SETS = (
    ("apache-manual", "en-fr", ("eng", "fra")),
    ("apache-manual", "en-ja", ("eng", "jpn")),
    ("apache-manual", "en-ko", ("eng", "kor")),
    ("apache-manual", "en-tr", ("eng", "tur")),
    ("installation-guide", "de-it", ("deu", "ita")),
    ("installation-guide", "en-zh", ("eng", "zho")),
)
FEW_PAGES = 10
MAX_QUERIES = 1500
_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "dt", "dd", "td", "th")
_INNER = {*_TAGS, "ul", "ol", "dl", "table", "pre"}
# Pages with less in common are no block-by-block translations.
_MIN_COMMON = 0.9
_MIN_RUN = 4

Pair = tuple[str, str, str]


@dataclass(frozen=True)
class Way:
    """A way to learn: options, tokens, how often two words must have been seen."""

    options: Options = LOOKUP_OPTIONS
    prefix_chars: int = 5
    hangul_chars: int = 2
    min_segments: int = 2


WAYS = {
    "default": Way(),
    "seen once": Way(min_segments=1),
    "seen 3 times": Way(min_segments=3),
    "discount 0.5": Way(Options(discount=0.5)),
    "discount 1": Way(Options(discount=1.0)),
    "2 iterations": Way(Options(iterations=2, discount=0.0)),
    "4 iterations": Way(Options(iterations=4, discount=0.0)),
    "16 iterations": Way(Options(iterations=16, discount=0.0)),
    "no empty word": Way(Options(discount=0.0, use_null=False)),
    "4 characters": Way(prefix_chars=4),
    "6 characters": Way(prefix_chars=6),
    "whole words": Way(prefix_chars=99, hangul_chars=99),
    "1 syllable": Way(hangul_chars=1),
    "3 syllables": Way(hangul_chars=3),
}


def read_blocks(path: Path) -> list[tuple[str, str]]:
    """Return tag and text of the blocks of a page that hold no other ones."""
    root = html.document_fromstring(path.read_bytes())
    return [
        (str(block.tag), " ".join(str(block.xpath("string()")).split()))
        for block in root.iter(*_TAGS)
        if not any(inner.tag in _INNER for inner in block.iterdescendants())
    ]


def read_set(site: Path, pair: str) -> list[Pair]:
    """Return the page and both texts of the blocks that stand side by side."""
    found = []
    for line in (site / "gold" / f"{pair}.tsv").read_text("utf-8").splitlines():
        name, other = line.split("\t")[:2]
        left, right = (read_blocks(site / "www" / path) for path in (name, other))
        tags = [[tag for tag, _ in blocks] for blocks in (left, right)]
        matcher = SequenceMatcher(None, tags[0], tags[1], autojunk=False)
        if matcher.ratio() < _MIN_COMMON:
            continue
        for i, j, size in matcher.get_matching_blocks():
            for n in range(size if size >= _MIN_RUN else 0):
                source, target = left[i + n][1], right[j + n][1]
                if source and target and source != target:
                    found.append((name, source, target))
    return found


def split_pages(pairs: list[Pair]) -> tuple[list[str], set[str]]:
    """Return the pages to learn from, in a fixed random order, and those to ask."""
    pages = sorted({page for page, *_ in pairs}, key=lambda p: zlib.crc32(p.encode()))
    half = len(pages) // 2
    return pages[:half], set(pages[half:])


def encode(texts: Sequence[list[str]], vocabulary: Vocabulary) -> Segments:
    """Return texts as numbers of their words, -1 for unknown ones."""
    ids = vocabulary.encode([word for text in texts for word in text])
    return Segments(ids, np.cumsum([0, *map(len, texts)]))


def weigh(texts: Sequence[list[str]], vocabulary: Vocabulary) -> Any:
    """Return the TF-IDF vectors of texts, of length 1."""
    segments = encode(texts, vocabulary)
    rows = np.repeat(np.arange(len(texts)), segments.lengths)
    known = segments.ids >= 0
    index = (rows[known], segments.ids[known])
    counts = csr_array(
        (np.ones(int(known.sum())), index), shape=(len(texts), len(vocabulary))
    )
    seen = np.bincount(counts.indices, minlength=len(vocabulary))
    counts.data = 1 + np.log(counts.data)
    return normalize(counts * np.log((len(texts) + 1) / (seen + 1)))


def normalize(matrix: Any) -> Any:
    """Return the rows of a matrix with length 1."""
    lengths = np.sqrt(matrix.multiply(matrix).sum(axis=1))
    return csr_array(matrix.multiply(1 / np.maximum(lengths, 1e-9)[:, None]))


def score(
    pairs: list[Pair], langs: tuple[str, str], way: Way, pages: int | None
) -> float:
    """Return the share of blocks of unseen pages whose translation is found at once."""
    first, asked = split_pages(pairs)
    learned = set(first[:pages])
    split: list[Callable[[str], list[str]]] = [
        partial(
            tokenize,
            lang=lang,
            prefix_chars=way.prefix_chars,
            hangul_chars=way.hangul_chars,
        )
        for lang in langs
    ]
    seen = {(s, t) for page, s, t in pairs if page in first}
    queries = {(s, t) for page, s, t in pairs if page in asked and 30 <= len(s) <= 400}
    texts = sorted(queries - seen)[:MAX_QUERIES]
    train_pairs = [(s, t) for page, s, t in pairs if page in learned]
    tokens = [
        [cut(pair[side]) for pair in train_pairs] for side, cut in enumerate(split)
    ]
    words = [Vocabulary.sort(w for text in side for w in text) for side in tokens]
    source, target = (
        encode(side, known) for known, side in zip(words, tokens, strict=True)
    )
    sizes_of = (len(words[0]), len(words[1]))
    lexicon = train(source, target, sizes_of, options=way.options)
    matrix = lexicon.entries(min_segments=way.min_segments).matrix()
    left, right = (
        weigh([cut(text[side]) for text in texts], words[side])
        for side, cut in enumerate(split)
    )
    there = normalize(csr_array(left @ matrix)) @ right.T
    back = left @ normalize(csr_array(right @ matrix.T)).T
    scores = (there + back).toarray()
    own = scores.diagonal()
    best = [
        ((scores > own.reshape(shape) + 1e-12).sum(axis) == 0) & (own > 0)
        for axis, shape in ((1, (-1, 1)), (0, (1, -1)))
    ]
    return float(np.mean(best))


def main() -> int:
    """Print the table."""
    if not (DATA / "sites").is_dir():
        print(skip_text())
        return 0
    build_sites(*dict.fromkeys(name for name, *_ in SETS))
    sets = [(read_set(SITES / name, pair), langs) for name, pair, langs in SETS]
    print("|", " | ".join(["learned from", *(f"{s[0]} {s[1]}" for s in SETS)]), "|")
    print("|", " | ".join(["---"] * (len(SETS) + 1)), "|")
    for name, way in WAYS.items():
        cells = [
            " / ".join(f"{score(*one, way, n):.1%}" for n in (FEW_PAGES, None))
            for one in sets
        ]
        print("|", " | ".join([name, *cells]).replace("%", ""), "|", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
