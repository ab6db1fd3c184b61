"""Trains the paragraph model that ships, from sets whose licence allows it, free manuals and themes.

``python -m evaluation.train_cleaning`` writes ``ilspfc/cleaning/content/paragraphs.npz``, the same
bytes at each run, and beside the unpacked sets a model without each fold of the sites, with
which ``evaluation.cleaning`` judges those sets.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from evaluation.cleaning_network import fit_networks
from evaluation.cleaning_pages import parse_page, write_model
from evaluation.cleaning_scores import score_text
from evaluation.cleaning_sets import (
    TRAINING_SETS,
    WORK,
    GoldPage,
    fold_model_file,
    fold_of,
    read_set,
)
from evaluation.cleaning_trees import LabelledPage, fit_trees
from evaluation.data import DATA, PROJECT, skip_text
from evaluation.framed_sites import frame_manuals, label_texts, strip_marks
from evaluation.main_elements import MAIN, NEITHER
from evaluation.manuals import ManualPage, read_manuals
from ilspfc.cleaning.content.backends import covered_blocks, words_of
from ilspfc.cleaning.content.block_features import read_features
from ilspfc.cleaning.content.block_model import MODEL_NAME, ParagraphModel
from ilspfc.cleaning.content.choice import level_alike, score_page

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

_REPEATED_WORDS = 4
# The pages of a manual or theme are alike.
ALIKE_WEIGHT = 0.4


def label_gold(page: GoldPage) -> tuple[LabelledPage, list[str]] | None:
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
    return _label_main(page.package, page.body, page.label)


def label_framed(page: tuple[str, str]) -> LabelledPage | None:
    """Return the features and labels of a page of a theme."""
    theme, html = page
    return _label_main(
        theme, strip_marks(html).encode(), partial(label_texts, html=html)
    )


def _label_main(
    site: str, body: bytes, label: Callable[[Sequence[str]], list[int]]
) -> LabelledPage | None:
    parsed = parse_page(body)
    if parsed is None or not parsed[0].blocks:
        return None
    blocks, title = parsed
    labels = np.array(label([block.text for block in blocks.blocks]))
    is_main = labels == MAIN
    if not is_main.any():
        return None
    features = read_features(blocks, title)
    return LabelledPage(site, features, is_main, labels != NEITHER, ALIKE_WEIGHT)


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


def fit_models(
    pages: Sequence[LabelledPage], processes: int
) -> tuple[ParagraphModel, list[ParagraphModel]]:
    """Return the model of all pages, and those without each fold of the sites."""
    trees, trees_without = fit_trees(pages, processes)
    networks, networks_without, scale = fit_networks(pages, processes)
    parts = zip(trees_without, networks_without, strict=True)
    return (
        ParagraphModel(trees, networks, scale),
        [ParagraphModel(*part, scale) for part in parts],
    )


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
        rows = pool.map(label_gold, gold, chunksize=16)
        alike = [
            *pool.imap(label_manual, read_manuals(arguments.work), chunksize=16),
            *pool.imap(label_framed, frame_manuals(arguments.work), chunksize=16),
        ]
    used = [(page, *row) for page, row in zip(gold, rows, strict=True) if row]
    pages = [labelled for _, labelled, _ in used]
    pages += filter(None, alike)
    model, parts = fit_models(pages, os.cpu_count() or 1)
    with (PROJECT / "ilspfc" / "cleaning" / "content" / MODEL_NAME).open("wb") as file:
        write_model(model, file)
    for fold, part in enumerate(parts):
        with fold_model_file(arguments.work, fold).open("wb") as file:
            write_model(part, file)
    for name in TRAINING_SETS:
        scores = []
        for page, labelled, texts in used:
            if page.set == name:
                features = labelled.features
                probabilities = parts[fold_of(page.site)].predict(features)
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
