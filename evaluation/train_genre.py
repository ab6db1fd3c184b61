"""Trains the model of genres; ``python -m evaluation.train_genre``.

The pages are those of WCXB with their types. Accuracy is that of five folds by site; the
strength of regularization is chosen within the training folds, by site as well. The model
that is shipped, ``ilspfc/classification/genre.npz``, is trained on all pages, with the
strength that their own folds choose. ``--check`` prints the accuracy and writes nothing.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, f1_score
from sklearn.model_selection import StratifiedGroupKFold

from evaluation.cleaning_sets import WORK, read_set
from evaluation.data import DATA, PROJECT, skip_text
from ilspfc.classification.genre import (
    GENRES,
    GenreModel,
    measure_shape,
    read_words,
)
from ilspfc.cleaning.page import clean_page
from ilspfc.documents import Document

if TYPE_CHECKING:
    from ilspfc.text.arrays import FloatArray, IntArray

MODEL = PROJECT / "ilspfc" / "classification" / "genre.npz"
_FOLDS = 5
_INNER_FOLDS = 3
_SEED = 1
# Sites on which a word must occur.
_MIN_SITES = 4
_STRENGTHS = (0.01, 0.03, 0.1, 0.3)
# Constant measures have no scale.
_SMALLEST_SCALE = 1e-6


class Pages(NamedTuple):
    """Pages with shapes (N, S), words, types (N,) and sites (N,)."""

    shapes: FloatArray
    words: list[frozenset[str]]
    types: IntArray
    sites: IntArray

    def take(self, rows: IntArray) -> Pages:
        """Return some of the pages."""
        words = [self.words[row] for row in rows]
        return Pages(self.shapes[rows], words, self.types[rows], self.sites[rows])


def read_pages() -> Pages:
    """Return the pages of WCXB whose address is known, as the crawl cleans them."""
    shapes, words, types, names = [], [], [], []
    for page in read_set("wcxb-dev", WORK):
        if not page.url or page.kind not in GENRES:
            continue
        document = clean_page(page.read(), url=page.url, identity=page.id)
        if not isinstance(document, Document):
            continue
        shapes.append(measure_shape(document))
        words.append(read_words(document))
        types.append(GENRES.index(page.kind))
        names.append(page.site)
    numbers: dict[str, int] = defaultdict(lambda: len(numbers))
    sites = [numbers[name] for name in names]
    return Pages(np.array(shapes), words, np.array(types), np.array(sites))


def choose_words(pages: Pages) -> dict[str, int]:
    """Return the words that occur on enough sites, numbered."""
    sites: dict[str, set[int]] = defaultdict(set)
    for words, site in zip(pages.words, pages.sites.tolist(), strict=True):
        for word in words:
            sites[word].add(site)
    kept = sorted(word for word, found in sites.items() if len(found) >= _MIN_SITES)
    return {word: place for place, word in enumerate(kept)}


def fit(pages: Pages, strength: float) -> GenreModel:
    """Return the model of some pages; each site weighs as its number of pages."""
    vocabulary = choose_words(pages)
    means, scales = pages.shapes.mean(axis=0), pages.shapes.std(axis=0)
    scales = np.maximum(scales, _SMALLEST_SCALE)
    empty = np.zeros((len(pages.shapes[0]) + len(vocabulary), len(GENRES)))
    model = GenreModel(vocabulary, means, scales, empty, np.zeros(len(GENRES)))
    rows = encode(model, pages)
    learner = LogisticRegression(C=strength, max_iter=2000)
    learner.fit(rows, pages.types)
    weights, bias = empty.copy(), np.full(len(GENRES), -np.inf)
    weights[:, learner.classes_] = learner.coef_.T
    bias[learner.classes_] = learner.intercept_
    return GenreModel(vocabulary, means, scales, weights, bias)


def encode(model: GenreModel, pages: Pages) -> FloatArray:
    """Return the features of pages, shape (N, S + V)."""
    pairs = zip(pages.shapes, pages.words, strict=True)
    return np.array([model.encode(shape, words) for shape, words in pairs])


def predict(model: GenreModel, pages: Pages) -> FloatArray:
    """Return the probabilities of the genres of pages, shape (N, 7)."""
    odds = encode(model, pages) @ model.weights + model.bias
    shares = np.exp(odds - odds.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def iter_folds(pages: Pages, number: int) -> list[tuple[IntArray, IntArray]]:
    """Return the rows for training and for judging, each site in one fold."""
    folds = StratifiedGroupKFold(number, shuffle=True, random_state=_SEED)
    return list(folds.split(pages.shapes, pages.types, pages.sites))


def choose_strength(pages: Pages) -> float:
    """Return the strength with the best log likelihood on sites left out."""
    losses: dict[float, float] = dict.fromkeys(_STRENGTHS, 0.0)
    for training, judged in iter_folds(pages, _INNER_FOLDS):
        others, held = pages.take(training), pages.take(judged)
        for strength in _STRENGTHS:
            found = predict(fit(others, strength), held)
            right = found[np.arange(len(judged)), held.types]
            losses[strength] -= float(np.log(np.maximum(right, 1e-12)).sum())
    return min(_STRENGTHS, key=losses.__getitem__)


def evaluate(pages: Pages) -> FloatArray:
    """Return the probabilities of all pages by models of other sites, shape (N, 7)."""
    found = np.zeros((len(pages.types), len(GENRES)))
    for training, judged in iter_folds(pages, _FOLDS):
        others = pages.take(training)
        model = fit(others, choose_strength(others))
        found[judged] = predict(model, pages.take(judged))
    return found


def report(pages: Pages, found: FloatArray) -> list[str]:
    """Return accuracy, the share right by probability, and the confusions."""
    best, types = found.argmax(axis=1), pages.types
    right, f1 = best == types, f1_score(types, best, average="macro")
    largest = Counter(types.tolist()).most_common(1)[0][1] / len(types)
    lines = [
        f"{len(types)} pages of {len(set(pages.sites.tolist()))} sites, {_FOLDS} folds by site",
        f"accuracy {right.mean():.3f}, macro F1 {f1:.3f}; the largest class {largest:.3f}",
    ]
    for low, high in ((0.0, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 1.01)):
        inside = (found.max(axis=1) >= low) & (found.max(axis=1) < high)
        if inside.any():
            lines.append(
                f"probability {low:g} to {min(high, 1):g}: {inside.sum()} pages,"
                f" {right[inside].mean():.3f} right"
            )
    lines.append("| is | " + " | ".join(GENRES) + " | recall |")
    lines.append("| --- |" + " ---: |" * (len(GENRES) + 1))
    for genre, row in zip(GENRES, confusion_matrix(types, best), strict=True):
        share = row[GENRES.index(genre)] / max(row.sum(), 1)
        lines.append(f"| {genre} | {' | '.join(map(str, row))} | {share:.3f} |")
    return lines


def save_model(path: Path, model: GenreModel) -> None:
    """Write a model as an npz archive, the same bytes for the same model."""
    words = np.array(sorted(model.vocabulary, key=model.vocabulary.__getitem__))
    with path.open("wb") as file:
        np.savez_compressed(
            file,
            vocabulary=words,
            means=model.means.astype(np.float32),
            scales=model.scales.astype(np.float32),
            weights=model.weights.astype(np.float32),
            bias=model.bias.astype(np.float32),
        )


def main(arguments: Sequence[str] = ()) -> None:
    """Print the accuracy; train and write the model unless only asked to check."""
    if not (DATA / "data" / "cleaning").is_dir():
        print(skip_text())
        return
    pages = read_pages()
    print(f"{len(pages.types)} pages read", flush=True)
    print("\n".join(report(pages, evaluate(pages))))
    if "--check" not in arguments:
        strength = choose_strength(pages)
        save_model(MODEL, fit(pages, strength))
        print(f"Written: {MODEL.name}, regularization {strength:g}")


if __name__ == "__main__":
    main(sys.argv[1:])
