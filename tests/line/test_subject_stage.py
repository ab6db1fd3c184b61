"""Documents off the subject: put apart, no pairs, and back with another bound."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_corpus import SmallCorpus

from ilspfc.corpus import counts
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.records import LinkEntry
from ilspfc.documents import DocumentPair, Page, PairState
from ilspfc.line.decisions import run_decisions
from ilspfc.line.dedup import run_dedup
from ilspfc.line.report import collect_report

ON, NEAR, OFF = "d1", "d2", "d3"
# Terms by thousand tokens: the second and third have as many, and other neighbors.
RELEVANCE = {ON: 2000.0, NEAR: 200.0, OFF: 200.0, "i1": 2000.0, "i3": 200.0}


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    corpus = SmallCorpus(tmp_path)
    links = {ON: [NEAR], NEAR: [ON], OFF: ["x1", "x2", "x3"]}
    for name, relevance in RELEVANCE.items():
        corpus.add(
            name,
            "deu" if name[0] == "d" else "ita",
            [f"{name} Text"],
            relevance=relevance,
            links=[LinkEntry(target) for target in links.get(name, ())],
            tokens=1000,
        )
    with CorpusIndex(corpus.files.index) as index:
        index.add_run({"langs": ["deu", "ita"], "domain_unit": 20.0})
        for name in ("x1", "x2", "x3"):
            page = Page(
                url=f"http://a.org/{name}",
                id=name,
                fetched_at="",
                depth=1,
                drop="classification/off_topic",
            )
            index.add_page(page, "a.org")
    with corpus.open() as opened:
        pairs = [
            DocumentPair(ON, "i1", 0.9, "url"),
            DocumentPair(OFF, "i3", 0.9, "url"),
        ]
        opened.bitext.set_candidates("deu", "ita", pairs)
    return corpus


def decide(corpus: SmallCorpus, **settings: object) -> set[str]:
    """Run the decisions; return the names of the files in off-topic/."""
    with corpus.open(**settings) as opened:
        run_decisions(opened)
    apart = {path.stem.split("-")[1] for path in corpus.files.off_topic.glob("*")}
    there = {path.stem.split("-")[1] for path in corpus.files.documents.glob("*")}
    assert apart | there == RELEVANCE.keys()
    assert not apart & there
    return apart


def test_documents_off_the_subject_are_put_apart_with_their_translations(
    corpus: SmallCorpus,
) -> None:
    assert decide(corpus) == {OFF, "i3"}
    with corpus.open() as opened:
        assert {entry.id for entry in opened.index.documents()} == {ON, NEAR, "i1"}
        pairs = opened.bitext.candidates("deu", "ita")
        assert {entry.pair.source: entry.state for entry in pairs} == {
            ON: PairState.PAIR,
            OFF: PairState.OFF_TOPIC,
        }
        apart = opened.index.document(OFF)
        assert apart is not None
        assert apart.path == f"off-topic/deu-{OFF}.xml"
        assert opened.path_of(apart).exists()
        assert counts.count_drops(opened.index)["decisions/off_topic"] == 2
        samples = counts.sample_drops(opened.index, 5)["decisions/off_topic"]
        assert samples == ("http://a.org/d3", "http://a.org/i3")
        report = collect_report(opened)
        assert report.document_count == 3
        assert next(row.documents for row in report.subject) == 5
        (chosen,) = (row for row in report.subject if row.is_set)
        assert (chosen.bound, chosen.documents) == (0.3, 3)


def test_a_second_run_decides_the_same_and_another_bound_otherwise(
    corpus: SmallCorpus,
) -> None:
    first = decide(corpus)
    with corpus.open() as opened:
        run_dedup(opened)
    assert decide(corpus) == first
    assert decide(corpus, DECISIONS_MIN_RELEVANCE=0) == set()
    assert decide(corpus, DECISIONS_MIN_RELEVANCE=1.0) == RELEVANCE.keys()
    assert decide(corpus, CLASSIFICATION_DECIDES_BY="terms") == set()


def test_a_new_text_is_judged_anew(corpus: SmallCorpus) -> None:
    decide(corpus)
    corpus.add(OFF, "deu", ["neu"], relevance=4000.0, tokens=1000)
    corpus.add("i3", "ita", ["nuovo"], relevance=4000.0, tokens=1000)
    with corpus.open() as opened:
        run_dedup(opened)
    assert decide(corpus) == set()
    assert b"neu" in (corpus.files.documents / f"deu-{OFF}.xml").read_bytes()


def test_without_a_domain_of_terms_nothing_is_decided(corpus: SmallCorpus) -> None:
    with CorpusIndex(corpus.files.index) as index:
        index.add_run({"langs": ["deu", "ita"]})
    assert decide(corpus) == set()
    with corpus.open() as opened:
        assert counts.subject_probabilities(opened.index) == []
