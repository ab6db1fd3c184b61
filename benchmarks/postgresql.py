"""A PostgreSQL server of one's own on loopback, for tests and benchmarks."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def find_programs() -> Path | None:
    """Return the folder of the server's programs, as Debian or the PATH has them."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if found := shutil.which("initdb"):
        places.append(Path(found).resolve().parent)
    return next((place for place in places if (place / "initdb").is_file()), None)


class PostgreSQLServer:
    """Server with its files in a folder; it can be killed and started again."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self.folder = folder
        self._data = folder / "data"
        # The server refuses to run as root.
        self._user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self._user:
            shutil.chown(folder, "postgres")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self._run(
            "initdb", "-D", self._data, "-U", "ilspfc", "-A", "trust", "-E", "UTF8"
        )

    @property
    def url(self) -> str:
        """Address of the database."""
        return f"postgresql://ilspfc@127.0.0.1:{self._port}/postgres"

    def _run(self, program: str, *arguments: str | Path) -> None:
        command = [*self._user, self._programs / program, *arguments]
        subprocess.run(
            command,
            check=True,
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
        )

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        options = (
            f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
            " -c shared_buffers=256MB -c max_wal_size=2GB"
        )
        log = self._data / "server.log"
        self._run("pg_ctl", "-D", self._data, "-w", "-l", log, "-o", options, "start")

    def stop(self) -> None:
        """Stop the server in order."""
        self._run("pg_ctl", "-D", self._data, "-m", "fast", "-w", "stop")

    def kill(self) -> None:
        """End the server as a crash does."""
        number = int((self._data / "postmaster.pid").read_text().split()[0])
        os.kill(number, 9)


@contextmanager
def run_postgresql() -> Iterator[PostgreSQLServer | None]:
    """Run a server for a while; None where there are no programs."""
    programs = find_programs()
    if programs is None:
        yield None
        return
    with tempfile.TemporaryDirectory(
        prefix="ilspfc-pg-", ignore_cleanup_errors=True
    ) as name:
        Path(name).chmod(0o755)
        server = PostgreSQLServer(programs, Path(name))
        server.start()
        try:
            yield server
        finally:
            server.stop()
