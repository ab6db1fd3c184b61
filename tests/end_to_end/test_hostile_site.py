"""A site that attacks its crawler: each attack ends with a reason, and the crawl goes on."""

from __future__ import annotations

import gzip
import json
import sqlite3
import time
import zlib
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, ClassVar

import brotli  # type: ignore[import-untyped]
import pytest
from conftest import SiteHandler
from crawled_corpus import CrawledCorpus
from file_examples import zstd
from sums import check_sums

if TYPE_CHECKING:
    from conftest import Crawl, Project, Serve, Site

pytestmark = pytest.mark.slow

TIMEOUT_SECONDS = 6
MAX_BYTES = 1_000_000
# Less than half of the cost of "busy" on a quick idle machine, many times that of all others.
CPU_SECONDS = 0.4
# Enough for the limit of the tests, and within the limits of markup.
ITEMS = 55_000

TEXT = (
    "<html lang=de><title>Sicher auf dem Dach</title><p>Vor jeder Arbeit auf dem Dach"
    " steht die Gefährdungsbeurteilung. Der Arbeitgeber sieht sich die Stelle an und"
    " überlegt, wo ein Absturz droht.</p><p>Wer ohne Geländer arbeitet, trägt einen"
    " Gurt und prüft die Schutzausrüstung vor jedem Einsatz.</p>"
)
BOMB = b"<p>x</p>" * MAX_BYTES

# What the site does at each path, and the reason of the loss.
ATTACKS = {
    "drip": "fetch/timeout",
    "gzip": "fetch/too_large",
    "deflate": "fetch/too_large",
    "brotli": "fetch/too_large",
    "zstd": "fetch/too_large",
    "zstd-frames": "fetch/too_large",
    "gzip-members": "fetch/too_large",
    "layers": "fetch/too_large",
    "endless": "fetch/too_large",
    "announced": "fetch/too_large",
    "headers": "fetch/too_large",
    "provisional": "fetch/too_large",
    "hop0": "fetch/redirects",
    "to-private": "fetch/address_refused",
    "to-octal": "fetch/address_refused",
    "to-short": "fetch/address_refused",
    "to-port": "fetch/address_refused",
    "refresh-private": "fetch/address_refused",
    "busy": "cleaning/timeout",
    "attributes": "cleaning/excessive_markup",
    "tags": "cleaning/excessive_markup",
    "punycode": "kept",
    "idna": "kept",
    "nested": "kept",
    "to-file": "",
    "refresh-file": "kept",
    "plain": "kept",
}
# Addresses of their own: of two redirects to one, the second is of a page that is known.
TARGETS = {
    "to-private": "http://192.168.0.1/",
    "to-octal": "http://0300.0250.2/",
    "to-short": "http://10.2/",
    "to-port": "http://127.0.0.1.example.org:22/",
    "to-file": "file:///etc/hostname",
}
BODIES = {
    "gzip": gzip.compress(BOMB),
    "deflate": zlib.compress(BOMB),
    "br": brotli.compress(BOMB, quality=1),
    "zstd": zstd.compress(BOMB),
}
ENCODED = {
    "gzip": ("gzip", BODIES["gzip"]),
    "deflate": ("deflate", BODIES["deflate"]),
    "brotli": ("br", BODIES["br"]),
    "zstd": ("zstd", BODIES["zstd"]),
    "zstd-frames": ("zstd", zstd.compress(b"") * 2000),
    "gzip-members": ("gzip", gzip.compress(b"") * 2000),
    "layers": ("gzip, gzip, gzip", gzip.compress(gzip.compress(gzip.compress(b"x")))),
}
PAGES = {
    "busy": f"{TEXT}<ul>{'<li>x y z' * ITEMS}",
    "attributes": f"<p {' '.join(f'a{n}=x' for n in range(60_000))}>{TEXT}",
    "tags": TEXT + "<b>" * 200_000,
    "nested": "<div>" * 10_000 + TEXT,
    "refresh-private": f'<meta http-equiv=refresh content="0;url=http://10.0.0.1/">{TEXT}',
    "refresh-file": f'<meta http-equiv=refresh content="0;url=file:///etc/x">{TEXT}',
    "plain": TEXT,
}


class HostileHandler(SiteHandler):
    """Answers each path with its attack."""

    cookies: ClassVar[list[str]] = []

    def respond(self) -> None:
        if cookie := self.headers.get("Cookie"):
            self.cookies.append(cookie)
        name = self.path.strip("/")
        if name in ENCODED:
            encoding, body = ENCODED[name]
            self.answer(body, headers={"Content-Encoding": encoding})
        elif name in TARGETS:
            self.answer(status=302, headers={"Location": TARGETS[name]})
        elif name in PAGES:
            self.answer(PAGES[name])
        elif name in {"punycode", "idna"}:
            html = TEXT.encode("ascii", "xmlcharrefreplace") + b"<!-- " + b"x" * 500_000
            self.answer(html, content_type=f"text/html; charset={name}")
        elif name.startswith("hop"):
            location = f"/hop{int(name[3:]) + 1}"
            self.answer(status=302, headers={"Location": location})
        else:
            getattr(self, f"get_{name}", self.get_index)()

    def get_index(self) -> None:
        if self.path != "/":
            self.answer(status=404)
            return
        links = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ATTACKS)
        self.answer(
            f"{TEXT}<ul>{links}</ul>", headers={"Set-Cookie": "visitor=1; Path=/"}
        )

    def _begin(self, **headers: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def get_drip(self) -> None:
        """Send a byte every half second, for much longer than the limit."""
        self._begin()
        for _ in range(8 * TIMEOUT_SECONDS):
            self.wfile.write(b"x")
            time.sleep(0.5)

    def get_endless(self) -> None:
        self._begin()
        for _ in range(1000):
            self.wfile.write(b"<p>x</p>" * 10_000)

    def get_headers(self) -> None:
        """Send a header that does not end."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(20_000):
            self.wfile.write(b"X-%d: %s\r\n" % (number, b"x" * 8000))

    def get_provisional(self) -> None:
        """Promise an answer again and again (RFC 9110, section 15.2)."""
        for _ in range(1_000_000):
            self.wfile.write(b"HTTP/1.1 103 Early Hints\r\nX: x\r\n\r\n" * 100)

    def get_announced(self) -> None:
        self._begin(Content_Length=str(MAX_BYTES + 1))
        self.wfile.write(TEXT.encode())


@pytest.fixture(scope="module")
def site(serve: Serve) -> Site:
    return serve(HostileHandler)


@pytest.fixture(scope="module")
def crawl(make_project: Callable[[], Project], site: Site) -> Crawl:
    from conftest import Crawl

    project = make_project()
    settings = {
        "CORPUS_DIR": "out",
        "DOWNLOAD_TIMEOUT": str(TIMEOUT_SECONDS),
        "DOWNLOAD_MAXSIZE": str(MAX_BYTES),
        "REDIRECT_MAX_TIMES": "5",
        "WORKERS": "1",
        "WORKERS_CPU_SECONDS": str(CPU_SECONDS),
        "LOG_LEVEL": "INFO",
    }
    result = project.crawl(
        "monolingual", settings, lang="de", seeds=site.url, scope="any"
    )
    return Crawl(project, result, project.folder / "out")


@pytest.fixture(scope="module")
def corpus(crawl: Crawl) -> CrawledCorpus:
    return CrawledCorpus(crawl.corpus)


@pytest.fixture(scope="module")
def failures(crawl: Crawl, site: Site) -> dict[str, tuple[str, str]]:
    """Reason and cause of each URL of the site that did not become a page, by path."""
    with closing(sqlite3.connect(crawl.corpus / "corpus.db")) as connection, connection:
        rows = connection.execute("SELECT url, reason, cause FROM failures").fetchall()
    connection.close()
    return {
        url.removeprefix(site.url): (f"fetch/{reason}", cause)
        for url, reason, cause in rows
    }


@pytest.mark.parametrize("name", [name for name, fate in ATTACKS.items() if fate])
def test_each_attack_has_the_fate_that_it_should_have(
    name: str, corpus: CrawledCorpus, failures: dict[str, tuple[str, str]]
) -> None:
    fate = corpus.fates().get(name) or failures.get(name, ("none",))[0]
    assert fate == ATTACKS[name]


def test_the_crawl_ends_well(crawl: Crawl, corpus: CrawledCorpus) -> None:
    assert crawl.result.status == 0
    assert "Traceback" not in crawl.result.stderr
    assert corpus.fates()[""] == "kept"


def test_every_address_and_page_has_one_fate(crawl: Crawl) -> None:
    check_sums(crawl.corpus)


def test_the_site_that_lost_most_addresses_raises_an_alarm(crawl: Crawl) -> None:
    status = json.loads((crawl.corpus / "status.json").read_text("utf-8"))
    (text,) = [a["text"] for a in status["alarms"] if a["name"] == "lost_site"]
    assert text.startswith("127.0.0.1")
    assert "Alarm      127.0.0.1" in crawl.result.stdout


def test_the_losses_are_counted(corpus: CrawledCorpus) -> None:
    drops = corpus.drops()
    for reason in set(ATTACKS.values()) - {"", "kept"}:
        assert drops[reason] == list(ATTACKS.values()).count(reason), reason


def test_a_drip_is_cut_off_and_not_asked_for_again(
    site: Site, failures: dict[str, tuple[str, str]]
) -> None:
    assert site.requests.count("/drip") == 1
    assert failures["drip"][1] == "timed out amid the answer"


def test_what_is_refused_is_not_asked_for_again(site: Site, crawl: Crawl) -> None:
    assert crawl.result.status == 0
    for name, reason in ATTACKS.items():
        assert site.requests.count(f"/{name}") == 1, (name, reason)


def test_redirects_are_followed_a_few_times(site: Site, crawl: Crawl) -> None:
    assert crawl.result.status == 0
    hops = [path for path in site.requests if path.startswith("/hop")]
    assert hops == [f"/hop{number}" for number in range(6)]


def test_causes_name_what_was_refused(failures: dict[str, tuple[str, str]]) -> None:
    assert "192.168.0.1 is no public address" in failures["to-private"][1]
    assert "port 22 is not allowed" in failures["to-port"][1]
    assert "GUARD_ALLOW=:22" in failures["to-port"][1]
    assert "10.0.0.1 is no public address" in failures["refresh-private"][1]
    assert "DOWNLOAD_MAXSIZE=1000000" in failures["brotli"][1]
    assert "header larger than 262144 bytes" in failures["headers"][1]
    assert "3 times over" in failures["layers"][1]
    assert "too many parts" in failures["zstd-frames"][1]


def test_no_cookie_is_sent_back(crawl: Crawl) -> None:
    assert crawl.result.status == 0
    assert HostileHandler.cookies == []


def test_nothing_listens_for_commands(crawl: Crawl) -> None:
    """Scrapy's log names telnet console and remote control where they are on."""
    log = crawl.result.stderr
    extensions = log.partition("Enabled extensions:")[2].partition("]")[0]
    assert "PageLedger" in extensions
    assert "telnet" not in extensions
    assert "remote_control" not in extensions
    assert "listening on" not in log


def test_the_log_names_the_networks_that_are_allowed(crawl: Crawl) -> None:
    warnings = [
        line for line in crawl.result.stderr.splitlines() if "WARNING: GUARD" in line
    ]
    assert len(warnings) == 1
    assert (
        "GUARD_ALLOW=127.0.0.0/8: these networks and ports may be contacted"
        in warnings[0]
    )
