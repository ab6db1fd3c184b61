"""PWCC (paper 002): its equations, the preparation of candidates, the judgement."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from pairing_site import LANGS, encode, make_page
from scipy.sparse import csr_array

from ilspfc.pairing.comparison import Matches
from ilspfc.pairing.page_arrays import PageBlock, PageContent
from ilspfc.papers.pwcc import (
    AS_PRINTED,
    PwccOptions,
    align_sentences,
    find_stop_words,
    learn_folders,
    page_similarity,
    prepare_candidates,
    similarity,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ilspfc.line.comparisons import EncodedCorpus
    from ilspfc.pairing.comparison import Comparison
    from ilspfc.pairing.page_content import PairingDocument

    Page = tuple[PairingDocument, PageContent]

URL = "http://a.example/"


# -- equations 4 to 6 --------------------------------------------------------------------


def array(*words: int) -> np.ndarray:
    return np.array(words, np.int32)


def test_words_that_the_dictionary_lacks_cost_as_those_not_found() -> None:
    """Two of four words hit, one has another translation, one has none at all."""
    translations = {1: {10}, 2: {11}, 3: {12, 13}, 4: set[int]()}
    found = similarity(array(1, 2, 3, 4), array(10, 13, 20), translations)
    assert found == pytest.approx((2 - 0.2 * 2) / 4)


def test_the_longer_sentence_divides() -> None:
    assert similarity(array(0), array(5, 6, 7, 8, 9), {0: {7}}) == pytest.approx(1 / 5)


def test_a_similarity_is_never_below_zero_and_none_without_words() -> None:
    assert similarity(array(0, 0), array(1), {0: set()}) == 0
    assert similarity(array(), array(1), {0: set()}) is None
    assert similarity(array(0), array(), {0: set()}) is None


def test_pages_are_as_similar_as_the_geometric_mean_of_their_sentences() -> None:
    assert page_similarity([0.2, None, 0.8]) == pytest.approx(0.4)
    assert page_similarity([0.5, 0.0]) == pytest.approx((0.5 * 0.05) ** 0.5)
    assert page_similarity([]) == page_similarity([None]) == 0


def test_too_many_low_sentences_refuse_a_page() -> None:
    assert page_similarity([0.09, 0.09, 0.09, 0.9]) > 0.1
    assert page_similarity([0.09, 0.09, 0.09, 0.09, 0.9]) == 0


# -- candidates (appendix A) -------------------------------------------------------------


class Site:
    """Pages of two languages by their paths, and a wordlist for their anchors."""

    def __init__(self) -> None:
        self.pages: dict[str, list[Page]] = {lang: [] for lang in LANGS}

    def add(self, lang: str, path: str, *, size: int = 0, anchors: str = "") -> None:
        number = len(self.pages[lang])
        words = [f"{lang}w{number}", "xname"]
        document, content = make_page(
            lang, number, [words], url=URL + path, anchors=tuple(anchors.split())
        )
        self.pages[lang].append((replace(document, html_bytes=size), content))

    def prepare(
        self,
        options: PwccOptions = AS_PRINTED,
        sure: Sequence[tuple[str, str]] = (),
        words: Mapping[str, str] | None = None,
    ) -> set[tuple[str, str]]:
        """Return the candidates; pages ``sure`` to be pairs teach the names of folders."""
        encoded = encode(self.pages)
        (comparison,) = encoded.compare(*LANGS)
        dictionary = make_dictionary(encoded, comparison, words or {})
        urls = [
            [document.url.removeprefix(URL) for document in side.documents]
            for side in (comparison.left, comparison.right)
        ]
        comparison.sure = match([(urls[0].index(a), urls[1].index(b)) for a, b in sure])
        found = prepare_candidates(comparison, dictionary, options)
        pairs = zip(found.rows.tolist(), found.columns.tolist(), strict=True)
        return {(urls[0][row], urls[1][column]) for row, column in pairs}


def match(pairs: Sequence[tuple[int, int]]) -> Matches:
    rows, columns = np.array(pairs, np.int64).reshape(-1, 2).T
    return Matches(rows, columns, np.ones(len(rows)))


def make_dictionary(
    encoded: EncodedCorpus, comparison: Comparison, words: Mapping[str, str]
) -> csr_array:
    german, italian = (encoded.encoder.stems(lang) for lang in LANGS)
    cells = [(german[a[:5]], italian[b[:5]]) for a, b in words.items()]
    rows, columns = zip(*cells, strict=True) if cells else ((), ())
    shape = (comparison.left.anchor_stems.shape[1], len(italian))
    return csr_array((np.ones(len(cells)), (rows, columns)), shape=shape)


@pytest.fixture
def site() -> Site:
    return Site()


def test_the_most_common_folders_then_the_nearest_depth(site: Site) -> None:
    site.add("deu", "de/a/b/p.html")
    site.add("ita", "it/a/b/p.html")
    site.add("ita", "it/a/b/c/p.html")
    site.add("ita", "it/a/p.html")
    site.add("deu", "de/a/q.html")
    assert site.prepare() == {
        ("de/a/b/p.html", "it/a/b/p.html"),
        ("de/a/b/p.html", "it/a/b/c/p.html"),  # the other way: its nearest
        ("de/a/q.html", "it/a/p.html"),
    }


@pytest.mark.parametrize(("size", "is_candidate"), [(29_999, True), (30_000, False)])
def test_pages_that_differ_by_20_kb_are_no_candidates(
    site: Site, size: int, is_candidate: bool
) -> None:
    site.add("deu", "de/p.html", size=10_000)
    site.add("ita", "it/p.html", size=size)
    assert bool(site.prepare()) is is_candidate


def test_a_page_that_does_not_fit_leaves_its_place_to_farther_ones(site: Site) -> None:
    site.add("deu", "de/a/p.html", size=10_000)
    site.add("ita", "it/a/p.html", size=90_000)
    site.add("ita", "it/b/q.html", size=10_000)
    site.add("ita", "it/b/r.html")  # of unknown size
    assert site.prepare() == {
        ("de/a/p.html", "it/b/q.html"),
        ("de/a/p.html", "it/b/r.html"),
    }


def test_anchors_must_agree_by_the_wordlist(site: Site) -> None:
    site.add("deu", "de/p.html", anchors="leiter gurt")
    site.add("ita", "it/p.html", anchors="scala cintura")
    site.add("ita", "it/q.html", anchors="casco cintura")
    site.add("ita", "it/r.html", anchors="polvere")
    site.add("ita", "it/s.html")  # nothing links to it
    words = {"leiter": "scala", "gurt": "casco"}
    found = {column for _, column in site.prepare(PwccOptions(), words=words)}
    assert found == {"it/p.html", "it/q.html", "it/s.html"}
    site.add("ita", "it/t.html", anchors="scala casco")
    all_agree = PwccOptions(min_agreement=1)  # as in the paper
    found = {column for _, column in site.prepare(all_agree, words=words)}
    assert found == {"it/s.html", "it/t.html"}


def test_folders_are_compared_after_translation(site: Site) -> None:
    for name in ("a", "b", "c"):
        site.add("deu", f"de/gelaende/{name}.html")
        site.add("ita", f"it/terreno/{name}.html")
        site.add("deu", f"gurte/{name}.html")
        site.add("ita", f"it/cinture/{name}.html")
    sure = [
        (f"{german}/{name}.html", f"it/{italian}/{name}.html")
        for german, italian in (("de/gelaende", "terreno"), ("gurte", "cinture"))
        for name in ("a", "b")
    ]
    found = site.prepare(PwccOptions(), sure)
    assert {(a.split("/")[-2], b.split("/")[-2]) for a, b in found} == {
        ("gelaende", "terreno"),
        ("gurte", "cinture"),
    }
    assert len(found) == 18
    printed = {(a, b) for a, b in site.prepare(AS_PRINTED, sure) if a[:2] == "de"}
    assert len(printed) == 3 * 6  # all are as near


def test_no_pair_of_pages_confirms_itself_by_its_folders(site: Site) -> None:
    site.add("deu", "de/gelaende/")
    site.add("ita", "it/terreno/")
    site.add("ita", "it/cinture/")
    found = site.prepare(PwccOptions(), [("de/gelaende/", "it/cinture/")])
    assert ("de/gelaende/", "it/terreno/") in found


def test_a_folder_has_one_counterpart() -> None:
    left = [("a",), ("a",), ("b",), ("b",), ("a",)]
    right = [("x",), ("x",), ("x",), ("y",), ("y",)]
    pairs = match([(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)])
    assert learn_folders(left, right, pairs) == {"x": "a"}
    assert learn_folders(left, right, match([(0, 0), (3, 3)])) == {}


def test_of_many_pages_as_near_those_are_taken_that_are_the_most_alike(
    site: Site,
) -> None:
    site.add("deu", "de/p.html")
    for number in range(20):
        site.add("ita", f"it/{number}.html")
    words = {"deuw0": "itaw7"}
    assert len(site.prepare(words=words)) == 20
    few = site.prepare(PwccOptions(candidates=1), words=words)
    assert {b for a, b in few if b == "it/7.html"} == {"it/7.html"}
    # The other way each page has the only one there is.
    assert len(few) == 20


# -- sentences ---------------------------------------------------------------------------


def test_sentences_are_aligned_by_length_within_blocks() -> None:
    short, long = ["kurz"], ["einem", "langen", "satz", "von", "sechs", "worten"]
    sides = {"deu": [short, long, long], "ita": [long, long]}
    pages = {}
    for lang, sentences in sides.items():
        document, content = make_page(lang, 1, [["titel"]])
        length = float(sum(len(word) for one in sentences for word in one))
        blocks = [PageBlock(0, length, sentences)]
        pages[lang] = [(document, replace(content, blocks=blocks))]
    (comparison,) = encode(pages).compare(*LANGS)
    found = [(len(a), len(b)) for a, b in align_sentences(comparison, 0, 0)]
    assert found == [(7, 6), (6, 6)]


def test_the_most_frequent_words_are_stop_words() -> None:
    rare = [f"wort{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(200)]
    words = [[w[4:] + w[:4], "der"] for w in rare]
    pages = {
        lang: [make_page(lang, n, words[n::4]) for n in range(4)] for lang in LANGS
    }
    encoded = encode(pages)
    (comparison,) = encoded.compare(*LANGS)
    stops = find_stop_words(comparison.left)
    assert stops.sum() == 2  # of 201 words one in a hundred
    assert stops[encoded.encoder.stems("deu")["der"]]
