"""Options of the papers' methods, as PAIRING_OPTIONS gives them."""

from __future__ import annotations

import pytest
from scrapy.settings import Settings

from ilspfc.exceptions import SettingError
from ilspfc.line.pairing import make_options, pairing_methods
from ilspfc.papers.ets import EtsOptions
from ilspfc.papers.ilsp_fc import PairingBounds
from ilspfc.papers.paper_methods import METHODS, read_options
from ilspfc.papers.pwcc import AS_PRINTED, PwccOptions


def test_the_methods_of_the_papers_are_known_by_name() -> None:
    assert {"combined", "urls", "declared", *METHODS} == {*pairing_methods()}


def test_options_are_read_by_their_types() -> None:
    given = "alpha=0.2, iterations=5,weights=leave-out"
    options = make_options(Settings({"PAIRING_OPTIONS": given}))
    assert read_options(EtsOptions(), options.method) == EtsOptions(
        alpha=0.2, iterations=5, weights="leave-out"
    )
    assert read_options(PairingBounds(), {}) == PairingBounds()
    given = "folders=same,candidates=0"
    options = make_options(Settings({"PAIRING_OPTIONS": given}))
    assert read_options(PwccOptions(), options.method) == AS_PRINTED


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("alpha=2", "PAIRING_OPTIONS=alpha=2: give a number from 0 to 1"),
        ("alpha=x", "give a number from 0 to 1"),
        ("iterations=-1", "give a whole number"),
        ("iterations=1.5", "give a whole number"),
        ("weights=some", "give one of none, weigh, leave-out, paired"),
        ("gamma=1", "no such option; known are alpha, beta,"),
        ("alpha", "PAIRING_OPTIONS=alpha: give name=value"),
    ],
)
def test_a_wrong_option_is_one_line(given: str, said: str) -> None:
    with pytest.raises(SettingError) as raised:
        read_options(
            EtsOptions(), make_options(Settings({"PAIRING_OPTIONS": given})).method
        )
    assert said in str(raised.value)
