"""Three languages that agree, or do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ilspfc.pairing.comparison import Candidates
from ilspfc.pairing.evidence.catalog import EVIDENCE
from ilspfc.pairing.methods import PairingOptions, reconcile
from ilspfc.pairing.model.agreement import (
    OPINIONS,
    agree,
    find_partners,
    measure_opinions,
)
from ilspfc.pairing.outcome import PairingOutcome, ScoredCandidates, settle

Said = dict[tuple[str, str], float]


def judge(said: Said) -> ScoredCandidates:
    """Return candidates of which this was said."""
    left = sorted({source for source, _ in said})
    right = sorted({target for _, target in said})
    pairs = sorted(said)
    rows = np.array([left.index(source) for source, _ in pairs], np.int64)
    columns = np.array([right.index(target) for _, target in pairs], np.int64)
    return ScoredCandidates(
        left,
        right,
        Candidates(rows, columns),
        np.zeros((len(pairs), len(EVIDENCE))),
        np.array([said[pair] for pair in pairs]),
        np.full(len(pairs), 1000.0),
        1,
    )


def pairs_of(judged: ScoredCandidates) -> dict[tuple[str, str], float]:
    return {
        (
            judged.left[judged.candidates.rows[place]],
            judged.right[judged.candidates.columns[place]],
        ): float(judged.probabilities[place])
        for place in judged.chosen
    }


# German page 1 could be either Italian one; both agree with English by themselves.
DOUBTFUL = {
    ("de", "it"): [judge({("d1", "i1"): 0.4, ("d1", "i2"): 0.5, ("d2", "i3"): 0.6})],
    ("de", "en"): [judge({("d1", "e1"): 0.9})],
    ("en", "it"): [judge({("e1", "i1"): 0.9, ("e2", "i2"): 0.2})],
}


def test_a_third_language_decides() -> None:
    assert pairs_of(DOUBTFUL["de", "it"][0]).keys() == {("d1", "i2"), ("d2", "i3")}

    agreed = pairs_of(agree(DOUBTFUL)["de", "it"][0])

    odds = np.log(0.4 / 0.6) + OPINIONS["support"] * 0.81
    assert agreed["d1", "i1"] == pytest.approx(1 / (1 + np.exp(-odds)))
    assert ("d1", "i2") not in agreed


def test_what_another_language_does_not_know_stays_as_it_is() -> None:
    assert pairs_of(agree(DOUBTFUL)["de", "it"][0])["d2", "i3"] == pytest.approx(0.6)


def opinions_of(
    said: dict[tuple[str, str], list[ScoredCandidates]],
) -> list[list[float]]:
    """Return support, conflict and disagreement of the German and Italian candidates."""
    langs = ("de", "it")
    found = measure_opinions(said[langs][0], langs, find_partners(said))
    return [[round(float(value), 9) for value in row] for row in found]


def test_other_languages_support_and_conflict() -> None:
    # e2-i2 is too doubtful to say anything.
    assert opinions_of(DOUBTFUL) == [[0.81, 0, 0], [0, 0.81, 0], [0, 0, 0]]
    assert OPINIONS["support"] > 0 > OPINIONS["conflict"]


def test_pages_with_different_partners_disagree() -> None:
    """Neither partner leads to the other page: d2 has none in Italian, nor i3 in German."""
    said = DOUBTFUL | {
        ("de", "en"): [judge({("d1", "e1"): 0.9, ("d2", "e2"): 0.8})],
        ("en", "it"): [judge({("e3", "i3"): 0.5})],
    }

    assert opinions_of(said)[2] == [0, 0, 0.4]
    assert OPINIONS["disagreement"] < 0


def test_several_languages_add_up() -> None:
    both = DOUBTFUL | {
        ("de", "fr"): [judge({("d1", "f1"): 0.8})],
        ("fr", "it"): [judge({("f1", "i1"): 0.5})],
    }

    assert opinions_of(both)[0] == [round(1 - (1 - 0.81) * (1 - 0.4), 9), 0, 0]


def test_what_pages_declare_outweighs_other_languages() -> None:
    said = {langs: list(sites) for langs, sites in DOUBTFUL.items()}
    values = said["de", "it"][0].values.copy()
    # d1 and i2, which English contradicts.
    values[1, [evidence.name for evidence in EVIDENCE].index("versions")] = 0.95
    said["de", "it"] = [replace(said["de", "it"][0], values=values)]

    assert pairs_of(agree(said)["de", "it"][0])["d1", "i2"] == 0.95


def test_the_order_of_the_languages_plays_no_part() -> None:
    turned = dict(reversed(DOUBTFUL.items()))

    for langs, sites in agree(DOUBTFUL).items():
        same = agree(turned)[langs][0].probabilities
        assert sites[0].probabilities.tolist() == same.tolist()


def test_two_languages_and_other_methods_stay_as_they_are() -> None:
    options = PairingOptions()
    two = {("de", "it"): PairingOutcome(scored=DOUBTFUL["de", "it"])}
    assert reconcile(two, options) == two
    others = dict.fromkeys(DOUBTFUL, PairingOutcome())
    assert reconcile(others, options) == others


def test_outcomes_are_settled_anew() -> None:
    outcomes = {
        langs: PairingOutcome(scored=sites) for langs, sites in DOUBTFUL.items()
    }

    settled = reconcile(outcomes, PairingOptions())["de", "it"]

    assert [(p.source, p.target) for p in settled.pairs] == [
        ("d1", "i1"),
        ("d2", "i3"),
    ]
    assert [rival.document for rival in settled.rivals or ()] == ["i2"]


def test_alignment_gets_what_is_not_far_below_the_threshold() -> None:
    judged = judge({("d1", "i1"): 0.9, ("d2", "i2"): 0.4, ("d3", "i3"): 0.25})
    outcome = settle([judged], 0.5, 0.0)
    assert [pair.source for pair in outcome.pairs] == ["d1"]
    assert [pair.source for pair in outcome.runners_up] == ["d2"]
    assert {rival.document for rival in outcome.rivals or ()} == {
        "d2",
        "d3",
        "i2",
        "i3",
    }
