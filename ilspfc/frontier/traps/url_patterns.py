"""URL patterns: groups of URLs of one host that may have a common yield."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from ilspfc.web.urls import host_of

MAX_SEGMENTS = 16
MIN_REPEATS = 3
MAX_PARAMETERS = 8
# Consecutive visits without new text after which a group may be barren: groups of odd
# URLs, of versions of one page, and all others.
_ODD_TRIALS = 8
VERSION_TRIALS = 12
_PATTERN_TRIALS = 20

_EXTENSION_RE = re.compile(r"\.[a-z]{2,5}$")
_DIGITS_RE = re.compile(r"\d+")
# A slug after, or before, the number of its page.
_NUMBERED_RE = re.compile(r"\d+[:_-][^\d].*")
_NAMED_RE = re.compile(r".*[^\d_-][_-]\d{5,}")
_OPAQUE_RE = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=.*\d)(?=.*[a-f])[0-9a-f]{8,}",
    re.IGNORECASE,
)
_MIXED_RE = re.compile(r"[0-9a-z]{10,}={0,2}", re.IGNORECASE)
_SWITCH_RE = re.compile(r"\d[a-z]|[a-z]\d", re.IGNORECASE)
_MIN_SWITCHES = 3
# Longer paths are odd anyway, and the search for runs is quadratic.
_MAX_SEARCHED_SEGMENTS = 64


class Group(NamedTuple):
    """Group of URLs, and the number of visits without new text after which it is barren."""

    key: str
    trials: int


class UrlShape(NamedTuple):
    """Groups that a URL belongs to.

    ``own`` and ``above`` (folders) are ordered from narrow to wide. ``parts`` are host,
    segments and parameters; ``versions`` are (group, index of part) for the parts in which
    versions of one page may differ. ``label`` is a readable pattern of similar URLs.
    ``section`` is the same for URLs with the same first folder and numbers of segments and
    parameters.
    """

    label: str
    section: str
    own: tuple[Group, ...]
    above: tuple[Group, ...]
    parts: tuple[str, ...]
    versions: tuple[tuple[str, int], ...]

    def without(self, *places: int) -> str:
        """Return the URL without the parts at these indices."""
        return "\n".join(p for n, p in enumerate(self.parts) if n not in places)


@lru_cache(maxsize=1 << 13)  # what is held back of a host is looked at again and again
def read_shape(url: str) -> UrlShape:
    """Return the shape of a canonical URL; AddressError, a ValueError, if it has no host.

    >>> shape = read_shape("http://a.org/shop/42?id=7&sort=up")
    >>> shape.label, [group.key for group in shape.own][:2]
    ('/shop/42?id=*&sort=*', ['a.org/shop/{n}?id={n}&sort=up', 'a.org/shop/{n}?id&sort'])
    >>> [key for key, _ in shape.versions]
    ['a.org/[] 2', 'a.org/shop/*?[id]', 'a.org/shop/*?[sort]']
    """
    host = host_of(url)
    parts = urlsplit(url)
    segments = [segment for segment in parts.path.split("/") if segment]
    query = [pair for pair in parts.query.split("&") if pair]
    masked = [mask(segment) for segment in segments[:_MAX_SEARCHED_SEGMENTS]]
    names = [pair.partition("=")[0] for pair in query]
    path = "/".join([host, *masked])
    odd = find_oddity(parts.path, segments, len(query))
    folders = ["/".join([host, *masked[:end]]) for end in range(len(masked))]
    label = f"{parts.path}?{'&'.join(f'{name}=*' for name in names)}"
    return UrlShape(
        label if query else "/".join(["", *segments[:-1], "*"]),
        f"{masked[0] if masked[1:] else ''} {len(masked)} {len(query)}",
        tuple(_own_groups(path, folders, query, odd)),
        tuple(Group(f"{key}/**", _PATTERN_TRIALS) for key in folders[-2::-1] or [host]),
        (host, *segments, *(f"?{pair}" for pair in query)),
        (
            *(
                (f"{key}/[{kind if '{' in kind else ''}] {len(masked)}", place)
                for place, (key, kind) in enumerate(
                    zip(folders[:-1], masked, strict=False), 1
                )
            ),
            *(
                (f"{folders[-1] if folders else host}/*?[{name}]", place)
                for place, name in enumerate(names, len(segments) + 1)
            ),
        )
        if not odd
        else (),
    )


def _own_groups(
    path: str, folders: Sequence[str], query: Sequence[str], odd: str
) -> Iterator[Group]:
    """Yield the groups of a URL, from the narrowest to its folder."""
    host = path.partition("/")[0]
    if odd:
        yield Group(f"{host} {odd}", _ODD_TRIALS)
    pairs = [pair.partition("=") for pair in query]
    values = "&".join(f"{name}{equals}{mask(value)}" for name, equals, value in pairs)
    if "{" in path + values:
        yield Group(f"{path}?{values}", _PATTERN_TRIALS)
    folder = f"{folders[-1] if folders else host}/*"
    if pairs:
        names = "&".join(name for name, *_ in pairs)
        yield Group(f"{path}?{names}", _PATTERN_TRIALS)
        yield Group(f"{path}?*", _PATTERN_TRIALS)
        yield Group(f"{folder}?{values}", _PATTERN_TRIALS)
        yield Group(f"{folder}?{names}", _PATTERN_TRIALS)
    else:
        yield Group(folder, _PATTERN_TRIALS)


def mask(token: str) -> str:
    """Return a path segment or value with numbers and opaque tokens masked.

    >>> [mask(token) for token in ("page12", "12-a-title", "5f3a9c21d0", "covid-19.html")]
    ['page{n}', '{n}-{slug}', '{x}', 'covid-{n}.html']
    """
    if _DIGITS_RE.search(token) is None:
        return token
    stem = _EXTENSION_RE.sub("", token)
    is_mixed = _MIXED_RE.fullmatch(stem) is not None
    if _OPAQUE_RE.fullmatch(stem) or (
        is_mixed and len(_SWITCH_RE.findall(stem)) >= _MIN_SWITCHES
    ):
        return "{x}"
    if _NUMBERED_RE.fullmatch(token):
        return "{n}-{slug}"
    if _NAMED_RE.fullmatch(stem):
        return "{slug}-{n}"
    return _DIGITS_RE.sub("{n}", token)


def find_oddity(path: str, segments: Sequence[str], parameters: int) -> str:
    """Return the name of a symptom of misplaced relative links in a URL, usually empty."""
    if has_repeats(segments):
        return "repeated segments"
    if path.removesuffix("/").count("/") > MAX_SEGMENTS:
        return "deep paths"
    return "many parameters" if parameters > MAX_PARAMETERS else ""


def has_repeats(segments: Sequence[str], min_repeats: int = MIN_REPEATS) -> bool:
    """Test whether a path repeats itself, as misplaced relative links do.

    A repetition is a segment that occurs ``min_repeats`` times anywhere, or a run of
    segments that does so consecutively. Numbers, and nonconsecutive single characters, may
    repeat.

    >>> has_repeats(["en", "a", "b", "a", "b", "a", "b"]), has_repeats(["1", "1", "1"])
    (True, False)
    """
    names = [segment.lower() for segment in segments[:_MAX_SEARCHED_SEGMENTS]]
    if len(set(names)) == len(names):
        return False
    counts = Counter(name for name in names if len(name) > 1 and not name.isdecimal())
    if any(count >= min_repeats for count in counts.values()):
        return True
    for size in range(1, len(names) // min_repeats + 1):
        streak = 0
        for end in range(size, len(names)):
            streak = streak + 1 if names[end] == names[end - size] else 0
            is_run = streak >= size * (min_repeats - 1)
            if is_run and not all(map(str.isdecimal, names[end - size + 1 : end + 1])):
                return True
    return False
