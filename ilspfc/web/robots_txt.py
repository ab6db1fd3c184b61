"""robots.txt: the rules of a host for one crawler (RFC 9309).

Parser and matcher are our own: of the 400 cases of Google's suite they pass 392, Protego
0.7 passes 378 and knows no lines about use. docs/optout.md says why the others stay.
"""

from __future__ import annotations

import math
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self

from ilspfc.web.path_rules import PathRules, octets, path_of

# A file is used for a day at the longest (2.4).
MAX_AGE_SECONDS = 24 * 3600.0
# An unreachable host is asked again sooner; the RFC names no time (2.3.1.4).
RETRY_SECONDS = 10 * 60.0
# Larger files are cut; the RFC asks for 500 KiB at least (2.5).
MAX_BODY_BYTES = 512 * 1024
# Directives of X-Robots-Tag that have a value behind a colon; other names are agents.
VALUED_DIRECTIVES = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)
# Crawlers that collect texts to train models on; who forbids them all has language models
# in mind, not this crawler.
AI_CRAWLERS = ("GPTBot", "ClaudeBot", "CCBot", "Google-Extended")

_BLANKS = " \t\v\f\0"
_LINE_RE = re.compile(r"[^\r\n]+")
_BLANKS_RE = re.compile(f"[{_BLANKS}]+")
_NAME_RE = re.compile(r"[^\s/;()*]+")
_TOKEN_RE = re.compile(r"[A-Za-z_-]+")
_SLASHLESS_RE = re.compile(r"[^/*$](?!.*://)")
_COMPATIBLE_RE = re.compile(r"mozilla/[^(]*\(compatible; *([^\s/;()]+)", re.IGNORECASE)


class ExtensionField(StrEnum):
    """Lines of robots.txt about the use of pages, not about access."""

    CONTENT_USAGE = "content-usage"
    CONTENT_SIGNAL = "content-signal"
    LICENSE = "license"


# Names of lines, with accepted misspellings.
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
# Rules: a user-agent line behind one begins a new group (2.2), behind any other line it does
# not (2.2.4). Content-Usage is a rule by draft-ietf-aipref-attach-05, section 3;
# Content-Signal has the same form.
_RULES = frozenset({"allow", "disallow", "content-usage", "content-signal"})


class RobotsState(StrEnum):
    """Result of the request for the file (RFC 9309, section 2.3.1)."""

    READ = "read"
    UNAVAILABLE = "unavailable"
    UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True)
class Extension:
    """Line about the use of pages; ``path`` is empty where it has none.

    ``path`` is in octets, as :class:`ilspfc.web.path_rules.PathPattern` takes it.
    """

    field: ExtensionField
    value: str
    path: str = ""


@dataclass(slots=True, eq=False)
class _Group:
    """All groups of one crawler, merged (2.2.1): patterns with whether they allow."""

    rules: list[tuple[str, bool]] = field(default_factory=list)
    extensions: list[Extension] = field(default_factory=list)
    crawl_delay_seconds: float | None = None

    @property
    def licenses(self) -> list[Extension]:
        """License lines; they have no path."""
        return [ext for ext in self.extensions if ext.field is ExtensionField.LICENSE]


@dataclass(frozen=True, slots=True)
class RobotsPolicy:
    """Rules of the robots.txt of one host (scheme, name and port) for one crawler.

    ``crawl_delay_seconds`` is the longest delay that the crawler's group asks for, None
    where it asks for none; ``sitemaps`` are as written, perhaps relative. After
    ``max_age_seconds`` the file is fetched again. Fetching the file itself is always
    allowed (2.2.2); the caller does so without asking.
    """

    state: RobotsState
    max_age_seconds: float
    crawl_delay_seconds: float | None = None
    sitemaps: tuple[str, ...] = ()
    _rules: PathRules[bool] = field(default_factory=PathRules, repr=False)
    _usage: tuple[PathRules[Extension], ...] = field(default=(), repr=False)
    _licenses: tuple[Extension, ...] = field(default=(), repr=False)
    _ai: tuple[PathRules[bool], ...] = field(default=(), repr=False)

    @classmethod
    def from_response(cls, status: int | None, body: bytes, user_agent: str) -> Self:
        """Return the policy that follows from the response to the request for robots.txt.

        ``status`` is that of the last response when redirects were followed, up to five
        (2.3.1.2), and None where there was none. 2xx: the file is read (2.3.1.1). 4xx, and
        3xx where the redirects led nowhere: everything is allowed (2.3.1.3, 2.3.1.2). 5xx,
        no response, and any other status: nothing is allowed until the file can be read
        (2.3.1.4). No content of the file is an error; lines that are not understood are
        skipped. ``user_agent`` is the header as sent, or its product token alone.
        """
        if status is None or not 200 <= status < 500:
            return cls(RobotsState.UNREACHABLE, RETRY_SECONDS)
        if status >= 300:
            return cls(RobotsState.UNAVAILABLE, MAX_AGE_SECONDS)
        reader = _Reader(product_token(user_agent))
        reader.read(_decode(body))
        group = reader.own or reader.everybody or _Group()
        extensions = [*reader.outside.extensions, *group.extensions]
        usage = (
            PathRules((ext.path, ext) for ext in extensions if ext.field is name)
            for name in (ExtensionField.CONTENT_USAGE, ExtensionField.CONTENT_SIGNAL)
        )
        return cls(
            RobotsState.READ,
            MAX_AGE_SECONDS,
            group.crawl_delay_seconds,
            tuple(reader.sitemaps),
            PathRules(group.rules),
            tuple(usage),
            # RSL 1.0, section 4.4: lines of the group replace those outside all groups.
            tuple(group.licenses or reader.outside.licenses),
            tuple(
                PathRules(reader.ai.get(name, reader.everybody or _Group()).rules)
                for name in AI_CRAWLERS
                if reader.ai
            ),
        )

    @property
    def licenses(self) -> tuple[str, ...]:
        """Addresses of the License lines, as written."""
        return tuple(line.value for line in self._licenses)

    def allows(self, url: str) -> bool:
        """Test whether a URL of this host may be fetched.

        The longest matching rule decides; of equally long ones, one that allows (2.2.2).
        """
        if self.state is not RobotsState.READ:
            return self.state is RobotsState.UNAVAILABLE
        verdicts = self._rules.longest(path_of(url))
        return not verdicts or any(verdicts)

    def forbids_ai(self, url: str) -> bool:
        """Test whether all of ``AI_CRAWLERS`` may not fetch a URL of this host."""
        path = path_of(url)
        verdicts = [rules.longest(path) for rules in self._ai]
        return bool(verdicts) and all(one and not any(one) for one in verdicts)

    def extensions(self, url: str) -> tuple[Extension, ...]:
        """Return the lines about the use of a URL of this host.

        Of the Content-Usage lines those with the longest matching path, and of the
        Content-Signal lines likewise (draft-ietf-aipref-attach-05, section 3.1); a line
        without a path matches everything. Lines before the first group are for every
        crawler. License lines have no path.
        """
        path = path_of(url)
        lines = [line for rules in self._usage for line in rules.longest(path)]
        return (*lines, *self._licenses)


def product_token(user_agent: str) -> str:
    """Return the product token that selects the group (RFC 9309, section 2.2.1).

    >>> product_token("ilspfc/1.0 (+https://example.org)")
    'ilspfc'
    >>> product_token("Mozilla/5.0 (compatible; ilspfc/1.0; +https://example.org)")
    'ilspfc'
    """
    if (match := _COMPATIBLE_RE.match(user_agent)) is not None:
        return match[1]
    match = _NAME_RE.search(user_agent)
    return match[0] if match else ""


def _decode(body: bytes) -> str:
    """Return a file as UTF-8 octets, each as one latin-1 character.

    The file should be UTF-8 (2.2); a UTF-16 byte order mark is obeyed. The intact beginning
    of a damaged UTF-8 mark is skipped, as Google does.
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
    """Line reader: keeps our own groups, those of ``*`` and of AI crawlers, and lines outside."""

    def __init__(self, token: str) -> None:
        self.own: _Group | None = None
        self.everybody: _Group | None = None
        self.outside = _Group()
        self.ai: dict[str, _Group] = {}
        self.sitemaps: dict[str, None] = {}
        self._token = octets(token).lower()
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
            self.everybody = group = self.everybody or _Group()
        elif _is_for(value, self._token):
            self.own = group = self.own or _Group()
        elif name := next((n for n in AI_CRAWLERS if _is_for(value, n.lower())), ""):
            group = self.ai.setdefault(name, _Group())
        else:
            return
        if group not in self._current:
            self._current.append(group)

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
            # A rule without a path matches nothing; a forbidden one may lack its slash.
            if value:
                if name == "disallow" and _SLASHLESS_RE.match(value):
                    value = f"/{value}"
                for group in self._current:
                    group.rules.append((value, name == "allow"))
            return
        path = ""
        if name != ExtensionField.LICENSE and value.startswith("/"):
            path, value = (*_BLANKS_RE.split(value, 1), "")[:2]
        extension = Extension(ExtensionField(name), _text(value), path)
        for group in self._current:
            group.extensions.append(extension)


def _is_for(agent: str, token: str) -> bool:
    """Test whether an agent is a crawler, by its name or by its product token.

    A token has only letters, ``-`` and ``_`` (2.2.1); the name may have more.
    """
    matches = (_NAME_RE.match(agent), _TOKEN_RE.match(agent))
    return any(match and match[0].lower() == token for match in matches)


def _split_line(line: str) -> tuple[str, str]:
    """Return name and value of a line; the name is empty for a line without meaning."""
    name, colon, value = line.partition(":")
    known = _FIELDS.get(name.strip(_BLANKS).lower()) if colon else None
    if known is not None:
        return known, value.strip(_BLANKS)
    # A missing colon is tolerated.
    words = _BLANKS_RE.split(line.strip(_BLANKS))
    if len(words) == 2:
        return _FIELDS.get(words[0].lower(), ""), words[1]
    return "", ""


def _text(value: str) -> str:
    """Return a value as text; invalid UTF-8 becomes U+FFFD."""
    return value.encode("latin-1").decode("utf-8", "replace")
