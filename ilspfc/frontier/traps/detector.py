"""Trap detection by the yield of new text in groups of URLs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from itertools import compress
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ilspfc.frontier.traps.seen_text import KeyFilter, hash_text
from ilspfc.frontier.traps.url_patterns import (
    VERSION_TRIALS,
    Group,
    UrlShape,
    read_shape,
)

# Maximum number of groups; the least recently visited are dropped.
MAX_GROUPS = 20_000
# A run of visits without new text is significant if its probability, at the yield y so far,
# is below one in a thousand: (1 - y)^n < e^(-y n) < .001.
_NO_CHANCE = 7.0
# A group with new text in its last visits is judged by no wider group: otherwise traps on the
# same host hide a pager of few pages (27 of 60 simulated crawls, with this rule none; see
# evaluation/NOTEBOOK.md).
_RECENT = 8
# Bits of the filter of visited URLs: 1 % false positives at a million pages of four parts.
_FILTER_BITS = 1 << 25


class _Yield:
    """Visits of a group, pages with new text found there or via links, and barren streak."""

    __slots__ = ("found", "streak", "visited")

    def __init__(self) -> None:
        self.visited = self.found = self.streak = 0

    def record(self, *, is_good: bool) -> None:
        """Count a visit."""
        self.visited += 1
        self.found += is_good
        self.streak = 0 if is_good else self.streak + 1

    def credit(self) -> None:
        """Count a page with new text that a page of the group links to."""
        self.found += 1
        self.streak = 0

    def is_barren(self, trials: int) -> bool:
        """Test whether the streak shows that nothing new is to be expected."""
        if self.streak < trials or not self.found:
            return self.streak >= trials
        return self.streak >= _NO_CHANCE * (self.visited - self.streak) / self.found


class TrapDetector:
    """Predictor of barren URLs that learns from visits of similar URLs.

    A URL belongs to groups, the narrowest first: its pattern, its parameter names, its
    folder; if the page that links to it has no new text, also the links of pages like that
    one, and the parent folders. The first group with enough visits, or with new text in its
    last few, decides; wider groups no longer learn from URLs of a group with enough visits.
    A group is barren after a run of visits without new text that is significant at its yield
    so far. A page with new text also counts for the groups of the pages that led to it: the
    value of lists, and of lists of lists, is in their links.

    What a group is barren for, the place of a link on its page may be good for: the texts of a
    forum and the buttons beside them may have addresses alike. A place never speaks against
    a URL.

    In addition, a parameter or segment may prove not to change the text (sessions, sorting,
    mirrors): of versions of a page that differ only in such parts, the first is enough. Only
    copies prove it: a list without text differs from others in its links. A copy that such a
    part explains speaks neither against other parts nor against the groups of its URL.

    Results depend only on the order of calls.
    """

    def __init__(self) -> None:
        self._yields: OrderedDict[str, _Yield] = OrderedDict()
        self._visited = KeyFilter(_FILTER_BITS)

    def is_barren(self, url: str, *, via: str = "", place: int = 0) -> bool:
        """Test whether a canonical URL is expected to yield nothing new.

        ``via`` is the page that links to it, if that has no new text, otherwise empty;
        ``place`` is that of the link on it.
        ValueError if the URL has no host.
        """
        shape = read_shape(url)
        for group in _iter_groups(shape, via):
            known = self._yields.get(group.key)
            if known is None:
                continue
            if known.visited >= group.trials:
                if known.is_barren(group.trials) and not self._pays(shape, place):
                    return True
                break
            if known.found and known.streak < _RECENT:
                break
        rests = self._find_rests(shape)
        return bool(rests) and not self._visited.new(_hash_texts(rests)).all()

    def _pays(self, shape: UrlShape, place: int) -> bool:
        """Test whether URLs of the same pattern, linked at the same place, had new text lately."""
        known = self._yields.get(_key_at(shape, place))
        return known is not None and known.found > 0 and known.streak < _RECENT

    def count_visits(self, shape: UrlShape) -> int:
        """Return the number of visits of the most visited group of a URL's own."""
        known = (self._yields.get(group.key) for group in shape.own)
        return max((one.visited for one in known if one), default=0)

    def record(
        self,
        url: str,
        *,
        is_good: bool,
        is_copy: bool = False,
        via: str = "",
        place: int = 0,
        sources: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """Learn if a visit yielded new text.

        ``is_copy`` says that the page, boilerplate included, is an old one. ``sources`` are
        the page that links to it and, if it is a list, the lists that led there, with the
        places of the links to them.
        """
        shape = read_shape(url)
        rests = _hash_texts(shape.without(place) for _, place in shape.versions)
        is_seen = ~self._visited.new(rests)
        versions = [key for key, _ in compress(shape.versions, is_seen.tolist())]
        explained = [key for key in versions if is_copy and self._is_proven(key)]
        keys = set()
        if place:
            keys.add(key := _key_at(shape, place))
            self._touch(key).record(is_good=is_good)
        for group in () if explained else _iter_groups(shape, via):
            keys.add(group.key)
            known = self._touch(group.key)
            known.record(is_good=is_good)
            if known.visited > group.trials:
                break
        if is_good or is_copy:
            for key in explained or versions:
                self._touch(key).record(is_good=is_good)
        whole = _hash_texts([shape.without(), *self._find_rests(shape)])
        self._visited.add(np.concatenate([rests, whole]))
        if is_good:
            for source, its_place in sources.items():
                self._credit(read_shape(source), its_place, shape, keys)

    def _credit(
        self, source: UrlShape, place: int, shape: UrlShape, paid: set[str]
    ) -> None:
        """Credit a page with new text to a page that leads to it, a group at most once.

        Parts that both share (a session) get no credit.
        """
        shared = {_part_of(key) for key, _ in shape.versions}
        versions = [key for key, _ in source.versions if _part_of(key) not in shared]
        own = (group.key for group in source.own)
        for key in [_key_at(source, place), *own, *versions]:
            if key in self._yields and key not in paid:
                self._touch(key).credit()
                paid.add(key)

    def _find_rests(self, shape: UrlShape) -> list[str]:
        """Return a URL without each part that does not change the text, and without all."""
        places = [place for key, place in shape.versions if self._is_proven(key)]
        rests = [shape.without(place) for place in places]
        return [*rests, shape.without(*places)] if places else []

    def _is_proven(self, key: str) -> bool:
        """Test whether a part of URLs has proved not to change the text."""
        return key in self._yields and self._yields[key].is_barren(VERSION_TRIALS)

    def _touch(self, key: str) -> _Yield:
        """Return the yield of a group, marking it as the most recently visited."""
        known = self._yields.get(key)
        if known is None:
            known = self._yields[key] = _Yield()
            if len(self._yields) > MAX_GROUPS:
                self._yields.popitem(last=False)
        self._yields.move_to_end(key)
        return known


def _part_of(key: str) -> str:
    """Return the parameter of a group of versions, or the place in the path."""
    return key.partition("?")[2] or key


def _key_at(shape: UrlShape, place: int) -> str:
    """Return the key of the URLs of a pattern that are linked at one place of pages."""
    return f"{shape.own[0].key} at {place}"


def _iter_groups(shape: UrlShape, via: str) -> Iterator[Group]:
    """Yield the groups of a URL, the narrowest first.

    A link on a page with new text has only its own groups.
    """
    yield from shape.own
    if via:
        narrowest, trials = read_shape(via).own[-1]
        yield Group(f"{narrowest} leads to", trials)
        yield from shape.above


def _hash_texts(texts: Iterable[str]) -> NDArray[np.uint64]:
    """Return 64-bit keys of texts."""
    return np.fromiter(map(hash_text, texts), np.uint64)
