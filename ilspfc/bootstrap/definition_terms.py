"""Concepts to a domain definition: weighted terms, and pairs of terms.

Of the titles of an encyclopedia those are terms that the patterns of ``titles.toml`` do not
match (000, section 4), which follow the conventions of the Wikipedias of their languages:
names of lists and of disambiguations, capitals of words that are no names.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from ilspfc.bootstrap.concepts import BootstrapLog, Concept, TitleReason
from ilspfc.classification.definition import Term
from ilspfc.text.cells import to_line

MAX_WEIGHT = 100
# Weight of a variant, or of a title that needs a qualifier, as a share of the name's.
VARIANT_SHARE = 0.5
# One title of these kinds decides for its article in every language.
_DECISIVE = frozenset({TitleReason.DISAMBIGUATION, TitleReason.LIST, TitleReason.YEAR})


@dataclass(frozen=True, slots=True)
class Definition:
    """Terms of a subject by falling weight, and the same by concept.

    ``entries`` have as names and variants those that are terms.
    """

    langs: tuple[str, ...]
    terms: tuple[Term, ...]
    entries: tuple[Concept, ...] = ()

    def terms_in(self, lang: str) -> list[str]:
        """Return the terms in a language."""
        return [term.text for term in self.terms if term.lang == lang]

    def iter_pairs(self, source: str, target: str) -> Iterator[tuple[str, str]]:
        """Yield the preferred terms of concepts that have one in both languages."""
        for entry in self.entries:
            if source in entry.names and target in entry.names:
                yield entry.names[source], entry.names[target]


def weigh_concepts(concepts: Sequence[Concept]) -> list[int]:
    """Return the weight of each concept, from 1 to 100.

    Half of it is nearness to the subject, falling evenly with each step; half the logarithm
    of the number of links from other concepts, since a few articles have nearly all links.
    Where no links are known nearness counts alone; a weight of the source is kept.
    """
    deepest = max((concept.depth for concept in concepts), default=0)
    most_links = max((concept.links or 0 for concept in concepts), default=0)
    weights = []
    for concept in concepts:
        share = 1 - concept.depth / (deepest + 1)
        if most_links:
            linked = math.log1p(concept.links or 0) / math.log1p(most_links)
            share = (share + linked) / 2
        weight = MAX_WEIGHT * share if concept.weight is None else concept.weight
        weights.append(_round(weight))
    return weights


def _round(weight: float) -> int:
    """Return a weight as a whole number other than 0."""
    return round(weight) or (1 if weight > 0 else -1)


def define(
    concepts: Sequence[Concept],
    langs: tuple[str, ...],
    log: BootstrapLog,
    *,
    keeps_names: bool = False,
) -> Definition:
    """Return the definition that concepts make; ``log`` counts the titles left out.

    A term that several concepts have goes to the one with the highest weight.
    """
    weights = weigh_concepts(concepts)
    owners: dict[tuple[str, str], int] = {}
    terms: list[Term] = []
    entries: list[Concept] = []
    for number in sorted(range(len(concepts)), key=lambda n: -weights[n]):
        concept = concepts[number]
        entry = Concept(concept.identity, subdomain=concept.subdomain)
        for lang, title, share in _accept_titles(concept, log, keeps_names=keeps_names):
            text, is_qualified = split_title(title)
            key = (lang, text.casefold())
            if key in owners:
                if owners[key] != number:
                    log.drop(TitleReason.DUPLICATE, title, lang)
                continue
            owners[key] = number
            weight = _round(
                weights[number] * (VARIANT_SHARE if is_qualified else share)
            )
            subdomains = tuple(filter(None, [to_line(concept.subdomain)]))
            terms.append(Term(weight, to_line(text), subdomains, lang))
            if share == 1:
                entry.names[lang] = text
            else:
                entry.variants.setdefault(lang, []).append(text)
        if entry.names or entry.variants:
            entries.append(entry)
    terms.sort(key=lambda term: -term.weight)
    return Definition(langs, tuple(terms), tuple(entries))


def _accept_titles(
    concept: Concept, log: BootstrapLog, *, keeps_names: bool
) -> Iterator[tuple[str, str, float]]:
    """Yield language, title and share of the weight for the titles that are terms."""
    titles = [(lang, name, 1.0) for lang, name in concept.names.items()]
    reasons = (_judge(concept, title, lang, keeps_names) for lang, title, _ in titles)
    shared = next((reason for reason in reasons if reason in _DECISIVE), None)
    if shared is None and not keeps_names and _is_name(concept):
        shared = TitleReason.NAME
    if shared is None:
        for lang, others in concept.variants.items():
            titles += [(lang, title, VARIANT_SHARE) for title in others]
    for lang, title, share in titles:
        if reason := shared or _judge(concept, title, lang, keeps_names):
            log.drop(reason, title, lang)
        else:
            yield lang, title, share


def _is_name(concept: Concept) -> bool:
    """Test whether more titles are written like names than are not.

    Languages that write names unlike nouns decide for those that do not.
    """
    votes = [is_title_case(title, lang) for lang, title in concept.names.items()]
    return concept.is_title and votes.count(True) > votes.count(False)


def _judge(
    concept: Concept, title: str, lang: str, keeps_names: bool
) -> TitleReason | None:
    if concept.is_disambiguation:
        return TitleReason.DISAMBIGUATION
    if not concept.is_title:
        return None
    return judge_title(title, lang, keep_names=keeps_names)


# -- titles ------------------------------------------------------------------------------

_QUALIFIER_RE = re.compile(r"\s*[((]([^()()]*)[))]\s*$")
_WORD_RE = re.compile(r"[^\W_]+(?:['’ʼ-][^\W_]+)*")
_DATA = tomllib.loads(files(__package__).joinpath("titles.toml").read_text("utf-8"))
_DISAMBIGUATIONS = frozenset(_DATA["disambiguations"])
_LIST_RE = re.compile(rf"(?:{'|'.join(_DATA['lists'])})\b", re.IGNORECASE)
_YEAR_RE = re.compile("|".join(_DATA["years"]), re.IGNORECASE)
# Languages that capitalize all nouns.
_CAPITAL_NOUNS = frozenset({"deu", "ltz", "bar", "nds", "gsw"})
# Shorter words are articles and the like, or single letters ("Vitamin C").
_MIN_WORD_CHARS = 4


def split_title(title: str) -> tuple[str, bool]:
    """Return a title without its qualifier ("Queen (bee)"), and whether there was one.

    >>> split_title("Smoker (beekeeping)")
    ('Smoker', True)
    """
    text = title.replace("_", " ").strip()
    term = _QUALIFIER_RE.sub("", text)
    return term or text, bool(term) and term != text


def judge_title(
    title: str, lang: str, *, keep_names: bool = False
) -> TitleReason | None:
    """Return the reason for which a title is no term in a language, None for a term.

    >>> judge_title("List of honeys", "eng"), judge_title("Anton Janša", "eng")
    (<TitleReason.LIST: 'list'>, <TitleReason.NAME: 'name'>)
    >>> judge_title("American foulbrood", "eng") is None
    True
    """
    term, _ = split_title(title)
    qualifier = _QUALIFIER_RE.search(title)
    if qualifier is not None and qualifier[1].casefold() in _DISAMBIGUATIONS:
        reason = TitleReason.DISAMBIGUATION
    elif _LIST_RE.match(term):
        reason = TitleReason.LIST
    elif _YEAR_RE.fullmatch(term):
        reason = TitleReason.YEAR
    elif not any(map(str.isalpha, term)):
        reason = TitleReason.EMPTY
    elif keep_names:
        return None
    elif term.isupper() and " " not in term and len(term) > 1:
        reason = TitleReason.ABBREVIATION
    elif is_title_case(title, lang):
        reason = TitleReason.NAME
    else:
        return None
    return reason


def is_title_case(title: str, lang: str) -> bool | None:
    """Test whether a title is written like a name, None if that cannot be decided.

    A name has a capital in all longer words after the first, which has one in every title.
    Titles of one word are undecided, as are those in languages that capitalize all nouns.

    >>> is_title_case("Karl von Frisch", "eng"), is_title_case("Bee smoker", "eng")
    (True, False)
    >>> is_title_case("Honey", "eng") is is_title_case("Deutscher Imkerbund", "deu") is None
    True
    """
    if lang in _CAPITAL_NOUNS:
        return None
    words = _WORD_RE.findall(split_title(title)[0])
    later = [word for word in words[1:] if len(word) >= _MIN_WORD_CHARS]
    return all(word[0].isupper() for word in later) if later else None
