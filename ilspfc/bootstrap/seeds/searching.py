"""Seeds from a search: some terms at a time, as BootCaT does it.

Baroni and Bernardini, "BootCaT: Bootstrapping corpora and terms from the web" (2004): a
few terms of a subject together are found on pages about it, and hardly on others. The
search engine is a SearXNG instance, whose JSON is described in its "Search API".
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ilspfc.bootstrap.api.asking import StatusError
from ilspfc.bootstrap.concepts import Seed
from ilspfc.bootstrap.losses import SourceReason
from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ilspfc.bootstrap.api.asking import Asker
    from ilspfc.bootstrap.concepts import Ledger
    from ilspfc.bootstrap.terms.definition_terms import Definition

# BootCaT's own: three terms a query.
TUPLE_TERMS = 3
# Terms of a language that queries are made of, the weightiest.
_USED_TERMS = 30
_SEED = 1
_SCORE = 50.0
# So an instance answers that is not set up to give JSON.
_FORBIDDEN = 403


def make_tuples(terms: Sequence[str], number: int) -> list[tuple[str, ...]]:
    """Return so many combinations of terms, always the same ones for the same terms.

    >>> make_tuples(["honey", "hive", "bee", "wax"], 2)
    [('honey', 'hive', 'bee'), ('hive', 'bee', 'wax')]
    """
    chosen = list(dict.fromkeys(terms))[:_USED_TERMS]
    if len(chosen) < TUPLE_TERMS:
        return [tuple(chosen)] if chosen else []
    draw = random.Random(_SEED)  # noqa: S311 - a sample, no secret
    tuples: dict[tuple[str, ...], None] = {}
    for _ in range(number * 20):
        if len(tuples) == number:
            break
        places = sorted(draw.sample(range(len(chosen)), TUPLE_TERMS))
        tuples[tuple(chosen[place] for place in places)] = None
    return sorted(tuples, key=lambda found: [chosen.index(term) for term in found])


class SearxngSeeds:
    """Takes the results of a SearXNG instance for tuples of a definition's terms."""

    def __init__(
        self,
        asker: Asker,
        url: str,
        definition: Definition,
        *,
        queries: int,
        to_tag: Callable[[str], str],
        ledger: Ledger,
    ) -> None:
        self._asker = asker
        self._url = url.rstrip("/").removesuffix("/search") + "/search"
        self._definition = definition
        self._queries = queries
        self._to_tag = to_tag
        self._ledger = ledger

    def iter_seeds(self) -> Iterator[Seed]:
        """Yield the results of all queries, language by language."""
        for lang in self._definition.langs:
            terms = [term.text for term in self._definition.terms if term.lang == lang]
            for words in make_tuples(terms, self._queries):
                query = " ".join(f'"{w}"' if " " in w else w for w in words)
                yield from self._search(query, lang)

    def _search(self, query: str, lang: str) -> Iterator[Seed]:
        params = {"q": query, "format": "json", "language": self._to_tag(lang)}
        try:
            data = self._asker.json(self._url, params)
        except StatusError as error:
            if error.status == _FORBIDDEN:
                raise BootstrapError(
                    f"{self._url}: HTTP 403; allow JSON in the instance's settings.yml:"
                    " search: formats: [html, json]"
                ) from error
            raise
        results = data.get("results") if isinstance(data, dict) else None
        if not isinstance(results, list):
            raise BootstrapError(
                f"{self._url}: the answer is no SearXNG's; give the address of an instance"
            )
        if not results:
            self._ledger.drop(SourceReason.NOT_ANSWERED, query, lang)
        for place, result in enumerate(results):
            if isinstance(url := result.get("url"), str):
                reason = f"search for {query} ({self._to_tag(lang)})"
                yield Seed(url, reason, _SCORE / (place + 1))
