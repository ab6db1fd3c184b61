"""Frontier store in a SQLite file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import astuple
from pathlib import Path

from ilspfc.database import marks
from ilspfc.frontier.reasons import REDIRECT_REASONS, TRAPS, FetchReason, TrapReason
from ilspfc.frontier.store.candidates import Candidate, UrlState, Visit
from ilspfc.frontier.store.url_table import CANDIDATE_COLUMNS, open_table
from ilspfc.web.urls import canonicalize, is_usable

_PUT = f"""
INSERT INTO urls ({CANDIDATE_COLUMNS}, state, reason) VALUES ({marks(14)})
ON CONFLICT (key) DO UPDATE SET state = EXCLUDED.state, score = EXCLUDED.score
WHERE CASE EXCLUDED.state WHEN 'sent' THEN state = 'sent' AND EXCLUDED.score > score
    ELSE state NOT IN ('queued', 'leased') END
"""
# The state is redundant, but lets SQLite use the index.
_IS_HELD = "state = 'refused' AND reason IN ('trap_held_back', 'trap_barren')"


class SQLiteStore:
    """URLs with their states in one SQLite file; higher scores are better.

    Keys are canonical URLs. :meth:`pop` leases a queued URL; :meth:`finish` or :meth:`release`
    ends the lease. Within a host, URLs are ordered by decreasing score, then by age.
    All tables are written in the same transaction: a crash loses
    the changes since the last commit; URLs leased by an earlier process are requeued when
    the store is opened. All statements run within ``watch``.
    """

    def __init__(
        self, path: Path | str, watch: AbstractContextManager[None] | None = None
    ) -> None:
        self.connection = open_table(path, watch or nullcontext())
        self._counts = self._count_states()
        self._busy: Counter[str] = Counter()  # leased URLs by host
        self.commit()

    @property
    def may_visit(self) -> bool:
        """False while the leases of hosts may have passed to another crawler."""
        return True

    @property
    def awaits_more(self) -> bool:
        """True while other crawlers may still send URLs."""
        return False

    def _count_states(self) -> Counter[str]:
        sql = "SELECT state, count(*) FROM urls GROUP BY state"
        return Counter(dict(self.connection.execute(sql).fetchall()))

    def push(self, candidate: Candidate, *, again: bool = False) -> bool:
        """Queue a URL, or raise the score of a queued one; return True if anything changed.

        A URL visited, refused or failed keeps its state; ``again`` retries one that has
        failed or is held back.
        """
        inserted = self.connection.execute(
            f"INSERT INTO urls ({CANDIDATE_COLUMNS}, state, reason) VALUES"
            f" ({marks(12)}, 'queued', '') ON CONFLICT (key) DO NOTHING",
            candidate,
        )
        if not inserted.rowcount:
            state, score, reason = self.connection.execute(
                "SELECT state, score, reason FROM urls WHERE key = ?", (candidate.key,)
            ).fetchone()
            is_retry = again and (state == UrlState.FAILED or reason in TRAPS)
            is_better = state == UrlState.QUEUED and candidate.score > score
            if not is_retry and not is_better:
                return False
            self.connection.execute(
                "UPDATE urls SET state = 'queued', reason = '', score = :score, base = :base,"
                " referrer = :referrer, anchor = :anchor, surprise = :surprise,"
                " place = :place, depth = min(depth, :depth),"
                " distance = min(distance, :distance) WHERE key = :key",
                candidate._asdict(),
            )
            self._counts[state] -= 1
        self._counts[UrlState.QUEUED] += 1
        return True

    def pop(self, host: str) -> Candidate | None:
        """Lease the best queued URL of a host."""
        return self._lease(
            "id = (SELECT id FROM urls WHERE state = 'queued' AND host = ?"
            " ORDER BY score DESC, id LIMIT 1)",
            host,
        )

    def lease(self, key: str) -> Candidate | None:
        """Lease a URL if it is queued, whatever its score."""
        return self._lease("key = ?", key)

    def _lease(self, condition: str, value: str) -> Candidate | None:
        row = self.connection.execute(
            f"UPDATE urls SET state = 'leased' WHERE {condition} AND state = 'queued'"
            f" RETURNING {CANDIDATE_COLUMNS}",
            (value,),
        ).fetchone()
        if row is None:
            return None
        self._counts[UrlState.QUEUED] -= 1
        self._counts[UrlState.LEASED] += 1
        candidate = Candidate(*row)
        self._busy[candidate.host] += 1
        return candidate

    @property
    def busy_hosts(self) -> set[str]:
        """Hosts with a leased URL."""
        return {host for host, number in self._busy.items() if number > 0}

    def count_queued(self, hosts: Iterable[str], limit: int) -> dict[str, int]:
        """Return the number of queued URLs of each host, at most ``limit``."""
        rows = self.connection.execute(
            "SELECT value, (SELECT count(*) FROM (SELECT 1 FROM urls WHERE state = 'queued'"
            f" AND host = value LIMIT {limit:d})) FROM json_each(?)",
            (json.dumps(list(hosts)),),
        )
        return dict(rows.fetchall())

    def move(self, host: str, state: UrlState, to: UrlState) -> None:
        """Change the state of all URLs of a host in one state to another."""
        sql = "UPDATE urls SET state = ? WHERE host = ? AND state = ?"
        number = self.connection.execute(sql, (to, host, state)).rowcount
        self._counts[state] -= number
        self._counts[to] += number

    def put(self, candidate: Candidate, state: UrlState, reason: str = "") -> bool:
        """Store a URL in a state, unless queued or leased; return True if anything changed.

        A URL sent to another crawler (SENT) changes only if its score is better.
        """
        changed = self.connection.execute(
            _PUT, (*candidate, state.value, reason)
        ).rowcount
        if state is not UrlState.SENT:
            self._counts[state] += changed
        return changed > 0

    def best_score(self, host: str) -> float | None:
        """Return the best score among the queued URLs of a host, None without any."""
        row = self.connection.execute(
            "SELECT score FROM urls WHERE state = 'queued' AND host = ?"
            " ORDER BY score DESC, id LIMIT 1",
            (host,),
        ).fetchone()
        return row[0] if row else None

    def hosts(self) -> Iterable[str]:
        """Return the hosts with queued URLs, sorted."""
        sql = "SELECT DISTINCT host FROM urls WHERE state = 'queued' ORDER BY host"
        return [host for (host,) in self.connection.execute(sql)]

    def finish(self, key: str, state: UrlState, reason: str = "") -> bool:
        """End the lease of a URL; return False if it was not leased."""
        hosts = self.connection.execute(
            "UPDATE urls SET state = ?, reason = ? WHERE key = ? AND state = 'leased'"
            " RETURNING host",
            (state.value, reason, key),
        ).fetchall()
        self._counts[UrlState.LEASED] -= len(hosts)
        self._counts[state] += len(hosts)
        self._busy.subtract(host for (host,) in hosts)
        return bool(hosts)

    def release(self, key: str) -> None:
        """Requeue a leased URL."""
        self.finish(key, UrlState.QUEUED)

    def fail_host(
        self, host: str, reason: str, state: UrlState = UrlState.FAILED
    ) -> list[str]:
        """Fail all queued URLs of a host; return the URLs to request."""
        rows = self.connection.execute(
            "UPDATE urls SET state = ?, reason = ?"
            " WHERE host = ? AND state = 'queued' RETURNING url",
            (state.value, reason, host),
        ).fetchall()
        self._counts[UrlState.QUEUED] -= len(rows)
        self._counts[state] += len(rows)
        return sorted(url for (url,) in rows)

    def is_idle(self, host: str) -> bool:
        """Test whether no URL of a host is queued or leased."""
        return not self._busy[host] and self.best_score(host) is None

    def held_hosts(self) -> list[str]:
        """Return the hosts with held-back URLs."""
        sql = f"SELECT DISTINCT host FROM urls WHERE {_IS_HELD}"
        return [host for (host,) in self.connection.execute(sql)]

    def held(self, host: str) -> Iterator[tuple[Candidate, str]]:
        """Yield the held-back URLs of a host, with their reasons, best first."""
        rows = self.connection.execute(
            f"SELECT {CANDIDATE_COLUMNS}, reason FROM urls WHERE host = ? AND {_IS_HELD}"
            " ORDER BY score DESC, id",
            (host,),
        )
        for *fields, reason in rows:
            yield Candidate(*fields), reason

    def release_held(self, candidates: Iterable[Candidate]) -> Counter[str]:
        """Queue held-back URLs; return their number by reason."""
        released: Counter[str] = Counter()
        for candidate in candidates:
            row = self.connection.execute(
                f"SELECT reason FROM urls WHERE key = ? AND {_IS_HELD}",
                (candidate.key,),
            ).fetchone()
            if row is not None:
                state = self.state_of_news(candidate.host)
                self.connection.execute(
                    "UPDATE urls SET state = ?, reason = '' WHERE key = ?",
                    (state, candidate.key),
                )
                released[row[0]] += 1
                self._counts[UrlState.REFUSED] -= 1
                self._counts[state] += 1
        return released

    def state_of_news(self, host: str) -> UrlState:
        """Return the initial state of new URLs of a host."""
        return UrlState.QUEUED

    def prove_barren(self, host: str) -> int:
        """Mark the held-back URLs of a host as barren; return their number."""
        return self.connection.execute(
            "UPDATE urls SET reason = ? WHERE state = 'refused' AND host = ? AND reason = ?",
            (TrapReason.BARREN, host, TrapReason.HELD_BACK),
        ).rowcount

    def outcome_of(self, key: str) -> tuple[str, str, int]:
        """Return the reason of a URL's state, its referrer and place; empty if unknown."""
        sql = "SELECT reason, referrer, place FROM urls WHERE key = ?"
        return self.connection.execute(sql, (key,)).fetchone() or ("", "", 0)

    def visits_by_host(self) -> dict[str, int]:
        """Return the number of visited URLs by host."""
        sql = "SELECT host, count(*) FROM urls WHERE state = 'done' GROUP BY host"
        return dict(self.connection.execute(sql).fetchall())

    def set_gain(self, key: str, gain: float) -> None:
        """Store the gain of the visit of a URL."""
        self.connection.execute("UPDATE urls SET gain = ? WHERE key = ?", (gain, key))

    def gains(self, limit: int) -> list[Candidate]:
        """Return the last visited URLs with known gains, in the order of discovery."""
        rows = self.connection.execute(
            f"SELECT {CANDIDATE_COLUMNS} FROM urls WHERE gain IS NOT NULL"
            " ORDER BY id DESC LIMIT ?",
            (limit,),
        ).fetchall()
        return [Candidate(*row) for row in reversed(rows)]

    def rescore(self, score: Callable[[Candidate], float], limit: int) -> set[str]:
        """Rescore the best queued URLs; return their hosts."""
        rows = self.connection.execute(
            f"SELECT id, {CANDIDATE_COLUMNS} FROM urls WHERE state = 'queued'"
            f" ORDER BY score DESC, id LIMIT {limit:d}"
        ).fetchall()
        candidates = [Candidate(*row[1:]) for row in rows]
        self.connection.executemany(
            "UPDATE urls SET score = ? WHERE id = ?",
            zip(map(score, candidates), (row[0] for row in rows), strict=True),
        )
        return {candidate.host for candidate in candidates}

    def state_of(self, key: str) -> UrlState | None:
        """Return the state of a URL, None if it is unknown."""
        sql = "SELECT state FROM urls WHERE key = ?"
        row = self.connection.execute(sql, (key,)).fetchone()
        return UrlState(row[0]) if row else None

    def scores(self, keys: Iterable[str]) -> dict[str, float | None]:
        """Return the score of each known URL among ``keys``, None if it is not queued."""
        rows = self.connection.execute(
            "SELECT key, CASE WHEN state IN ('queued', 'sent') THEN score END FROM urls"
            " WHERE key IN (SELECT value FROM json_each(?))",
            (json.dumps(list(keys)),),
        )
        return dict(rows.fetchall())

    def count(self, state: UrlState) -> int:
        """Return the number of URLs in a state."""
        return self._counts[state]

    def largest_queue(self) -> tuple[str, int]:
        """Return the host with the most queued URLs, and their number."""
        row = self.connection.execute(
            "SELECT host, count(*) FROM urls WHERE state = 'queued' GROUP BY host"
            " ORDER BY count(*) DESC LIMIT 1"
        ).fetchone()
        return row or ("", 0)

    def last_visits(self, limit: int) -> Iterable[tuple[str, str, str, str]]:
        """Return key, state, reason and referrer of the last visited URLs, oldest first."""
        rows = self.connection.execute(
            "SELECT key, state, reason, referrer FROM urls WHERE state IN"
            " ('done', 'failed') ORDER BY id DESC LIMIT ?",
            (limit,),
        ).fetchall()
        return [
            (key, state, reason, referrer if is_usable(referrer) else "")
            for key, state, reason, referrer in reversed(rows)
            if is_usable(key)
        ]

    def visit_of(self, key: str) -> Visit | None:
        """Return the last visit of a URL, None if there was none."""
        row = self.connection.execute(
            "SELECT visited_at, etag, last_modified, content, rules FROM visits"
            " WHERE url = (SELECT id FROM urls WHERE key = ?)",
            (key,),
        ).fetchone()
        return Visit(*row) if row else None

    def record_visit(self, key: str, visit: Visit) -> None:
        """Replace the last visit of a URL; an unknown URL is ignored."""
        self.connection.execute(
            "INSERT OR REPLACE INTO visits SELECT id, ?, ?, ?, ?, ? FROM urls"
            " WHERE key = ?",
            (*astuple(visit), key),
        )

    def requeue_older(self, visited_before: float) -> int:
        """Requeue the URLs visited before a time, with their scores; return their number.

        ``visited_before`` is in seconds since the epoch. URLs never answered keep their
        state, and so do those that ask for payment; visits without a time count as old.
        """
        return self._requeue(
            "(state = 'done' AND id NOT IN (SELECT url FROM visits)) OR (state NOT IN"
            f" ('queued', 'leased') AND reason != '{FetchReason.PAYMENT_REQUIRED}'"
            " AND id IN (SELECT url FROM visits WHERE visited_at < ?))",
            visited_before,
        )

    def requeue_without_document(
        self,
        visited_before: float,
        has_document: Callable[[str], bool],
        asked: Collection[str] = (),
    ) -> int:
        """Requeue the URLs visited before a time without a document; return their number.

        ``has_document`` tests a canonical URL. Seeds, their redirect targets and the canonical
        URLs ``asked`` for are always requeued.
        """
        self.connection.create_function(
            "may_stay", 1, lambda key: key not in asked and has_document(key)
        )
        return self._requeue(
            "state = 'done' AND (depth = 0 OR NOT may_stay(key)) AND id NOT IN"
            " (SELECT url FROM visits WHERE visited_at >= ?)",
            visited_before,
        )

    def requeue_unknown(
        self, visited_since: float, is_known: Callable[[str, str], bool]
    ) -> int:
        """Requeue the URLs visited since a time but not known; return their number.

        ``is_known`` tests the canonical and the requested URL. Validators of requeued URLs
        are deleted, so that servers send the full pages.
        """
        self.connection.create_function("is_known", 2, is_known)
        condition = (
            f"state = 'done' AND reason NOT IN {REDIRECT_REASONS} AND id IN"
            " (SELECT url FROM visits WHERE visited_at >= ?) AND NOT is_known(key, url)"
        )
        self.connection.execute(
            "UPDATE visits SET etag = '', last_modified = '', content = '', rules = ''"
            f" WHERE url IN (SELECT id FROM urls WHERE {condition})",
            (visited_since,),
        )
        return self._requeue(condition, visited_since)

    def _requeue(self, condition: str, time: float) -> int:
        sql = f"UPDATE urls SET state = 'queued', reason = '' WHERE {condition}"
        number = self.connection.execute(sql, (time,)).rowcount
        self._counts = self._count_states()
        self.commit()
        return number

    def moved_to(self, seeds: Iterable[str]) -> list[str]:
        """Return all redirect targets of seeds on earlier visits, directly or in chains."""
        # Only redirects of seeds have the depth of their referrer, 0.
        sql = "SELECT referrer, url FROM urls WHERE depth = 0 AND referrer != ''"
        return follow_redirects(seeds, self.connection.execute(sql).fetchall())

    def commit(self) -> None:
        """Commit all changes so far, so that they survive a crash."""
        self.connection.execute("COMMIT")
        self.connection.execute("BEGIN")

    def close(self) -> None:
        """Commit and close the store."""
        try:
            self.connection.execute("COMMIT")
        finally:
            self.connection.close()


def follow_redirects(
    seeds: Iterable[str], redirects: Iterable[tuple[str, str]]
) -> list[str]:
    """Return all redirect targets of seeds; ``redirects`` are (source, target)."""
    targets: dict[str, list[str]] = {}
    for source, target in redirects:
        if not is_usable(source) or not is_usable(target):
            continue
        targets.setdefault(canonicalize(source), []).append(target)
    found: dict[str, None] = {}
    waiting = list(seeds)
    while waiting:
        for target in targets.get(canonicalize(waiting.pop()), ()):
            if target not in found:
                found[target] = None
                waiting.append(target)
    return list(found)
