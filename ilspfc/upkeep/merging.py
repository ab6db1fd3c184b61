"""Corpora from elsewhere joined into a new one: files are copied, the index is made of them.

The ids of documents stay, for they come from the addresses. Of an address that several
corpora have, the newest visit counts; duplicates by content are for dedup.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings

from ilspfc.atomic import write_lines
from ilspfc.corpus.corpus import Corpus, open_corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.exceptions import ArgumentError
from ilspfc.exports.archived_pages import find_archive
from ilspfc.text.codes import to_bcp47
from ilspfc.upkeep.reindex import recover


@dataclass(frozen=True, slots=True)
class MergedSource:
    """Corpus that was merged: its documents, and how many of them are in the new corpus."""

    folder: str
    documents: int
    taken: int
    runs: list[dict[str, Any]]


def merge_corpora(
    out: Path, roots: Sequence[Path], settings: BaseSettings
) -> list[MergedSource]:
    """Make a corpus of others; return what was taken from each.

    ArgumentError where the folder is in use, a corpus is named twice, or their domains
    differ. What was begun is removed after an error.
    """
    if out.exists() and any(out.iterdir()):
        raise ArgumentError(f"{out}: is not empty; give a new folder")
    names = [root.resolve() for root in roots]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ArgumentError(f"{twice}: given twice; give each corpus once")
    with ExitStack() as stack:
        corpora = [stack.enter_context(open_corpus(root, settings)) for root in roots]
        arguments = _join_arguments(corpora)
        try:
            sources = _copy(corpora, CorpusFiles(out))
            seeds = out / "seeds.txt"
            given = (url for one in corpora for url in one.run.get("seeds", ()))
            write_lines(seeds, dict.fromkeys(given))
            recover(out, {**arguments, "seeds": str(seeds)}, settings)
        except BaseException:
            shutil.rmtree(out, ignore_errors=True)
            raise
    described = json.dumps([*map(asdict, sources)], indent=1, ensure_ascii=False)
    write_lines(out / "sources.json", [described])
    return sources


def _join_arguments(corpora: Sequence[Corpus]) -> dict[str, str]:
    """Return the arguments of a crawl that would have made all corpora."""
    langs = list(dict.fromkeys(lang for corpus in corpora for lang in corpus.langs))
    domains = {
        corpus.run.get("domain_file") or corpus.run.get("domain") or "none": corpus
        for corpus in corpora
    }
    if len(domains) > 1:
        listed = ", ".join(f"{c.files.root}: {name}" for name, c in domains.items())
        raise ArgumentError(
            f"the domains differ ({listed}); merge corpora of one domain"
        )
    name = "langs" if len(langs) > 1 else "lang"
    joined = {name: ",".join(map(to_bcp47, langs)), "domain": next(iter(domains))}
    # The archives are copied.
    return {**joined, "warc": "", "folder": "", "cc": ""}


def _copy(corpora: Sequence[Corpus], files: CorpusFiles) -> list[MergedSource]:
    """Copy the newest file of each document, and all WARC files, under names of their own."""
    newest: dict[str, tuple[str, int]] = {}
    for number, corpus in enumerate(corpora):
        for entry in corpus.index.documents(duplicates=True):
            found = entry.fetched_at, number
            newest[entry.id] = max(newest.get(entry.id, found), found)
    files.documents.mkdir(parents=True)
    files.archive.mkdir()
    shutil.copy2(corpora[0].files.manifest, files.manifest)
    sources = []
    for number, corpus in enumerate(corpora):
        entries = corpus.index.documents(duplicates=True)
        taken = [one for one in entries if newest[one.id][1] == number]
        for entry in taken:
            shutil.copy2(corpus.path_of(entry), files.documents / entry.file)
        for path in find_archive(corpus):
            shutil.copy2(path, files.archive / f"{number:03}-{path.name}")
        runs = corpus.index.rows("SELECT description FROM runs ORDER BY number")
        described = [json.loads(text) for (text,) in runs]
        folder = str(corpus.files.root)
        sources.append(MergedSource(folder, len(entries), len(taken), described))
    return sources
