"""Experiments of paper 001: parameters of a site are chosen by the others."""

from __future__ import annotations

from evaluation.ets import leave_out

A, B, C = ("a", "hard"), ("b", "hard"), ("c", "hard")


def test_parameters_are_chosen_by_the_other_sites() -> None:
    """``bold`` gains the most on a and b, but loses on c: only c is judged by it."""
    content = {A: 0.5, B: 0.5, C: 0.5}
    rows = {
        "bold": {A: 0.8, B: 0.8, C: 0.4},
        "mild": {A: 0.6, B: 0.6, C: 0.5},
    }
    chosen = {
        site: (best, f1) for site, _, best, f1 in leave_out([A, B, C], content, rows)
    }
    assert chosen == {"a": ("mild", 0.6), "b": ("mild", 0.6), "c": ("bold", 0.4)}
