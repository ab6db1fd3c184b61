"""Documents of Really Simple Licensing (RSL 1.0, 2025-12-10): their addresses and their terms.

The section numbers are those of the specification, https://rslstandard.org/rsl.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

from lxml import etree

from ilspfc.optout.signals import Signal, SignalKind, link_licenses
from ilspfc.text.xml_text import make_parser
from ilspfc.web.address import Addresses
from ilspfc.web.link_header import RSL_TYPE
from ilspfc.web.path_rules import PathPattern, octets, path_of
from ilspfc.web.urls import host_of

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


@dataclass(frozen=True, slots=True)
class RslContent:
    """Terms of a part of a site: a host without ``www.``, empty for that of the page, and a path.

    ``reserves`` is None where the terms do not say whether models may be trained.
    """

    host: str
    pattern: PathPattern
    reserves: bool | None
    terms: str


@dataclass(frozen=True, slots=True)
class RslFile:
    """Terms in a document, those that decide first; ``broken`` tells why there are none.

    Of terms on training those with the longest path decide (3.1.1, "specific over
    general"), of equally long ones those that reserve.
    """

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
        contents = sorted(
            map(_read_content, _children(root, "content")[:MAX_CONTENTS]),
            key=lambda one: (
                one.reserves is not None,
                one.pattern.length,
                one.reserves,
            ),
            reverse=True,
        )
        return cls(tuple(contents), "" if contents else "no content")

    def signals(self, url: str, address: str) -> tuple[Signal, ...]:
        """Return the signal for a page, if there is one; ``address`` is the document's."""
        hosts, path = {"", host_of(url).removeprefix("www.")}, path_of(url)
        covering = (
            one
            for one in self.contents
            if one.host in hosts and one.pattern.matches(path)
        )
        terms, reserves = "", False
        if (best := next(covering, None)) is not None:
            terms, reserves = best.terms, bool(best.reserves)
        elif not self.broken:
            return ()
        return (Signal(SignalKind.RSL_TERMS, terms, reserves, address, self.broken),)


def find_documents(
    url: str, link_headers: Iterable[str], body: bytes
) -> tuple[list[str], list[bytes]]:
    """Return the addresses of the documents that a page names, and the documents in its head.

    By ``Link`` header (4.5), link element (4.6.1) and inline script (4.6.2).
    """
    resolve = Addresses(url).read
    named = [resolve(link) for value in link_headers for link in link_licenses(value)]
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
                named.append(resolve(element.get("href", "")))
    return list(dict.fromkeys(filter(None, named))), inline


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
    url = content.get("url", "").strip()
    host, _, path = url.partition("://")[2].partition("/")
    if "://" not in url:
        host, path = "", url.removeprefix("/")
    licenses = _children(content, "license")
    terms = [text for license_ in licenses for text in _describe(license_)]
    if server := content.get("server"):
        terms.append(f"server {server}")
    return RslContent(
        host.lower().removeprefix("www."),
        PathPattern(octets(f"/{path}")),
        _reserves(licenses),
        ", ".join(terms) or "no license",
    )


def _uses(license_: etree._Element, name: str) -> set[str]:
    """Return the uses that a license permits or prohibits; unknown words mean nothing.

    Lists are separated by blanks, in the draft 0.9 by commas.
    """
    return {
        use
        for one in _children(license_, name)
        if one.get("type", "usage") == "usage"
        for use in (one.text or "").lower().replace(",", " ").split()
        if use in _USES
    }


def _reserves(licenses: list[etree._Element]) -> bool | None:
    """Test whether licenses reserve training; None where they say nothing of it.

    A prohibition outweighs a permission (3.1.1). Where uses are permitted, those that are
    not among them are not (3.5); one of several licenses is enough.
    """
    if any(_uses(one, "prohibits") & _TRAINING for one in licenses):
        return True
    permitted = [_uses(one, "permits") for one in licenses]
    if any(uses & _TRAINING for uses in permitted):
        return False
    return True if permitted and all(permitted) else None


def _describe(license_: etree._Element) -> Iterator[str]:
    """Yield the terms of a license, each with its type and its texts."""
    for element in license_:
        name = _name(element)
        if name in {"permits", "prohibits", "payment", "reporting", "legal"}:
            words = [name, element.get("type", "")]
            for part in element.iter():
                if isinstance(part.tag, str):
                    words += [part.text or "", part.get("currency", "")]
            yield " ".join(" ".join(words).split())
