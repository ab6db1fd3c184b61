"""Times the steps of cleaning a page, and of identifying its language.

``python -m evaluation.cleaning_steps`` cleans the pages that ``evaluation.cleaning --only-cost
--timed 40`` cleans, twice, and prints for the second time the milliseconds a page that each
step takes without the steps inside it, and how many pages need no repair of their markup.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from typing import Any

from evaluation.cleaning import LANGS
from evaluation.cleaning_sets import SETS, WORK, read_set
from evaluation.data import DATA, skip_text
from ilspfc.cleaning import page
from ilspfc.cleaning.blocks.core import needs_repair
from ilspfc.cleaning.content import choice
from ilspfc.cleaning.encoding.decoding import decode
from ilspfc.documents import Document
from ilspfc.language.identification import identify_page

_TIMED = 40
# Modules whose functions are steps by the names under which they are called there.
_STEPS = {
    page: (
        *("decode", "needs_repair", "close_elements", "is_excessive", "read_tree"),
        *("read_blocks", "number_places", "make_links", "read_meta", "read_metadata"),
        *("find_licenses", "mark_blocks", "find_title", "make_paragraphs"),
    ),
    choice: ("read_features", "find_frame", "score_page", "lift_scores"),
}
_seconds: defaultdict[str, float] = defaultdict(float)
_inside: list[float] = []


def _time(name: str, step: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that adds its time to ``_seconds``, without that of steps inside."""

    @wraps(step)
    def timed(*given: Any, **named: Any) -> Any:
        _inside.append(0.0)
        started = time.perf_counter()
        try:
            return step(*given, **named)
        finally:
            spent = time.perf_counter() - started
            _seconds[name] += spent - _inside.pop()
            if _inside:
                _inside[-1] += spent

    return timed


def main() -> int:
    """Print the table."""
    if not (DATA / "data" / "cleaning").is_dir():
        print(skip_text())
        return 0
    bodies = []
    for name in SETS:
        pages = read_set(name, WORK)
        step = max(len(pages) // _TIMED, 1)
        bodies += [one.read() for one in pages[::step][:_TIMED]]
    for module, names in _STEPS.items():
        for name in names:
            setattr(module, name, _time(name, getattr(module, name)))
    clean = _time("clean_page", page.clean_page)
    identify = _time("identify_page", identify_page)
    for _ in range(2):
        _seconds.clear()
        for body in bodies:
            document = clean(body, url="http://example.org/", identity="")
            if isinstance(document, Document):
                identify(document.paragraphs, LANGS)
    for name, seconds in sorted(_seconds.items(), key=lambda item: -item[1]):
        print(f"{1000 * seconds / len(bodies):6.2f}  {name}")
    print(
        f"{1000 * sum(_seconds.values()) / len(bodies):6.2f}  all, {len(bodies)} pages"
    )
    plain = sum(not needs_repair(decode(body)[0].encode()) for body in bodies)
    print(f"{plain} pages need no repair of their markup")
    return 0


if __name__ == "__main__":
    sys.exit(main())
