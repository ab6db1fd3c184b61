"""The guard: public addresses over http and https, and what the operator allows."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.utils.test import get_crawler
from twisted.internet.error import DNSLookupError
from twisted.internet.selectreactor import SelectReactor

from ilspfc.exceptions import SettingError
from ilspfc.middlewares.guard import (
    AddressGuard,
    AddressRefusedError,
    GuardMiddleware,
    GuardResolver,
    literal_address,
)

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

LOOPBACK = (
    "127.0.0.1 127.1 127.0.1 2130706433 0x7f.1 0x7f000001 0177.0.0.1 127.255.255.254"
)
PRIVATE = (
    "10.0.0.1 10.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.1.1 3232235777"
    " 0xc0a80101"
)
SPECIAL = (
    "0.0.0.0 0 0.1.2.3 169.254.169.254 0xa9fea9fe 100.64.0.1 192.0.2.1 198.18.0.1"
    " 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255"
)
IPV6 = (
    "[::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1]"
    " [::ffff:169.254.169.254] [fe80::1] [fc00::1] [fd12:3456::1] [ff02::1] [ff0e::1]"
    " [2001:db8::1]"
)
PUBLIC = (
    "8.8.8.8 1.1.1.1 134744072 0x08.0x08.0x08.0x08 172.32.0.1 192.169.0.1 100.128.0.1"
    " 169.253.0.1 [2606:4700::1111] [::ffff:8.8.8.8]"
)


@pytest.fixture
def crawler() -> Crawler:
    return make_crawler("")


def make_crawler(allow: object) -> Crawler:
    return get_crawler(settings_dict={"GUARD_ALLOW": allow})


def refused(crawler: Crawler, url: str) -> str:
    """Return why a request is refused, empty if it is not."""
    middleware = GuardMiddleware.from_crawler(crawler)
    try:
        middleware.process_request(Request(url))
    except AddressRefusedError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("host", f"{LOOPBACK} {PRIVATE} {SPECIAL} {IPV6}".split())
def test_an_address_that_is_not_public_is_refused_in_every_spelling(
    crawler: Crawler, host: str
) -> None:
    for url in (f"http://{host}/", f"https://u:p@{host}:8080/x?y"):
        assert "is no public address" in refused(crawler, url)


@pytest.mark.parametrize("host", PUBLIC.split())
def test_a_public_address_is_accepted(crawler: Crawler, host: str) -> None:
    assert refused(crawler, f"http://{host}/x") == ""


@pytest.mark.parametrize(
    "host",
    [
        *("[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[2002:7f00:1::]"),
        *("[2002:a9fe:a9fe::]", "[::127.0.0.1]", "[fec0::1]"),
    ],
)
def test_an_address_inside_an_address_is_judged_too(
    crawler: Crawler, host: str
) -> None:
    assert "is no public address" in refused(crawler, f"http://{host}/")


@pytest.mark.parametrize(
    "host", ["example.org", "www.example.org.", "localhost.org", "1.2.3.4.5", "0x7g", "münchen.de"]
)  # fmt: skip
def test_names_are_left_to_the_resolver(crawler: Crawler, host: str) -> None:
    assert refused(crawler, f"http://{host}/") == ""


def test_full_width_digits_are_digits(crawler: Crawler) -> None:
    assert refused(crawler, "http://１２７.０.０.１/")


@pytest.mark.parametrize(
    ("url", "scheme"),
    [
        ("ftp://example.org/x", "ftp"),
        ("file:///etc/passwd", "file"),
        ("data:text/html,x", "data"),
        ("s3://bucket/key", "s3"),
        ("gopher://example.org/", "gopher"),
    ],
)
def test_only_http_and_https_are_crawled(
    crawler: Crawler, url: str, scheme: str
) -> None:
    assert refused(crawler, url) == f"{scheme}: only http and https are crawled"
    allowed = make_crawler("0.0.0.0/0")
    assert refused(allowed, url), "whatever addresses are allowed"


def test_a_refusal_tells_what_to_set_and_ends_the_request(crawler: Crawler) -> None:
    assert issubclass(AddressRefusedError, IgnoreRequest)
    for host, allow in (
        ("127.0.0.1", "127.0.0.0/8"),
        ("192.168.1.7", "192.168.1.7/32"),
        ("[fd00::1]", "fd00::1/128"),
    ):
        message = refused(crawler, f"http://{host}/")
        assert message.startswith(f"{host.strip('[]')} is no public address")
        assert message.endswith(f"set GUARD_ALLOW={allow}")
        assert refused(make_crawler(allow), f"http://{host}/") == ""


# -- GUARD_ALLOW -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("allow", "host", "is_accepted"),
    [
        ("127.0.0.0/8", "127.0.0.1", True),
        ("127.0.0.0/8", "[::ffff:127.0.0.1]", True),
        ("127.0.0.0/8", "[::1]", False),
        ("127.0.0.0/8", "10.0.0.1", False),
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1", "127.0.0.2", False),
        ("::1", "[::1]", True),
        ("10.0.0.0/8, 192.168.0.0/16", "192.168.3.4", True),
        ("10.0.0.0/8,,", "10.1.2.3", True),
        (["10.0.0.0/8", "::1/128"], "[::1]", True),
        ("0.0.0.0/0", "169.254.169.254", True),
        ("10.0.0.0/8", "8.8.8.8", True),
        ("", "8.8.8.8", True),
    ],
)
def test_networks_can_be_allowed(allow: object, host: str, is_accepted: bool) -> None:
    reason = refused(make_crawler(allow), f"http://{host}/")
    assert (reason == "") == is_accepted


@pytest.mark.parametrize(
    "allow", ["localhost", "127.0.0.0/33", "10.0.0.1/8", "10.0.0.0/8;::1", "*", "127.1"]
)
def test_a_wrong_network_is_named_in_one_line(allow: str) -> None:
    with pytest.raises(SettingError) as caught:
        GuardMiddleware.from_crawler(make_crawler(allow))
    message = str(caught.value)
    assert message.startswith(f"GUARD_ALLOW={allow}: ")
    assert "such as 127.0.0.0/8" in message
    assert "\n" not in message


# -- ports -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "is_accepted"),
    [
        ("http://example.org/", True),
        ("https://example.org/", True),
        ("http://example.org:80/", True),
        ("http://example.org:443/", True),
        ("http://example.org:8080/", False),
        ("https://example.org:22/", False),
        ("http://example.org:0/", False),
        ("http://8.8.8.8:25/", False),
        ("http://[2606:4700::1111]:8080/", False),
    ],
)
def test_other_ports_are_refused(crawler: Crawler, url: str, is_accepted: bool) -> None:
    assert (refused(crawler, url) == "") == is_accepted


def test_a_refused_port_tells_what_to_set(crawler: Crawler) -> None:
    message = refused(crawler, "http://example.org:8080/")
    assert message.startswith("example.org: port 8080 is not allowed")
    assert message.endswith("set GUARD_ALLOW=:8080")
    for allow in (":8080", "10.0.0.0/8, :8080", [":8080"]):
        allowed = make_crawler(allow)
        assert refused(allowed, "http://example.org:8080/") == ""
        assert refused(allowed, "http://example.org:8081/")
        assert refused(allowed, "https://example.org/") == ""
        assert refused(allowed, "http://127.0.0.1:8080/")


@pytest.mark.parametrize(
    ("host", "is_accepted"),
    [
        *(("127.0.0.1", True), ("127.1", True), ("2130706433", True)),
        *(("localhost", True), ("www.localhost", True), ("LOCALHOST.", True)),
        *(("notlocalhost", False), ("example.org", False), ("8.8.8.8", False)),
    ],
)
def test_an_allowed_network_has_all_ports(host: str, is_accepted: bool) -> None:
    loopback = make_crawler("127.0.0.0/8")
    assert (refused(loopback, f"http://{host}:41234/") == "") == is_accepted


@pytest.mark.parametrize("host", ["localhost", "www.localhost", "LocalHost."])
def test_localhost_is_loopback(crawler: Crawler, host: str) -> None:
    for port in ("", ":8000"):
        assert "set GUARD_ALLOW=127.0.0.0/8" in refused(crawler, f"http://{host}{port}")
    assert refused(make_crawler("10.0.0.0/8"), f"http://{host}:8000")


@pytest.mark.parametrize(
    "port", [":", ":0", ":http", ":65536", ":80 443", ":-1", ":8０"]
)
def test_wrong_ports_are_named_in_one_line(port: str) -> None:
    with pytest.raises(SettingError) as caught:
        GuardMiddleware.from_crawler(make_crawler(f"127.0.0.0/8,{port}"))
    message = str(caught.value)
    assert message.startswith(f"GUARD_ALLOW=127.0.0.0/8,{port}: {port!r} is no port")
    assert "\n" not in message


# -- the log -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        (
            {"GUARD_ALLOW": "127.0.0.0/8,10.0.0.0/8"},
            "GUARD_ALLOW=127.0.0.0/8,10.0.0.0/8: these networks and ports may be contacted",
        ),
        (
            {"FETCH_INSECURE_HOSTS": "a.example.org"},
            "FETCH_INSECURE_HOSTS=a.example.org: their certificates are not verified",
        ),
        (
            {"DOWNLOAD_VERIFY_CERTIFICATES": False},
            "DOWNLOAD_VERIFY_CERTIFICATES is off: no certificate is verified",
        ),
    ],
)
def test_the_log_names_each_exception(
    caplog: pytest.LogCaptureFixture, settings: dict[str, Any], line: str
) -> None:
    strict = {"DOWNLOAD_VERIFY_CERTIFICATES": True}
    GuardMiddleware.from_crawler(get_crawler(settings_dict=strict))
    assert caplog.messages == []
    GuardMiddleware.from_crawler(get_crawler(settings_dict={**strict, **settings}))
    assert caplog.messages == [line]
    assert caplog.records[0].levelname == "WARNING"


# -- spellings ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "::1"),
        ("::1", "::1"),
        ("10.1", "10.0.0.1"),
        ("example.org", None),
        ("", None),
        ("ü", None),
        ("[::1", "::1"),
    ],
)
def test_literal_addresses(host: str, address: str | None) -> None:
    expected = ip_address(address) if address else None
    assert literal_address(host) == expected


# -- names -------------------------------------------------------------------------------


class RunningReactor(SelectReactor):
    """A reactor of the test's own, in a thread: the global one stays untouched."""

    def __init__(self) -> None:
        super().__init__()
        self._thread = threading.Thread(target=self.run, args=(False,))
        self._thread.start()

    def answer(self, resolver: GuardResolver, name: str) -> object:
        """Return the address of a name, or the error."""
        answers: list[Any] = []
        answered = threading.Event()

        def keep(answer: object) -> None:
            answers.append(getattr(answer, "value", answer))
            answered.set()

        def ask() -> None:
            resolver.getHostByName(name, (5,)).addBoth(keep)

        self.callFromThread(ask)
        assert answered.wait(20)
        return answers[0]

    def close(self) -> None:
        self.callFromThread(self.stop)
        self._thread.join(20)


@pytest.fixture(scope="module")
def reactor() -> Iterator[RunningReactor]:
    reactor = RunningReactor()
    yield reactor
    reactor.close()


def test_a_name_that_leads_to_loopback_is_refused(
    crawler: Crawler, reactor: RunningReactor
) -> None:
    resolver = GuardResolver.from_crawler(crawler, reactor)
    for _ in range(2):  # the second answer may come from a cache
        error = reactor.answer(resolver, "localhost")
        assert isinstance(error, AddressRefusedError)
        assert "localhost (127.0.0.1) is no public address" in str(error)
        # Twisted logs any other error of a resolver with its traceback.
        assert isinstance(error, DNSLookupError)


def test_a_name_that_leads_to_an_allowed_network_is_resolved(
    reactor: RunningReactor,
) -> None:
    resolver = GuardResolver.from_crawler(make_crawler("127.0.0.0/8"), reactor)
    assert reactor.answer(resolver, "localhost") == "127.0.0.1"


def test_addresses_are_judged_by_the_resolver_too(
    crawler: Crawler, reactor: RunningReactor
) -> None:
    resolver = GuardResolver.from_crawler(crawler, reactor)
    assert reactor.answer(resolver, "8.8.8.8") == "8.8.8.8"
    assert isinstance(reactor.answer(resolver, "10.0.0.1"), AddressRefusedError)


@pytest.mark.parametrize("proxy", ["http://ada:pass@localhost:3128", "localhost:3128"])
def test_a_proxy_may_be_in_a_private_network(
    crawler: Crawler,
    reactor: RunningReactor,
    monkeypatch: pytest.MonkeyPatch,
    proxy: str,
) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    resolver = GuardResolver.from_crawler(crawler, reactor)
    assert reactor.answer(resolver, "localhost") == "127.0.0.1"
    assert isinstance(reactor.answer(resolver, "127.0.0.1"), AddressRefusedError)


def test_a_name_that_changes_its_address_gains_nothing(
    crawler: Crawler, reactor: RunningReactor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: public when it is asked about, private when it is contacted."""
    answers = ["8.8.8.8", "169.254.169.254", "8.8.4.4", "127.0.0.1"]
    monkeypatch.setattr("socket.gethostbyname", lambda name: answers.pop(0))
    resolver = GuardResolver(reactor, 0, 10)
    found = [reactor.answer(resolver, "rebinding.example.org") for _ in range(4)]
    assert found[::2] == ["8.8.8.8", "8.8.4.4"]
    assert all(isinstance(answer, AddressRefusedError) for answer in found[1::2])


def test_the_guard_judges_mapped_addresses_as_what_they_are() -> None:
    guard = AddressGuard([ip_network("10.0.0.0/8")])
    assert guard.accept(ip_address("::ffff:10.1.2.3"))
    assert not guard.accept(ip_address("::ffff:192.168.1.1"))
