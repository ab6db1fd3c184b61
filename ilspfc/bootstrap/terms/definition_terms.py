"""Concepts to a domain definition: terms with weights, pairs of terms, what was left out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ilspfc.bootstrap.losses import TitleReason
from ilspfc.bootstrap.terms.weights import VARIANT_SHARE, weigh_concepts
from ilspfc.bootstrap.wikipedia.titles import is_title_case, judge_title, split_title

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ilspfc.bootstrap.concepts import Concept, Ledger

# One title of these kinds says that its article is of that kind in every language.
_OF_THE_CONCEPT = frozenset(
    {TitleReason.DISAMBIGUATION, TitleReason.LIST, TitleReason.YEAR}
)


class WeightedTerm(NamedTuple):
    """A term of the definition; ``lang`` is ISO 639-3."""

    weight: int
    text: str
    subdomain: str
    lang: str


@dataclass(frozen=True, slots=True)
class TermEntry:
    """The terms of one concept: the preferred one of each language, and its variants."""

    identity: str
    weight: int
    subdomain: str
    names: dict[str, str]
    variants: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Definition:
    """What a subject's terms are, the weightiest first."""

    langs: tuple[str, ...]
    terms: tuple[WeightedTerm, ...]
    entries: tuple[TermEntry, ...]

    def count_terms(self, lang: str) -> int:
        """Return the number of terms in a language."""
        return sum(term.lang == lang for term in self.terms)

    def iter_pairs(self, source: str, target: str) -> Iterator[tuple[str, str]]:
        """Yield the preferred terms of concepts that have one in both languages."""
        for entry in self.entries:
            if source in entry.names and target in entry.names:
                yield entry.names[source], entry.names[target]


@dataclass(frozen=True, slots=True)
class TermRules:
    """How concepts become terms; ``keeps_names`` for who is looking for names."""

    langs: tuple[str, ...]
    keeps_names: bool = False


def define(concepts: Sequence[Concept], rules: TermRules, ledger: Ledger) -> Definition:
    """Return the definition that concepts make; what is left out is counted in ``ledger``.

    A term that several concepts have goes to the weightiest.
    """
    weights = weigh_concepts(concepts)
    order = sorted(range(len(concepts)), key=lambda n: (-weights[n], n))
    owners: set[tuple[str, str]] = set()
    terms: list[WeightedTerm] = []
    entries: list[TermEntry] = []
    for number in order:
        entry = _make_entry(concepts[number], weights[number], rules, ledger)
        if entry is None:
            continue
        own = list(_iter_new_terms(entry, concepts[number], owners, ledger))
        if own:
            terms += own
            entries.append(_only_terms(entry, own))
    terms.sort(key=lambda term: -term.weight)
    return Definition(rules.langs, tuple(terms), tuple(entries))


def _make_entry(
    concept: Concept, weight: int, rules: TermRules, ledger: Ledger
) -> TermEntry | None:
    """Return the titles of a concept that are terms, None if it is no matter for one."""
    judged = {
        lang: _judge(title, lang, concept, rules)
        for lang, title in concept.names.items()
    }
    shared = next((r for r in judged.values() if r in _OF_THE_CONCEPT), None)
    if shared is None and not rules.keeps_names and _is_name(concept):
        shared = TitleReason.NAME
    names, variants = {}, {}
    for lang, title in concept.names.items():
        if (reason := shared or judged[lang]) is not None:
            ledger.drop(reason, title, lang)
            continue
        names[lang] = title
    if shared is not None:
        return None
    for lang, titles in concept.variants.items():
        kept = []
        for title in titles:
            if (reason := _judge(title, lang, concept, rules)) is not None:
                ledger.drop(reason, title, lang)
            else:
                kept.append(title)
        variants[lang] = kept
    return TermEntry(concept.identity, weight, concept.subdomain, names, variants)


def _is_name(concept: Concept) -> bool:
    """Return whether more titles are written like names than are not.

    So the languages that tell names from nouns speak for those that do not.
    """
    told = [is_title_case(title, lang) for lang, title in concept.names.items()]
    return concept.is_title and told.count(True) > told.count(False)


def _judge(
    title: str, lang: str, concept: Concept, rules: TermRules
) -> TitleReason | None:
    if concept.is_disambiguation:
        return TitleReason.DISAMBIGUATION
    if not concept.is_title:
        return None
    return judge_title(title, lang, keep_names=rules.keeps_names)


def _iter_new_terms(
    entry: TermEntry, concept: Concept, owners: set[tuple[str, str]], ledger: Ledger
) -> Iterator[WeightedTerm]:
    """Yield the terms of an entry that no weightier concept has."""
    own: set[tuple[str, str]] = set()
    titles = [(lang, title, 1.0) for lang, title in entry.names.items()]
    titles += [
        (lang, title, VARIANT_SHARE)
        for lang, variants in entry.variants.items()
        for title in variants
    ]
    for lang, title, share in titles:
        text, is_qualified = split_title(title)
        key = (lang, text.casefold())
        if key in owners:
            if key not in own:
                ledger.drop(TitleReason.DUPLICATE, title, lang)
            continue
        own.add(key)
        owners.add(key)
        part = VARIANT_SHARE if is_qualified else share
        weight = round(entry.weight * part) or (1 if entry.weight > 0 else -1)
        yield WeightedTerm(weight, text, entry.subdomain, lang)


def _only_terms(entry: TermEntry, terms: list[WeightedTerm]) -> TermEntry:
    """Return an entry with the spelling of its terms, of those that it has."""
    own = {(term.lang, term.text) for term in terms}
    names = {
        lang: text
        for lang, title in entry.names.items()
        if (lang, text := split_title(title).text) in own
    }
    variants: dict[str, list[str]] = {}
    for term in terms:
        if names.get(term.lang) != term.text:
            variants.setdefault(term.lang, []).append(term.text)
    return TermEntry(entry.identity, entry.weight, entry.subdomain, names, variants)
