"""HTTP for APIs: who asks, what may be reached, what comes of odd answers."""

from __future__ import annotations

import gzip
from ipaddress import ip_network
from typing import TYPE_CHECKING

import httpx2
import pytest
from conftest import SiteHandler

from ilspfc.bootstrap import api_client
from ilspfc.bootstrap.api_client import ApiClient
from ilspfc.bootstrap.api_transport import GuardedTransport
from ilspfc.exceptions import BootstrapError
from ilspfc.middlewares.guard import AddressGuard

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
            zipped = {"Content-Encoding": "gzip"}
            self.answer(packed, content_type="text/plain", headers=zipped)
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


def _client(
    site: Site, guard: AddressGuard | None = None, size: int = 100_000
) -> ApiClient:
    return ApiClient(
        GuardedTransport([site.url], guard or AddressGuard()),
        "the operator",
        timeout_seconds=60,
        max_bytes=size,
        sleep=lambda _: None,
    )


def _get(client: ApiClient, url: str) -> str:
    with client:
        return client.text(url, {}, "text")


def test_the_operator_is_named(site: Site) -> None:
    with _client(site) as client:
        assert client.json(site.at("json?a=1"), {}) == {"a": 1}
    assert AGENTS[-1] == "the operator"


def test_answers_are_unpacked(site: Site) -> None:
    assert _get(_client(site), site.at("gzip")) == "packed " * 1000
    with pytest.raises(BootstrapError, match="incomplete answer"):
        _get(_client(site), site.at("broken"))


@pytest.mark.parametrize("path", ["json", "gzip"])
def test_answers_have_a_largest_size(site: Site, path: str) -> None:
    with pytest.raises(BootstrapError, match="more than DOWNLOAD_MAXSIZE=5"):
        _get(_client(site, size=5), site.at(path))


def test_busy_servers_are_told_apart(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_client, "MAX_WAIT_SECONDS", 2.0)
    with pytest.raises(BootstrapError, match="HTTP 429, and asks for 3 seconds"):
        _get(_client(site), site.at("busy"))


def test_redirects_are_followed_where_the_guard_allows(site: Site) -> None:
    assert _get(_client(site), site.at("near")) == '{"a": 1}'
    with pytest.raises(BootstrapError, match=r"localhost.*GUARD_"):
        _get(_client(site), site.at("away"))
    allowed = AddressGuard([ip_network("127.0.0.0/8"), ip_network("::1/128")])
    assert _get(_client(site, allowed), site.at("away")) == '{"a": 1}'


def test_the_address_that_is_judged_is_connected_to(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [["93.184.216.34"], ["127.0.0.1"]]
    asked: list[str] = []

    def resolve(host: str, port: int, **_: object) -> list[object]:
        asked.append(host)
        return [(0, 0, 0, "", (ip, port)) for ip in answers[len(asked) > 1]]

    connected: list[str] = []

    def connect(address: tuple[str, int], *_: object, **__: object) -> None:
        connected.append(address[0])
        raise OSError("no network")

    monkeypatch.setattr("socket.getaddrinfo", resolve)
    monkeypatch.setattr("socket.create_connection", connect)
    with pytest.raises(BootstrapError, match="cannot be reached"):
        _get(_client(site), "http://rebinding.example.org/")
    assert connected == ["93.184.216.34"]
    with pytest.raises(BootstrapError, match="no public address"):
        _get(_client(site), "http://rebinding.example.org/")
    assert len(connected) == 1


def test_certificates_are_verified_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[httpx2.Request] = []

    def handle(self: object, request: httpx2.Request) -> httpx2.Response:
        sent.append(request)
        return httpx2.Response(200, json={})

    def resolve(host: str, port: int, **_: object) -> list[object]:
        return [(0, 0, 0, "", ("2606:2800:220::1", port))]

    monkeypatch.setattr("httpx2.HTTPTransport.handle_request", handle)
    monkeypatch.setattr("socket.getaddrinfo", resolve)
    with httpx2.Client(transport=GuardedTransport([], AddressGuard())) as client:
        answer = client.get("https://api.example.org/a?b=1")
    assert answer.url.host == "api.example.org"  # which redirects are relative to
    (request,) = sent
    assert str(request.url) == "https://[2606:2800:220::1]/a?b=1"
    assert request.headers["Host"] == "api.example.org"
    assert request.extensions["sni_hostname"] == "api.example.org"


def test_other_schemes_are_refused(site: Site) -> None:
    with pytest.raises(BootstrapError, match="protocol"):
        _get(_client(site), "file:///etc/hostname")
    with pytest.raises(BootstrapError, match="ftp"):
        _get(_client(site), site.at("file"))


def test_a_private_address_that_was_not_named_is_refused(site: Site) -> None:
    with pytest.raises(BootstrapError, match=r"192\.168\.1\.1 is no public address"):
        _get(_client(site), "http://192.168.1.1/api.php")


def test_a_failure_that_may_pass_is_tried_again(site: Site) -> None:
    with pytest.raises(BootstrapError, match=r"incomplete answer.*5 times"):
        _get(_client(site), site.at("cut"))
    with pytest.raises(BootstrapError, match="cannot be reached"):
        _get(_client(site), "http://127.0.0.1:9/api.php")
