"""The walk in use: the native one where it is built and gives the same, else that in Python."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from types import ModuleType

from lxml import html

from ilspfc.cleaning.blocks import walk
from ilspfc.cleaning.blocks.parsed import ParsedPage

logger = logging.getLogger(__name__)

# A page with every kind of thing that the walk tells apart.
_SAMPLE = """\
<html><head><title>No text</title></head><body class="page-x"><nav><ul><li><a href="/a" rel="nofollow"
 title="T">one</a> two<li id="x">three</ul></nav><h1>Head <button>more</button></h1><!-- note --><p
 class="sr-only">unseen</p><p style="display:none">hidden</p><p>Te&shy;xt <b>bold</b><br><span
 style="font-weight:bold">line</span> <a href="#n">¶</a> é&#769; \u200b end</p>tail<pre><code>a = 1

  b = 2</code></pre><pre><code><div>c<br></div><div></div><div hidden>d</div></code></pre><table><tr><td class="lineno">1<td>cell <img src="/i/p.png?x" alt="A"><th>é</table>
<div class="comments"><div class="comment">said</div></div><ruby>漢<rt>kan</rt></ruby><svg></svg>
<blockquote>quoted <font size="5">large</font></blockquote><figcaption>caption</figcaption></body></html>
<p>behind"""


def _load_native() -> ModuleType | None:
    """Return the native walk, None where it is not wanted, not built or gives something else."""
    if os.environ.get("ILSPFC_PURE"):
        return None
    try:
        from ilspfc.cleaning.blocks import _walk  # noqa: PLC0415
    except (ImportError, ValueError):  # not built, or for other structures
        return None
    root = html.document_fromstring(_SAMPLE)
    if _walk.read_blocks(root) == walk.read_blocks(root):
        return _walk
    logger.warning(
        "The native walk was built for another version of lxml: pages are read by the"
        " slower one in Python; install ilspfc again"
    )
    return None


_native = _load_native()

read_blocks: Callable[..., ParsedPage] = (_native or walk).read_blocks
"""Returns the blocks of a page: :func:`ilspfc.cleaning.blocks.walk.read_blocks`."""

IS_NATIVE = _native is not None
"""Whether that is the native walk."""


def needs_repair(html: bytes) -> bool:
    """Test whether the markup of a page may have to be repaired, or may exceed the limits.

    The functions of :mod:`ilspfc.cleaning.blocks.markup` decide on those pages; natively
    most others are told from them at an eighth of the cost.
    """
    return _native is None or not _native.is_plain(html)
