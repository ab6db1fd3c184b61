"""Links between versions: hreflang and language switchers (ILSP-FC's method a)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ilspfc.documents import DocumentPair

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ilspfc.pairing.page_content import PairingDocument

# How sure a link is, by whether it is declared (hreflang) or a switcher that a reader
# clicks, and whether the other page links back.
_PROBABILITY = {
    (True, True): 0.99,
    (True, False): 0.95,
    (False, True): 0.97,
    (False, False): 0.85,
}


def find_by_versions(
    sources: Mapping[str, PairingDocument], targets: Mapping[str, PairingDocument]
) -> Iterator[DocumentPair]:
    """Yield the pairs that links announce.

    A switcher that many pages share leads to a home page, not to the page's version: it
    counts only when the target links back or is announced by one page alone.
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


def _announced(
    documents: Mapping[str, PairingDocument], others: Mapping[str, PairingDocument]
) -> dict[tuple[str, str], bool]:
    """Return the announced pairs, and for each whether any link declares it."""
    found: dict[tuple[str, str], bool] = {}
    for document in documents.values():
        for link in document.versions:
            if link.target in others:
                key = (document.id, link.target)
                found[key] = found.get(key, False) or link.is_declared
    return found
