"""Trains the paragraph model that ships, from the two sets whose licence allows it.

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
from ilspfc.cleaning.content.backends import covered_blocks
from ilspfc.cleaning.content.block_features import read_features
from ilspfc.cleaning.content.block_model import MODEL_NAME
from ilspfc.cleaning.content.choice import level_lists, score_page
from ilspfc.cleaning.page import parse_page


def label(page: GoldPage) -> tuple[LabelledPage, list[str]] | None:
    """Return a page's features and labels, with the texts of its blocks."""
    parsed = parse_page(page.read())
    if parsed is None or not parsed[0].blocks:
        return None
    blocks, title = parsed
    texts = [block.text for block in blocks.blocks]
    labels = np.array(covered_blocks(texts, page.gold))
    return LabelledPage(page.site, read_features(blocks, title), labels), texts


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
    used = [(page, *row) for page, row in zip(gold, rows, strict=True) if row]
    pages = [labelled for _, labelled, _ in used]
    model, parts, unseen = fit_stages(pages, os.cpu_count() or 1)
    with (PROJECT / "ilspfc" / "cleaning" / "content" / MODEL_NAME).open("wb") as file:
        model.write(file)
    for fold, part in enumerate(parts):
        with fold_model_file(arguments.work, fold).open("wb") as file:
            part.write(file)
    for name in TRAINING_SETS:
        scores = []
        for (page, labelled, texts), probabilities in zip(used, unseen, strict=True):
            if page.set == name:
                features = labelled.features
                leveled = level_lists(probabilities, features)
                keep = score_page(leveled, features.words)[0] >= 0.5
                text = "\n".join(
                    text for text, kept in zip(texts, keep, strict=True) if kept
                )
                scores.append(score_text(text, page).value)
        print(f"{name}: F1 {np.mean(scores):.4f} over {len(scores)} pages, out of fold")
    return 0


if __name__ == "__main__":
    sys.exit(main())
