"""What harvest is measured on: a portal of real sites, and made-up graphs."""

from __future__ import annotations

import csv
import json
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from evaluation.data import SITES, build_sites
from evaluation.domain_texts import graph_texts, reference_texts
from evaluation.graph_behind import build_behind
from evaluation.graph_misleading import build_misleading
from evaluation.graph_text import domain_definition
from evaluation.served import folder_pages, serve_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from evaluation.served import PageKey, ServedPages

LANGS = ("de", "it")
# The portal links to the first three; the labels take in the fourth.
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
    # Fetches or writes the texts that define the domain.
    texts: Callable[[], Path]
    wanted: frozenset[PageKey]
    budget: int
    # Puts the links of the start in another order; 0 is the usual one.
    arrange: Callable[[int], None] = lambda order: None
    # The page that a crawl starts from, where it is no page to be counted.
    passed: frozenset[PageKey] = frozenset()


def _read_labels(path: Path) -> frozenset[PageKey]:
    with path.open(encoding="utf-8", newline="") as file:
        return frozenset(
            ("127.0.0.1", f"/{row['site']}/www/{row['path']}")
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if row["label"] == "in" and row["lang"] in LANGS
        )


def _portal_page(order: int) -> bytes:
    """Return the page with links to the German and Italian start pages of three sites."""
    starts: list[str] = []
    for name in PORTAL_SETS[:3]:
        site = json.loads((SITES / name / "site.json").read_text(encoding="utf-8"))
        starts += (
            f"{name}/www/{path}"
            for entry, path in site["entries"].items()
            if entry.split()[0] in LANGS
        )
    if order:
        Random(order).shuffle(starts)
    items = "".join(f'<li><a href="/{path}">{path}</a></li>' for path in starts)
    head = '<head><meta charset="utf-8"><title>portal</title></head>'
    return f"<!DOCTYPE html><html>{head}<body><ul>{items}</ul></body></html>".encode()


@contextmanager
def open_portal(folder: Path, budget: int) -> Iterator[Ground]:
    """Serve the portal over the real sites, which are built where they are missing."""
    build_sites(*PORTAL_SETS)
    home = ("127.0.0.1", "/")
    portal = {home: _portal_page(0)}
    read = folder_pages(SITES)

    def arrange(order: int) -> None:
        portal[home] = _portal_page(order)

    with serve_pages(lambda key, port: portal.get(key) or read(key, port)) as served:
        yield Ground(
            served,
            "bilingual",
            {
                "langs": ",".join(LANGS),
                "seeds": served.url(home),
                "domain": str(SITES / "domain" / "network-security.tsv"),
            },
            partial(reference_texts, LANGS),
            _read_labels(SITES / "domain" / "labels.tsv"),
            budget or PORTAL_PAGES,
            arrange,
            frozenset({home}),
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
                "seeds": ",".join(map(served.url, graph.seeds)),
                "domain": str(domain),
                "scope": "any",
            },
            partial(graph_texts, folder / "texts"),
            frozenset(graph.relevant),
            budget or GRAPH_PAGES,
        )


# A ground is opened with a folder for its files and the pages of a crawl, 0 for its own.
OPEN: dict[str, Callable[[Path, int], AbstractContextManager[Ground]]] = {
    "portal": open_portal,
    **{name: partial(open_graph, name) for name in GRAPHS},
}
