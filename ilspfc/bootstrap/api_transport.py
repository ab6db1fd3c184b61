"""HTTP transport for APIs behind the guard."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import ip_address

import httpx2

from ilspfc.exceptions import BootstrapError
from ilspfc.middlewares.guard import AddressGuard, AddressRefusedError

_PORTS = {"http": 80, "https": 443}


class GuardedTransport(httpx2.HTTPTransport):
    """Connects to public addresses, and to the hosts of URLs that the user has named.

    The address that is judged is the one that is connected to, redirects included, so a
    name that answers differently the second time (DNS rebinding) gains nothing. No
    connection is used twice, as certificates are verified by name and connections kept by
    address.
    """

    def __init__(self, named: Iterable[str], guard: AddressGuard) -> None:
        super().__init__(limits=httpx2.Limits(max_keepalive_connections=0))
        self._named = frozenset(httpx2.URL(url).host for url in named)
        self._guard = guard

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; BootstrapError for an address that may not be contacted."""
        url = request.url
        if url.scheme in _PORTS and url.host not in self._named:
            try:
                address = self._resolve(url.host, url.port or _PORTS[url.scheme])
            except AddressRefusedError as error:
                raise BootstrapError(f"{url.copy_with(query=None)}: {error}") from error
            request = httpx2.Request(
                request.method,
                url.copy_with(host=address),
                headers=request.headers,
                stream=request.stream,
                extensions={**request.extensions, "sni_hostname": url.host},
            )
        return super().handle_request(request)

    def _resolve(self, host: str, port: int) -> str:
        self._guard.check_port(port, host)
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(where[0]) for *_, where in found]
        for address in addresses:
            self._guard.check(ip_address(address.partition("%")[0]), host)
        return addresses[0]
