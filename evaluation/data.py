"""Where the data is that the evaluation uses where it is at hand."""

from __future__ import annotations

import csv
import os
import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ILSPFC_EVALUATION_DATA", PROJECT.parent / "shared"))
# The sites are built once, from Debian packages.
SITES = Path(os.environ.get("ILSPFC_EVALUATION_SITES", PROJECT / "build" / "sites"))
# Sites that ``evaluation/help_sites.py`` makes, with the tools of the others.
HELP_SITES = ("office-help", "gimp-help")


def skip_text() -> str:
    """Return the line that says that an evaluation was skipped, and why."""
    return f"Skipped: no evaluation data in {DATA} (set ILSPFC_EVALUATION_DATA)."


def read_table(folder: Path) -> list[dict[str, str]]:
    """Return the rows of ``pages.tsv`` of a site: path, lang, key (equal for versions) and more."""
    with (folder / "pages.tsv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def build_sites(*names: str) -> None:
    """Build the sites that are not there yet, all of them in one go."""
    if all((SITES / name).is_dir() for name in names):
        return
    bases = dict.fromkeys(name.removesuffix("-hard") for name in names)
    archives = {name: DATA / "data" / "sites" / f"{name}.tar.xz" for name in bases}
    others = [n for n in bases if n not in HELP_SITES and not archives[n].is_file()]
    python = SITES / ".venv" / "bin" / "python"
    SITES.mkdir(parents=True, exist_ok=True)
    for name, archive in archives.items():
        if archive.is_file() and not (SITES / name).is_dir():
            _run("tar", "-C", SITES, "-xf", archive)
    if others or (set(bases) & {*HELP_SITES} and not python.is_file()):
        build = DATA / "sites" / "build.sh"
        _run("bash", build, SITES, *(others or ["installation-guide"]))
    if help_sites := [name for name in bases if name in HELP_SITES]:
        _run(python, "-m", "evaluation.help_sites", *help_sites)


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=PROJECT)
