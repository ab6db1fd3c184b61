"""Seeds from an index of Common Crawl: pages of known sites in the wanted languages.

The index answers in JSON lines, as the CDX server of pywb does. It is asked for the sites
that other sources have found: which of their pages in a language have a term in the URL.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from ilspfc.bootstrap.concepts import Seed
from ilspfc.bootstrap.losses import SourceReason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ilspfc.bootstrap.api.asking import Asker
    from ilspfc.bootstrap.concepts import Ledger
    from ilspfc.bootstrap.terms.definition_terms import Definition

_MAX_LINES = "1000"
_FIELDS = "url,languages,status"
_SCORE = 10.0
_MIN_TERM_CHARS = 4


class CommonCrawlSeeds:
    """Takes pages of sites from an index, such as ``…/CC-MAIN-2026-30-index``."""

    def __init__(
        self,
        asker: Asker,
        url: str,
        definition: Definition,
        *,
        known: Callable[[], Sequence[Seed]],
        max_sites: int,
        ledger: Ledger,
    ) -> None:
        self._asker = asker
        self._url = url
        self._langs = definition.langs
        self._known = known
        self._max_sites = max_sites
        self._ledger = ledger
        self._terms = {
            lang: [_spell(t.text) for t in definition.terms if t.lang == lang]
            for lang in definition.langs
        }

    def iter_seeds(self) -> Iterator[Seed]:
        """Yield pages of the sites that are known, best site first."""
        hosts = dict.fromkeys(urlsplit(seed.url).netloc for seed in self._known())
        for host in list(hosts)[: self._max_sites]:
            for entry in self._ask(host):
                yield from self._judge(entry, host)

    def _ask(self, host: str) -> Iterator[dict[str, Any]]:
        params = {
            "url": f"{host}/*",
            "output": "json",
            "fl": _FIELDS,
            "filter": "=status:200",
            "limit": _MAX_LINES,
        }
        text = self._asker.lines(self._url, params)
        if not text:
            self._ledger.drop(SourceReason.NOT_ANSWERED, host)
        for line in text:
            try:
                entry = json.loads(line)
            except ValueError:
                self._ledger.drop(SourceReason.BROKEN_ROW, line[:100])
                continue
            if isinstance(entry, dict) and isinstance(entry.get("url"), str):
                yield entry

    def _judge(self, entry: dict[str, Any], host: str) -> Iterator[Seed]:
        # The index names up to three languages of a page, the first in most of its text.
        lang = str(entry.get("languages") or "").split(",")[0]
        if lang and lang not in self._langs:
            return
        path = _spell(unquote(urlsplit(entry["url"]).path))
        for own in [lang] if lang else self._langs:
            term = next((t for t in self._terms[own] if _has(path, t)), None)
            if term is not None:
                reason = (
                    f"Common Crawl: page of {host} in {own} with {term!r} in its URL"
                )
                yield Seed(entry["url"], reason, _SCORE)
                return


def _spell(text: str) -> str:
    """Return words as a URL would have them: no accents, hyphens between.

    >>> _spell("Flügel_der Biene.html")
    'flugel-der-biene-html'
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(char for char in plain if not unicodedata.combining(char))
    return re.sub(r"[\W_]+", "-", kept).strip("-")


def _has(path: str, term: str) -> bool:
    return len(term) >= _MIN_TERM_CHARS and f"-{term}" in f"-{path}"
