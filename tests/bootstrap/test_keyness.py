"""Terms of texts: what tells them from others, words that stand together, a source."""

from __future__ import annotations

from pathlib import Path

import pytest

from ilspfc.bootstrap.concepts import BootstrapLog
from ilspfc.bootstrap.keyness import (
    extract_terms,
    iter_key_terms,
    iter_runs,
    log_likelihood,
    weigh_terms,
)
from ilspfc.classification.terms import StemmingTokenizer
from ilspfc.exceptions import BootstrapError

BEES = [
    (
        "The queen bee lays the eggs. A queen bee leaves the hive in May with a swarm."
        " The hive is full of honey, and the honey of the hive is sweet."
    ),
    (
        "In a hive there is one queen bee. The worker bees of the hive make honey."
        " The honey is taken in July. No hive is without a queen bee."
    ),
    (
        "Honey of the heather is dark. The swarm hangs in a tree; the swarm is calm."
        " The American foulbrood kills a hive, the American foulbrood is feared."
    ),
    "The American foulbrood is a disease. A swarm is a gift. The queen bees are marked.",
    "American foulbrood spreads. Who finds American foulbrood calls the office.",
]
OTHERS = [
    "The train leaves in May. In July the hall is full of people, and the people of the"
    " town make music. A tree stands in the square. There is no disease in the town."
    * 20,
]


def _terms(texts: list[str], number: int = 50) -> dict[str, int]:
    stem = StemmingTokenizer("eng").stem
    return {t.text: t.frequency for t in extract_terms(texts, OTHERS, stem, number)}


def test_words_and_terms_of_several_words_are_found() -> None:
    found = _terms(BEES)
    assert found["hive"] == 7
    assert found["queen bee"] == 5  # with the plural
    assert found["American foulbrood"] == 5
    assert {"honey", "swarm"} <= found.keys()


def test_words_of_grammar_neither_are_terms_nor_end_one() -> None:
    for text in _terms(BEES):
        assert not {"the", "of", "a", "in", "is", "and"} & {
            text.split()[0].lower(),
            text.split()[-1],
        }


def test_what_occurs_in_longer_terms_alone_is_no_term() -> None:
    found = _terms(BEES)
    assert "foulbrood" not in found
    assert "queen" not in found


def test_what_is_as_frequent_elsewhere_is_no_term() -> None:
    found = _terms([*BEES, "May and May and May. " * 2, "In May. May! May?"])
    assert "May" not in found
    assert "town" not in found


def test_the_most_telling_come_first_and_are_bounded() -> None:
    stem = StemmingTokenizer("eng").stem
    terms = extract_terms(BEES, OTHERS, stem, 3)
    assert len(terms) == 3
    assert [t.keyness for t in terms] == sorted(
        (t.keyness for t in terms), reverse=True
    )
    weights = weigh_terms(terms)
    assert weights[0] == 100
    assert weights == sorted(weights, reverse=True)
    assert weigh_terms([]) == []


def test_log_likelihood_is_that_of_the_paper() -> None:
    # A word 10 times in 10,000 and 5 times in 100,000 words, by hand.
    assert log_likelihood(10, 5, 10_000, 100_000) == pytest.approx(29.82, abs=0.01)
    assert log_likelihood(5, 100, 10_000, 10_000) < 0
    assert log_likelihood(0, 0, 10, 10) == 0
    assert log_likelihood(5, 5, 10, 0) == 0


def test_punctuation_and_numbers_part_words() -> None:
    runs = list(iter_runs("Die Bienen-Königin, 3 Waben (alt) d'api"))
    assert runs == [["Die", "Bienen-Königin"], ["Waben"], ["alt"], ["d'", "api"]]


# -- as a source -------------------------------------------------------------------------


def _write(folder: Path, texts: list[str]) -> list[Path]:
    folder.mkdir()
    paths = [folder / f"{number}.txt" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def test_texts_are_a_source(tmp_path: Path) -> None:
    own, others = _write(tmp_path / "own", BEES), _write(tmp_path / "others", OTHERS)
    log = BootstrapLog()
    concepts = list(
        iter_key_terms(
            {"eng": own},
            {"eng": others},
            2,
            log,
        )
    )
    assert [c.names["eng"] for c in concepts] == ["hive", "American foulbrood"]
    assert concepts[0].weight == 100
    assert log.counts["bootstrap/key_terms_eng"] == 2


def test_texts_without_others_are_named(tmp_path: Path) -> None:
    own = _write(tmp_path / "own", BEES)
    terms = iter_key_terms({"eng": own}, {}, 2, BootstrapLog())
    with pytest.raises(BootstrapError, match="no texts on other subjects in eng"):
        list(terms)


def test_texts_that_are_not_utf_8_are_named(tmp_path: Path) -> None:
    (own,) = _write(tmp_path / "own", ["x"])
    own.write_bytes("Königin".encode("latin-1"))
    terms = iter_key_terms({"eng": [own]}, {"eng": []}, 2, BootstrapLog())
    with pytest.raises(BootstrapError, match="UTF-8"):
        list(terms)
