"""Guard of names: resolution to addresses that may be contacted."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from ipaddress import ip_address
from typing import TYPE_CHECKING, Self, cast

from scrapy.resolver import CachingThreadedResolver
from scrapy.utils.datatypes import LocalCache
from twisted.internet.error import DNSLookupError

from ilspfc.middlewares.guard import AddressGuard, AddressRefusedError

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from twisted.internet.base import ReactorBase
    from twisted.internet.defer import Deferred

logger = logging.getLogger(__name__)

# Reasons for refused names. Twisted passes on only that a name has no address.
refused_names: LocalCache[str, str] = LocalCache(10_000)


class NameRefusedError(AddressRefusedError, DNSLookupError):
    """A name leads to an address that may not be contacted.

    Other errors than that of a look-up Twisted logs with their traceback.
    """

    def __str__(self) -> str:
        return str(self.args[0])


class GuardResolver(CachingThreadedResolver):
    """Resolves names, but to no address that may not be contacted.

    The address that is checked is the one that is connected to, so a name that resolves
    differently the second time (DNS rebinding) gains nothing.
    """

    def __init__(
        self, reactor: ReactorBase, cache_size: int, timeout: float, guard: AddressGuard
    ) -> None:
        super().__init__(reactor, cache_size, timeout)
        self._guard = guard

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: ReactorBase) -> Self:
        """Return the resolver of a crawl."""
        settings = crawler.settings
        cached = settings.getbool("DNSCACHE_ENABLED")
        cache_size = settings.getint("DNSCACHE_SIZE") if cached else 0
        guard = AddressGuard.from_settings(settings)
        return cls(reactor, cache_size, settings.getfloat("DNS_TIMEOUT"), guard)

    def getHostByName(  # noqa: N802 - Twisted's name
        self, name: str, timeout: Sequence[int] = ()
    ) -> Deferred[str]:
        """Return the address of a name; fails with NameRefusedError, logged once for each name."""

        def check(address: str) -> str:
            try:
                self._guard.check(ip_address(address), f"{name} ({address})")
            except AddressRefusedError as error:
                if name not in refused_names:
                    logger.warning(str(error))
                refused_names[name] = str(error)
                raise NameRefusedError(str(error)) from None
            return address

        answer = super().getHostByName(name, timeout)
        return cast("Deferred[str]", answer.addCallback(check))
