"""The measure of what recurs on sites: what it counts on a site of its own."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from evaluation.recurrence import SiteCrawl

if TYPE_CHECKING:
    from pathlib import Path

FOOT = "Haben Sie Fragen zu diesem Merkblatt? Das Amt gibt Ihnen gern weitere Auskunft."
WORDS = (
    "der Imker öffnet am Morgen die Beute und sieht nach den Waben und die Königin legt"
    " viele Eier aber die Arbeiterinnen sammeln Pollen und Nektar auf den Wiesen"
).split()
PAGES = 20
FIRST_BATCH = 16


def write_site(root: Path) -> None:
    for number in range(PAGES):
        random = Random(number)
        own = "".join(
            f"<p>{' '.join(random.choices(WORDS, k=25)).capitalize()}."
            for _ in range(3)
        )
        name = f"{number}.html" if number else "index.html"
        page = f"<body>{own}<p>{FOOT}<p><a href={number + 1}.html>weiter</a>"
        (root / name).write_text(page, encoding="utf-8")


def test_pages_are_read_in_the_order_of_their_links(tmp_path: Path) -> None:
    write_site(tmp_path)
    crawl = SiteCrawl(tmp_path, ("deu", "ita"))
    crawl.run(PAGES - 1)
    report = crawl.report
    assert report.pages == PAGES - 1
    later = [f"{number}.html" for number in range(FIRST_BATCH, PAGES - 1)]
    assert [drop.path for drop in report.drops if drop.text == FOOT] == later
    assert report.changed == len(later)
    assert report.kept[0][FOOT] == PAGES - 1
    assert report.kept[1][FOOT] == FIRST_BATCH
    assert f"changed {100 * len(later) / (PAGES - 1):4.1f} %" in str(report)
