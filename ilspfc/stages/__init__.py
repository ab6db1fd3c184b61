"""The stages over a whole corpus, in their order; the report comes last.

They are glue: each reads from the corpus what its algorithm needs and writes its result.
They run at the end of a crawl and again by their commands
(``scrapy dedup | pair | align | export | report``), with the same result.
"""

import ctypes
from collections.abc import Callable
from contextlib import suppress

from ilspfc.corpus.corpus import Corpus, open_corpus
from ilspfc.disk import flush
from ilspfc.stages.alignment import run_alignment
from ilspfc.stages.content import run_content
from ilspfc.stages.decisions import run_decisions
from ilspfc.stages.dedup import run_dedup
from ilspfc.stages.exports.corpus_files import run_exports
from ilspfc.stages.freshness import find_outdated, record_run
from ilspfc.stages.pairing import run_pairing
from ilspfc.stages.report import run_report
from ilspfc.stages.units import run_units

CORPUS_STAGES = {
    "dedup": run_dedup,
    "pairing": run_pairing,
    "content": run_content,
    "alignment": run_alignment,
    "decisions": run_decisions,
    "units": run_units,
    "exports": run_exports,
}
# Stages after which the pairs are decided anew, also where one is run alone.
_DECIDED = frozenset({"dedup", "pairing", "alignment"})


def run_one(name: str, corpus: Corpus) -> None:
    """Run one stage, and record that it has run."""
    CORPUS_STAGES[name](corpus)
    # After a power cut nothing may count as made that is not there.
    flush(corpus.files.root)
    record_run(corpus, tuple(CORPUS_STAGES), name)
    _release_memory()


def _release_memory() -> None:
    """Return to the system the memory that a stage has freed, so that stages do not add up."""
    with suppress(OSError, AttributeError, TypeError):  # a function of glibc
        ctypes.CDLL(None).malloc_trim(0)


def run_stage(name: str, corpus: Corpus) -> None:
    """Run one stage with those without a command: the decisions on text, pairs and units."""
    if name == "alignment":  # which aligns the text
        run_one("content", corpus)
    if name == "exports":  # which select units by the reasons against them
        run_one("units", corpus)
    run_one(name, corpus)
    if name in _DECIDED:
        run_one("decisions", corpus)
        run_one("units", corpus)


def run_outdated(
    corpus: Corpus, *, everything: bool = False, begin: Callable[[str], object] = str
) -> list[str]:
    """Run the stages whose inputs have changed since they last ran; return their names.

    With ``everything`` all of them; ``begin`` is called with the name of each.
    """
    stages = tuple(CORPUS_STAGES)
    names = list(stages) if everything else find_outdated(corpus, stages)
    for name in names:
        begin(name)
        run_one(name, corpus)
    return names


__all__ = [
    "CORPUS_STAGES",
    "Corpus",
    "open_corpus",
    "run_one",
    "run_outdated",
    "run_report",
    "run_stage",
]
