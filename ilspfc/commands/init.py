"""``scrapy init [JOB.toml]``: a job file, written in a dialog of five questions."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

from scrapy.exceptions import UsageError

from ilspfc.command import ProjectCommand, say, warn
from ilspfc.exceptions import ArgumentError, IlspfcError

_DEFAULT_FILE = "job.toml"
_TEXT = """\
# A job of ilspfc: run it by `ilspfc run {file}`, again to go on.
languages = {languages}
seeds = {seeds}
domain = {domain}  # a file or a name in domains/; "none" keeps every page
contact = {contact}  # shown to the sites that are visited
corpus = {corpus}
# scope = "site"   # or host, path, any

[exports]
# formats = ["tmx", "moses", "tsv", "jsonl", "text", "cesalign"]
# preset = "annotate"   # or clean, off
# sample = 20   # units and pairs shown in the report

[settings]
# any of docs/settings.md, such as
# FRONTIER_MAX_PAGES = 1000
"""


class Command(ProjectCommand):
    """Asks for languages, seeds, subject, contact and folder, each checked at once."""

    arguments = "[JOB.toml]"

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Ask, and write the file."""
        from ilspfc.crawl.arguments import (
            NO_DOMAIN,
            parse_langs,
            parse_seeds,
            read_domain,
        )
        from ilspfc.crawl.job_file import read_job
        from ilspfc.setting_checks import check_contact

        if len(args) > 1:
            raise UsageError("give one file, or none for job.toml")
        path = Path(args[0] if args else _DEFAULT_FILE)
        if path.exists():
            raise ArgumentError(f"{path}: there already; give another name")
        langs = _ask(
            "Languages (codes, such as de,it): ", lambda a: parse_langs("--langs", a)
        )
        codes = parse_langs("--langs", langs)
        seeds = _ask("Seeds (URLs, or a file with one a line): ", parse_seeds)
        domain = _ask(
            f"Subject (a definition or a name in domains/) [{NO_DOMAIN}]: ",
            lambda answer: answer == NO_DOMAIN or read_domain(answer, codes),
            NO_DOMAIN,
        )
        contact = _ask(
            "Contact for the sites (e-mail or URL): ",
            lambda answer: check_contact("FETCH_CONTACT", answer),
        )
        folder = f"corpora/{path.stem}"
        corpus = _ask(f"Folder of the corpus [{folder}]: ", str, folder)
        answers = {
            "languages": json.dumps([code.strip() for code in langs.split(",")]),
            "seeds": json.dumps(seeds, ensure_ascii=False),
            "domain": json.dumps(domain, ensure_ascii=False),
            "contact": json.dumps(contact, ensure_ascii=False),
            "corpus": json.dumps(corpus, ensure_ascii=False),
        }
        path.write_text(_TEXT.format(file=path, **answers), encoding="utf-8")
        read_job(path)
        say(f"{path}: written; go on with `scrapy run {path}`")


def _ask(question: str, check: Callable[[str], object], default: str = "") -> str:
    """Return the answer to a question, asked again until it can be used.

    ArgumentError where the input ends.
    """
    while True:
        try:
            answer = input(question).strip() or default
        except EOFError:
            raise ArgumentError(
                f"{question.strip()} no answer; answer five questions, or write the file"
                " as docs/commands.md says"
            ) from None
        try:
            check(answer)
        except IlspfcError as error:
            warn(error)
        else:
            return answer
