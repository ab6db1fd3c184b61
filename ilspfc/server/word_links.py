"""Words of translation units that translate each other, by a lexicon that a corpus teaches."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice, product
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from ilspfc.lexicon.learner import SegmentTexts
from ilspfc.line.lexicons import known_entries
from ilspfc.text.tokens import WORD_PATTERN, tokenize

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus

# Units that teach, from the most probable pairs on: they are learned from within a second.
_MAX_UNITS = 5_000
# Words of a side that are compared with all of the other.
_MAX_WORDS = 300
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
) -> tuple[Markup, Markup]:
    """Return both sides of a unit with words that translate each other, and lone numbers, marked.

    Words are linked one to one, the best scores first, near places before far ones
    (competitive linking: Melamed 2000); two of a link have the same number in ``data-w``.
    Numbers are alike by their digits.

    >>> for side in mark_words(("5 Bienen, 2026", "5 api"), ("deu", "ita"), {("biene", "api"): 1}):
    ...     print(side)
    <span data-w="1">5</span> <span data-w="2">Bienen</span>, <mark>2026</mark>
    <span data-w="1">5</span> <span data-w="2">api</span>
    """
    sides = [list(islice(_WORD_RE.finditer(text), _MAX_WORDS)) for text in texts]
    stems = [
        [tokenize(word[0], lang) for word in words]
        for words, lang in zip(sides, langs, strict=True)
    ]
    found = []
    for (a, left), (b, right) in product(*map(enumerate, stems)):
        same = left == right and sides[0][a][0][0].isdigit()
        score = max(
            (scores or {}).get(two, 0.0) for two in [("", ""), *product(left, right)]
        )
        if same or score:
            gap = abs(a / len(stems[0]) - b / len(stems[1]))
            found.append((-1.0 if same else -score, gap, a, b))
    links: tuple[dict[int, int], dict[int, int]] = {}, {}
    for _, _, a, b in sorted(found):
        if a not in links[0] and b not in links[1]:
            links[0][a] = links[1][b] = len(links[0]) + 1
    first, second = (_mark(*side) for side in zip(texts, sides, links, strict=True))
    return first, second


def _mark(text: str, words: list[re.Match[str]], links: Mapping[int, int]) -> Markup:
    parts, end = [], 0
    for number, word in enumerate(words):
        if number in links:
            form = Markup('<span data-w="{1}">{0}</span>')
        elif word[0][0].isdigit():
            form = Markup("<mark>{0}</mark>")
        else:
            continue
        parts += [
            escape(text[end : word.start()]),
            form.format(word[0], links.get(number)),
        ]
        end = word.end()
    return Markup().join([*parts, escape(text[end:])])
