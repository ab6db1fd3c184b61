"""Removal of pages from a corpus: from its files, index, archive, frontier and exports."""

from __future__ import annotations

import json
import logging
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings

from ilspfc.add_ons import load
from ilspfc.atomic import open_atomic, write_lines
from ilspfc.corpus.corpus import Corpus, open_corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.lock import CorpusLock
from ilspfc.corpus.removals import (
    Exclusion,
    Exclusions,
    Removal,
    Removals,
    add_removals,
)
from ilspfc.corpus.warc.reader import iter_records
from ilspfc.exceptions import CorpusError
from ilspfc.exports.registry import iter_export_files
from ilspfc.frontier.reasons import REMOVED
from ilspfc.frontier.store.candidates import UrlState
from ilspfc.line import run_outdated
from ilspfc.line.report import run_report
from ilspfc.report.manifest import write_json
from ilspfc.setting_table import check_settings

logger = logging.getLogger(__name__)

_LIST_RE = re.compile(r"[,\s]+")


def remove_from(
    root: Path, settings: BaseSettings, choose: Callable[[Corpus], Sequence[Removal]]
) -> list[Removal]:
    """Remove the pages that ``choose`` finds in a corpus, which nobody else may write to."""
    check_settings(settings)
    files = CorpusFiles(root).require()
    with CorpusLock(files.root), open_corpus(root, settings) as corpus:
        wanted = choose(corpus)
        return remove_pages(corpus, wanted) if wanted else []


def find_reserved(corpus: Corpus) -> list[Removal]:
    """Return the pages whose recorded signals reserve text and data mining."""
    entries = corpus.index.documents(duplicates=True)
    return [Removal.of("url", entry.url) for entry in entries if entry.reserved]


def remove_pages(corpus: Corpus, wanted: Sequence[Removal]) -> list[Removal]:
    """Remove pages from everything that a corpus has, and make what depends on them anew.

    Returns the removals with their counts, which then stand in ``removals.tsv``. A removal that
    was interrupted is finished when it is asked for again. Sheets of samples are removed whole,
    for they quote pages; exports are written again in the formats of the settings alone.
    """
    date = datetime.now(UTC).isoformat(timespec="seconds")
    covered = Removals(wanted)
    with ExitStack() as stack:
        parts = [path.parent for path in sorted(corpus.files.parts.glob("*/corpus.db"))]
        for root in parts:
            stack.enter_context(CorpusLock(root))
        _block_shared(corpus, covered)
        for root in parts:
            with open_corpus(root, corpus.settings) as part:
                _remove(part, covered)
        archived, documents = _remove(corpus, covered)
    found = [
        replace(one, date=date, documents=documents[one], archived=archived[one])
        for one in wanted
    ]
    add_removals(corpus.files.removals, found)
    run_outdated(corpus)
    run_report(corpus)
    return found


def _remove(
    corpus: Corpus, wanted: Removals
) -> tuple[Counter[Removal], Counter[Removal]]:
    """Remove pages; return how many archived records and documents there were of each."""
    _block(corpus.files, wanted)
    archived: Counter[Removal] = Counter()
    for path in sorted(corpus.files.archive.glob("*.warc.gz")):
        archived += _rewrite(path, wanted)
    _remove_copies(corpus)
    documents = _remove_documents(corpus, wanted)
    _forget_seeds(corpus, wanted)
    list(corpus.index.rows("VACUUM"))  # what was deleted is in no page of the file
    return archived, documents


def _block(files: CorpusFiles, wanted: Removals) -> None:
    """Keep the frontier from the pages, and take what it knows of them but their addresses."""
    if not files.frontier.is_file():
        return
    with closing(sqlite3.connect(files.frontier)) as connection:
        connection.create_function("is_removed", 1, wanted.covers)
        with connection:
            connection.execute(
                "DELETE FROM visits WHERE url IN (SELECT id FROM urls WHERE is_removed(url))"
            )
            connection.execute(
                "UPDATE urls SET state = ?, reason = ?, anchor = '', referrer = ''"
                " WHERE is_removed(url)",
                (UrlState.REFUSED.value, REMOVED),
            )
            connection.execute(
                "UPDATE urls SET anchor = '', referrer = '' WHERE is_removed(referrer)"
            )
        connection.execute("VACUUM")


def _block_shared(corpus: Corpus, wanted: Removals) -> None:
    """Keep all crawlers from the pages, where they share a frontier; say where none is given."""
    url, root = corpus.settings["FRONTIER_STORE"], corpus.files.root.absolute()
    if url:
        connect = load("cluster.postgresql.PostgreSQLFrontier", "FRONTIER_STORE")
        with closing(connect(url, root.name, "forget", 0.0)) as frontier:
            frontier.forget(wanted.covers)
    elif corpus.files.has_parts:
        logger.warning(
            "%s has parts, but FRONTIER_STORE is empty: the shared frontier still has the"
            " pages; give it (-s FRONTIER_STORE=…), and remove again",
            root.name,
        )


def _rewrite(path: Path, wanted: Removals) -> Counter[Removal]:
    """Write a WARC file without the records of the pages; return how many there were of each."""
    records = list(iter_records(path))
    if None in records:
        raise CorpusError(
            f"{path}: is damaged; nothing is removed from it: mend it with `scrapy reindex`"
        )
    places = [(record.offset, record.url) for record in records if record is not None]
    gone = [wanted.find(url) for _, url in places]
    if not any(gone):
        return Counter()
    ends = [*(offset for offset, _ in places), path.stat().st_size]
    # Records are compressed already: the name of a file that is not yet one must not say so.
    written = path.with_name(f"{path.name}.new")
    with path.open("rb") as old, open_atomic(written) as new:
        for is_gone, (start, end) in zip(gone, pairwise(ends), strict=True):
            if not is_gone:
                old.seek(start)
                new.write(old.read(end - start))
    written.replace(path)
    return Counter(filter(None, gone))


def _remove_documents(corpus: Corpus, wanted: Removals) -> Counter[Removal]:
    """Remove the documents of the pages; return how many there were of each."""
    index, files = corpus.index, corpus.files
    entries = [e for e in index.documents(duplicates=True) if wanted.covers(e.url)]
    _remove_exclusions(corpus, [entry.id for entry in entries])
    for entry in entries:
        files.remove_document(entry.file)
        for folder in files.document_folders:
            for beside in folder.glob(f"{Path(entry.file).stem}.*"):
                beside.unlink()
        index.remove_document(entry.id)
    ids = [(entry.id,) for entry in entries]
    with index.transaction() as connection:
        connection.create_function("is_removed", 1, wanted.covers)
        connection.create_function(
            "leads_there", 1, lambda cause: any(map(wanted.covers, cause.split()))
        )
        for table in ("candidates", "units"):
            connection.executemany(
                f"DELETE FROM {table} WHERE ? IN (source, target)", ids
            )
        # Links have anchors of the pages that they lead to.
        tables = {"rivals": "document", "alone": "document", "links": "target"}
        for table, column in tables.items():
            connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", ids)
        for table in ("pages", "failures"):
            connection.execute(f"DELETE FROM {table} WHERE is_removed(url)")
        connection.execute("UPDATE failures SET cause = '' WHERE leads_there(cause)")
    return Counter(filter(None, (wanted.find(entry.url) for entry in entries)))


def _remove_exclusions(corpus: Corpus, ids: Sequence[str]) -> None:
    """Take back exclusions of units of documents, which quote them."""
    exclusions = Exclusions(corpus.files.exclusions)
    if exclusions.entries:
        sql = "SELECT source_text, target_text FROM units WHERE ? IN (source, target)"
        exclusions.remove(
            Exclusion.of("unit", texts)
            for identity in ids
            for texts in corpus.index.rows(sql, (identity,))
        )


def _forget_seeds(corpus: Corpus, wanted: Removals) -> None:
    """Take the pages out of what the runs were asked to do, and of files that tell it."""
    index, root = corpus.index, corpus.files.root
    runs = list(index.rows("SELECT number, description FROM runs"))
    told = (
        (json.dumps(_without(json.loads(text), wanted), sort_keys=True), number)
        for number, text in runs
    )
    index.change("UPDATE runs SET description = ? WHERE number = ?", told)
    corpus.run.clear()
    corpus.run.update(index.last_run())
    for path in sorted(root.glob("*.json")):
        read = json.loads(path.read_text("utf-8"))
        if (left := _without(read, wanted)) != read:
            write_json(path, left)
    seeds = root / "seeds.txt"  # of a merged corpus
    if seeds.is_file():
        urls = seeds.read_text("utf-8").splitlines()
        write_lines(seeds, (url for url in urls if not wanted.covers(url)))


def _without(value: Any, wanted: Removals) -> Any:
    """Return a value of JSON without the addresses of the pages, in lists or alone."""
    if isinstance(value, dict):
        return {
            k: _without(one, wanted)
            for k, one in value.items()
            if not _is_of(k, wanted)
        }
    if isinstance(value, list):
        return [_without(one, wanted) for one in value if not _is_of(one, wanted)]
    if isinstance(value, str):
        words = _LIST_RE.split(value)
        left = [word for word in words if not _is_of(word, wanted)]
        return value if len(left) == len(words) else ", ".join(left)
    return value


def _is_of(value: Any, wanted: Removals) -> bool:
    """Test whether an entry of a list, or a word, is about a page: its address, or its host."""
    url = value.get("url") if isinstance(value, dict) else value
    if not isinstance(url, str):
        return False
    by_host = wanted.find(f"http://{url}/")
    return wanted.covers(url) or (by_host is not None and by_host.kind == "host")


def _remove_copies(corpus: Corpus) -> None:
    """Remove the exports and all other files that quote documents; exports are made anew."""
    files = corpus.files
    # The stages that write them are out of date, also where no page is removed.
    corpus.index.set_signature("decisions", "")
    copies = [path for path, _ in iter_export_files(corpus)]
    copies += [files.pairs, files.search, files.judging]
    copies += [files.judging.with_suffix(""), files.report]
    for path in copies:
        if path.is_dir():
            shutil.rmtree(path)
        elif path.parent.is_dir():
            for one in path.parent.glob(f"{path.name}*"):
                one.unlink()
