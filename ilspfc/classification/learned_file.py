"""What a crawl has learned of its subject, in a file: arrays alone, nothing that is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from ilspfc.atomic import open_atomic
from ilspfc.classification.learned import (
    FEATURES,
    Example,
    LearnedModel,
    RelevanceLearner,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    Arrays = Mapping[str, NDArray[Any]]

# Raised when the features or the arrays change; a file of another version is not used.
_VERSION = 1
_KEY = "key"


def save_learners(
    learners: Mapping[str, RelevanceLearner], path: Path, key: str
) -> None:
    """Write the learners of a crawl by language; ``key`` names what they learned from."""
    arrays: dict[str, Any] = {_KEY: np.array(f"{_VERSION} {key}")}
    for lang, learner in learners.items():
        for name, value in _to_arrays(learner).items():
            arrays[f"{lang}/{name}"] = value
    with open_atomic(path, sync=False) as file:
        np.savez(file, **arrays)


def load_learners(path: Path, key: str) -> dict[str, RelevanceLearner]:
    """Return the learners in a file by language.

    There are none where the file is missing, damaged, or about something else than ``key``:
    a crawl then learns anew.
    """
    try:
        # Opened here, for NumPy leaves a file open that it cannot read.
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        if str(arrays.pop(_KEY)) != f"{_VERSION} {key}":
            return {}
        by_lang: dict[str, dict[str, NDArray[Any]]] = {}
        for name, value in arrays.items():
            lang, _, field = name.partition("/")
            by_lang.setdefault(lang, {})[field] = value
        return {lang: _from_arrays(fields) for lang, fields in by_lang.items()}
    except (OSError, EOFError, ValueError, KeyError, IndexError, BadZipFile):
        return {}


def _to_arrays(learner: RelevanceLearner) -> dict[str, NDArray[Any]]:
    kinds = [sorted(known.items()) for known in learner.examples]
    items = kinds[0] + kinds[1]
    examples = [example for _, example in items]
    arrays: dict[str, NDArray[Any]] = {
        "ids": np.array([identity.encode() for identity, _ in items], dtype=bytes),
        "sizes": np.array([len(example.features) for example in examples], np.int64),
        "features": _join([example.features for example in examples], np.uint32),
        "counts": _join([example.counts for example in examples], np.uint16),
        "scores": np.array(
            [(e.relevance, e.density, e.target) for e in examples], np.float64
        ).reshape(-1, 3),
        "seen": np.array([*learner.seen, learner.next_fit], np.int64),
        "pages": learner.pages,
    }
    if (model := learner.model) is not None:
        arrays |= {
            "weights": model.weights,
            "idf": model.idf,
            "term_weights": model.term_weights,
            "line": np.array(
                [model.bias, model.slope, model.offset, model.term_bias, model.prior]
            ),
        }
    return arrays


def _join(parts: list[NDArray[Any]], kind: type[np.generic]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.zeros(0, kind)


def _from_arrays(arrays: Arrays) -> RelevanceLearner:
    """Return the learner of one language; ValueError where arrays do not fit together."""
    features, counts, sizes = arrays["features"], arrays["counts"], arrays["sizes"]
    is_whole = sizes.sum() == len(features) == len(counts)
    if (
        not is_whole
        or arrays["pages"].shape != (FEATURES,)
        or (features >= FEATURES).any()
    ):
        raise ValueError("the arrays do not fit together")
    *seen, next_fit = arrays["seen"].tolist()
    learner = RelevanceLearner(
        seen=seen, pages=arrays["pages"].copy(), next_fit=next_fit
    )
    ends = np.cumsum(sizes)
    rows = zip(
        arrays["ids"].tolist(),
        (ends - sizes).tolist(),
        ends.tolist(),
        arrays["scores"].tolist(),
        strict=True,
    )
    for identity, start, end, (relevance, density, target) in rows:
        example = Example(
            features[start:end], counts[start:end], relevance, density, target
        )
        learner.examples[int(target > 0)][identity.decode()] = example
    if "line" in arrays:
        bias, slope, offset, term_bias, prior = arrays["line"].tolist()
        if arrays["weights"].shape != (FEATURES,) or arrays["idf"].shape != (FEATURES,):
            raise ValueError("the arrays do not fit together")
        learner.model = LearnedModel(
            weights=arrays["weights"],
            idf=arrays["idf"],
            bias=bias,
            slope=slope,
            offset=offset,
            term_weights=arrays["term_weights"],
            term_bias=term_bias,
            prior=prior,
        )
    return learner
