"""Scores of what was kept of a page, and their means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from operator import itemgetter
from statistics import mean
from typing import TYPE_CHECKING

from scipy.stats import spearmanr

from ilspfc.cleaning.content.backends import words_of

if TYPE_CHECKING:
    from evaluation.cleaning_sets import GoldPage

_BAD_F1 = 0.5


@dataclass(frozen=True, slots=True)
class Score:
    """Scores of a page; nothing is 0, so that parts can be added.

    ``value`` is the F1 of the multisets of words, or the share of the snippets that are
    right where a set has those. ``right`` and ``snippets`` count them. ``wrong_blocks`` and
    ``wrong_words`` are the shares of blocks and of their words that are marked wrongly.
    """

    value: float = 0.0
    precision: float = 0.0
    recall: float = 0.0
    right: int = 0
    snippets: int = 0
    wrong_blocks: float = 0.0
    wrong_words: float = 0.0

    def __add__(self, other: Score) -> Score:
        pairs = ((getattr(self, f.name), getattr(other, f.name)) for f in fields(self))
        return Score(*(one + two for one, two in pairs))

    @staticmethod
    def summary(scores: Sequence[Score]) -> str:
        """Return the means of some pages' scores as a line."""
        wrong = [
            mean(s.wrong_blocks for s in scores),
            mean(s.wrong_words for s in scores),
        ]
        text = Score.curve_point(scores)
        if any(wrong):
            text += f"  paragraph error {wrong[0]:.3f} (of words {wrong[1]:.3f})"
        return text

    @staticmethod
    def curve_point(scores: Sequence[Score]) -> str:
        """Return precision, recall and F1, or the shares of snippets, as a line."""
        value = mean(s.value for s in scores)
        if total := sum(s.snippets for s in scores):
            all_right = sum(s.right for s in scores) / total
            return f"snippets {all_right:.4f} (mean over pages {value:.4f})"
        precision, recall = (
            mean(s.precision for s in scores),
            mean(s.recall for s in scores),
        )
        return f"P {precision:.4f} R {recall:.4f} F1 {value:.4f}"


def describe_expected(pages: Sequence[tuple[float, float]]) -> str:
    """Return what the expected F1 of pages tells of their F1, as a line; pairs of both.

    It tells the share of the pages with an F1 below .5 that are among the tenth with the
    lowest expected F1, and the rank correlation.

    >>> describe_expected([(0.9, 0.8), (0.2, 0.1), (0.6, 0.7)])
    '1 of 1 pages below .5 in the lowest tenth, whose mean F1 is 0.1000; rank correlation 1.000'
    """
    ranked = sorted(pages, key=itemgetter(0))
    lowest = [value for _, value in ranked[: max(round(len(ranked) / 10), 1)]]
    bad = sum(value < _BAD_F1 for _, value in pages)
    found = sum(value < _BAD_F1 for value in lowest)
    correlation = spearmanr(*zip(*pages, strict=True)).statistic
    return (
        f"{found} of {bad} pages below .5 in the lowest tenth, whose mean F1 is"
        f" {mean(lowest):.4f}; rank correlation {correlation:.3f}"
    )


def score_text(text: str, page: GoldPage) -> Score:
    """Return the score of the text that was kept of a page."""
    if not page.gold:
        flat = " ".join(text.split())
        right = sum(" ".join(snippet.split()) in flat for snippet in page.present)
        right += sum(" ".join(snippet.split()) not in flat for snippet in page.absent)
        snippets = len(page.present) + len(page.absent)
        return Score(value=right / snippets, right=right, snippets=snippets)
    ours, gold = words_of(text), words_of(page.gold)
    common = sum((Counter(ours) & Counter(gold)).values())
    return Score(
        value=2 * common / (len(ours) + len(gold)) if common else 0.0,
        precision=common / len(ours) if ours else 0.0,
        recall=common / len(gold),
    )


def score_marks(
    texts: Sequence[str], marks: Sequence[bool], gold: Sequence[bool]
) -> Score:
    """Return the shares of a page's blocks, and of their words, that are marked wrongly."""
    if not gold:
        return Score()
    words = [len(text.split()) for text in texts]
    wrong = [one != two for one, two in zip(marks, gold, strict=True)]
    wrong_words = sum(n for n, is_wrong in zip(words, wrong, strict=True) if is_wrong)
    return Score(
        wrong_blocks=sum(wrong) / len(wrong), wrong_words=wrong_words / sum(words)
    )
