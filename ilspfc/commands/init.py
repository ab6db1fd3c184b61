"""``scrapy init [JOB.toml]``: a job file to be filled in, or a key for signed requests."""

from __future__ import annotations

import argparse
from pathlib import Path

from ilspfc.command import ProjectCommand, say, warn
from ilspfc.exceptions import ArgumentError

_TEXT = """\
# A job of ilspfc: change what follows, then run it by `ilspfc run {file}`, again to go on.
languages = ["de", "it"]   # one for a monolingual corpus
seeds = "https://www.example.org/"   # or a list of URLs, or a file with one a line
domain = "none"   # keeps every page; or a file of terms, or a name in domains/
contact = ""   # your e-mail address or web page, shown to the sites that are visited
corpus = "corpora/{name}"
# scope = "site"   # or host, path, any

[exports]
# formats = ["tmx", "moses", "tsv", "jsonl", "text", "cesalign"]
# preset = "annotate"   # or clean, off

[settings]
# any of docs/settings.md, such as
# FRONTIER_MAX_PAGES = 1000
"""


class Command(ProjectCommand):
    """Writes a job file with everything that a crawl needs, each with its meaning."""

    arguments = "[JOB.toml]"
    takes = 0, 1, "give one file, or none for job.toml"
    options = (
        (
            "--signing-key",
            "FILE",
            "make a key for FETCH_SIGNING_KEY if the file is not there, and print its directory",
        ),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Write the file, unless it is there."""
        if opts.signing_key:
            self._print_directory(Path(opts.signing_key))
            return
        path = Path(args[0] if args else "job.toml")
        if path.exists():
            raise ArgumentError(f"{path}: there already; give another name")
        path.write_text(_TEXT.format(file=path, name=path.stem), encoding="utf-8")
        say(f"{path}: written; change it, then run `scrapy run {path}`")

    def _print_directory(self, path: Path) -> None:
        """Print the directory of a key, made if need be; advice goes to standard error."""
        from ilspfc.web.signatures import Signer, make_key, read_host

        read_host(self.settings["FETCH_CONTACT"])  # before anything is written
        if not path.exists():
            make_key(path)
        self.settings.set("FETCH_SIGNING_KEY", str(path), priority="cmdline")
        signer = Signer.from_settings(self.settings)
        body, headers = signer.sign_directory()
        # Without a line break: the digest is of what is printed.
        print(body, end="", flush=True)
        lines = [f"{name}: {value}" for name, value in headers.items()]
        warn("\n".join([f"serve this at {signer.address} with the header", *lines]))
