"""Dictionary of the papers' methods: what sure pages teach, and what is known before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pairing_site import LANGS, encode, make_pages, translate

from ilspfc.lexicon.entries import Entry
from ilspfc.line.comparisons import CorpusLexicon, EncodedCorpus, stem
from ilspfc.pairing.comparison import join_lessons
from ilspfc.papers.page_dictionary import make_dictionary

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from ilspfc.pairing.comparison import Comparison
    from ilspfc.text.arrays import IntArray
    from ilspfc.text.vocabulary import Segments


def open_site(*, names: bool = True) -> tuple[EncodedCorpus, Comparison]:
    encoded = encode(make_pages(24, names=names))
    (comparison,) = encoded.compare(*LANGS)
    return encoded, comparison


def share_right(encoded: EncodedCorpus, dictionary: csr_array) -> tuple[float, int]:
    """Return the share of stems whose best translation is right, of how many."""
    stems = [encoded.encoder.stems(lang) for lang in LANGS]
    right = {
        stems[0][stem(word, "deu")]: stems[1][stem(translate(word), "ita")]
        for _, content in make_pages(24)["deu"]
        for block in content.blocks
        for sentence in block.sentences
        for word in sentence
        if translate(word) != word
    }
    grid = dictionary.toarray()
    found = {row: int(grid[row].argmax()) for row in right if grid[row].any()}
    hits = sum(right[row] == column for row, column in found.items())
    return hits / max(len(found), 1), len(found)


def test_pages_with_names_in_common_teach_the_words() -> None:
    encoded, comparison = open_site()
    learn = CorpusLexicon(encoded.encoder, *LANGS)
    dictionary = make_dictionary(comparison, learn)
    stems = tuple(len(encoded.encoder.stems(lang)) for lang in LANGS)
    assert dictionary.shape == stems
    share, words = share_right(encoded, dictionary)
    assert words > 150
    assert share > 0.9
    assert comparison.lexicon is dictionary


def test_the_second_round_learns_from_more_pages() -> None:
    encoded, comparison = open_site()
    lessons: list[int] = []
    lexicon = CorpusLexicon(encoded.encoder, *LANGS)

    def learn(
        source: Segments, target: Segments, documents: IntArray
    ) -> tuple[csr_array, csr_array]:
        lessons.append(len(np.unique(documents)))
        return lexicon(source, target, documents)

    make_dictionary(comparison, learn)
    assert len(lessons) == 2
    assert 0 < lessons[0] <= lessons[1] == 24


def test_without_anything_in_common_the_known_words_remain() -> None:
    encoded, comparison = open_site(names=False)
    german = next(iter(encoded.encoder.stems("deu")))
    italian = next(iter(encoded.encoder.stems("ita")))
    known = [Entry(german, italian)]
    learn = CorpusLexicon(encoded.encoder, *LANGS, known)
    empty = CorpusLexicon(encoded.encoder, *LANGS)
    nothing = join_lessons([])
    assert empty(*nothing)[0].nnz == 0
    assert learn(*nothing)[0].nnz == 1
    dictionary = make_dictionary(comparison, learn)
    place = (
        encoded.encoder.stems("deu")[stem(german, "deu")],
        encoded.encoder.stems("ita")[stem(italian, "ita")],
    )
    assert dictionary[place] > 0
