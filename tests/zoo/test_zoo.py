"""Every page of a legitimate site is fetched; of a trap little more than what is real."""

from __future__ import annotations

import pytest

from benchmarks.zoo import LARGE, Simulation, simulate_beside
from benchmarks.zoo_sites import LEGITIMATE, TRAPS


# The large ones are for `python -m benchmarks.zoo`.
@pytest.mark.parametrize("name", [name for name in LEGITIMATE if name not in LARGE])
def test_every_page_of_a_legitimate_site_is_fetched(name: str) -> None:
    result = Simulation(LEGITIMATE[name]()).run()
    assert (result.fetched, result.held_back, result.refused) == (result.pages, 0, 0)
    assert bool(result.alarm) == (name == "many broken links"), result.alarm


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_takes_few_requests_and_hides_no_page(name: str) -> None:
    result = Simulation(TRAPS[name]()).run()
    assert result.is_whole
    assert result.is_bounded, result
    assert not result.alarm, "a shop in all orders is no site that is lost"


# Pages of lists among them had been lost when all were judged by the host as a whole.
@pytest.mark.parametrize("seed", range(12))
def test_a_trap_on_the_same_host_hides_no_page(seed: int) -> None:
    name, result = simulate_beside(seed, traps=1)
    assert result.is_whole, name


def test_the_zoo_is_large_enough() -> None:
    assert len(LEGITIMATE) >= 40
    assert len(TRAPS) >= 24
