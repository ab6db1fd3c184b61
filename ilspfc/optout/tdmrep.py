"""File of a site that reserves text and data mining: ``/.well-known/tdmrep.json``.

TDM Reservation Protocol, final report of the W3C community group of 2024-05-10, section
"TDM File on the Origin Server".
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Self

from ilspfc.optout.signals import Signal, SignalKind
from ilspfc.web.path_rules import PathPattern, octets, path_of

TDMREP_PATH = "/.well-known/tdmrep.json"
# A larger file is not read, nor are further rules: the report names no limits.
MAX_BODY_BYTES = 512 * 1024
MAX_RULES = 2000


@dataclass(frozen=True, slots=True)
class TdmRule:
    """Rule: a path pattern, and whether mining is reserved."""

    location: str
    reserves: bool
    policy: str
    pattern: PathPattern


@dataclass(frozen=True, slots=True)
class TdmFile:
    """Rules of a site in order; ``broken`` describes the first error."""

    rules: tuple[TdmRule, ...] = ()
    broken: str = ""

    @classmethod
    def from_response(cls, status: int, body: bytes) -> Self:
        """Return the rules in the response to the request for the file.

        ``status`` is that of the last answer when redirects were followed. Without success the
        site does not take part in the protocol; nor does it where it answers with a web page.
        Rules of another form than in the report are left out, as ``broken`` states; the other
        rules count.
        """
        if not 200 <= status < 300 or body.lstrip()[:1] in {b"", b"<"}:
            return cls()
        if len(body) > MAX_BODY_BYTES:
            return cls(broken=f"larger than {MAX_BODY_BYTES} bytes")
        try:
            content = json.loads(body)
        except (ValueError, RecursionError):
            return cls(broken="not JSON")
        if not isinstance(content, list):
            return cls(broken="not an array of rules")
        rules = [_read_rule(entry) for entry in content[:MAX_RULES]]
        broken = ""
        if None in rules:
            number = rules.index(None) + 1
            broken = f"rule {number} is not of the form that is asked for"
        elif len(content) > MAX_RULES:
            broken = f"more than {MAX_RULES} rules"
        return cls(tuple(rule for rule in rules if rule), broken)

    def signals(self, url: str) -> tuple[Signal, ...]:
        """Return the signal for a URL of this site, if there is one.

        The first rule whose location matches counts ("the most specific match is the first
        in sequence"). Without one, the error of the file is reported.
        """
        path = path_of(url)
        rule = next((rule for rule in self.rules if rule.pattern.matches(path)), None)
        if rule is None and not self.broken:
            return ()
        kind = SignalKind.TDMREP_FILE
        if rule is None:
            return (Signal(kind, "", reserves=False, broken=self.broken),)
        value = f"{rule.location} {rule.reserves:d}"
        return (Signal(kind, value, rule.reserves, rule.policy),)


def _read_rule(entry: object) -> TdmRule | None:
    """Return the rule of an entry: ``location``, ``tdm-reservation`` 0 or 1, a policy."""
    if not isinstance(entry, dict):
        return None
    location, reservation = entry.get("location"), entry.get("tdm-reservation")
    if not isinstance(location, str) or not location.startswith(("/", "*")):
        return None
    # Not isinstance: True is 1 to Python, but no integer to JSON.
    if type(reservation) is not int or reservation not in {0, 1}:
        return None
    policy = entry.get("tdm-policy", "")
    pattern = PathPattern(octets(location))
    return TdmRule(
        location, reservation == 1, policy if isinstance(policy, str) else "", pattern
    )
