"""Samples of a corpus, by all languages, and the verdicts in the report."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_corpus import SmallCorpus

from ilspfc.commands.judging.judge import Command as Judge
from ilspfc.commands.judging.sample import Command as Sample
from ilspfc.documents import DocumentPair, PairState, TranslationUnit
from ilspfc.judging.questions import QUESTIONS
from ilspfc.judging.samples import Size, draw_items
from ilspfc.line.report import run_report


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    """Return a corpus of 30 pairs with two units each, the first of them with "Eins"."""
    corpus = SmallCorpus(tmp_path / "corpus")
    states = {}
    for n in range(30):
        corpus.add(f"d{n}", "deu", [f"Eins {n}.", "Zwei.", "Drei."])
        corpus.add(f"i{n}", "ita", [f"Uno {n}.", "Due."])
        states[DocumentPair(f"d{n}", f"i{n}", 0.5 + n / 100, "urls")] = PairState.PAIR
    with corpus.open() as opened:
        opened.bitext.set_states("deu", "ita", states)
        for n, pair in enumerate(states):
            units = [
                TranslationUnit(f"Eins {n}.", f"Uno {n}.", "1:1", 0.9),
                TranslationUnit("Zwei.", "Due.", "1:1", 0.8),
            ]
            opened.bitext.set_units(pair, units, null_share=0, mean_score=0.9)
    return corpus


@pytest.mark.parametrize(
    ("what", "groups"),
    [
        ("pairs", {"de-it": 12}),
        ("documents", {"de": 12, "it": 12}),
        ("segments", {"de-it": 12}),
        ("paragraphs", {"de": 12, "it": 12}),
    ],
)
def test_a_sample_has_so_many_of_each_group(
    what: str, groups: dict[str, int], corpus: SmallCorpus
) -> None:
    with corpus.open() as opened:
        items = draw_items(opened, what, Size(items=12))
        assert items == draw_items(opened, what, Size(items=12))
    found = [item.group for item in items]
    assert {group: found.count(group) for group in found} == groups
    assert len({item.name for item in items}) == len(items)
    assert all(item.texts.get("text", "x") for item in items)


def test_the_size_comes_from_confidence_and_margin(corpus: SmallCorpus) -> None:
    with corpus.open() as opened:
        assert len(draw_items(opened, "pairs", Size())) == 23
        assert len(draw_items(opened, "pairs", Size(margin=0.01))) == 30


def run(command: Sample | Judge, corpus: SmallCorpus, *args: object) -> int:
    with corpus.open() as opened:
        command.settings = opened.settings
    import argparse

    parser = argparse.ArgumentParser()
    command.add_options(parser)
    opts, rest = parser.parse_known_args([str(arg) for arg in args])
    command.run(rest, opts)
    return command.exitcode


def test_verdicts_come_into_the_report(
    corpus: SmallCorpus, capsys: pytest.CaptureFixture[str]
) -> None:
    root = corpus.files.root
    assert run(Judge(), corpus, root) == 2
    assert "no sample was drawn" in capsys.readouterr().err
    assert run(Sample(), corpus, root, "--what", "segments", "--size", 4) == 0
    sheet = root / "judging" / "segments.tsv"
    capsys.readouterr()
    assert run(Judge(), corpus, root, sheet) == 0
    printed = capsys.readouterr().out
    assert f"{sheet}: its verdicts are empty; fill in its columns (unit: ri" in printed
    assert f"{root}: no verdicts yet; fill in a sheet that" in printed
    lines = sheet.read_text("utf-8").splitlines()
    width = 1 + len(QUESTIONS["segments"])
    verdicts = ["", "right", "right", "w", "p"]
    filled = [lines[0]] + [
        "\t".join([line.split("\t")[0], verdict, "", *line.split("\t")[width:]])
        for line, verdict in zip(lines[1:], verdicts[1:], strict=True)
    ]
    other = root / "anna.tsv"
    other.write_text("\n".join(filled), encoding="utf-8")
    assert run(Judge(), corpus, root, other) == 0
    text = (root / "judging" / "tables.txt").read_text("utf-8")
    assert "Translation units (judged by anna)" in text
    assert "50.0 % (15.0 to 85.0)" in text
    with corpus.open() as opened:
        run_report(opened)
    page = corpus.files.report.read_text("utf-8")
    assert "50.0 % (15.0 to 85.0)" in page
    # The sheet of an earlier draw is told, and changes nothing.
    assert run(Sample(), corpus, root, "--what", "segments", "--size", 1) == 0
    capsys.readouterr()
    assert run(Judge(), corpus, root, other) == 2
    assert "is not in the sample of segments" in capsys.readouterr().err
