"""The guard: only public addresses are contacted, over http and https on their ports.

A crawler follows links that strangers wrote. A link to ``169.254.169.254`` or to the
operator's router must not be followed, nor a name or redirect that leads there.
"""

from __future__ import annotations

import logging
import re
import socket
from collections.abc import Iterable, Iterator, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from ipaddress import ip_network as parse_network
from typing import Self
from urllib.parse import urlsplit
from urllib.request import getproxies

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.resolver import CachingThreadedResolver
from scrapy.settings import BaseSettings
from scrapy.utils.datatypes import LocalCache
from twisted.internet.base import ReactorBase
from twisted.internet.defer import Deferred
from twisted.internet.error import DNSLookupError

from ilspfc.crawl.archives.warc_replay import is_replay
from ilspfc.exceptions import SettingError

logger = logging.getLogger(__name__)

_NAT64 = IPv6Network("64:ff9b::/96")
_COMPATIBLE = IPv6Network("::/96")

Network = IPv4Network | IPv6Network
Address = IPv4Address | IPv6Address


_LOOPBACK = IPv4Address("127.0.0.1")
_PORTS = {"http": 80, "https": 443}
# Reasons for refused names. Twisted passes on only that a name has no address.
refused_names: LocalCache[str, str] = LocalCache(10_000)


class AddressRefusedError(IgnoreRequest):
    """The address of a URL may not be contacted."""


class AddressGuard:
    """Decides what may be contacted: public addresses on some ports, and allowed networks.

    In an allowed network every port is open: the operator runs the servers there.
    """

    def __init__(
        self, allowed: Sequence[Network] = (), ports: Iterable[int] = (80, 443)
    ) -> None:
        self._allowed = tuple(allowed)
        self._ports = frozenset(ports)

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Return the guard of the settings; SettingError for wrong ones."""
        value = settings.getlist("GUARD_ALLOW")
        items = [text.strip() for text in value if text.strip()]
        # One colon: a network of IPv6 has more.
        given = [item for item in items if item[0] == ":" and item.count(":") == 1]
        try:
            ports = [_parse_port(item) for item in given]
            networks = [parse_network(item) for item in items if item not in given]
        except ValueError as error:
            raise SettingError(
                f"GUARD_ALLOW={','.join(value)}: {error}; give networks and ports separated"
                " by commas, such as 127.0.0.0/8,:8080"
            ) from error
        return cls(networks, [*_PORTS.values(), *ports])

    def _is_allowed(self, address: Address) -> bool:
        inner = _inner_address(address)
        return any(address in net or inner in net for net in self._allowed)

    def accept(self, address: Address) -> bool:
        """Test whether an address may be contacted."""
        if self._is_allowed(address):
            return True
        inner = _inner_address(address)
        is_old_local = isinstance(address, IPv6Address) and address.is_site_local
        return all(
            part.is_global and not part.is_multicast and not is_old_local
            for part in (inner, *([] if inner.version == 4 else [address]))
        )

    def check(self, address: Address, host: str) -> None:
        """Raise AddressRefusedError for an address that may not be contacted."""
        if not self.accept(address):
            network = f"{address}/{address.max_prefixlen}"
            raise AddressRefusedError(
                f"{host} is no public address; to crawl it all the same, set"
                f" GUARD_ALLOW={'127.0.0.0/8' if address.is_loopback else network}"
            )

    def check_port(self, port: int, host: str) -> None:
        """Raise AddressRefusedError for a port of a host that may not be contacted."""
        address = spelled_address(host)
        is_allowed = address is not None and self._is_allowed(address)
        if port not in self._ports and not is_allowed:
            raise AddressRefusedError(
                f"{host}: port {port} is not allowed; to crawl it all the same, set"
                f" GUARD_ALLOW=:{port}"
            )


def _parse_port(item: str) -> int:
    if not re.fullmatch(r":[0-9]{1,5}", item) or not 0 < int(item[1:]) < 65536:
        raise ValueError(f"{item!r} is no port from :1 to :65535")
    return int(item[1:])


def _describe_exceptions(settings: BaseSettings) -> Iterator[str]:
    """Yield a line for each setting that lifts a protection."""
    for name, meaning in (
        ("GUARD_ALLOW", "these networks and ports may be contacted"),
        ("FETCH_INSECURE_HOSTS", "their certificates are not verified"),
    ):
        if values := settings.getlist(name):
            yield f"{name}={','.join(map(str, values))}: {meaning}"
    if not settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES", True):
        yield "DOWNLOAD_VERIFY_CERTIFICATES is off: no certificate is verified"


def _inner_address(address: Address) -> Address:
    """Return the IPv4 address that an IPv6 address leads to, or the address itself.

    Mapped and compatible addresses (RFC 4291, section 2.5.5), 6to4 (RFC 3056) and NAT64
    (RFC 6052) hold one.
    """
    if isinstance(address, IPv4Address):
        return address
    if (inner := address.ipv4_mapped or address.sixtofour) is not None:
        return inner
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > 1):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def literal_address(host: str) -> Address | None:
    """Return the address that a host spells out, None for a name.

    Every spelling that resolvers accept counts: 127.1, 0x7f000001 …
    """
    try:
        return ip_address(host.strip("[]"))
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host))
    except (OSError, UnicodeEncodeError):
        return None


def spelled_address(host: str) -> Address | None:
    """Return the address that a host spells out, or that its name stands for.

    localhost and the names below it are loopback (RFC 6761, section 6.3).
    """
    name = host.lower().rstrip(".")
    is_local = f".{name}".endswith(".localhost")
    return _LOOPBACK if is_local else literal_address(host)


class GuardMiddleware:
    """Refuses requests to other schemes and ports, and to addresses spelled out in the URL.

    Redirects pass it again. :class:`GuardResolver` checks names
    on connecting.
    """

    def __init__(self, guard: AddressGuard) -> None:
        self._guard = guard

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the middleware of a crawl; the log names exceptions.

        A crawl over WARC files contacts nobody, and any address and port is allowed.
        """
        if is_replay(crawler):
            everywhere = (IPv4Network("0.0.0.0/0"), IPv6Network("::/0"))
            return cls(AddressGuard(everywhere, range(65536)))
        for line in _describe_exceptions(crawler.settings):
            logger.warning(line)
        return cls(AddressGuard.from_settings(crawler.settings))

    def process_request(self, request: Request) -> None:
        """Raise AddressRefusedError for a request that may not be sent."""
        parts = urlsplit(request.url)
        if parts.scheme not in {"http", "https"}:
            raise AddressRefusedError(
                f"{parts.scheme}: only http and https are crawled"
            )
        host = parts.hostname or ""
        address = spelled_address(host)
        if address is not None:
            self._guard.check(address, host)
        try:
            port = parts.port
        except ValueError as error:
            raise AddressRefusedError(f"{host}: {error}") from error
        self._guard.check_port(_PORTS[parts.scheme] if port is None else port, host)


class NameRefusedError(AddressRefusedError, DNSLookupError):
    """A name leads to an address that may not be contacted.

    Other errors than that of a look-up Twisted logs with their traceback.
    """

    def __str__(self) -> str:
        return str(self.args[0])


class GuardResolver(CachingThreadedResolver):
    """Resolves names, but to no address that may not be contacted.

    The address that is checked is the one that is connected to, so a name that resolves
    differently the second time (DNS rebinding) gains nothing. ``proxies`` are hosts that the
    operator's environment names, which may be anywhere.
    """

    guard = AddressGuard()
    proxies: frozenset[str] = frozenset()

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: ReactorBase) -> Self:
        """Return the resolver of a crawl."""
        resolver = super().from_crawler(crawler, reactor)
        resolver.guard = AddressGuard.from_settings(crawler.settings)
        if crawler.settings.getbool("HTTPPROXY_ENABLED"):
            resolver.proxies = frozenset(_iter_proxies())
        return resolver

    def getHostByName(  # noqa: N802 - Twisted's name
        self, name: str, timeout: Sequence[int] = ()
    ) -> Deferred[str]:
        """Return the address of a name; fails with NameRefusedError, logged once for each name."""

        def check(address: str) -> str:
            try:
                self.guard.check(ip_address(address), f"{name} ({address})")
            except AddressRefusedError as error:
                if name not in refused_names:
                    logger.warning(str(error))
                refused_names[name] = str(error)
                raise NameRefusedError(str(error)) from None
            return address

        answer = super().getHostByName(name, timeout)
        if name not in self.proxies:
            answer.addCallback(check)
        return answer


def _iter_proxies() -> Iterator[str]:
    """Yield the hosts of the proxies that the environment names; no_proxy names other hosts."""
    for scheme, url in getproxies().items():
        if scheme not in _PORTS:
            continue
        if host := urlsplit(url if "//" in url else f"//{url}").hostname:
            yield host
