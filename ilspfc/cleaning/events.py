"""What happens on a walk over a parsed page, hidden parts left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from ilspfc.cleaning.tags import BLOCK_TAGS, SKIPPED_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator


def is_hidden(element: etree._Element) -> bool:
    """Return whether an element asks not to be shown, before any script runs."""
    # "until-found" is folded up, not invisible.
    is_hidden = element.get("hidden", "until-found") != "until-found"
    if is_hidden or element.get("aria-hidden") == "true":
        return True
    style = element.get("style")
    return style is not None and "display:none" in style.replace(" ", "").lower()


def iter_events(
    root: etree._Element, *, keep_hidden: bool = False
) -> Iterator[tuple[str, etree._Element]]:
    """Yield what happens on a walk; text after ``</html>`` stands in further roots.

    ``keep_hidden`` is for hidden block elements; others are passed over all the same.
    """
    yield from _iter_tree_events(root, keep_hidden=keep_hidden)
    for sibling in root.itersiblings():
        if isinstance(sibling.tag, str):
            yield from _iter_tree_events(sibling, keep_hidden=keep_hidden)


def _iter_tree_events(
    root: etree._Element, *, keep_hidden: bool
) -> Iterator[tuple[str, etree._Element]]:
    walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    kept = BLOCK_TAGS if keep_hidden else frozenset()
    skipped = SKIPPED_TAGS - kept
    for event, element in walker:
        if event == "start" and (
            element.tag in skipped or (element.tag not in kept and is_hidden(element))
        ):
            walker.skip_subtree()
            yield "skip", element
        else:
            yield event, element
