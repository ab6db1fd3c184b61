"""``scrapy build CORPUS_DIR``: all stages over a corpus that are out of date."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, cast

from ilspfc.atomic import open_atomic
from ilspfc.command import CorpusCommand, apply_setting_options, warn
from ilspfc.commands.exports.export import EXPORT_OPTIONS

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus
    from ilspfc.tasks import RunTasks

_CODE = "code,preformatted"


class Command(CorpusCommand):
    """Runs dedup, pairing, decisions on text, alignment, decisions, exports and the report.

    A stage is out of date once its settings, the crawl or a stage before it have changed.
    """

    stage = "build"
    setting_options = EXPORT_OPTIONS
    options = (
        (
            "--no-code",
            "",
            f"leave code out of text and units [DECISIONS_OMITTED_TYPES={_CODE}]",
            {
                "dest": "DECISIONS_OMITTED_TYPES",
                "action": "store_const",
                "const": _CODE,
            },
        ),
        (
            "--cluster",
            "ADDRESS",
            "run the stages on Dask: local for all cores here, or tcp://host:8786, a scheduler",
        ),
        (
            "--parts",
            "ADDRESS",
            "copy parts of crawlers first, from s3://bucket/parts …",
        ),
        ("--force", "", "run all stages, out of date or not"),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check the options and build."""
        from ilspfc.corpus.files import CorpusFiles

        # Parts of crawlers that share a frontier are not joined yet.
        has_parts = any(CorpusFiles(Path(root)).has_parts for root in args)
        self.makes_corpus = has_parts or bool(opts.parts)
        self._is_forced = opts.force
        self._cluster = opts.cluster
        apply_setting_options(self.settings, opts)
        super().work(args, opts)

    def fill(self, root: Path, opts: argparse.Namespace) -> None:
        """Join the parts of crawlers that share a frontier, those from elsewhere among them."""
        from ilspfc.add_ons import load

        if opts.parts:
            warn(load("cluster.parts.fetch_parts", "--parts")(root, opts.parts))
        if self.makes_corpus:
            join_parts = load("cluster.parts.join_parts", f"{root}/parts")
            warn(f"taken from the parts: {join_parts(root)} documents")

    def open_tasks(self) -> AbstractContextManager[RunTasks]:
        """Return the runner of the tasks of the stages: this machine or a cluster."""
        if not self._cluster:
            return super().open_tasks()
        from ilspfc.add_ons import load

        open_cluster = load("cluster.dask_tasks.open_cluster", "--cluster")
        return cast("AbstractContextManager[RunTasks]", open_cluster(self._cluster))

    def make(self, corpus: Corpus) -> None:
        """Run the stages that are out of date; say which, and keep their state in a file."""
        from ilspfc.extensions.progress import ProgressLine, describe_stage
        from ilspfc.line import run_outdated

        begun, line = time.time(), ProgressLine(sys.stderr)
        running = "", 0.0

        def share(done: int, total: int) -> None:
            name, since = running
            if line.is_terminal:
                line.show(describe_stage(name, (done, total, since), bar=True))

        def begin(stage: str) -> None:
            nonlocal running
            running = stage, time.monotonic()
            if line.is_terminal:
                line.show(describe_stage(stage, bar=True))
            tell(stage)

        def tell(stage: str) -> None:
            state = {
                "state": stage,
                "pid": os.getpid(),
                "updated": datetime.now(UTC).isoformat(),
                "seconds": round(time.time() - begun),
            }
            with open_atomic(corpus.files.build, sync=False) as file:
                file.write(json.dumps(state, indent=1).encode() + b"\n")

        end = "stopped"
        try:
            shown = replace(corpus, progress=share)
            names = run_outdated(shown, everything=self._is_forced, begin=begin)
            end = "finished"
        finally:
            line.erase()
            tell(end)
        if not self._is_forced:
            warn(f"run again: {', '.join(names)}" if names else "all is up to date")
