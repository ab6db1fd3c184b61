"""A parsed page as a sequence of tags and texts.

To visit each element from Python costs more than to have libxml2 write the whole tree and
to split what it wrote: there each < and > is that of a tag, and each element has its end.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator

    #: What stands between < and >, the text behind it, and the next tag.
    Step = tuple[str, str, str]

_NO_ELEMENT_RE = re.compile(r"<!--.*?-->|<\?.*?\?>", re.DOTALL)
_TAG_RE = re.compile(r"<([^>]*)>")


def iter_steps(root: etree._Element) -> Iterator[Step]:
    """Return the tags of a page in turn. The texts are serialized.

    Text after ``</html>`` stands in further roots.
    """
    # With the document type of XHTML, libxml2 writes attributes that the page does not have.
    root.getroottree().docinfo.clear()
    markup = etree.tostring(root, encoding="unicode")
    for further in root.itersiblings("*"):
        markup += etree.tostring(further, encoding="unicode")
    if next(root.iter(etree.Comment, etree.PI), None) is not None:
        markup = _NO_ELEMENT_RE.sub("", markup)
    pieces = markup.replace(">", "<").split("<")
    if 2 * markup.count("<") != len(pieces) - 1:
        # The HTML standard allows < in the names of elements and attributes.
        markup = _TAG_RE.sub(lambda tag: f"<{tag[1].replace('<', '_')}>", markup)
        pieces = markup.replace(">", "<").split("<")
    tags = pieces[1::2]
    return zip(tags, pieces[2::2], [*tags[1:], ""], strict=True)
