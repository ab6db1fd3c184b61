"""A crawl with signed requests: sites that let nobody in whom they cannot verify."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest
from conftest import SiteHandler
from cryptography.exceptions import InvalidSignature
from signature_verifier import verify

from ilspfc.web.signatures import make_key, read_key

if TYPE_CHECKING:
    from conftest import Project, Result, Serve, Site
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

AGENT = 'sig1="https://example.org/.well-known/http-message-signatures-directory"'
TEXT = "<p>Die Leiter steht sicher auf dem Boden, bevor jemand sie betritt.</p>" * 3


@dataclass
class Doorkeeper:
    """What both sites know: the crawler's key, nonces, paths that were let in or refused."""

    key: Ed25519PublicKey
    nonces: set[object] = field(default_factory=set)
    seen: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


class SignedHandler(SiteHandler):
    """Answers signed requests alone: a page with links, a busy one, a redirect elsewhere."""

    door: ClassVar[Doorkeeper]
    elsewhere: ClassVar[str] = ""

    def respond(self) -> None:
        """Verify the request for this site, and answer it."""
        where = f"{self.server.server_port}{self.path}"
        try:
            assert self.headers.get_all("Signature-Agent") == [AGENT]
            # Of the site's own address, not of what the request says.
            url = self.server.at(self.path.lstrip("/"))
            found = verify(self.door.key, "sig1", "GET", url, self.headers)
            assert found["nonce"] not in self.door.nonces
        except (InvalidSignature, AssertionError, KeyError, TypeError):
            self.door.refused.append(where)
            self.answer(status=403)
            return
        is_new = where not in self.door.seen
        self.door.seen.append(where)
        self.door.nonces.add(found["nonce"])
        if self.path == "/robots.txt":
            self.answer("User-agent: *\nAllow: /\n", content_type="text/plain")
        elif self.path == "/busy.html" and is_new:
            self.answer(status=503)
        elif self.path == "/moved.html":
            self.answer(status=302, headers={"Location": self.elsewhere + "new.html"})
        else:
            links = '<a href="busy.html">voll</a> <a href="moved.html">umgezogen</a>'
            page = f"<html lang=de><title>{self.path}</title>{self.path}{TEXT}{links}"
            self.answer(page)


@dataclass(frozen=True)
class SignedCrawl:
    """A crawl over two sites, the second of which the first redirects to."""

    result: Result
    door: Doorkeeper
    sites: list[Site]
    folder: Path


@pytest.fixture(scope="module")
def crawl(make_project: Callable[[], Project], serve: Serve) -> SignedCrawl:
    project = make_project()
    path = project.folder / "key.pem"
    make_key(path)
    door = Doorkeeper(read_key(path.read_bytes()).public_key())
    second = serve(type("Second", (SignedHandler,), {"door": door}))
    attributes = {"door": door, "elsewhere": second.url}
    first = serve(type("First", (SignedHandler,), attributes))
    settings = {
        "CORPUS_DIR": "out",
        "FETCH_SIGNING_KEY": "key.pem",
        "FETCH_CONTACT": "me@example.org, https://example.org/crawler",
    }
    result = project.crawl(
        "monolingual", settings, lang="de", seeds=first.url, scope="any"
    )
    return SignedCrawl(result, door, [first, second], project.folder / "out")


def test_each_request_is_signed_for_the_site_that_gets_it(crawl: SignedCrawl) -> None:
    assert crawl.result.status == 0, crawl.result
    assert crawl.door.refused == []
    first, second = (site.server_port for site in crawl.sites)
    seen = crawl.door.seen
    assert {f"{first}/", f"{first}/moved.html", f"{second}/new.html"} <= {*seen}
    # The files of a site, too.
    assert {f"{first}/robots.txt", f"{second}/robots.txt"} <= {*seen}
    assert f"{first}/.well-known/tdmrep.json" in seen


def test_a_retry_has_a_signature_of_its_own(crawl: SignedCrawl) -> None:
    busy = f"{crawl.sites[0].server_port}/busy.html"
    assert crawl.door.seen.count(busy) == 2
    # The door takes no nonce twice.
    assert len(crawl.door.nonces) == len(crawl.door.seen)


def test_without_a_key_nobody_is_let_in(project: Project, crawl: SignedCrawl) -> None:
    before = len(crawl.door.seen)
    project.crawl(
        "monolingual", {"CORPUS_DIR": "out"}, lang="de", seeds=crawl.sites[0].url
    )
    assert len(crawl.door.seen) == before
    assert crawl.door.refused != []
