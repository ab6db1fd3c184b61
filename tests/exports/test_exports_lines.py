"""Exports of one unit a line, and monolingual text."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ilspfc.documents import Document, Paragraph
from ilspfc.exports import ExportUnit
from ilspfc.exports.formats.lines import (
    COLUMNS,
    JsonlWriter,
    MosesWriter,
    SampleWriter,
    TsvWriter,
)
from ilspfc.exports.formats.plain_text import TextWriter
from ilspfc.exports.units import PageOrigin, UnitOrigin
from ilspfc.exports.writers import find_files

ORIGIN = UnitOrigin(
    PageOrigin("http://a/de", "xml/deu-1.xml", "noise", "L", ("noai",), "2026-03-01"),
    PageOrigin("http://a/it"),
    probability=0.75,
    evidence="links",
    domain="safety",
)
UNITS = [
    ExportUnit("Ein\tSatz.\u2028 Zwei.", "Una frase.", "2:1", 0.5, ("a", "b"), ORIGIN),
    ExportUnit("天气", "Il tempo"),
]
SENTENCE = "Das ist hier ein ganzer Satz."


def test_moses_files_have_a_segment_a_line(tmp_path: Path) -> None:
    paths = tmp_path / "de-it.de", tmp_path / "de-it.it"
    with MosesWriter(*paths) as writer:
        for unit in UNITS:
            writer.write(unit)
    lines = [path.read_text("utf-8").split("\n") for path in paths]
    assert lines == [["Ein Satz. Zwei.", "天气", ""], ["Una frase.", "Il tempo", ""]]


def test_tsv_has_the_columns_of_the_older_tool_first(tmp_path: Path) -> None:
    path = tmp_path / "de-it.sent.gz"
    with TsvWriter(path) as writer:
        for unit in UNITS:
            writer.write(unit)
    lines = gzip.decompress(path.read_bytes()).decode().rstrip("\n").split("\n")
    rows = [line.split("\t") for line in lines]
    assert rows[0][:5] == [
        "src_url",
        "trg_url",
        "src_text",
        "trg_text",
        "aligner_score",
    ]
    assert {len(row) for row in rows} == {len(COLUMNS)}
    first = dict(zip(COLUMNS, rows[1], strict=True))
    assert first == {
        "src_url": "http://a/de",
        "trg_url": "http://a/it",
        "src_text": "Ein Satz. Zwei.",
        "trg_text": "Una frase.",
        "aligner_score": "0.5000",
        "length_ratio": "1.6000",
        "src_num_tokens": "3",
        "trg_num_tokens": "2",
        "type": "2:1",
        "pair_probability": "0.7500",
        "pair_evidence": "links",
        "domain": "safety",
        "src_license": "L",
        "trg_license": "",
        "src_optouts": "noai",
        "trg_optouts": "",
        "src_fetched": "2026-03-01",
        "trg_fetched": "",
        "info": "a | b",
        "scores": "",
    }


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝"])
def test_no_cell_is_a_formula(tmp_path: Path, sign: str) -> None:
    text, source = (
        f"{sign}cmd|' /C calc'!A0",
        PageOrigin("http://a/", license=f"{sign}1"),
    )
    unit = ExportUnit(text, text, score=-0.5, origin=UnitOrigin(source, source))
    with TsvWriter(tmp_path / "de-it.sent.gz") as writer:
        writer.write(unit)
    lines = gzip.decompress(writer.paths[0].read_bytes()).decode().split("\n")
    row = dict(zip(COLUMNS, lines[1].split("\t"), strict=True))
    assert row["src_text"] == row["trg_text"] == f" {text}"
    assert row["src_license"] == f" {sign}1"
    assert float(row["aligner_score"]) == -0.5
    written, _ = write(tmp_path / "de.txt", f"{sign} {SENTENCE}")
    assert written.startswith(f" {sign} {SENTENCE}\t")


def test_jsonl_leaves_out_what_is_unknown(tmp_path: Path) -> None:
    path = tmp_path / "de-it.jsonl"
    with JsonlWriter(path) as writer:
        for unit in UNITS:
            writer.write(unit)
    first, second = map(json.loads, path.read_text("utf-8").splitlines())
    assert second == {"source": "天气", "target": "Il tempo"}
    assert first["source"] == UNITS[0].source
    assert first["info"] == ["a", "b"]
    assert first["target_page"] == {"url": "http://a/it"}
    assert first["source_page"]["optouts"] == ["noai"]


def write(path: Path, *paragraphs: str) -> tuple[str, dict[str, int]]:
    texts = [Paragraph(text) for text in paragraphs]
    with TextWriter(path) as writer:
        writer.write(Document("1", "http://a/1", texts, lang="deu"))
    text = path.read_text("utf-8")
    assert writer.counts["exports/texts"] == text.count("\n")
    return text, writer.dropped


def test_a_line_of_text_has_its_page_and_file(tmp_path: Path) -> None:
    text, dropped = write(tmp_path / "de.txt", SENTENCE)
    assert (text, dropped) == (f"{SENTENCE}\thttp://a/1\tdeu-1.xml\n", {})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Nur vier Wörter hier.", "text_short"),
        ("1 2 3 4 5 6", "text_short"),
        (f"Ein Wort {'x' * 36} ist lang", "text_long_words"),
        (" ".join(["y" * 29] * 5), "text_long_words"),
        (f"{SENTENCE.upper()} 5", "text_duplicate"),
    ],
)
def test_what_is_hardly_text_is_dropped_for_a_reason(
    tmp_path: Path, text: str, reason: str
) -> None:
    _, dropped = write(tmp_path / "de.txt", SENTENCE, text)
    assert dropped == {reason: 1}


def test_files_of_an_export_are_found(tmp_path: Path) -> None:
    names = ["de-it.tmx", "de-it.tmx.gz", "de-it.001.tmx", "de-it.1000.tmx.gz"]
    others = ["de-it.jsonl", "de-it.txt", "xde-it.tmx", "de-it.tmx.bak", "de-itx.tmx"]
    for name in names + others:
        (tmp_path / name).touch()
    path = tmp_path / "de-it.tmx"
    assert [p.name for p in find_files(path)] == sorted(names)
    assert find_files(tmp_path / "de-it.tmx.gz") == find_files(path)
    assert find_files(tmp_path / "nowhere" / "a.tmx") == []


def test_a_sample_is_a_tenth_of_the_units(tmp_path: Path) -> None:
    path = tmp_path / "de-it.sample.tsv"
    units = [ExportUnit(f"Satz {n}", f"frase {n}", "1:1", 0.9) for n in range(1000)]
    drawn = []
    for order in (units, units[::-1]):
        with SampleWriter(len(units), path) as writer:
            for unit in order:
                writer.write(unit)
        header, *lines = path.read_text("utf-8").splitlines()
        assert header.split("\t")[2] == "src_text"
        drawn.append({line.split("\t")[2] for line in lines})
    assert 70 < len(drawn[0]) < 130
    assert drawn[0] == drawn[1]
    with SampleWriter(1_500_000, path) as writer:
        for unit in units:
            writer.write(unit)
    assert len(path.read_text("utf-8").splitlines()) < 10
