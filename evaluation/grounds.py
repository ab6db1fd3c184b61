"""What harvest is measured on: a portal of real sites, and made-up graphs."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from evaluation.data import SITES, build_sites
from evaluation.domain_texts import book_texts, graph_texts
from evaluation.graph_behind import build_behind
from evaluation.graph_misleading import build_misleading
from evaluation.graph_text import domain_definition
from evaluation.served import folder_pages, serve_pages

if TYPE_CHECKING:
    from evaluation.served import PageKey, ServedPages

LANGS = ("de", "it")
# A crawl starts from the first three; the labels take in the fourth.
PORTAL_SETS = ("lilypond", "installation-guide", "debian-handbook", "apache-manual")
PORTAL_PAGES = 400
GRAPHS = {"behind": build_behind, "misleading": build_misleading}
GRAPH_PAGES = 1000


@dataclass(frozen=True)
class Ground:
    """What is crawled: pages that are served, a start, the pages that are wanted."""

    served: ServedPages
    spider: str
    arguments: Mapping[str, str]
    # Returns the seeds in an order of the start; 0 is the usual one.
    start: Callable[[int], str]
    # Fetches or writes the texts that define the domain.
    texts: Callable[[], Path]
    wanted: frozenset[PageKey]
    budget: int
    # The page that a crawl starts from, where it is no page to be counted.
    passed: frozenset[PageKey] = frozenset()


def _read_labels(path: Path) -> frozenset[PageKey]:
    with path.open(encoding="utf-8", newline="") as file:
        return frozenset(
            ("127.0.0.1", f"/{row['site']}/www/{row['path']}")
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if row["label"] == "in" and row["lang"] in LANGS
        )


def start_pages(order: int) -> list[str]:
    """Return the German and Italian start pages of three sites, in an order."""
    starts: list[str] = []
    for name in PORTAL_SETS[:3]:
        site = json.loads((SITES / name / "site.json").read_text(encoding="utf-8"))
        starts += (
            f"/{name}/www/{path}"
            for entry, path in site["entries"].items()
            if entry.split()[0] in LANGS
        )
    if order:
        Random(order).shuffle(starts)
    return starts


def index_page(order: int) -> bytes:
    """Return the page with links to the start pages."""
    items = "".join(
        f'<li><a href="{path}">{path[1:]}</a></li>' for path in start_pages(order)
    )
    head = '<head><meta charset="utf-8"><title>portal</title></head>'
    return f"<!DOCTYPE html><html>{head}<body><ul>{items}</ul></body></html>".encode()


@contextmanager
def open_portal(
    folder: Path, budget: int, *, from_index: bool = False
) -> Iterator[Ground]:
    """Serve the real sites, which are built where they are missing.

    A crawl starts from their start pages, or from the index page that links to them.
    """
    build_sites(*PORTAL_SETS)
    home = ("127.0.0.1", "/")
    index: dict[PageKey, bytes] = {}
    read = folder_pages(SITES)

    def start(order: int) -> str:
        if from_index:
            index[home] = index_page(order)
            return served.url(home)
        return ",".join(served.url((home[0], path)) for path in start_pages(order))

    with serve_pages(lambda key, port: index.get(key) or read(key, port)) as served:
        yield Ground(
            served,
            "bilingual",
            {
                "langs": ",".join(LANGS),
                "domain": str(SITES / "domain" / "network-security.tsv"),
            },
            start,
            partial(book_texts, LANGS),
            _read_labels(SITES / "domain" / "labels.tsv"),
            budget or PORTAL_PAGES,
            frozenset({home}) if from_index else frozenset(),
        )


@contextmanager
def open_graph(name: str, folder: Path, budget: int) -> Iterator[Ground]:
    """Serve a made-up graph, each host at an address of its own."""
    graph = GRAPHS[name]()
    domain = folder / "bees.tsv"
    domain.write_text(domain_definition(), encoding="utf-8")
    with serve_pages(graph.render, graph.hosts) as served:
        yield Ground(
            served,
            "monolingual",
            {
                "lang": "en",
                "domain": str(domain),
                "scope": "any",
            },
            lambda order: ",".join(map(served.url, graph.seeds)),
            partial(graph_texts, folder / "texts"),
            frozenset(graph.relevant),
            budget or GRAPH_PAGES,
        )


# A ground is opened with a folder for its files and the pages of a crawl, 0 for its own.
OPEN: dict[str, Callable[[Path, int], AbstractContextManager[Ground]]] = {
    "portal": open_portal,
    "index": partial(open_portal, from_index=True),
    **{name: partial(open_graph, name) for name in GRAPHS},
}
