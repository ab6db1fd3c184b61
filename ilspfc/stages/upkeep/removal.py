"""Removal of pages from a corpus: from its files, index, archive, frontier and exports."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.atomic import open_atomic
from ilspfc.corpus.corpus import open_corpus
from ilspfc.corpus.exclusions import Exclusion, Exclusions
from ilspfc.corpus.removals import Removal, Removals, make_finder
from ilspfc.corpus.warc.reader import iter_records
from ilspfc.exceptions import CorpusError
from ilspfc.frontier.store.candidates import UrlState
from ilspfc.line import run_outdated
from ilspfc.stages.exports.corpus_files import iter_export_files

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus
    from ilspfc.corpus.files import CorpusFiles

    FindRemoval = Callable[[str], Removal | None]

REASON = "removed"
"""Reason of URLs in the frontier that are not to be visited again."""


def remove_pages(corpus: Corpus, wanted: Sequence[Removal]) -> list[Removal]:
    """Remove pages from everything that a corpus has, and make what depends on them anew.

    Returns the removals with their counts, which then stand in ``removals.tsv``. A removal that
    was interrupted is finished when it is asked for again. Sheets of samples are removed whole,
    for they quote pages; exports are written again in the formats of the settings alone.
    """
    date = datetime.now(UTC).isoformat(timespec="seconds")
    _block(corpus.files, wanted)
    find = make_finder(wanted)
    for index in sorted(corpus.files.parts.glob("*/corpus.db")):
        with open_corpus(index.parent, corpus.settings) as part:
            _remove(part, find)
    archived, documents = _remove(corpus, find)
    found = [
        replace(one, date=date, documents=documents[one], archived=archived[one])
        for one in wanted
    ]
    Removals(corpus.files.removals).add(found)
    _remove_copies(corpus)
    run_outdated(corpus)
    return found


def _remove(
    corpus: Corpus, find: FindRemoval
) -> tuple[Counter[Removal], Counter[Removal]]:
    """Remove pages; return how many archived records and documents there were of each."""
    # What is deleted is overwritten.
    list(corpus.index.rows("PRAGMA secure_delete = ON"))
    archived: Counter[Removal] = Counter()
    for path in sorted(corpus.files.archive.glob("*.warc.gz")):
        archived += _rewrite(path, find)
    return archived, _remove_documents(corpus, find)


def _block(files: CorpusFiles, wanted: Sequence[Removal]) -> None:
    """Keep the frontier from the pages, and take what it knows of them but their addresses."""
    if not files.frontier.is_file():
        return
    with closing(sqlite3.connect(files.frontier)) as connection, connection:
        connection.execute("PRAGMA secure_delete = ON")
        find = make_finder(wanted)
        connection.create_function("is_removed", 1, lambda url: find(url) is not None)
        connection.execute(
            "UPDATE urls SET state = ?, reason = ?, anchor = '', referrer = ''"
            " WHERE is_removed(url)",
            (UrlState.REFUSED.value, REASON),
        )


def _rewrite(path: Path, find: FindRemoval) -> Counter[Removal]:
    """Write a WARC file without the records of the pages; return how many there were of each."""
    records = list(iter_records(path))
    if None in records:
        raise CorpusError(
            f"{path}: is damaged; nothing is removed from it: mend it with `scrapy reindex`"
        )
    places = [(record.offset, record.url) for record in records if record is not None]
    gone = [find(url) for _, url in places]
    if not any(gone):
        return Counter()
    ends = [*(offset for offset, _ in places), path.stat().st_size]
    with path.open("rb") as old, open_atomic(path) as new:
        for is_gone, (start, end) in zip(gone, pairwise(ends), strict=True):
            if not is_gone:
                old.seek(start)
                new.write(old.read(end - start))
    return Counter(filter(None, gone))


def _remove_documents(corpus: Corpus, find: FindRemoval) -> Counter[Removal]:
    """Remove the documents of the pages; return how many there were of each."""
    index, files = corpus.index, corpus.files
    entries = [e for e in index.documents(duplicates=True) if find(e.url)]
    _remove_exclusions(corpus, [entry.id for entry in entries])
    for entry in entries:
        files.remove_document(entry.file)
        for folder in files.document_folders:
            for beside in folder.glob(f"{Path(entry.file).stem}.*"):
                beside.unlink()
        index.remove_document(entry.id)
    ids = [(entry.id,) for entry in entries]
    addresses = [
        (url,)
        for table in ("pages", "failures")
        for (url,) in index.rows(f"SELECT url FROM {table}")
        if find(url)
    ]
    with index.transaction() as connection:
        for table in ("candidates", "units"):
            connection.executemany(
                f"DELETE FROM {table} WHERE ? IN (source, target)", ids
            )
        for table in ("rivals", "alone"):
            connection.executemany(f"DELETE FROM {table} WHERE document = ?", ids)
        for table in ("pages", "failures"):
            connection.executemany(f"DELETE FROM {table} WHERE url = ?", addresses)
        # Anchors of links to the pages.
        connection.executemany("DELETE FROM links WHERE target = ?", ids)
    return Counter(filter(None, (find(entry.url) for entry in entries)))


def _remove_exclusions(corpus: Corpus, ids: Sequence[str]) -> None:
    """Take back exclusions of units of documents, which quote them."""
    exclusions = Exclusions(corpus.files.exclusions)
    if not exclusions.entries:
        return
    sql = "SELECT source_text, target_text FROM units WHERE ? IN (source, target)"
    for identity in ids:
        for texts in corpus.index.rows(sql, (identity,)):
            exclusions.remove(Exclusion.of("unit", texts))


def _remove_copies(corpus: Corpus) -> None:
    """Remove the exports and all other files that quote documents; exports are made anew."""
    files = corpus.files
    copies = [path for path, _ in iter_export_files(corpus)]
    copies += [files.pairs, files.search, files.scores, files.judging]
    copies += [files.judging.with_suffix(""), files.report]
    for path in copies:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            for one in path.parent.glob(f"{path.name}*"):
                one.unlink()


def describe(removal: Removal) -> str:
    """Return the receipt of a removal in a line."""
    return (
        f"{removal.date}: {removal.kind} {removal.value}: {removal.documents} documents,"
        f" {removal.archived} archived records removed"
    )
