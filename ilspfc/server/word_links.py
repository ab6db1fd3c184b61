"""Words of translation units that translate each other, by a lexicon that a corpus teaches."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice, product

from markupsafe import Markup, escape

from ilspfc.corpus.corpus import Corpus
from ilspfc.lexicon.learner import SegmentTexts
from ilspfc.line.lexicons import known_entries
from ilspfc.server.search import BASES
from ilspfc.text.tokens import tokenize
from ilspfc.text.word_split import WORD_PATTERN

# Units that teach, from the most probable pairs on: they are learned from within a second.
_MAX_UNITS = 5_000
# Words of a side that are compared with all of the other.
_MAX_WORDS = 300
# Letters in which a name and its counterpart begin alike: endings differ by language.
_BEGINNING = 4
_NOUN_CAPITALS = {"deu", "ltz"}
# The end of a text behind which a sentence begins.
_BEGIN_RE = re.compile(r"(?:^|[.!?:;|…\"“”„«»(\[–—•-])\s*\Z")
_WORD_RE = re.compile(rf"\d+(?:[.,:'’\u00a0\u202f]\d+)*|{WORD_PATTERN}")


def learn_words(corpus: Corpus, langs: tuple[str, str]) -> dict[tuple[str, str], float]:
    """Return scores of stems of two languages (ISO 639-3) that translate each other."""
    texts, entries = SegmentTexts(langs), corpus.bitext.pairs(*langs)
    units = (unit for one in entries for unit in corpus.bitext.units(one.pair))
    for unit in islice(units, _MAX_UNITS):
        texts.add(unit.source, unit.target, weight=unit.score)
    prior = known_entries(corpus.settings, langs)
    found = [*prior, *(texts.learn(prior=prior) if len(texts) else ())]
    return {(entry.source, entry.target): entry.score for entry in found}


def mark_words(
    texts: tuple[str, str],
    langs: tuple[str, str],
    scores: Mapping[tuple[str, str], float] | None = None,
    sought: str = "",
    *,
    has_numbers: bool = True,
) -> tuple[Markup, Markup]:
    """Return both sides of a unit with words that translate each other, and others, marked.

    Words are linked one to one, the best scores first, near places before far ones
    (competitive linking: Melamed 2000); two of a link have the same number in ``data-w``.
    Numbers are alike by their digits, unless ``has_numbers`` is False. Marked are numbers and
    names without a counterpart, and the words sought.

    >>> for side in mark_words(("5 Bienen, 2026", "5 api"), ("deu", "ita"), {("biene", "api"): 1}):
    ...     print(side)
    <span data-w="1">5</span> <span data-w="2">Bienen</span>, <mark>2026</mark>
    <span data-w="1">5</span> <span data-w="2">api</span>
    >>> print(mark_words(("bees in Rome", "api a Parigi"), ("eng", "ita"), sought="api")[1])
    <mark class="found">api</mark> a <mark>Parigi</mark>
    """
    sides = [list(islice(_WORD_RE.finditer(text), _MAX_WORDS)) for text in texts]
    links: tuple[dict[int, int], dict[int, int]] = {}, {}
    if has_numbers or scores:
        links = _link(sides, langs, scores or {})
    wanted = {word.translate(BASES) for word in _WORD_RE.findall(sought)}
    keys = [[word[0].translate(BASES) for word in words] for words in sides]
    marked = []
    for side, (text, lang) in enumerate(zip(texts, langs, strict=True)):
        names = _find_names(text, sides[side], lang)
        others = {key[:_BEGINNING] for key in keys[1 - side]}
        scripts = {key.isascii() for key in others}
        forms = {}
        for place, (word, key) in enumerate(zip(sides[side], keys[side], strict=True)):
            is_lone = place in names and key[:_BEGINNING] not in others
            if key in wanted:
                forms[place] = Markup('<mark class="found">{}</mark>')
            elif place not in links[side] and (
                (has_numbers and word[0][0].isdigit())
                # Names in two scripts cannot be compared.
                or (is_lone and key.isascii() in scripts)
            ):
                forms[place] = Markup("<mark>{}</mark>")
        marked.append(_mark(text, sides[side], links[side], forms))
    return marked[0], marked[1]


def _link(
    sides: list[list[re.Match[str]]],
    langs: tuple[str, str],
    scores: Mapping[tuple[str, str], float],
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the number of its link by the place of each word that is linked, of both sides."""
    stems = [
        [tokenize(word[0], lang) for word in words]
        for words, lang in zip(sides, langs, strict=True)
    ]
    found = []
    for (a, left), (b, right) in product(*map(enumerate, stems)):
        same = left == right and sides[0][a][0][0].isdigit()
        score = max(scores.get(two, 0.0) for two in [("", ""), *product(left, right)])
        if same or score:
            gap = abs(a / len(stems[0]) - b / len(stems[1]))
            found.append((-1.0 if same else -score, gap, a, b))
    links: tuple[dict[int, int], dict[int, int]] = {}, {}
    for _, _, a, b in sorted(found):
        if a not in links[0] and b not in links[1]:
            links[0][a] = links[1][b] = len(links[0]) + 1
    return links


def _find_names(text: str, words: list[re.Match[str]], lang: str) -> set[int]:
    """Return the places of names: capitals within a sentence, and acronyms.

    In headings, and where nouns have capitals, acronyms alone are told from other words.
    """
    if text.isupper():
        return set()
    capitals = {n for n, word in enumerate(words) if word[0][0].isupper()}
    acronyms = {n for n in capitals if len(words[n][0]) > 1 and words[n][0].isupper()}
    if lang in _NOUN_CAPITALS or 2 * len(capitals) > len(words):
        return acronyms
    begins = (n for n in capitals if _BEGIN_RE.search(text, 0, words[n].start()))
    return capitals.difference(begins) | acronyms


def _mark(
    text: str,
    words: list[re.Match[str]],
    links: Mapping[int, int],
    forms: Mapping[int, Markup],
) -> Markup:
    parts, end = [], 0
    for place in sorted({*links, *forms}):
        word = forms.get(place, Markup("{}")).format(words[place][0])
        if place in links:
            word = Markup('<span data-w="{}">{}</span>').format(links[place], word)
        parts += [escape(text[end : words[place].start()]), word]
        end = words[place].end()
    return Markup().join([*parts, escape(text[end:])])
