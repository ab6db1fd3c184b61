"""Parts of a corpus, one a crawler, joined: what all crawlers have kept becomes one corpus.

Those on an object store or a web server are copied first. Joining again takes in what has
come since. Of a page that several parts have, the newest visit counts. Files are linked
where the file system can, so that they take no room twice.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ilspfc.atomic import write_lines
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import DOCUMENT_TABLES, KEPT, CorpusIndex
from ilspfc.corpus.removals import Removals, read_removals
from ilspfc.disk import describe_refusal
from ilspfc.exceptions import ArgumentError, CorpusError, IlspfcError
from ilspfc.extensions.status import ENDS
from ilspfc.web.urls import hide_password

_INDEX = "corpus.db"
# File of a copied part with the version of each of its files.
_VERSIONS = ".versions.json"
# Folder of copies that are not yet in their parts, by version: a killed copy goes on with
# them. It is deeper than the folders of parts, so that it is none.
_INCOMING = ".incoming"
# Path of a file below the address of the parts, or of their corpus.
_PART_RE = re.compile(r"(?:parts/)?([^/]+)/(.+)")
_THREADS = 8


def fetch_parts(root: Path, address: str) -> str:
    """Copy the finished parts at an address of fsspec's into a corpus, where they differ.

    Returns a line that names them, and those that are not finished. ArgumentError where the
    address cannot be read or has no finished part, CorpusError where a part of the same name
    was made here.
    """
    files, where = CorpusFiles(root), f"--parts {hide_password(address)}"
    fetched, unfinished = [], []
    try:
        store, parts = _list_parts(address)
        for crawler, sources in parts.items():
            if not _is_finished(store, sources):
                unfinished.append(crawler)
            elif _fetch_part(store, sources, files.parts / crawler):
                fetched.append(crawler)
    except Exception as error:  # each file system has errors of its own
        if isinstance(error, IlspfcError) or describe_refusal(root, error):
            raise
        said = " ".join(f"{type(error).__name__}: {error}".split())
        said = said.replace(address, hide_password(address))
        remedy = (
            "check address, server and credentials, then give the same command again"
        )
        if isinstance(error, ImportError):
            remedy = "pip install fsspec, and for s3:// s3fs"
        raise ArgumentError(f"{where}: cannot be read ({said}); {remedy}") from error
    waiting = f"; not finished: {', '.join(unfinished)}" if unfinished else ""
    if len(unfinished) == len(parts) and not files.has_parts:
        raise ArgumentError(
            f"{where}: no finished parts there{waiting}; give the folder with those of the"
            f" crawlers, each with its {_INDEX}"
        )
    return f"parts copied: {', '.join(fetched) or 'none is new'}{waiting}"


def _list_parts(address: str) -> tuple[Any, dict[str, dict[str, str]]]:
    """Return the file system of an address, and the files of each part there by their paths."""
    from fsspec.core import url_to_fs  # noqa: PLC0415 - an extra

    options: dict[str, Any] = {}
    if is_web := address.startswith(("http://", "https://")):
        from aiohttp import ClientTimeout  # noqa: PLC0415 - for these addresses alone

        # Archives take their time, and are copied as they are.
        client: dict[str, Any] = {"auto_decompress": False}
        client["timeout"] = ClientTimeout(total=None, sock_connect=30, sock_read=60)
        client["headers"] = {"Accept-Encoding": "identity"}
        options = {"client_kwargs": client, "simple_links": False}
    store, base = url_to_fs(address, **options)
    store.ls(base)  # raises what the search below passes over
    parts: dict[str, dict[str, str]] = {}
    for name in sorted(store.find(base)):
        path = name.removeprefix(f"{base.rstrip('/')}/")
        path = unquote(path) if is_web else path
        # Hidden files are locks and the like; a list of a web server links itself, sorted.
        is_plain = not any(piece[:1] in ".?" for piece in path.split("/"))
        if is_plain and (match := _PART_RE.fullmatch(path)):
            parts.setdefault(match[1], {})[match[2]] = name
    return store, {crawler: one for crawler, one in parts.items() if _INDEX in one}


def _is_finished(store: Any, sources: Mapping[str, str]) -> bool:
    """Test whether the crawler of a part has ended, as far as it tells."""
    source = sources.get("status.json")
    return source is None or json.loads(store.cat_file(source))["state"] in ENDS


def _fetch_part(store: Any, sources: Mapping[str, str], part: Path) -> bool:
    """Copy what a part lacks of its files; return whether that was anything.

    The index is moved into the part last: without it, nothing takes a folder for a part.
    """
    from fsspec.utils import tokenize  # noqa: PLC0415 - an extra

    record, index = part / _VERSIONS, part / _INDEX
    incoming = part.parent / _INCOMING / part.name
    if index.exists() and not record.exists():
        raise CorpusError(f"{part}: a part of this name was made here; move it away")
    known = json.loads(record.read_text("utf-8")) if record.exists() else {}
    with ThreadPoolExecutor(_THREADS) as pool:
        found = pool.map(lambda name: tokenize(store.info(name)), sources.values())
        versions = dict(zip(sources, found, strict=True))
        if index.exists() and known == versions:
            return False
        incoming.mkdir(parents=True, exist_ok=True)
        changed = {
            path: incoming / version
            for path, version in versions.items()
            if known.get(path) != version or path.startswith(_INDEX)
        }

        def copy(path: str) -> None:
            if not changed[path].exists():
                temporary = changed[path].with_suffix(".tmp")
                store.get_file(sources[path], str(temporary))
                temporary.replace(changed[path])

        list(pool.map(copy, changed))
    gone = known.keys() - versions.keys()
    for path in (_INDEX, f"{_INDEX}-wal", f"{_INDEX}-shm", *gone):
        (part / path).unlink(missing_ok=True)
    for path in sorted(changed.keys() - {_INDEX}):
        (part / path).parent.mkdir(parents=True, exist_ok=True)
        changed[path].replace(part / path)
    write_lines(record, [json.dumps(versions)])
    changed[_INDEX].replace(index)
    shutil.rmtree(incoming)
    return True


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
