"""The frontier that several crawlers share, in PostgreSQL.

Hosts are leased to one crawler at a time; within its lease a crawler alone visits the host, so
politeness stays in one place. A crawler works on a copy of what it has leased
(:mod:`ilspfc.cluster.shared_store`) and reports its changes here.
"""

from __future__ import annotations

import logging
import math
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import update_wrapper
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ilspfc.cluster.change_writer import (
    MAKE_GIVEN,
    digest_of,
    host_number,
    write_changes,
)
from ilspfc.exceptions import CorpusError, SettingError
from ilspfc.frontier.reasons import PASSING, REDIRECT_REASONS, REMOVED, FetchReason
from ilspfc.frontier.store.candidates import Candidate, Visit
from ilspfc.frontier.store.changes import (
    Arrivals,
    Changes,
    Demand,
    LeasedHost,
    PastVisit,
    SharedRun,
)
from ilspfc.web.urls import canonicalize, hide_password, host_of, is_usable

if TYPE_CHECKING:
    import psycopg

logger = logging.getLogger(__name__)

SCHEMA_VERSION = 5
# Queued URLs of a host that a crawler has at hand; more are loaded when these are used up.
QUEUE = 1000
# Past visits of a host that its next crawler learns from.
_PAST = 2000
# Gains of the other crawlers that come at a time.
_GAINS = 1000
_RETRY_SECONDS = 1.0
_LAST_SECONDS = 20.0
_COLUMNS = (
    "u.url, u.score, u.depth, u.referrer, u.anchor, u.distance, u.base, u.surprise,"
    " u.place"
)
_LEASE = """
UPDATE hosts SET crawler = %(crawler)s, leased_until = now() + %(seconds)s * interval '1 second'
WHERE id IN (
    SELECT id FROM hosts WHERE has_work AND ready_at <= now()
        AND (crawler IS NULL OR leased_until < now())
    ORDER BY best DESC, id LIMIT %(number)s FOR UPDATE SKIP LOCKED)
RETURNING name, pages, sitemaps
"""
_RENEW = """
UPDATE hosts SET leased_until = now() + %(seconds)s * interval '1 second'
WHERE crawler = %(crawler)s RETURNING name
"""
_KEPT = "SELECT name FROM hosts WHERE crawler = %(crawler)s"
_LOAD = f"""
SELECT {_COLUMNS}, u.digest, u.host, h.name,
    v.visited_at, v.etag, v.last_modified, v.content, v.rules
FROM hosts h CROSS JOIN LATERAL (SELECT * FROM urls WHERE host = h.id AND state = 'queued'
    ORDER BY score DESC LIMIT {QUEUE}) u
LEFT JOIN visits v ON v.url = u.digest WHERE h.id = ANY(%s)
"""
_FAIL = "UPDATE urls SET state = 'failed', reason = %s WHERE digest = ANY(%s)"
_LOAD_PAST = f"""
SELECT u.url, u.state, u.reason, u.referrer FROM unnest(%s::bigint[]) AS h (id)
CROSS JOIN LATERAL (SELECT * FROM urls WHERE host = h.id AND state <> 'queued' LIMIT {_PAST}) u
"""
# A host that got links while it was given back looks as if it had no work.
_MARK_FORGOTTEN = """
UPDATE hosts SET has_work = true WHERE NOT has_work AND crawler IS NULL
    AND EXISTS (SELECT 1 FROM urls WHERE host = hosts.id AND state = 'queued') RETURNING id
"""
# Hosts with work are counted where none is free.
_COUNT_WORK = """
SELECT total, run.* FROM
    (SELECT CASE WHEN NOT EXISTS (SELECT FROM hosts
            WHERE has_work AND (crawler IS NULL OR leased_until < now()))
        THEN (SELECT count(*) FROM hosts WHERE has_work) END AS total) work,
    (SELECT greatest(1, count(*) FILTER
            (WHERE seen_at > now() - %(seconds)s * interval '1 second')),
        sum(requests)::bigint, sum(received)::bigint,
        extract(epoch FROM now() - min(joined_at))::float8 FROM crawlers) run
"""
_BEGIN = "(SELECT extract(epoch FROM min(joined_at)) FROM crawlers)"
_SHOW = """
INSERT INTO crawlers (name, seen_at, requests, received) VALUES (%s, %s::timestamptz, %s, %s)
ON CONFLICT (name) DO UPDATE SET seen_at = EXCLUDED.seen_at,
    requests = crawlers.requests + EXCLUDED.requests,
    received = crawlers.received + EXCLUDED.received
"""


_Method = TypeVar("_Method", bound=Callable[..., Any])


def _in_transaction(method: _Method) -> _Method:
    """Return a method run in a transaction, again and again while the server does not answer."""

    def run(self: PostgreSQLFrontier, *args: Any, **values: Any) -> Any:
        return self.retry(lambda: method(self, *args, **values))

    return cast("_Method", update_wrapper(run, method))


class PostgreSQLFrontier:
    """Connection of one crawler to the shared frontier; threads wait for each other.

    ``name`` is that of the corpus, and of the schema that is made for it. A lease lasts
    ``lease_seconds`` unless it is renewed, which :meth:`exchange` does. While the server does not
    answer, calls wait for it, and say so once. SettingError where there is no such server at
    the start.
    """

    def __init__(self, url: str, name: str, crawler: str, lease_seconds: float) -> None:
        self._url = url
        self._schema = "ilspfc_" + re.sub(r"\W+", "_", name).lower()
        self.crawler = crawler
        self._lease_seconds = lease_seconds
        # End of waiting for the server, on the monotonic clock.
        self._ends_at = math.inf
        self._last_gain = 0
        self._renewed_at = 0.0
        self._lock = threading.Lock()
        self._connect_first()

    def _connect_first(self) -> None:
        try:
            import psycopg  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise SettingError(
                "FRONTIER_STORE: psycopg is not installed; pip install 'psycopg[binary]', or"
                " leave FRONTIER_STORE empty"
            ) from error
        self._error = psycopg.Error
        self._lost_errors = (psycopg.OperationalError, psycopg.InterfaceError)
        try:
            self._connection = self._connect()
            with ExitStack() as stack:
                stack.callback(self.close)
                with self._connection.transaction():
                    self._make_schema()
                stack.pop_all()
        except psycopg.Error as error:
            said = " ".join(str(error).split())
            raise SettingError(
                f"FRONTIER_STORE={hide_password(self._url)}: cannot be used ({said}); start the"
                " server, or mend the address"
            ) from error

    def _connect(self) -> psycopg.Connection[Any]:
        import psycopg  # noqa: PLC0415 - an extra

        connection = psycopg.connect(
            self._url,
            autocommit=True,
            connect_timeout=10,
            application_name=f"ilspfc {self.crawler}",
            options=f"-c search_path={self._schema}",
            keepalives_idle=10,
        )
        connection.execute(MAKE_GIVEN)
        return connection

    def _make_schema(self) -> None:
        """Make the tables; crawlers that start at once wait for each other."""
        connection, number = self._connection, host_number(self._schema)
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (number,))
        known = connection.execute("SELECT to_regclass('about')").fetchone()
        if known is None or known[0] is None:
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {self._schema}".encode())
            schema = files(__package__).joinpath("shared_frontier.sql").read_bytes()
            connection.execute(schema)
            connection.execute("INSERT INTO about VALUES (%s)", (SCHEMA_VERSION,))
            return
        found = connection.execute("SELECT version FROM about").fetchone()
        if found != (SCHEMA_VERSION,):
            raise CorpusError(
                f"FRONTIER_STORE={hide_password(self._url)}: {self._schema} was made by another"
                f" version of ilspfc (schema {found}, this one has {SCHEMA_VERSION}); use that"
                " version, or drop the schema to begin the crawl anew"
            )

    def retry(self, transaction: Callable[[], Any]) -> Any:
        """Run a transaction, again and again while the server does not answer."""
        is_waiting = False
        while True:
            try:
                with self._lock:
                    if self._connection.closed:
                        self._connection = self._connect()
                    with self._connection.transaction():
                        result = transaction()
            except self._lost_errors as error:
                if time.monotonic() > self._ends_at:
                    raise
                if not is_waiting:
                    said = " ".join(str(error).split())
                    logger.warning("The frontier does not answer: waiting (%s)", said)
                is_waiting = True
                time.sleep(_RETRY_SECONDS)
            else:
                if is_waiting:
                    logger.warning("The frontier answers again")
                return result

    @_in_transaction
    def join(self) -> None:
        """Begin: what an earlier crawler of this name has leased is free again.

        The first crawler begins a run, for which limits count and sitemaps are read anew; it
        queues the URLs again that failed for a passing reason.
        """
        self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (0,))
        self._free_hosts(" OR leased_until < now()")
        alone = self._connection.execute(
            "SELECT NOT EXISTS (SELECT 1 FROM crawlers WHERE name <> %s"
            " AND seen_at > now() - %s * interval '1 second')",
            (self.crawler, self._lease_seconds),
        ).fetchone()
        if alone == (True,):
            self._connection.execute("DELETE FROM crawlers")
            self._connection.execute(
                "UPDATE hosts SET sitemaps = DEFAULT WHERE sitemaps <> '{}'"
            )
            condition = "WHERE state IN ('failed', 'refused') AND reason = ANY(%s)"
            self._requeue(condition, list(PASSING))
        self._show("now", Changes())

    def _free_hosts(self, others: str = "") -> None:
        """Free the hosts that this crawler has leased; ``others`` is a condition on more."""
        self._connection.execute(
            "UPDATE hosts SET crawler = NULL, leased_until = NULL, has_work = true"
            f" WHERE crawler = %s{others}".encode(),
            (self.crawler,),
        )

    def _show(self, seen_at: str, changes: Changes) -> None:
        spent = changes.requests, changes.received
        self._connection.execute(_SHOW, (self.crawler, seen_at, *spent))

    def leave(self, changes: Changes) -> None:
        """Report the last changes, and give back all hosts.

        A server that does not answer is waited for a short while: then pages that were not
        reported are visited again.
        """
        self._ends_at = time.monotonic() + _LAST_SECONDS
        try:
            self._report_last(changes)
        except self._error as error:
            said = " ".join(str(error).split())
            logger.error(  # noqa: TRY400 - a line is enough
                "The frontier took no report at the end (%s): %d pages are visited again",
                said,
                len(changes.ends),
            )

    @_in_transaction
    def _report_last(self, changes: Changes) -> None:
        write_changes(self._connection, changes, self.crawler)
        self._free_hosts()
        self._show("-infinity", changes)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    @_in_transaction
    def exchange(self, changes: Changes, demand: Demand) -> Arrivals:
        """Report changes, renew the leases, and return what has come for this crawler."""
        connection, found = self._connection, Arrivals()
        values = {"crawler": self.crawler, "seconds": self._lease_seconds}
        write_changes(connection, changes, self.crawler)
        found.kept = self._renew(values, changes)
        if demand.max_hosts > 0:
            limits = {**values, "number": demand.max_hosts}
            rows = connection.execute(_LEASE, limits).fetchall()
            found.leased = [LeasedHost(*row) for row in rows]
            found.kept |= {host.name for host in found.leased}
        self._load(found, demand)
        total, *run = connection.execute(_COUNT_WORK, values).fetchall()[0]
        found.run = SharedRun(*run)
        if total is not None:
            found.share = -(-total // found.run.crawlers)
        if total == 0:  # leased hosts count
            found.is_over = connection.execute(_MARK_FORGOTTEN).fetchone() is None
        return found

    def _renew(self, values: Mapping[str, object], changes: Changes) -> set[str]:
        """Return the hosts that this crawler has leased; renew them from time to time."""
        now = time.monotonic()
        is_due = now >= self._renewed_at + self._lease_seconds / 4
        if is_due or changes.requests or changes.received:
            self._show("now", changes)
        if is_due:
            self._renewed_at = now
        rows = self._connection.execute(_RENEW if is_due else _KEPT, values).fetchall()
        return {name for (name,) in rows}

    def _load(self, found: Arrivals, demand: Demand) -> None:
        new = [host_number(host.name) for host in found.leased]
        low = [host_number(name) for name in demand.low if name in found.kept]
        if new:
            past = self._connection.execute(_LOAD_PAST, (new,)).fetchall()
            found.past = [
                PastVisit(url, state, reason, source if is_usable(source) else "")
                for url, state, reason, source in past
                if is_usable(url)
            ]
        if new or low:
            self._load_queued(found, [*new, *low])
        rows = self._connection.execute(
            f"SELECT g.number, g.gain, {_COLUMNS} FROM gains g JOIN urls u ON u.digest = g.url"
            f" WHERE g.number > %s AND g.crawler <> %s ORDER BY g.number DESC LIMIT {_GAINS}",
            (self._last_gain, self.crawler),
        ).fetchall()
        for number, gain, *fields in reversed(rows):
            self._last_gain = number
            if is_usable(fields[0]):
                found.gains.append(_candidate(fields)._replace(gain=gain))

    def _load_queued(self, found: Arrivals, hosts: list[int]) -> None:
        """Load the best URLs of hosts; rows that no crawler can visit have failed."""
        unusable = []
        for row in self._connection.execute(_LOAD, (hosts,)).fetchall():
            *fields, digest, host, name = row[:12]
            try:
                candidate = _candidate(fields)
                # A row under another address would be loaded again after each visit.
                is_right = digest_of(candidate.key) == digest.hex
                is_right &= host_number(candidate.host) == host
            except ValueError:
                is_right = False
            if is_right:
                visit = Visit(*row[12:]) if row[12] is not None else None
                found.queued.append((candidate, visit))
            else:
                unusable.append(digest)
                found.unusable.append((fields[0], name))
        if unusable:
            values = FetchReason.ADDRESS_REFUSED, unusable
            self._connection.execute(_FAIL, values)

    @_in_transaction
    def redirected_seeds(self) -> list[tuple[str, str]]:
        """Return the redirects of seeds: from, to, as they were requested."""
        sql = "SELECT referrer, url FROM urls WHERE depth = 0 AND referrer <> ''"
        return self._connection.execute(sql).fetchall()

    @_in_transaction
    def requeue_older(self, visited_before: float) -> int:
        """Queue again the URLs visited before a time, in seconds since the epoch.

        Those that this run has visited already stay, whoever joins it.
        """
        return self._requeue(
            "FROM visits WHERE visits.url = urls.digest AND state <> 'queued'"
            f" AND reason <> %s AND visited_at < least(%s, {_BEGIN})",
            FetchReason.PAYMENT_REQUIRED.value,
            visited_before,
        )

    @_in_transaction
    def requeue_without_document(
        self, visited_before: float, asked: Iterable[str]
    ) -> int:
        """Queue again the URLs visited before a time that gave no document, seeds and ``asked``."""
        return self._requeue(
            "WHERE state = 'done' AND NOT EXISTS (SELECT FROM visits WHERE url = digest"
            f" AND (visited_at >= least(%s, {_BEGIN})"
            " OR (exported AND depth > 0 AND digest <> ALL(%s::uuid[]))))",
            visited_before,
            list(map(digest_of, asked)),
        )

    @_in_transaction
    def forget(self, is_removed: Callable[[str], bool]) -> None:
        """Refuse pages for good, and take what is known of them but their addresses.

        All rows are read. Those of other URLs lose the texts of links on the pages.
        """
        connection = self._connection
        gone, cited = [], []
        with connection.cursor("all_urls") as cursor:
            cursor.execute("SELECT digest, url, referrer FROM urls")
            for digest, url, referrer in cursor:
                if is_removed(url):
                    gone.append(digest)
                elif is_removed(referrer):
                    cited.append(digest)
        connection.execute(
            "UPDATE urls SET state = 'refused', reason = %s WHERE digest = ANY(%s)",
            (REMOVED, gone),
        )
        connection.execute(
            "UPDATE urls SET anchor = '', referrer = '' WHERE digest = ANY(%s)",
            ([*gone, *cited],),
        )
        connection.execute("DELETE FROM visits WHERE url = ANY(%s)", (gone,))
        connection.execute("DELETE FROM gains WHERE url = ANY(%s)", (gone,))

    @_in_transaction
    def requeue_unknown(
        self, visited_since: float, is_known: Callable[[str, str], bool]
    ) -> int:
        """Queue again the URLs that this crawler has visited since a time and does not know.

        ``is_known`` is asked for the canonical URL and the one that was requested. Their
        validators are forgotten, so that the pages are sent whole.
        """
        visited = self._connection.execute(
            "SELECT u.digest, u.url FROM visits v JOIN urls u ON u.digest = v.url"
            " WHERE v.crawler = %s AND v.visited_at >= %s"
            f" AND u.state = 'done' AND u.reason NOT IN {REDIRECT_REASONS}",
            (self.crawler, visited_since),
        )
        lost = [
            digest
            for digest, url in visited.fetchall()
            if is_usable(url) and not is_known(canonicalize(url), url)
        ]
        self._connection.execute(
            "UPDATE visits SET etag = '', last_modified = '', content = '', rules = ''"
            " WHERE url = ANY(%s)",
            (lost,),
        )
        return self._requeue("WHERE digest = ANY(%s)", lost)

    def _requeue(self, condition: str, *values: object) -> int:
        """Queue URLs again that meet a condition; return their number."""
        sql = (
            "WITH again AS (UPDATE urls SET state = 'queued', reason = ''"
            f" {condition} RETURNING host), marked AS (UPDATE hosts SET has_work = true"
            " WHERE id IN (SELECT host FROM again)) SELECT count(*) FROM again"
        )
        return int(self._connection.execute(sql.encode(), values).fetchall()[0][0])


def _candidate(fields: Sequence[Any]) -> Candidate:
    """Return the candidate of a row with the columns of ``_COLUMNS``; ValueError for none."""
    url, (surprise, place) = fields[0], fields[-2:]
    found = Candidate(canonicalize(url), url, host_of(url), *fields[1:-2])
    return found._replace(surprise=surprise, place=place).check()
