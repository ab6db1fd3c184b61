"""Decisions: scores become pairs, once and with a reason."""

from ilspfc.decisions.pairs import Figures, decide_pairs

__all__ = ["Figures", "decide_pairs"]
