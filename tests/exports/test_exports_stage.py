"""Exports of a corpus by the presets, and what the report says of these."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from lxml import etree
from pyarrow.json import read_json
from small_corpus import SmallCorpus

from ilspfc.corpus.index import CorpusIndex
from ilspfc.documents import DocumentPair, PairState, TranslationUnit
from ilspfc.exceptions import SettingError
from ilspfc.exports import read_tmx
from ilspfc.exports.corpus_files import run_exports
from ilspfc.exports.registry import iter_export_files
from ilspfc.line.report import run_report
from ilspfc.line.units import run_units
from ilspfc.report.data import PresetCount

PAIR = DocumentPair("d1", "i1", 0.9, "url", 0.5)
GOOD = TranslationUnit(
    "Das Feuer ist sehr gefährlich.", "Il fuoco è molto pericoloso.", "1:1", 0.9
)
LOW = TranslationUnit("Eins. Zwei. Drei. Vier. Fünf.", "Questo è altro.", "5:1", 0.11)


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    corpus = SmallCorpus(tmp_path)
    corpus.add("d1", "deu", [GOOD.source, LOW.source])
    corpus.add("i1", "ita", [GOOD.target, LOW.target])
    with corpus.open() as opened:
        opened.bitext.set_states("deu", "ita", {PAIR: PairState.PAIR})
        # A page most of which found no partner.
        opened.bitext.set_units(PAIR, [GOOD, LOW], null_share=0.7, mean_score=0.5)
    return corpus


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ({}, [GOOD]),
        ({"EXPORTS_MIN_SCORE": 0.1}, [GOOD, LOW]),
        ({"EXPORTS_FILTERS": "quality=annotate"}, [GOOD, LOW]),
        ({"EXPORTS_PRESET": "off"}, [GOOD, LOW]),
        # The only neighbor of the good unit is the bad one.
        ({"EXPORTS_PRESET": "clean"}, []),
        ({"EXPORTS_PRESET": "clean", "EXPORTS_FILTERS": "unaligned=off"}, [GOOD]),
    ],
)
def test_units_of_a_preset(
    settings: dict[str, object], kept: list[TranslationUnit], corpus: SmallCorpus
) -> None:
    with corpus.open(**settings) as opened:
        run_units(opened)
        run_exports(opened)
    units = list(read_tmx(corpus.files.root / "de-it.tmx"))
    assert [unit.source for unit in units] == [unit.source for unit in kept]


def test_the_report_has_what_each_preset_keeps(corpus: SmallCorpus) -> None:
    with corpus.open() as opened:
        run_units(opened)
        run_exports(opened)
        data = run_report(opened)
    (sample,) = data.pair_samples
    kept = {GOOD: ("annotate", "off"), LOW: ("off",)}
    assert sample.unit is not None
    assert sample.presets == kept[sample.unit]
    found = [(preset.name, preset.units) for preset in data.presets]
    assert found == [("annotate", 1), ("clean", 0), ("off", 2)]
    score = sample.unit.score
    assert data.presets[-1] == PresetCount("off", 2, 1, score)
    assert data.presets[1] == PresetCount("clean", 0, 0, 0)
    page = corpus.files.report.read_text("utf-8")
    assert "1:1; annotate, off" in page or "5:1; off" in page


def test_licensed_pages_alone_are_exported(corpus: SmallCorpus) -> None:
    settings = {"EXPORTS_LICENSED": True, "EXPORTS_FORMATS": "tmx,text"}
    corpus.add("i1", "ita", [GOOD.target, LOW.target], license_id="CC-BY-4.0")
    with corpus.open(**settings) as opened:
        run_units(opened)
        run_exports(opened)
        drops = dict(opened.index.rows("SELECT reason, number FROM drops"))
    assert list(read_tmx(corpus.files.root / "de-it.tmx")) == []
    # Two units of the pair, one document's text.
    assert drops["unlicensed"] == 3
    assert (corpus.files.texts / "it.txt").read_text("utf-8").startswith("Il fuoco")
    assert (corpus.files.texts / "de.txt").read_text("utf-8") == ""
    corpus.add("d1", "deu", [GOOD.source, LOW.source], license_id="CC-BY-4.0")
    with corpus.open(**settings) as opened:
        run_units(opened)
        run_exports(opened)
    units = read_tmx(corpus.files.root / "de-it.tmx")
    assert [unit.source for unit in units] == [GOOD.source]


def test_metadata_stand_beside_the_exports(corpus: SmallCorpus) -> None:
    corpus.add("i1", "ita", [GOOD.target, LOW.target], license_id="CC-BY-4.0")
    topic = {"title": "Fire", "description": "On fires.", "author": "A. Muster"}
    days = {"started": "2026-03-01T10:00:00", "finished": "2026-03-02T10:00:00"}
    with CorpusIndex(corpus.files.index) as index:
        index.add_run({"langs": ["deu", "ita"], "topic": topic, **days})
    settings = {"EXPORTS_FORMATS": "metadata,text", "FETCH_CONTACT": "me@example.org"}
    with corpus.open(**settings) as opened:
        run_units(opened)
        run_exports(opened)
    texts = {
        etree.QName(one).localname: one.text
        for one in etree.parse(corpus.files.root / "de-it.md.xml").iter()
    }
    assert texts["resourceName"] == "Fire: German and Italian"
    assert (texts["description"], texts["surname"]) == ("On fires.", "A. Muster")
    assert (texts["licence"], texts["email"]) == ("CC-BY-4.0", "me@example.org")
    assert texts["metadataCreationDate"] == "2026-03-02"
    root = etree.parse(corpus.files.root / "de-it.md.xml").getroot()
    sizes = root.xpath("//*[local-name() = 'sizeInfo']/*/text()")
    # The unit that the preset drops is not counted; words are those of both sides.
    assert sizes == ["2", "texts", "1", "translationUnits", "10", "words"]
    text = (corpus.files.texts / "de.md.xml").read_text("utf-8")
    assert "<lingualityType>monolingual</lingualityType>" in text
    assert "multilingualityType" not in text


def test_pairs_by_some_kinds_of_evidence_are_exported(corpus: SmallCorpus) -> None:
    pair = replace(PAIR, evidence="urls")
    with corpus.open(EXPORTS_EVIDENCE="urls") as opened:
        run_units(opened)
        run_exports(opened)  # of another kind
        assert list(read_tmx(corpus.files.root / "de-it.tmx")) == []
        drops = dict(opened.index.rows("SELECT reason, number FROM drops"))
        assert drops["other_evidence"] == 2
        opened.bitext.set_states("deu", "ita", {pair: PairState.PAIR})
        run_units(opened)
        run_exports(opened)
        assert len(list(read_tmx(corpus.files.root / "de-it.tmx"))) == 1
    wrong = SettingError, "no such kind of evidence: 'url'; the nearest is urls; known"
    with (
        corpus.open(EXPORTS_EVIDENCE="urls,url") as opened,
        pytest.raises(wrong[0], match=wrong[1]),
    ):
        run_exports(opened)


def test_page_pairs_have_the_layout_of_dochplt(corpus: SmallCorpus) -> None:
    with corpus.open(EXPORTS_FORMATS="pages") as opened:
        run_units(opened)
        run_exports(opened)
        listed = [path.name for path, _ in iter_export_files(opened)]
    assert listed == ["de-it.pages.jsonl"]
    (line,) = (corpus.files.root / listed[0]).read_text("utf-8").splitlines()
    record = json.loads(line)
    assert record["lang_pair"] == "de-it"
    assert [record["src_doc_id"], record["tgt_doc_id"]] == ["d1", "i1"]
    numbers = ["Eins.", "Zwei.", "Drei.", "Vier.", "Fünf."]
    assert record["src_doc"] == {
        "ids": ["1.1", *(f"2.{n}" for n in range(1, 6))],
        "sentences": [GOOD.source, *numbers],
    }
    assert record["tgt_doc"]["sentences"] == [GOOD.target, LOW.target]
    # The second unit has too low a score: its sentences are there without a link.
    link = {"src": ["1.1"], "tgt": ["1.1"], "aligner-score": 0.9}
    assert record["alignment"] == [link]
    assert (record["pair_evidence"], "url" in record["source_page"]) == ("url", True)
    # The columns of the dataset, with their types.
    table = read_json(corpus.files.root / listed[0])
    types = {name: str(table.schema.field(name).type) for name in table.column_names}
    assert types["src_doc_id"] == types["tgt_doc_id"] == types["lang_pair"] == "string"
    document = "struct<ids: list<item: string>, sentences: list<item: string>>"
    assert types["src_doc"] == types["tgt_doc"] == document
    columns = "src: list<item: string>, tgt: list<item: string>, aligner-score: double"
    assert types["alignment"] == f"list<item: struct<{columns}>>"


@pytest.mark.parametrize(
    ("treatment", "units", "text"),
    [
        ("keep", ["Mail an a@b.org geht schnell."], "Mail an a@b.org geht schnell."),
        ("count", ["Mail an a@b.org geht schnell."], "Mail an a@b.org geht schnell."),
        ("mask", ["Mail an [EMAIL] geht schnell."], "Mail an [EMAIL] geht schnell."),
        ("drop", [], ""),
    ],
)
def test_personal_data_in_exports(
    treatment: str, units: list[str], text: str, tmp_path: Path
) -> None:
    corpus = SmallCorpus(tmp_path)
    unit = TranslationUnit(
        "Mail an a@b.org geht schnell.", "La posta per a@b.org va veloce.", "1:1", 0.9
    )
    corpus.add("d1", "deu", [unit.source])
    corpus.add("i1", "ita", [unit.target])
    formats = "tmx,pages,texts,text"
    settings = {"EXPORTS_PERSONAL_DATA": treatment, "EXPORTS_FORMATS": formats}
    with corpus.open(**settings) as opened:
        opened.bitext.set_states("deu", "ita", {PAIR: PairState.PAIR})
        opened.bitext.set_units(PAIR, [unit], null_share=0, mean_score=0.9)
        run_units(opened)
        run_exports(opened)
        drops = dict(opened.index.rows("SELECT reason, number FROM drops"))
        stats = opened.run["stats"]
    root = corpus.files.root
    assert [one.source for one in read_tmx(root / "de-it.tmx")] == units
    assert (root / "plain" / "deu-d1.txt").read_text("utf-8").strip() == text
    lines = (corpus.files.texts / "de.txt").read_text("utf-8")
    assert lines.partition("\t")[0].strip() == text
    assert drops.get("personal_data", 0) == (treatment == "drop")
    has_counts = "exports/personal_data/email" in stats
    assert has_counts is (treatment != "keep")
    pages = (root / "de-it.pages.jsonl").read_text("utf-8")
    assert ("a@b.org" in pages) is (treatment in {"keep", "count"})


def test_documents_and_tables_are_written_and_replaced(corpus: SmallCorpus) -> None:
    formats = "texts,vertical,tei,xlsx,parquet"
    stale = corpus.files.root / "tei" / "deu-gone.xml"
    stale.parent.mkdir()
    stale.touch()
    with corpus.open(EXPORTS_FORMATS=formats, EXPORTS_MIN_SCORE=0) as opened:
        run_units(opened)
        run_exports(opened)
        listed = [path.name for path, _ in iter_export_files(opened)]
    root = corpus.files.root
    assert sorted(path.suffix for path in (root / "tei").iterdir()) == [".xml"] * 2
    (german,) = (root / "plain").glob("deu-*.txt")
    assert german.read_text("utf-8") == f"{GOOD.source}\n{LOW.source}\n"
    assert "Feuer" in (root / "vertical" / "de.vert").read_text("utf-8").splitlines()
    assert pq.read_table(root / "de-it.parquet").num_rows == 2
    expected = {"plain", "vertical", "tei", "de-it.xlsx", "de-it.parquet"}
    assert expected <= set(listed)
    assert not stale.exists()


def test_the_report_shows_the_units_that_teach_the_most(corpus: SmallCorpus) -> None:
    with corpus.open() as opened:
        run_units(opened)
        run_exports(opened)
        data = run_report(opened)
    groups = {group.title: group for group in data.unit_groups}
    lowest = groups["The lowest scores"]
    assert [one.unit for one in lowest.units] == [LOW, GOOD]
    assert lowest.units[0].langs == ("deu", "ita")
    dropped = next(group for group in data.unit_groups if group.dropped)
    assert "score" in dropped.title
    assert [one.unit for one in dropped.units] == [LOW]
    page = corpus.files.report.read_text("utf-8")
    assert "Units to look at" in page
    assert LOW.target in page


def test_what_was_written_is_listed_with_units_and_preset(corpus: SmallCorpus) -> None:
    with corpus.open(EXPORTS_FORMATS="tmx,cesalign") as opened:
        run_units(opened)
        run_exports(opened)
    root, settings = corpus.files.root, {"EXPORTS_PRESET": "off"}
    with corpus.open(EXPORTS_FORMATS="jsonl,text,links", **settings) as opened:
        run_units(opened)
        run_exports(opened)
        assert opened.run["written"] == [
            f"{root}/texts: monolingual text, deduplicated; 2 documents",
            f"{root}/de-it.jsonl: units as JSON Lines, de and it; 2 units, preset off",
            "links: no file: the corpus has nothing for it",
        ]
    # Which file is of which preset is known later, too.
    with corpus.open() as opened:
        notes = {path.name: text for path, text in iter_export_files(opened)}
    assert notes["de-it.tmx"].endswith("; 1 unit, preset annotate")
    assert notes["cesalign"].endswith("; 1 file, 1 unit, preset annotate")
    assert notes["de-it.jsonl"].endswith("; 2 units, preset off")
    assert '<prop type="preset">annotate</prop>' in (root / "de-it.tmx").read_text()


def test_exports_into_another_folder_leave_those_of_the_corpus(
    corpus: SmallCorpus, tmp_path: Path
) -> None:
    settings = {"EXPORTS_FORMATS": "tmx,pair-tmx,cesalign,metadata,text"}
    with corpus.open(**settings) as opened:
        run_units(opened)
        run_exports(opened)
    root = corpus.files.root
    before = {path: path.read_bytes() for path in root.rglob("*.tmx")}
    drops = "SELECT * FROM drops"
    out = tmp_path / "out" / "clean"
    (out / "texts").mkdir(parents=True)
    (out / "texts" / "mine.txt").write_text("mine")
    with corpus.open(**settings, EXPORTS_FILTERS="quality=annotate") as opened:
        lost = list(opened.index.rows(drops))
        run_exports(replace(opened, out=out))
        assert list(opened.index.rows(drops)) == lost
        assert any("/de-it.md.xml: metadata" in line for line in opened.run["written"])
    assert {path: path.read_bytes() for path in before} == before
    assert len(list(read_tmx(out / "de-it.tmx"))) == 2
    assert "annotate,quality=annotate" in (out / "de-it.tmx").read_text("utf-8")
    assert (out / "texts" / "mine.txt").exists()
    (aligned,) = (out / "cesalign").iterdir()
    places = [one.get("trans.loc") for one in etree.parse(aligned).iter()]
    assert len(list(filter(None, places))) == 2
    for place in filter(None, places):
        assert (aligned.parent / str(place)).is_file(), place
