"""Decisions: scores become pairs, once and with a reason."""

from ilspfc.decisions.pairs import ParallelBounds, decide_pairs

__all__ = ["ParallelBounds", "decide_pairs"]
