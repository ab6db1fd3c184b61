"""Sitemaps beside pages: what names them, and hosts that have more than can be read."""

from __future__ import annotations

import gzip
import signal
import time
from typing import TYPE_CHECKING

import pytest
from conftest import SiteHandler, crawl_command
from crawled_corpus import CrawledCorpus

if TYPE_CHECKING:
    from conftest import Project, Serve, Site

pytestmark = pytest.mark.slow

GERMAN = (
    "Wer auf dem Dach arbeitet, sichert sich gegen den Absturz. Ein Gerüst oder ein"
    " Seitenschutz geht dabei vor, denn die persönliche Ausrüstung schützt nur den, der"
    " sie richtig anlegt und der ihre Verankerung vorher geprüft hat."
)
# All of them take minutes.
SITEMAPS = 20
ADDRESSES = 50_000
ENDS_SECONDS = 300.0


class ArchiveHandler(SiteHandler):
    """Pages in one folder that only a compressed sitemap names, behind an index."""

    def respond(self) -> None:
        host = f"http://127.0.0.1:{self.server.server_port}"
        if self.path == "/sitemap.xml":
            child = f"<sitemap><loc>{host}/all.xml.gz</loc></sitemap>"
            self.answer(
                f"<sitemapindex>{child}</sitemapindex>", content_type="text/xml"
            )
        elif self.path == "/all.xml.gz":
            urls = "".join(
                f"<url><loc>{host}/{page}</loc></url>"
                for page in ("de/eins", "de/zwei", "en/one")
            )
            body = gzip.compress(f"<urlset>{urls}</urlset>".encode())
            self.answer(body, content_type="application/gzip")
        elif self.path.startswith("/de/"):
            self.answer(f"<title>{self.path}</title><p>{self.path}: {GERMAN}")
        else:
            self.answer("<p>not here", status=404)


@pytest.mark.parametrize(
    "limits", [{"scope": "path"}, {"allow": "/de/*"}, {"deny": "*.xml*,/en/*"}]
)
def test_sitemaps_are_no_links(
    project: Project, serve: Serve, limits: dict[str, str]
) -> None:
    site = serve(ArchiveHandler)
    settings = {"CORPUS_DIR": "out"}
    project.crawl("monolingual", settings, lang="de", seeds=site.at("de/"), **limits)
    fates = CrawledCorpus(project.folder / "out").fates()
    assert {path for path, fate in fates.items() if fate == "kept"} == {
        *("de/", "de/eins", "de/zwei")
    }


class FloodHandler(SiteHandler):
    """Sitemaps with a million addresses."""

    body = b"".join(b"<url><loc>/@/%d</loc></url>" % n for n in range(ADDRESSES))

    def respond(self) -> None:
        name = self.path.strip("/")
        if name == "robots.txt":
            lines = "".join(f"Sitemap: /{n}.xml\n" for n in range(SITEMAPS))
            self.answer(lines, content_type="text/plain")
        elif name.endswith(".xml"):
            urls = self.body.replace(b"@", name.encode())
            self.answer(b"<urlset>%s</urlset>" % urls, content_type="text/xml")
        else:
            self.answer(f"<title>{name}</title><p>{name}: {GERMAN}")


class QuietSiteHandler(SiteHandler):
    """Five pages in a row."""

    def respond(self) -> None:
        name = self.path.strip("/") or "0"
        if name.isdecimal() and int(name) < 5:
            link = f'<a href="/{int(name) + 1}">weiter</a>'
            self.answer(f"<title>{name}</title><p>{name}: {GERMAN}</p>{link}")
        else:
            self.answer("<p>not here", status=404)


def test_large_sitemaps_keep_neither_other_hosts_nor_limits_waiting(
    project: Project, serve: Serve
) -> None:
    flood, quiet = serve(FloodHandler), serve(QuietSiteHandler)
    settings = {
        "CORPUS_DIR": "out",
        "FRONTIER_MAX_SECONDS": "10",
        "ARCHIVE_WARC": "False",
    }
    seeds = f"{flood.url},{quiet.url}"
    project.crawl("monolingual", settings, lang="de", seeds=seeds)
    assert {*("/", "/1", "/2", "/3", "/4")} <= {*quiet.requests}
    corpus = CrawledCorpus(project.folder / "out")
    assert corpus.stats["frontier/limit_reached"] == "seconds"
    assert _count_sitemaps(flood) < SITEMAPS


def test_ctrl_c_ends_the_reading_of_sitemaps(project: Project, serve: Serve) -> None:
    flood = serve(FloodHandler)
    settings = {"CORPUS_DIR": "out", "ARCHIVE_WARC": "False", "WORKERS": "1"}
    command = crawl_command("monolingual", settings, lang="de", seeds=flood.url)
    with project.start(*command) as process:
        while not _count_sitemaps(flood) and process.poll() is None:
            time.sleep(0.1)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=ENDS_SECONDS)
    assert _count_sitemaps(flood) < SITEMAPS
    assert not (project.folder / "out" / "lock").exists()


def _count_sitemaps(site: Site) -> int:
    return sum(path.endswith(".xml") for path in tuple(site.requests))
