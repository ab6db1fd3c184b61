"""The project as an egg: built, deployed to a real scrapyd on loopback, and crawling there."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from conftest import DOMAIN_FILES, copy_domains

from ilspfc import __version__
from ilspfc.exports import read_tmx, validate_tmx

if TYPE_CHECKING:
    from conftest import Site

    from benchmarks.postgresql import PostgreSQLServer

pytestmark = pytest.mark.skipif(
    not (find_spec("scrapyd") and find_spec("scrapyd_client")),
    reason="scrapyd and scrapyd-client are not installed; requirements-dev.txt has them",
)

REPOSITORY = Path(__file__).resolve().parent.parent
# What a clean copy of the repository does not have: as .gitignore says, and git's own.
IGNORED = shutil.ignore_patterns(
    ".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "*.egg-info"
)
IGNORED_AT_ROOT = {"build", "dist", "eggs", "corpora", "domains", ".coverage"}
# What a bootstrap leaves in domains/<subject>/.
BOOTSTRAPPED = ("answers.db", "bootstrap.json", "de-it.tsv", "partial.seeds.txt")

CONFIGURATION = """\
[scrapyd]
bind_address = 127.0.0.1
http_port = {port}
poll_interval = 0.2
max_proc = 2
"""
START_SECONDS = 120.0
JOB_SECONDS = 300.0


@dataclass(frozen=True)
class Scrapyd:
    """A running scrapyd and its working folder."""

    url: str
    folder: Path

    def call(self, service: str, **arguments: str) -> dict[str, Any]:
        """Call a service: GET without arguments, POST with them."""
        # A setting has the same name as any other setting, so pairs are sent.
        pairs = [
            (name.rstrip("_0123456789"), value) for name, value in arguments.items()
        ]
        data = urlencode(pairs).encode() if pairs else None
        with urlopen(f"{self.url}{service}.json", data, timeout=120) as response:
            answer = json.load(response)
        assert answer["status"] == "ok", answer
        return dict(answer)

    def wait_for(self, job: str) -> None:
        """Wait until a job is finished."""
        deadline = time.monotonic() + JOB_SECONDS
        while True:
            finished = self.call("listjobs")["finished"]
            if job in {entry["id"] for entry in finished}:
                return
            assert time.monotonic() < deadline, self.log(job)
            time.sleep(0.2)

    def log(self, job: str) -> str:
        """Return what scrapyd and a job of it said."""
        files = [self.folder / "scrapyd.log", *self.folder.glob(f"logs/*/*/{job}.log")]
        return "\n".join(file.read_text("utf-8", "replace") for file in files)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean copy of the repository, but for the folder of a bootstrap."""
    folder = tmp_path_factory.mktemp("copy") / "ilspfc"

    def ignore(directory: str, names: list[str]) -> set[str]:
        is_root = Path(directory) == REPOSITORY
        return IGNORED(directory, names) | (IGNORED_AT_ROOT if is_root else set())

    shutil.copytree(REPOSITORY, folder, ignore=ignore)
    copy_domains(folder / "domains")
    for name in BOOTSTRAPPED:
        file = folder / "domains" / "bees" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("left by a bootstrap")
    return folder


@pytest.fixture(scope="module")
def scrapyd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scrapyd]:
    """A scrapyd of our own on a free port of the loopback interface."""
    folder = tmp_path_factory.mktemp("scrapyd")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "scrapyd.conf").write_text(CONFIGURATION.format(port=port))
    with _running_scrapyd(folder) as process:
        scrapyd = Scrapyd(f"http://127.0.0.1:{port}/", folder)
        deadline = time.monotonic() + START_SECONDS
        while not _answers(scrapyd):
            has_ended = process.poll() is not None
            if has_ended or time.monotonic() > deadline:
                pytest.fail(f"scrapyd did not start: {scrapyd.log('')}")
            time.sleep(0.1)
        yield scrapyd


@contextmanager
def _running_scrapyd(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    # Nothing of this repository may be found but what the egg brings.
    with (
        (folder / "scrapyd.log").open("wb") as log,
        subprocess.Popen(
            [sys.executable, "-m", "scrapyd"],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        ) as process,
    ):
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(timeout=120)
            except subprocess.TimeoutExpired:
                process.kill()


def _environment(**more: str) -> dict[str, str]:
    known = {"PYTHONPATH", "SCRAPY_SETTINGS_MODULE", "SCRAPY_PROJECT"}
    kept = {name: value for name, value in os.environ.items() if name not in known}
    return kept | more


def _answers(scrapyd: Scrapyd) -> bool:
    try:
        scrapyd.call("daemonstatus")
    except URLError:
        return False
    return True


@pytest.fixture(scope="module")
def egg(copy: Path, scrapyd: Scrapyd) -> Path:
    """The egg that scrapyd-deploy built in the copy and left in scrapyd's storage."""
    configuration = copy / "scrapy.cfg"
    text = configuration.read_text()
    assert "http://localhost:6800/" in text
    configuration.write_text(text.replace("http://localhost:6800/", scrapyd.url))
    result = subprocess.run(
        [sys.executable, "-m", "scrapyd_client.deploy", "--version", "r1"],
        cwd=copy,
        env=_environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    assert (answer["status"], answer["spiders"]) == ("ok", 2), result.stdout
    (egg,) = (scrapyd.folder / "eggs").glob("ilspfc/*.egg")
    return egg


@pytest.fixture(scope="module")
def job(scrapyd: Scrapyd, egg: Path, workshop: Site) -> str:
    """The id of a finished job that crawled the workshop with a worker."""
    answer = scrapyd.call(
        "schedule",
        project="ilspfc",
        spider="bilingual",
        langs="de,it",
        domain="demo",
        seeds=workshop.url,
        setting="GUARD_ALLOW=127.0.0.0/8",
        setting_2="DOWNLOAD_DELAY=0",
        setting_3="WORKERS=1",
    )
    job = str(answer["jobid"])
    scrapyd.wait_for(job)
    return job


@pytest.fixture(scope="module")
def corpus(scrapyd: Scrapyd, job: str) -> Path:
    """The folder of the job's corpus, the only one so far."""
    folders = list((scrapyd.folder / "corpora").glob("*"))
    assert len(folders) == 1, scrapyd.log(job)
    return folders[0]


def _run_from_egg(egg: Path, folder: Path, *arguments: str) -> str:
    """Return what a Python process prints that has the project from the egg alone."""
    environment = _environment(
        PYTHONPATH=str(egg), SCRAPY_SETTINGS_MODULE="ilspfc.settings"
    )
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout


# -- the egg -----------------------------------------------------------------------------


def test_the_egg_has_all_modules_and_data_files(egg: Path, copy: Path) -> None:
    with zipfile.ZipFile(egg) as archive:
        packed = set(archive.namelist())
    # The native walk is left out: an egg runs on any machine.
    files = [
        file
        for file in (copy / "ilspfc").rglob("*")
        if file.is_file() and file.stem.partition(".")[0] != "_walk"
    ]
    expected = {file.relative_to(copy).as_posix() for file in files}
    expected |= {f"ilspfc/domains/{name}" for name in DOMAIN_FILES}
    assert {
        "ilspfc/exports/interchange/tmx14.dtd",
        "ilspfc/domains/demo.tsv",
    } <= expected
    assert expected - packed == set()


def test_the_egg_has_nothing_else(egg: Path, copy: Path) -> None:
    with zipfile.ZipFile(egg) as archive:
        packed = archive.namelist()
        about = archive.read("EGG-INFO/PKG-INFO").decode()
        entry_points = archive.read("EGG-INFO/entry_points.txt").decode()
    others = [name for name in packed if not name.startswith(("ilspfc/", "EGG-INFO/"))]
    assert others == []
    # Definitions are deployed, what a bootstrap works with is not.
    assert [name for name in packed if "bees" in name] == []
    assert f"Name: ilspfc\nVersion: {__version__}\n" in about
    assert "[scrapy]\nsettings = ilspfc.settings\n" in entry_points
    assert (copy / "requirements.txt").is_file()


def test_domains_are_found_inside_the_egg(egg: Path, tmp_path: Path) -> None:
    printed = _run_from_egg(
        egg,
        tmp_path,
        "-c",
        "import ilspfc\n"
        "from ilspfc.crawl.arguments import domain_library\n"
        "library = domain_library()\n"
        "seeds = library.seeds('health-safety')\n"
        "print(ilspfc.__file__, library.names(), 'http' in seeds.read_text('utf-8'))",
    )
    assert printed == f"{egg}/ilspfc/__init__.py ['demo', 'health-safety'] True\n"


def test_domains_are_read_from_the_egg(egg: Path, tmp_path: Path) -> None:
    """The other one, that of the demo, is read by the job."""
    command = ("-m", "scrapy", "domain", "check", "health-safety")
    printed = _run_from_egg(egg, tmp_path, *command)
    assert printed.startswith("health-safety: ")
    assert "no problems" in printed


# -- a job in scrapyd --------------------------------------------------------------------


def test_both_spiders_are_listed(scrapyd: Scrapyd, egg: Path) -> None:
    with urlopen(
        f"{scrapyd.url}listspiders.json?project=ilspfc", timeout=120
    ) as answer:
        assert json.load(answer)["spiders"] == ["bilingual", "monolingual"]


def test_a_job_writes_a_translation_memory(corpus: Path) -> None:
    validate_tmx(corpus / "de-it.tmx")
    units = {(unit.source, unit.target) for unit in read_tmx(corpus / "de-it.tmx")}
    assert len(units) > 50
    assert units >= {
        (
            "Kein Handschuh schützt jedoch vor allem zugleich.",
            "Nessun guanto protegge però da tutto allo stesso tempo.",
        ),
        (
            "Ab 85 Dezibel müssen alle Beschäftigten Gehörschutz tragen.",
            "Da 85 decibel tutti i lavoratori devono portare gli otoprotettori.",
        ),
        ("Er ist nach zwölf Sekunden leer.", "Dopo dodici secondi è vuoto."),
    }


def test_workers_run_from_the_egg(scrapyd: Scrapyd, job: str, corpus: Path) -> None:
    stats = json.loads((corpus / "stats.json").read_text("utf-8"))
    manifest = json.loads((corpus / "manifest.json").read_text("utf-8"))
    assert manifest["settings"]["WORKERS"] == "1"
    assert (stats["fetch/pages"], stats["export/documents"]) == (17, 13)
    assert "cleaning/dropped/worker_lost" not in stats
    assert "Traceback" not in scrapyd.log(job)


def test_the_report_is_drawn_from_the_egg(corpus: Path, copy: Path) -> None:
    report = (corpus / "report.html").read_text("utf-8")
    templates = copy / "ilspfc" / "report" / "templates"
    style = (templates / "report.css").read_text("utf-8")
    assert style.strip() in report


def test_the_log_of_a_job_tells_progress_and_summary(
    scrapyd: Scrapyd, job: str, corpus: Path
) -> None:
    log = (scrapyd.folder / "logs" / "ilspfc" / "bilingual" / f"{job}.log").read_text()
    assert " pages done, " in log
    assert f"{corpus.relative_to(scrapyd.folder)}/report.html" in log


def test_each_job_has_a_corpus_of_its_own(corpus: Path, job: str) -> None:
    assert corpus.name == job


def test_a_job_with_a_wrong_argument_writes_nothing(
    scrapyd: Scrapyd, egg: Path
) -> None:
    before = len(list((scrapyd.folder / "corpora").glob("*")))
    answer = scrapyd.call(
        "schedule", project="ilspfc", spider="bilingual", langs="de,xx", domain="demo"
    )
    job = str(answer["jobid"])
    scrapyd.wait_for(job)
    assert len(list((scrapyd.folder / "corpora").glob("*"))) == before
    log = scrapyd.folder / "logs" / "ilspfc" / "bilingual" / f"{job}.log"
    assert "ilspfc: langs=de,xx: 'xx' is no known language code" in log.read_text()
    assert "exitstatus=2" in scrapyd.log(job)  # scrapyd's list calls it finished


def test_two_jobs_of_one_crawl_share_its_pages(
    scrapyd: Scrapyd,
    corpus: Path,  # found before there is another one
    workshop: Site,
    *,
    postgresql: PostgreSQLServer,
    egg: Path,
    dask_scheduler: str,
) -> None:
    """Two crawlers under scrapyd, PostgreSQL, and Dask's workers, as in docs/scale.md."""
    workshop.requests.clear()
    jobs = [
        str(
            scrapyd.call(
                "schedule",
                project="ilspfc",
                spider="bilingual",
                langs="de,it",
                domain="demo",
                seeds=workshop.url,
                setting="GUARD_ALLOW=127.0.0.0/8",
                setting_2="DOWNLOAD_DELAY=0",
                setting_3="WORKERS=0",
                setting_4="CORPUS_DIR=shared/scrapyd-demo",
                setting_5=f"FRONTIER_STORE={postgresql.url}",
            )["jobid"]
        )
        for _ in range(2)
    ]
    for job in jobs:
        scrapyd.wait_for(job)
    pages = [path for path in workshop.requests if path.endswith(".html")]
    assert len(pages) == len(set(pages)) > 10, list(map(scrapyd.log, jobs))
    parts = list((scrapyd.folder / "shared/scrapyd-demo/parts").iterdir())
    assert len(parts) == 2
    kept = {path.name for part in parts for path in part.glob("xml/*.xml")}
    folders = corpus / "xml", corpus / "duplicates"
    assert kept == {path.name for folder in folders for path in folder.glob("*.xml")}
    build = "-m scrapy build shared/scrapyd-demo --cluster".split()
    _run_from_egg(egg, scrapyd.folder, *build, dask_scheduler)
    built = scrapyd.folder / "shared/scrapyd-demo/de-it.tmx"
    assert list(read_tmx(built)) == list(read_tmx(corpus / "de-it.tmx"))
