"""Documents of Really Simple Licensing (RSL 1.0, 2025-12-10): their addresses and their terms.

The section numbers are those of the specification, https://rslstandard.org/rsl.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urljoin, urlsplit

from lxml import etree

from ilspfc.optout.signals import RSL_TYPE, Signal, SignalKind, link_licenses
from ilspfc.text.xml_text import make_parser
from ilspfc.web.path_rules import PathPattern, octets, path_of

# A larger document is not read, nor is further content: the specification names no limits.
MAX_BODY_BYTES = 512 * 1024
MAX_CONTENTS = 2000
# Bytes of a page in which its links and inline documents are looked for.
_HEAD_BYTES = 128 * 1024
_NAMESPACE = "https://rslstandard.org/rsl"
# The uses that cover training (3.4.1.1), the last two by the draft 0.9, whose own templates
# still spread.
_TRAINING = frozenset({"all", "ai-all", "ai-train", "train-ai", "train-genai"})
_USES = _TRAINING | {"ai-input", "ai-index", "search", "ai-use", "ai-summarize"}
# Elements of a license that set conditions.
_CONDITIONS = ("payment", "reporting", "legal")


@dataclass(frozen=True, slots=True)
class RslContent:
    """Terms of a part of a site: a host without ``www.``, empty for that of the page, and a path.

    ``reserves`` is None where the terms do not say whether models may be trained.
    """

    host: str
    pattern: PathPattern
    reserves: bool | None
    terms: str

    def covers(self, host: str, path: str) -> bool:
        """Test whether the terms are for a page."""
        return self.host in {"", host.removeprefix("www.")} and self.pattern.matches(
            path
        )


@dataclass(frozen=True, slots=True)
class RslFile:
    """Terms in a document, as written; ``broken`` tells why there are none."""

    contents: tuple[RslContent, ...] = ()
    broken: str = ""

    @classmethod
    def from_response(cls, status: int, body: bytes) -> Self:
        """Return the terms in the response to the request for a document.

        The media type does not matter (2.2). A document type declaration is refused: no
        document needs one, and it is where entities come from.
        """
        if not 200 <= status < 300:
            return cls(broken=f"HTTP {status}")
        if len(body) > MAX_BODY_BYTES:
            return cls(broken=f"larger than {MAX_BODY_BYTES} bytes")
        try:
            root = etree.fromstring(body, make_parser())
        except etree.XMLSyntaxError:
            return cls(broken="not XML")
        if _name(root) != "rsl" or root.getroottree().docinfo.internalDTD is not None:
            return cls(broken="not an RSL document")
        contents = [element for element in root if _name(element) == "content"]
        if not contents:
            return cls(broken="no content")
        return cls(tuple(map(_read_content, contents[:MAX_CONTENTS])))

    def signals(self, url: str, address: str) -> tuple[Signal, ...]:
        """Return the signal for a page, if there is one; ``address`` is the document's.

        Of the terms that say something on training those with the longest path count
        (3.1.1, "specific over general"), of equally long ones those that reserve.
        """
        kind, path = SignalKind.RSL_TERMS, path_of(url)
        if self.broken:
            signal = Signal(
                kind, "", reserves=False, policy=address, broken=self.broken
            )
            return (signal,)
        host = urlsplit(url).netloc.lower()
        found = [content for content in self.contents if content.covers(host, path)]
        if not found:
            return ()
        best = max(
            found,
            key=lambda one: (
                one.reserves is not None,
                one.pattern.length,
                one.reserves,
            ),
        )
        return (Signal(kind, best.terms, reserves=bool(best.reserves), policy=address),)


def find_documents(
    url: str, link_headers: Iterable[str], body: bytes
) -> tuple[list[str], list[bytes]]:
    """Return the addresses of the documents that a page names, and the documents in its head.

    By ``Link`` header (4.5), link element (4.6.1) and inline script (4.6.2).
    """
    named = [address for value in link_headers for address in link_licenses(value)]
    inline: list[bytes] = []
    head = body[:_HEAD_BYTES].partition(b"<body")[0]
    if RSL_TYPE.encode() in head.lower():
        # None where the head is a comment alone.
        root: Any = etree.HTML(head, etree.HTMLParser(no_network=True))
        for element in root.iter("link", "script") if root is not None else ():
            if element.get("type", "").partition(";")[0].strip().lower() != RSL_TYPE:
                continue
            if element.tag == "script":
                inline.append((element.text or "").strip().encode())
            elif "license" in element.get("rel", "").lower().split():
                named.append(element.get("href", "").strip())
    addresses = []
    for address in named:
        try:
            addresses.append(urljoin(url, address))
        except ValueError:  # of brackets that are no address; the page's signal has it
            continue
    return list(dict.fromkeys(addresses)), inline


def _name(element: etree._Element) -> str:
    """Return the name of an element of RSL, empty for any other."""
    if not isinstance(element.tag, str):
        return ""
    name = etree.QName(element)
    return name.localname if name.namespace in {None, _NAMESPACE} else ""


def _children(element: etree._Element, name: str) -> list[etree._Element]:
    return [child for child in element if _name(child) == name]


def _read_content(content: etree._Element) -> RslContent:
    """Return the terms of a content element; its address is a URL or a path (3.3)."""
    try:
        parts = urlsplit((content.get("url") or "").strip())
    except ValueError:
        parts = urlsplit("")
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    licenses = _children(content, "license")
    terms = [text for license_ in licenses for text in _describe(license_)]
    if server := content.get("server"):
        terms.append(f"server {server}")
    return RslContent(
        parts.netloc.lower().removeprefix("www."),
        PathPattern(octets(path or "/")),
        _reserves(licenses),
        ", ".join(terms) or "no license",
    )


def _uses(license_: etree._Element, name: str) -> frozenset[str] | None:
    """Return the uses that a license permits or prohibits, None where it names none.

    Lists are separated by blanks, in the draft 0.9 by commas; unknown words mean nothing.
    """
    lists = [
        (one.text or "").lower().replace(",", " ").split()
        for one in _children(license_, name)
        if one.get("type", "usage") == "usage"
    ]
    return _USES.intersection(*[set().union(*lists)]) or None


def _reserves(licenses: list[etree._Element]) -> bool | None:
    """Test whether licenses reserve training; None where they say nothing of it.

    A prohibition outweighs a permission (3.1.1). Where uses are permitted, those that are
    not among them are not (3.5); one of several licenses is enough.
    """
    if any((_uses(one, "prohibits") or frozenset()) & _TRAINING for one in licenses):
        return True
    permitted = [_uses(one, "permits") for one in licenses]
    if any(uses and uses & _TRAINING for uses in permitted):
        return False
    return True if permitted and None not in permitted else None


def _describe(license_: etree._Element) -> Iterator[str]:
    """Yield the terms of a license, each with its type and its texts."""
    for element in license_:
        name = _name(element)
        if name in {"permits", "prohibits", *_CONDITIONS}:
            words = [name, element.get("type", "")]
            for part in element.iter():
                if isinstance(part.tag, str):
                    words += [part.text or "", part.get("currency", "")]
            yield " ".join(" ".join(words).split())
