"""Makes the lists of common words that tell close languages apart.

``python -m evaluation.train_words`` writes ``ilspfc/language/words.npz`` from the data of the
package wordfreq (``pip install wordfreq``; data under CC BY-SA 4.0): of each language in a
script that languages share, the hashes of its commonest words and the logarithms of their
frequencies. The same data give the same file.
"""

from __future__ import annotations

import sys
from math import log
from typing import Any

import numpy as np

from evaluation.data import PROJECT
from ilspfc.language.second_opinion import STEP, WORDS_NAME, word_key
from ilspfc.text.codes import to_iso639_3

MAX_WORDS = 10_000
# Languages without blanks between words, and those that are alone in their script.
LEFT_OUT = frozenset("bn el he hi ja ko ta zh".split())
# Serbo-Croatian is one list, in Latin letters.
NAMES = {"sh": ("hrv", "bos"), "fil": ("tgl",)}


def main() -> int:
    """Write the lists; the status is 1 where wordfreq is not installed."""
    try:
        import wordfreq  # noqa: PLC0415
    except ImportError:
        print("Not installed: pip install wordfreq", file=sys.stderr)
        return 1
    arrays: dict[str, Any] = {}
    for code in sorted(set(wordfreq.available_languages("best")) - LEFT_OUT):
        frequencies = wordfreq.get_frequency_dict(code)
        common = sorted(frequencies.items(), key=lambda one: (-one[1], one[0]))
        levels = {
            word_key(word): min(round(-log(frequency) / STEP), 255)
            for word, frequency in reversed(common[:MAX_WORDS])
        }
        keys = np.array(sorted(levels), np.uint32)
        for lang in NAMES.get(code) or (to_iso639_3(code),):
            arrays[lang] = np.diff(keys, prepend=np.uint32(0))
            arrays[f"{lang}.levels"] = np.array(
                [levels[k] for k in keys.tolist()], np.uint8
            )
    path = PROJECT / "ilspfc" / "language" / WORDS_NAME
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)
    print(f"{path.name}: {len(arrays) // 2} languages, {path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
