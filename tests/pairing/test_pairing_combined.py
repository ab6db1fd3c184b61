"""All evidence in one probability."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from pairing_site import LANGS, encode, make_page, make_pages, page_id

from ilspfc.line.comparisons import CorpusLexicon
from ilspfc.line.pairing import pairing_methods
from ilspfc.pairing.methods import PairingOptions
from ilspfc.pairing.page_arrays import PageBlock

if TYPE_CHECKING:
    from ilspfc.documents import DocumentPair
    from ilspfc.line.comparisons import EncodedCorpus

OPTIONS = PairingOptions()


def pair(encoded: EncodedCorpus, method: str = "combined") -> list[DocumentPair]:
    learn = CorpusLexicon(encoded.encoder, *LANGS)
    return pairing_methods()[method](encoded.compare(*LANGS), OPTIONS, learn).pairs


def right_pairs(number: int) -> set[tuple[str, str]]:
    return {(page_id("deu", n), page_id("ita", n)) for n in range(number)}


def keys(pairs: list[DocumentPair]) -> set[tuple[str, str]]:
    return {(one.source, one.target) for one in pairs}


def test_pages_with_names_of_their_own_are_paired() -> None:
    assert keys(pair(encode(make_pages(40)))) == right_pairs(40)


def test_the_lexicon_pairs_what_names_do_not() -> None:
    named, unnamed = make_pages(60), make_pages(80, seed=1, names=False)
    pages = {lang: named[lang] + unnamed[lang][60:] for lang in LANGS}

    found = keys(pair(encode(pages)))

    assert len(found & right_pairs(80)) >= 78
    assert len(found - right_pairs(80)) <= 1


def test_the_order_of_the_documents_plays_no_part() -> None:
    pages = make_pages(30)
    turned = {lang: some[::-1] for lang, some in reversed(pages.items())}

    assert pair(encode(turned)) == pair(encode(pages))


def test_pairs_tell_what_speaks_for_them() -> None:
    best = pair(encode(make_pages(30)))[0]

    assert 0.5 <= best.probability <= 1
    assert best.margin > 0
    assert best.round >= 1
    assert dict(best.values)["identical"] > 0


def test_pages_without_partners_stay_alone() -> None:
    pages = make_pages(40)
    other = make_pages(20, seed=5)
    pages["deu"] += [
        (document, content)
        for document, content in (
            make_page("deu", 500 + n, [list(b.sentences[0]) for b in page.blocks])
            for n, (_, page) in enumerate(other["ita"])
        )
    ]

    found = keys(pair(encode(pages)))

    assert right_pairs(40) <= found
    assert len(found) <= 42


@pytest.mark.parametrize("method", pairing_methods())
def test_every_method_survives_odd_corpora(method: str) -> None:
    empty = make_page("deu", 1, [])
    same = [make_page("ita", n, [["eins", "zwei", "drei"]] * 3) for n in range(300)]
    assert pair(encode({"deu": [empty], "ita": same}), method) == []
    assert pair(encode({"deu": [], "ita": same}), method) == []
    assert (
        pair(encode({"deu": [empty], "ita": [make_page("ita", 1, [])]}), method) == []
    )


def test_two_single_pages_of_the_same_names_are_a_pair_or_nothing() -> None:
    assert len(pair(encode(make_pages(1)))) <= 1


def test_a_store_of_other_sites_helps_and_is_added_to() -> None:
    pages = encode(make_pages(30))
    learn = CorpusLexicon(pages.encoder, *LANGS)
    pairing_methods()["combined"](pages.compare(*LANGS), OPTIONS, learn)
    entries = learn.entries()
    assert len(entries) > 100

    small = encode(make_pages(6, names=False))
    known = CorpusLexicon(small.encoder, *LANGS, entries)
    with_store = pairing_methods()["combined"](
        small.compare(*LANGS), OPTIONS, known
    ).pairs
    assert known.entries() != entries
    assert keys(with_store) <= right_pairs(6)


def test_of_many_segments_an_even_share_is_learned_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pages = encode(make_pages(40))
    monkeypatch.setattr("ilspfc.line.comparisons.MAX_SEGMENTS", 100)
    learn = CorpusLexicon(pages.encoder, *LANGS)
    found = pairing_methods()["combined"](pages.compare(*LANGS), OPTIONS, learn).pairs
    assert keys(found) == right_pairs(40)
    assert sum(entry.segments for entry in learn.entries()) > 100
    assert max(entry.segments for entry in learn.entries()) <= 100


def test_the_sites_own_model_is_fitted_to_a_bounded_number_of_candidates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pages = encode(make_pages(60))
    whole = pair(pages)
    monkeypatch.setattr("ilspfc.pairing.model.pair_model._MAX_FITTED", 200)
    monkeypatch.setattr("ilspfc.pairing.model.candidate_features._ROWS_AT_ONCE", 7)
    assert keys(pair(pages)) == keys(whole) == right_pairs(60)


def test_ids_and_ports_change_nothing() -> None:
    found = []
    for digit, port in (("d", 80), ("1", 8080)):
        pages = {
            lang: [
                (
                    replace(
                        document,
                        id=digit + document.id[:0:-1],
                        url=document.url.replace("a.example", f"a.example:{port}"),
                    ),
                    content,
                )
                for document, content in some
            ]
            for lang, some in make_pages(40, names=False).items()
        }
        urls = {p.id: p.url.split("/p/")[1] for some in pages.values() for p, _ in some}
        found.append(
            {
                (urls[p.source], urls[p.target], p.probability)
                for p in pair(encode(pages))
            }
        )
    assert found[0] == found[1]


def test_text_that_cleaning_rejected_in_one_language_finds_the_page() -> None:
    pages = make_pages(60, names=False)
    for number, (document, content) in enumerate(pages["ita"]):
        if number % 3 == 0:
            blocks = [replace(block, is_clean=False) for block in content.blocks]
            pages["ita"][number] = document, replace(content, blocks=blocks)
    found = keys(pair(encode(pages)))
    assert len(found & right_pairs(60)) >= 57


def test_rejected_text_of_many_pages_is_the_frame() -> None:
    frame = PageBlock(3, 20.0, [["menu", "of", "all"]], is_clean=False)
    rare = PageBlock(3, 20.0, [["seldom", "seen"]], is_clean=False)
    pages = make_pages(12)
    for number, (document, content) in enumerate(pages["deu"]):
        more = [frame, rare] if number < 2 else [frame]
        blocks = [*content.blocks, *more]
        pages["deu"][number] = document, replace(content, blocks=blocks)
    (comparison,) = encode(pages).compare(*LANGS)
    whole, clean = comparison.left.whole, comparison.left.clean
    numbers = [
        len(some) - len(own)
        for some, own in zip(whole.blocks, clean.blocks, strict=True)
    ]
    assert sorted(numbers) == [0] * 10 + [1] * 2
