"""Known addresses of a crawl by what became of them, for report and alarms."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ilspfc.frontier.reasons import REDIRECTED, FetchReason
from ilspfc.frontier.store.candidates import UrlState
from ilspfc.frontier.store.url_table import count_urls
from ilspfc.report.data import AddressCounts

if TYPE_CHECKING:
    from pathlib import Path


def count_addresses(frontier: Path) -> AddressCounts:
    """Return the known addresses of a frontier's file by what became of them."""
    lost: Counter[str] = Counter()
    known: Counter[str] = Counter()
    others: Counter[str] = Counter()
    sites: dict[str, dict[str, int]] = {}
    for (host, state, reason), number in count_urls(frontier).items():
        known[host] += number
        if state in {UrlState.FAILED, UrlState.REFUSED}:
            stage = "fetch" if reason in {*FetchReason} else "frontier"
            code = f"{stage}/{reason}"
            sites.setdefault(host, {})[code] = number
            # Other failures are in the index, but for those of pages that it has.
            if stage == "frontier" or reason == FetchReason.HOST_LIMIT:
                lost[code] += number
        elif state == UrlState.DONE:
            others[reason] += number
        elif state != UrlState.GONE:
            others[UrlState.QUEUED] += number
    return AddressCounts(
        others[UrlState.QUEUED], others[REDIRECTED], dict(lost), dict(known), sites
    )
