"""Parts of a corpus, one a crawler, joined: what all crawlers have kept becomes one corpus.

Joining again takes in what has come since. Of a page that several parts have, the newest visit
counts. Files are linked where the file system can, so that they take no room twice.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import DOCUMENT_TABLES, KEPT, CorpusIndex
from ilspfc.corpus.removals import Removals, read_removals
from ilspfc.exceptions import CorpusError

if TYPE_CHECKING:
    import sqlite3


def join_parts(root: Path) -> int:
    """Take the parts of a corpus into it; return how many documents are new or newer.

    CorpusError where parts are in different languages. A crawler may be writing meanwhile.
    """
    files = CorpusFiles(root)
    parts = [CorpusFiles(path.parent) for path in files.parts.glob("*/corpus.db")]
    parts.sort(key=lambda part: part.root.name)
    runs = [_read_run(part) for part in parts]
    langs = {tuple(run.get("langs", ())) for run in runs if run}
    if len(langs) > 1:
        said = "; ".join(sorted(", ".join(some) for some in langs))
        raise CorpusError(
            f"{files.parts}: the parts are in different languages ({said}); move what does"
            " not belong there away"
        )
    taken = 0
    with CorpusIndex(files.index) as index:
        for part in parts:
            taken += _join(index, files, part)
        run = _join_runs([run for run in runs if run])
        last = index.last_run()  # with what the stages have added to it
        stats = {**last.get("stats", {}), **run.get("stats", {})}
        if run and {**last, **run, "stats": stats} != last:
            index.add_run(run)
    return taken


def _read_run(part: CorpusFiles) -> dict[str, Any]:
    with CorpusIndex(part.index) as index:
        return index.last_run()


def _join_runs(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return one description of the runs of all crawlers: their counts are added."""
    if not runs:
        return {}
    stats: dict[str, Any] = {}
    for run in runs:
        for key, value in run.get("stats", {}).items():
            is_count = isinstance(value, int) and not isinstance(value, bool)
            stats[key] = stats.get(key, 0) + value if is_count else value
    times: dict[str, Any] = {}
    for name, choose in (("started", min), ("finished", max)):
        if found := [run[name] for run in runs if run.get(name)]:
            times[name] = choose(found)
    return {**runs[0], **times, "stats": stats}


def _join(index: CorpusIndex, files: CorpusFiles, part: CorpusFiles) -> int:
    """Take the documents, pages and WARC files of a part; return the number of documents."""
    for path in sorted(part.archive.glob("*.warc.gz")):
        files.archive.mkdir(parents=True, exist_ok=True)
        _link(path, files.archive / f"{part.root.name}-{path.name}")
    removed = Removals(read_removals(files.removals))
    with index.attached(part.index, "part") as connection:
        rows = connection.execute(
            "SELECT p.id, p.file, p.url FROM part.documents p LEFT JOIN documents d ON d.id = p.id"
            " WHERE d.id IS NULL OR p.fetched_at > d.fetched_at"
        ).fetchall()
        present = [
            (identity, name)
            for identity, name, url in rows
            if (part.documents / name).is_file() and not removed.covers(url)
        ]
        for identity, name in present:
            if old := index.document(identity):
                files.remove_document(old.file)
            files.documents.mkdir(parents=True, exist_ok=True)
            _link(part.documents / name, files.documents / name)
        with index.transaction():
            _copy_documents(connection, [identity for identity, _ in present])
            _copy_pages(connection)
        gone = connection.execute(
            "SELECT d.id, d.file FROM documents d JOIN pages p ON p.url = d.url"
            " WHERE p.fate <> ? AND p.fetched_at > d.fetched_at",
            (KEPT,),
        ).fetchall()
    for identity, name in gone:
        index.remove_document(identity)
        files.remove_document(name)
    return len(present)


def _link(source: Path, target: Path) -> None:
    """Make a file the same as another; both grow together where they are linked."""
    if target.exists() and source.samefile(target):
        return
    target.unlink(missing_ok=True)
    try:
        target.hardlink_to(source)
    except OSError:  # another file system, or one without links
        shutil.copy2(source, target)


def _copy_documents(connection: sqlite3.Connection, identities: Sequence[str]) -> None:
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS taken (id TEXT PRIMARY KEY)")
    connection.execute("DELETE FROM taken")
    connection.executemany(
        "INSERT INTO taken VALUES (?)", ((identity,) for identity in identities)
    )
    for table, column in DOCUMENT_TABLES:
        condition = f"{column} IN (SELECT id FROM taken)"
        connection.execute(f"DELETE FROM main.{table} WHERE {condition}")
        connection.execute(
            f"INSERT INTO main.{table} SELECT * FROM part.{table} WHERE {condition}"
        )


def _copy_pages(connection: sqlite3.Connection) -> None:
    connection.execute(
        "REPLACE INTO main.pages SELECT p.* FROM part.pages p LEFT JOIN main.pages m"
        " ON m.url = p.url WHERE m.url IS NULL OR p.fetched_at > m.fetched_at"
    )
    connection.execute(
        "INSERT OR IGNORE INTO main.versions SELECT * FROM part.versions"
    )
    connection.execute(
        "INSERT OR IGNORE INTO main.failures SELECT * FROM part.failures"
        " WHERE url NOT IN (SELECT url FROM main.pages)"
    )
    connection.execute(
        "DELETE FROM main.failures WHERE url IN (SELECT url FROM main.pages)"
    )
