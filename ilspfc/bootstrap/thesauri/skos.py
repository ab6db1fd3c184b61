"""Thesauri in SKOS: a concept, what is narrower, and their labels in many languages.

Labels may be SKOS's own or SKOS-XL's, which are resources of their own (EuroVoc, AGROVOC).
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from ilspfc.bootstrap.concepts import Concept
from ilspfc.bootstrap.losses import SourceReason
from ilspfc.bootstrap.nearest import nearest_names, offer_names
from ilspfc.bootstrap.thesauri.rdf import iter_rdf_xml
from ilspfc.bootstrap.thesauri.turtle import iter_turtle
from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from ilspfc.bootstrap.concepts import Ledger
    from ilspfc.bootstrap.thesauri.rdf import Triple

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_XL = "http://www.w3.org/2008/05/skos-xl#"
_LITERAL_FORM = f"{_XL}literalForm"
# Which label a predicate gives; True for the preferred one.
_LABELS = {f"{_SKOS}prefLabel": True, f"{_SKOS}altLabel": False}
_XL_LABELS = {f"{_XL}prefLabel": True, f"{_XL}altLabel": False}
# What leads from a concept to a narrower one, and against that way.
_DOWN = frozenset(f"{_SKOS}{n}" for n in ("narrower", "member", "hasTopConcept"))
_UP = frozenset(f"{_SKOS}{n}" for n in ("broader", "topConceptOf"))
_RELATED = f"{_SKOS}related"

TURTLE_SUFFIXES = (".ttl", ".nt", ".n3", ".turtle")


class Thesaurus:
    """The concepts of a thesaurus, with their labels in some languages.

    ``to_code`` turns a language tag into ISO 639-3.
    """

    def __init__(self, langs: Sequence[str], to_code: Callable[[str], str]) -> None:
        self._langs = frozenset(langs)
        self._to_code = to_code
        self.names: dict[str, dict[str, str]] = defaultdict(dict)
        self.variants: dict[str, dict[str, list[str]]] = defaultdict(dict)
        self.narrower: dict[str, dict[str, None]] = defaultdict(dict)
        self.related: dict[str, set[str]] = defaultdict(set)
        self._by_label: dict[str, dict[str, None]] = defaultdict(dict)

    def add_label(
        self, concept: str, text: str, tag: str, *, is_preferred: bool
    ) -> None:
        """Take a label; one in another language only helps to find the concept."""
        if not text:
            return
        self._by_label[text.casefold()][concept] = None
        try:
            lang = self._to_code(tag)
        except ValueError:
            return
        if lang not in self._langs:
            return
        if is_preferred and lang not in self.names[concept]:
            self.names[concept][lang] = text
        elif text != self.names[concept].get(lang):
            self.variants[concept].setdefault(lang, []).append(text)

    def add_relation(self, subject: str, predicate: str, target: str) -> None:
        """Take what a statement says of two concepts, if it does."""
        if predicate in _DOWN:
            self.narrower[subject][target] = None
        elif predicate in _UP:
            self.narrower[target][subject] = None
        elif predicate == _RELATED:
            self.related[subject].add(target)
            self.related[target].add(subject)

    def find(self, label: str) -> list[str]:
        """Return the concepts that have a label, in any language and case."""
        return list(self._by_label.get(label.casefold(), ()))

    @property
    def has_labels(self) -> bool:
        """Whether a concept has a label, in whatever language."""
        return bool(self._by_label)

    def nearest(self, label: str) -> list[str]:
        """Return labels like one that nothing has."""
        return nearest_names(label, self._by_label)

    def below(self, roots: Iterable[str], depth: int) -> dict[str, int]:
        """Return concepts and all that is narrower, by the steps down to them."""
        depths = dict.fromkeys(roots, 0)
        waiting = deque(depths)
        while waiting:
            concept = waiting.popleft()
            if depths[concept] < depth:
                for inner in self.narrower.get(concept, ()):
                    if inner not in depths:
                        depths[inner] = depths[concept] + 1
                        waiting.append(inner)
        return depths

    def concept(self, identity: str, depth: int, among: Iterable[str]) -> Concept:
        """Return a concept; ``among`` are those whose relations to it are counted."""
        relations = self.related.get(identity, set()) | {
            *self.narrower.get(identity, ())
        }
        return Concept(
            identity,
            depth,
            links=len(relations & {*among}),
            names=dict(self.names.get(identity, {})),
            variants={k: list(v) for k, v in self.variants.get(identity, {}).items()},
        )


def read_thesaurus(
    triples: Iterable[Triple], langs: Sequence[str], to_code: Callable[[str], str]
) -> Thesaurus:
    """Return the thesaurus that statements describe."""
    thesaurus = Thesaurus(langs, to_code)
    forms: dict[str, tuple[str, str]] = {}
    resources: list[tuple[str, str, bool]] = []
    for subject, predicate, target, lang in triples:
        if lang is None:
            thesaurus.add_relation(subject, predicate, target)
            if predicate in _XL_LABELS:
                resources.append((subject, target, _XL_LABELS[predicate]))
        elif predicate in _LABELS:
            preferred = _LABELS[predicate]
            thesaurus.add_label(subject, target, lang, is_preferred=preferred)
        elif predicate == _LITERAL_FORM:
            forms[subject] = target, lang
    for concept, label, is_preferred in resources:
        if label in forms:
            text, lang = forms[label]
            thesaurus.add_label(concept, text, lang, is_preferred=is_preferred)
    return thesaurus


class SkosSource:
    """Takes concepts from a file in SKOS: Turtle by its suffix, else RDF/XML."""

    def __init__(
        self,
        path: Path,
        *,
        depth: int,
        max_concepts: int,
        ledger: Ledger,
        to_code: Callable[[str], str],
    ) -> None:
        self._path = path
        self._depth = depth
        self._max_concepts = max_concepts
        self._ledger = ledger
        self._to_code = to_code

    def iter_concepts(self, subject: str, langs: Sequence[str]) -> Iterator[Concept]:
        """Yield the concepts of a label and those narrower to the depth.

        Of a file that breaks off, what stands before is given, then the error.
        """
        is_turtle = self._path.name.endswith(TURTLE_SUFFIXES)
        triples = iter_turtle(self._path) if is_turtle else iter_rdf_xml(self._path)
        errors: list[BootstrapError] = []
        readable = _until_broken(triples, errors)
        thesaurus = read_thesaurus(readable, langs, self._to_code)
        roots = thesaurus.find(subject)
        if not roots:
            raise errors[0] if errors else self._not_found(thesaurus, subject)
        yield from iter_below(
            thesaurus, roots, self._depth, self._max_concepts, self._ledger
        )
        if errors:
            raise BootstrapError(f"{errors[0]}; what stands before is kept")

    def _not_found(self, thesaurus: Thesaurus, subject: str) -> BootstrapError:
        remedy = "give a label as the thesaurus has it"
        if not thesaurus.has_labels:
            remedy = "there is no label of SKOS in it; give a file in SKOS"
        offer = offer_names(thesaurus.nearest(subject), remedy)
        return BootstrapError(f"{self._path}: no concept is called {subject}{offer}")


def _until_broken(
    triples: Iterable[Triple], errors: list[BootstrapError]
) -> Iterator[Triple]:
    """Yield statements; where they break off, ``errors`` gets the reason."""
    try:
        yield from triples
    except BootstrapError as error:
        errors.append(error)


def iter_below(
    thesaurus: Thesaurus,
    roots: Sequence[str],
    depth: int,
    max_concepts: int,
    ledger: Ledger,
) -> Iterator[Concept]:
    """Yield the concepts below some, the nearest first, up to a number of them."""
    depths = thesaurus.below(roots, depth)
    if len(depths) > max_concepts:
        ledger.drop(SourceReason.PAGE_LIMIT)
        ledger.notice(
            f"{len(depths)} concepts; the nearest BOOTSTRAP_MAX_PAGES={max_concepts}"
            " are taken"
        )
    ledger.count("concepts", min(len(depths), max_concepts))
    inverse: dict[str, set[str]] = defaultdict(set)
    for concept in depths:
        for inner in thesaurus.narrower.get(concept, ()):
            inverse[inner].add(concept)
    for identity in list(depths)[:max_concepts]:
        made = thesaurus.concept(identity, depths[identity], depths)
        made.links = (made.links or 0) + len(inverse[identity])
        if made.names or made.variants:
            yield made
