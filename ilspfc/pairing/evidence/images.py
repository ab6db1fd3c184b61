"""Image file names shared by two pages but few others of the site (000, section 3.9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from ilspfc.pairing.comparison import Candidates, Comparison, Sides
from ilspfc.pairing.evidence.kind import SharedFeatures
from ilspfc.pairing.sparse import document_frequencies
from ilspfc.text.arrays import FloatArray

# An image on a larger share of the pages is common, whatever the density says.
MAX_PAGE_SHARE = 0.1
_GRID_POINTS = 512


def common_threshold(frequencies: Sequence[int]) -> float:
    """Return the frequency above which an image is common, not critical (figure 4).

    The density of the frequencies is estimated with a normal kernel whose bandwidth is
    the normal-optimal one (Bowman and Azzalini 1997, section 2.4.2), with the median
    absolute deviation as the robust scale. The threshold is the first minimum after the
    main lobe at low frequencies, infinity if the density has no second lobe.
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


def critical_bound(frequencies: Sequence[int], pages: int) -> float:
    """Return the highest frequency at which an image is evidence of a pair."""
    bound = min(common_threshold(frequencies), MAX_PAGE_SHARE * pages)
    # An image on two pages always counts: otherwise no pair could be found.
    return max(bound, 2)


class RareImages(SharedFeatures):
    """Jaccard coefficient of the images not common on the site."""

    def sides(self, comparison: Comparison) -> Sides:
        """Return binary arrays of the critical images of each page."""
        left, right = comparison.left.images, comparison.right.images
        frequencies = document_frequencies(left) + document_frequencies(right)
        seen = frequencies[frequencies > 0].astype(int).tolist()
        kept = frequencies <= critical_bound(seen, left.shape[0] + right.shape[0])

        def choose(images: csr_array) -> csr_array:
            chosen = images.astype(float)
            chosen.data = kept[chosen.indices].astype(float)
            chosen.eliminate_zeros()
            return chosen

        return choose(left), choose(right)

    def score(self, comparison: Comparison, candidates: Candidates) -> FloatArray:
        """Return the coefficient of each candidate, in [0, 1]."""
        left, right = self.sides(comparison)
        shared = super().score(comparison, candidates)
        sizes = np.diff(left.indptr)[candidates.rows]
        union = sizes + np.diff(right.indptr)[candidates.columns] - shared
        jaccard: FloatArray = shared / np.maximum(union, 1)
        return jaccard


IMAGES = RareImages("images", "images")
