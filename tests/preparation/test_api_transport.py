"""HTTP for APIs: who asks, what may be reached, what comes of odd answers."""

from __future__ import annotations

import gzip
from ipaddress import ip_network
from typing import TYPE_CHECKING

import pytest
from conftest import SiteHandler

from ilspfc import __version__
from ilspfc.bootstrap.api.asking import LostAnswerError
from ilspfc.exceptions import BootstrapError
from ilspfc.middlewares.guard import AddressGuard
from ilspfc.stages.bootstrap.transport import ApiTransport

if TYPE_CHECKING:
    from conftest import Serve, Site

AGENTS: list[str] = []


class _Handler(SiteHandler):
    def respond(self) -> None:
        AGENTS.append(self.headers["User-Agent"])
        port = self.server.server_port
        path = self.path.partition("?")[0]
        if path == "/json":
            self.answer('{"a": 1}', content_type="application/json")
        elif path == "/gzip":
            packed = gzip.compress(b"packed " * 1000)
            self.answer(packed, headers={"Content-Encoding": "gzip"})
        elif path == "/broken":
            self.answer(b"\x1f\x8bno", headers={"Content-Encoding": "gzip"})
        elif path == "/busy":
            self.answer("wait", status=429, headers={"Retry-After": "3"})
        elif path == "/near":
            self.answer(status=302, headers={"Location": "/json"})
        elif path == "/away":
            away = f"http://localhost:{port}/json"
            self.answer(status=302, headers={"Location": away})
        elif path == "/file":
            self.answer(status=302, headers={"Location": "ftp://127.0.0.1/x"})
        elif path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"too little")
        else:
            self.answer(status=404)


@pytest.fixture(scope="module")
def site(serve: Serve) -> Site:
    return serve(_Handler)


def _transport(
    site: Site, guard: AddressGuard | None = None, size: int = 100_000
) -> ApiTransport:
    return ApiTransport(
        "me@example.org",
        [site.url],
        guard or AddressGuard(),
        timeout_seconds=5,
        max_bytes=size,
    )


def test_the_operator_is_named(site: Site) -> None:
    answer = _transport(site)(site.at("json?a=1"))
    assert (answer.status, answer.body) == (200, b'{"a": 1}')
    assert answer.headers["content-type"] == "application/json"
    assert AGENTS[-1] == f"ilspfc/{__version__} (text corpus crawler; me@example.org)"


@pytest.mark.parametrize("contact", ["", "  "])
def test_without_a_contact_nothing_is_asked(contact: str) -> None:
    with pytest.raises(BootstrapError, match=r"no contact.*--contact"):
        ApiTransport(contact, [], AddressGuard(), timeout_seconds=1, max_bytes=1)


def test_answers_are_unpacked(site: Site) -> None:
    assert _transport(site)(site.at("gzip")).body == b"packed " * 1000
    with pytest.raises(LostAnswerError, match="broken gzip"):
        _transport(site)(site.at("broken"))


@pytest.mark.parametrize("path", ["json", "gzip"])
def test_answers_have_a_largest_size(site: Site, path: str) -> None:
    with pytest.raises(BootstrapError, match="more than DOWNLOAD_MAXSIZE=5"):
        _transport(site, size=5)(site.at(path))


def test_errors_are_answers_too(site: Site) -> None:
    busy = _transport(site)(site.at("busy"))
    assert (busy.status, busy.body, busy.headers["retry-after"]) == (429, b"wait", "3")


def test_redirects_are_followed_where_the_guard_allows(site: Site) -> None:
    assert _transport(site)(site.at("near")).body == b'{"a": 1}'
    with pytest.raises(BootstrapError, match=r"localhost.*GUARD_"):
        _transport(site)(site.at("away"))
    allowed = AddressGuard([ip_network("127.0.0.0/8"), ip_network("::1/128")])
    assert _transport(site, allowed)(site.at("away")).body == b'{"a": 1}'


def test_other_schemes_are_refused(site: Site) -> None:
    with pytest.raises(BootstrapError, match="no http"):
        _transport(site)("file:///etc/hostname")
    with pytest.raises(BootstrapError, match="ftp"):
        _transport(site)(site.at("file"))


def test_a_private_address_that_was_not_named_is_refused(site: Site) -> None:
    with pytest.raises(BootstrapError, match=r"192\.168\.1\.1 is no public address"):
        _transport(site)("http://192.168.1.1/api.php")


def test_what_may_come_at_another_try_is_told_apart(site: Site) -> None:
    with pytest.raises(LostAnswerError, match="no whole answer"):
        _transport(site)(site.at("cut"))
    with pytest.raises(BootstrapError, match="cannot be reached") as caught:
        _transport(site)("http://127.0.0.1:9/api.php")
    assert not isinstance(caught.value, LostAnswerError)
