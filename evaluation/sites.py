"""Crawls real multilingual sites over loopback and scores what comes of it.

``make evaluate`` runs it: German and Italian of the sites that have floors. ``--sites`` and
``--langs`` name others (``--sites bitcoin-hard,apache-manual-hard --langs en,fr``), ``-s``
sets what crawls are run with (``-s PAIRING_THRESHOLD=0.95``). The sites and their gold pairs
are not part of the project; their folder is given by ILSPFC_EVALUATION_DATA (default:
``../shared``). Where it is missing this says so and ends well. It fails when a figure is
below its floor in ``baseline.json``.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from evaluation.data import DATA, PROJECT, SITES, build_sites, skip_text
from ilspfc.exceptions import CorpusError
from ilspfc.exports import validate_tmx
from ilspfc.text.codes import to_iso639_3

BASELINE = PROJECT / "evaluation" / "baseline.json"
FLOOR_LANGS = "de,it"


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


def crawl(seed: str, corpus: Path, langs: str, settings: Sequence[str] = ()) -> float:
    """Crawl a site for languages like "de,it"; return the seconds that took."""
    command = [sys.executable, "-m", "scrapy", "crawl", "bilingual"]
    command += ["-a", f"langs={langs}", "-a", f"seeds={seed}"]
    command += ["-s", f"CORPUS_DIR={corpus}", "-s", "DOWNLOAD_DELAY=0"]
    for setting in ("GUARD_ALLOW=127.0.0.0/8", *settings):
        command += ["-s", setting]
    started = time.monotonic()
    subprocess.run(
        command, cwd=PROJECT, check=True, stdout=subprocess.DEVNULL, stderr=sys.stderr
    )
    return time.monotonic() - started


def score_pairs(site: Path, pairs: Path, langs: str) -> dict[str, Any]:
    """Return precision, recall and F1 of a list of pairs against the site's gold."""
    scorer = DATA / "sites" / "score_pairs.py"
    command = [sys.executable, str(scorer), "--set", str(site), "--langs", langs]
    answer = subprocess.run([*command, str(pairs)], check=True, capture_output=True)
    return dict(json.loads(answer.stdout))


def _is_valid(tmx: Path) -> bool:
    try:
        validate_tmx(tmx)
    except CorpusError as error:
        print(error, file=sys.stderr)
        return False
    return True


def evaluate_site(
    name: str, corpus: Path, langs: str, settings: Sequence[str] = ()
) -> dict[str, float]:
    """Crawl one site and return its figures: documents, pairs, seconds."""
    build_sites(name)
    site = SITES / name
    with serve(site / "www") as seed:
        seconds = crawl(seed, corpus, langs, settings)
    found = Counter(path.name.split("-")[0] for path in (corpus / "xml").iterdir())
    documents = {lang: found.pop(to_iso639_3(lang), 0) for lang in langs.split(",")}
    pair = langs.replace(",", "-")
    scores = score_pairs(site, corpus / "pairs" / f"{pair}.tsv", langs)
    return {
        **documents,
        "other": found.total(),
        "precision": scores["precision"],
        "recall": scores["recall"],
        "f1": scores["f1"],
        "valid_tmx": float(_is_valid(corpus / f"{pair}.tmx")),
        "seconds": round(seconds, 1),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate all sites; return 1 if a figure is below its floor."""
    floors: dict[str, dict[str, float]] = json.loads(BASELINE.read_text())["sites"]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", default=",".join(floors), help="names, by commas")
    parser.add_argument("--langs", default=FLOOR_LANGS, help="two codes, by a comma")
    parser.add_argument(
        "-s", action="append", default=[], dest="settings", metavar="NAME=VALUE"
    )
    options = parser.parse_args(arguments)
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    if shutil.which("apt-get") is None and not SITES.is_dir():
        print(
            "Skipped: the sites are built from Debian packages, but there is no apt-get."
        )
        return 0
    failures = []
    for name in options.sites.split(","):
        with tempfile.TemporaryDirectory() as folder:
            corpus = Path(folder) / "corpus"
            figures = evaluate_site(name, corpus, options.langs, options.settings)
        print(name, json.dumps(figures))
        bounds = floors.get(name, {}) if options.langs == FLOOR_LANGS else {}
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
