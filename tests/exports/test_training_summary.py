"""The summary of training content: the template's headings, and what a corpus knows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from small_corpus import SmallCorpus

from ilspfc.corpus.index import CorpusIndex
from ilspfc.exports.corpus_files import run_exports
from ilspfc.exports.registry import iter_export_files

HEADINGS = (
    *("1", "1.1", "1.2", "1.3", "2", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6"),
    *("3", "3.1", "3.2", "3.3"),
)


def write(corpus: SmallCorpus, **settings: object) -> str:
    with corpus.open(EXPORTS_FORMATS="training-summary", **settings) as opened:
        run_exports(opened)
        (listed,) = iter_export_files(opened)
    return listed[0].read_text("utf-8")


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    return SmallCorpus(tmp_path)


def test_the_headings_are_those_of_the_template(corpus: SmallCorpus) -> None:
    text = write(corpus)
    assert tuple(re.findall(r"^#+ ([\d.]+)\. ", text, re.MULTILINE)) == HEADINGS
    assert "Period of data collection: unknown to unknown" in text
    assert "Languages: none" in text


def test_the_summary_tells_what_a_corpus_knows(corpus: SmallCorpus) -> None:
    corpus.add("d1", "deu", ["Das ist ein Satz."], tokens=3000, license_id="CC-BY-4.0")
    corpus.add("i1", "ita", ["Questa frase."], tokens=1000)
    with CorpusIndex(corpus.files.index) as index, index.transaction() as connection:
        connection.execute(
            "UPDATE documents SET fetched_at = '2026-0' || (tokens / 1000) || '-01T00:00:00'"
        )
        connection.execute("UPDATE documents SET site = 'b.org' WHERE id = 'i1'")
        index.add_run(
            {
                "langs": ["deu", "ita"],
                "domain": "fire",
                "settings": {"OPTOUT_POLICY": "record", "ROBOTSTXT_OBEY": "False"},
            }
        )
    lines = write(corpus, FETCH_CONTACT="me@example.org").splitlines()
    for line in (
        "- Modality: text, 4,000 tokens",
        "  - German: 3000",
        "- Latest date of data acquisition: 03/2026",
        "- Crawler: ilspfc me@example.org",
        "- Purpose: texts on fire, for language resources",
        "- Period of data collection: 01/2026 to 03/2026",
        "  - CC-BY-4.0: 1",
        "- Domain names: 2; the tenth with the largest texts, by share of the tokens:",
        "  - a.org: 75.0%",
        "- Opt-out policy of the crawl: record; pages whose owner reserves mining: 0",
        "- Pages by signal: none",
    ):
        assert line in lines
    assert "  - b.org: 25.0%" not in lines
    assert any("ROBOTSTXT_OBEY=False" in line for line in lines)
