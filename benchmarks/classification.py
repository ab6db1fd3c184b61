"""Measures what the relevance of a page costs, by the number of terms of the domain.

``python -m benchmarks.classification`` scores pages of 1,500 tokens in a made-up language
(that of benchmarks/perplexity.py) with domains of 100, 1,000 and 10,000 terms that occur
in it, with and without a stemmer. A page is a document of 75 paragraphs, as cleaning and
language identification leave it.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from random import Random

from benchmarks.perplexity import PAGE_TOKENS, VOCABULARY, Language
from ilspfc.classification.definition import Term
from ilspfc.classification.relevance import RelevanceScorer
from ilspfc.classification.terms import StemmingTokenizer, TermMatcher
from ilspfc.documents import Document, Paragraph

LANG = "deu"
PAGES = 100
ROUNDS = 5
TERMS = (100, 1_000, 10_000)
# The most frequent words of a language are in no term.
FUNCTION_WORDS = 100
# The target, for so many terms.
TARGET_TERMS = 1_000
MAX_MILLISECONDS = 1.0


def make_pages(language: Language) -> list[Document]:
    """Return documents of the same length."""
    pages = []
    for number in range(PAGES):
        sentences = language.write(PAGE_TOKENS, seed=1000 + number)
        paragraphs = [
            Paragraph(f"{' '.join(words).capitalize()}.") for words in sentences
        ]
        pages.append(Document(str(number), "", paragraphs, lang=LANG))
    return pages


def make_terms(language: Language, number: int) -> list[Term]:
    """Return terms of one to three words that stand side by side in some text."""
    random = Random(7)
    frequent = set(language.words[:FUNCTION_WORDS])
    found: dict[str, Term] = {}
    for sentence in language.write(number * 40, seed=3):
        start, length = random.randrange(len(sentence)), random.choice((1, 2, 2, 3))
        words = sentence[start : start + length]
        if words[0] not in frequent:
            text = " ".join(words)
            found.setdefault(text, Term(1, text))
    return list(found.values())[:number]


def page_milliseconds(scorer: RelevanceScorer, pages: Sequence[Document]) -> float:
    """Return the mean over pages of the shortest time that one takes in several rounds."""
    shortest = [math.inf] * len(pages)
    for _ in range(ROUNDS):
        for place, page in enumerate(pages):
            started = time.perf_counter()
            scorer.score(page)
            shortest[place] = min(shortest[place], time.perf_counter() - started)
    return sum(shortest) / len(shortest) * 1000


def main() -> int:
    """Print all figures; return 1 if the target is missed."""
    language = Language(VOCABULARY, seed=1)
    pages = make_pages(language)
    is_met = True
    for lang in (LANG, "hrv"):
        for number in TERMS:
            terms = make_terms(language, number)
            started = time.perf_counter()
            matcher = TermMatcher(terms, StemmingTokenizer(lang))
            building = (time.perf_counter() - started) * 1000
            milliseconds = page_milliseconds(RelevanceScorer({LANG: matcher}), pages)
            hits = sum(sum(matcher.count(p.text).values()) for p in pages[0].paragraphs)
            print(
                f"{len(terms):,} terms, {'no' if lang != LANG else 'german'} stemmer:"
                f" {milliseconds:.2f} ms a page ({hits} hits in the first),"
                f" built in {building:.0f} ms"
            )
            if number == TARGET_TERMS:
                is_met &= milliseconds <= MAX_MILLISECONDS
    print("Target met." if is_met else "Target missed.")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
