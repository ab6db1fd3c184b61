"""Thesauri in SKOS, from a file or a Skosmos server: a concept, narrower ones, their labels.

Labels are those of SKOS or of SKOS-XL, which are resources themselves (EuroVoc, AGROVOC).
The REST API of Skosmos (Finto, AGROVOC, STW, Loterre …) is described in its
``swagger.json``; ``search`` finds a label, ``data`` describes one concept.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from pyoxigraph import Literal, Quad, RdfFormat, parse

from ilspfc.bootstrap.api_client import NOT_FOUND, ApiClient, StatusError
from ilspfc.bootstrap.concepts import (
    BootstrapLog,
    Concept,
    SourceReason,
    Subject,
    offer_names,
)
from ilspfc.exceptions import BootstrapError
from ilspfc.text.codes import find_iso639_3

SKOS = "http://www.w3.org/2004/02/skos/core#"
_XL = "http://www.w3.org/2008/05/skos-xl#"
_TURTLE_SUFFIXES = (".ttl", ".nt", ".n3", ".turtle")
# A whole file in RDF/XML ends with this tag; the parser does not miss it.
_RDF_XML_END = b"RDF>"
_HEAD_BYTES = 1 << 16
_NESTED_ENTITY_RE = re.compile(rb"<!ENTITY\s[^>]*?[\"'][^\"'>]*&(?!#)")
_END_BYTES = 1000
_PREFIX_CHARS = 3
_MAX_HITS = "50"


class Thesaurus:
    """Concepts with their relations, and their labels in the languages of a subject."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._names: dict[str, dict[str, str]] = defaultdict(dict)
        self._variants: dict[str, dict[str, list[str]]] = defaultdict(dict)
        self._narrower: dict[str, dict[str, None]] = defaultdict(dict)
        self._neighbors: dict[str, set[str]] = defaultdict(set)
        self.by_label: dict[str, dict[str, None]] = defaultdict(dict)

    def add(self, statements: Iterable[Quad]) -> None:
        """Add labels and relations; those before an error in the statements are kept."""
        labels: list[tuple[str, str, str]] = []
        forms: dict[str, Literal] = {}
        try:
            for statement in statements:
                subject, value = _value(statement.subject), statement.object
                space, name = _split(statement.predicate.value)
                if space == _XL and isinstance(value, Literal):
                    forms[subject] = value
                elif space == _XL:
                    labels.append((subject, name, _value(value)))
                elif space == SKOS and isinstance(value, Literal):
                    self._add_label(subject, name, value)
                elif space == SKOS:
                    self._add_relation(subject, name, _value(value))
        finally:
            for subject, name, label in labels:
                if label in forms:
                    self._add_label(subject, name, forms[label])

    def _add_label(self, concept: str, name: str, label: Literal) -> None:
        """Add a label; one in another language only helps to find the concept."""
        text = " ".join(label.value.split())
        if name not in {"prefLabel", "altLabel"} or not text:
            return
        self.by_label[text.casefold()][concept] = None
        lang = find_iso639_3(label.language or "")
        if lang not in self._subject.langs:
            return
        if name == "prefLabel" and lang not in self._names[concept]:
            self._names[concept][lang] = text
        elif text != self._names[concept].get(lang):
            self._variants[concept].setdefault(lang, []).append(text)

    def _add_relation(self, subject: str, name: str, target: str) -> None:
        if name in {"narrower", "member", "hasTopConcept"}:
            self._narrower[subject][target] = None
        elif name in {"broader", "topConceptOf"}:
            self._narrower[target][subject] = None
        elif name != "related":
            return
        self._neighbors[subject].add(target)
        self._neighbors[target].add(subject)

    def iter_concepts(
        self,
        roots: Iterable[str],
        log: BootstrapLog,
        fetch: Callable[[str], None] = lambda _: None,
    ) -> Iterator[Concept]:
        """Yield concepts and all narrower ones, nearest first.

        ``fetch`` adds what is known of a concept. Where it fails, the concepts known so far
        are yielded before its BootstrapError.
        """
        depths = dict.fromkeys(roots, 0)
        waiting = deque(depths)
        failure: BootstrapError | None = None
        while waiting and len(depths) <= self._subject.max_concepts and failure is None:
            concept = waiting.popleft()
            try:
                fetch(concept)
            except BootstrapError as error:
                failure = error
            for inner in self._narrower.get(concept, ()):
                if depths[concept] < self._subject.depth and inner not in depths:
                    depths[inner] = depths[concept] + 1
                    waiting.append(inner)
        taken = list(depths)[: self._subject.max_concepts]
        if len(depths) > len(taken):
            log.drop(SourceReason.PAGE_LIMIT)
            log.notice(
                "more concepts than"
                f" --max-pages={self._subject.max_concepts}; the nearest are taken"
            )
        log.count("concepts", len(taken))
        for name in taken:
            names, variants = self._names.get(name, {}), self._variants.get(name, {})
            links = len(self._neighbors[name] & depths.keys())
            if names or variants:
                yield Concept(name, depths[name], links, names, variants)
        if failure is not None:
            raise failure


def iter_skos(path: Path, subject: Subject, log: BootstrapLog) -> Iterator[Concept]:
    """Yield the concepts with a label and narrower ones of a file in Turtle or RDF/XML.

    Of a damaged file the concepts before the damage are yielded, then the error is raised.
    """
    thesaurus = Thesaurus(subject)
    failure: BootstrapError | None = None
    try:
        thesaurus.add(_read_statements(path))
    except (OSError, SyntaxError) as error:
        cause = getattr(error, "msg", None) or error
        failure = BootstrapError(
            f"{path}: cannot be read as RDF ({cause}); give a whole file, in Turtle one"
            " that is named .ttl or .nt, otherwise RDF/XML"
        )
    roots = thesaurus.by_label.get(subject.name.casefold(), {})
    if not roots:
        remedy = "give a label as the thesaurus has it"
        if not thesaurus.by_label:
            remedy = "there is no label of SKOS in it; give a file in SKOS"
        offer = offer_names(subject.name, thesaurus.by_label, remedy)
        raise failure or BootstrapError(
            f"{path}: no concept is called {subject.name}{offer}"
        )
    yield from thesaurus.iter_concepts(roots, log)
    if failure is not None:
        raise BootstrapError(f"{failure}; what stands before is kept")


def _read_statements(path: Path) -> Iterator[Quad]:
    is_turtle = path.name.endswith(_TURTLE_SUFFIXES)
    rdf_format = RdfFormat.TURTLE if is_turtle else RdfFormat.RDF_XML
    base = path.absolute().as_uri()
    if not is_turtle:
        with path.open("rb") as file:
            # Each level of nested entities multiplies the text, without a bound.
            if _NESTED_ENTITY_RE.search(file.read(_HEAD_BYTES)):
                raise SyntaxError("entities inside entities are not read")
    yield from parse(path=path, format=rdf_format, base_iri=base, lenient=True)
    if not is_turtle:
        with path.open("rb") as file:
            file.seek(max(file.seek(0, os.SEEK_END) - _END_BYTES, 0))
            if _RDF_XML_END not in file.read():
                raise SyntaxError("its end is missing")


def iter_skosmos(
    client: ApiClient, url: str, subject: Subject, log: BootstrapLog
) -> Iterator[Concept]:
    """Yield the concepts with a label and narrower ones of a Skosmos server.

    ``url`` is that of its API or of one vocabulary in it.
    """
    url = url.rstrip("/")
    thesaurus = Thesaurus(subject)

    def fetch(uri: str) -> None:
        params = {"uri": uri, "format": "text/turtle"}
        try:
            answer = client.text(f"{url}/data", params, "Turtle")
            thesaurus.add(parse(answer, RdfFormat.TURTLE, base_iri=url, lenient=True))
        except StatusError as error:
            if error.status != NOT_FOUND:
                raise
            # Some vocabularies name concepts of others as narrower.
            log.drop(SourceReason.NOT_ANSWERED, uri)
        except SyntaxError as error:
            raise BootstrapError(f"{url}/data: no Turtle ({error.msg})") from error

    roots = _find_concepts(client, url, subject)
    yield from thesaurus.iter_concepts(roots, log, fetch)


def _find_concepts(client: ApiClient, url: str, subject: Subject) -> list[str]:
    """Return the concepts that have a label; BootstrapError offers similar labels."""
    hits = _search(client, url, subject.name)
    name = subject.name.casefold()
    exact = [uri for uri, labels in hits if name in map(str.casefold, labels)]
    if exact:
        return list(dict.fromkeys(exact))
    hits += _search(client, url, f"{subject.name}*")
    hits += _search(client, url, f"{subject.name[:_PREFIX_CHARS]}*")
    known = [label for _, labels in hits for label in labels]
    offer = offer_names(subject.name, known, "give a label as the vocabulary has it")
    raise BootstrapError(f"{url}: no concept is called {subject.name}{offer}")


def _search(client: ApiClient, url: str, query: str) -> list[tuple[str, list[str]]]:
    """Return the URIs of concepts with the labels that match a query."""
    remedy = "the address of a vocabulary, such as https://api.finto.fi/rest/v1/yso"
    params = {"query": query, "maxhits": _MAX_HITS}
    hits = client.results(f"{url}/search", params, "Skosmos server", remedy)
    keys = ("prefLabel", "altLabel", "matchedPrefLabel")
    return [
        (hit["uri"], [hit[key] for key in keys if isinstance(hit.get(key), str)])
        for hit in hits
        if isinstance(hit.get("uri"), str)
    ]


def _value(term: Any) -> str:
    """Return the IRI of a resource, or the label of a blank node."""
    return str(getattr(term, "value", term))


def _split(iri: str) -> tuple[str, str]:
    space, sign, name = iri.rpartition("#")
    return space + sign, name
