"""Trains the paragraph model that ships, from two sets whose licence allows it and free manuals.

``python -m evaluation.train_cleaning`` writes ``ilspfc/cleaning/content/paragraphs.npz``, the same
bytes at each run, and beside the unpacked sets a model without each fold of the sites, with
which ``evaluation.cleaning`` judges those sets.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evaluation.cleaning_scores import score_text
from evaluation.cleaning_sets import (
    TRAINING_SETS,
    WORK,
    GoldPage,
    fold_model_file,
    read_set,
)
from evaluation.cleaning_stages import LabelledPage, fit_stages
from evaluation.data import DATA, PROJECT, skip_text
from evaluation.main_elements import MAIN, NEITHER
from evaluation.manuals import ManualPage, read_manuals
from ilspfc.cleaning.content.backends import covered_blocks, words_of
from ilspfc.cleaning.content.block_features import read_features
from ilspfc.cleaning.content.block_model import MODEL_NAME
from ilspfc.cleaning.content.choice import level_alike, score_page
from ilspfc.cleaning.page import parse_page

if TYPE_CHECKING:
    from numpy.typing import NDArray

_REPEATED_WORDS = 4
# The pages of a manual are alike.
MANUAL_WEIGHT = 0.4


def label(page: GoldPage) -> tuple[LabelledPage, list[str]] | None:
    """Return a page's features and labels, with the texts of its blocks."""
    parsed = parse_page(page.read())
    if parsed is None or not parsed[0].blocks:
        return None
    blocks, title = parsed
    texts = [block.text for block in blocks.blocks]
    labels = np.array(covered_blocks(texts, page.gold))
    _mark_first(texts, labels)
    known = np.ones(len(texts), bool)
    features = read_features(blocks, title)
    return LabelledPage(page.site, features, labels, known), texts


def label_manual(page: ManualPage) -> LabelledPage | None:
    """Return the features and labels of a page of a manual that has main content."""
    parsed = parse_page(page.body)
    if parsed is None or not parsed[0].blocks:
        return None
    blocks, title = parsed
    labels = np.array(page.label([block.text for block in blocks.blocks]))
    is_main = labels == MAIN
    if not is_main.any():
        return None
    features = read_features(blocks, title)
    return LabelledPage(
        page.package, features, is_main, labels != NEITHER, MANUAL_WEIGHT
    )


def _mark_first(texts: list[str], labels: NDArray[np.bool_]) -> None:
    """Label the first of the blocks with the same text, as many of them as were labelled.

    The gold does not say which of them it has; below four words it is often a heading.
    """
    places: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        words = words_of(text)
        if len(words) >= _REPEATED_WORDS:
            places.setdefault(" ".join(words), []).append(place)
    for alike in places.values():
        labels[alike] = np.arange(len(alike)) < labels[alike].sum()


def main() -> int:
    """Train, write the models, and print the F1 of pages whose site was left out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--work", type=Path, default=WORK, help="folder for large files"
    )
    parser.add_argument("--limit", type=int, help="pages of each set, for a trial")
    arguments = parser.parse_args()
    if not (DATA / "data" / "cleaning").is_dir():
        print(skip_text())
        return 0
    gold = [
        page
        for name in TRAINING_SETS
        for page in read_set(name, arguments.work, arguments.limit)
    ]
    with multiprocessing.Pool(os.cpu_count()) as pool:
        rows = pool.map(label, gold, chunksize=16)
        manuals = pool.map(label_manual, read_manuals(arguments.work), chunksize=16)
    used = [(page, *row) for page, row in zip(gold, rows, strict=True) if row]
    pages = [labelled for _, labelled, _ in used]
    pages += filter(None, manuals)
    model, parts, unseen = fit_stages(pages, os.cpu_count() or 1)
    with (PROJECT / "ilspfc" / "cleaning" / "content" / MODEL_NAME).open("wb") as file:
        model.write(file)
    for fold, part in enumerate(parts):
        with fold_model_file(arguments.work, fold).open("wb") as file:
            part.write(file)
    for name in TRAINING_SETS:
        scores = []
        for (page, labelled, texts), probabilities in zip(used, unseen, strict=False):
            if page.set == name:
                features = labelled.features
                leveled = level_alike(probabilities, features)
                keep = score_page(leveled, features.words)[0] >= 0.5
                text = "\n".join(
                    text for text, kept in zip(texts, keep, strict=True) if kept
                )
                scores.append(score_text(text, page).value)
        print(f"{name}: F1 {np.mean(scores):.4f} over {len(scores)} pages, out of fold")
    return 0


if __name__ == "__main__":
    sys.exit(main())
