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
    # Too little text to decide.
    UNDECIDED = "undecided"


class LinkReason(StrEnum):
    """Reasons for which a link is not followed, beside traps."""

    # Of its page, beyond the last bound (004, section 4).
    HIGH_PERPLEXITY = "high_perplexity"


class TrapReason(StrEnum):
    """Reasons for which a URL looks like a trap."""

    TOO_LONG = "trap_too_long"
    REPEATING_PATH = "trap_repeating_path"
    TOO_DEEP_PATH = "trap_too_deep_path"
    TOO_MANY_PARAMETERS = "trap_too_many_parameters"
    CALENDAR = "trap_calendar"
    FACETS = "trap_facets"
    PATTERN_EXHAUSTED = "trap_pattern_exhausted"
    COPIES = "trap_copies"


BUDGETS = frozenset(
    {
        TrapReason.CALENDAR,
        TrapReason.FACETS,
        TrapReason.PATTERN_EXHAUSTED,
        TrapReason.COPIES,
    }
)
"""Reasons that good pages may lift."""
