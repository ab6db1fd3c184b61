"""Sites that are on disk between the rounds."""

from __future__ import annotations

import numpy as np
from pairing_site import LANGS, encode, make_pages

from ilspfc.pairing.combined import Site
from ilspfc.pairing.model.pair_model import shipped_model
from ilspfc.pairing.shelf import Shelf
from ilspfc.stages.comparisons import EncodedCorpus


def test_sites_come_back_as_they_were_and_share_their_table() -> None:
    encoded = encode(make_pages(30))
    pages = {
        lang: {"a": sites["a"][:18], "b": sites["a"][18:]}
        for lang, sites in encoded.pages.items()
    }
    corpus = EncodedCorpus(encoded.encoder, pages, LANGS)
    sites = [Site(one, shipped_model()) for one in corpus.compare(*LANGS)]
    with Shelf() as shelf:
        for site in sites:
            site.judge(0)
            shelf.put(site)
        for _ in range(2):
            for before, after in zip(sites, shelf, strict=True):
                assert after.comparison.table is sites[0].comparison.table
                expected, found = before.result(1), after.result(1)
                assert found.left == expected.left
                np.testing.assert_array_equal(found.values, expected.values)
                np.testing.assert_array_equal(
                    found.probabilities, expected.probabilities
                )


def test_a_shelf_without_sites_yields_none() -> None:
    with Shelf() as shelf:
        assert not list(shelf)
