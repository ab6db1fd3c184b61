"""Serves the demo site on loopback and crawls it, as a user would crawl a real site."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
SITE = PROJECT / "demo" / "www"
CORPUS = Path("corpora") / "demo"


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a log line for each."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Stay silent."""


def main() -> int:
    """Run the demo; return the exit status of the crawl."""
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(QuietHandler, directory=SITE)
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    seed = f"http://127.0.0.1:{server.server_port}/"
    command = ["scrapy", "crawl", "bilingual", "-a", "langs=de,it", "-a", "domain=demo"]
    command += ["-a", f"seeds={seed}", "-s", f"CORPUS_DIR={CORPUS}"]
    command += ["-s", "GUARD_ALLOW=127.0.0.0/8", "-s", "DOWNLOAD_DELAY=0"]
    print("$", " ".join(command), flush=True)
    # The demo starts afresh; a crawl of your own goes on where it was.
    shutil.rmtree(PROJECT / CORPUS, ignore_errors=True)
    result = subprocess.run([sys.executable, "-m", *command], cwd=PROJECT, check=False)
    server.shutdown()
    if not result.returncode:
        print(
            f"Open       {CORPUS}/report.html in a browser, or run make demo-web to search"
            " and judge the corpus there"
        )
    return result.returncode


if __name__ == "__main__":
    sys.exit(main())
