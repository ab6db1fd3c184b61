"""The summary for the terminal."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from report_examples import (
    bilingual_report,
    empty_report,
    monolingual_report,
    with_text_everywhere,
)

from ilspfc.documents.figures import HeldBack, LanguageCount, PairCount
from ilspfc.report.data import RecrawlCounts, ReportData, SeedStatus
from ilspfc.report.html import render_html
from ilspfc.report.summary import render_summary


def crowded_report() -> ReportData:
    """Return a report that has more of everything than a terminal holds."""
    codes = [f"l{number:02}" for number in range(30)]
    return replace(
        bilingual_report(),
        documents=tuple(LanguageCount(code, 9, 9, 9, 9) for code in codes),
        pairs=tuple(PairCount("l00", code, 3, 9) for code in codes[1:]),
        dropped={f"cleaning/reason_{number:02}": 5 for number in range(30)},
        seeds=tuple(
            SeedStatus(f"https://{number}.example/" + "x" * 200, False, "fetch/robots")
            for number in range(30)
        ),
        files=tuple((f"{code}.tmx", "translation units") for code in codes),
        recrawl=RecrawlCounts(*[10**9] * 7),
    )


def test_bilingual_summary() -> None:
    assert render_summary(bilingual_report()).splitlines() == [
        "Health and safety at work: 12,480 pages fetched in 2 h 14 min, 3,120 documents kept (25.0%)",
        "Documents  German (deu)   1,800 documents  1,234,567 tokens",
        "           Italian (ita)  1,320 documents    987,654 tokens",
        "Pairs      German – Italian  612 pairs  18,402 translation units",
        "Dropped    31,870  addresses  outside the scope of the crawl [fetch/out_of_scope]",
        "            4,021  pages      not about the domain [classification/off_topic]",
        "            3,318  pages      in a language that was not asked for [language/other_language]",
        "            1,896  documents  its best candidate is not probable enough [pairing/below_threshold]",
        "            1,204  pages      the page asks not to be indexed [cleaning/no_index]",
        "              720  documents  nearly the same text as another document [dedup/near_duplicate]",
        "           and 5 more reasons: 1,202 pages and addresses",
        "Seeds      2 of 4 not reached:",
        "           https://blocked.example.com/de/ (forbidden by robots.txt)",
        "           https://gone.example.com/ (name not found)",
        "Files      out/xml/         documents as annotated XML",
        "           out/report.html  this report",
        "           out/deu-ita.tmx  translation units, TMX 1.4",
    ]


def test_a_stopped_summary_has_no_losses_of_an_earlier_run() -> None:
    lines = render_summary(bilingual_report(), stopped="dedup")
    assert "[classification/off_topic]" in lines
    assert "pairing/below_threshold" not in lines
    assert "dedup/near_duplicate" not in lines


def test_a_run_that_asks_for_no_page_again_is_no_recrawl() -> None:
    text = render_summary(replace(bilingual_report(), recrawl=RecrawlCounts(new=7)))
    assert "This run   7 new documents; no page asked for again" in text


def test_hosts_whose_pages_scripts_build_are_told_with_the_remedy() -> None:
    hosts = (("a.example", 34), ("b.example", 2), ("c.example", 1), ("d.example", 1))
    data = replace(bilingual_report(), scripted=hosts)
    text = (
        "38 pages without text before scripts build it, read with -s FETCH_BROWSER=auto:"
        " a.example (34), b.example (2), c.example (1), 1 other host"
    )
    assert f"Scripts    {text}" in render_summary(data, columns=0).splitlines()
    assert f"{text}." in render_html(data)
    data = replace(data, settings={"FETCH_BROWSER": "auto"})
    assert "no browser found any: a.example" in render_summary(data, columns=0)


def test_what_was_held_back_is_told_with_its_remedy() -> None:
    groups = (
        HeldBack(
            "a.example", "/n/*", 3_463, ("https://a.example/n/1",), "trap_held_back"
        ),
        HeldBack("a.example", "/c/*", 1_264, ("https://a.example/c/1",)),
        HeldBack("b.example", "/d/*", 2),
        HeldBack("b.example", "/e/*", 1),
    )
    data = replace(bilingual_report(), held_back=groups)
    lines = render_summary(data).splitlines()
    told = "3,463 addresses like a.example/n/*: the last gave nothing new"
    assert f"Held back  {told}" in lines
    assert "           all are asked for with -s FRONTIER_TRAPS=False" in lines
    assert "           and 2 more" in lines
    html = render_html(data)
    assert "1,264 addresses like a.example/c/*: a sample gave nothing new" in html
    assert "such as https://a.example/c/1" in html


def test_empty_summary() -> None:
    assert render_summary(empty_report("deu", "ita")).splitlines() == [
        "Nothing: 0 pages fetched, 0 documents kept (–)",
        "Documents  none",
        "Pairs      none found",
        "Dropped    nothing",
        "Seeds      none given",
        "Files      out/",
    ]


def test_monolingual_summary_looks_for_no_pairs() -> None:
    lines = render_summary(monolingual_report()).splitlines()
    assert "Pairs      none looked for: the crawl has one language" in lines


def test_a_monolingual_summary_names_its_texts() -> None:
    files = (("texts/", "text"), ("plain/", "plain text"), ("xml/", "documents"))
    lines = render_summary(replace(monolingual_report(), files=files)).splitlines()
    assert [line.rsplit("/ ", 1)[0].split("/")[-1] for line in lines[-3:]] == [
        "xml",
        "texts",
        "plain",
    ]


def test_all_seeds_reached() -> None:
    data = replace(bilingual_report(), seeds=(SeedStatus("https://a.example/", True),))
    assert "Seeds      all 1 reached" in render_summary(data).splitlines()


def test_a_crowded_report_fits_the_terminal() -> None:
    lines = render_summary(crowded_report()).splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) == 100
    assert [line.strip() for line in lines if "  and " in line] == [
        "and 26 more",
        "and 26 more",
        "and 25 more reasons: 125 pages and addresses",
        "and 28 more",
        "and 27 more",
    ]


def test_losses_of_the_same_size_come_in_the_order_of_their_codes() -> None:
    data = replace(empty_report(), dropped={"b/y": 1, "a/x": 1, "c/z": 2, "d/none": 0})
    lines = render_summary(data).splitlines()
    assert [line.split("[")[1] for line in lines if "[" in line] == [
        "c/z]",
        "a/x]",
        "b/y]",
    ]


def test_nothing_from_the_web_steers_the_terminal() -> None:
    data = with_text_everywhere(crowded_report(), "\x1b[2J\r\n\u202e\u2028漢字")
    summary = render_summary(data)
    assert all(line.isprintable() for line in summary.split("\n"))
    assert len(summary.splitlines()) <= 25


@settings(max_examples=30, deadline=None, database=None)
@given(st.text(max_size=120))
def test_any_text_keeps_to_lines_and_columns(text: str) -> None:
    lines = render_summary(with_text_everywhere(bilingual_report(), text)).split("\n")
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 100


def test_a_crawl_over_an_earlier_one_says_what_is_new() -> None:
    counts = RecrawlCounts(
        new=2, changed=1, revisits=9, unchanged=6, gone=1, failed=1, withdrawn=1
    )
    data = replace(bilingual_report(), recrawl=counts)
    text = (
        "2 new documents, 1 with a new text; 9 pages asked for again: 6 not changed,"
        " 1 gone (documents stay), 1 withdrawn, 1 failed"
    )
    assert f"Recrawl    {text[:80]}" in render_summary(data)
    assert f"The crawl went over an earlier one: {text}." in render_html(data)
    assert "Recrawl" not in render_summary(bilingual_report())


def test_a_limit_is_told() -> None:
    summary = render_summary(replace(bilingual_report(), limit="pages"))
    assert (
        "Limit      the crawl ended at FRONTIER_MAX_PAGES; the same command goes on"
        in summary.splitlines()
    )


def test_nothing_is_cut_without_columns() -> None:
    cause = "a very long cause " * 20
    seeds = (SeedStatus("https://a.example.org/", reached=False, cause=cause),)
    data = replace(bilingual_report(), seeds=seeds)
    assert cause.strip() not in render_summary(data)
    assert cause.strip() in render_summary(data, columns=0)
