"""Parse events of a page: starts and ends of its elements, hidden parts left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from ilspfc.cleaning.blocks.tags import BLOCK_TAGS, SKIPPED_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lxml.etree import _Element as Element

    Event = tuple[str, Element, str, Mapping[str, str]]


def is_hidden(attributes: Mapping[str, str]) -> bool:
    """Return whether an element asks not to be shown, before any script runs."""
    # "until-found" is folded up, not invisible.
    if attributes.get("hidden", "until-found") != "until-found":
        return True
    style = attributes.get("style")
    return attributes.get("aria-hidden") == "true" or (
        style is not None and "display:none" in style.replace(" ", "").lower()
    )


def iter_events(root: Element, *, keep_hidden: bool = False) -> Iterator[Event]:
    """Yield event, element, tag and, at its start, the attributes of the element.

    Text after ``</html>`` stands in further roots. ``keep_hidden`` keeps hidden block
    elements; other hidden elements are passed over all the same.
    """
    kept = BLOCK_TAGS if keep_hidden else frozenset()
    skipped = SKIPPED_TAGS - kept
    nothing: dict[str, str] = {}
    for tree in (root, *root.itersiblings("*")):
        walker = etree.iterwalk(tree, events=("start", "end", "comment", "pi"))
        for event, element in walker:
            tag = element.tag
            if event != "start":
                yield event, element, tag, nothing
                continue
            # Read once: single look-ups in lxml take longer.
            attributes = dict(element.items())
            if tag in skipped or (
                attributes and tag not in kept and is_hidden(attributes)
            ):
                walker.skip_subtree()
                yield "skip", element, tag, attributes
            else:
                yield event, element, tag, attributes
