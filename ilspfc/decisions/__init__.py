"""Decisions: scores turn into text, pairs and subject, each with a reason."""

from ilspfc.decisions.pairs import Figures, decide_pairs

__all__ = ["Figures", "decide_pairs"]
