"""URL patterns learned from the sure pairs of a site: substituted parts and numbers.

/de/themen/x and /it/temi/x, or ?id=17 and ?id=18: parts that replace each other, numbers
with a constant difference. The language marks, which the user configures in 000 and 003,
are learned from the site's own pairs. Common folders (002, appendix A) count as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import numpy as np
from scipy.sparse import csr_array

from ilspfc.pairing.comparison import Candidates, Comparison, Sides
from ilspfc.pairing.evidence.kind import SharedFeatures
from ilspfc.pairing.sparse import make_counts, normalize_idf
from ilspfc.text.arrays import FloatArray
from ilspfc.text.vocabulary import Vocabulary

_PART_RE = re.compile(r"[/?&=.;:,]+")
_WORD_RE = re.compile(r"[-_+ ]+")
_NUMBER_RE = re.compile(r"(.*?)([0-9]{1,12})")
# Minimum number of pairs with a substitution, so that no pair confirms itself; minimum
# share of the pairs with either part, and of those with differing numbers.
MIN_PAIRS = 3
MIN_SHARE = 0.5
MIN_OFFSET_SHARE = 0.2


def split_url(url: str) -> list[str]:
    """Return the host labels, folders, file name, and query names and values of a URL.

    >>> split_url("http://a.org/it/temi/x-1.html?id=7")
    ['a', 'org', 'it', 'temi', 'x-1', 'html', 'id', '7']
    """
    parts = urlsplit(url)
    text = f"{parts.netloc}{parts.path}?{parts.query}".casefold()
    return [unquote(part) for part in _PART_RE.split(text) if part]


def _iter_units(parts: Iterable[str]) -> Iterator[str]:
    """Yield each part, and its words if there are several."""
    for part in parts:
        yield part
        words = _WORD_RE.split(part)
        if len(words) > 1:
            yield from filter(None, words)


def _iter_differences(
    left: Sequence[str], right: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield the parts, and words of parts, that differ at the same position."""
    if len(left) != len(right):
        return
    for a, b in zip(left, right, strict=True):
        if a == b:
            continue
        yield a, b
        words, others = _WORD_RE.split(a), _WORD_RE.split(b)
        if len(words) == len(others) > 1:
            pairs = zip(words, others, strict=True)
            yield from ((one, other) for one, other in pairs if one != other)


def count_units(
    lefts: Sequence[str], rights: Sequence[str]
) -> tuple[csr_array, csr_array, Vocabulary]:
    """Return the counts of units in each URL of either side, and the units."""
    units = Vocabulary()
    rows = [
        [units.add(_iter_units(split_url(url))) for url in side]
        for side in (lefts, rights)
    ]
    left, right = (make_counts(side, len(units)) for side in rows)
    return left, right, units


def learn_substitutions(
    pairs: Iterable[tuple[str, str]], units: Vocabulary
) -> csr_array:
    """Return the weights of substitutions, shape (units, units), in [0, 1].

    ``pairs`` are URLs of pages that translate each other. Each unit maps to itself.
    """
    found: Counter[tuple[str, str]] = Counter()
    offsets: Counter[int] = Counter()
    for left, right in pairs:
        seen = set(_iter_differences(split_url(left), split_url(right)))
        found.update(seen)
        offsets.update({o for o in (_find_offset(a, b) for a, b in seen) if o})
    cells = {(number, number): 1.0 for number in units.values()}
    cells |= dict(_iter_substitutions(found, units))
    cells |= dict(_iter_shifts(offsets, units))
    keys = np.array(sorted(cells), np.int64).reshape(-1, 2)
    values = [cells[a, b] for a, b in keys.tolist()]
    return csr_array((values, (keys[:, 0], keys[:, 1])), shape=(len(units), len(units)))


def _iter_substitutions(
    found: Counter[tuple[str, str]], numbers: dict[str, int]
) -> Iterator[tuple[tuple[int, int], float]]:
    """Yield units that replace each other in most pairs with either, and the share."""
    left: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for (a, b), count in found.items():
        left[a] += count
        right[b] += count
    for (a, b), count in found.items():
        share = count / max(left[a], right[b])
        if count >= MIN_PAIRS and share >= MIN_SHARE:
            yield (numbers[a], numbers[b]), share


def _find_offset(left: str, right: str) -> int:
    """Return the difference of the final numbers, 0 if anything else differs."""
    a, b = _NUMBER_RE.fullmatch(left), _NUMBER_RE.fullmatch(right)
    if a is None or b is None or a[1] != b[1]:
        return 0
    return int(b[2]) - int(a[2])


def _iter_shifts(
    offsets: Counter[int], numbers: dict[str, int]
) -> Iterator[tuple[tuple[int, int], float]]:
    """Yield units whose numbers differ by a frequent offset, and its share."""
    total = offsets.total()
    usual = {
        offset: count / total
        for offset, count in offsets.items()
        if count >= MIN_PAIRS and count >= MIN_OFFSET_SHARE * total
    }
    if not usual:
        return
    for unit, number in numbers.items():
        split = _NUMBER_RE.fullmatch(unit)
        if split is None:
            continue
        for offset, share in usual.items():
            value = int(split[2]) + offset
            other = numbers.get(f"{split[1]}{value:0{len(split[2])}d}")
            if other is not None and value >= 0:
                yield (number, other), share


@dataclass(frozen=True)
class UrlPatterns(SharedFeatures):
    """Cosine of the parts of two URLs, after substitutions in the left URL."""

    def sides(self, comparison: Comparison) -> Sides | None:
        """Return the weighted URL parts of both sides; None before there are pairs."""
        sure = comparison.sure
        if sure is None:
            return None
        if comparison.url_parts is None:
            lefts = [document.url for document in comparison.left.documents]
            rights = [document.url for document in comparison.right.documents]
            left, right, units = count_units(lefts, rights)
            rows = zip(sure.rows.tolist(), sure.columns.tolist(), strict=True)
            pairs = [(lefts[a], rights[b]) for a, b in rows]
            left, right = normalize_idf(left), normalize_idf(right)
            learned = learn_substitutions(pairs, units)
            comparison.url_parts = csr_array(left @ learned), right
        return comparison.url_parts

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the similarity of each candidate, in [0, 1]."""
        return np.minimum(super().score(comparison, candidates), 1.0)


URL_PATTERNS = UrlPatterns("url_patterns", "url_patterns", learns=True, proposed=8)
