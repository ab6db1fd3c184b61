"""The lines of a robots.txt that concern one crawler (RFC 9309, section 2)."""

from __future__ import annotations

import math
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass, field
from enum import StrEnum

# Of a larger file only the beginning counts; the RFC asks for 500 KiB at least (2.5).
MAX_BODY_BYTES = 512 * 1024

_BLANKS = " \t\v\f\0"
_LINE_RE = re.compile(r"[^\r\n]+")
_BLANKS_RE = re.compile(f"[{_BLANKS}]+")
_NAME_RE = re.compile(r"[^\s/;()*]+")
_TOKEN_RE = re.compile(r"[A-Za-z_-]+")
_COMPATIBLE_RE = re.compile(r"mozilla/[^(]*\(compatible; *([^\s/;()]+)", re.IGNORECASE)


class ExtensionField(StrEnum):
    """The lines of robots.txt that speak of use, not of access."""

    CONTENT_USAGE = "content-usage"
    CONTENT_SIGNAL = "content-signal"
    LICENSE = "license"


# The names of lines, with the misspellings that are understood.
_FIELDS = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), "user-agent"),
    "allow": "allow",
    **dict.fromkeys(
        "disallow dissallow dissalow disalow diasllow disallaw desallow".split(),
        "disallow",
    ),
    **dict.fromkeys(("sitemap", "sitemaps", "site-map"), "sitemap"),
    **dict.fromkeys(("crawl-delay", "crawl delay"), "crawl-delay"),
    **{name.value: name.value for name in ExtensionField},
}
# The lines that are rules: a user-agent line behind one begins a new group (2.2), behind
# any other it does not (2.2.4). Content-Usage is a rule by draft-ietf-aipref-attach-05,
# section 3; Content-Signal is written like it.
_RULES = frozenset({"allow", "disallow", "content-usage", "content-signal"})


@dataclass(frozen=True, slots=True)
class Extension:
    """A line about the use of what may be fetched; ``path`` is empty where it has none.

    ``path`` is in octets, as :class:`ilspfc.web.robots.path_rules.PathPattern` takes it.
    """

    field: ExtensionField
    value: str
    path: str = ""


@dataclass(slots=True, eq=False)
class RobotsGroup:
    """All groups of one crawler, merged (2.2.1): patterns with whether they allow."""

    rules: list[tuple[str, bool]] = field(default_factory=list)
    extensions: list[Extension] = field(default_factory=list)
    crawl_delay_seconds: float | None = None


@dataclass(slots=True)
class RobotsFile:
    """What a file says to one crawler.

    ``group`` is the group that it must obey: the one that names it, else that of ``*``,
    else an empty one. ``outside`` holds the extension lines before the first group, which
    are said to everybody. ``sitemaps`` are in the file's order, each once, as written.
    """

    group: RobotsGroup
    outside: list[Extension]
    sitemaps: tuple[str, ...]


def product_token(user_agent: str) -> str:
    """Return the name that groups are chosen by (RFC 9309, section 2.2.1).

    >>> product_token("ilspfc/1.0 (+https://example.org)")
    'ilspfc'
    >>> product_token("Mozilla/5.0 (compatible; ilspfc/1.0; +https://example.org)")
    'ilspfc'
    """
    if (match := _COMPATIBLE_RE.match(user_agent)) is not None:
        return match[1]
    match = _NAME_RE.search(user_agent)
    return match[0] if match else ""


def read_robots_file(body: bytes, token: str) -> RobotsFile:
    """Return what a file says to the crawler with a product token.

    Beyond ``MAX_BODY_BYTES`` nothing is read, nor the line that is cut there. No content
    is an error: what is not understood is skipped.
    """
    reader = _Reader(token)
    reader.read(_decode(body))
    group = reader.own or reader.everybody or RobotsGroup()
    return RobotsFile(group, reader.outside.extensions, tuple(reader.sitemaps))


def _decode(body: bytes) -> str:
    """Return a file as octets of UTF-8, each as one character.

    UTF-8 is asked for (2.2); a UTF-16 byte order mark is honoured. Of a damaged UTF-8 mark
    the good beginning is skipped, as Google does.
    """
    head = body[:MAX_BODY_BYTES]
    if head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        text = head.decode("utf-16", "replace").encode("utf-8").decode("latin-1")
    else:
        marks = (BOM_UTF8[:size] for size in (3, 2, 1))
        mark = next((mark for mark in marks if head.startswith(mark)), b"")
        text = head.removeprefix(mark).decode("latin-1")
    if len(body) > MAX_BODY_BYTES:
        text = text[: max(text.rfind("\n"), text.rfind("\r")) + 1]
    return text


class _Reader:
    """Reads line by line; keeps our own groups, those of ``*`` and what stands outside."""

    def __init__(self, token: str) -> None:
        self.own: RobotsGroup | None = None
        self.everybody: RobotsGroup | None = None
        self.outside = RobotsGroup()
        self.sitemaps: dict[str, None] = {}
        self._token = token.lower()
        # The groups that a line belongs to, and whether further agents may join them.
        self._current = [self.outside]
        self._among_agents = False

    def read(self, text: str) -> None:
        for line in _LINE_RE.findall(text):
            name, value = _split_line(line.partition("#")[0])
            if name == "user-agent":
                self._read_agent(value)
            elif name == "sitemap":
                self.sitemaps[_text(value)] = None
            elif name == "crawl-delay":
                self._read_delay(value)
            elif name:
                self._read_rule(name, value)

    def _read_agent(self, value: str) -> None:
        if not self._among_agents:
            self._current, self._among_agents = [], True
        if _BLANKS_RE.split(value, 1)[0] == "*":
            self.everybody = group = self.everybody or RobotsGroup()
        elif self._is_own(value):
            self.own = group = self.own or RobotsGroup()
        else:
            return
        if group not in self._current:
            self._current.append(group)

    def _is_own(self, value: str) -> bool:
        """Return whether an agent is us, by its name or the part of it that is a token.

        A token has letters, ``-`` and ``_`` alone (2.2.1), but a name that is written like
        ours means us all the same.
        """
        matches = (_NAME_RE.match(value), _TOKEN_RE.match(value))
        return any(match and match[0].lower() == self._token for match in matches)

    def _read_delay(self, value: str) -> None:
        try:
            delay = float(value)
        except ValueError:
            return
        if math.isfinite(delay) and delay >= 0:
            for group in self._current:
                group.crawl_delay_seconds = max(delay, group.crawl_delay_seconds or 0.0)

    def _read_rule(self, name: str, value: str) -> None:
        if name in _RULES:
            self._among_agents = False
        if name in {"allow", "disallow"}:
            # A rule without a path matches nothing.
            if value:
                for group in self._current:
                    group.rules.append((value, name == "allow"))
            return
        path = ""
        if name != ExtensionField.LICENSE and value.startswith("/"):
            path, value = (*_BLANKS_RE.split(value, 1), "")[:2]
        extension = Extension(ExtensionField(name), _text(value), path)
        for group in self._current:
            group.extensions.append(extension)


def _split_line(line: str) -> tuple[str, str]:
    """Return name and value of a line; the name is empty where the line says nothing."""
    name, colon, value = line.partition(":")
    known = _FIELDS.get(name.strip(_BLANKS).lower()) if colon else None
    if known is not None:
        return known, value.strip(_BLANKS)
    # The colon is sometimes forgotten.
    words = _BLANKS_RE.split(line.strip(_BLANKS))
    if len(words) == 2:
        return _FIELDS.get(words[0].lower(), ""), words[1]
    return "", ""


def _text(value: str) -> str:
    """Return a value as text; octets that are no UTF-8 become U+FFFD."""
    return value.encode("latin-1").decode("utf-8", "replace")
