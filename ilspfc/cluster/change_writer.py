"""Writing of the changes of a crawler into the shared frontier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from ilspfc.frontier.reasons import TRAPS
from ilspfc.web.urls import host_of

if TYPE_CHECKING:
    import psycopg

    from ilspfc.frontier.store.candidates import Candidate
    from ilspfc.frontier.store.changes import Changes

_LINK_COLUMNS = (
    "digest, host, url, score, depth, referrer, anchor, distance, base, surprise, place"
)
# Links go by COPY into a table of the connection: arrays of them cost twice as much.
# It is made once a connection.
MAKE_GIVEN = """
CREATE TEMP TABLE IF NOT EXISTS given (digest uuid, host bigint, url text, score float8, depth int,
    referrer text, anchor text, distance int, base float8, surprise real, place int, name text)
    ON COMMIT DELETE ROWS
"""
_INSERT_LINKS = f"""
INSERT INTO urls ({_LINK_COLUMNS}, state) SELECT {_LINK_COLUMNS}, 'queued' FROM given
LEFT JOIN LATERAL (SELECT state <> 'queued' OR urls.score >= given.score AS is_known FROM urls
    WHERE digest = given.digest LIMIT 1) u ON true
WHERE is_known IS NOT true ORDER BY digest
ON CONFLICT (digest) DO UPDATE SET score = EXCLUDED.score, base = EXCLUDED.base,
    referrer = EXCLUDED.referrer, anchor = EXCLUDED.anchor, surprise = EXCLUDED.surprise, place = EXCLUDED.place,
    depth = least(urls.depth, EXCLUDED.depth), distance = least(urls.distance, EXCLUDED.distance)
WHERE urls.state = 'queued' AND EXCLUDED.score > urls.score
"""
_INSERT_HOSTS = """
INSERT INTO hosts (id, name, best, has_work)
SELECT host, min(name), max(score), true FROM given GROUP BY host ORDER BY host
ON CONFLICT DO NOTHING
"""
_MARK_HOSTS = """
UPDATE hosts SET has_work = true
WHERE id = ANY(ARRAY(SELECT DISTINCT host FROM given)) AND NOT has_work
"""
_END = """
UPDATE urls SET state = e.state::url_state, reason = e.reason
FROM unnest(%s::uuid[], %s::text[], %s::text[]) AS e (digest, state, reason)
WHERE urls.digest = e.digest
"""
# A page that was not read anew stays in the part that has it.
_INSERT_VISITS = """
INSERT INTO visits SELECT * FROM unnest(%s::uuid[], %s::float8[], %s::text[], %s::text[],
    %s::text[], %s::text[], %s::text[], %s::boolean[])
ON CONFLICT (url) DO UPDATE SET visited_at = EXCLUDED.visited_at, etag = EXCLUDED.etag,
    last_modified = EXCLUDED.last_modified, content = EXCLUDED.content, rules = EXCLUDED.rules,
    crawler = CASE WHEN EXCLUDED.exported IS NULL THEN visits.crawler ELSE EXCLUDED.crawler END,
    exported = coalesce(EXCLUDED.exported, visits.exported)
"""
_GIVE_BACK = """
UPDATE hosts SET crawler = NULL, leased_until = NULL, ready_at = now() + g.wait * interval '1 second',
    best = coalesce(q.score, best), has_work = q.score IS NOT NULL
FROM unnest(%s::bigint[], %s::float8[]) AS g (id, wait)
LEFT JOIN LATERAL (SELECT score FROM urls WHERE host = g.id AND state = 'queued'
    ORDER BY score DESC LIMIT 1) q ON true
WHERE hosts.id = g.id AND hosts.crawler = %s
"""


def digest_of(key: str) -> str:
    """Return the digest of a canonical URL, as the hexadecimal digits of a UUID."""
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def host_number(host: str) -> int:
    """Return the number of a host, a signed integer of 64 bits."""
    digest = blake2b(host.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def write_changes(
    connection: psycopg.Connection[Any], changes: Changes, crawler: str
) -> None:
    """Write the changes of a crawler, within a transaction of the caller.

    Written twice they are the same, but for the numbers of pages.
    """
    if not changes:
        return
    if changes.links:
        _write_links(connection, changes.links)
    if changes.retried:
        connection.execute(
            "UPDATE urls SET state = 'queued', reason = '' WHERE digest = ANY(%s::uuid[])"
            " AND (state = 'failed' OR (state = 'refused' AND reason = ANY(%s)))",
            (list(map(digest_of, changes.retried)), sorted(TRAPS)),
        )
    if changes.ends:
        ends = sorted((digest_of(key), *end) for key, end in changes.ends.items())
        connection.execute(_END, _columns(ends))
    for host, (state, reason) in changes.closed.items():
        connection.execute(
            "UPDATE urls SET state = %s, reason = %s WHERE host = %s AND state = 'queued'",
            (state, reason, host_number(host)),
        )
    if changes.pages:
        connection.execute(
            "UPDATE hosts SET pages = pages + p.number"
            " FROM unnest(%s::bigint[], %s::int[]) AS p (id, number) WHERE hosts.id = p.id",
            _columns([(host_number(h), n) for h, n in changes.pages.items()]),
        )
    _write_visits(connection, changes, crawler)
    for origin in changes.sitemaps:
        connection.execute(
            "UPDATE hosts SET sitemaps = array_append(sitemaps, %s) WHERE id = %s",
            (origin, host_number(host_of(origin))),
        )
    if changes.given_back:
        given = [(host_number(h), s) for h, s in changes.given_back.items()]
        connection.execute(_GIVE_BACK, (*_columns(given), crawler))


def _write_visits(
    connection: psycopg.Connection[Any], changes: Changes, crawler: str
) -> None:
    if changes.visits:
        rows = [
            (digest_of(key), *astuple(visit), crawler, changes.exported.get(key))
            for key, visit in changes.visits.items()
        ]
        connection.execute(_INSERT_VISITS, _columns(rows))
    if changes.gains:
        gains = [(digest_of(key), gain) for key, gain in changes.gains.items()]
        connection.execute(
            "INSERT INTO gains (url, gain, crawler) SELECT *, %s FROM"
            " unnest(%s::uuid[], %s::real[]) ON CONFLICT (url) DO UPDATE SET gain = EXCLUDED.gain",
            (crawler, *_columns(gains)),
        )


def _write_links(
    connection: psycopg.Connection[Any], links: Mapping[str, Candidate]
) -> None:
    """Queue URLs, in the order of their digests: crawlers never wait for each other in turn."""
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY given ({_LINK_COLUMNS}, name) FROM STDIN".encode()) as copy,
    ):
        for key, link in links.items():
            copy.write_row(
                (
                    digest_of(key),
                    host_number(link.host),
                    _clean(link.url),
                    link.score,
                    link.depth,
                    _clean(link.referrer),
                    _clean(link.anchor),
                    link.distance,
                    link.base,
                    link.surprise,
                    link.place,
                    link.host,
                )
            )
    connection.execute(_INSERT_LINKS)
    connection.execute(_INSERT_HOSTS)
    connection.execute(_MARK_HOSTS)


def _columns(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """Return rows by column, as arrays for ``unnest``."""
    return [list(column) for column in zip(*rows, strict=True)]


def _clean(text: str) -> str:
    """Return a text without the character that PostgreSQL cannot store."""
    return text.replace("\0", "")
