"""URL patterns: two URLs that differ only in their language mark (ILSP-FC's method u)."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ilspfc.documents import DocumentPair

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ilspfc.pairing.page_content import PairingDocument

_SEPARATOR_RE = re.compile(r"([/._\-?=&,;:]+)")
_REGION_RE = re.compile(r"[a-z]{2}")
_MARK = "*"
# Both URLs carry a mark; one carries it and the other has none (often the site's main
# language).
_BOTH_MARKED = 0.95
_ONE_MARKED = 0.85
# A key that more pages share than this is no key to a page.
_MAX_PAGES = 4


def iter_keys(url: str, marks: frozenset[str]) -> Iterator[tuple[str, float]]:
    """Yield the URL with its language mark masked or cut out, each with its weight.

    ``marks`` are the codes and names of the page's language. Each mark is masked alone and
    all of them together; a region after the mark ("de-ch") is masked with it.

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
        yield _cut(tokens, place), _ONE_MARKED


def _region_end(tokens: list[str], place: int) -> int:
    """Return the place after a mark and its region, if it has one."""
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


def _cut(tokens: list[str], place: int) -> str:
    """Return the URL without the mark at a place.

    The separator before it goes too; of a host's first label the one after it, of a
    parameter its name.
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
    sources: Iterable[PairingDocument],
    targets: Iterable[PairingDocument],
    marks: Mapping[str, frozenset[str]],
) -> Iterator[DocumentPair]:
    """Yield the pairs whose URLs differ only in their language marks.

    ``marks`` holds the codes and names of each language, in lower case.
    """
    groups: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for document in targets:
        for key, weight in iter_keys(
            document.url, marks.get(document.lang, frozenset())
        ):
            groups[key].append((document.id, weight))
    for document in sources:
        for key, weight in iter_keys(
            document.url, marks.get(document.lang, frozenset())
        ):
            found = groups.get(key, [])
            if len(found) > _MAX_PAGES:
                continue
            for target, target_weight in found:
                yield DocumentPair(
                    document.id, target, min(weight, target_weight), "url"
                )
