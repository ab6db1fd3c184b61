"""Claims of pages and URLs: declared versions, and URLs that differ in a language mark.

These are ILSP-FC's methods a (hreflang and language switchers) and u (URL patterns).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import numpy as np
from scipy.sparse import csr_array

from ilspfc.documents import DocumentPair
from ilspfc.pairing.comparison import Candidates, Comparison
from ilspfc.pairing.evidence.kind import EvidenceKind
from ilspfc.pairing.page_content import PairingDocument
from ilspfc.text.arrays import FloatArray, IntArray

Documents = Mapping[str, PairingDocument]
# Codes and names that mark each language in URLs, case-folded.
Marks = Mapping[str, frozenset[str]]

_SEPARATOR_RE = re.compile(r"([/._\-?=&,;:]+)")
_REGION_RE = re.compile(r"[a-z]{2}")
_MARK = "*"
# Weights if both URLs have a mark, and if only one has (the other is often in the site's
# main language).
_BOTH_MARKED = 0.95
_ONE_MARKED = 0.85
# A key shared by more pages does not identify a page.
_MAX_PAGES = 4


def iter_keys(url: str, marks: frozenset[str]) -> Iterator[tuple[str, float]]:
    """Yield the URL with its language marks masked or removed, each with its weight.

    ``marks`` are the codes and names of the page's language. Each mark is masked
    separately, and all together; a region after the mark ("de-ch") is masked with it.

    >>> sorted(iter_keys("http://a.org/it/x.html", frozenset({"it"})))
    [('//a.org/*/x.html', 0.95), ('//a.org/it/x.html', 0.85), ('//a.org/x.html', 0.85)]
    """
    parts = urlsplit(url.casefold())
    text = f"//{parts.netloc}{parts.path}" + (f"?{parts.query}" if parts.query else "")
    tokens = _SEPARATOR_RE.split(text)
    yield text, _ONE_MARKED
    places = [i for i in range(0, len(tokens), 2) if tokens[i] in marks]
    masked = {_mask(tokens, [place]) for place in places}
    masked |= {_mask(tokens, places)} if places else set()
    for key in sorted(masked):
        yield key, _BOTH_MARKED
    for place in places:
        yield _remove_mark(tokens, place), _ONE_MARKED


def _region_end(tokens: list[str], place: int) -> int:
    """Return the index after a mark and its region, if any."""
    following = tokens[place + 1 : place + 3]
    has_region = (
        len(following) == 2
        and following[0] in {"-", "_"}
        and _REGION_RE.fullmatch(following[1]) is not None
    )
    return place + 3 if has_region else place + 1


def _mask(tokens: list[str], places: list[int]) -> str:
    parts: list[str] = []
    position = 0
    for place in places:
        parts += [*tokens[position:place], _MARK]
        position = _region_end(tokens, place)
    return "".join([*parts, *tokens[position:]])


def _remove_mark(tokens: list[str], place: int) -> str:
    """Return the URL without the mark at an index.

    The preceding separator is removed too: for the first label of a host, the following
    one; for a parameter, also its name.
    """
    end = _region_end(tokens, place)
    before, after = tokens[: max(place - 1, 0)], tokens[end:]
    separator = tokens[place - 1] if place else ""
    if separator == "//":
        return "".join([*before, separator, *after[1:]])
    if separator == "=" and len(before) >= 2:
        del before[-2:]  # the name and the separator before it
        if after[:1] == ["&"]:
            after[0] = "?" if "?" not in before else "&"
    return "".join([*before, *after])


def find_by_urls(
    sources: Documents, targets: Documents, marks: Marks
) -> Iterator[DocumentPair]:
    """Yield the pairs whose URLs differ only in their language marks."""

    def keys(document: PairingDocument) -> Iterator[tuple[str, float]]:
        return iter_keys(document.url, marks.get(document.lang, frozenset()))

    groups: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for document in targets.values():
        for key, weight in keys(document):
            groups[key].append((document.id, weight))
    for document in sources.values():
        for key, weight in keys(document):
            found = groups.get(key, [])
            if len(found) <= _MAX_PAGES:
                for target, target_weight in found:
                    confidence = min(weight, target_weight)
                    yield DocumentPair(document.id, target, confidence, "url")


# Probability of a linked pair: is the link declared (hreflang; otherwise a language
# switcher), and does the other page link back?
_PROBABILITY = {
    (True, True): 0.99,
    (True, False): 0.95,
    (False, True): 0.97,
    (False, False): 0.85,
}


def find_by_versions(
    sources: Documents, targets: Documents, marks: Marks | None = None
) -> Iterator[DocumentPair]:
    """Yield the pairs announced by links; ``marks`` are ignored.

    A switcher shared by many pages leads to a home page, not to the page's version: it
    counts only if the target links back or is announced by no other page.
    """
    forward = _announced(sources, targets)
    backward = {(s, t): d for (t, s), d in _announced(targets, sources).items()}
    announcers = Counter(t for _, t in forward)
    back_announcers = Counter(s for s, _ in backward)
    for source, target in sorted(forward.keys() | backward.keys()):
        pair = (source, target)
        is_mutual = pair in forward and pair in backward
        is_declared = forward.get(pair, False) or backward.get(pair, False)
        is_shared = announcers[target] > 1 or back_announcers[source] > 1
        if is_shared and not is_mutual:
            continue
        evidence = "hreflang" if is_declared else "switcher"
        yield DocumentPair(
            source, target, _PROBABILITY[is_declared, is_mutual], evidence
        )


def _announced(documents: Documents, others: Documents) -> dict[tuple[str, str], bool]:
    """Return the announced pairs; the value is True if any link declares the pair."""
    found: dict[tuple[str, str], bool] = {}
    for document in documents.values():
        for link in document.versions:
            if link.target in others:
                key = (document.id, link.target)
                found[key] = found.get(key, False) or link.is_declared
    return found


@dataclass(frozen=True)
class Claims(EvidenceKind):
    """Highest probability that ``find`` assigns to a pair, 0 for pairs not found."""

    find: Callable[[Documents, Documents, Marks], Iterable[DocumentPair]] = find_by_urls

    def propose(self, comparison: Comparison) -> tuple[IntArray, IntArray]:
        """Return the claimed pairs."""
        rows, columns = self._claims(comparison).nonzero()
        return rows.astype(np.int64), columns.astype(np.int64)

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the probability claimed for each candidate, in [0, 1]."""
        claims = self._claims(comparison)
        if not claims.nnz:
            return np.zeros(len(candidates))
        return np.asarray(claims[candidates.rows, candidates.columns]).ravel()

    def _claims(self, comparison: Comparison) -> csr_array:
        if self.name not in comparison.claims:
            comparison.claims[self.name] = self._collect_claims(comparison)
        return comparison.claims[self.name]

    def _collect_claims(self, comparison: Comparison) -> csr_array:
        sides = (comparison.left.documents, comparison.right.documents)
        rows, columns = ({d.id: n for n, d in enumerate(side)} for side in sides)
        left, right = ({d.id: d for d in side} for side in sides)
        best: dict[tuple[int, int], float] = {}
        for claim in self.find(left, right, comparison.marks):
            key = (rows[claim.source], columns[claim.target])
            best[key] = max(best.get(key, 0.0), claim.probability)
        keys = np.array(list(best), np.int64).reshape(-1, 2)
        cells = (list(best.values()), (keys[:, 0], keys[:, 1]))
        return csr_array(cells, shape=(len(left), len(right)), dtype=float)


VERSIONS = Claims("versions", "versions", find=find_by_versions)
URLS = Claims("urls", "urls")
