"""The walk in use: the native one where it is built and gives the same, else that in Python."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

from lxml import html

from ilspfc.cleaning.blocks import walk

if TYPE_CHECKING:
    from ilspfc.cleaning.blocks.parsed import ParsedPage

logger = logging.getLogger(__name__)

# A page with every kind of thing that the walk tells apart.
_SAMPLE = """\
<html><head><title>No text</title></head><body class="page-x"><nav><ul><li><a href="/a" rel="nofollow"
 title="T">one</a> two<li id="x">three</ul></nav><h1>Head <button>more</button></h1><!-- note --><p
 class="sr-only">unseen</p><p style="display:none">hidden</p><p>Te&shy;xt <b>bold</b><br><span
 style="font-weight:bold">line</span> <a href="#n">¶</a> é&#769; \u200b end</p>tail<pre><code>a = 1

b = 2</code></pre><table><tr><td class="lineno">1<td>cell <img src="/i/p.png?x" alt="A"><th>é</table>
<div class="comments"><div class="comment">said</div></div><ruby>漢<rt>kan</rt></ruby><svg></svg>
<blockquote>quoted <font size="5">large</font></blockquote><figcaption>caption</figcaption></body></html>
<p>behind"""


def _choose() -> Callable[..., ParsedPage]:
    if os.environ.get("ILSPFC_PURE"):
        return walk.read_blocks
    native = _load()
    if native is None:
        return walk.read_blocks
    root = html.document_fromstring(_SAMPLE)
    if native.read_blocks(root) != walk.read_blocks(root):
        logger.warning(
            "The native walk was built for another version of lxml: pages are read by the"
            " slower one in Python; install ilspfc again"
        )
        return walk.read_blocks
    found: Callable[..., ParsedPage] = native.read_blocks
    return found


def _load() -> ModuleType | None:
    try:
        from ilspfc.cleaning.blocks import _walk  # noqa: PLC0415
    except (ImportError, ValueError):  # not built, or for other structures
        return None
    return _walk


read_blocks = _choose()
"""Returns the blocks of a page: :func:`ilspfc.cleaning.blocks.walk.read_blocks`."""

IS_NATIVE = read_blocks is not walk.read_blocks
"""Whether that is the native walk."""

_native = _load() if IS_NATIVE else None


def needs_repair(html: bytes) -> bool:
    """Test whether the markup of a page may have to be repaired, or may exceed the limits.

    The functions of :mod:`ilspfc.cleaning.blocks.markup` decide on those pages; natively
    most others are told from them at an eighth of the cost.
    """
    return _native is None or not _native.is_plain(html)
