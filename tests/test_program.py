"""The program ``ilspfc``: built as a wheel, unpacked, and run from a folder without a project."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scrapy import cmdline

from ilspfc import __version__
from ilspfc.program import main

if TYPE_CHECKING:
    from conftest import Site

REPOSITORY = Path(__file__).resolve().parent.parent
SOURCES = (
    "ilspfc domains setup.py pyproject.toml requirements.txt README.md LICENSE".split()
)
SECONDS = 300


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an unpacked wheel."""
    source = tmp_path_factory.mktemp("source")
    ignored = shutil.ignore_patterns("__pycache__", "bootstrapped*")
    for name in SOURCES:
        path = REPOSITORY / name
        if path.is_dir():
            shutil.copytree(path, source / name, ignore=ignored)
        else:
            shutil.copy(path, source / name)
    wheels = tmp_path_factory.mktemp("wheels")
    command = "pip wheel --quiet --no-deps --no-build-isolation --wheel-dir".split()
    subprocess.run(
        [sys.executable, "-m", *command, str(wheels), str(source)],
        check=True,
        timeout=SECONDS,
        env={**os.environ, "ILSPFC_PURE": "1"},
    )
    (wheel,) = wheels.glob("ilspfc-*.whl")
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(
    installed: Path, folder: Path, *arguments: str
) -> subprocess.CompletedProcess[str]:
    """Run the installed program in a folder, as its script does."""
    code = "from ilspfc.__main__ import start; start()"
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    environment.pop("SCRAPY_SETTINGS_MODULE", None)
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def test_the_wheel_declares_the_program(installed: Path) -> None:
    (declared,) = installed.glob("ilspfc-*.dist-info/entry_points.txt")
    assert "ilspfc = ilspfc.__main__:start" in declared.read_text()
    assert (installed / "ilspfc" / "domains" / "health-safety.tsv").is_file()


def test_a_corpus_comes_of_an_empty_folder(
    installed: Path, tmp_path: Path, workshop: Site
) -> None:
    arguments = ["-a", "langs=de,it", "-a", "domain=demo", "-a"]
    arguments += [f"seeds={workshop.url}", "-s", "CORPUS_DIR=out"]
    arguments += ["-s", "GUARD_ALLOW=127.0.0.0/8", "-s", "DOWNLOAD_DELAY=0"]
    arguments += ["-s", "FRONTIER_MAX_PAGES=12", "-s", "WORKERS=1"]
    crawled = run(installed, tmp_path, "crawl", "bilingual", *arguments)
    assert crawled.returncode == 0, crawled.stderr
    assert (tmp_path / "out" / "report.html").is_file()
    # A domain of the working folder goes before that of the package.
    (tmp_path / "domains").mkdir()
    (tmp_path / "domains" / "demo.tsv").write_text("nonsense\n")
    checked = run(installed, tmp_path, "domain", "check", "demo")
    assert checked.returncode == 2
    assert "nonsense" in checked.stdout + checked.stderr


def test_help_lists_commands_and_arguments(
    installed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["--help"])
    assert "  pair " in capsys.readouterr().out
    for argument in ("--version", "version"):
        main([argument])
        assert capsys.readouterr().out.startswith(f"ilspfc {__version__} (")
    helped = run(installed, tmp_path, "crawl", "bilingual", "--help").stdout
    assert "ilspfc crawl [options]" in helped
    assert "  -a langs=de,it " in helped


def test_an_unknown_command_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["ilspfc"])
    with pytest.raises(SystemExit) as ended:
        main(["exprot", "out"])
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "ilspfc: exprot: no such command; the nearest is export"


def test_an_interrupt_outside_the_stages_has_no_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cmdline, "execute", interrupt)
    monkeypatch.setattr(sys, "argv", ["ilspfc"])
    with pytest.raises(SystemExit) as ended:
        main(["clean", "-"])
    assert ended.value.code == 130


def test_an_interrupt_while_it_is_loaded_is_a_line(tmp_path: Path) -> None:
    # In place of Scrapy, of whose many modules the first that is stopped raises this.
    (tmp_path / "scrapy.py").write_text("raise KeyboardInterrupt", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "ilspfc", "list"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{REPOSITORY}"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "ilspfc: interrupted\n")
