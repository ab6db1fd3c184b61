"""The tutorials for four readers, line by line: their commands on the demo, and what these print."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import CRAWL_SETTINGS, REPOSITORY, Project
from test_documented_commands import iter_blocks

if TYPE_CHECKING:
    from conftest import Serve

PAGES = sorted((REPOSITORY / "docs").glob("tutorial-*.md"))
READERS = [page for page in PAGES if page.stem != "tutorial-bootstrap"]
# What differs from run to run: the address of the site, times, and by the addresses of the
# pages, which they are in.
CHANGING_RE = re.compile(
    r"127\.0\.0\.1:\d+|(?<=fetched)(?: in \d+ s)?|\d+(?= units?, preset clean)"
)
MAX_PICTURE_BYTES = 150_000


def iter_steps(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the commands of a page that have a prompt, with the lines that they print."""
    for _, block in iter_blocks(page):
        for step in re.split(r"(?m)^\$ ", block)[1:]:
            command, *lines = step.splitlines()
            yield command, lines


@pytest.fixture(scope="module")
def demo(make_project: Callable[[], Project], serve: Serve) -> tuple[Project, str]:
    """A project with the corpus of the demo, and the address of its site."""
    project, site = make_project(), serve(REPOSITORY / "demo" / "www")
    settings = [f"{name} = {value!r}" for name, value in CRAWL_SETTINGS.items()]
    text = "\n".join(["from ilspfc.settings import *", *settings])
    (project.folder / "tutorials.py").write_text(text)
    (project.folder / "scrapy.cfg").write_text("[settings]\ndefault = tutorials\n")
    done = project.run(
        *("crawl", "bilingual", "-a", "langs=de,it", "-a", "domain=demo"),
        *("-a", f"seeds={site.url}", "-s", "CORPUS_DIR=corpora/demo"),
    )
    assert done.status == 0, done
    return project, site.url


def mask(line: str) -> str:
    return CHANGING_RE.sub("#", line).strip()


@pytest.mark.parametrize("page", READERS, ids=lambda page: page.stem)
def test_commands_print_what_a_tutorial_shows(
    page: Path, demo: tuple[Project, str]
) -> None:
    project, url = demo
    steps = list(iter_steps(page))
    assert len(steps) >= 2
    for command, lines in steps:
        program, *words = shlex.split(command)
        assert program == "scrapy"
        done = project.run(
            *(re.sub(r"http://127\.0\.0\.1:\d+/", url, word) for word in words)
        )
        assert done.status == 0, (command, done)
        printed = [mask(line) for line in done.stdout.splitlines()]
        place = 0
        for line in filter(lambda line: line != "…", lines):
            start, _, rest = mask(line).partition("…")
            found = [
                n
                for n, one in enumerate(printed[place:], place)
                if (one.startswith(start) if rest or "…" in line else one == start)
            ]
            assert found, (command, line, printed)
            place = found[0] + 1


def test_there_is_a_tutorial_for_each_reader_and_its_pictures_are_small() -> None:
    assert [page.stem.partition("-")[2] for page in READERS] == [
        *("linguist", "mt", "operator", "terminologist"),
    ]
    for page in READERS:
        names = re.findall(r"!\[[^\]]+\]\((images/[^)]+)\)", page.read_text("utf-8"))
        assert names, page.name
        for name in names:
            size = (page.parent / name).stat().st_size
            assert size <= MAX_PICTURE_BYTES, name
