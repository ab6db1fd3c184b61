"""Pairing and alignment over a corpus: states of documents, and what one tells the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from scrapy.settings import BaseSettings

from ilspfc import settings as defaults
from ilspfc.corpus import counts as figures
from ilspfc.corpus.corpus import Corpus, open_corpus
from ilspfc.corpus.xml import format_document
from ilspfc.decisions import pairs
from ilspfc.documents import Document, Link, Paragraph, ParagraphType
from ilspfc.exceptions import ArgumentError
from ilspfc.line import run_stage
from ilspfc.line.explain import explain
from ilspfc.upkeep.imports import make_corpus, scan_folder

NAMES = ("Anton", "Berta", "Caesar", "Dora", "Emil", "Friedrich", "Gustav", "Heinrich")
GERMAN = "Helm Lärm Staub Leiter Gerüst Brand Gas Strom Kran Lager".split()
ITALIAN = (
    "casco rumore polvere scala ponteggio incendio gas corrente gru deposito".split()
)

STAGES = {"dedup": "dedup", "pair": "pairing", "align": "alignment"}


def make_texts(page: int, words: Sequence[str], *, names: str = "") -> list[str]:
    """Return a title and ten sentences about numbered rules."""
    name = names or NAMES[page]
    title = f"{name} {page + 100}"
    return [title] + [
        f"{words[(page + n) % 10]} {words[(page * 3 + n * n) % 10]} {name} 20{page}{n}"
        f" {' '.join(words[(page + k * n) % 10] for k in range(3 + (n * 7 + page) % 6))}."
        for n in range(10)
    ]


class Folder:
    """A folder of cesDoc files, and the corpus that is made of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.source = root / "files"
        self.source.mkdir()

    def add(
        self,
        lang: str,
        name: str,
        texts: Sequence[str],
        *,
        site: str = "a",
        links: Sequence[Link] = (),
    ) -> None:
        paragraphs = [Paragraph(text) for text in texts]
        if paragraphs:
            paragraphs[0].type = ParagraphType.TITLE
        document = Document(
            "x", f"http://{site}.example/{name}", paragraphs, lang=lang, links=[*links]
        )
        data = format_document(document, links=True)
        (self.source / f"{lang}-{site}-{name}.xml").write_bytes(data)

    def add_pairs(self, number: int) -> None:
        for page in range(number):
            self.add("deu", f"d{page}", make_texts(page, GERMAN))
            self.add("ita", f"i{page}", make_texts(page, ITALIAN))

    def import_all(self) -> None:
        out = self.root / "out"
        make_corpus(scan_folder(self.source, out), out)

    def run(
        self,
        *stages: str,
        langs: tuple[str, ...] = ("deu", "ita"),
        said: Mapping[str, object] | None = None,
    ) -> None:
        """Run stages over the corpus, with settings that are said beside the defaults."""
        values = {k: v for k, v in vars(defaults).items() if k.isupper()}
        settings = BaseSettings({**values, **(said or {})})
        with open_corpus(self.root / "out", settings) as opened:
            corpus: Corpus = replace(opened, run={**opened.run, "langs": langs})
            for stage in stages:
                run_stage(STAGES[stage], corpus)
            self.drops = {
                code.partition("/")[2]: number
                for code, number in figures.count_drops(corpus.index).items()
                if code.startswith("pairing/")
            }
            entries = corpus.index.documents(duplicates=True)
            urls = {entry.id: entry.url for entry in entries}
            ((self.counted,),) = corpus.index.rows("SELECT count(*) FROM pairs")
            rows = corpus.index.rows("SELECT document, reason FROM unpaired")
            self.reasons = {urls[i].split("/")[-1]: reason for i, reason in rows}

    def explain(self, name: str) -> list[str]:
        """Return what is said of the candidates of a page."""
        values = {k: v for k, v in vars(defaults).items() if k.isupper()}
        with open_corpus(self.root / "out", BaseSettings(values)) as corpus:
            return list(explain(corpus, f"http://a.example/{name}"))

    def read(self, langs: str = "de-it") -> list[dict[str, str]]:
        """Return the list of pairs; of URLs the names alone."""
        text = (self.root / "out" / "pairs" / f"{langs}.tsv").read_text("utf-8")
        head, *rows = [line.split("\t") for line in text.splitlines()]
        found = [dict(zip(head, row, strict=True)) for row in rows]
        for row in found:
            row |= {name: row[name].split("/")[-1] for name in ("url1", "url2")}
        return found

    def pairs(self) -> set[tuple[str, str]]:
        return {(r["url1"], r["url2"]) for r in self.read()}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


# -- states ------------------------------------------------------------------------------


def test_each_document_is_paired_or_has_a_reason(folder: Folder) -> None:
    folder.add_pairs(6)
    folder.add("deu", "blank", [" ", "\u00a0"])
    folder.add("ita", "nothing", [])
    folder.add("deu", "strange", ["Zwetschgenkuchen backt man so"], site="a")
    folder.import_all()
    folder.run("pair")
    assert folder.pairs() == {(f"d{n}", f"i{n}") for n in range(6)}
    assert folder.reasons.pop("strange") in {"no_candidate", "below_threshold"}
    assert folder.reasons == {"blank": "no_text", "nothing": "no_text"}
    assert sum(folder.drops.values()) == 3


@pytest.mark.parametrize(
    "method",
    ["combined", "ilsp-fc", "ets", "pwcc", "pwcc-paper", "urls", "declared"],
)
def test_documents_without_text_are_never_paired(folder: Folder, method: str) -> None:
    other = Link("http://a.example/it.html", "Italiano", hreflang="it")
    folder.add("deu", "de.html", [" "] * 5, links=[other])
    folder.add("ita", "it.html", ["\u200b \u00a0"] * 5)
    folder.import_all()
    folder.run("pair", said={"PAIRING_METHOD": method})
    assert folder.read() == []
    assert folder.reasons == {"de.html": "no_text", "it.html": "no_text"}


def test_a_corpus_whose_documents_are_in_one_language(folder: Folder) -> None:
    for page in range(3):
        folder.add("deu", f"d{page}", make_texts(page, GERMAN))
    folder.import_all()
    folder.run("pair", "align")
    assert folder.read() == []
    assert folder.drops == {"no_other_language": 3}


def test_a_site_without_the_other_language_is_not_compared(folder: Folder) -> None:
    folder.add_pairs(3)
    folder.add("deu", "alone", make_texts(7, GERMAN), site="b")
    folder.import_all()
    folder.run("pair")
    assert folder.reasons["alone"] == "no_other_language"


def test_numbers_of_sections_differ_between_editions(folder: Folder) -> None:
    for page in range(6):
        for lang, words, edition in (("deu", GERMAN, 0), ("ita", ITALIAN, 1)):
            title, *texts = make_texts(page, words, names="Regel")
            title = f"{10 + page + edition}.{22 + page + edition}. {title.split()[0]}"
            texts = [text.replace(f"20{page}", "20") for text in texts]
            folder.add(lang, f"{lang}{page}", [title, *texts, NAMES[page]])
    folder.import_all()
    folder.run("pair")
    assert {(a[-1], b[-1]) for a, b in folder.pairs()} == {(n, n) for n in "012345"}


def test_one_page_a_side_is_a_pair_or_told(folder: Folder) -> None:
    folder.add_pairs(1)
    folder.import_all()
    folder.run("pair", "align")
    if folder.pairs():
        assert folder.reasons == {}
    else:
        assert folder.reasons.keys() == {"d0", "i0"}


def test_methods_without_candidates_say_only_that_there_is_no_pair(
    folder: Folder,
) -> None:
    folder.add_pairs(3)
    folder.import_all()
    folder.run("pair", said={"PAIRING_METHOD": "declared"})
    assert folder.drops == {"unpaired": 6}


def test_what_comes_nearest_to_a_pair_is_said(folder: Folder) -> None:
    """There is nothing in the third language, but that is not why these have no pair."""
    folder.add_pairs(3)
    folder.import_all()
    langs = ("deu", "ita", "fra")
    folder.run("pair", langs=langs, said={"PAIRING_METHOD": "declared"})
    assert folder.drops == {"unpaired": 6}


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ({}, 7),
        ({"PAIRING_OPTIONS": "max_pairs=4"}, 4),
        ({"PAIRING_OPTIONS": "min_similarity=1.0"}, 1),
        # Each page has some 400 bytes of text.
        ({"PAIRING_OPTIONS": "min_bytes=2000"}, 0),
    ],
)
def test_ets_gives_as_many_pairs_as_asked_for(
    folder: Folder, said: Mapping[str, object], number: int
) -> None:
    folder.add_pairs(6)
    folder.add("deu", "d6", make_texts(6, GERMAN))
    folder.add("ita", "i6", make_texts(6, ITALIAN)[:6] + make_texts(7, ITALIAN)[6:])
    folder.import_all()
    folder.run("pair", said={"PAIRING_METHOD": "ets", **said})
    assert len(folder.pairs()) == number


def link_pages(folder: Folder) -> None:
    """Add pages of both languages that all link to a home page; the first links to another."""
    for lang, words, name in (("deu", GERMAN, "d"), ("ita", ITALIAN, "i")):
        folder.add(lang, f"{name}home", make_texts(6, words))
        for page in range(4):
            targets = [f"{name}home", *([f"{name}1"] if page == 0 else [])]
            links = [Link(f"http://a.example/{target}", "x") for target in targets]
            folder.add(lang, f"{name}{page}", make_texts(page, words), links=links)
    folder.import_all()


@pytest.mark.parametrize(
    "said",
    [
        {"PAIRING_OPTIONS": "alpha=0.1"},
        {"PAIRING_OPTIONS": "beta=0.1"},
        {"PAIRING_OPTIONS": "iterations=1"},
        {"PAIRING_OPTIONS": "weights=leave-out"},
    ],
)
def test_the_parameters_of_ets_are_settings(
    folder: Folder, said: Mapping[str, object]
) -> None:
    link_pages(folder)
    found = []
    for more in ({}, said):
        folder.run("pair", said={"PAIRING_METHOD": "ets", **more})
        found.append({r["url1"]: r["probability"] for r in folder.read()})
    assert found[0] != found[1]


def test_pairs_below_the_threshold_of_pwcc_are_not_kept(folder: Folder) -> None:
    folder.add_pairs(6)
    folder.import_all()
    folder.run("pair", said={"PAIRING_METHOD": "pwcc"})
    found = {r["url1"]: float(r["probability"]) for r in folder.read()}
    assert len(found) == 6
    bound = sorted(found.values())[3] - 0.00005
    said = {"PAIRING_METHOD": "pwcc", "PAIRING_OPTIONS": f"threshold={bound}"}
    folder.run("pair", said=said)
    kept = {row["url1"] for row in folder.read()}
    assert kept == {name for name, value in found.items() if value >= bound}
    assert 0 < len(kept) < 6


def test_pages_that_all_point_to_weigh_less_for_ets(folder: Folder) -> None:
    """Only d0 and i0 share more than the home page with each other."""
    link_pages(folder)
    found = []
    for weights in ("none", "weigh"):
        said = {"PAIRING_METHOD": "ets", "PAIRING_OPTIONS": f"weights={weights}"}
        folder.run("pair", said=said)
        found.append({r["url1"]: float(r["probability"]) for r in folder.read()})
    plain, weighted = found
    assert plain.keys() == weighted.keys()
    assert weighted["d2"] / weighted["d0"] < plain["d2"] / plain["d0"]


# -- duplicates --------------------------------------------------------------------------


def add_collections(folder: Folder) -> None:
    """Add two pages that hold those of the first two pairs."""
    for lang, name, words in (("deu", "dx", GERMAN), ("ita", "ix", ITALIAN)):
        texts = [text for page in (0, 1) for text in make_texts(page, words)]
        folder.add(lang, name, ["Ludwig 4711", *texts, f"{words[0]} Ludwig 1948"])


def list_files(folder: Folder) -> dict[str, set[str]]:
    """Return the folders of the files of each pair; all of them exist."""
    out = folder.root / "out"
    rows = folder.read()
    assert all((out / row[name]).is_file() for row in rows for name in FILES)
    return {row["url1"]: {row[name].split("/")[0] for name in FILES} for row in rows}


FILES = ("file1", "file2")


def test_what_repeats_other_pages_is_paired_no_more_and_they_are(
    folder: Folder,
) -> None:
    folder.add_pairs(6)
    add_collections(folder)
    folder.import_all()
    pairs = {(f"d{n}", f"i{n}") for n in range(6)}
    folder.run("dedup", "pair", "align")
    assert folder.pairs() == pairs
    assert folder.drops == {}, "dedup has counted it"
    assert all(found == {"xml"} for found in list_files(folder).values())
    assert len(list((folder.root / "out" / "duplicates").iterdir())) == 2

    folder.run("dedup", said={"DEDUP_THRESHOLD": 1.0})
    assert folder.pairs() == pairs
    folder.run("pair")
    assert folder.pairs() == pairs | {("dx", "ix")}


def test_parts_of_longer_pages_are_paired_wherever_dedup_puts_them(
    folder: Folder,
) -> None:
    folder.add_pairs(6)
    for lang, name, words in (("deu", "dx", GERMAN), ("ita", "ix", ITALIAN)):
        texts = [text for number in (0, 7) for text in make_texts(number, words)]
        folder.add(lang, name, texts)
    folder.add("deu", "part", make_texts(0, GERMAN)[:7])
    folder.import_all()
    pairs = {(f"d{n}", f"i{n}") for n in [*range(6), "x"]}
    folder.run("dedup", "pair", "align")
    assert folder.pairs() == pairs
    assert folder.reasons.keys() == {"part"}
    assert folder.drops == {}, "dedup has counted it"
    apart = {name for name, found in list_files(folder).items() if found != {"xml"}}
    assert apart == {"d0"}

    folder.run("dedup", said={"DEDUP_THRESHOLD": 1.0})
    assert folder.pairs() == pairs
    assert all(found == {"xml"} for found in list_files(folder).values())
    assert sum(folder.drops.values()) == 1
    folder.run("dedup")
    assert {name for name, found in list_files(folder).items() if found != {"xml"}} == {
        "d0"
    }


def test_what_dedup_puts_apart_is_in_no_pair_any_more(folder: Folder) -> None:
    folder.add_pairs(6)
    folder.add("deu", "dy", [*make_texts(2, GERMAN), "Helm Caesar 1848."])
    folder.import_all()
    folder.run("pair")
    assert ("d2", "i2") in folder.pairs()
    assert any("the pair" in line for line in folder.explain("d2"))
    for stages in (("dedup",), ("align",), ("pair",)):
        folder.run(*stages)
        assert ("dy", "i2") in folder.pairs(), "what was its rival"
        assert "d2" not in {a for a, _ in folder.pairs()}
        assert folder.counted == len(folder.pairs()) == 6
    with pytest.raises(ArgumentError, match=r"d2: a duplicate of http://a\.example/dy"):
        folder.explain("d2")


# -- strictness --------------------------------------------------------------------------


def test_a_margin_leaves_what_has_a_near_rival(folder: Folder) -> None:
    folder.add_pairs(6)
    folder.import_all()
    folder.run("pair")
    rows = {row["url1"]: float(row["margin"]) for row in folder.read()}
    # Written with four digits, compared with all of them.
    bound = sorted(rows.values())[3] - 0.00005
    folder.run("pair", said={"PAIRING_MIN_MARGIN": bound})
    kept = {row["url1"] for row in folder.read()}
    assert kept == {name for name, margin in rows.items() if margin >= bound}
    folder.run("pair", said={"PAIRING_MIN_MARGIN": 1})
    assert folder.read() == []
    assert set(folder.drops) == {"ambiguous"}


# -- what alignment tells ----------------------------------------------------------------


@pytest.fixture
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bound beyond the aligned share of the false pair, a fifth."""
    monkeypatch.setattr(pairs, "MIN_ALIGNED_SHARE", 0.4)


def add_false_pair(folder: Folder) -> None:
    """Add pages that declare each other and say different things, and a likely partner."""
    folder.add_pairs(6)
    other = Link("http://a.example/wrong", "Italiano", hreflang="it")
    folder.add("deu", "page", make_texts(6, GERMAN), links=[other])
    folder.add(
        "ita", "wrong", ["Altro", *(f"Frase contraria {n}." for n in "abcdefghi")]
    )
    folder.add("ita", "right", make_texts(6, ITALIAN))
    folder.import_all()


@pytest.mark.usefixtures("strict")
def test_pages_that_are_not_parallel_are_no_pair(folder: Folder) -> None:
    add_false_pair(folder)
    folder.run("pair")
    assert ("page", "wrong") in folder.pairs()
    assert {row["mean_score"] for row in folder.read()} == {""}

    folder.run("align")

    assert ("page", "wrong") not in folder.pairs()
    assert all(float(row["mean_score"]) >= 0.5 for row in folder.read())
    assert folder.reasons["wrong"] == "not_parallel"


def test_a_rival_takes_the_place_and_a_second_run_changes_nothing(
    folder: Folder,
) -> None:
    add_false_pair(folder)
    # What pages declare leaves little to their rivals.
    said = {"PAIRING_THRESHOLD": 0.1}
    folder.run("pair", said=said)
    assert ("page", "right") not in folder.pairs()
    folder.run("align", said=said)
    assert ("page", "right") in folder.pairs()
    assert folder.reasons == {"wrong": "taken"}
    first = folder.read()
    assert all(row["mean_score"] for row in first)
    for stages in (("pair",), ("align",), ("pair", "align")):
        folder.run(*stages, said=said)
        assert folder.read() == first


# -- order -------------------------------------------------------------------------------


def test_the_order_of_insertion_plays_no_part(tmp_path: Path) -> None:
    found = []
    for number in range(2):
        root = tmp_path / str(number)
        root.mkdir()
        folder = Folder(root)
        folder.add_pairs(6)
        paths = sorted(folder.source.iterdir(), reverse=bool(number))
        for place, path in enumerate(paths):
            path.rename(path.with_name(f"{place:02}.xml"))
        folder.import_all()
        folder.run("pair", "align")
        found.append((folder.root / "out" / "pairs" / "de-it.tsv").read_bytes())
    assert found[0] == found[1]
    assert len(found[0].splitlines()) == 7
