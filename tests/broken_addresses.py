"""Broken addresses and the places on a page where they may stand."""

from __future__ import annotations

from html import escape

from ilspfc.web.address import AddressReason

_HOST, _PORT, _LENGTH = AddressReason.HOST, AddressReason.PORT, AddressReason.LENGTH

KINDS: dict[str, tuple[str, AddressReason]] = {
    "telephone as port": ("http://tel:+39061234567", _PORT),
    "port too large": ("http://www.example.org:80800/", _PORT),
    "port with a letter": ("http://www.example.org:8080a/", _PORT),
    "word as port": ("http://host:port/sitemap.xml", _PORT),
    "port 0": ("http://www.example.org:0/", _PORT),
    "negative port": ("http://www.example.org:-1/", _PORT),
    "signed port": ("https://www.example.org:+80/", _PORT),
    "wide digits as port": ("http://www.example.org:８０/", _PORT),
    "port with a blank": ("http://www.example.org: 80/", _PORT),
    "two ports": ("http://www.example.org:80:80/", _PORT),
    "no port, no scheme": ("//www.example.org:x/", _PORT),
    "open bracket": ("http://[bad", _HOST),
    "closed bracket": ("http://bad]/", _HOST),
    "name in brackets": ("http://[bad]/", _HOST),
    "future address": ("http://[v1.x]/", _HOST),
    "zone": ("http://[fe80::1%25eth0]/", _HOST),
    "text behind brackets": ("http://[::1]a/", _HOST),
    "long IPv6": ("http://[1:2:3:4:5:6:7:8:9]/", _HOST),
    "two dots": ("http://../x", _HOST),
    "a dot": ("http://./", _HOST),
    "empty label": ("http://www..example.org/", _HOST),
    "dot at the start": ("http://.example.org/", _HOST),
    "no host": ("http:///?x", _HOST),
    "nothing": ("http://", _HOST),
    "user alone": ("http://user@/", _HOST),
    "blank in host": ("http://www example.org/", _HOST),
    "percent in host": ("http://www%zz.example.org/", _HOST),
    "bar in host": ("http://a|b.example.org/", _HOST),
    "account for a slash": ("http://www.example.org℀/", _HOST),
    "long label": (f"http://{'a' * 64}.example.org/", _HOST),
    "long host": (f"http://{'a.' * 150}org/", _HOST),
    "not for IDNA": ("http://\ufdd0zyx.com/", _HOST),
    "long name in Chinese": (f"http://{'长' * 200}.org/", _HOST),
    "long path": (f"http://www.example.org/{'a' * 2_100}", _LENGTH),
    "long when quoted": (f"http://www.example.org/{'ä' * 400}", _LENGTH),
}  # fmt: skip

PLACES = {
    "a": '<a href="{}">x</a>',
    "a rel=license": '<a rel="license" href="{}">x</a>',
    "a hreflang": '<a hreflang="it" href="{}">italiano</a>',
    "area": '<map><area href="{}" alt="x"></map>',
    "iframe": '<iframe src="{}"></iframe>',
    "frame": '<frameset><frame src="{}"></frameset>',
    "base": '<base href="{}">',
    "link alternate": '<link rel="alternate" hreflang="it" href="{}">',
    "link canonical": '<link rel="canonical" href="{}">',
    "link license": '<link rel="license" href="{}">',
    "meta refresh at once": '<meta http-equiv="refresh" content="0; url={}">',
    "meta refresh": '<meta http-equiv="refresh" content="5; url={}">',
    "header alternate": "<{}>; rel=alternate; hreflang=it",
    "header license": "<{}>; rel=license",
    "header canonical": "<{}>; rel=canonical",
    "header anchor": '</de/it>; rel=alternate; hreflang=it; anchor="{}"',
}
TEXT = (
    "Wer auf dem Dach arbeitet, sichert sich gegen den Absturz. Ein Gerüst geht dabei vor,"
    " denn die persönliche Ausrüstung schützt nur den, der sie richtig anlegt, und das bleibt so."
)


def make_page(
    place: str, address: str, text: str = TEXT, next_page: str = "next"
) -> tuple[bytes, str]:
    """Return a page with an address at a place and a link behind it; and its Link header."""
    is_header = place.startswith("header ")
    markup = PLACES[place].format(address if is_header else escape(address))
    head, body = ("", "") if is_header else (markup, "")
    if not is_header and not markup.startswith(("<base", "<link", "<meta")):
        head, body = "", markup
    page = f'<html><head><title>{place}</title>{head}</head><body>{body}<p>{text}</p><p><a href="{next_page}">weiter</a></p></body></html>'
    return page.encode("utf-8", "replace"), markup if is_header else ""
