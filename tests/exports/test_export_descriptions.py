"""Descriptions of exports: of a pair of pages, of a memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from small_corpus import SmallCorpus

from ilspfc.corpus.records import PairEntry
from ilspfc.documents import DocumentPair, PairState
from ilspfc.exports.formats.tmx import make_header
from ilspfc.exports.selection import SelectionCounts
from ilspfc.exports.units import NO_ORIGIN, AlignedPages, PairOfPages, make_origin


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    corpus = SmallCorpus(tmp_path)
    corpus.add("d1", "deu", ["Das Feuer."], license_id="CC0-1.0")
    corpus.add("d2", "deu", ["Der Helm."])
    corpus.add("i1", "ita", ["Il fuoco."], license_id="CC-BY-4.0")
    return corpus


@pytest.fixture
def pair(corpus: SmallCorpus) -> PairEntry:
    pair = DocumentPair("d1", "i1", 0.9, "url", 0.5)
    with corpus.open() as opened:
        opened.bitext.set_states("deu", "ita", {pair: PairState.PAIR})
        source, target = (opened.index.document(name) for name in ("d1", "i1"))
    assert source is not None
    assert target is not None
    source = replace(
        source,
        optouts="robots=ai\ntdm=1",
        fetched_at="2026-01-31T10:00:00+00:00",
        license="http://license",
    )
    return PairEntry(pair, source, target, null_share=None, mean_score=None)


def test_units_have_the_day_and_signals_of_their_pages(pair: PairEntry) -> None:
    origin = make_origin(pair, "bees")
    assert origin.source.url == "http://a.org/d1"
    assert origin.source.fetched_at == "2026-01-31"
    assert origin.source.optouts == ("robots=ai", "tdm=1")
    assert origin.source.license == "http://license"
    assert origin.target.optouts == ()
    assert (origin.probability, origin.evidence) == (0.9, "url")
    assert origin.domain == "bees"


def test_files_of_a_pair_are_named_by_pages_and_evidence(pair: PairEntry) -> None:
    def align() -> AlignedPages:
        raise AssertionError("sentences are aligned on demand alone")

    assert PairOfPages(pair, NO_ORIGIN, [], align).name == "d1_i1_url"


def test_a_header_has_the_counts_of_what_stays() -> None:
    counts = SelectionCounts(3, (10, 11), (7, 8), mean_score=0.5, std_score=0.1)
    created = datetime(2026, 1, 31, tzinfo=UTC)
    header = make_header(("deu", "ita"), created, "text", counts)
    assert (header.source_words, header.target_words) == (10, 11)
    assert (header.source_unique_words, header.target_unique_words) == (7, 8)
    assert (header.units, header.mean_score, header.std_score) == (3, 0.5, 0.1)
