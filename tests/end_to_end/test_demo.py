"""What ``make demo`` promises: the README's first command."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from conftest import copy_domains

from ilspfc.exports import validate_tmx

PROJECT = Path(__file__).resolve().parents[2]

# All pairs of the site that are about its domain.
PAIRS = {
    ("de/aktuell/2021-hitze.html", "it/novita/2021-caldo.html"),
    ("de/aktuell/2022-stapler.html", "it/novita/2022-carrelli.html"),
    ("de/aktuell/2023-nachtarbeit.html", "it/novita/2023-lavoro-notturno.html"),
    ("de/aktuell/index.html", "it/novita/index.html"),
    ("de/aktuell/unfallmeldung.html", "it/novita/denuncia-infortunio.html"),
    ("de/broschueren/b107.html", "it/broschueren/b107.html"),
    ("de/broschueren/b112.html", "it/broschueren/b112.html"),
    ("de/broschueren/b118.html", "it/broschueren/b118.html"),
    ("de/index.html", "it/index.html"),
    ("de/themen/ergonomie-1.html", "it/themen/ergonomie-1.html"),
    ("de/themen/gefahrstoffe.html", "it/temi/sostanze-pericolose.html"),
    ("de/themen/index.html", "it/temi/index.html"),
    ("de/themen/laerm.html", "it/temi/rumore.html"),
    ("de/themen/lasten.html", "it/temi/movimentazione-carichi.html"),
    ("de/themen/leitern.html", "it/temi/scale.html"),
    ("de/themen/maschinen-3.html", "it/themen/maschinen-3.html"),
    ("de/themen/psa-2.html", "it/themen/psa-2.html"),
    ("info/asbest_de.html", "info/asbest_it.html"),
    ("info/brandschutz_de.html", "info/brandschutz_it.html"),
    ("info/erstehilfe_de.html", "info/erstehilfe_it.html"),
    ("info/strom_de.html", "info/strom_it.html"),
}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """The output of the demo, run in a copy of the project, and its corpus."""
    copy = tmp_path_factory.mktemp("demo") / "project"
    parts = ("demo", "ilspfc", "scrapy.cfg")
    copy.mkdir()
    copy_domains(copy / "domains")
    for name in parts:
        source = PROJECT / name
        if source.is_dir():
            shutil.copytree(source, copy / name)
        else:
            shutil.copy(source, copy / name)
    done = subprocess.run(
        [sys.executable, "demo/run.py"],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, copy / "corpora" / "demo"


def test_the_readme_shows_what_the_demo_prints(demo: tuple[str, Path]) -> None:
    readme = (PROJECT / "README.md").read_text("utf-8")
    shown = readme.partition("`make demo` prints:")[2].split("```")[1].splitlines()
    # Port, time and rate of the first lines are others each time.
    lines = [line for line in shown[5:] if line.strip() != "…"]
    assert len(lines) == 10
    assert [line for line in lines if line not in demo[0]] == []
    assert "60 pages fetched in " in demo[0]


def _page(url: str) -> str:
    path = urlsplit(url).path.lstrip("/")
    return f"{path}index.html" if path.endswith("/") or not path else path


def test_all_pairs_of_the_domain_are_found_and_no_other(
    demo: tuple[str, Path],
) -> None:
    with (demo[1] / "pairs" / "de-it.tsv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t"))
    assert {(_page(row["url1"]), _page(row["url2"])) for row in rows} == PAIRS


def test_the_summary_says_where_everything_is(demo: tuple[str, Path]) -> None:
    output, corpus = demo
    assert "21 pairs" in output
    for name in ("xml", "report.html", "de-it.tmx"):
        assert f"corpora/demo/{name}" in output
        assert (corpus / name).exists()
    assert output.splitlines()[-1].startswith("Open       corpora/demo/report.html in")


def test_print_versions_are_put_apart(demo: tuple[str, Path]) -> None:
    assert len(list((demo[1] / "duplicates").iterdir())) == 3


def test_the_tmx_is_valid_and_free_of_soft_hyphens(demo: tuple[str, Path]) -> None:
    path = demo[1] / "de-it.tmx"
    validate_tmx(path)
    text = path.read_text(encoding="utf-8")
    assert "\u00ad" not in text
    assert "\ufffd" not in text  # the pages in other encodings are read rightly
