"""Whether the HTML of a page can name a licence at all: most pages name none.

Searches of the whole text cost a tenth of a walk over its tree.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# One of these is in each relation and property that tells a licence, in the property of
# JSON-LD, and in each address that is known (licence_names.may_be_license).
_DECLARING = (
    *(b"icen", b"publicdomain", b"copyleft", b"dl-de", b"nlod", b"iodl"),
    *(b"openpub", b"mpl/"),
)
# What Creative Commons' short names begin with. An end tag without its start does not part
# the text around it.
_SHORT_NAME_RE = re.compile(rb"CC(?:[0 &<-]|\xc2\xa0)")
# A letter, a digit, a full stop, a hyphen or a slash written by its number, and a NUL,
# which the parser does not see, may hide any of these.
_HIDING_RE = re.compile(
    rb"&#(?:x0*(?:2[d-f]|[3-7][0-9a-f])(?![0-9a-f])"
    rb"|0*(?:4[5-9]|[5-9]\d|1[01]\d|12[0-2])(?!\d))",
    re.IGNORECASE,
)


class Traces(NamedTuple):
    """Where licences can be: in the text of a page; in links, properties, structured data.

    Meta elements are so few that they are looked at in any case.
    """

    in_text: bool = True
    in_markup: bool = True


def find_traces(html: bytes) -> Traces:
    """Return where a page, in UTF-8, can name licences.

    >>> find_traces(b"<p>CC BY</p>"), find_traces(b"<p>All rights reserved</p>").in_text
    (Traces(in_text=True, in_markup=False), False)
    """
    if b"\0" in html or _HIDING_RE.search(html):
        return Traces()
    in_text = b"reativecommons" in html or bool(_SHORT_NAME_RE.search(html))
    # Lower-casing bytes takes a tenth of the time that a text takes.
    lower = html.lower()
    return Traces(in_text, any(trace in lower for trace in _DECLARING))
