"""Whether the HTML of a page can name a licence at all: most pages name none.

Searches of the whole text cost a tenth of a walk over its tree.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# One of these is in each relation and property that tells a licence, in the property of
# JSON-LD, and in each address that is known (licence_names.may_be_license).
_DECLARING = (
    *("icen", "publicdomain", "copyleft", "dl-de", "nlod", "iodl"),
    *("openpub", "mpl/"),
)
# What Creative Commons' short names begin with. An end tag without its start does not part
# the text around it.
_SHORT_NAME_RE = re.compile(r"CC[0 \xa0&<-]")
# A letter, a digit, a full stop, a hyphen or a slash written by its number, and a NUL,
# which the parser does not see, may hide any of these.
_HIDING_RE = re.compile(
    r"&#(?:x0*(?:2[d-f]|[3-7][0-9a-f])(?![0-9a-f])"
    r"|0*(?:4[5-9]|[5-9]\d|1[01]\d|12[0-2])(?!\d))",
    re.IGNORECASE | re.ASCII,
)


class Traces(NamedTuple):
    """Where licences can be: in the text of a page; in links, properties, structured data.

    Meta elements are so few that they are looked at in any case.
    """

    in_text: bool = True
    in_markup: bool = True


def find_traces(html: str) -> Traces:
    """Return where a page can name licences.

    >>> find_traces("<p>CC BY</p>"), find_traces("<p>All rights reserved</p>").in_text
    (Traces(in_text=True, in_markup=False), False)
    """
    if "\0" in html or _HIDING_RE.search(html):
        return Traces()
    in_text = "reativecommons" in html or bool(_SHORT_NAME_RE.search(html))
    lower = html.lower()
    return Traces(in_text, any(trace in lower for trace in _DECLARING))
