"""What tests of the whole crawler share: sites on loopback, runs of Scrapy."""

from __future__ import annotations

import gc
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from http.server import (
    BaseHTTPRequestHandler,
    SimpleHTTPRequestHandler,
    ThreadingHTTPServer,
)
from pathlib import Path

import hypothesis
import pytest
from forked_scrapy import ScrapyRun, ScrapyServer

from benchmarks.postgresql import PostgreSQLServer, run_postgresql

# No test asserts a time: on a busy machine an example may take long.
hypothesis.settings.register_profile("ilspfc", deadline=None)
hypothesis.settings.load_profile("ilspfc")

REPOSITORY = Path(__file__).resolve().parent.parent
# What domains/ has; users may add to it.
DOMAIN_FILES = "README.md demo.tsv health-safety.tsv health-safety.seeds.txt".split()
SITES = Path(__file__).resolve().parent / "sites"
BYTECODE = REPOSITORY / ".pytest_cache" / "bytecode"

# What is set here holds for all processes that tests start.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    # Elsewhere, then: to compile the project at each of many starts takes minutes.
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(BYTECODE)
    sys.dont_write_bytecode = False
# Tests run side by side, one for each core: threads that wait for a core are busy waiting.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Of every crawl unless a test says otherwise.
CRAWL_SETTINGS = {
    "GUARD_ALLOW": "127.0.0.0/8",
    "DOWNLOAD_DELAY": "0",
    # A worker takes a second to load what it needs. Tests want one where pages, rules or
    # ends of a crawl are of a kind that no other test sends through one.
    "WORKERS": "0",
    # Sites of the tests answer what does not exist as they answer all else, and pages of a
    # site are alike.
    "FRONTIER_TRAPS": "False",
}
TIMEOUT_SECONDS = 900.0

Handler = Callable[..., BaseHTTPRequestHandler]


def pytest_collection_finish() -> None:
    """Leave what was loaded, a million objects, out of all garbage collections."""
    gc.collect()
    gc.freeze()


# -- sites on loopback -------------------------------------------------------------------


class Site(ThreadingHTTPServer):
    """A site on a free port of the loopback interface.

    ``requests`` are the paths asked for, in their order; each answer is held back for
    ``delay_seconds``, which may be changed at any time.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handler: Callable[..., BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.requests: list[str] = []
        self.delay_seconds = 0.0
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,))
        self._thread.start()

    @property
    def url(self) -> str:
        """The URL of the home page."""
        return f"http://127.0.0.1:{self.server_port}/"

    def at(self, path: str) -> str:
        """Return the URL of a page."""
        return self.url + path

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent: a client that is killed or gives up is no error here."""

    def close(self) -> None:
        """Stop serving."""
        self.shutdown()
        self.server_close()
        self._thread.join()


class QuietHandler(BaseHTTPRequestHandler):
    """Says nothing of requests on standard error, but has the site remember them."""

    server: Site

    def parse_request(self) -> bool:
        """Write the path down and wait as the site is told to."""
        is_valid = super().parse_request()
        if is_valid:
            self.server.requests.append(self.path)
            time.sleep(self.server.delay_seconds)
        return is_valid

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Stay silent."""


class FolderHandler(QuietHandler, SimpleHTTPRequestHandler):
    """Serves the files of a folder; HTML goes without a charset in its header."""


class SiteHandler(QuietHandler):
    """Base of the handlers that tests write."""

    def do_GET(self) -> None:
        """Answer a request."""
        self.respond()

    def respond(self) -> None:
        """Send what the test wants to be answered at ``self.path``."""
        raise NotImplementedError

    def answer(
        self,
        body: bytes | str = b"",
        *,
        status: int = 200,
        content_type: str = "text/html",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Send a whole response."""
        data = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


class Serve:
    """Starts sites and ends them all together."""

    def __init__(self) -> None:
        self._sites: list[Site] = []

    def __call__(self, source: Path | Handler) -> Site:
        """Serve a folder, or what a handler answers."""
        if isinstance(source, Path):
            site = Site(partial(FolderHandler, directory=str(source)))
        else:
            site = Site(source)
        self._sites.append(site)
        return site

    def close(self) -> None:
        """End all sites."""
        for site in self._sites:
            site.close()


@pytest.fixture(scope="session")
def serve() -> Iterator[Serve]:
    """Serves folders and handlers on loopback until the end of the tests."""
    serve = Serve()
    yield serve
    serve.close()


@pytest.fixture(scope="session")
def workshop(serve: Serve) -> Site:
    """The small German and Italian site that most crawls of the tests visit."""
    return serve(SITES / "workshop")


# -- runs of Scrapy ----------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """How a process ended and what it said."""

    status: int
    stdout: str
    stderr: str

    @property
    def error(self) -> str:
        """The one line on standard error; fails where there are more or none."""
        lines = self.stderr.splitlines()
        assert len(lines) == 1, self.stderr
        return lines[0]


def copy_domains(folder: Path) -> None:
    """Make a folder with the domains of this project, without what a user has added."""
    folder.mkdir()
    for name in DOMAIN_FILES:
        shutil.copy(REPOSITORY / "domains" / name, folder)


class Project:
    """A working folder with a ``scrapy.cfg`` of its own and the domains of this project."""

    def __init__(self, folder: Path, server: ScrapyServer) -> None:
        self.folder = folder
        self._server = server
        (folder / "scrapy.cfg").write_text("[settings]\ndefault = ilspfc.settings\n")
        copy_domains(folder / "domains")
        self._original = self.files()

    def files(self) -> set[str]:
        """Return the paths of all files and folders in the working folder."""
        return {
            path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*")
        }

    @property
    def written(self) -> set[str]:
        """What was not there at the beginning."""
        return self.files() - self._original

    def start(self, *arguments: str) -> ScrapyRun:
        """Start ``scrapy`` with arguments in the working folder, in a fork."""
        environment = scrapy_environment()
        return self._server.start(
            arguments, folder=self.folder, environment=environment
        )

    def run(self, *arguments: str, timeout_seconds: float = TIMEOUT_SECONDS) -> Result:
        """Run ``scrapy`` with arguments, in a fork; it is killed when it takes too long."""
        with self.start(*arguments) as run:
            stdout, stderr = run.communicate(timeout_seconds)
        assert run.returncode is not None
        return Result(run.returncode, stdout, stderr)

    def run_process(
        self,
        *arguments: str,
        stdin: str | None = None,
        timeout_seconds: float = TIMEOUT_SECONDS,
    ) -> Result:
        """Run ``scrapy`` as users do, in a process that has to import everything.

        It is killed when it takes too long. For what a fork cannot show: that a command
        imports what it needs, and that the order of a set does not matter.
        """
        done = subprocess.run(
            [sys.executable, "-m", "scrapy", *arguments],
            cwd=self.folder,
            env=scrapy_environment(),
            input=stdin or "",
            capture_output=True,
            encoding="utf-8",
            timeout=timeout_seconds,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    def crawl(
        self, spider: str, settings: Mapping[str, str | None], **arguments: str
    ) -> Result:
        """Run a crawl, with the settings of every crawl of the tests beneath its own.

        A setting that is None is left at the project's default.
        """
        return self.run(*crawl_command(spider, settings, **arguments))


def scrapy_environment() -> dict[str, str]:
    """Return the environment of all runs of ``scrapy``.

    Scrapy leaves the name of the settings in that of a process that has read them.
    """
    mine = {k: v for k, v in os.environ.items() if k != "SCRAPY_SETTINGS_MODULE"}
    return {
        **mine,
        "PYTHONPATH": str(REPOSITORY),
        "PYTHONIOENCODING": "utf-8",
    }


def crawl_command(
    spider: str, settings: Mapping[str, str | None], **arguments: str
) -> list[str]:
    """Return the command line of a crawl, beginning after ``scrapy``."""
    command = ["crawl", spider]
    for name, value in arguments.items():
        command += ["-a", f"{name}={value}"]
    for name, setting in {**CRAWL_SETTINGS, **settings}.items():
        if setting is not None:
            command += ["-s", f"{name}={setting}"]
    return command


@pytest.fixture(scope="session")
def scrapy_server() -> Iterator[ScrapyServer]:
    """The process of which runs of ``scrapy`` are forked."""
    server = ScrapyServer(scrapy_environment())
    yield server
    server.close()


@pytest.fixture(scope="session")
def make_project(
    tmp_path_factory: pytest.TempPathFactory, scrapy_server: ScrapyServer
) -> Callable[[], Project]:
    """Makes working folders."""
    return lambda: Project(tmp_path_factory.mktemp("project"), scrapy_server)


@pytest.fixture
def project(make_project: Callable[[], Project]) -> Project:
    """A working folder for one test."""
    return make_project()


@dataclass(frozen=True)
class Crawl:
    """A crawl that has ended: where it ran, how it ended, the folder of its corpus."""

    project: Project
    result: Result
    corpus: Path


@pytest.fixture(scope="session")
def bilingual_crawl(make_project: Callable[[], Project], workshop: Site) -> Crawl:
    """A bilingual crawl of the workshop, for all tests that only read its corpus."""
    project = make_project()
    settings = {
        "CORPUS_DIR": "out",
        "LOGSTATS_INTERVAL": "0.2",
        "WORKERS": "1",
    }
    result = project.crawl(
        "bilingual", settings, langs="de,it", domain="demo", seeds=workshop.url
    )
    return Crawl(project, result, project.folder / "out")


def run_together(calls: Iterable[Callable[[], Result]]) -> list[Result]:
    """Return the results of runs that go on side by side, as many as there are cores."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        return list(threads.map(lambda call: call(), calls))


@pytest.fixture(scope="session")
def together() -> Callable[[Iterable[Callable[[], Result]]], list[Result]]:
    """Runs several calls of ``scrapy`` side by side."""
    return run_together


# -- suites of others --------------------------------------------------------------------


@pytest.fixture
def count_cases(
    record_property: Callable[[str, object], None],
) -> Callable[[str, int, int], None]:
    """Takes how many cases of a suite passed, of how many; the end of the run prints it."""
    return lambda suite, passed, total: record_property(
        "suite", f"{suite}: {passed:,} of {total:,}"
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the cases of suites that passed, one line each."""
    reports = [
        *terminalreporter.getreports("passed"),
        *terminalreporter.getreports("failed"),
    ]
    said = (
        said
        for report in reports
        for name, said in report.user_properties
        if name == "suite"
    )
    if lines := sorted(set(said)):
        terminalreporter.section("suites of others")
        for line in lines:
            terminalreporter.write_line(line)


# -- servers -----------------------------------------------------------------------------


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQLServer]:
    """A PostgreSQL server on loopback."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    with run_postgresql() as server:
        if server is None:
            pytest.skip("PostgreSQL is not installed")
        yield server


@pytest.fixture(scope="module")
def dask_scheduler() -> Iterator[str]:
    """A scheduler and two workers, each a process of its own; the scheduler's address."""
    distributed = pytest.importorskip("distributed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
    commands = [
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", address, "--no-dashboard"],
        *[
            [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1",
             "--no-dashboard", "--host", "127.0.0.1"]
        ] * 2,
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent / "cluster")}
    running = [
        subprocess.Popen(
            command,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for command in commands
    ]
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            with distributed.Client(
                address, timeout=10, set_as_default=False
            ) as client:
                client.wait_for_workers(2, timeout=120)
            break
        except OSError:
            time.sleep(0.2)
    yield address
    # The workers first: one that has lost its scheduler waits for it, and does not end.
    for process in reversed(running):
        process.terminate()
        process.wait(120)
