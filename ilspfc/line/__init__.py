"""The corpus line: declared stages over a corpus, and the runner that runs them in their order."""

from ilspfc.line.runner import find_stages, run_one, run_outdated, run_stage
from ilspfc.line.stage import Stage

__all__ = ["Stage", "find_stages", "run_one", "run_outdated", "run_stage"]
