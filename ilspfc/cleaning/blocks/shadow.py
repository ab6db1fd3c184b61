"""Declarative shadow trees: a host shows its template, whose slots show the host's content."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

_MODES = frozenset({"open", "closed"})
# The second name is that of the proposal, which Chromium had until 2023.
_ATTRIBUTES = ("shadowrootmode", "shadowroot")


def attach_shadow_trees(root: Element) -> None:
    """Put shadow trees in the place of what their hosts contain, slots filled.

    HTML, 4.12.3 and 4.12.4. Content of a host that no slot asks for is not shown, and
    goes; an empty slot shows its own content. Other templates are left as they are.
    """
    for template in list(root.iter("template")):
        host = template.getparent()
        if host is not None and _is_shadow_root(template):
            _attach(host, template)


def _is_shadow_root(template: Element) -> bool:
    return any((template.get(name) or "").lower() in _MODES for name in _ATTRIBUTES)


def _attach(host: Element, template: Element) -> None:
    content: defaultdict[str, list[Element]] = defaultdict(list)
    has_content = set()
    for part in list(_take_parts(host)):
        if part.tag == "template" and part is not template:
            for name in _ATTRIBUTES:  # the first one counts
                part.attrib.pop(name, "")
        elif part is not template:
            name = part.get("slot") or ""
            content[name].append(part)
            if len(part) or part.tag != "slotted" or not (part.text or "").isspace():
                has_content.add(name)
    host.append(template)
    template.tag = "shadow-tree"
    for slot in list(_iter_slots(template)):
        name = slot.get("name") or ""
        if name in has_content:
            has_content.remove(name)
            slot[:] = content[name]
            slot.text = None


def _take_parts(host: Element) -> Iterator[Element]:
    """Yield the children of an element that is emptied, its texts as elements."""
    texts = [host.text, *(child.tail for child in host)]
    children = [None, *host]
    host.text = None
    for child, text in zip(children, texts, strict=True):
        if child is not None:
            child.tail = None
            host.remove(child)
            if isinstance(child.tag, str):
                yield child
        if text:
            part = host.makeelement("slotted")
            part.text = text
            yield part


def _iter_slots(template: Element) -> Iterator[Element]:
    """Yield the slots of a shadow tree, not those of trees and templates inside it."""
    stack = [template]
    while stack:
        element = stack.pop()
        if element.tag == "slot":
            yield element
        stack += [child for child in reversed(element) if child.tag != "template"]
