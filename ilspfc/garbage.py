"""Python's garbage collector in a process that answers calls.

A page makes tens of thousands of objects and hardly a cycle, among which the collector would
look for some again and again: about a tenth of the time.
"""

from __future__ import annotations

import gc
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# So many new objects may be there before it runs amid a call, which bounds long calls.
_THRESHOLDS = (500_000, 10, 10)
_CALLS_PER_COLLECTION = 100


def defer_collections() -> Callable[[], None]:
    """Have the collector pass over what is there, and run seldom.

    What is returned is to be called between calls: it collects after so many.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    numbers = count(1)

    def call_ended() -> None:
        if next(numbers) % _CALLS_PER_COLLECTION == 0:
            gc.collect()

    return call_ended
