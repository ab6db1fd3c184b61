"""Commands as processes: what each start costs, and that each finds what it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import ilspfc.commands

if TYPE_CHECKING:
    from conftest import Project

FOLDER = Path(ilspfc.commands.__file__).parent
NAMES = sorted(
    ".".join(path.relative_to(FOLDER).with_suffix("").parts)
    for path in FOLDER.rglob("[!_]*.py")
)
# What takes long to load, and what is loaded wherever a corpus or a page is worked on.
HEAVY = {"babel", "langcodes", "numpy", "scipy", "sklearn"}
STAGES = {"ilspfc.cleaning", "ilspfc.preflight", "ilspfc.spiders", "ilspfc.line"}


def test_the_list_of_commands_loads_nothing_that_one_of_them_needs() -> None:
    """Scrapy imports all commands whenever one is run."""
    modules = ", ".join(f"ilspfc.commands.{name}" for name in NAMES)
    code = f"import sys, {modules}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "ilspfc.commands.crawl" in loaded
    assert loaded & (HEAVY | STAGES) == set()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tmx", "validate", "a.tmx"), "TMX 1.4, 1 units (de 1, it 1): nothing wrong"),
        (("lexicon", "merge", "a.db", "a.tsv", "--langs=de,it"), "a.tsv: 1 entries"),
    ],
)
def test_a_command_finds_what_it_needs(
    project: Project, arguments: tuple[str, ...], said: str
) -> None:
    """Those of which no other test starts a process."""
    (project.folder / "a.tsv").write_text("Leiter\tscala\n", "utf-8")
    (project.folder / "a.tmx").write_text(
        '<tmx version="1.4"><header creationtool="c" creationtoolversion="1"'
        ' segtype="block" o-tmf="x" adminlang="en" srclang="de" datatype="PlainText"/>'
        '<body><tu><tuv xml:lang="de"><seg>Leiter</seg></tuv>'
        '<tuv xml:lang="it"><seg>scala</seg></tuv></tu></body></tmx>',
        "utf-8",
    )
    done = project.run_process(*arguments)
    assert (done.status, done.stderr) == (0, "")
    assert said in done.stdout
