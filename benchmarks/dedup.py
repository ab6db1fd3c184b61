"""Measures dedup: time, memory, growth, and the result beside comparing all with all.

``python -m benchmarks.dedup`` generates documents of 30 paragraphs, one in five a
near-duplicate of an earlier one, and one in twenty barely none. Two paragraphs of each are common ones,
by Zipf's law, as notes and licences are. Time includes making the texts and hashing them.
"""

from __future__ import annotations

import math
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random

from ilspfc.dedup.duplicates import find_duplicates
from ilspfc.dedup.hashes import DocumentParagraphs, digest_texts
from ilspfc.dedup.near import find_near_duplicates

SIZES = (10_000, 30_000, 100_000)
PARAGRAPHS = 30
NEAR_DUPLICATES = 0.2
# Of 30 paragraphs a near-duplicate may have 5 of its own; 6 are one too many.
CHANGES = (1, 2, 3, 4, 5)
BARELY_DIFFERENT = 0.05
BARELY_TOO_MANY = 6
COMMON = [f"A common paragraph, number {place}." for place in range(1_000)]
COMMON_WEIGHTS = list(accumulate(1 / (place + 1) for place in range(len(COMMON))))
COMMON_PARAGRAPHS = 2
THRESHOLD = 0.8
SAMPLE = 3_000
# The targets, for the largest size.
MAX_SECONDS = 60.0
MAX_MEGABYTES = 1_000.0
MAX_EXPONENT = 1.1


def _write(page: int) -> list[str]:
    texts = [
        f"Paragraph {place} of page {page}, which has as many words as a short one."
        for place in range(PARAGRAPHS - COMMON_PARAGRAPHS)
    ]
    random = Random(page)
    return texts + random.choices(
        COMMON, cum_weights=COMMON_WEIGHTS, k=COMMON_PARAGRAPHS
    )


def make_documents(number: int) -> Iterator[DocumentParagraphs]:
    """Yield so many documents, the same at every run."""
    random = Random(1)
    originals = [0]
    for page in range(number):
        drawn = random.random()
        if page and drawn < NEAR_DUPLICATES + BARELY_DIFFERENT:
            texts = _write(random.choice(originals))
            changes = CHANGES if drawn < NEAR_DUPLICATES else (BARELY_TOO_MANY,)
            for place in random.sample(range(PARAGRAPHS), random.choice(changes)):
                texts[place] = f"Paragraph {place}, which page {page} has of its own."
        else:
            originals.append(page)
            texts = _write(page)
        yield DocumentParagraphs(f"{page:012x}", 300, digest_texts(texts), lang="eng")


def compare_all(documents: Sequence[DocumentParagraphs]) -> set[str]:
    """Return the documents that go by the same rule, each compared with all that stay."""
    hashes = {document.id: document.hashes for document in documents}
    staying: list[frozenset[bytes]] = []
    gone = set()
    for document in sorted(documents, key=lambda d: (-len(hashes[d.id]), d.id)):
        own = hashes[document.id]
        bound = THRESHOLD * len(own)
        if any(len(own & other) > bound for other in staying):
            gone.add(document.id)
        else:
            staying.append(own)
    return gone


def measure(number: int) -> float:
    """Print the figures of so many documents; return the seconds of CPU."""
    started = time.process_time()
    documents = list(make_documents(number))
    made = time.process_time() - started
    found = find_duplicates(documents, threshold=THRESHOLD)
    seconds = time.process_time() - started
    print(
        f"{number:,} documents: {len(found):,} go; {seconds:.2f} s"
        f" ({made:.2f} s of them texts and hashes), {peak_megabytes():.0f} MB"
    )
    return seconds


def peak_megabytes() -> float:
    """Return the memory of the process at its largest."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    """Print all figures; return 1 if a target is missed."""
    sample = list(make_documents(SAMPLE))
    started = time.process_time()
    expected = compare_all(sample)
    seconds = time.process_time() - started
    is_same = find_near_duplicates(sample, threshold=THRESHOLD).keys() == expected
    print(
        f"{SAMPLE:,} documents, all with all: {len(expected):,} go, {seconds:.1f} s;"
        f" the index finds {'the same' if is_same else 'OTHERS'}"
    )
    times = [measure(number) for number in SIZES]
    exponent = math.log(times[-1] / times[0]) / math.log(SIZES[-1] / SIZES[0])
    print(f"growth exponent {exponent:.2f}")
    is_met = (
        is_same
        and times[-1] <= MAX_SECONDS
        and peak_megabytes() <= MAX_MEGABYTES
        and exponent <= MAX_EXPONENT
    )
    print("Targets met." if is_met else "Targets missed.")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
