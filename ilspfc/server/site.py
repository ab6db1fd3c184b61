"""A copy of the pages of a corpus in files, which a browser opens without a server.

The pages are those of the web application for visitors with a read-only link.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator
from html import escape, unescape
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urljoin

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import Match

from ilspfc.atomic import write_bytes
from ilspfc.corpus.corpus import Corpus
from ilspfc.server.application import STATIC, corpus_routes, make_application
from ilspfc.server.library import Library
from ilspfc.server.queries import PAGE_ROWS
from ilspfc.server.rendering import render
from ilspfc.server.search import UNIT_ORDERS

_KINDS = ("", "documents", "pairs", "units", "lost")
_HREF_RE = re.compile(r' href="([^"]*)"')
# A link to the next page or pair that has no address.
_END_RE = re.compile(r'<a rel="(?:prev|next)">[^<]*</a>')
# Values of filters that change nothing.
_DEFAULTS = {"state": "pair", "min": "0", "max": "1", "sort": next(iter(UNIT_ORDERS))}


def write_site(corpus: Corpus) -> list[Path]:
    """Write the pages of a corpus; return their files.

    EXPORTS_SITE_ROWS bounds the documents, the pairs, and the rows of each list. The search
    file of the corpus is renewed.
    """
    paths = []
    for name, data in _Copy(corpus).pages():
        paths.append(corpus.export_root / "site" / name)
        write_bytes(paths[-1], data.encode("utf-8", "replace"), sync=False)
    return paths


class _Copy:
    """Pages by their addresses, from the overview on."""

    def __init__(self, corpus: Corpus) -> None:
        library = Library([corpus.files.root], corpus.settings)
        (self._corpus,) = library.names
        library.renew_search(self._corpus)
        self._application = make_application(library)
        self._limit = corpus.settings.getint("EXPORTS_SITE_ROWS")
        self._routes, self._base = corpus_routes(), f"/c/{quote(self._corpus)}"
        langs = "-".join(next(iter(corpus.language_pairs), ()))
        self._defaults = {**_DEFAULTS, "langs": langs}
        self._names: dict[str, str] = {}
        self._waiting: deque[str] = deque()
        self._numbers: Counter[str] = Counter()

    def pages(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the text of each page, and of the style that they share."""
        for name, (package, folder, kind) in STATIC.items():
            if kind == "text/css":
                yield name, files(package).joinpath(folder, name).read_text("utf-8")
        self._place(f"{self._base}/")
        while self._waiting:
            address = self._waiting.popleft()
            yield self._names[address], self._link(self._render(address), address)

    def _place(self, address: str) -> str:
        """Return the file of an address, empty for one that the copy does not have."""
        path, _, query = address.partition("?")
        known = self._defaults
        filters = [one for one in parse_qsl(query) if known.get(one[0]) != one[1]]
        address = f"{path}?{urlencode(filters)}" if filters else path
        if address in self._names:
            return self._names[address]
        kind, _, rest = path.removeprefix(f"{self._base}/").partition("/")
        if kind not in _KINDS or "/" in rest or not path.startswith(self._base):
            return ""
        words = [word for one in filters if one[0] != "after" for word in one]
        # All pages of a list are of one group, as are all documents, and all pairs.
        group = f"{kind}/" if rest else re.sub(r"\W+", "-", "-".join([kind, *words]))
        if self._numbers[group] * (1 if rest else PAGE_ROWS) >= self._limit:
            return ""
        self._numbers[group] += 1
        number = self._numbers[group]
        list_name = (group or "index") + (f"-{number}" if number > 1 else "")
        name = f"{kind}/{unquote(rest)}" if rest else list_name
        self._names[address] = f"{name}.html"
        # A list goes to its end before others follow: they may not use up its documents.
        add = self._waiting.appendleft if "after=" in address else self._waiting.append
        add(address)
        return self._names[address]

    def _render(self, address: str) -> str:
        """Return a page as the application renders it."""
        path, _, query = address.partition("?")
        scope: dict[str, Any] = {
            "type": "http",
            "method": "GET",
            "path": unquote(path),
            "root_path": unquote(self._base),
            "app_root_path": "",
            "query_string": query.encode(),
            "headers": [],
            "path_params": {"corpus": self._corpus},
            "app": self._application,
            "state": {"is_guest": True, "copied_rows": self._limit},
        }
        matches = ((one, *one.matches(scope)) for one in self._routes)
        route, _, found = next(m for m in matches if m[1] is Match.FULL)
        request = Request({**scope, **found})
        try:
            answer = route.endpoint(request)
        except HTTPException as error:
            answer = render(request, "error.html", status=404, text=error.detail)
        return str(answer.body, "utf-8")

    def _link(self, page: str, address: str) -> str:
        """Return a page with links to the files of the copy; others lead nowhere."""

        def replace(match: re.Match[str]) -> str:
            if match[1].startswith("#") or "://" in match[1]:
                return match[0]
            target = urljoin(address, unescape(match[1]))
            is_style = target.startswith("/static/")
            file = target.rpartition("/")[2] if is_style else self._place(target)
            # No file is more than one folder deep.
            up = "../" if "/" in self._names[address] else ""
            return f' href="{escape(up + quote(file))}"' if file else ""

        end = f"This copy ends here, after {self._limit:,}."
        return _END_RE.sub(end, _HREF_RE.sub(replace, page))
