"""A bilingual crawl as a user runs it: what it says and every file that it leaves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from crawled_corpus import CESDOC, CrawledCorpus, paragraphs, props, read_unit
from lxml import etree
from test_documented_names import STAGES, is_documented

from ilspfc import __version__
from ilspfc.exports import validate_tmx

if TYPE_CHECKING:
    from conftest import Crawl, Site

PAIRS = {
    ("de/leitern.html", "it/scale.html"): "versions",
    ("de/laerm.html", "it/rumore.html"): "versions",
    ("de/handschuhe.html", "it/handschuhe.html"): "urls",
    ("de/index.html", "it/index.html"): "urls",
    ("de/staub.html", "it/polvere.html"): "images",
    ("de/feuer.html", "it/incendio.html"): "identical",
}
PAGES = {path for pair in PAIRS for path in pair} | {"de/stapler.html"}
LOST = {
    "": "language/too_short",
    "en/about.html": "language/other_language",
    "de/sommerfest.html": "classification/off_topic",
}
UNITS = {
    (
        "Kein Handschuh schützt jedoch vor allem zugleich.",
        "Nessun guanto protegge però da tutto allo stesso tempo.",
    ),
    (
        "Ab 85 Dezibel müssen alle Beschäftigten Gehörschutz tragen.",
        "Da 85 decibel tutti i lavoratori devono portare gli otoprotettori.",
    ),
    (
        "Gefegt wird nicht, denn der Besen wirbelt den Staub nur wieder auf.",
        "Non si usa la scopa, perché solleva soltanto di nuovo la polvere.",
    ),
    (
        "Jeder dritte Absturz in der Werkstatt beginnt auf einer Leiter.",
        "Una caduta su tre in officina comincia su una scala.",
    ),
    (
        "Danach legt er fest, wer bis wann welche Schutzmaßnahmen umsetzt.",
        "Poi stabilisce chi deve attuare quali misure di protezione ed entro quando.",
    ),
    ("Er ist nach zwölf Sekunden leer.", "Dopo dodici secondi è vuoto."),
}


@pytest.fixture(scope="module")
def corpus(bilingual_crawl: Crawl) -> CrawledCorpus:
    assert bilingual_crawl.result.status == 0, bilingual_crawl.result.stderr
    return CrawledCorpus(bilingual_crawl.corpus)


@pytest.fixture(scope="module")
def documents(corpus: CrawledCorpus) -> dict[str, etree._Element]:
    return corpus.documents()


def _text(document: etree._Element, path: str) -> str | None:
    return document.findtext("/".join(f"{CESDOC}{tag}" for tag in path.split("/")))


# -- what the user sees ------------------------------------------------------------------


def test_the_summary_has_the_counts(
    bilingual_crawl: Crawl, corpus: CrawledCorpus
) -> None:
    summary = bilingual_crawl.result.stdout
    assert "17 pages fetched" in summary
    assert "13 documents kept" in summary
    assert re.search(r"German \(deu\) +7 documents", summary)
    assert re.search(r"Italian \(ita\) +6 documents", summary)
    assert f"6 pairs  {corpus.stats['alignment/units']} translation units" in summary
    assert "all 1 reached" in summary
    assert "out/report.html" in summary


def test_progress_is_shown_in_plain_lines(bilingual_crawl: Crawl) -> None:
    stderr = bilingual_crawl.result.stderr
    assert "\r" not in stderr
    stages = (
        "removing near-duplicates|pairing documents|deciding text|aligning segments"
    )
    line = re.compile(
        r"\d+ pages? done, \d+ documents?, \d+ queued, \d+\.\d pages/s"
        rf"|(?:{stages})(?:: \d+ of \d+, .* left)?"
        r"|deciding pairs|judging units|writing exports|writing the report"
    )
    guard, *lines = stderr.splitlines()
    assert "GUARD_ALLOW=127.0.0.0/8" in guard
    assert [text for text in lines if not line.fullmatch(text)] == []
    assert len(lines) >= 3
    crawl = [text for text in lines if "queued" in text]
    assert crawl[-1].startswith("17 pages done, 14 documents, 0 queued")
    # At the end of the crawl, not at the next line of its stages.
    assert lines[len(crawl) - 1 : len(crawl) + 1] == [
        crawl[-1],
        "removing near-duplicates",
    ]


def test_the_counts_of_a_crawl_are_documented(corpus: CrawledCorpus) -> None:
    counts = [name for name in corpus.stats if name.split("/")[0] in STAGES]
    assert len(counts) >= 20
    assert [name for name in counts if not is_documented(name)] == []


def test_every_page_has_a_fate(corpus: CrawledCorpus) -> None:
    kept = dict.fromkeys([*PAGES, "de/druck/leitern.html"], "kept")
    assert corpus.fates() == kept | LOST


def test_robots_txt_is_obeyed(
    bilingual_crawl: Crawl, workshop: Site, corpus: CrawledCorpus
) -> None:
    assert workshop.requests[0] == "/robots.txt"
    assert "/intern/termine.html" not in workshop.requests
    assert corpus.drops()["fetch/robots"] == 1


# -- xml/ --------------------------------------------------------------------------------


def test_the_expected_pages_are_exported(
    documents: dict[str, etree._Element], corpus: CrawledCorpus
) -> None:
    assert documents.keys() == PAGES
    assert corpus.documents("duplicates").keys() == {"de/druck/leitern.html"}


def test_files_are_named_by_language_and_id(corpus: CrawledCorpus) -> None:
    names = [path.name for path in (corpus.root / "xml").iterdir()]
    assert [
        n for n in names if not re.fullmatch(r"(deu|ita)-[0-9a-f]{12}\.xml", n)
    ] == []
    assert sum(name.startswith("deu") for name in names) == 7


def test_the_header_describes_the_page(
    documents: dict[str, etree._Element], workshop: Site
) -> None:
    document = documents["it/incendio.html"]
    assert document.tag == f"{CESDOC}cesDoc"
    assert document.get("version") == "0.4"
    header = "cesHeader/fileDesc/sourceDesc/biblStruct/monogr"
    assert _text(document, f"{header}/title") == "Se scoppia un incendio in officina"
    assert _text(document, f"{header}/imprint/format") == "text/html"
    url = _text(document, f"{header}/imprint/eAddress")
    assert url == workshop.at("it/incendio.html")
    language = document.find(f".//{CESDOC}language")
    assert language is not None
    assert language.get("iso639") == "ita"
    text_class = "cesHeader/profileDesc/textClass"
    assert _text(document, f"{text_class}/domain") == "demo"
    assert _text(document, f"{text_class}/subdomain") == "emergency;general"
    domain = document.find(f".//{CESDOC}textClass/{CESDOC}domain")
    assert domain is not None
    assert 0 < float(domain.get("confidence", "0")) <= 1


def test_paragraphs_are_numbered_and_marked(
    documents: dict[str, etree._Element],
) -> None:
    document = documents["de/feuer.html"]
    found = paragraphs(document)
    ids = [attributes["id"] for attributes in found.values()]
    assert ids == [f"p{number}" for number in range(1, len(ids) + 1)]
    assert found["Stapler"]["crawlinfo"] == "boilerplate"
    assert found["Ratgeber Sichere Werkstatt"]["crawlinfo"] == "boilerplate"
    title = found["Wenn es in der Werkstatt brennt"]
    assert (title["type"], title.get("crawlinfo")) == ("title", None)
    heading = found["Im Notfall"]
    assert (heading["type"], heading.get("crawlinfo")) == ("heading", None)
    item = found["Menschen warnen und den Notruf 112 wählen."]
    assert (item["type"], item["topic"]) == ("listitem", "Notruf")
    assert list(item) == ["id", "type", "topic", "content"]


def test_a_paragraph_in_another_language_is_marked(
    documents: dict[str, etree._Element],
) -> None:
    found = paragraphs(documents["de/stapler.html"])
    marks = {
        text: attributes.get("crawlinfo")
        for text, attributes in found.items()
        if text.startswith(("Many drivers", "Nach einem Arbeitsunfall"))
    }
    assert list(marks.values()) == ["ooi-lang", None]


def test_text_is_whole_and_not_entity_encoded(
    documents: dict[str, etree._Element],
) -> None:
    found = paragraphs(documents["it/scale.html"])
    assert any(text.startswith("La scala d'appoggio ha la giusta") for text in found)
    assert any("è troppo corta" in text for text in found)


# -- pairs, cesAlign, TMX ----------------------------------------------------------------


def test_exactly_the_translations_are_paired(corpus: CrawledCorpus) -> None:
    assert corpus.paired_paths() == PAIRS


def test_pairs_name_files_and_probability(corpus: CrawledCorpus) -> None:
    rows = corpus.pairs()
    probabilities = [float(row["probability"]) for row in rows]
    assert probabilities == sorted(probabilities, reverse=True)
    assert all(0.5 <= probability <= 1 for probability in probabilities)
    for row in rows:
        for side in "12":
            root = etree.parse(corpus.root / row[f"file{side}"]).getroot()
            url = root.findtext(f".//{CESDOC}imprint/{CESDOC}eAddress")
            assert url == row[f"url{side}"]
            assert int(row[f"tokens{side}"]) > 80


def test_each_pair_has_a_cesalign_file(corpus: CrawledCorpus) -> None:
    folder = corpus.root / "cesalign"
    expected = {}
    for row in corpus.pairs():
        ids = [row[f"file{side}"][-16:-4] for side in "12"]
        name = "_".join([*ids, row["evidence"]])
        expected[f"{name}.xml"] = {row["file1"], row["file2"]}
    found = {}
    for file in folder.iterdir():
        root = etree.parse(file).getroot()
        assert root.tag == f"{CESDOC}cesAlign"
        places = [str(t.get("trans.loc")) for t in root.iter(f"{CESDOC}translation")]
        assert all((folder / place).is_file() for place in places)
        found[file.name] = {place.removeprefix("../") for place in places}
    assert found == expected


def test_the_tmx_is_valid(corpus: CrawledCorpus) -> None:
    validate_tmx(corpus.root / "de-it.tmx")
    header = corpus.tmx().find("header")
    assert header is not None
    assert header.get("srclang") == "de"
    assert header.get("creationtoolversion") == __version__
    described = props(header)
    assert (described["l1"], described["l2"]) == ("deu", "ita")
    assert described["domain"] == "demo"
    assert int(described["lengthInTUs"]) == len(corpus.units())
    assert float(described["mean aligner's score"]) > 0.5


def test_the_tmx_has_the_expected_units(corpus: CrawledCorpus) -> None:
    units = corpus.units()
    assert UNITS - set(units) == set()
    assert 50 <= len(units) <= 80


def test_units_have_their_properties(corpus: CrawledCorpus, workshop: Site) -> None:
    wanted = ("Er ist nach zwölf Sekunden leer.", "Dopo dodici secondi è vuoto.")
    found = [unit for unit in corpus.tmx().iter("tu") if read_unit(unit) == wanted]
    assert len(found) == 1
    described = props(found[0])
    assert described["type"] == "1:1"
    assert 0 < float(described["score"]) <= 1
    assert described["lengthRatio"] == f"{len(wanted[0]) / len(wanted[1]):.2f}"
    assert described["l1-url"] == workshop.at("de/feuer.html")
    assert described["l2-url"] == workshop.at("it/incendio.html")
    assert described["pair-evidence"] == "identical"
    assert 0.5 <= float(described["pair-probability"]) <= 1


def test_numbers_that_differ_are_remarked(corpus: CrawledCorpus) -> None:
    for unit in corpus.tmx().iter("tu"):
        texts = read_unit(unit)
        digits = [sorted(re.findall(r"\d", text)) for text in texts]
        remarks = props(unit).get("info", "")
        assert ("different numbers" in remarks) == (digits[0] != digits[1])


# -- report.html, stats.json, manifest.json ----------------------------------------------


def test_the_report_has_the_counts(corpus: CrawledCorpus, workshop: Site) -> None:
    text, stats = corpus.report_text(), corpus.stats
    for count in (
        "17 pages fetched",
        "13 documents",
        "6 document pairs",
        f"{stats['alignment/units']} translation units",
        "forbidden by robots.txt fetch/robots",
        "not about the domain classification/off_topic",
        "its text stands within a longer document; paired all the same dedup/contained",
        "All seeds were reached: 1.",
    ):
        assert count in text
    assert workshop.at("de/sommerfest.html") in text


def test_the_report_needs_nothing_from_the_web(corpus: CrawledCorpus) -> None:
    report = (corpus.root / "report.html").read_text("utf-8")
    assert (
        re.findall(r"(?:src|href)=[\"']?(?:https?:)?//(?!127\.0\.0\.1)", report) == []
    )
    assert "<script src" not in report


def test_stats_count_pages_and_losses(corpus: CrawledCorpus) -> None:
    stats = corpus.stats
    assert stats["fetch/pages"] == 17
    assert stats["export/documents"] == 13
    assert stats["pairing/pairs"] == 6
    losses = {k: v for k, v in corpus.drops().items() if not k.startswith("alignment")}
    # How near the page without a translation comes to having one is up to the model.
    unpaired = [k for k in losses if k.startswith("pairing/")]
    assert [losses.pop(reason) for reason in unpaired] == [1]
    assert losses == {
        "fetch/robots": 1,
        "language/too_short": 1,
        "language/other_language": 1,
        "classification/off_topic": 1,
        "dedup/contained": 1,
        "exports/quality": 2,
    }


def test_the_manifest_says_how_the_corpus_was_made(
    corpus: CrawledCorpus, workshop: Site
) -> None:
    manifest = corpus.manifest
    assert manifest["version"] == __version__
    assert manifest["languages"] == ["deu", "ita"]
    assert (manifest["spider"], manifest["domain"]) == ("bilingual", "demo")
    assert manifest["settings"]["DOWNLOAD_DELAY"] == "0"
    seeds = [(seed["url"], seed["reached"]) for seed in manifest["seeds"]]
    assert seeds == [(workshop.url, True)]
    counts = manifest["counts"]
    assert counts["documents"] == {"deu": 7, "ita": 6}
    assert counts["pairs"] == {"deu-ita": 6}
    dropped = corpus.drops().get("exports/quality", 0)
    assert counts["units"] == {"deu-ita": len(corpus.units()) + dropped}
    assert {"scrapy", "lxml", "py3langid"} <= manifest["versions"].keys()


def test_the_manifest_has_the_digests_of_the_files(corpus: CrawledCorpus) -> None:
    files = corpus.manifest["files"]
    assert files.keys() >= {
        "de-it.tmx",
        "pairs/de-it.tsv",
        "report.html",
        "stats.json",
    }
    assert files == {name: corpus.digest(name) for name in files}


def test_nothing_half_written_is_left(
    bilingual_crawl: Crawl, corpus: CrawledCorpus
) -> None:
    assert {path.name for path in corpus.root.iterdir()} == {
        "cesalign",
        "corpus.db",
        "de-it.tmx",
        "duplicates",
        "frontier.db",
        "manifest.json",
        "pairs",
        "report.html",
        "stats.json",
        "status.json",
        "warc",
        "xml",
    }
    hidden = [name for name in bilingual_crawl.project.written if "/." in name]
    assert hidden == []
