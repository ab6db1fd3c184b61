"""Scores pairs within a page: pages made of a site's, that hold the text in two languages.

``python -m evaluation.within`` takes pages of the installation guide that have the same blocks in two
languages and writes them as one page in three layouts: paragraphs that alternate, one half
after the other, and two columns of a table. Printed for each layout and language pair: pages, how many are
found, precision of the units, and the share of the text in right units. A unit is right if
its sides are from the same block. With ``--sites`` it counts the pages of the sites of
:mod:`evaluation.main_elements` that are taken for such pages; none is one.
"""

from __future__ import annotations

import sys
import tempfile
from html import escape
from pathlib import Path

from evaluation.data import SITES, build_sites, skip_text
from evaluation.main_elements import SITES_WITH_MAIN, make_settings, make_site
from evaluation.page_silver import read_pages
from evaluation.site_corpora import build_corpus
from ilspfc.corpus.corpus import open_corpus
from ilspfc.line.alignment import run_alignment
from ilspfc.line.content import run_content
from ilspfc.line.decisions import run_decisions
from ilspfc.line.pairing import run_pairing
from ilspfc.text.codes import to_iso639_3

SITE = "installation-guide"
PAIRS = ("en-fr", "de-en", "el-en", "en-zh")
LAYOUTS = ("alternating", "halves", "columns")
# Blocks of a page, so that most have about as many as short articles.
_MAX_BLOCKS = 14
_MIN_CHARS = 20

Blocks = list[tuple[str, str]]


def read_blocks(pair: str) -> list[Blocks]:
    """Return the blocks of pages in two languages, the translations beside each other."""
    pages = []
    for page in read_pages(SITE, pair):
        both = zip(page.source, page.target, strict=True)
        blocks = [
            (a[2], b[2]) for a, b in both if min(len(a[2]), len(b[2])) >= _MIN_CHARS
        ]
        if len(blocks) >= 3:
            pages.append(blocks[:_MAX_BLOCKS])
    return pages


def write_page(path: Path, blocks: Blocks, layout: str) -> None:
    """Write the HTML of a page."""
    cells = [(escape(a), escape(b)) for a, b in blocks]
    if layout == "columns":
        rows = (f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in cells)
        body = f"<table>{''.join(rows)}</table>"
    elif layout == "halves":
        sides = (
            "".join(f"<p>{one}</p>" for one in side)
            for side in zip(*cells, strict=True)
        )
        body = "".join(f"<div>{side}</div>" for side in sides)
    else:
        body = "".join(f"<p>{a}</p><p>{b}</p>" for a, b in cells)
    text = f"<html><body><main>{body}</main></body></html>"
    path.write_text(text, encoding="utf-8")


def is_right(sides: tuple[str, str], blocks: Blocks) -> bool:
    """Test whether both sides of a unit are from the same block."""
    first, second = ("".join(side.split()) for side in sides)
    return any(
        first in "".join(a.split()) and second in "".join(b.split()) for a, b in blocks
    )


def measure(pages: list[Blocks], langs: tuple[str, str], layout: str) -> str:
    """Return the figures of pages in a layout."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "www")
        root.mkdir()
        for number, blocks in enumerate(pages):
            write_page(root / f"{number}.html", blocks, layout)
        names = [path.name for path in root.iterdir()]
        build_corpus(Path(folder, "corpus"), root, names, langs)
        with open_corpus(Path(folder, "corpus"), make_settings()) as corpus:
            for run in (run_pairing, run_content, run_alignment, run_decisions):
                run(corpus)
            found = right = units = chars = 0
            entries = corpus.bitext.pairs(*langs)
            for entry in entries:
                blocks = pages[int(Path(entry.source.url).stem)]
                found += entry.source.id == entry.target.id
                for unit in corpus.bitext.units(entry.pair):
                    good = is_right((unit.source, unit.target), blocks)
                    units, right = units + 1, right + good
                    chars += good * len(unit.source)
    whole = sum(len(a) for blocks in pages for a, _ in blocks)
    return (
        f"pages {len(pages)}, within {found}, other pairs {len(entries) - found}, units {units},"
        f" precision {right / max(units, 1):.3f}, recall {chars / whole:.3f}"
    )


def count_false_alarms(site: str) -> str:
    """Return how many pages of a site, each in one language, are taken for pairs within."""
    with open_corpus(make_site(site), make_settings()) as corpus:
        sql = "SELECT count(*) FROM candidates WHERE source = target"
        ((pairs,),) = corpus.index.rows(sql)
        documents = len(corpus.index.documents_to_pair())
        return f"{site}: documents {documents}, within {pairs}"


def main() -> int:
    """Print the figures."""
    if not SITES.is_dir():
        print(skip_text())
        return 0
    if "--sites" in sys.argv:
        for site in SITES_WITH_MAIN:
            print(count_false_alarms(site), flush=True)
        return 0
    build_sites(SITE)
    for pair in sys.argv[1:] or PAIRS:
        first, second = map(to_iso639_3, pair.split("-"))
        pages = read_blocks(pair)
        for layout in LAYOUTS:
            print(pair, layout, measure(pages, (first, second), layout), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
