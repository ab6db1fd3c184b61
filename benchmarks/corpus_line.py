"""The stages over generated corpora: seconds, memory and growth of each stage.

``python -m benchmarks.corpus_line [--documents 3000,10000,30000] [--cluster ADDRESS]`` writes
corpora of German and Italian documents, runs the stages over each in a process of its own, and prints the seconds of each stage,
the largest memory of the process after each, and the exponents by which both grow. Sizes of sites
follow a power law, three in ten documents have a translation, one in twenty is a near-duplicate.
``--keep FOLDER`` builds each size in a folder of its own there and leaves it, and a run that was
killed goes on with the stages that are not done.

``--compare N [--corpus FOLDER]`` runs the stages over copies of the first, or of a crawled corpus, N
times with one and with two processes by turns, and prints seconds by the clock, CPU of the first
process, in tasks, and of the other process, its MB, and the ratios of the medians: of seconds, of
the first process's CPU, which hardly waits for the other and says what free cores would take, and
that which tasks alone would give if they took half of the time.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import random
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from scrapy.settings import BaseSettings

from benchmarks.pairing import draw_word, translate
from ilspfc import settings as defaults
from ilspfc.cluster.dask_tasks import open_cluster
from ilspfc.corpus.corpus import open_corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.reading import encode_reading, text_digest
from ilspfc.corpus.records import DocumentEntry
from ilspfc.corpus.xml import format_document
from ilspfc.documents import Document, Paragraph
from ilspfc.line import run_one
from ilspfc.line.runner import find_outdated
from ilspfc.line.stages import STAGES
from ilspfc.workers import LocalTasks

if TYPE_CHECKING:
    from ilspfc.tasks import RunTasks

S = TypeVar("S")
K = TypeVar("K")
T = TypeVar("T")
LANGS = ("deu", "ita")
# Of the pages of a site, those in both languages: of the documents three in ten.
_BOTH = 0.3 / 1.7
_NEAR_DUPLICATES = 0.05
# Pages of a site: a Pareto distribution with this exponent and least size, and the most.
_EXPONENT, _LEAST, _MOST = 1.0, 5, 20_000
_WORDS = 20_000
_PARAGRAPHS = 8
_SPAWN = multiprocessing.get_context("spawn")


def write_corpus(root: Path, documents: int) -> None:
    """Write a corpus of so many documents, or a few more."""
    draw = random.Random(1)
    words = [draw_word(draw) for _ in range(_WORDS)]
    weights = list(accumulate(1 / (rank + 10) for rank in range(_WORDS)))
    files = CorpusFiles(root)
    files.documents.mkdir(parents=True)
    with CorpusIndex(files.index) as index, index.transaction():
        index.add_run({"langs": list(LANGS)})
        site = left = written = page = 0
        while written < documents:
            if not left:
                site += 1
                left = min(int(_LEAST * draw.paretovariate(_EXPONENT)), _MOST)
            left, page = left - 1, page + 1
            if page == 1 or draw.random() > _NEAR_DUPLICATES:
                said = [
                    draw.choices(words, cum_weights=weights, k=draw.randint(5, 25))
                    for _ in range(_PARAGRAPHS)
                ]
                said[0] += [f"name{page % 997}", str(draw.randrange(3000))]
            said[-1] = draw.choices(words, cum_weights=weights, k=15)
            langs = LANGS if draw.random() < _BOTH else (draw.choice(LANGS),)
            for lang in langs:
                texts = [
                    " ".join(b if lang == "deu" else map(translate, b)).capitalize()
                    + "."
                    for b in said
                ]
                _add(index, files, lang, (site, page), texts)
            written += len(langs)


def _add(
    index: CorpusIndex,
    files: CorpusFiles,
    lang: str,
    numbers: tuple[int, int],
    texts: Sequence[str],
) -> None:
    """Add a document of a site and page."""
    site, page = f"site{numbers[0]}.example", numbers[1]
    # Nothing in an address says which pages belong together.
    name = f"{random.Random(f'{lang}{page}').getrandbits(48):012x}"
    url = f"http://{site}/{name}.html"
    document = Document(name, url, [Paragraph(text) for text in texts], lang=lang)
    file = files.document_name(lang, name)
    (files.documents / file).write_bytes(format_document(document))
    tokens = sum(len(text.split()) for text in texts)
    rest = ("", len(texts), len(texts), tokens, 0.0, 0, "", "", "utf-8", "")
    entry = DocumentEntry(
        name, lang, url, site, site, 1, file, *rest, "", False, "", "", ""
    )
    # As a crawl writes it: the stages need not read the XML.
    digest, reading = text_digest(document), encode_reading(document)
    index.add_document(entry, [], [], digest=digest, reading=reading)


def run_stages(
    root: Path, cluster: str, processes: int = 1, *, resumes: bool = False
) -> dict[str, float]:
    """Return the seconds of each stage, and the largest memory of the process after each.

    With ``processes``, also the seconds of CPU, and CPU and memory of the other process.
    ``resumes`` runs outdated stages alone, and prints each at its end.
    """
    values = {k: v for k, v in vars(defaults).items() if k.isupper()}
    found, peaks = {}, {}
    tasks = LocalTasks(processes)
    opened = open_cluster(cluster) if cluster else nullcontext(tasks)
    with tasks, opened as run, open_corpus(root, BaseSettings(values)) as opened_corpus:
        spent = [0.0]
        corpus = replace(opened_corpus, run_tasks=_time_tasks(run, spent))
        for stage in find_outdated(corpus) if resumes else STAGES:
            begun = time.perf_counter()
            run_one(stage, corpus)
            found[stage.name] = time.perf_counter() - begun
            peaks[f"{stage.name} MB"] = (
                resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            )
            if resumes:
                seconds, megabytes = found[stage.name], peaks[f"{stage.name} MB"]
                print(f"{stage.name}: {seconds:.1f} s, {megabytes:.1f} MB", flush=True)
        found["all"] = sum(found.values())
        others = [
            Path(f"/proc/{p.pid}/status") for p in multiprocessing.active_children()
        ]
        lines = [other.read_text().partition("VmHWM:")[2].split() for other in others]
        peaks["other MB"] = max((int(line[0]) / 1024 for line in lines), default=0.0)
    other = resource.getrusage(resource.RUSAGE_CHILDREN)
    peaks["other CPU"] = other.ru_utime + other.ru_stime
    return {**found, **peaks, "CPU": time.process_time(), "tasks CPU": spent[0]}


def _time_tasks(run: RunTasks, spent: list[float]) -> RunTasks:
    """Return what runs tasks and adds the seconds of CPU that they take in this process."""

    def run_timed(
        function: Callable[[S, K], T], tasks: Iterable[K], shared: S, /
    ) -> Iterator[T]:
        results = run(function, tasks, shared)
        begun = time.process_time()
        for result in results:
            spent[0] += time.process_time() - begun
            yield result
            begun = time.process_time()

    return run_timed


def compare(source: Path, times: int) -> None:
    """Run the stages with one and two processes by turns; print each run and the ratios."""
    columns = "all", "CPU", "tasks CPU", "other CPU", "other MB"
    runs: dict[int, list[dict[str, float]]] = {1: [], 2: []}
    print(f"processes | {' | '.join(columns)}")
    for processes in (1, 2) * times:
        with tempfile.TemporaryDirectory() as place, _SPAWN.Pool(1) as pool:
            root = Path(shutil.copytree(source, Path(place) / "corpus"))
            # Children of a daemon, as those of a pool are, may have none.
            found = pool.apply(_allow_children, (run_stages, root, "", processes))
        runs[processes].append(found)
        print(processes, *(f"{found[c]:.1f}" for c in columns), sep=" | ", flush=True)
    ratios = [
        statistics.median(one[column] for one in runs[2])
        / statistics.median(one[column] for one in runs[1])
        for column in columns[:2]
    ]
    ideal = 1 - statistics.median(one["tasks CPU"] / one["CPU"] for one in runs[1]) / 2
    print(f"ratio | {ratios[0]:.2f} | {ratios[1]:.2f} | ideal {ideal:.2f}")


def _allow_children(function: Callable[..., T], *arguments: object) -> T:
    multiprocessing.current_process()._config["daemon"] = False  # type: ignore[attr-defined]  # noqa: SLF001
    return function(*arguments)


def _measure(
    documents: int, cluster: str, processes: int, keep: Path | None
) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as place:
        root = keep / str(documents) if keep else Path(place) / "corpus"
        # In a process of its own: the memory is that of the stages.
        if not root.exists():
            with _SPAWN.Pool(1) as pool:
                pool.apply(write_corpus, (root, documents))
        run = partial(run_stages, root, cluster, processes, resumes=keep is not None)
        with _SPAWN.Pool(1) as pool:
            return pool.apply(_allow_children, (run,))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row for each size, and the exponents."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", default="3000,10000,30000")
    parser.add_argument("--cluster", default="", help="as of scrapy build")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    parser.add_argument("--compare", type=int, default=0, metavar="N")
    parser.add_argument("--corpus", type=Path, metavar="FOLDER")
    options = parser.parse_args(arguments)
    if options.compare:
        with tempfile.TemporaryDirectory() as place:
            root = options.corpus or Path(place) / "corpus"
            if not options.corpus:
                write_corpus(root, int(options.documents.split(",")[0]))
            compare(root, options.compare)
        return 0
    sizes = [int(size) for size in options.documents.split(",")]
    rows: list[dict[str, float]] = []
    for size in sizes:
        measured = size, options.cluster, options.processes, options.keep
        rows.append(_measure(*measured))
        if len(rows) == 1:
            print("documents | " + " | ".join(rows[0]), flush=True)
        print(
            f"{size:,} | " + " | ".join(f"{v:.1f}" for v in rows[-1].values()),
            flush=True,
        )
    for (small, few), (large, many) in zip(
        zip(sizes, rows, strict=True),
        zip(sizes[1:], rows[1:], strict=False),
        strict=False,
    ):
        exponents = [
            math.log(max(many[k], 1e-3) / max(few[k], 1e-3)) / math.log(large / small)
            for k in few
        ]
        print(
            f"exponent {small:,} to {large:,} | "
            + " | ".join(f"{e:.2f}" for e in exponents)
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
