"""Thesauri behind a Skosmos server: Finto's, AGROVOC, STW, Loterre and others.

Its REST API is described in the file ``swagger.json`` of Skosmos. Asked are ``search``,
and ``data`` for each concept, whose answer has the labels in all languages.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from ilspfc.bootstrap.api.asking import NOT_FOUND, StatusError
from ilspfc.bootstrap.losses import SourceReason
from ilspfc.bootstrap.nearest import nearest_names, offer_names
from ilspfc.bootstrap.thesauri.skos import Thesaurus, iter_below
from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ilspfc.bootstrap.api.asking import Asker
    from ilspfc.bootstrap.concepts import Concept, Ledger

_PREFIX_CHARS = 3
# "maxhits": results that a search may give.
_MAX_HITS = "50"
_NARROWER = ("narrower", "skos:member", "skos:hasTopConcept")
_WIDER = ("broader", "skos:topConceptOf")
_LABELS = {"prefLabel": True, "altLabel": False}


class SkosmosSource:
    """Takes concepts from a server; ``url`` is that of its API or one vocabulary in it."""

    def __init__(
        self,
        asker: Asker,
        url: str,
        *,
        depth: int,
        max_concepts: int,
        ledger: Ledger,
        to_code: Callable[[str], str],
    ) -> None:
        self._asker = asker
        self._url = url.rstrip("/")
        self._depth = depth
        self._max_concepts = max_concepts
        self._ledger = ledger
        self._to_code = to_code

    def iter_concepts(self, subject: str, langs: Sequence[str]) -> Iterator[Concept]:
        """Yield the concepts of a label and those narrower to the depth."""
        roots = self._find(subject)
        thesaurus = Thesaurus(langs, self._to_code)
        depths = dict.fromkeys(roots, 0)
        waiting = deque(roots)
        failure: BootstrapError | None = None
        while waiting:
            uri = waiting.popleft()
            try:
                self._read(uri, thesaurus)
            except BootstrapError as error:
                failure = error
                break
            for inner in thesaurus.narrower.get(uri, ()):
                is_wanted = depths[uri] < self._depth and inner not in depths
                if is_wanted and len(depths) <= self._max_concepts:
                    depths[inner] = depths[uri] + 1
                    waiting.append(inner)
        yield from iter_below(
            thesaurus, roots, self._depth, self._max_concepts, self._ledger
        )
        if failure is not None:
            raise failure

    def _find(self, subject: str) -> list[str]:
        """Return the concepts that have a label; BootstrapError offers others."""
        hits = self._search(subject)
        wanted = subject.casefold()
        exact = [
            hit["uri"] for hit in hits if wanted in map(str.casefold, _labels(hit))
        ]
        if exact:
            return list(dict.fromkeys(exact))
        hits += self._search(f"{subject}*")
        hits += self._search(f"{subject[:_PREFIX_CHARS]}*")
        names = nearest_names(
            subject, (label for hit in hits for label in _labels(hit))
        )
        offer = offer_names(names, "give a label as the vocabulary has it")
        raise BootstrapError(f"{self._url}: no concept is called {subject}{offer}")

    def _search(self, query: str) -> list[dict[str, Any]]:
        params = {"query": query, "maxhits": _MAX_HITS}
        data = self._asker.json(f"{self._url}/search", params)
        if not isinstance(data, dict) or not isinstance(data.get("results"), list):
            raise BootstrapError(
                f"{self._url}: the answer is no Skosmos server's; give the address of a"
                " vocabulary, such as https://api.finto.fi/rest/v1/yso"
            )
        return [hit for hit in data["results"] if isinstance(hit.get("uri"), str)]

    def _ask(self, uri: str) -> list[dict[str, Any]]:
        """Return what the server says of a concept and those around it."""
        params = {"uri": uri, "format": "application/json"}
        try:
            data = self._asker.json(f"{self._url}/data", params)
        except StatusError as error:
            if error.status != NOT_FOUND:
                raise
            # Some vocabularies name concepts of others as narrower.
            self._ledger.drop(SourceReason.NOT_ANSWERED, uri)
            return []
        nodes = data.get("graph", [data]) if isinstance(data, dict) else []
        return [node for node in _as_list(nodes) if isinstance(node, dict)]

    def _read(self, uri: str, thesaurus: Thesaurus) -> None:
        """Add what the server knows of a concept."""
        for node in self._ask(uri):
            if node.get("uri") != uri:
                if uri in _resources(node, _WIDER):
                    thesaurus.narrower[uri][node["uri"]] = None
                continue
            for name, is_preferred in _LABELS.items():
                for label in _as_list(node.get(name)):
                    if isinstance(label, dict):
                        text, tag = label.get("value", ""), label.get("lang", "")
                        thesaurus.add_label(uri, text, tag, is_preferred=is_preferred)
            for inner in _resources(node, _NARROWER):
                thesaurus.narrower[uri][inner] = None
            for other in _resources(node, ("related",)):
                thesaurus.related[uri].add(other)


def _labels(hit: dict[str, Any]) -> list[str]:
    """Return the labels of a search result that may be what was searched for."""
    names = (hit.get(name) for name in ("prefLabel", "altLabel", "matchedPrefLabel"))
    return [name for name in names if isinstance(name, str)]


def _resources(node: dict[str, Any], names: Sequence[str]) -> list[str]:
    values = [value for name in names for value in _as_list(node.get(name))]
    return [v["uri"] if isinstance(v, dict) else str(v) for v in values if v]


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
