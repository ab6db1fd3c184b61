"""Language marks in URLs other than language codes, learned from the pages of a host.

Examples are ``?lang=0`` and ``?lang=1``, ``/v1/`` and ``/v2/``: values at one place in the
URLs of a host that correlate with the languages of its pages. In the founding paper (003,
workflow of the bilingual crawler), the user configures them.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

# Minimum number of pages with a value, and minimum share of them in the marked language.
MIN_PAGES = 3
MIN_SHARE = 0.9
# Minimum share of a place's pages whose values are marks: otherwise it holds content.
MIN_MARKED_SHARE = 0.8
# Limits of values counted per place, hosts remembered, and folders read.
_MAX_VALUES = 64
_MAX_HOSTS = 1000
_MAX_FOLDERS = 3
_CACHED_URLS = 1 << 12

# Place in a URL: the name of a parameter, or the number of a folder from the left.
Place = tuple[str, str]


class LearnedMark(NamedTuple):
    """Language marked by a value in a URL, the place of the value, the URL without it."""

    lang: str
    place: Place
    rest: str


class SiteMarks:
    """Counts of page languages by the values in URLs, per host."""

    def __init__(self) -> None:
        self._hosts: OrderedDict[str, _HostMarks] = OrderedDict()

    def learn(self, url: str, lang: str) -> None:
        """Count a page in a language (ISO 639-3); an invalid URL has no places."""
        host, places = read_places(url)
        if places:
            marks = self._hosts.setdefault(host, _HostMarks())
            self._hosts.move_to_end(host)
            marks.learn(places, lang)
            if len(self._hosts) > _MAX_HOSTS:
                self._hosts.popitem(last=False)

    def read(self, url: str) -> LearnedMark | None:
        """Return the mark in a URL, None if there is none."""
        host, places = read_places(url)
        known = self._hosts.get(host)
        if known is None or (found := known.read(places)) is None:
            return None
        return LearnedMark(*found, _remove(url, found[1]))


class _HostMarks:
    """Counts of one host: languages by place and value."""

    def __init__(self) -> None:
        self._counts: dict[Place, dict[str, Counter[str]]] = defaultdict(dict)
        self._marks: dict[Place, dict[str, str]] = {}

    def learn(self, places: Mapping[Place, str], lang: str) -> None:
        """Count a page in a language by the values of its URL."""
        for place, value in places.items():
            values = self._counts[place]
            if value in values or len(values) < _MAX_VALUES:
                values.setdefault(value, Counter())[lang] += 1
                self._marks.pop(place, None)

    def read(self, places: Mapping[Place, str]) -> tuple[str, Place] | None:
        """Return the language marked by a value in a URL, and its place."""
        for place, value in places.items():
            if place not in self._counts:
                continue
            if place not in self._marks:
                self._marks[place] = find_marks(self._counts[place])
            if lang := self._marks[place].get(value):
                return lang, place
        return None


def _remove(url: str, place: Place) -> str:
    """Return a URL without its scheme and the value at a place."""
    parts = urlsplit(url)
    kind, name = place
    folders, fields = parts.path.split("/"), parse_qsl(parts.query)
    if kind == "folder":
        del folders[int(name) + 1]
    else:
        fields = [field for field in fields if field[0] != name]
    query = f"?{urlencode(fields)}" if fields else ""
    return f"{parts.netloc}{'/'.join(folders)}{query}"


def find_marks(counts: Mapping[str, Counter[str]]) -> dict[str, str]:
    """Return the language of each mark at a place, empty if its values are not marks.

    ``counts`` are pages by value and language. A value marks a language if nine in ten of
    its pages, and at least three, are in it. The place holds marks if such values have four
    fifths of its pages and mark at least two languages.

    >>> find_marks({"0": Counter(deu=4), "1": Counter(ita=3), "2": Counter(ita=1)})
    {'0': 'deu', '1': 'ita'}
    >>> find_marks({"a": Counter(deu=4, ita=4), "b": Counter(deu=3, ita=2)})
    {}
    """
    marks, marked = {}, 0
    for value, langs in counts.items():
        ((lang, number),) = langs.most_common(1)
        total = langs.total()
        if number >= MIN_PAGES and number >= MIN_SHARE * total:
            marks[value] = lang
            marked += total
    pages = sum(langs.total() for langs in counts.values())
    is_place = len(set(marks.values())) > 1 and marked >= MIN_MARKED_SHARE * pages
    return marks if is_place else {}


@lru_cache(maxsize=_CACHED_URLS)
def read_places(url: str) -> tuple[str, Mapping[Place, str]]:
    """Return the host of a URL, and its values by place: parameters, then folders.

    >>> read_places("http://a.org/v1/x/y.html?lang=0&id=7")[1]
    {('query', 'lang'): '0', ('query', 'id'): '7', ('folder', '0'): 'v1', ('folder', '1'): 'x'}
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", {}
    places = {("query", name): value for name, value in parse_qsl(parts.query)}
    for number, folder in enumerate(parts.path.split("/")[1:-1][:_MAX_FOLDERS]):
        places["folder", str(number)] = folder
    return parts.netloc, places
