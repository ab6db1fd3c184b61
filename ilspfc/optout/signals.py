"""Readers of signals about text and data mining.

Permissions and broken values are returned too, as evidence; the decision is that of
:func:`ilspfc.optout.policy.decide`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import http_sf

from ilspfc.web.link_header import RSL_TYPE
from ilspfc.web.robots_txt import (
    AI_CRAWLERS,
    VALUED_DIRECTIVES,
    ExtensionField,
    RobotsPolicy,
    product_token,
)

# Longer Content-Usage fields are refused; RFC 9651 asks for 1024 members at least (3.2).
MAX_FIELD_CHARS = 64 * 1024
# Of a longer value only the beginning is kept as evidence.
MAX_VALUE_CHARS = 500
# What no XML file may hold, nor UTF-8.
_UNWRITABLE_RE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")

# The labels of draft-ietf-aipref-vocab that cover training, the most specific first; the
# first of them that is stated decides. train-ai is that of revisions 05 to 08; the others
# were retired (00 to 04), but who wrote them meant them.
_TRAINING_LABELS = ("train-genai", "genai", "train-ai", "ai", "tdm", "bots", "all")
# A corpus stores and reproduces: more than these levels of use= allow.
_LEVELS_BELOW_FULL = frozenset({"immediate", "reference"})
_SIGNAL_VALUES = {
    **dict.fromkeys(("search", "ai-input", "ai-train"), frozenset({"yes", "no"})),
    "use": _LEVELS_BELOW_FULL | {"full"},
}
_NO_TEXT_MINING = frozenset({"noai", "noml"})
_NO_MINING = _NO_TEXT_MINING | {"noimageai"}
_LINK_RE = re.compile(r"<([^<>]*)>([^<]*)")
_RSL_PATH_RE = re.compile(r"[^?#]*\.(?:rsl|xml)(?:[?#].*)?", re.IGNORECASE | re.DOTALL)


class SignalKind(StrEnum):
    """Kind of a signal."""

    TDMREP_FILE = "tdmrep_file"
    TDMREP_HEADER = "tdmrep_header"
    TDMREP_META = "tdmrep_meta"
    CONTENT_USAGE_ROBOTS = "content_usage_robots"
    CONTENT_USAGE_HEADER = "content_usage_header"
    CONTENT_SIGNAL = "content_signal"
    NOAI_HEADER = "noai_header"
    NOAI_META = "noai_meta"
    RSL_ROBOTS = "rsl_robots"
    RSL_LINK = "rsl_link"
    RSL_TERMS = "rsl_terms"
    AI_CRAWLERS_ROBOTS = "ai_crawlers_robots"


@dataclass(frozen=True, slots=True)
class Signal:
    """Declaration about the use of a page.

    ``value`` is as found, without control characters; ``reserves``: it reserves the right
    to mine the text or to train on it. ``policy`` is the URL of the terms of TDMRep or RSL.
    ``broken`` describes the error of a value that could not be read completely; broken
    values reserve nothing. ``where`` is the place of a signal whose kind does not tell it.
    """

    kind: SignalKind
    value: str
    reserves: bool
    policy: str = ""
    broken: str = ""
    where: str = ""

    def __post_init__(self) -> None:
        for name in ("value", "policy"):
            text = getattr(self, name)[:MAX_VALUE_CHARS]
            object.__setattr__(self, name, _UNWRITABLE_RE.sub("\ufffd", text))


def read_headers(
    headers: Iterable[tuple[str, str]], user_agent: str = ""
) -> tuple[Signal, ...]:
    """Return the signals of a response's header lines (name, value).

    TDM-Reservation and TDM-Policy (TDMRep, 2024-05-10), Content-Usage
    (draft-ietf-aipref-attach-05, section 2), Content-Signal, X-Robots-Tag for all or for
    this crawler, Link to an RSL license (RSL 1.0, section 4.5).
    """
    lines: dict[str, list[str]] = {}
    for name, value in headers:
        lines.setdefault(name.strip().lower(), []).append(value.strip())
    return tuple(_iter_header_signals(lines, product_token(user_agent).lower()))


def _iter_header_signals(
    lines: Mapping[str, list[str]], token: str
) -> Iterator[Signal]:
    reservation = ", ".join(lines.get("tdm-reservation", ()))
    policy = next(iter(lines.get("tdm-policy", ())), "")
    if reservation or policy:
        yield tdm_signal(SignalKind.TDMREP_HEADER, reservation, policy)
    if "content-usage" in lines:
        # RFC 9651, section 4.2: several lines are one field.
        value = ", ".join(lines["content-usage"])
        yield _usage_signal(SignalKind.CONTENT_USAGE_HEADER, value)
    for value in lines.get("content-signal", ()):
        yield _content_signal("header", value)
    for value in lines.get("x-robots-tag", ()):
        yield from _noai_signals(
            SignalKind.NOAI_HEADER, value, _directives_for(value, token)
        )
    for value in lines.get("link", ()):
        for url in link_licenses(value):
            yield Signal(SignalKind.RSL_LINK, url, reserves=False)


def link_licenses(value: str) -> Iterator[str]:
    """Yield the addresses of the RSL documents in a value of ``Link`` (RSL 1.0, 4.5)."""
    for url, parameters in _LINK_RE.findall(value):
        if RSL_TYPE in parameters.lower() and "license" in parameters.lower():
            yield url


def read_metadata(
    meta: Mapping[str, str],
    links: Iterable[tuple[str, str, str]] = (),
    user_agent: str = "",
) -> tuple[Signal, ...]:
    """Return the signals of an HTML page's head.

    ``meta`` maps the names of meta elements, in lower case, to their contents; ``links`` are
    rel, href and type of link elements. A license is RSL by its
    type, without one by the ending of its address: ``.xml`` or ``.rsl``.
    """
    signals: list[Signal] = []
    reservation, policy = meta.get("tdm-reservation", ""), meta.get("tdm-policy", "")
    if reservation or policy:
        signals.append(tdm_signal(SignalKind.TDMREP_META, reservation, policy))
    for name in dict.fromkeys(("robots", product_token(user_agent).lower())):
        value = meta.get(name, "")
        directives = map(str.strip, value.lower().split(","))
        signals += _noai_signals(SignalKind.NOAI_META, value, directives)
    for rel, href, media_type in links:
        url, given = href.strip(), media_type.partition(";")[0].strip().lower()
        is_rsl = given == RSL_TYPE or (not given and _RSL_PATH_RE.fullmatch(url))
        if is_rsl and "license" in rel.lower().split():
            signals.append(Signal(SignalKind.RSL_LINK, url, reserves=False))
    return tuple(signals)


def read_robots(robots: RobotsPolicy, url: str) -> tuple[Signal, ...]:
    """Return the signals of a host's robots.txt that concern a URL of this host.

    The lines are those of :meth:`ilspfc.web.robots_txt.RobotsPolicy.extensions`.
    """
    signals: list[Signal] = []
    for line in robots.extensions(url):
        if line.field is ExtensionField.CONTENT_USAGE:
            kind = SignalKind.CONTENT_USAGE_ROBOTS
            signals.append(_usage_signal(kind, line.value))
        elif line.field is ExtensionField.CONTENT_SIGNAL:
            signals.append(_content_signal("robots", line.value))
        else:
            kind = SignalKind.RSL_ROBOTS
            signals.append(Signal(kind, line.value, reserves=False))
    if robots.forbids_ai(url):
        kind, value = SignalKind.AI_CRAWLERS_ROBOTS, ", ".join(AI_CRAWLERS)
        signals.append(Signal(kind, value, reserves=False))
    return tuple(signals)


def tdm_signal(kind: SignalKind, reservation: str, policy: str) -> Signal:
    """Return the signal of a ``tdm-reservation``: 1 reserves, 0 does not.

    Any other value is an error, and the reservation unset (TDMRep, "tdm-reservation").
    """
    values = {value.strip() for value in reservation.split(",")}
    broken = "" if values in ({"0"}, {"1"}) else "tdm-reservation is neither 0 nor 1"
    reserves = values == {"1"}
    return Signal(kind, reservation, reserves, policy.strip(), broken)


def _usage_signal(kind: SignalKind, value: str) -> Signal:
    """Return the signal of a Content-Usage value (draft-ietf-aipref-vocab-08, 6.5)."""
    try:
        stated = _read_preferences(value)
    except ValueError as error:
        return Signal(kind, value, reserves=False, broken=str(error))
    decisive = next((preference for preference in stated.values() if preference), "")
    wrong = next((label for label, preference in stated.items() if not preference), "")
    broken = f"{wrong} is neither y nor n" if wrong else ""
    return Signal(kind, value, reserves=decisive == "n", broken=broken)


def _read_preferences(value: str) -> dict[str, str]:
    """Return the preference of each training label: ``y``, ``n``, or empty if neither.

    The value is a dictionary of structured fields (RFC 9651). Raises ValueError where its
    syntax is violated: by section 4.2 the whole field is then ignored.
    """
    if len(value) > MAX_FIELD_CHARS:
        raise ValueError(f"a field of {len(value)} characters is too long")
    data = value.encode("utf-8", "surrogatepass")
    members: Any = http_sf.parse(data, tltype="dictionary")
    preferences = {}
    for label in _TRAINING_LABELS:
        if label in members:
            item, _ = members[label]
            is_token = isinstance(item, http_sf.Token)
            preferences[label] = str(item) if is_token and item in {"y", "n"} else ""
    return preferences


def _content_signal(where: str, value: str) -> Signal:
    """Return the signal of a Content-Signal value (Cloudflare, 2025-09-24; ``use`` 2026)."""
    stated: dict[str, str] = {}
    wrong: list[str] = []
    for part in value.split(","):
        name, _, setting = (text.strip().lower() for text in part.partition("="))
        if not setting or setting not in _SIGNAL_VALUES.get(name, {setting}):
            wrong.append(part.strip())
        elif stated.get(name) != "no":
            stated[name] = setting
    reserves = stated.get("ai-train") == "no" or (
        "ai-train" not in stated and stated.get("use") in _LEVELS_BELOW_FULL
    )
    broken = f"not understood: {wrong[0][:80]!r}" if wrong else ""
    return Signal(
        SignalKind.CONTENT_SIGNAL, value, reserves, broken=broken, where=where
    )


def _directives_for(value: str, token: str) -> Iterator[str]:
    """Yield the directives of an X-Robots-Tag line for all robots or for this crawler."""
    agent = ""
    for part in value.split(","):
        name, colon, rest = part.strip().lower().partition(":")
        if colon and name.strip() not in VALUED_DIRECTIVES:
            agent, name = name.strip(), rest
        if agent in {"", "*", token}:
            yield name.strip()


def _noai_signals(
    kind: SignalKind, value: str, directives: Iterable[str]
) -> Iterator[Signal]:
    """Yield a signal if directives forbid mining, not of images alone."""
    found = _NO_MINING.intersection(directives)
    if found:
        yield Signal(kind, value, reserves=bool(found & _NO_TEXT_MINING))
