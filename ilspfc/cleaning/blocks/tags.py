"""Tags of HTML by their purpose."""

from __future__ import annotations

BLOCK_TAGS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt"
    " fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li"
    " listing main marquee menu nav noscript ol p plaintext pre search section summary table"
    " tbody td tfoot th thead tr ul xmp".split()
)
# A sign for each element that says something of a page's structure. Elements of the type alone
# (b, font …) have none. The index of a corpus holds these signs: new ones go to the end.
TAG_SIGNS = {
    tag: chr(ord("0") + number)
    for number, tag in enumerate((*sorted(BLOCK_TAGS), "a", "br", "img"))
}
HEADING_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
LIST_TAGS = frozenset({"ul", "ol", "dl", "menu", "dir"})
LIST_ITEM_TAGS = frozenset({"li", "dt", "dd"})
PREFORMATTED_TAGS = frozenset({"pre", "listing", "xmp", "plaintext"})
CAPTION_TAGS = frozenset({"caption", "figcaption"})
# Their content is no text of the page.
SKIPPED_TAGS = frozenset(
    "audio button canvas datalist embed head iframe math noframes noscript object rp"
    " script select style svg template textarea title video".split()
)
SHOWN_BLOCK_TAGS = BLOCK_TAGS - SKIPPED_TAGS
# Of those skipped, the ones that a reader sees between the words around them.
CONTROL_TAGS = frozenset(
    "audio button canvas embed iframe math object select svg textarea video".split()
)
# Elements and roles that the HTML standard gives to what frames the content.
FRAME_TAGS = frozenset({"nav", "footer", "aside", "menu", "form"})
FRAME_ROLES = frozenset({"navigation", "contentinfo", "banner", "search", "menu"})
