"""Two corpora side by side: what only one of them has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small_corpus import SmallCorpus

from ilspfc.corpus.reading import encode_reading
from ilspfc.documents import (
    Document,
    DocumentPair,
    PairState,
    Paragraph,
    TranslationUnit,
)
from ilspfc.judging.samples import Size, compare_precision, draw_items
from ilspfc.judging.store import Item, JudgingStore
from ilspfc.line.compare import CorpusContents, Difference, compare, compare_settings

if TYPE_CHECKING:
    from conftest import Project


UNITS = [
    TranslationUnit("Die Bienen fliegen.", "Le api volano.", "1:1", 0.9),
    TranslationUnit("Und\nsie ruhen.", "E riposano.", "1:1", 0.8),
]


@pytest.fixture
def folders(tmp_path: Path) -> tuple[SmallCorpus, SmallCorpus]:
    made = SmallCorpus(tmp_path / "a"), SmallCorpus(tmp_path / "b")
    for number, corpus in enumerate(made):
        corpus.add("d1", "deu", ["Die Bienen fliegen."])
        corpus.add("i1", "ita", ["Le api volano."])
        corpus.add(f"d{number + 2}", "deu", ["Der Honig ist süß und gesund."])
        with corpus.open() as opened:
            pair = DocumentPair("d1", "i1", 0.9, "content")
            states = {pair: PairState.PAIR} if not number else {}
            opened.bitext.set_states("deu", "ita", states)
            if not number:
                opened.bitext.set_units(pair, UNITS, null_share=None, mean_score=None)
            opened.index.set_drops("dedup", {"near_duplicate": number + 4})
            opened.index.finish_run({"settings": {"X": number, "Y": 1}})
            paragraph = Paragraph(
                "Die Bienen fliegen.", topic=("Biene", f"Wort{number}")
            )
            document = Document("d1", "http://a.org/d1", [paragraph], lang="deu")
            opened.index.set_reading("d1", encode_reading(document))
    return made


def test_things_are_compared_by_address(
    folders: tuple[SmallCorpus, SmallCorpus],
) -> None:
    contents = []
    for corpus in folders:
        with corpus.open() as opened:
            contents.append(CorpusContents.of(opened))
    found = {one.name: one for one in compare(*contents)}
    base = "http://a.org/"
    assert found["Documents, German"] == Difference(
        "Documents, German", 2, 2, ((f"{base}d3",),), ((f"{base}d2",),)
    )
    assert found["Documents, Italian"][1:] == (1, 1, (), ())
    assert found["Pairs, German – Italian"].lost == ((f"{base}d1", f"{base}i1"),)
    units = found["Distinct units, German – Italian"]
    assert (units.first, units.second, len(units.lost), units.gained) == (2, 0, 2, ())
    assert found["dedup/near_duplicate"][1:3] == (4, 5)
    terms = found["Terms found, German"]
    assert terms[1:] == (2, 2, (("Wort1",),), (("Wort0",),))
    assert list(compare_settings(*contents)) == [("X", "0", "1")]


def test_the_command_prints_what_was_gained_and_lost(
    folders: tuple[SmallCorpus, SmallCorpus], project: Project
) -> None:
    names = [str(one.files.root) for one in folders]
    done = project.run("compare", *names, "--list")
    assert done.status == 0
    assert "+ Documents, German\thttp://a.org/d3" in done.stdout
    assert "- Pairs, German – Italian\thttp://a.org/d1\thttp://a.org/i1" in done.stdout
    assert (
        "- Distinct units, German – Italian\tUnd sie ruhen.\tE riposano." in done.stdout
    )
    assert "X: 0 -> 1" in done.stdout
    assert project.run("compare", names[0]).status == 2
    assert "no corpus" in project.run("compare", names[0], "/nowhere").error


def test_a_verdict_on_either_corpus_counts_for_both(
    folders: tuple[SmallCorpus, SmallCorpus], project: Project
) -> None:
    first, second = folders
    for corpus, verdicts in (
        (first, {"d1": "in", "d2": "out"}),
        (second, {"d1": "in", "d3": "in", "i1": "near"}),
    ):
        with JudgingStore(corpus.files.judging) as store:
            store.set_items("documents", [Item("documents", n, "de") for n in verdicts])
            rows = [(name, "domain", verdict) for name, verdict in verdicts.items()]
            store.add_verdicts("documents", "anna", rows)
    with first.open() as one, second.open() as other:
        (row,) = compare_precision([one, other])
    assert row[0] == "Documents, in"
    assert [share.partition(" % ")[0] for share in row[1:]] == ["33.3", "66.7"]
    assert all(share.endswith(", judged 3") for share in row[1:])
    done = project.run("compare", *(str(one.files.root) for one in folders))
    assert f"{row[0]}: {row[1]} -> {row[2]}" in done.stdout


def test_a_verdict_on_a_unit_counts_wherever_its_texts_are(
    folders: tuple[SmallCorpus, SmallCorpus],
) -> None:
    first, second = folders
    pair = DocumentPair("d1", "i1", 0.9, "content")
    with second.open() as opened:
        opened.bitext.set_states("deu", "ita", {pair: PairState.PAIR})
        opened.bitext.set_units(pair, UNITS[1:], null_share=None, mean_score=None)
    with JudgingStore(first.files.judging) as store, first.open() as opened:
        store.set_items("segments", draw_items(opened, "segments", Size()))
        verdicts = ((f"d1-i1-{n}", "unit", v) for n, v in enumerate(("wrong", "right")))
        store.add_verdicts("segments", "anna", verdicts)
    with first.open() as one, second.open() as other:
        (row,) = compare_precision([one, other])
    assert row[0] == "Segments, right"
    assert [share.partition(" % ")[0] for share in row[1:]] == ["50.0", "100.0"]
