"""The HTML report: what it says, and that nothing from the web gets out of its text."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import UndefinedError
from lxml import etree
from report_examples import (
    bilingual_report,
    empty_report,
    monolingual_report,
    with_text_everywhere,
)

import ilspfc
from ilspfc.documents import TranslationUnit
from ilspfc.documents.figures import HostCount
from ilspfc.report.data import PresetCount, ReportData, SeedStatus
from ilspfc.report.html import make_environment, render_html

ATTACK = "\"'><script>alert(1)</script><img src=https://evil.example/x onerror=alert(1)>&amp;"
TAGS = set(
    "html head meta title style body header h1 h2 h3 dl dt dd div ul ol li strong span small p nav a main section "
    "code em i b details summary svg g line text polygon polyline rect table thead tbody tr th td footer pre".split()
)


def parse(data: ReportData) -> Any:
    """Return the page as a parser of HTML sees it."""
    return etree.fromstring(render_html(data), etree.HTMLParser())


def text_of(tree: Any, anchor: str) -> str:
    """Return the text of a section, runs of white space as one blank."""
    (section,) = tree.xpath("//section[@id=$anchor]", anchor=anchor)
    return " ".join(" ".join(section.itertext()).split())


def funnel_steps(tree: Any) -> list[tuple[str, str]]:
    return [
        (step.findtext("strong"), step.xpath("string(span[@class='title'])"))
        for step in tree.xpath("//ol[@class='funnel']/li/div")
    ]


def test_headline_figures() -> None:
    tree = parse(bilingual_report())
    assert tree.xpath("//ul[@class='headline']/li/strong/text()") == [
        "12,480",
        "3,120",
        "2,222,221",
        "612",
        "18,402",
        "112",
    ]
    assert "93 a minute" in tree.xpath("//ul[@class='headline']//small/text()")
    assert tree.findtext(".//h1") == "Health and safety at work"
    assert "2 h 14 min" in tree.xpath("string(//dl[@class='facts'])")


def test_the_corpus_in_words_to_cite() -> None:
    tree = parse(bilingual_report())
    text = text_of(tree, "cite")
    assert text.startswith("In words, to cite The corpus “Health and safety at work”")
    assert "3,120 documents with 2,222,221 tokens of clean text were kept:" in text
    assert "612 pairs of documents that translate each other were found" in text
    assert "aligned to 18,402 translation units" in text
    assert "preset" not in text
    presets = (PresetCount("clean", 15_000, 18, 17.1),)
    data = replace(bilingual_report(), presets=presets, preset="clean,numbers=off")
    filtered = "The exports were filtered by the preset “clean,numbers=off”."
    assert filtered in text_of(parse(data), "cite")
    assert "are from example.org, example.net, s0.example, s1.example" in text
    many = replace(data, sites=tuple(f"s{n}.example" for n in range(1_012)))
    assert "s9.example and 1,002 more." in text_of(parse(many), "cite")
    entry = tree.xpath("string(//section[@id='cite']/pre)")
    assert "title = {Health and safety at work}," in entry
    assert entry.count("{") == entry.count("}") == 5
    alone = text_of(parse(monolingual_report()), "cite")
    assert "translate each other" not in alone
    text_of(parse(empty_report()), "cite")


def test_documents_to_look_at_first() -> None:
    data = replace(
        bilingual_report(),
        doubtful=((0.412, bilingual_report().pair_samples[0].source),),
    )
    tree = parse(data)
    assert "0.41 Atemschutz am Arbeitsplatz" in text_of(tree, "doubtful")
    # Title, address and file stand below each other.
    assert tree.xpath(
        "//section[@id='doubtful']//td[@class='side']/span[@class='line']"
    )
    assert "xml/deu-1f0a2b3c4d5e.xml" in tree.xpath(
        "//section[@id='doubtful']//a/@href"
    )
    assert not parse(bilingual_report()).xpath("//section[@id='doubtful']")


def test_first_sentence_tells_the_largest_loss_and_the_seeds() -> None:
    (lede,) = parse(bilingual_report()).xpath("//p[@class='lede']/text()")
    assert lede == (
        "Largest loss: 31,870 addresses, outside the scope of the crawl."
        " 2 of 4 seeds were not reached."
    )


def test_funnel_goes_from_addresses_to_units() -> None:
    assert funnel_steps(parse(bilingual_report())) == [
        ("45,455", "Addresses known"),
        ("12,480", "Pages fetched"),
        ("11,179", "Pages with text"),
        ("7,861", "Pages in the languages of the crawl"),
        ("3,840", "Pages about the domain"),
        ("3,120", "Documents"),
        ("1,224", "Documents in a pair"),
        ("612", "Document pairs"),
        ("18,402", "Translation units"),
    ]


def test_a_loss_has_count_share_words_code_and_examples() -> None:
    tree = parse(bilingual_report())
    (loss,) = tree.xpath("//ul[@class='losses']/li[.//code='classification/off_topic']")
    words = " ".join(loss.xpath("string(details/summary)").split())
    assert words.startswith("−4,021")
    assert "51.2%" in words
    assert "not about the domain" in words
    assert "24 examples" in words
    addresses = loss.xpath(".//ul[@class='examples']/li/a/@href")
    assert addresses[0] == "https://www.example.com/de/stellenangebote/0"
    assert len(addresses) == 20
    assert loss.xpath("string(.//ul/li[last()])") == "and 4 more"


def test_a_loss_without_a_reason_is_shown() -> None:
    dropped = {**bilingual_report().dropped, "classification/off_topic": 4_000}
    tree = parse(replace(bilingual_report(), dropped=dropped))
    assert re.search(r".21 ?dropped without a recorded reason", text_of(tree, "funnel"))


def test_documents_of_earlier_runs_are_named() -> None:
    tree = parse(replace(bilingual_report(), pages_fetched=12_000))
    assert "480 documents more than the pages of this run explain" in text_of(
        tree, "funnel"
    )


def test_a_stage_without_a_place_in_the_funnel_still_shows_its_losses() -> None:
    data = replace(bilingual_report(), dropped={"exports/other_reason": 7})
    text = text_of(parse(data), "funnel")
    assert "Dropped elsewhere" in text
    assert "other reason exports/other_reason" in text


def test_licenses_and_reservations() -> None:
    text = text_of(parse(bilingual_report()), "rights")
    assert "221 of 3,120 documents name a license." in text
    assert "CC-BY-4.0 212" in text
    assert "json-ld 41" in text
    assert "reserved for 38 pages; left out for it: 38." in text
    assert "tdmrep_header 35" in text
    silent = text_of(parse(empty_report("deu")), "rights")
    assert "No signal on text and data mining was found." in silent


def test_languages_and_evidence() -> None:
    tree = parse(bilingual_report())
    assert "German deu 1,800 41,377 43.0% 1,234,567" in text_of(tree, "languages")
    pairs = text_of(tree, "pairs")
    assert "612 18,402 301,877 318,450 18.6%" in pairs
    assert pairs.index("declared version 488 79.7%") < pairs.index("links 71 11.6%")


def test_charts_are_drawn_with_titles() -> None:
    tree = parse(bilingual_report())
    labels = tree.xpath("//svg/@aria-label")
    assert labels == [
        "Documents kept over pages fetched: 3,120 documents from 12,480 pages",
        "Scores of 18,402 translation units",
        "1,860 images by the share of documents that have them",
    ]
    assert len(tree.xpath("//svg//rect")) == 20 + 20
    assert "20.2% of the last 1,240" in text_of(tree, "harvest")


def test_samples_stand_side_by_side_with_language_and_direction() -> None:
    tree = parse(bilingual_report())
    (first, *_) = tree.xpath("//section[@id='unit-samples']//ol/li")
    assert first.xpath("string(div[1]/b)") == "0.93"
    assert first.xpath("div[@class='side']/span/@lang") == ["de", "it"]
    assert first.xpath("div[@class='side']/span/@dir") == ["auto", "auto"]
    (pair, untitled) = tree.xpath("//section[@id='pair-samples']//ol/li")
    assert pair.xpath(".//a[@class='path']/@href") == [
        "xml/deu-1f0a2b3c4d5e.xml",
        "xml/ita-8d9b2d1d4bcb.xml",
    ]
    assert untitled.xpath("string(.//em)") == "no title"


def test_a_long_text_is_cut() -> None:
    unit = TranslationUnit("lang " * 5_000, "", "1:1", 0.5)
    pair = replace(bilingual_report().pair_samples[0], unit=unit)
    tree = parse(replace(bilingual_report(), pair_samples=(pair,)))
    (source, target) = tree.xpath("//section[@id='unit-samples']//div[@class='side']")
    assert len(source.xpath("string()")) <= 1_200
    assert source.xpath("string()").endswith("…")
    assert target.xpath("string()") == ""


def test_busy_hosts_come_first_and_the_others_are_summed_up() -> None:
    tree = parse(bilingual_report())
    rows = tree.xpath("//section[@id='hosts']//tbody/tr")
    names = [row.xpath("string(td[1])") for row in rows]
    assert names[:4] == [
        "arbeit.example.org",
        "sicuro.example.net",
        "www.example.com",
        "blocked.example.com",
    ]
    assert rows[3].xpath("string(td[last()]/strong)") == "345"
    assert names[-1] == "62 other hosts"
    assert rows[-1].xpath("string(td[2])") == "186"


def test_few_hosts_need_no_sum() -> None:
    data = replace(bilingual_report(), hosts=(HostCount("a.example", 4, 1, 0),))
    assert text_of(parse(data), "hosts").endswith("a.example 4 1 25.0% 0")


def test_seeds_not_reached_show_their_cause() -> None:
    seeds = text_of(parse(bilingual_report()), "seeds")
    assert "2 of 4 seeds not reached:" in seeds
    assert "https://blocked.example.com/de/ forbidden by robots.txt" in seeds
    assert "https://gone.example.com/ name not found" in seeds
    assert "https://arbeit.example.org/" not in seeds


def test_all_seeds_reached() -> None:
    data = replace(bilingual_report(), seeds=(SeedStatus("https://a.example/", True),))
    assert "All seeds were reached: 1." in text_of(parse(data), "seeds")


@pytest.mark.parametrize("data", [bilingual_report(), empty_report()])
def test_the_page_is_self_contained(data: ReportData) -> None:
    tree = parse(data)
    assert not tree.xpath("//script | //link | //img | //iframe | //object | //@src")
    assert not tree.xpath("//*[@*[starts-with(name(), 'on')]]")
    (style,) = tree.xpath("//style/text()")
    assert "url(" not in style
    assert "@import" not in style
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'")


def test_links_inside_the_page_have_a_target() -> None:
    for data in (bilingual_report(), monolingual_report(), empty_report("deu", "ita")):
        tree = parse(data)
        anchors = [href[1:] for href in tree.xpath("//nav/a/@href")]
        assert len(anchors) == len(set(anchors))
        for anchor in anchors:
            assert len(tree.xpath("//*[@id=$anchor]", anchor=anchor)) == 1


def test_text_from_the_web_stays_text() -> None:
    data = with_text_everywhere(bilingual_report(), ATTACK)
    tree = parse(data)
    assert {node.tag for node in tree.iter()} == TAGS
    assert not tree.xpath("//script | //img | //@onerror | //@src")
    assert tree.findtext(".//h1") == "Health and safety at work" + ATTACK
    assert tree.xpath("//section[@id='unit-samples']//div[@class='side']/span")[
        -1
    ].text == ("Note legali" + ATTACK)
    for href in tree.xpath("//main//@href"):
        assert href.startswith("https://") or ":" not in href


@settings(max_examples=30, deadline=None, database=None)
@given(st.text(max_size=20))
def test_any_text_gives_the_same_kinds_of_elements(text: str) -> None:
    tree = parse(with_text_everywhere(bilingual_report(), text))
    assert {node.tag for node in tree.iter()} <= TAGS


def test_a_lone_surrogate_and_control_characters_can_be_written() -> None:
    page = render_html(with_text_everywhere(bilingual_report(), "\ud800\x00\x1b"))
    assert "\ufffd" in page
    assert page.encode("utf-8")
    assert "\x00" not in page


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "//host/",
        "https://[",
    ],
)
def test_only_web_addresses_are_linked(url: str) -> None:
    data = replace(bilingual_report(), seeds=(SeedStatus(url, False, ""),))
    tree = parse(data)
    assert not tree.xpath("//section[@id='seeds']//a")
    assert f"{url} no cause recorded" in text_of(tree, "seeds")


def test_files_link_relative_to_the_report_and_never_outside() -> None:
    names = (
        "a b#1.tmx",
        "javascript:x",
        "/etc/passwd",
        "../other",
        "x/../../y",
        "//host/z",
    )
    data = replace(bilingual_report(), files=tuple((name, "") for name in names))
    hrefs = parse(data).xpath("//section[@id='files']//a/@href")
    assert hrefs == ["a%20b%231.tmx", "javascript%3Ax"]


def test_empty_corpus_is_told_in_words() -> None:
    tree = parse(empty_report("deu", "ita"))
    assert tree.xpath("//p[@class='lede']/text()") == ["No page was fetched."]
    assert not tree.xpath("//table | //svg")
    for anchor, words in (
        ("funnel", "No page was fetched: nothing was kept, and nothing was lost."),
        ("harvest", "No page was fetched: no curve to draw."),
        ("scores", "There are no translation units."),
        ("languages", "The corpus holds no document."),
        ("pairs", "No document pair was found."),
        ("pair-samples", "There are no pairs."),
        ("unit-samples", "There are no translation units."),
        ("hosts", "No host was visited."),
        ("seeds", "The crawl was given no seeds."),
        ("files", "No files were recorded."),
    ):
        assert words in text_of(tree, anchor)


def test_monolingual_corpus_speaks_of_no_pairs() -> None:
    tree = parse(monolingual_report())
    words = "This crawl has one language: no pairs are looked for."
    assert words in text_of(tree, "pairs")
    assert not tree.xpath("//section[@id='scores' or @id='unit-samples']")
    assert funnel_steps(tree)[-1] == ("3,120", "Documents")
    assert len(tree.xpath("//svg")) == 1


def test_pages_without_documents() -> None:
    data = replace(bilingual_report(), documents=())
    tree = parse(data)
    assert "no document was kept" in tree.xpath("string(//p[@class='lede'])")


def test_a_harvest_that_ends_before_its_last_tenth_is_told_as_a_whole() -> None:
    tree = parse(replace(bilingual_report(), harvest=((100, 10),)))
    assert "10.0% were kept. The dashed line" in text_of(tree, "harvest")


def test_many_seeds_that_were_not_reached() -> None:
    seeds = tuple(SeedStatus(f"https://s{n}.example/", False) for n in range(205))
    tree = parse(replace(bilingual_report(), seeds=seeds))
    assert len(tree.xpath("//section[@id='seeds']//tbody/tr")) == 200
    assert "and 5 more" in text_of(tree, "seeds")


def test_documents_without_pairs() -> None:
    data = replace(bilingual_report(), pairs=(), pair_samples=())
    tree = parse(data)
    assert "no two of them were paired" in tree.xpath("string(//p[@class='lede'])")
    assert "No document pair was found." in text_of(tree, "pairs")


def test_pairs_before_alignment_have_no_units() -> None:
    (pair,) = bilingual_report().pairs
    pairs = (replace(pair, units=0, null_share=None, evidence={}),)
    bins = (0,) * 20
    data = replace(
        bilingual_report(), pairs=pairs, pairs_by_site=(), score_histogram=bins
    )
    tree = parse(data)
    assert "There are no translation units." in text_of(tree, "scores")
    assert len(tree.xpath("//section[@id='pairs']//table")) == 1


def test_images_and_sites_of_pairs() -> None:
    tree = parse(bilingual_report())
    text = text_of(tree, "pairs")
    assert "example.org 400 390 97.5%" in text
    assert "1,853 of 1,860 images are on a share of the documents up to" in text
    (chart,) = tree.xpath("//section[@id='pairs']//*[local-name()='svg']")
    (bound,) = chart.xpath("*[local-name()='line'][@class='average']/@x1")
    assert float(bound) == pytest.approx(84 + 344 * 0.08, abs=0.1)
    assert "from 9 sites, 7 of them beyond those of the seeds" in text_of(tree, "seeds")
    many = tuple((f"{n}.example", 9, 3) for n in range(30))
    tree = parse(replace(bilingual_report(), pairs_by_site=many))
    assert "and 10 more sites" in text_of(tree, "pairs")


def test_many_subdomains_are_summed_up() -> None:
    subdomains = tuple((f"subdomain {number:02}", number) for number in range(40))
    tree = parse(replace(bilingual_report(), subdomains=subdomains))
    assert "10 others 45" in text_of(tree, "languages")


def test_order_of_hosts_does_not_matter() -> None:
    data = replace(bilingual_report(), hosts=tuple(bilingual_report().hosts[::-1]))
    assert render_html(data) == render_html(bilingual_report())


def test_the_report_renders_from_a_zip(tmp_path: Path) -> None:
    root = Path(ilspfc.__file__).parent
    archive = tmp_path / "ilspfc.egg"
    with zipfile.ZipFile(archive, "w") as egg:
        rooms = [
            path
            for room in ("documents", "report")
            for path in root.glob(f"{room}/**/*")
        ]
        for path in [*root.glob("*.py"), *rooms]:
            if path.is_file():
                egg.write(path, Path("ilspfc") / path.relative_to(root))
    code = (
        "from ilspfc.report.data import ReportData; from ilspfc.report.html import render_html; "
        "import ilspfc.report; print(ilspfc.report.__file__); "
        "print('--paper' in render_html(ReportData(title='t', corpus_dir='c', spider='s', langs=())))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(archive)},
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    location, found = result.stdout.split()
    assert "ilspfc.egg" in location
    assert found == "True"


def test_a_page_of_another_kind_shares_the_layout() -> None:
    page = make_environment().from_string(
        '{% extends "layout.html" %}{% from "macros.html" import web_link %}'
        "{% block title %}Jobs{% endblock %}"
        "{% block main %}{{ text }}{{ web_link(url) }}{% endblock %}"
    )
    tree = etree.fromstring(
        page.render(text=ATTACK, url="https://example.org/"), etree.HTMLParser()
    )
    assert tree.findtext(".//title") == "Jobs"
    assert tree.xpath("//main/a/@href") == ["https://example.org/"]
    assert not tree.xpath("//script | //img")
    assert "--paper" in str(tree.xpath("string(//style)"))


def test_a_value_that_a_template_misses_is_an_error() -> None:
    page = make_environment().get_template("report.html")
    with pytest.raises(UndefinedError, match="data"):
        page.render()


def test_a_blocked_host_is_not_hidden_among_the_others() -> None:
    hosts = (
        *(HostCount(f"h{number}.example", 5, 1, 0) for number in range(80)),
        HostCount("blocked.example", 0, 0, 99),
    )
    tree = parse(replace(bilingual_report(), hosts=hosts))
    (first, *_) = tree.xpath("//section[@id='hosts']//tbody/tr")
    assert first.xpath("string(td[1])") == "blocked.example"


def test_counts_on_an_axis_are_not_clipped() -> None:
    bins = (99_999_999, *(0,) * 19)
    page = render_html(replace(bilingual_report(), score_histogram=bins))
    labels = re.findall(r'<text x="(\d+)"[^>]*text-anchor="end">([\d,]+)</text>', page)
    assert ("78", "100,000,000") in labels
    # A digit takes some seven units of the drawing.
    assert all(float(x) >= 7 * len(text) for x, text in labels)
