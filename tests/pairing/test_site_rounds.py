"""Sites that are on disk between the rounds of pairing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pairing_site import LANGS, encode, make_pages

from ilspfc.line.comparisons import CorpusLexicon, EncodedCorpus
from ilspfc.pairing.combined import (
    Site,
    _JudgedSites,
    _load_site,
    _pack_site,
    pair_sites,
)
from ilspfc.pairing.comparison import narrow
from ilspfc.pairing.model.pair_model import shipped_model
from ilspfc.spool import Spool

if TYPE_CHECKING:
    import pytest


def test_sites_come_back_as_they_were_without_their_pages() -> None:
    encoded = encode(make_pages(30))
    pages = {lang: list(sites["a"]) for lang, sites in encoded.pages.items()}
    parts = {lang: {"a": some[:18], "b": some[18:]} for lang, some in pages.items()}
    corpus = EncodedCorpus(encoded.encoder, parts, LANGS)
    start = Spool(narrow(one) for one in corpus.compare(*LANGS))
    sites = [Site(one, shipped_model()) for one in start]
    for site in sites:
        site.judge(0)
    expected = [site.result() for site in sites]
    judged = _JudgedSites(_pack_site(site, 1) for site in sites)
    for place, before in enumerate(expected):
        assert not hasattr(judged.sites[place].comparison, "left")
        found = _load_site(start, judged.sites, place).result()
        assert found.left == before.left
        np.testing.assert_array_equal(found.values, before.values)
        np.testing.assert_array_equal(found.probabilities, before.probabilities)


def test_a_site_that_has_settled_goes_through_no_more_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encoded = encode(make_pages(30))
    pages = {lang: list(sites["a"]) for lang, sites in encoded.pages.items()}
    parts = {lang: {"a": some[:18], "b": some[18:]} for lang, some in pages.items()}
    corpus = EncodedCorpus(encoded.encoder, parts, LANGS)
    judge, seen = Site.judge, list[tuple[int, int]]()

    def judge_changing(site: Site, number: int, observe: object = None) -> int:
        judge(site, number)
        seen.append((number, len(site.comparison.left)))
        # The larger site has settled after the first round, the other one never does.
        return 0 if number and len(site.comparison.left) == 18 else len(site.chosen)

    monkeypatch.setattr(Site, "judge", judge_changing)
    learn = CorpusLexicon(encoded.encoder, *LANGS)
    found = pair_sites(corpus.compare(*LANGS), shipped_model(), learn)
    assert seen == [(0, 18), (0, 12), (1, 18), (1, 12), (2, 12), (3, 12)]
    assert [(len(site.left), site.round) for site in found] == [(18, 1), (12, 3)]
