"""Pairs and units in the index: replaced as a whole, most probable first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from corpus_examples import entry

from ilspfc.corpus import counts as figures
from ilspfc.corpus.bitext import Bitext
from ilspfc.corpus.index import CorpusIndex
from ilspfc.documents import DocumentPair, PairState, TranslationUnit

PAIRS = [
    DocumentPair("d1", "i1", 0.85, "url"),
    DocumentPair("d2", "i2", 0.99, "hreflang"),
    DocumentPair("d3", "i3", 0.85, "structure"),
]
UNITS = [
    TranslationUnit("eins", "uno", "1:1", 0.9),
    TranslationUnit("zwei drei", "due tre", "2:1", 1.0),
    TranslationUnit("vier", "quattro", "1:1", 0.0),
]


def set_pairs(
    bitext: Bitext,
    source_lang: str,
    target_lang: str,
    pairs: Iterable[DocumentPair],
    **others: Iterable[DocumentPair],
) -> None:
    """Record pairs, and candidates under the names of their states."""
    states = dict.fromkeys(pairs, PairState.PAIR)
    for state, candidates in others.items():
        states |= dict.fromkeys(candidates, PairState(state))
    bitext.set_states(source_lang, target_lang, states)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[CorpusIndex]:
    with CorpusIndex(tmp_path / "corpus.db") as index:
        for number in range(1, 5):
            index.add_document(entry(f"d{number}"), [], [])
            index.add_document(entry(f"i{number}", lang="ita"), [], [])
        yield index


@pytest.fixture
def bitext(index: CorpusIndex) -> Bitext:
    return Bitext(index)


def test_pairs_come_back_with_their_documents_the_most_probable_first(
    bitext: Bitext,
) -> None:
    set_pairs(bitext, "deu", "ita", PAIRS)
    found = bitext.pairs("deu", "ita")
    assert [one.pair for one in found] == [PAIRS[1], PAIRS[0], PAIRS[2]]
    assert found[0].source == entry("d2")
    assert found[0].target == entry("i2", lang="ita")
    assert (found[0].null_share, found[0].mean_score) == (None, None)
    assert bitext.pairs("ita", "deu") == []


def test_language_pairs_are_those_with_candidates(bitext: Bitext) -> None:
    assert bitext.language_pairs() == []
    set_pairs(bitext, "ita", "eng", [DocumentPair("i1", "e1", 0.9, "url")])
    set_pairs(bitext, "deu", "ita", PAIRS)
    set_pairs(bitext, "deu", "eng", [])
    assert bitext.language_pairs() == [("deu", "ita"), ("ita", "eng")]


def test_units_come_back_in_order(bitext: Bitext) -> None:
    set_pairs(bitext, "deu", "ita", PAIRS)
    bitext.set_units(PAIRS[0], UNITS, null_share=0.25, mean_score=0.6)
    assert list(bitext.units(PAIRS[0])) == UNITS
    assert list(bitext.units(PAIRS[1])) == []
    found = {one.pair: one for one in bitext.pairs("deu", "ita")}
    assert found[PAIRS[0]].null_share == 0.25
    assert found[PAIRS[0]].mean_score == 0.6
    assert found[PAIRS[1]].mean_score is None


def test_a_candidate_is_found_by_its_documents_without_a_look_at_all(
    bitext: Bitext,
) -> None:
    set_pairs(bitext, "deu", "ita", PAIRS)
    asked: list[str] = []
    with bitext._index.transaction() as connection:
        connection.set_trace_callback(asked.append)
        bitext.set_units(PAIRS[0], UNITS, null_share=0.25, mean_score=0.6)
        connection.set_trace_callback(None)
        (update,) = (sql for sql in asked if sql.startswith("UPDATE candidates"))
        plan = connection.execute(f"EXPLAIN QUERY PLAN {update}").fetchall()
    steps = [step for *_, step in plan if "candidates" in step]
    assert len(steps) == 1
    assert steps[0].startswith("SEARCH")


def test_the_share_of_words_explained_is_that_of_the_last_alignment(
    bitext: Bitext,
) -> None:
    set_pairs(bitext, "deu", "ita", PAIRS)
    for explained in (-1.5, -0.5):
        bitext.set_units(
            PAIRS[0], UNITS, null_share=None, mean_score=None, explained=explained
        )
    key = PAIRS[0].source, PAIRS[0].target
    assert bitext.figures("deu", "ita") == {key: (None, None, -0.5)}
    bitext.set_units(PAIRS[0], UNITS, null_share=0.25, mean_score=0.6)
    assert bitext.figures("deu", "ita") == {key: (0.25, 0.6, None)}


def test_a_second_alignment_replaces_the_first(bitext: Bitext) -> None:
    set_pairs(bitext, "deu", "ita", PAIRS)
    bitext.set_units(PAIRS[0], UNITS, null_share=0.25, mean_score=0.6)
    bitext.set_units(PAIRS[0], UNITS[:1], null_share=0.0, mean_score=0.9)
    assert list(bitext.units(PAIRS[0])) == UNITS[:1]


def test_a_second_pairing_replaces_the_first_with_its_units(
    bitext: Bitext, index: CorpusIndex
) -> None:
    index.add_document(entry("e4", lang="eng"), [], [])
    other = DocumentPair("d4", "e4", 0.9, "url")
    set_pairs(bitext, "deu", "eng", [other])
    bitext.set_units(other, UNITS, null_share=0.0, mean_score=0.9)
    set_pairs(bitext, "deu", "ita", PAIRS)
    bitext.set_units(PAIRS[0], UNITS, null_share=0.0, mean_score=0.9)
    set_pairs(bitext, "deu", "ita", [PAIRS[1]])
    assert [one.pair for one in bitext.pairs("deu", "ita")] == [PAIRS[1]]
    assert list(bitext.units(PAIRS[0])) == []
    assert list(bitext.units(other)) == UNITS
    assert figures.count_pairs(index, "deu", "eng").units == 3
    assert figures.count_pairs(index, "deu", "ita").units == 0


def test_a_pair_that_stays_keeps_its_units(bitext: Bitext) -> None:
    """Pairing again does not throw away what was aligned."""
    set_pairs(bitext, "deu", "ita", PAIRS)
    bitext.set_units(PAIRS[0], UNITS, null_share=0.25, mean_score=0.6)
    surer = replace(PAIRS[0], probability=0.97, evidence="switcher")
    set_pairs(bitext, "deu", "ita", [PAIRS[1], surer])
    found = bitext.pairs("deu", "ita")
    assert [one.pair for one in found] == [PAIRS[1], surer]
    assert (found[1].null_share, found[1].mean_score) == (0.25, 0.6)
    assert list(bitext.units(surer)) == UNITS


def test_a_document_with_another_partner_loses_its_units(bitext: Bitext) -> None:
    set_pairs(bitext, "deu", "ita", PAIRS)
    bitext.set_units(PAIRS[0], UNITS, null_share=0.25, mean_score=0.6)
    other = DocumentPair("d1", "i4", 0.9, "url")
    set_pairs(bitext, "deu", "ita", [other])
    (found,) = bitext.pairs("deu", "ita")
    assert (found.pair, found.mean_score) == (other, None)
    assert list(bitext.units(PAIRS[0])) == list(bitext.units(other)) == []


def test_pairs_of_near_duplicates_are_not_returned(
    bitext: Bitext, index: CorpusIndex
) -> None:
    set_pairs(bitext, "deu", "ita", PAIRS)
    index.set_duplicates({"d1": ("d2", "near_duplicate")})
    assert [one.pair for one in bitext.pairs("deu", "ita")] == [PAIRS[1], PAIRS[2]]


def test_evidence_and_scores_are_counted(bitext: Bitext, index: CorpusIndex) -> None:
    pairs = [*PAIRS, DocumentPair("d4", "i4", 0.86, "url")]
    set_pairs(bitext, "deu", "ita", pairs)
    bitext.set_units(PAIRS[0], UNITS, null_share=0.0, mean_score=0.6)
    assert figures.count_pairs(index, "deu", "ita").evidence == {
        "url": 2,
        "hreflang": 1,
        "structure": 1,
    }
    assert figures.score_histogram(index, 4) == [1, 0, 0, 2]


def test_pairs_are_counted_by_site_and_by_their_addresses(
    bitext: Bitext, index: CorpusIndex
) -> None:
    pairs = [
        replace(PAIRS[0], values=(("urls", 0.0),)),
        replace(PAIRS[1], values=(("urls", 0.95),)),
        DocumentPair("d4", "i4", 0.86, "urls"),
    ]
    set_pairs(bitext, "deu", "ita", pairs)
    ((site, number, others),) = figures.count_pairs_by_site(index)
    assert (site, number, others) == (*figures.list_sites(index), 3, 1)


def test_each_document_without_a_pair_has_one_reason(
    bitext: Bitext, index: CorpusIndex
) -> None:
    taken = DocumentPair("d1", "i4", 0.6, "url")
    bitext.set_alone(["deu", "ita"], {"d1": "no_text", "d4": "no_candidate"})
    set_pairs(bitext, "deu", "ita", PAIRS[:1], taken=[taken], not_parallel=PAIRS[1:2])
    set_pairs(bitext, "deu", "eng", [], taken=[DocumentPair("d2", "e1", 0.9, "url")])
    assert dict(index.rows("SELECT document, reason FROM unpaired")) == {
        "d2": "not_parallel",
        "d4": "no_candidate",
        "e1": "taken",
        "i2": "not_parallel",
        "i4": "taken",
    }
    assert figures.count_unpaired(index) == {
        "no_candidate": 1,
        "not_parallel": 2,
        "taken": 1,
    }
    bitext.set_alone(["ita"], {"i3": "no_text"})
    assert dict(index.rows("SELECT * FROM alone")) == {
        "d1": "no_text",
        "d4": "no_candidate",
        "i3": "no_text",
    }


def test_what_is_not_parallel_is_no_pair_and_stays_known(bitext: Bitext) -> None:
    set_pairs(bitext, "deu", "ita", PAIRS)
    bitext.set_units(PAIRS[1], UNITS, null_share=0.9, mean_score=0.2)
    set_pairs(bitext, "deu", "ita", [PAIRS[0]], not_parallel=[PAIRS[1]])
    assert [one.pair for one in bitext.pairs("deu", "ita")] == [PAIRS[0]]
    found = bitext.candidates("deu", "ita")
    assert [one.pair for one in found] == [PAIRS[1], PAIRS[0]]
    assert [one.state for one in found] == ["not_parallel", "pair"]
    assert found[0].mean_score == 0.2
    assert list(bitext.units(PAIRS[1])) == []


def test_figures_hold_until_the_next_crawl(bitext: Bitext, index: CorpusIndex) -> None:
    index.add_run({})
    set_pairs(bitext, "deu", "ita", PAIRS)
    bitext.set_units(PAIRS[0], UNITS, null_share=0.9, mean_score=0.2)
    set_pairs(bitext, "deu", "ita", PAIRS)
    assert bitext.figures("deu", "ita") == {("d1", "i1"): (0.9, 0.2, None)}
    index.add_run({})
    assert bitext.figures("deu", "ita") == {}


def test_candidates_keep_their_states_until_they_are_decided_on(bitext: Bitext) -> None:
    set_pairs(bitext, "deu", "ita", PAIRS[:1], not_parallel=PAIRS[1:2])
    bitext.set_units(PAIRS[0], UNITS, null_share=0.1, mean_score=0.9)
    bitext.set_candidates("deu", "ita", PAIRS)
    states = {one.pair.source: one.state for one in bitext.candidates("deu", "ita")}
    assert states == {"d1": "pair", "d2": "not_parallel", "d3": "taken"}
    assert list(bitext.units(PAIRS[0])) == UNITS
    bitext.set_candidates("deu", "ita", PAIRS[1:])
    assert bitext.pairs("deu", "ita") == []
    assert list(bitext.units(PAIRS[0])) == []


def test_losses_are_those_of_pairs_and_of_what_is_not_parallel(bitext: Bitext) -> None:
    set_pairs(bitext, "deu", "ita", PAIRS)
    losses = {"unaligned_source": 2, "unaligned_target": 0, "not_parallel": 3}
    for pair in PAIRS:
        bitext.set_units(pair, UNITS, null_share=0.1, mean_score=0.9, losses=losses)
    assert bitext.losses() == {"unaligned_source": 6}
    set_pairs(bitext, "deu", "ita", PAIRS[:1], not_parallel=PAIRS[1:2], taken=PAIRS[2:])
    assert bitext.losses() == {"unaligned_source": 4, "not_parallel": 3}
