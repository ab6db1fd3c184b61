"""Images of the same name: rare ones, by the paper's threshold (000, section 3.9)."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.documents import DocumentPair
from ilspfc.pairing.page_content import ratio

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ilspfc.pairing.page_content import PairingDocument

# An image in more than this share of the pages is common whatever the density says.
MAX_PAGE_SHARE = 0.1
# ILSP-FC's bound on the Jaccard coefficient, and its weights of the pair's score.
MIN_JACCARD = 0.6
_WEIGHTS = (0.6, 0.2, 0.2)
_GRID_POINTS = 512


def common_threshold(frequencies: Sequence[int]) -> float:
    """Return the frequency from which an image is common, not critical (figure 4).

    The density of the frequencies is estimated with a normal kernel whose bandwidth is
    the normal-optimal one (Bowman and Azzalini 1997, section 2.4.2), with the median
    absolute deviation as the robust scale. The threshold is the first minimum after the
    main lobe at the low frequencies; infinity where the density has no second lobe.
    """
    values = np.asarray(frequencies, dtype=float)
    if len(np.unique(values)) < 2:
        return float("inf")
    deviation = np.median(np.abs(values - np.median(values))) / 0.6745
    scale = deviation or values.std()
    bandwidth = scale * (4 / (3 * len(values))) ** 0.2
    grid = np.linspace(values.min(), values.max(), _GRID_POINTS)
    counts = Counter(values.tolist())
    points = np.array(sorted(counts))
    weights = np.array([counts[point] for point in points])
    density = np.exp(-0.5 * ((grid[:, None] - points) / bandwidth) ** 2) @ weights
    lobe = int(np.argmax(np.r_[density[1:] < density[:-1], True]))
    rising = np.nonzero(density[lobe + 1 :] > density[lobe:-1])[0]
    return float(grid[lobe + rising[0]]) if len(rising) else float("inf")


def critical_images(
    documents: Iterable[PairingDocument],
) -> dict[str, frozenset[str]]:
    """Return the images of each document that may tell its translation."""
    pool = list(documents)
    frequency = Counter(name for document in pool for name in document.images)
    bound = min(common_threshold(list(frequency.values())), MAX_PAGE_SHARE * len(pool))
    # Two pages may always share an image: without that no pair could be found.
    bound = max(bound, 2)
    return {
        document.id: frozenset(n for n in document.images if frequency[n] <= bound)
        for document in pool
    }


def find_by_images(
    sources: Mapping[str, PairingDocument], targets: Mapping[str, PairingDocument]
) -> Iterator[DocumentPair]:
    """Yield the pairs that share their critical images, scored as in ILSP-FC.

    A document is compared with those that have one of its images in common.
    """
    images = critical_images([*sources.values(), *targets.values()])
    owners: dict[str, list[str]] = defaultdict(list)
    for identity in targets:
        for name in images[identity]:
            owners[name].append(identity)
    for source in sources.values():
        own = images[source.id]
        for identity in sorted({owner for name in own for owner in owners[name]}):
            target = targets[identity]
            jaccard = len(own & images[identity]) / len(own | images[identity])
            if jaccard < MIN_JACCARD:
                continue
            measures = (
                jaccard,
                ratio(source.paragraphs, target.paragraphs),
                ratio(source.tokens, target.tokens),
            )
            score = sum(w * m for w, m in zip(_WEIGHTS, measures, strict=True))
            yield DocumentPair(source.id, identity, score, "images")
