"""Opt-outs: pages whose owner reserves text and data mining."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Self, cast

from ilspfc.documents import Page
from ilspfc.frontier.optout import OptOut, OptOutPolicy, decide
from ilspfc.frontier.optout_signals import SignalKind, read_metadata
from ilspfc.pipelines.base import StagePipeline

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from ilspfc.frontier.optout_signals import Signal


class OptOutReason(StrEnum):
    """Why a page leaves the data's way for an opt-out."""

    RESERVED = "reserved"


class OptOutPipeline(StagePipeline):
    """Writes down the signals of a page and drops it where the policy says so."""

    stage = "optout"

    def __init__(self, crawler: Crawler, policy: OptOutPolicy) -> None:
        super().__init__(crawler)
        self._policy = policy

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Return the pipeline of a crawl; SettingError for an unknown policy."""
        value = crawler.settings["OPTOUT_POLICY"]
        return cls(crawler, OptOutPolicy.from_setting("OPTOUT_POLICY", value))

    def process_item(self, item: object) -> object:
        """Decide about the page by all signals that were found."""
        if not isinstance(item, Page) or item.document is None:
            return item
        if self._policy is OptOutPolicy.IGNORE:
            return item
        document = item.document
        opt_out = find_optout(item, self.settings["USER_AGENT"])
        document.optouts = tuple(map(_describe, opt_out.signals))
        document.is_reserved = opt_out.reserved
        if opt_out.reserved:
            self._crawler.stats.inc_value("optout/reserved_pages")
        if self._policy.drops(opt_out):
            raise self.drop(item, OptOutReason.RESERVED)
        return item


def find_optout(page: Page, user_agent: str) -> OptOut:
    """Return what headers, the site's files and the page itself come to."""
    found = cast("tuple[Signal, ...]", page.signals)
    if page.document is not None:
        meta, links = page.document.meta, page.document.head_links
        found += read_metadata(meta, links, user_agent)
    return decide(found)


def _describe(signal: Signal) -> str:
    """Return a signal in one line: ``kind=value``, then what else there is to say of it."""
    # Of this one kind alone the name does not tell where it stands.
    where = signal.where if signal.kind is SignalKind.CONTENT_SIGNAL else ""
    details = {"where": where, "policy": signal.policy, "broken": signal.broken}
    parts = [f"{signal.kind}={signal.value}"]
    parts += [f"{name}={value}" for name, value in details.items() if value]
    return " ".join("; ".join(parts).split())
