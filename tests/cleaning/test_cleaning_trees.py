"""Trees as arrays: all blocks at once answer as one block after the other would."""

from __future__ import annotations

import numpy as np
import pytest

from ilspfc.cleaning.content.block_model import DEPTH, LEAF_UNIT, Trees

QUESTIONS, LEAVES = 2**DEPTH - 1, 2**DEPTH


def some_trees(trees: int, features: int, seed: int = 1) -> Trees:
    random = np.random.default_rng(seed)
    return Trees(
        random.integers(0, features, (QUESTIONS, trees)),
        random.integers(0, 256, (QUESTIONS, trees)).astype(np.uint8),
        random.integers(-70_000, 70_000, (trees, LEAVES)).astype(np.int32),
        -0.5,
    )


def walked(trees: Trees, block: np.ndarray) -> float:
    total = 0
    for tree in range(len(trees.leaves)):
        place = 0
        while place < QUESTIONS:
            feature, bound = trees.features[place, tree], trees.thresholds[place, tree]
            place = 2 * place + (2 if block[feature] > bound else 1)
        total += int(trees.leaves[tree, place - QUESTIONS])
    return float(trees.base + total * LEAF_UNIT)


@pytest.mark.parametrize("blocks", [1, 7, 63, 64, 65, 200])
def test_a_page_is_judged_block_by_block(blocks: int) -> None:
    trees = some_trees(trees=5, features=9)
    values = np.random.default_rng(2).integers(0, 256, (9, blocks)).astype(np.uint8)
    expected = [walked(trees, values[:, block]) for block in range(blocks)]
    assert trees.read_odds(values).tolist() == expected


def test_the_order_of_trees_does_not_matter() -> None:
    trees = some_trees(trees=40, features=9)
    turned = Trees(
        trees.features[:, ::-1],
        trees.thresholds[:, ::-1],
        trees.leaves[::-1],
        trees.base,
    )
    values = np.random.default_rng(2).integers(0, 256, (9, 100)).astype(np.uint8)
    assert trees.read_odds(values).tolist() == turned.read_odds(values).tolist()
