"""Corpus line: declared stages over a corpus, and the runner that executes them in order."""

from ilspfc.line.runner import find_stages, run_one, run_outdated, run_stage
from ilspfc.line.stages import Stage

__all__ = ["Stage", "find_stages", "run_one", "run_outdated", "run_stage"]
