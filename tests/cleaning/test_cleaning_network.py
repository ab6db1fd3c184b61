"""The network as arrays: all blocks at once get what one block after the other would."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from ilspfc.cleaning.content.block_model import (
    DISTANCES,
    LEAST_SQUARE,
    Network,
    shipped_model,
)

LAYERS, SIZE, FEATURES = len(DISTANCES), 8, 5
SHAPES = {
    "enter": (FEATURES, SIZE),
    "enter_bias": (SIZE,),
    "gains": (LAYERS, SIZE),
    "around": (LAYERS, 3 * SIZE, SIZE),
    "page": (LAYERS, 2 * SIZE, SIZE),
    "bias": (LAYERS, SIZE),
    "leave": (LAYERS, SIZE, SIZE),
    "leave_bias": (LAYERS, SIZE),
    "judge": (SIZE, 1),
    "judge_bias": (1,),
}


def some_network(seed: int = 1) -> Network:
    random = np.random.default_rng(seed)
    arrays = [
        random.normal(0, 0.5, SHAPES[one.name]).astype(np.float32)
        for one in fields(Network)
    ]
    return Network(*arrays)


def walked(network: Network, values: Any, shares: Any) -> list[float]:
    """Return the log odds by loops over layers and blocks."""
    blocks = [np.maximum(row @ network.enter + network.enter_bias, 0) for row in values]
    for layer, distance in enumerate(DISTANCES):
        normal = [
            block / np.sqrt(np.mean(block**2) + LEAST_SQUARE) * network.gains[layer]
            for block in blocks
        ]
        mean = sum(share * one for share, one in zip(shares, normal, strict=True))
        page = np.concatenate([mean, np.max(normal, axis=0)]) @ network.page[layer]
        following = []
        for place, block in enumerate(blocks):
            near = [
                normal[one] if 0 <= one < len(normal) else np.zeros_like(normal[0])
                for one in (place - distance, place, place + distance)
            ]
            seen = np.concatenate(near) @ network.around[layer] + page
            step = np.maximum(seen + network.bias[layer], 0)
            following.append(block + step @ network.leave[layer])
            following[-1] = following[-1] + network.leave_bias[layer]
        blocks = following
    return [float((one @ network.judge + network.judge_bias)[0]) for one in blocks]


@pytest.mark.parametrize("blocks", [1, 2, 16, 17, 60])
def test_a_page_is_judged_as_block_by_block(blocks: int) -> None:
    network = some_network()
    random = np.random.default_rng(2)
    values = random.random((blocks, FEATURES)).astype(np.float32)
    shares = np.full(blocks, 1 / blocks, np.float32)
    expected = walked(network, values, shares)
    assert network.read_odds(values, shares) == pytest.approx(expected, rel=1e-3)


def test_a_block_far_away_counts_by_the_page_alone() -> None:
    network = some_network()
    blank = np.zeros_like(network.page)
    alone = Network(
        *(
            blank if one.name == "page" else getattr(network, one.name)
            for one in fields(Network)
        )
    )
    values = np.random.default_rng(2).random((80, FEATURES)).astype(np.float32)
    changed = values.copy()
    changed[-1] += 1
    shares = np.full(80, 1 / 80, np.float32)
    reach = sum(DISTANCES)
    before, after = (alone.read_odds(one, shares) for one in (values, changed))
    assert (before[: 79 - reach] == after[: 79 - reach]).all()
    assert before[79 - reach] != after[79 - reach]
    assert network.read_odds(changed, shares)[0] != network.read_odds(values, shares)[0]


def test_many_blocks_get_what_few_get() -> None:
    network = shipped_model().networks[0]
    random = np.random.default_rng(2)
    values = random.random((50, len(network.enter))).astype(np.float32)
    shares = np.full(50, 0.02, np.float32)
    odds = network.read_odds(values, shares)
    assert odds == pytest.approx(walked(network, values, shares), abs=1e-3)


def test_threads_of_blas_do_not_wait_busily() -> None:
    code = """
import time
import numpy as np
from ilspfc.cleaning.content.block_model import shipped_model

network = shipped_model().networks[0]
values = np.ones((1000, len(network.enter)), np.float32)
started = time.process_time(), time.thread_time()
for _ in range(30):
    network.read_odds(values, values[:, 0] / 1000)
print(time.process_time() - started[0], time.thread_time() - started[1])
"""
    environment = {n: v for n, v in os.environ.items() if n != "OMP_NUM_THREADS"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=True, capture_output=True, env=environment)
    process, thread = map(float, done.stdout.split())
    # Twice on two cores, where BLAS shares a product.
    assert process < 1.3 * thread
