"""Reasons for which a URL does not become a page."""

from __future__ import annotations

from enum import StrEnum


class FetchReason(StrEnum):
    """Reasons for which a URL was not fetched."""

    ADDRESS_REFUSED = "address_refused"
    ROBOTS = "robots"
    OUT_OF_SCOPE = "out_of_scope"
    HTTP_ERROR = "http_error"
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
    ERROR = "error"


PASSING = (
    FetchReason.THROTTLED.value,
    FetchReason.DEAD_HOST.value,
    FetchReason.ROBOTS_UNREACHABLE.value,
    FetchReason.NOT_ARCHIVED.value,
    FetchReason.HOST_LIMIT.value,
)
"""Reasons that may be gone in a later run."""


REDIRECTED = "redirected"
"""Reason of a done URL that has led to another one."""
REMOVED = "removed"
"""Reason of URLs that somebody has asked to be forgotten: they are never visited again."""


class VisitResult(StrEnum):
    """Result of the visit of a page; the frontier keeps it as the reason of a done URL."""

    NEW_TEXT = ""
    NOTHING_NEW = "nothing_new"
    # New text that was not kept: of another language, off the topic.
    OTHER_TEXT = "other_text"
    # Nothing new but links: a list, which is worth what it leads to.
    NEW_LINKS = "new_links"
    # Not read again.
    UNDECIDED = "undecided"


class LinkReason(StrEnum):
    """Reasons for which a link is not followed, beside traps."""

    # Of its page, beyond the last bound (004, section 4).
    HIGH_PERPLEXITY = "high_perplexity"


class TrapReason(StrEnum):
    """Reasons for which a URL is not visited because of what those like it have given."""

    # Nothing new in a long row; good pages may bring it back.
    HELD_BACK = "trap_held_back"
    # All else was visited, and a sample gave nothing new either.
    BARREN = "trap_barren"


TRAPS = frozenset({*TrapReason})
