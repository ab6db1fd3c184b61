"""Add-ons: without the folder of one, the rest of the program works."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from test_layout import ADD_ONS, REPOSITORY

from ilspfc.add_ons import has_add_on, load
from ilspfc.exceptions import SettingError

if TYPE_CHECKING:
    from conftest import Site

# Imports all modules that are left, then crawls as the command does.
PROGRAM = """
import pkgutil, sys
from importlib import import_module
import ilspfc
for found in pkgutil.walk_packages(ilspfc.__path__, "ilspfc."):
    import_module(found.name)
from ilspfc.program import main
main({arguments})
"""


def test_an_add_on_that_is_missing_is_named() -> None:
    assert not has_add_on("nowhere")
    with pytest.raises(SettingError, match="FRONTIER_STORE: needs ilspfc/nowhere"):
        load("nowhere.module.name", "FRONTIER_STORE")
    assert load("cluster.parts.join_parts", "x").__name__ == "join_parts"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the program, which is compiled once."""
    copy = tmp_path_factory.mktemp("program")
    for folder in ("ilspfc", "domains"):
        shutil.copytree(
            REPOSITORY / folder,
            copy / folder,
            ignore=shutil.ignore_patterns("__pycache__"),
        )
    shutil.copy(REPOSITORY / "scrapy.cfg", copy)
    return copy


@pytest.fixture(params=sorted(ADD_ONS))
def rest(
    program: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[Path]:
    """The copy, as long as it is without an add-on."""
    places = [program / "ilspfc" / place for place in ADD_ONS[request.param]]
    for number, place in enumerate(places):
        place.rename(tmp_path / str(number))
    yield program
    for number, place in enumerate(places):
        (tmp_path / str(number)).rename(place)


def test_the_program_works_without(rest: Path, tmp_path: Path, workshop: Site) -> None:
    out = tmp_path / "out"
    arguments = (
        f"crawl monolingual -a lang=de -a domain=none -s CORPUS_DIR={out} -s WORKERS=0"
        " -s GUARD_ALLOW=127.0.0.0/8 -s DOWNLOAD_DELAY=0 -s FRONTIER_MAX_PAGES=3"
        f" -s FETCH_CONTACT=tests@example.org -a seeds={workshop.url}"
    ).split()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(arguments=arguments)],
        cwd=rest,
        env={**os.environ, "PYTHONPATH": str(rest)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert list((out / "xml").glob("deu-*.xml"))
    assert (out / "report.html").is_file()
