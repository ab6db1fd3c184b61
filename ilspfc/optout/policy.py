"""Decision whether the signals of a page reserve it, and the policy of the crawl."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from ilspfc.documents import Document
from ilspfc.optout.signals import Signal, SignalKind, read_metadata

# More signals of one page are not kept; those that reserve come first.
MAX_SIGNALS = 50

# TDMRep, "Processing priority": each supersedes those behind it.
_TDMREP_PRIORITY = (
    SignalKind.TDMREP_META,
    SignalKind.TDMREP_HEADER,
    SignalKind.TDMREP_FILE,
)


@dataclass(frozen=True, slots=True)
class OptOut:
    """Decision on the signals of a page.

    ``reserved`` is whether its use for a corpus that models are trained on is reserved,
    ``grounds`` are the signals that make it so, ``signals`` all that were found, the
    grounds first.
    """

    reserved: bool = False
    signals: tuple[Signal, ...] = ()
    grounds: tuple[Signal, ...] = ()


class OptOutReason(StrEnum):
    """Reasons for which an opt-out drops a page."""

    RESERVED = "reserved"


class OptOutPolicy(StrEnum):
    """Policy of a crawl for reserved pages.

    ``ignore``: signals are not read. ``record``: they are written down, the page is kept.
    ``skip``, the default: they are written down, a reserved page is dropped.
    """

    IGNORE = "ignore"
    RECORD = "record"
    SKIP = "skip"

    def drops(self, opt_out: OptOut) -> bool:
        """Test whether a page is dropped."""
        return self is OptOutPolicy.SKIP and opt_out.reserved


def decide(signals: Iterable[Signal]) -> OptOut:
    """Return the decision on the signals of one page.

    Within TDMRep the page's metadata supersede the header, and the header the file of the
    site; what is broken supersedes nothing. Between the protocols no order exists, so the
    most restrictive counts, as draft-ietf-aipref-vocab-08 (section 5.1) combines
    statements: one reservation suffices, and no permission lifts it.
    """
    found = tuple(dict.fromkeys(signals))
    tdmrep = next(
        (
            kind
            for kind in _TDMREP_PRIORITY
            if any(signal.kind is kind and not signal.broken for signal in found)
        ),
        None,
    )
    grounds = tuple(
        signal
        for signal in found
        if signal.reserves
        and (signal.kind not in _TDMREP_PRIORITY or signal.kind is tdmrep)
    )
    ordered = tuple(dict.fromkeys((*grounds, *found)))[:MAX_SIGNALS]
    return OptOut(bool(grounds), ordered, grounds[:MAX_SIGNALS])


def decide_page(
    signals: Iterable[Signal], document: Document | None, user_agent: str
) -> OptOut:
    """Return the decision on the signals of headers and site files, and of the page."""
    found = tuple(signals)
    if document is not None:
        found += read_metadata(document.meta, document.head_links, user_agent)
    return decide(found)


def describe(signal: Signal) -> str:
    """Return a signal in one line: ``kind=value``, then its other fields."""
    details = ((n, getattr(signal, n)) for n in ("where", "policy", "broken"))
    parts = [f"{signal.kind}={signal.value}"]
    parts += [f"{name}={value}" for name, value in details if value]
    return " ".join("; ".join(parts).split())
