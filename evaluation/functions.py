"""Calls the functions of the Python API on every page of the cleaning sets.

``python -m evaluation.functions`` calls ``extract`` with and without each argument, as bytes
and as text, ``identify`` on what it kept, and ``align`` on the sentences of each page with
those of the next one. It prints the pages and exceptions of each set, and the first pages
with one; the status is 1 if there is any.
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from evaluation.cleaning_sets import SETS, WORK, GoldPage, read_set
from evaluation.data import DATA, skip_text
from ilspfc import align, extract, identify
from ilspfc.text.sentences import split_sentences

_LANGS = ("de", "en")
_URL = "https://www.example.org/a/page.html"
_MAX_SENTENCES = 20
_SHOWN = 5


def iter_calls(body: bytes, url: str = _URL) -> Iterator[Callable[[], object]]:
    """Yield the calls of ``extract`` and ``identify`` on a page, with each argument and without."""
    text = body.decode("utf-8", "replace")
    yield lambda: extract(body)
    yield lambda: extract(text)
    yield lambda: extract(body, url=url)
    yield lambda: extract(body, langs=_LANGS)
    yield lambda: extract(body, url=url, langs=_LANGS)
    yield lambda: identify(read_kept(body), _LANGS)
    yield lambda: identify(text[:10_000], _LANGS)


def read_kept(body: bytes) -> str:
    """Return the clean text of a page, empty for one without content."""
    document = extract(body)
    return "\n".join(p.text for p in document.clean_paragraphs) if document else ""


def _align(one: bytes, other: bytes) -> object:
    source, target = (
        split_sentences(read_kept(body), "en")[:_MAX_SENTENCES] for body in (one, other)
    )
    return align(source, target, _LANGS)


def find_exceptions(bodies: Sequence[bytes]) -> list[str]:
    """Return the exceptions of all calls on a page, and of its alignment with a second one."""
    body, *others = bodies
    calls: list[Callable[[], object]] = list(iter_calls(body))
    calls += [partial(_align, body, other) for other in others]
    found = []
    for call in calls:
        try:
            call()
        except Exception as error:  # noqa: BLE001 - any is a defect
            found.append(f"{type(error).__name__}: {error}"[:200])
    return found


def _judge(pages: Sequence[GoldPage]) -> list[str]:
    return find_exceptions([page.read() for page in pages])


def main() -> int:
    """Call the functions on all pages of each set."""
    parser = argparse.ArgumentParser(description="Call the API on every page.")
    parser.add_argument("--sets", default=",".join(SETS), help="names, by commas")
    parser.add_argument("--limit", type=int, help="pages of each set")
    arguments = parser.parse_args()
    if not (DATA / "data" / "cleaning").is_dir():
        print(skip_text())
        return 0
    logging.disable(logging.CRITICAL)
    failed = 0
    for name in arguments.sets.split(","):
        pages = read_set(name, WORK, arguments.limit)
        tasks = [*pairwise(pages), *([(pages[-1],)] if pages else [])]
        with multiprocessing.Pool(os.cpu_count()) as pool:
            found = pool.map(_judge, tasks, chunksize=8)
        exceptions = sum(map(len, found))
        failed += exceptions
        print(f"{name}: {len(pages)} pages, {exceptions} exceptions", flush=True)
        bad = [
            (page.id, errors[0])
            for page, errors in zip(pages, found, strict=True)
            if errors
        ]
        for identity, error in bad[:_SHOWN]:
            print(f"  {identity}: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
