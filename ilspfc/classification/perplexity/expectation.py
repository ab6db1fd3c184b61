"""Expected perplexity of the target of a link.

The paper takes the perplexity of the link's page (004, section 3.2). A page in few words (a
list of links, a start page) has none, and all its links would be worth the same. So the
evidence backs off: text around the link, page, the page before it, and so on, each with a
weight that grows with its number of words. Numbers are bits: log2 of the perplexity over
the bound of MEDIUM (:meth:`~ilspfc.classification.perplexity.buckets.Buckets.to_surprise`).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ilspfc.classification.perplexity.page_perplexity import (
    PIECE_WORDS,
    NgramModel,
    iter_sentences,
)
from ilspfc.text.word_split import split_words

# Expectation of a page of which nothing is known: the bound of MEDIUM and NORMAL.
NEUTRAL = 0.0
# Words around a link that weigh as much as its page: half of the 40 that are read.
LINK_WORDS = 20
# Words of a page that weigh as much as what was expected of it: those of one page.
PAGE_WORDS = PIECE_WORDS
# Words that are read of a text around a link, whose anchor may be of any length.
_MAX_WORDS = 60


@dataclass(frozen=True, slots=True)
class PageEntropy:
    """Entropy of a page and of the texts around its links, in bits a word.

    ``lang`` (ISO 639-3) is the language of the model; ``words`` counts those of the sentences
    of clean text that are scored. ``link_words`` and ``link_bits`` have an entry for each
    link, in the order of the links; 0 words where the link has no text.
    """

    lang: str
    words: int
    bits: float
    link_words: array[int] = field(default_factory=lambda: array("H"))
    link_bits: array[float] = field(default_factory=lambda: array("f"))

    @property
    def perplexity(self) -> float:
        """Perplexity of the clean text, infinite where it has no sentence to score."""
        return 2.0 ** min(self.bits, 1023.0) if self.words else math.inf


def measure_page(
    models: Mapping[str, NgramModel],
    texts: Sequence[str],
    link_texts: Iterable[str],
    split: Callable[[str], Iterable[str]],
) -> PageEntropy:
    """Return the entropy of a page under the model that it surprises the least.

    ``texts`` are its clean paragraphs, ``link_texts`` the text around each link; ``split``
    cuts a text into sentences.
    """
    sentences = list(iter_sentences(texts, split))
    words = sum(map(len, sentences))
    by_lang = {
        lang: model.mean_entropy(sentences) if words else math.inf
        for lang, model in models.items()
    }
    lang = min(by_lang, key=by_lang.__getitem__)
    split_texts = [split_words(text)[:_MAX_WORDS] for text in link_texts]
    # Menus repeat links, and the words around them.
    distinct = dict.fromkeys(map(tuple, filter(None, split_texts)))
    bits = dict(zip(distinct, models[lang].entropies(distinct), strict=True))
    return PageEntropy(
        lang,
        words,
        by_lang[lang],
        array("H", map(len, split_texts)),
        array("f", (bits.get(tuple(one), 0.0) for one in split_texts)),
    )


def expect_page(words: int, bits: float, before: float = NEUTRAL) -> float:
    """Return the surprise of a page by its text and by what was expected of it.

    ``bits`` is that of its text, whose n words in sentences have the weight n / (n + 300);
    ``before`` was expected before it was read.

    >>> expect_page(300, 4.0, -2.0), expect_page(0, 9.0, -2.0)
    (1.0, -2.0)
    """
    if not words:
        return before
    return (words * bits + PAGE_WORDS * before) / (words + PAGE_WORDS)


def expect_target(words: int, bits: float, page: float) -> float:
    """Return the surprise that is expected of the target of a link.

    ``words`` are around the link, ``bits`` is their surprise, ``page`` that of the page;
    n words have the weight n / (n + 20). Few words that surprise more than the page ("Read
    more", a name) say nothing against the link.

    >>> expect_target(20, 1.0, 2.0), expect_target(20, 4.0, 2.0), expect_target(0, 0.0, 2.0)
    (1.5, 2.0, 2.0)
    """
    if bits > page or not words:
        return page
    return (words * bits + LINK_WORDS * page) / (words + LINK_WORDS)
