"""Effect of a corpus on translation (001, section 5): a check of the corpus, no product.

A small phrase-based model is learned from the units: words by IBM model 1, phrases that agree
with the words that are each other's best translation (Koehn, Och and Marcu 2003), a trigram
language model with stupid backoff (Brants and others 2007), a monotone search. Words are in
lower case and without punctuation: the figures compare with each other alone.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, product
from typing import TypeAlias

import numpy as np

from ilspfc.corpus.corpus import Corpus
from ilspfc.exceptions import CorpusError
from ilspfc.exports.filters import ExportReason
from ilspfc.exports.selection import Selection
from ilspfc.exports.split import HeldOutSegments, split_documents
from ilspfc.lexicon.ibm1 import LOOKUP_OPTIONS, train
from ilspfc.line.comparisons import tokenize_words
from ilspfc.text.vocabulary import Segments, Vocabulary
from ilspfc.text.word_split import iter_spans

Words: TypeAlias = tuple[str, ...]
Pair: TypeAlias = tuple[Words, Words]

TEST_SHARE, MAX_TEST, MAX_LEARNED = 0.1, 500, 50_000
"""Share of the documents that is held out; units that are translated, and learned from."""

LENGTHS = range(2, 41)
"""Words of a unit on either side; others are left out."""

MAX_PHRASE, MAX_OPTIONS, BEAM = 4, 10, 30
"""Words of a phrase, its translations, hypotheses that are continued at each word."""

LANGUAGE_WEIGHT, WORD_BONUS, UNKNOWN_COST, BACKOFF = 0.7, 1.0, -8.0, math.log(0.4)
"""Logs: weight of the language model beside the mean of both directions of a phrase; of each
word, so that short translations are no cheaper; of an unknown word, which stays as it is; of a
shorter context."""

LEAST_LEARNED, LEAST_TEST = 100, 10


def check_translation(
    corpus: Corpus, langs: tuple[str, str]
) -> Iterator[tuple[str, int, int, list[float]]]:
    """Yield what is learned from, units, units held out, and BLEU and chrF both ways.

    First all units; then those without the quarter of the lowest score; then twice all without
    a random quarter, which tells what fewer units cost, and what chance does. Units of other
    documents are held out, but for their lowest quarter, and no unit that is learned from has
    a segment of these documents. CorpusError where there are too few.
    """
    learned, held = _divide(corpus, langs)
    if len(learned) < LEAST_LEARNED or len(held) < LEAST_TEST:
        raise CorpusError(
            f"{corpus.files.root}: {len(learned)} units in {'-'.join(langs)} to learn from,"
            f" {len(held)} held out; a check needs {LEAST_LEARNED} and {LEAST_TEST}"
        )
    quarter = len(learned) // 4
    parts = {"all units": learned, "without the lowest quarter": learned[quarter:]}
    for seed in (1, 2):
        some = _draw(learned, len(learned) - quarter, seed)
        parts[f"without a random quarter, {seed}"] = some
    for name, some in parts.items():
        figures = [*measure(some, held), *measure(_turn(some), _turn(held))]
        yield name, len(some), len(held), figures


def _divide(corpus: Corpus, langs: tuple[str, str]) -> tuple[list[Pair], list[Pair]]:
    """Return the units to learn from, the lowest score first, and those held out."""
    entries = corpus.bitext.pairs(*langs)
    linked = [(entry.source.id, entry.target.id) for entry in entries]
    part_of = split_documents(linked, (1 - TEST_SHARE, 0.0, TEST_SHARE))
    units = [
        (part_of[entry.source.id], unit, reasons)
        for entry in entries
        for unit, reasons in corpus.bitext.judged_units(entry.pair)
    ]
    selection = Selection()
    for _, unit, reasons in units:
        against = map(ExportReason, reasons)
        selection.add(unit.source, unit.target, unit.score, against)
    selection.finish()
    infos = zip(units, selection.infos(), strict=True)
    kept = [(part, unit) for (part, unit, _), info in infos if info is not None]
    kept.sort(key=lambda one: (one[1].score, one[1].source, one[1].target))
    apart = HeldOutSegments()
    for part, unit in kept:
        if part == "test":
            apart.add(unit.source, unit.target)
    found: dict[str, dict[Pair, None]] = {"train": {}, "test": {}}
    for part, unit in kept:
        if part == "test" or not apart.has(unit.source, unit.target):
            source = tokenize_words(unit.source, langs[0])
            target = tokenize_words(unit.target, langs[1])
            if len(source) in LENGTHS and len(target) in LENGTHS:
                found[part][tuple(source), tuple(target)] = None
    learned, held = map(list, found.values())
    return _draw(learned, MAX_LEARNED), _draw(held[len(held) // 4 :], MAX_TEST)


def _draw(pairs: Sequence[Pair], number: int, seed: int = 0) -> list[Pair]:
    """Return so many pairs, drawn at random, in their order."""
    chosen = np.random.default_rng(seed).permutation(len(pairs))[:number]
    return [pairs[place] for place in sorted(chosen.tolist())]


def _turn(pairs: Sequence[Pair]) -> list[Pair]:
    return [(target, source) for source, target in pairs]


def measure(learned: Sequence[Pair], held: Sequence[Pair]) -> tuple[float, float]:
    """Return BLEU and chrF of held-out units translated by a model of others."""
    model = Model(learned)
    pairs = [(model.translate(source), target) for source, target in held]
    return bleu(pairs), chrf(pairs)


class Model:
    """Phrases with their log probabilities, and the n-grams of the target language."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        found = Counter(
            chain.from_iterable(map(find_phrases, pairs, find_links(pairs)))
        )
        sources, targets = Counter[Words](), Counter[Words]()
        for (source, target), number in found.items():
            sources[source] += number
            targets[target] += number
        options: dict[Words, list[tuple[float, Words]]] = defaultdict(list)
        for (source, target), number in found.items():
            cost = math.log(number * number / sources[source] / targets[target]) / 2
            options[source].append((cost, target))
        self._options = {
            source: sorted(some, key=lambda one: (-one[0], one[1]))[:MAX_OPTIONS]
            for source, some in options.items()
        }
        texts = [("", "", *target) for _, target in pairs]
        self._ngrams = Counter(
            text[end - size : end]
            for text in texts
            for end in range(2, len(text) + 1)
            for size in range(min(end, 3) + 1)
        )
        self.predict = cache(self._predict)

    def _predict(self, context: Words, word: str) -> float:
        """Return the log of the score of a word behind others."""
        number = self._ngrams[*context, word]
        if number or not context:
            return math.log((number or 0.5) / self._ngrams[context])
        return BACKOFF + self.predict(context[1:], word)

    def translate(self, words: Words) -> Words:
        """Return the best translation, phrase by phrase in the order of the source."""
        first: dict[Words, tuple[float, Words]] = {("", ""): (0.0, ())}
        stacks = [first, *({} for _ in words)]
        for start, stack in enumerate(stacks[:-1]):
            best = sorted(stack.values(), reverse=True)[:BEAM]
            for end in range(start + 1, min(start + MAX_PHRASE, len(words)) + 1):
                source = words[start:end]
                unknown = [(UNKNOWN_COST, source)] if len(source) == 1 else []
                for cost, target in self._options.get(source, unknown):
                    for score, before in best:
                        value, text = score + cost, ("", "", *before)
                        for word in target:
                            value += WORD_BONUS
                            value += LANGUAGE_WEIGHT * self.predict(text[-2:], word)
                            text = (*text, word)
                        known = stacks[end].get(text[-2:])
                        if known is None or value > known[0]:
                            stacks[end][text[-2:]] = value, text[2:]
        return max(stacks[-1].values())[1]


def find_links(pairs: Sequence[Pair]) -> Iterator[list[tuple[int, int]]]:
    """Yield the places of the words of each pair that are each other's best translation."""
    sides = []
    for texts in zip(*pairs, strict=True):
        vocabulary = Vocabulary.sort(chain.from_iterable(texts))
        sides.append((len(vocabulary), [vocabulary.encode(text) for text in texts]))
    (size, sources), (other_size, targets) = sides
    segments = Segments.join(sources), Segments.join(targets)
    lexicon = train(*segments, (size, other_size), options=LOOKUP_OPTIONS)
    table = lexicon.candidates.matrix()
    for source, target in zip(sources, targets, strict=True):
        scores = table[source][:, target].toarray()
        # Of words that recur, those at the same place go together.
        places, others = (np.linspace(0, 1, len(side)) for side in (source, target))
        ranks = scores - 1e-6 * np.abs(places[:, None] - others)
        rows, columns = ranks.argmax(1), ranks.argmax(0)
        yield [
            (row, column)
            for row, column in enumerate(rows.tolist())
            if columns[column] == row and scores[row, column] > 0
        ]


def find_phrases(pair: Pair, links: Sequence[tuple[int, int]]) -> Iterator[Pair]:
    """Yield the phrases of a pair that no link leaves, with words without a link beside them."""
    source, target = pair
    linked = {column for _, column in links}
    for start, end in iter_spans(len(source), MAX_PHRASE):
        inside = [column for row, column in links if start <= row < end]
        first, last = min(inside, default=0), max(inside, default=-1) + 1
        rows = {row for row, column in links if first <= column < last}
        if not inside or not rows <= {*range(start, end)}:
            continue
        for left, right in product(
            range(max(last - MAX_PHRASE, 0), first + 1),
            range(last, min(first + MAX_PHRASE, len(target)) + 1),
        ):
            beside = (*range(left, first), *range(last, right))
            if right - left <= MAX_PHRASE and linked.isdisjoint(beside):
                yield source[start:end], target[left:right]


# -- measures ----------------------------------------------------------------------------


def bleu(pairs: Sequence[Pair]) -> float:
    """Return BLEU of translations and references (Papineni and others 2002), from 0 to 100."""
    precisions = []
    for size in range(1, 5):
        hits, found, _ = _count_common(pairs, size)
        precisions.append(math.log(hits / found) if hits else -math.inf)
    lengths = [sum(map(len, side)) for side in zip(*pairs, strict=True)]
    brevity = min(1 - lengths[1] / max(lengths[0], 1), 0.0)
    return 100 * math.exp(sum(precisions) / 4 + brevity)


def chrf(pairs: Sequence[Pair]) -> float:
    """Return chrF of translations and references (Popović 2015), from 0 to 100."""
    texts = [("".join(found), "".join(right)) for found, right in pairs]
    counts = [_count_common(texts, size) for size in range(1, 7)]
    known = [one for one in counts if one[1] and one[2]]
    precision = sum(hits / found for hits, found, _ in known) / max(len(known), 1)
    recall = sum(hits / right for hits, _, right in known) / max(len(known), 1)
    return 500 * precision * recall / max(4 * precision + recall, 1e-9)


def _count_common(
    pairs: Sequence[tuple[Sequence[str], Sequence[str]]], size: int
) -> tuple[int, int, int]:
    """Return the numbers of n-grams in common, of the first and of the second texts."""
    hits, totals = 0, [0, 0]
    for pair in pairs:
        first, second = (
            Counter(tuple(text[n : n + size]) for n in range(len(text) - size + 1))
            for text in pair
        )
        hits += (first & second).total()
        totals = [totals[0] + first.total(), totals[1] + second.total()]
    return hits, totals[0], totals[1]
