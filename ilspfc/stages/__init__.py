"""The stages that look at a corpus as a whole, in their order; the report comes last.

They are glue: each reads from the corpus what its algorithm needs and writes down what
comes of it. They run at the end of a crawl and again whenever asked
(``scrapy dedup | pair | align | export | report``), with the same result.
"""

from ilspfc.stages.alignment import run_alignment
from ilspfc.stages.corpus import Corpus, open_corpus
from ilspfc.stages.dedup import run_dedup
from ilspfc.stages.exports.export_stage import run_exports
from ilspfc.stages.pairing import run_pairing
from ilspfc.stages.report import run_report

CORPUS_STAGES = {
    "dedup": run_dedup,
    "pairing": run_pairing,
    "alignment": run_alignment,
    "exports": run_exports,
}

__all__ = [
    "CORPUS_STAGES",
    "Corpus",
    "open_corpus",
    "run_alignment",
    "run_dedup",
    "run_exports",
    "run_pairing",
    "run_report",
]
