"""Ctrl-C while the stages over a corpus run, at the end of a crawl."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from benchmarks.faults.disks import compare
from benchmarks.faults.runs import Row, Run, crawl_command, run
from benchmarks.resume import PROJECT, documents
from benchmarks.site import SEED, Site, host_of, make_answer

PAGES = 80
PARAGRAPHS = 12
LINES_A_PARAGRAPH = 3
LANGS = ("de", "it")
HOSTS = 2  # of which most faults use the first
LIMIT_SECONDS = 120.0
# The time that the first Ctrl-C has, the time after the second, and that until it is killed.
FIRST_SECONDS = 3.0
SECOND_SECONDS = 5.0
KILL_SECONDS = 20.0
# What the line of progress says of stages.
STAGES = {
    "pairing": "pairing documents",
    "alignment": "aligning segments",
    "exports": "writing TMX",
}
_INTERRUPTED = 130
_UNTRUE_RE = re.compile(r"^\W*Pairs\s+none found", re.MULTILINE)


def _read_lines(lang: str) -> list[str]:
    path = PROJECT / "evaluation" / f"sentences.{lang}.txt"
    return path.read_text("utf-8").replace(" | ", " ").splitlines()


def url_of(lang: str, number: int, port: int, host: int = 0) -> str:
    """Return the URL of a page."""
    return f"http://{host_of(host, HOSTS)}:{port}/{lang}/{number}.html"


def iter_bilingual(port: int, hosts: int = 1) -> Iterator[tuple[str, bytes]]:
    """Yield pages in two languages; each links to its translation and to the next."""
    for host, lang in product(range(hosts), LANGS):
        lines = _read_lines(lang)
        other = LANGS[1 - LANGS.index(lang)]
        for number in range(PAGES):
            draw = random.Random(f"{SEED} {number}" + f" {host}" * host)
            paragraphs = [
                " ".join(draw.choices(lines, k=LINES_A_PARAGRAPH))
                + f" ({draw.randrange(10**6)})"
                for _ in range(PARAGRAPHS)
            ]
            text = "".join(f"<p>{one}</p>" for one in paragraphs)
            links = [url_of(other, number, port, host)]
            behind = (2 * number + 1, 2 * number + 2)
            links += [url_of(lang, n, port, host) for n in behind if n < PAGES]
            anchors = "".join(f'<li><a href="{link}">{link[-9:]}</a>' for link in links)
            html = (
                f"<!DOCTYPE html><html lang={lang}><meta charset=utf-8>"
                f"<title>{number}</title>{text}<ul>{anchors}</ul>"
            )
            yield url_of(lang, number, port, host), make_answer(html.encode())


def interrupted_stages(folder: Path) -> Iterator[Row]:
    """Interrupt pairing, alignment and exports with two signals, then run them again."""
    with Site(iter_bilingual, 1) as site:
        corpus = folder / "corpus"
        seeds = [url_of(lang, 0, site.port) for lang in LANGS]
        crawl = crawl_command(corpus, seeds, {"langs": "de,it"}, spider="bilingual")
        row = Row("7 undisturbed", len(LANGS) * PAGES)
        row.add(run(crawl, folder / "0.log", LIMIT_SECONDS))
        whole = documents(corpus)
        row.kept = len(whole)
        row.complain(not list(corpus.glob("*.tmx")), "no pairs to lose")
        yield row
        for stage, said in STAGES.items():
            row = Row(f"7 Ctrl-C in {stage}")
            _interrupt(row, Run(crawl, folder / f"{stage}.log"), said)
            row.complain((corpus / ".lock").exists(), "the lock is left")
            row.add(run(crawl, folder / f"{stage}-again.log", LIMIT_SECONDS))
            compare(row, corpus, whole)
            yield row


def _interrupt(row: Row, crawl: Run, said: str) -> None:
    """Interrupt a crawl at a stage, once and again, and see how it ends."""
    if not crawl.wait_until(lambda: said in crawl.output, LIMIT_SECONDS):
        row.complaints.append("the stage was not seen")
    crawl.interrupt()
    crawl.wait_until(lambda: False, FIRST_SECONDS)
    crawl.interrupt()
    second = time.monotonic()
    ended = crawl.wait(KILL_SECONDS)
    seconds = time.monotonic() - second
    row.complain(seconds > SECOND_SECONDS, f"{seconds:.0f} s after the second Ctrl-C")
    row.add(ended, may_fail=True)
    row.complain(
        ended.status not in {_INTERRUPTED, -9}, f"status {ended.status}, not 130"
    )
    row.complain(
        _UNTRUE_RE.search(ended.output) is not None, "says that there are no pairs"
    )
