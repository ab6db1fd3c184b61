"""Measures what cleaning keeps of pages with gold text, and what it costs.

``python -m evaluation.cleaning`` scores ours, Boilerpipe's rules (boilerpy3) and trafilatura
with its default settings on the same pages. The sets that the model was trained on are
judged by models that were trained without the page's site, which
``python -m evaluation.train_cleaning`` leaves beside them.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import multiprocessing
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

from evaluation.cleaning_pages import parse_page
from evaluation.cleaning_rivals import extract, trafilatura_texts
from evaluation.cleaning_scores import (
    Score,
    describe_expected,
    score_marks,
    score_text,
)
from evaluation.cleaning_sets import (
    SETS,
    TRAINING_SETS,
    WORK,
    GoldPage,
    fold_model_file,
    fold_of,
    read_set,
)
from evaluation.data import DATA, PROJECT, skip_text
from ilspfc.cleaning.annotation import find_title, make_paragraphs
from ilspfc.cleaning.content.backends import covered_blocks
from ilspfc.cleaning.content.block_model import ParagraphModel, shipped_model
from ilspfc.cleaning.content.boilerpipe import mark_content
from ilspfc.cleaning.content.choice import mark_learned
from ilspfc.cleaning.page import clean_page
from ilspfc.documents import Document, Paragraph
from ilspfc.language.identification import identify_page

if TYPE_CHECKING:
    from ilspfc.cleaning.blocks.parsed import Block

BASELINE = PROJECT / "evaluation" / "baseline.json"
TOOLS = ("ours", "boilerpy3", "trafilatura")
THRESHOLDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
LANGS = ("eng", "deu")
# A text of which the n-gram model is not sure, so that lingua is asked.
_UNSURE = "November 27, 2025"
# Pages that are cleaned before time is taken.
_OTHERS = 20


@dataclass(frozen=True, slots=True)
class Judgement:
    """The scores of a page, by tool, and ours at each threshold.

    ``expected`` is the F1 that the model expects, None for a page without blocks.
    """

    page: GoldPage
    scores: dict[str, Score]
    curve: tuple[Score, ...]
    expected: float | None = None


@cache
def _model(page_set: str, site: str, work: Path) -> ParagraphModel:
    if page_set not in TRAINING_SETS:
        return shipped_model()
    with fold_model_file(work, fold_of(site)).open("rb") as file:
        return ParagraphModel.read(file)


def _text(blocks: Sequence[Block], title: str) -> str:
    """Return the text of marked blocks, as ``scrapy clean`` prints it."""
    find_title(blocks, title)
    paragraphs = make_paragraphs(blocks)
    return "\n".join(p.text for p in paragraphs if p.is_content)


def judge(task: tuple[GoldPage, str | None], work: Path) -> Judgement:
    """Return the scores of a page, given what trafilatura keeps of it.

    Ours alone are returned where that is None.
    """
    page, kept = task
    curve = []
    body = page.read()
    parsed = parse_page(body)
    blocks, title = (parsed[0].blocks, parsed[1]) if parsed else ([], "")
    texts = [block.text for block in blocks]
    gold = covered_blocks(texts, page.gold) if page.gold else []
    expected = None
    if parsed and blocks:
        model = _model(page.set, page.site, work)
        expected = mark_learned(parsed[0], title, model=model)
    marks = [block.is_content for block in blocks]
    scores = {
        "ours": score_text(_text(blocks, title), page) + score_marks(texts, marks, gold)
    }
    for threshold in THRESHOLDS:
        for block in blocks:
            block.is_title = False
            block.is_content = (block.score or 0) >= threshold
        curve.append(score_text(_text(blocks, title), page))
    if kept is not None:
        rival = covered_blocks(texts, kept)
        scores["trafilatura"] = score_text(kept, page) + score_marks(texts, rival, gold)
        scores["boilerpy3"] = _judge_rules(page, body, title)
    return Judgement(page, scores, tuple(curve), expected)


def _judge_rules(page: GoldPage, body: bytes, title: str) -> Score:
    shown = parse_page(body, keep_hidden=False)
    blocks = shown[0].blocks if shown else []
    mark_content(blocks)
    marks = [block.is_content for block in blocks]
    texts = [block.text for block in blocks]
    gold = covered_blocks(texts, page.gold) if page.gold else []
    return score_text(_text(blocks, title), page) + score_marks(texts, marks, gold)


def _print_set(name: str, judgements: Sequence[Judgement]) -> None:
    print(f"\n{name}: {len(judgements)} pages")
    tools = [tool for tool in TOOLS if tool in judgements[0].scores]
    for tool in tools:
        scores = [judgement.scores[tool] for judgement in judgements]
        print(f"  {tool:12} {Score.summary(scores)}")
    kinds = sorted({judgement.page.kind for judgement in judgements} - {""})
    for kind in kinds:
        of_kind = [one for one in judgements if one.page.kind == kind]
        values = (mean(one.scores[tool].value for one in of_kind) for tool in tools)
        row = "  ".join(
            f"{tool} {v:.3f}" for tool, v in zip(tools, values, strict=True)
        )
        print(f"    {kind:14} {len(of_kind):4}  {row}")


def _print_curve(name: str, judgements: Sequence[Judgement]) -> None:
    print(f"  CLEANING_THRESHOLD on {name}: precision, recall, F1 or share of snippets")
    for place, threshold in enumerate(THRESHOLDS):
        scores = [judgement.curve[place] for judgement in judgements]
        print(f"    {threshold:.1f}  {Score.curve_point(scores)}")


def _expectations(judgements: Sequence[Judgement]) -> list[tuple[float, float]]:
    """Return the expected and the true F1 of the pages with blocks."""
    return [
        (one.expected, one.scores["ours"].value)
        for one in judgements
        if one.expected is not None
    ]


def print_cost(
    pages: Sequence[GoldPage], others: Sequence[GoldPage]
) -> tuple[float, float]:
    """Print and return the CPU seconds a page of our chain and of trafilatura.

    The chain is bytes to document with the language of each paragraph. Both run in turn,
    so that what else the machine does falls on both. ``others`` come first and are not counted:
    with them is loaded what a process loads once, such as lingua's languages (half a second) and
    htmldate. Nor are the objects of this program, pages with gold above all, searched for
    cycles: that fell on either, and took as long as cleaning some sets.
    """
    identify_page([Paragraph(_UNSURE)], LANGS)
    gc.collect()
    gc.freeze()
    spent = [0.0, 0.0]
    for number, page in enumerate((*others, *pages)):
        body = page.read()
        if number == len(others):
            spent = [0.0, 0.0]
        started = time.process_time()
        document = clean_page(body, url="http://example.org/", identity="")
        if isinstance(document, Document):
            identify_page(document.paragraphs, LANGS)
        between = time.process_time()
        extract(body)
        spent[0] += between - started
        spent[1] += time.process_time() - between
    ours, rival = (seconds / max(len(pages), 1) for seconds in spent)
    print(
        f"  CPU a page: ours {1000 * ours:.1f} ms, trafilatura {1000 * rival:.1f} ms,"
        f" ratio {ours / rival:.2f} ({len(pages)} pages)"
    )
    return ours, rival


def _judge_all(
    pages: Sequence[GoldPage], work: Path, *, is_alone: bool
) -> list[Judgement]:
    kept = [None] * len(pages) if is_alone else trafilatura_texts(pages, work)
    tasks = list(zip(pages, kept, strict=True))
    with multiprocessing.Pool(os.cpu_count()) as pool:
        return pool.map(partial(judge, work=work), tasks, chunksize=8)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", default=",".join(SETS), help="names, by commas")
    parser.add_argument("--limit", type=int, help="pages of each set")
    parser.add_argument(
        "--timed", type=int, default=60, help="pages to time, of each set"
    )
    parser.add_argument(
        "--only-cost", action="store_true", help="time the pages and score none"
    )
    parser.add_argument("--alone", action="store_true", help="score no rivals")
    parser.add_argument(
        "--work", type=Path, default=WORK, help="folder for large files"
    )
    parser.add_argument("--check", action="store_true", help="fail below the floors")
    return parser.parse_args()


def main() -> int:
    """Score and time the tools on each set."""
    arguments = _arguments()
    if not (DATA / "data" / "cleaning").is_dir():
        print(skip_text())
        return 0
    logging.disable(logging.CRITICAL)  # trafilatura logs each page that it cannot parse
    names = arguments.sets.split(",")
    means: dict[str, list[float]] = {tool: [] for tool in TOOLS}
    seconds = [0.0, 0.0]
    for name in names:
        pages = read_set(name, arguments.work, arguments.limit)
        if arguments.only_cost:
            print(f"\n{name}: {len(pages)} pages")
        else:
            judgements = _judge_all(pages, arguments.work, is_alone=arguments.alone)
            _print_set(name, judgements)
            _print_curve(name, judgements)
            print(f"  expected F1: {describe_expected(_expectations(judgements))}")
            for tool in judgements[0].scores:
                means[tool].append(mean(one.scores[tool].value for one in judgements))
        step = max(len(pages) // max(arguments.timed, 1), 1)
        others = pages[step // 2 :: step][:_OTHERS]
        spent = print_cost(pages[::step][: arguments.timed], others)
        seconds = [total + part for total, part in zip(seconds, spent, strict=True)]
        sys.stdout.flush()
    print(f"\nCPU, mean of the sets: ratio {seconds[0] / seconds[1]:.2f}")
    if arguments.only_cost:
        return 0
    print(
        "mean of the sets:",
        *(f"{tool} {mean(v):.4f}" for tool, v in means.items() if v),
    )
    floors = json.loads(BASELINE.read_text())["cleaning"] if arguments.check else {}
    ours = dict(zip(names, means["ours"], strict=True))
    low = [name for name in names if ours[name] < floors.get(name, 0)]
    for name in low:
        print(f"{name}: {ours[name]:.4f} is below the floor of {floors[name]}")
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
