"""Soft 404s: error pages sent with status 200."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from hashlib import blake2b
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from ilspfc.documents import Paragraph
from ilspfc.frontier.traps.seen_text import TextKeys, read_keys
from ilspfc.web.urls import host_of

# Number of visited pages at which a host is probed.
MIN_PAGES = 5
_MAX_PARAGRAPHS = 200
# Share of a page's paragraphs, from above which it is the response to a probe, if it has at least
# this share of the response: some hosts answer with the list that a short page is in.
_SHARED, _SAID = 0.8, 1 / 3

_INDEX_RE = re.compile(r"(?:index|default|home|start|main)\.\w+", re.IGNORECASE)
_EXTENSION_RE = re.compile(r"\.[a-z]{2,5}$", re.IGNORECASE)


class ErrorPages:
    """Responses of hosts to probes, requests for URLs that cannot exist.

    A response may be a real page: the home page, or the index of a directory. Such pages
    never count as error pages.
    """

    def __init__(self) -> None:
        self._visits: Counter[str] = Counter()
        self._answers: dict[str, list[tuple[str, frozenset[int]]]] = {}

    def probes(self, url: str) -> tuple[str, ...]:
        """Count a page of a host; return the URLs to probe now, usually none.

        Each host is probed once: at its root, in the folder of the page, and with the page's
        last parameter changed, because responses may differ.
        """
        host = host_of(url)
        self._visits[host] += 1
        if self._visits[host] != MIN_PAGES:
            return ()
        name = "x" + blake2b(host.encode(), digest_size=8).hexdigest()
        parts = urlsplit(url)
        folder, _, page = parts.path.rpartition("/")
        extension = _EXTENSION_RE.search(page)
        paths = {f"/{name}", f"{folder}/{name}{extension[0] if extension else ''}"}
        addresses = {(path, "") for path in paths}
        if pairs := parse_qsl(parts.query, keep_blank_values=True):
            addresses.add((parts.path, urlencode([*pairs[:-1], (pairs[-1][0], name)])))
        origin = parts.scheme, parts.netloc
        return tuple(urlunsplit((*origin, *rest, "")) for rest in sorted(addresses))

    def learn(self, url: str, paragraphs: Iterable[Paragraph]) -> None:
        """Store the content of the response to a probe."""
        read = read_keys(url, paragraphs)
        keys = read.others[: min(read.clean, _MAX_PARAGRAPHS)].tolist()
        answer = urlsplit(url).path, frozenset(keys)
        self._answers.setdefault(host_of(url), []).append(answer)

    def has(self, url: str, page: TextKeys) -> bool:
        """Test whether a page is an error page of its host."""
        answers = self._answers.get(host_of(url))
        if not answers:
            return False
        others = [keys for path, keys in answers if not _is_index_of(url, path)]
        return is_soft_404(page.clean_keys, others)


def _is_index_of(url: str, path: str) -> bool:
    """Test whether a URL is that of a parent directory of a path, or of the path itself."""
    parts = urlsplit(url)
    if parts.query:
        return False
    folder, _, page = parts.path.rpartition("/")
    stem = folder if _INDEX_RE.fullmatch(page) else parts.path.removesuffix("/")
    return parts.path == path or path.startswith(f"{stem}/")


def is_soft_404(
    paragraphs: AbstractSet[int], not_found: Iterable[AbstractSet[int]]
) -> bool:
    """Test whether a page is a soft 404 (Bar-Yossef et al., WWW 2004).

    ``paragraphs`` are the keys of the page's clean paragraphs (boilerplate is the same on
    all pages of a host), ``not_found`` those of the responses to probes. The page is an
    error page if more than four fifths of its paragraphs are in one of the responses, and
    these are a third of the response or more. Pages and responses without paragraphs never match.

    >>> is_soft_404({1, 2}, [{1, 2, 3}]), is_soft_404({1, 4, 5}, [{1, 2, 3}])
    (True, False)
    >>> is_soft_404({1}, [{1, 2, 3, 4}])
    False
    """
    return any(
        len(both := paragraphs & other) > _SHARED * len(paragraphs)
        and len(both) >= _SAID * len(other)
        for other in not_found
    )
