"""The pairing methods of papers 001 and 002 on a crawled site, with a dictionary."""

from __future__ import annotations

import csv
import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Crawl, Project

# Bitextor's format; the site's pages teach the other words. The last two are texts of links, of
# which paper 002 has a list made by hand (appendix A): what a dictionary knows of them must
# agree.
DICTIONARY = (
    "de\tit\nLeiter\tscala\nStaub\tpolvere\nLärm\trumore\nBrand\tincendio\n"
    "Leitern\tscale\nStart\tHome\n"
)
PAIRS = {
    ("feuer.html", "incendio.html"),
    ("handschuhe.html", "handschuhe.html"),
    ("index.html", "index.html"),
    ("laerm.html", "rumore.html"),
    ("leitern.html", "scale.html"),  # the page, or its version for print
    ("staub.html", "polvere.html"),
}


@pytest.mark.parametrize("method", ["pwcc", "ets"])
def test_the_methods_find_the_pairs_of_a_crawl(
    bilingual_crawl: Crawl, project: Project, method: str
) -> None:
    root = project.folder / "out"
    shutil.copytree(bilingual_crawl.corpus, root)
    (project.folder / "words.dic").write_text(DICTIONARY, "utf-8")
    arguments = ("pair", "out", "--method", method, "--dictionary", "words.dic")
    done = project.run(*arguments)
    assert (done.status, done.stderr) == (0, "")
    with (root / "pairs" / "de-it.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert {
        tuple(row[n].split("/")[-1] for n in ("url1", "url2")) for row in rows
    } == PAIRS
    assert {row["evidence"] for row in rows} == {method}
