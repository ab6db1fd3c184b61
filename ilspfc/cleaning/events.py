"""What happens on a walk over a parsed page, hidden parts left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from ilspfc.cleaning.tags import SKIPPED_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator


def _is_hidden(element: etree._Element) -> bool:
    # "until-found" is folded up, not invisible.
    is_hidden = element.get("hidden", "until-found") != "until-found"
    if is_hidden or element.get("aria-hidden") == "true":
        return True
    style = element.get("style")
    return style is not None and "display:none" in style.replace(" ", "").lower()


def iter_events(root: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    """Yield what happens on a walk; text after ``</html>`` stands in further roots."""
    yield from _iter_tree_events(root)
    for sibling in root.itersiblings():
        if isinstance(sibling.tag, str):
            yield from _iter_tree_events(sibling)


def _iter_tree_events(root: etree._Element) -> Iterator[tuple[str, etree._Element]]:
    walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        if event == "start" and (element.tag in SKIPPED_TAGS or _is_hidden(element)):
            walker.skip_subtree()
            yield "skip", element
        else:
            yield event, element
