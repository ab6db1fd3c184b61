"""Commands as processes: what each start costs, and that each finds what it needs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scrapy.cmdline import _get_commands_dict
from scrapy.utils.project import get_project_settings

import ilspfc.commands
from ilspfc.command_summaries import SUMMARIES

if TYPE_CHECKING:
    from conftest import Project

FOLDER = Path(ilspfc.commands.__file__).parent
NAMES = sorted(
    ".".join(path.relative_to(FOLDER).with_suffix("").parts)
    for path in FOLDER.rglob("[!_]*.py")
)
# What takes long to load, and what is loaded wherever a corpus or a page is worked on.
HEAVY = {"babel", "langcodes", "numpy", "scipy", "sklearn"}
STAGES = {"ilspfc.cleaning.page", "ilspfc.preflight", "ilspfc.spiders", "ilspfc.line"}


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


def test_each_command_has_its_line_in_the_help() -> None:
    commands = _get_commands_dict(get_project_settings(), inproject=True)
    ours = {
        name: command.short_desc()
        for name, command in commands.items()
        if type(command).__module__.startswith("ilspfc.commands.")
    }
    assert dict(sorted(ours.items())) == SUMMARIES


# Libraries that take long to load, and those of Scrapy.
COSTLY = {
    *("aiohttp", "babel", "boilerpy3", "htmldate", "jinja2", "langcodes", "lingua"),
    *("py3langid", "scipy", "scrapy", "sklearn", "twisted"),
}
# Ends a crawl at its first request.
CRAWL = """
import os
from scrapy.cmdline import execute
from ilspfc.middlewares.handler import DownloadHandler
def show(*_):
    print('loaded', *sys.modules, flush=True)
    os._exit(0)
DownloadHandler.download_request = show
execute('scrapy crawl bilingual -a langs=de,en -a seeds=http://127.0.0.1:9/'
        ' -s GUARD_ALLOW=127.0.0.1'.split())
"""


@pytest.mark.parametrize(
    ("statement", "allowed"),
    [
        ("from ilspfc import extract", set()),
        ("from ilspfc.program import main; main(['--help'])", set()),
        ("from ilspfc.program import main; main(['version'])", set()),
        (
            (
                "from ilspfc.program import main\n"
                "try: main(['clean', 'page.html'])\n"
                "except SystemExit: pass"
            ),
            {"scrapy", "twisted"},
        ),
        # Neither what workers and stages need, nor extensions of Scrapy that are off.
        (CRAWL, {"babel", "langcodes", "py3langid", "scrapy", "twisted"}),
    ],
    ids=["extract", "help", "version", "clean", "crawl"],
)
def test_a_start_loads_what_it_needs(
    tmp_path: Path, statement: str, allowed: set[str]
) -> None:
    assert _load(statement, tmp_path) & COSTLY == allowed


@pytest.mark.parametrize("command", ["clean", "crawl"])
def test_the_help_of_a_command_loads_no_models(tmp_path: Path, command: str) -> None:
    statement = (
        "from ilspfc.program import main\n"
        f"try: main(['{command}', '--help'])\n"
        "except SystemExit: pass"
    )
    assert _load(statement, tmp_path) & (COSTLY | {"numpy"}) == {"scrapy", "twisted"}


def _load(statement: str, folder: Path) -> set[str]:
    """Return the packages that a statement loads in a process of its own."""
    (folder / "page.html").write_text(f"<p>{'Bees live in colonies. ' * 20}", "utf-8")
    code = f"import sys\n{statement}\nprint('loaded', *sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(FOLDER.parent.parent),
            "SCRAPY_SETTINGS_MODULE": "ilspfc.settings",
        },
    )
    return {name.partition(".")[0] for name in done.stdout.split("loaded ")[-1].split()}


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
