"""Reasons why a URL does not become a page."""

from __future__ import annotations

from enum import StrEnum


class FetchReason(StrEnum):
    """Reasons why a URL was not fetched."""

    ADDRESS_REFUSED = "address_refused"
    ROBOTS = "robots"
    OUT_OF_SCOPE = "out_of_scope"
    HTTP_ERROR = "http_error"
    PAYMENT_REQUIRED = "payment_required"
    REDIRECTS = "redirects"
    TOO_LARGE = "too_large"
    TIMEOUT = "timeout"
    THROTTLED = "throttled"
    CERTIFICATE = "certificate"
    DEAD_HOST = "dead_host"
    HOST_LIMIT = "host_limit"
    ROBOTS_UNREACHABLE = "robots_unreachable"
    NOT_ARCHIVED = "not_archived"
    NOT_REACHED = "not_reached"
    # All pages that link to it ask not to follow their links.
    NOFOLLOW = "nofollow"
    ERROR = "error"


PASSING = (
    FetchReason.THROTTLED.value,
    FetchReason.DEAD_HOST.value,
    FetchReason.ROBOTS_UNREACHABLE.value,
    FetchReason.NOT_ARCHIVED.value,
    FetchReason.HOST_LIMIT.value,
)
"""Temporary reasons: later runs retry such URLs."""


REDIRECTED = "redirected"
"""Reason of a done URL that redirected to a new one."""
REDIRECTED_TO_KNOWN = "redirected_to_known"
"""Reason of a done URL that redirected to a known one."""
REDIRECT_REASONS = (REDIRECTED, REDIRECTED_TO_KNOWN)
"""Reasons of done URLs that have no text of their own; as a list of SQL, too."""
REMOVED = "removed"
"""Reason of URLs removed on request: they are never visited again."""


class VisitResult(StrEnum):
    """Result of the visit of a page, stored in the frontier as the reason of a done URL."""

    NEW_TEXT = ""
    NOTHING_NEW = "nothing_new"
    # New text that was not kept: another language, or off-topic.
    OTHER_TEXT = "other_text"
    # Only links are new: a list, whose value depends on its targets.
    NEW_LINKS = "new_links"
    # Not processed again.
    UNDECIDED = "undecided"


NEW_TEXTS = frozenset({VisitResult.NEW_TEXT, VisitResult.OTHER_TEXT})
"""Results of pages whose text was new, kept or not."""


class LinkReason(StrEnum):
    """Reasons why a link is not followed, other than traps."""

    # The perplexity of its page exceeds the last bound (004, section 4).
    HIGH_PERPLEXITY = "high_perplexity"


class TrapReason(StrEnum):
    """Reasons why a URL is not visited because similar URLs yielded nothing new."""

    # A long run of similar URLs was barren; good pages may release it.
    HELD_BACK = "trap_held_back"
    # All others were visited, and a sample yielded nothing new either.
    BARREN = "trap_barren"


TRAPS = frozenset({*TrapReason})
