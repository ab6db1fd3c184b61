"""Every page of a legitimate site is fetched; of a trap little more than what is real."""

from __future__ import annotations

import pytest

from benchmarks.zoo import Simulation
from benchmarks.zoo_sites import LEGITIMATE, TRAPS

# Sites of that size are for `python -m benchmarks.zoo`.
LARGE = ("1,500", "4,000", "20,000", "1,000 links")


@pytest.mark.parametrize(
    "name", [name for name in LEGITIMATE if not any(part in name for part in LARGE)]
)
def test_every_page_of_a_legitimate_site_is_fetched(name: str) -> None:
    result = Simulation(LEGITIMATE[name]()).run()
    assert (result.fetched, result.held_back, result.refused) == (result.pages, 0, 0)


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_takes_few_requests_and_hides_no_page(name: str) -> None:
    result = Simulation(TRAPS[name]()).run()
    assert result.is_whole
    assert result.is_bounded, result


def test_the_zoo_is_large_enough() -> None:
    assert len(LEGITIMATE) >= 40
    assert len(TRAPS) >= 24
