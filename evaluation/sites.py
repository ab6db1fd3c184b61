"""Crawls real multilingual sites over loopback and scores what comes of it.

``make evaluate`` runs it. The sites and their gold pairs are not part of the project; their
folder is given by ILSPFC_EVALUATION_DATA (default: ``../shared``). Where it is missing this
says so and ends well. It fails when a figure is below its floor in ``baseline.json``.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaluation.data import DATA, PROJECT, SITES, build_sites, skip_text
from ilspfc.exceptions import CorpusError
from ilspfc.exports import validate_tmx

if TYPE_CHECKING:
    from collections.abc import Iterator

BASELINE = PROJECT / "evaluation" / "baseline.json"
LANGS = "de,it"


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Stay silent."""


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve a folder on loopback; yield its URL."""
    handler = partial(_QuietHandler, directory=folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


def crawl(seed: str, corpus: Path) -> float:
    """Crawl a site for German and Italian; return the seconds that took."""
    command = [sys.executable, "-m", "scrapy", "crawl", "bilingual"]
    command += ["-a", f"langs={LANGS}", "-a", f"seeds={seed}"]
    command += ["-s", f"CORPUS_DIR={corpus}", "-s", "DOWNLOAD_DELAY=0"]
    command += ["-s", "GUARD_ALLOW=127.0.0.0/8"]
    started = time.monotonic()
    subprocess.run(
        command, cwd=PROJECT, check=True, stdout=subprocess.DEVNULL, stderr=sys.stderr
    )
    return time.monotonic() - started


def score_pairs(site: Path, pairs: Path) -> dict[str, Any]:
    """Return precision, recall and F1 of a list of pairs against the site's gold."""
    scorer = DATA / "sites" / "score_pairs.py"
    command = [sys.executable, str(scorer), "--set", str(site), "--langs", LANGS]
    answer = subprocess.run([*command, str(pairs)], check=True, capture_output=True)
    return dict(json.loads(answer.stdout))


def _is_valid(tmx: Path) -> bool:
    try:
        validate_tmx(tmx)
    except CorpusError as error:
        print(error, file=sys.stderr)
        return False
    return True


def evaluate_site(name: str, corpus: Path) -> dict[str, float]:
    """Crawl one site and return its figures."""
    build_sites(name)
    site = SITES / name
    with serve(site / "www") as seed:
        seconds = crawl(seed, corpus)
    files = sorted(path.name for path in (corpus / "xml").iterdir())
    scores = score_pairs(site, corpus / "pairs" / "de-it.tsv")
    return {
        "german": sum(name.startswith("deu-") for name in files),
        "italian": sum(name.startswith("ita-") for name in files),
        "other": sum(not re.match("deu-|ita-", name) for name in files),
        "precision": scores["precision"],
        "recall": scores["recall"],
        "f1": scores["f1"],
        "valid_tmx": float(_is_valid(corpus / "de-it.tmx")),
        "seconds": round(seconds, 1),
    }


def main() -> int:
    """Evaluate all sites; return 1 if a figure is below its floor."""
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    if shutil.which("apt-get") is None and not SITES.is_dir():
        print(
            "Skipped: the sites are built from Debian packages, but there is no apt-get."
        )
        return 0
    floors: dict[str, dict[str, float]] = json.loads(BASELINE.read_text())["sites"]
    failures = []
    for name, bounds in floors.items():
        with tempfile.TemporaryDirectory() as folder:
            figures = evaluate_site(name, Path(folder) / "corpus")
        print(name, json.dumps(figures))
        for key, floor in bounds.items():
            # Of pages in another language none may be there: the floor is a ceiling.
            missed = figures[key] > floor if key == "other" else figures[key] < floor
            if missed:
                failures.append(
                    f"{name}: {key} is {figures[key]}, the floor is {floor}"
                )
    print(*failures or ["All figures are at or above their floors."], sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
