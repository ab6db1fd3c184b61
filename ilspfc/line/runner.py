"""Runner of the corpus line: executes outdated stages in order.

The signature of a stage covers its settings, the version of the program and the signature
of the previous stage; that of the first stage also covers the runs of the crawl and their
documents, that of the exports the exclusions.
"""

from __future__ import annotations

import ctypes
import gc
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import blake2b

from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from ilspfc import __version__
from ilspfc.corpus.corpus import Corpus
from ilspfc.disk import flush
from ilspfc.exceptions import SettingError
from ilspfc.line.stages import STAGES, Stage
from ilspfc.setting_table import read_table, split_list

# New objects before a search for cycles: readings have none, but 700 took a tenth of the time.
_NEW_OBJECTS = 20_000
# Stages to run before and after a stage that is run alone.
_BEFORE = {"alignment": ("content",), "exports": ("units",)}
_AFTER = dict.fromkeys(("dedup", "pairing", "alignment"), ("decisions", "units"))
# Stages of add-ons, by the argument of the crawl that adds them.
_ON_DEMAND = {"comparable": "ilspfc.papers.comparable.COMPARABLE"}


def find_stages(corpus: Corpus) -> list[Stage]:
    """Return all stages in order, including custom ones and those that the crawl asked for."""
    asked = [path for name, path in _ON_DEMAND.items() if corpus.run.get(name)]
    return load_stages(corpus.settings, asked)


def load_stages(settings: BaseSettings, asked: Sequence[str] = ()) -> list[Stage]:
    """Return all stages in order, with those of CORPUS_STAGES and of the paths that are asked for.

    SettingError if one is not a stage, or its position is unknown.
    """
    stages = list(STAGES)
    for path in dict.fromkeys([*split_list(settings, "CORPUS_STAGES"), *asked]):
        try:
            stage = load_object(path)
        except (ImportError, NameError, ValueError) as error:
            raise SettingError(f"CORPUS_STAGES={path}: {error}") from error
        after = stage.after if isinstance(stage, Stage) else None
        places = [n for n, one in enumerate(stages, 1) if one.name == after]
        if not places:
            known = ", ".join(one.name for one in stages)
            raise SettingError(
                f"CORPUS_STAGES={path}: no Stage whose `after` is one of {known}"
            )
        stages.insert(places[0], stage)
    return stages


def run_one(stage: Stage, corpus: Corpus) -> None:
    """Run one stage, and record the run."""
    thresholds = gc.get_threshold()
    gc.set_threshold(_NEW_OBJECTS, *thresholds[1:])
    try:
        stage(corpus)
    finally:
        gc.set_threshold(*thresholds)
    # Files must survive a power failure before their stage counts as done.
    flush(corpus.files.root)
    record_run(corpus, stage)
    with suppress(OSError, AttributeError, TypeError):  # only glibc has malloc_trim
        # Freed memory is returned to the system, so that stages do not add up.
        ctypes.CDLL(None).malloc_trim(0)


def run_stage(name: str, corpus: Corpus) -> None:
    """Run one stage, and those without a command: the decisions on text, pairs and units."""
    stages = {stage.name: stage for stage in find_stages(corpus)}
    for one in (*_BEFORE.get(name, ()), name, *_AFTER.get(name, ())):
        run_one(stages[one], corpus)


def run_outdated(
    corpus: Corpus, *, everything: bool = False, begin: Callable[[str], object] = str
) -> list[str]:
    """Run the stages whose inputs have changed since their last run; return their names.

    ``everything`` runs all stages; ``begin`` is called with the name of each.
    """
    stages = find_stages(corpus) if everything else find_outdated(corpus)
    for stage in stages:  # an interrupted run has the rest still to do
        corpus.index.set_signature(stage.name, "")
    for stage in stages:
        begin(stage.name)
        run_one(stage, corpus)
    return [stage.name for stage in stages]


def record_run(corpus: Corpus, stage: Stage) -> None:
    """Record the run of a stage on the current results of the previous stages.

    The description of the crawl keeps the settings of each stage that were not the crawl's.
    """
    stages = find_stages(corpus)
    place = [one.name for one in stages].index(stage.name)
    index = corpus.index
    previous = index.signature(stages[place - 1].name) if place else _sign_crawl(corpus)
    index.set_signature(stage.name, _sign(corpus, stage, previous))
    crawled_with = corpus.run.get("settings", {})
    changed: dict[str, str | None] = {}
    for name, setting in read_table().items():
        if stage.takes(name):
            value = str(corpus.settings.get(name))
            is_same = value == crawled_with.get(name, str(setting.default))
            changed[name] = None if is_same else value
    index.finish_run({"stages": {stage.name: changed}})
    corpus.run["stages"] = index.last_run().get("stages", {})


def find_outdated(corpus: Corpus) -> list[Stage]:
    """Return the stages from the first outdated one on, in order."""
    signature, stages = _sign_crawl(corpus), find_stages(corpus)
    for place, stage in enumerate(stages):
        signature = _sign(corpus, stage, signature)
        if corpus.index.signature(stage.name) != signature:
            return stages[place:]
    return []


def _sign_crawl(corpus: Corpus) -> str:
    rows = corpus.index.rows(
        "SELECT (SELECT max(number) FROM runs), count(*), max(fetched_at) FROM documents"
    )
    return _digest(*next(rows), *corpus.langs)


def _sign(corpus: Corpus, stage: Stage, previous: str) -> str:
    values: Sequence[str] = [
        f"{name}={corpus.settings.get(name)}"
        for name in sorted(read_table())
        if stage.takes(name)
    ]
    if stage.name == "exports" and corpus.files.exclusions.is_file():
        values = [*values, corpus.files.exclusions.read_text("utf-8", "replace")]
    return _digest(__version__, stage.name, previous, *values)


def _digest(*values: object) -> str:
    return blake2b(json.dumps(values).encode(), digest_size=16).hexdigest()
