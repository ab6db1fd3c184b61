"""What a host's robots.txt allows this crawler (RFC 9309).

Parser and matcher are our own. Of the 400 cases of Google's suite they pass 392: in three
of the others RFC 9309 asks for the opposite (escapes, section 2.2.2), in three a group is
obeyed whose name has digits and so is no product token, two are marked as habits of
Google's own (``index.html`` stands for its folder; a name of two words).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self

from ilspfc.web.robots.path_rules import PathRules, TooManyPatternsError, path_of
from ilspfc.web.robots.robots_file import (
    Extension,
    ExtensionField,
    product_token,
    read_robots_file,
)

# A file is used for a day at the longest (2.4).
MAX_AGE_SECONDS = 24 * 3600.0
# An unreachable host is asked again sooner; the RFC names no time (2.3.1.4).
RETRY_SECONDS = 10 * 60.0


class RobotsState(StrEnum):
    """What came of asking for the file (RFC 9309, section 2.3.1)."""

    READ = "read"
    UNAVAILABLE = "unavailable"
    UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True)
class RobotsPolicy:
    """What the robots.txt of one host (scheme, name and port) allows one crawler.

    ``crawl_delay_seconds`` is the longest delay that the crawler's group asks for, None
    where it asks for none; ``sitemaps`` are as the file has them, perhaps relative.
    ``max_age_seconds`` is the time after which the file is asked for again. The file itself
    may always be fetched (2.2.2): the caller does so without asking.
    """

    state: RobotsState
    max_age_seconds: float
    crawl_delay_seconds: float | None = None
    sitemaps: tuple[str, ...] = ()
    _rules: PathRules[bool] = field(default_factory=PathRules, repr=False)
    _usage: dict[ExtensionField, PathRules[Extension]] = field(
        default_factory=dict, repr=False
    )
    _licenses: tuple[Extension, ...] = field(default=(), repr=False)

    @classmethod
    def from_response(cls, status: int | None, body: bytes, user_agent: str) -> Self:
        """Return the policy that an answer to the request for robots.txt makes.

        ``status`` is that of the last answer, when redirects were followed, up to five
        (2.3.1.2), and None where there was none. 2xx: the file is read (2.3.1.1). 4xx, and
        3xx where the redirects led nowhere: everything is allowed (2.3.1.3, 2.3.1.2). 5xx,
        no answer, and any other status: nothing is, until the file can be read (2.3.1.4).
        ``user_agent`` is the header as it is sent, or its product token alone.
        """
        if status is None or not 200 <= status < 500:
            return cls(RobotsState.UNREACHABLE, RETRY_SECONDS)
        if status >= 300:
            return cls(RobotsState.UNAVAILABLE, MAX_AGE_SECONDS)
        file = read_robots_file(body, product_token(user_agent))
        extensions = [*file.outside, *file.group.extensions]
        own, outside = (
            tuple(line for line in lines if line.field is ExtensionField.LICENSE)
            for lines in (file.group.extensions, file.outside)
        )
        return cls(
            RobotsState.READ,
            MAX_AGE_SECONDS,
            file.group.crawl_delay_seconds,
            file.sitemaps,
            PathRules(file.group.rules),
            {
                name: PathRules(
                    (line.path, line) for line in extensions if line.field is name
                )
                for name in (
                    ExtensionField.CONTENT_USAGE,
                    ExtensionField.CONTENT_SIGNAL,
                )
            },
            # RSL 1.0, section 4.4: lines of the group replace those outside all groups.
            own or outside,
        )

    def allows(self, url: str) -> bool:
        """Return whether a URL of this host may be fetched.

        The longest rule that matches decides; of equally long ones, one that allows
        (2.2.2). A URL is not allowed where thousands of rules are made to fit it, for the
        time that it takes.
        """
        if self.state is not RobotsState.READ:
            return self.state is RobotsState.UNAVAILABLE
        try:
            verdicts = self._rules.longest(path_of(url))
        except TooManyPatternsError:
            return False
        return not verdicts or any(verdicts)

    def extensions(self, url: str) -> tuple[Extension, ...]:
        """Return the lines that speak of the use of a URL of this host.

        Of the Content-Usage lines those with the longest path that matches, and of the
        Content-Signal lines likewise (draft-ietf-aipref-attach-05, section 3.1); a line
        without a path matches everything. Lines before the first group are said to every
        crawler. License lines have no path.
        """
        path = path_of(url)
        lines: list[Extension] = []
        for rules in self._usage.values():
            with suppress(TooManyPatternsError):
                lines += rules.longest(path)
        return (*lines, *self._licenses)
