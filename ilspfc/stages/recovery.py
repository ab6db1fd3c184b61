"""``scrapy reindex``: an index or frontier that is lost is made again, beside the old one."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ilspfc.cleaning import add_media_types
from ilspfc.corpus.bitext import Bitext
from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.lock import CorpusLock
from ilspfc.corpus.warc.lookup import WarcArchive
from ilspfc.crawl.earlier_run import describe_run, find_arguments, use_settings
from ilspfc.crawl.job import make_job
from ilspfc.database import describe_problem, find_damage, is_damage
from ilspfc.exceptions import CorpusError
from ilspfc.frontier.store.protocol import UrlState
from ilspfc.frontier.store.sqlite import SQLiteStore
from ilspfc.stages.dedup import run_dedup
from ilspfc.stages.reindex import Reindexer
from ilspfc.stages.reindex_frontier import FrontierBuilder
from ilspfc.web.urls import canonicalize

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from scrapy.settings import BaseSettings

    from ilspfc.crawl.job import CrawlJob

_NEW = ".new"
_ASIDE = ".damaged"
# SQLite's files beside the database, which belong to it alone.
_COMPANIONS = ("", "-wal", "-shm")


@dataclass(slots=True)
class Recovery:
    """What was made again: numbers by what they count, and the old files' new names."""

    counts: dict[str, int] = field(default_factory=dict)
    kept: list[Path] = field(default_factory=list)


def recover(root: Path, given: Mapping[str, str], settings: BaseSettings) -> Recovery:
    """Make the index and the frontier of a corpus again, where they cannot be used.

    ``given`` are arguments of the crawl, in place of those that the manifest tells. Files
    that can be used are left alone. CorpusError where there is nothing to do, or nothing
    to do it from; the folder is then as it was.
    """
    files = CorpusFiles(root)
    if not any(f.is_dir() for f in (files.documents, files.duplicates, files.archive)):
        raise CorpusError(
            f"{root}: no corpus there (neither xml/ nor warc/); give the folder that a"
            " crawl wrote, its CORPUS_DIR"
        )
    CorpusLock.check(root)
    has_index, has_frontier = _is_index(files.index), _is_frontier(files.frontier)
    if has_index and has_frontier:
        raise CorpusError(
            f"{root}: corpus.db and frontier.db can be read; to have one made again all"
            " the same, move it away"
        )
    use_settings(files, settings)
    arguments = find_arguments(files, given)
    new = CorpusFiles(root)
    new.index, new.frontier = _beside(files.index), _beside(files.frontier)
    _remove(new.index)
    _remove(new.frontier)
    job = make_job("reindex", arguments, settings, new)
    found = Recovery()
    try:
        found.counts = _fill(job, settings, files if has_index else None)
        job.index.close()
        # The index last: what is killed here is found out and begun again.
        if not has_frontier:
            found.kept += _put_in_place(new.frontier, files.frontier)
        if not has_index:
            found.kept += _put_in_place(new.index, files.index)
    finally:
        job.workers.close()
        job.index.close()
        _remove(new.index)
        _remove(new.frontier)
        job.lock.release()
    return found


def _fill(
    job: CrawlJob, settings: BaseSettings, intact: CorpusFiles | None
) -> dict[str, int]:
    """Fill the new index and frontier; ``intact`` are files whose index is in use."""
    store = SQLiteStore(job.files.frontier)
    try:
        frontier = FrontierBuilder(job, store)
        reindexer = Reindexer(job, frontier, settings)
        with job.index.transaction():
            asyncio.run(reindexer.run(_open_archive(job, settings)))
            run = describe_run(job.files, job.arguments)
            job.index.add_run(run)
            if intact is None and any(job.files.duplicates.glob("*.xml")):
                bitext = Bitext(job.index)
                run_dedup(Corpus(job.files, job.index, bitext, settings, run))
        if intact is not None:
            with CorpusIndex(intact.index) as index:
                frontier.settle(index)
        states = {state.value: store.count(state) for state in UrlState}
    finally:
        store.close()
    return {**reindexer.counts, **states}


def _open_archive(job: CrawlJob, settings: BaseSettings) -> WarcArchive:
    """Return the archive of the corpus, and what the crawl was made over if it was."""
    media_types = add_media_types(
        settings.getlist("FETCH_MEDIA_TYPES"), settings.getlist("CLEANING_FORMATS")
    )
    own = sorted(job.files.archive.glob("*.warc.gz"))
    archive = WarcArchive([*own, *job.arguments.warc], canonicalize, media_types)
    archive.index()
    return archive


def _is_index(path: Path) -> bool:
    """Return whether a file is an index that knows of a crawl."""
    if not _is_readable(path, CorpusIndex.kind):
        return False
    try:
        with CorpusIndex(path) as index:
            return not index.is_blank
    except CorpusError:  # of another version
        return False


def _is_frontier(path: Path) -> bool:
    return _is_readable(path, "frontier")


def _is_readable(path: Path, kind: str) -> bool:
    """Return whether a file is a whole database; CorpusError for one that is kept busy."""
    if not path.is_file() or not path.stat().st_size:
        return False
    error = find_damage(path)
    if error is not None and not is_damage(error):
        raise CorpusError(describe_problem(path, kind, error, ""))
    return error is None


def _beside(path: Path) -> Path:
    return path.with_name(path.name + _NEW)


def _remove(path: Path) -> None:
    for suffix in _COMPANIONS:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _put_in_place(made: Path, path: Path) -> list[Path]:
    """Give a new file its name; return the name that the old one gets, if there is one."""
    aside, number = path.with_name(path.name + _ASIDE), 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}{_ASIDE}-{number}")
    is_there = path.exists()
    for suffix in _COMPANIONS:
        old = path.with_name(path.name + suffix)
        if old.exists():
            old.replace(aside.with_name(aside.name + suffix))
    made.replace(path)
    return [aside] if is_there else []
