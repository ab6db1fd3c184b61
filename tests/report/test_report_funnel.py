"""The arithmetic of the funnel, of the drawings and of the reasons."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from report_examples import DROPPED, HARVEST, bilingual_report, empty_report

from ilspfc.pairing.evidence import catalog
from ilspfc.report.charts import LEFT, harvest_curve, thin, ticks
from ilspfc.report.data import AddressCounts
from ilspfc.report.funnel import build_funnel, largest_loss, losses_by_size
from ilspfc.report.html import make_environment, render_html
from ilspfc.report.numbers import elapsed_seconds, format_share, parse_time
from ilspfc.report.reason_texts import EVIDENCE, REASONS, UNITS, explain
from ilspfc.report.summary import render_summary


def draw(template: str, macro: str, *arguments: object) -> str:
    """Return what a macro of a template draws."""
    module = make_environment().get_template(template).module
    return str(getattr(module, macro)(*arguments))


def parse(markup: str) -> Any:
    return etree.fromstring(markup)


def draw_harvest(*points: tuple[int, int]) -> str:
    return draw("charts.html", "harvest_chart", harvest_curve(points))


def test_every_step_accounts_for_what_entered() -> None:
    for step in build_funnel(bilingual_report()):
        lost = sum(loss.count for loss in step.losses)
        if step.losses:
            assert step.entered - lost - step.unexplained == step.count
        assert step.unexplained == 0
        assert all(0 < loss.count <= step.entered for loss in step.losses)


def test_losses_come_largest_first() -> None:
    steps = {step.title: step for step in build_funnel(bilingual_report())}
    codes = [loss.code for loss in steps["Pages fetched"].losses]
    assert codes == [
        "fetch/out_of_scope",
        "fetch/robots",
        "fetch/http_error",
        "fetch/not_reached",
    ]


def test_without_losses_the_milestones_remain() -> None:
    data = replace(bilingual_report(), dropped={}, pages_fetched=3_120)
    titles = [step.title for step in build_funnel(data)]
    assert titles == [
        "Pages fetched",
        "Documents",
        "Document pairs",
        "Translation units",
    ]


def test_counts_that_do_not_add_up_never_go_below_zero() -> None:
    data = replace(empty_report("deu", "ita"), pages_fetched=10, dropped=DROPPED)
    assert all(step.count >= 0 for step in build_funnel(data))


@pytest.mark.parametrize("code", REASONS)
def test_every_known_reason_has_a_stage_that_counts_something(code: str) -> None:
    stage, _, reason = code.partition("/")
    assert stage in UNITS
    assert reason
    assert "_" not in explain(code)


@given(st.integers(min_value=1, max_value=10**12))
def test_ticks_start_at_zero_and_reach_the_maximum(maximum: int) -> None:
    values = ticks(maximum)
    assert values[0] == 0
    assert values[-2] < maximum <= values[-1]
    assert len(values) <= 5


def test_a_long_harvest_is_thinned_to_its_ends() -> None:
    points = thin([(pages, pages // 4) for pages in range(100_000)])
    assert len(points) == 200
    assert points[0] == (0, 0)
    assert points[-1] == (99_999, 24_999)


def test_the_curve_stays_inside_its_frame() -> None:
    svg = parse(draw_harvest(*HARVEST))
    (curve,) = svg.xpath("//polyline/@points")
    points = [tuple(map(float, point.split(","))) for point in curve.split()]
    assert points[0] == (LEFT, 190.0)
    assert all(LEFT <= x <= 428 and 12 <= y <= 190 for x, y in points)


def test_a_single_bin_and_a_single_point_can_be_drawn() -> None:
    assert "1 translation unit" in draw("charts.html", "score_chart", (1,))
    assert "1 document from 2 pages" in draw_harvest((2, 1))
    assert "0 documents from 5 pages" in draw_harvest((5, 0))


def test_a_crawl_without_pages_has_no_curve() -> None:
    assert harvest_curve(()) is None
    assert harvest_curve([(0, 0)]) is None


def test_the_last_tenth_of_the_harvest_is_counted_alone() -> None:
    curve = harvest_curve([(100, 50), (90, 48), (50, 40)])
    assert curve is not None
    assert (curve.pages, curve.kept) == (100, 50)
    assert (curve.tail_pages, curve.tail_kept) == (10, 2)


def test_the_largest_loss_is_one_of_addresses_or_pages_whatever_its_stage() -> None:
    dropped = {
        "alignment/not_parallel": 9,
        "language/too_short": 7,
        "frontier/trap_barren": 8,
        "fetch/robots": 7,
    }
    data = replace(empty_report("deu"), dropped=dropped)
    assert [loss.code for loss in losses_by_size(data)] == [
        "frontier/trap_barren",
        "fetch/robots",
        "language/too_short",
        "alignment/not_parallel",
    ]
    loss = largest_loss(data)
    assert loss is not None
    assert (loss.code, loss.count) == ("frontier/trap_barren", 8)
    parts = {"alignment/not_parallel": 7, "exports/short": 6, "content/frame": 5}
    assert largest_loss(replace(empty_report("deu"), dropped=parts)) is None


def test_all_known_addresses_are_accounted_for() -> None:
    dropped = {"fetch/robots": 7, "frontier/held_back": 30, "language/too_short": 2}
    addresses = AddressCounts(queued={"a.org": 3, "b.org": 1}, redirected=3)
    data = replace(
        empty_report("deu"), pages_fetched=6, dropped=dropped, addresses=addresses
    )
    known, fetched, *_ = build_funnel(data)
    assert (known.title, known.count) == ("Addresses known", 50)
    assert [(loss.code, loss.count) for loss in fetched.losses] == [
        ("frontier/held_back", 30),
        ("fetch/robots", 7),
        ("frontier/queued", 4),
        ("frontier/redirected", 3),
    ]


@pytest.mark.parametrize(
    ("known", "lost", "is_alarm"),
    [(300, 101, True), (300, 100, False), (19, 19, False), (20, 7, True)],
)
def test_a_site_that_lost_a_third_is_an_alarm(
    known: int, lost: int, is_alarm: bool
) -> None:
    sites = {"a.example": {"fetch/robots": lost - 1, "frontier/held_back": 1}}
    addresses = AddressCounts(known={"a.example": known, "b.example": 900}, sites=sites)
    text = addresses.describe_lost_sites()
    assert bool(text) == is_alarm
    data = replace(bilingual_report(), addresses=addresses)
    assert (f"Alarm      a.example lost {lost}" in render_summary(data)) == is_alarm
    assert ("Alarm: a.example lost" in render_html(data)) == is_alarm


@pytest.mark.parametrize(
    ("texts", "robots", "is_alarm"),
    [(100, 0, False), (20, 0, False), (19, 0, True), (100, 100, True)],
)
def test_traps_of_a_site_that_is_read_are_no_loss(
    texts: int, robots: int, is_alarm: bool
) -> None:
    lost = {"frontier/trap_barren": 1_400, "frontier/trap_held_back": 100}
    lost["fetch/robots"] = robots
    text = AddressCounts(
        known={"shop.example": 1_750},
        sites={"shop.example": lost},
        texts={"shop.example": texts},
    ).describe_lost_sites()
    assert bool(text) == is_alarm
    if robots:
        assert "lost 100 of 250 known addresses, 100 of them: forbidden by rob" in text


def test_a_bar_shows_what_was_kept_and_lost() -> None:
    drawn = parse(draw("macros.html", "bar", 1, 4, 2))
    assert [(part.get("class"), part.get("style")) for part in drawn] == [
        ("kept", "width:25.00%"),
        ("lost", "width:50.00%"),
    ]
    assert len(parse(draw("macros.html", "bar", 0, 0))) == 0


@given(st.integers(min_value=0, max_value=10**9), st.integers(1, 10**9))
def test_a_share_shows_all_and_nothing_only_where_it_is_so(
    part: int, whole: int
) -> None:
    part = min(part, whole)
    share = format_share(part, whole)
    assert (share == "0%") == (part == 0)
    assert (share == "100%") == (part == whole)
    assert share not in {"0.0%", "100.0%"}


def test_times_that_cannot_be_read_give_no_duration() -> None:
    assert elapsed_seconds("", "2026-03-01T00:00:00Z") == 0
    assert elapsed_seconds("2026-03-02T00:00:00Z", "2026-03-01T00:00:00Z") == 0
    assert elapsed_seconds("2026-03-01T00:00:00", "2026-03-01T02:00:30+01:00") == 3_630
    assert parse_time("soon") is None


def test_the_docs_list_every_reason() -> None:
    page = Path(__file__).parents[2] / "docs" / "report.md"
    rows = page.read_text(encoding="utf-8").splitlines()
    for code in REASONS:
        stage, _, reason = code.partition("/")
        assert any(f"| `{stage}` |" in row and f"`{reason}`" in row for row in rows)


def test_every_kind_of_evidence_is_explained() -> None:
    names = {kind.name for kind in catalog.EVIDENCE}
    assert names | {"within", "structure", "ets", "pwcc"} == EVIDENCE.keys()
