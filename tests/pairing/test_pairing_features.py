"""What the model sees of candidates: values and margins, made some at a time."""

from __future__ import annotations

import numpy as np
import pytest
from pairing_site import encode, make_pages

from ilspfc.pairing.comparison import Candidates
from ilspfc.pairing.evidence.catalog import EVIDENCE
from ilspfc.pairing.model import candidate_features as module
from ilspfc.pairing.model.candidate_features import FEATURES, Features
from ilspfc.pairing.ranking import best_others
from ilspfc.pairing.sparse import unique_pairs


@pytest.mark.parametrize("seed", range(8))
def test_the_best_rival_is_the_largest_other_value_of_the_owner(seed: int) -> None:
    draw = np.random.default_rng(seed)
    values = draw.integers(0, 4, 50) / 4
    owners = draw.integers(0, 20, 50)
    if seed % 2:
        owners = np.sort(owners)
    expected = [
        max((values[m] for m in range(50) if m != n and owners[m] == owner), default=0)
        for n, owner in enumerate(owners)
    ]
    assert best_others(values, owners).tolist() == expected


def test_no_value_has_a_rival() -> None:
    assert not len(best_others(np.zeros(0), np.zeros(0, np.int64)))


def test_features_are_values_margins_and_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    (comparison,) = encode(make_pages(12)).compare("deu", "ita")
    draw = np.random.default_rng(1)
    candidates = Candidates(
        *unique_pairs(draw.integers(0, 12, 40), draw.integers(0, 12, 40), 12)
    )
    values = draw.integers(0, 5, (len(candidates), len(EVIDENCE))) / 4
    features = Features(values, comparison, candidates)

    found = features.take(slice(None))

    assert found.shape == (len(candidates), len(FEATURES))
    margins = [
        values[:, 3] - best_others(values[:, 3], owners)
        for owners in (candidates.rows, candidates.columns)
    ]
    name = EVIDENCE[3].name
    assert (found[:, FEATURES.index(name)] == values[:, 3]).all()
    assert (found[:, FEATURES.index(f"{name}_margin")] == np.minimum(*margins)).all()
    best = found[:, FEATURES.index(f"{name}_best_margin")]
    assert (best == np.maximum(*margins)).all()
    sizes = np.minimum(
        comparison.left.clean.sizes[candidates.rows],
        comparison.right.clean.sizes[candidates.columns],
    )
    assert (found[:, FEATURES.index("log_size")] == np.log1p(sizes)).all()
    monkeypatch.setattr(module, "_ROWS_AT_ONCE", 7)
    assert (features.map(lambda part: part) == found).all()
    assert (features.take(values[:, 0] > 0.5) == found[values[:, 0] > 0.5]).all()
