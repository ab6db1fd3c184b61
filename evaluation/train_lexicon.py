"""Learns the lexicons that come with the package, from the pairs of real sites.

``python -m evaluation.train_lexicon`` pairs the languages of the sites that the pairing model
is trained on, and writes ``ilspfc/lexicon/starter/``, a file each language pair with the site of
each entry, so that a site can be left out. With ``--sites`` some of them are learned anew, and
what other sites gave is kept. The same sites give the same files.
"""

from __future__ import annotations

import argparse
import bz2
import sys
from collections.abc import Mapping, Sequence
from itertools import combinations

from evaluation.data import DATA, PROJECT, skip_text
from evaluation.pairing_cases import encode_site
from evaluation.train_pairing import LEARNED_FROM
from ilspfc.line.comparisons import CorpusLexicon
from ilspfc.pairing.combined import pair_sites
from ilspfc.pairing.model.pair_model import shipped_model

STARTER = PROJECT / "ilspfc" / "lexicon" / "starter"
# Languages whose pairs among each other are learned; all others with English alone.
MAJOR = ("deu", "eng", "fra", "ita", "spa")
OTHERS = ("ell", "jpn", "kor", "nld", "por", "rus", "tur", "zho")
# What one pair of pages has taught, or hardly, is left out.
MIN_DOCUMENTS = 2
MIN_SCORE = 0.25


def language_pairs() -> list[tuple[str, str]]:
    """Return the pairs of ISO 639-3 codes, each sorted."""
    pairs = [*combinations(MAJOR, 2), *(("eng", other) for other in OTHERS)]
    return [(min(pair), max(pair)) for pair in pairs]


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn all language pairs of all sites, and write the files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sites", default=",".join(LEARNED_FROM))
    options = parser.parse_args(arguments)
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    sites = options.sites.split(",")
    rows = {langs: read_kept(langs, sites) for langs in language_pairs()}
    for site in sites:
        encoded = encode_site(site, (*MAJOR, *OTHERS))
        for langs in language_pairs():
            if not encoded.compared(*langs):
                continue
            learner = CorpusLexicon(encoded.encoder, *langs)
            pair_sites(encoded.compare(*langs), shipped_model(), learner)
            kept = [
                (
                    e.source,
                    e.target,
                    f"{e.score:.2f}",
                    str(e.segments),
                    str(e.documents),
                    site,
                )
                for e in learner.entries()
                if e.documents >= MIN_DOCUMENTS and e.score >= MIN_SCORE
            ]
            rows[langs] += kept
            print(site, "-".join(langs), len(kept), flush=True)
        write(rows)
    return 0


def read_kept(
    langs: tuple[str, str], without_sites: Sequence[str]
) -> list[tuple[str, ...]]:
    """Return the rows of two languages that ship, without those of some sites."""
    path = STARTER / f"{'-'.join(langs)}.tsv.bz2"
    if not path.is_file():
        return []
    with bz2.open(path, "rt", encoding="utf-8") as lines:
        rows = [tuple(line.rstrip("\n").split("\t")) for line in lines]
    return [row for row in rows if row[-1] not in without_sites]


def write(rows: Mapping[tuple[str, str], Sequence[tuple[str, ...]]]) -> None:
    """Write the entries of each language pair, sorted."""
    STARTER.mkdir(exist_ok=True)
    for langs, some in rows.items():
        text = "".join("\t".join(row) + "\n" for row in sorted(some))
        path = STARTER / f"{'-'.join(langs)}.tsv.bz2"
        path.write_bytes(bz2.compress(text.encode()))


if __name__ == "__main__":
    sys.exit(main())
