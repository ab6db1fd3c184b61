"""Concepts to terms: which titles are none, what terms weigh, which pairs they make."""

from __future__ import annotations

import pytest

from ilspfc.bootstrap.concepts import BootstrapLog, Concept
from ilspfc.bootstrap.definition_terms import (
    Definition,
    define,
    judge_title,
    split_title,
    weigh_concepts,
)

TITLES = [
    ("Queen (disambiguation)", "eng", "disambiguation"),
    ("Königin (Begriffsklärung)", "deu", "disambiguation"),
    ("Regina (disambigua)", "ita", "disambiguation"),
    ("Βασίλισσα (αποσαφήνιση)", "ell", "disambiguation"),
    ("List of honeys", "eng", "list"),
    ("Lists of plants", "eng", "list"),
    ("Liste der Honigsorten", "deu", "list"),
    ("Elenco delle piante mellifere", "ita", "list"),
    ("Anexo:Flores de España", "spa", "list"),
    ("Liste des plantes mellifères", "fra", "list"),
    ("Κατάλογος φυτών", "ell", "list"),
    ("Glossary of beekeeping", "eng", "list"),
    ("1998", "eng", "year"),
    ("1990s", "eng", "year"),
    ("2007 in beekeeping", "eng", "year"),
    ("Beekeeping in 2007", "eng", "year"),
    ("19. Jahrhundert", "deu", "year"),
    ("19th century", "eng", "year"),
    ("Anton Janša", "eng", "name"),
    ("Karl von Frisch", "ita", "name"),
    ("American Beekeeping Federation", "eng", "name"),
    ("Μαρία Κάλλας", "ell", "name"),
    ("CCD", "eng", "abbreviation"),
    ("+++", "eng", "empty"),
    ("Honey", "eng", None),
    ("Western honey bee", "eng", None),
    ("Varroa destructor", "eng", None),
    ("Vitamin C", "eng", None),
    ("Amerikanische Faulbrut", "deu", None),
    ("Listeria", "eng", None),
    ("Liste", "deu", None),
    ("Famiglia d'api", "ita", None),
    ("蜂蜜", "zho", None),
    ("Formula 1", "eng", None),
    ("Queen (bee)", "eng", None),
]


@pytest.mark.parametrize(("title", "lang", "reason"), TITLES)
def test_titles_are_judged(title: str, lang: str, reason: str | None) -> None:
    assert judge_title(title, lang) == reason


def test_names_are_kept_on_request() -> None:
    assert judge_title("Anton Janša", "eng", keep_names=True) is None
    assert judge_title("CCD", "eng", keep_names=True) is None
    assert judge_title("1998", "eng", keep_names=True) == "year"


def test_a_qualifier_is_no_part_of_a_term() -> None:
    assert split_title("Queen (bee)") == ("Queen", True)
    assert split_title("Honey_bee") == ("Honey bee", False)
    assert split_title("(bee)") == ("(bee)", False)


def _title(identity: str, depth: int = 0, **names: str) -> Concept:
    return Concept(identity, depth, names=names, is_title=True)


def _define(
    *concepts: Concept,
    langs: tuple[str, ...] = ("eng", "deu"),
    keeps_names: bool = False,
) -> tuple[Definition, BootstrapLog]:
    log = BootstrapLog()
    return define(concepts, langs, log, keeps_names=keeps_names), log


def _texts(definition: Definition, lang: str) -> list[str]:
    return [term.text for term in definition.terms if term.lang == lang]


# -- weights -----------------------------------------------------------------------------


def test_what_is_nearer_and_linked_more_weighs_more() -> None:
    concepts = [
        Concept("far", 2, links=0),
        Concept("linked", 2, links=30),
        Concept("near", 0, links=0),
        Concept("both", 0, links=30),
    ]
    weights = dict(
        zip("far linked near both".split(), weigh_concepts(concepts), strict=True)
    )
    assert weights["far"] < weights["linked"] < weights["both"] == 100
    assert weights["far"] < weights["near"] < weights["both"]
    assert weights["far"] >= 1


def test_without_links_nearness_is_all() -> None:
    assert weigh_concepts([Concept("a", 0), Concept("b", 1), Concept("c", 3)]) == [
        100,
        75,
        25,
    ]


def test_a_weight_of_the_source_stands() -> None:
    assert weigh_concepts([Concept("a", weight=-50.0), Concept("b", weight=0.2)]) == [
        -50,
        1,
    ]


# -- terms -------------------------------------------------------------------------------


def test_names_of_a_concept_are_a_pair() -> None:
    definition, _ = _define(
        _title("Honey", eng="Honey", deu="Honig"), _title("Wax", eng="Wax")
    )
    assert list(definition.iter_pairs("eng", "deu")) == [("Honey", "Honig")]
    assert _texts(definition, "eng") == ["Honey", "Wax"]


def test_a_list_is_one_in_every_language() -> None:
    definition, log = _define(
        _title("List of bees", eng="List of bees", deu="Bienenarten")
    )
    assert definition.terms == ()
    assert log.counts["bootstrap/dropped/list"] == 2
    assert {dropped.text for dropped in log.dropped} == {
        "List of bees",
        "Bienenarten",
    }


def test_a_language_that_tells_names_speaks_for_one_that_does_not() -> None:
    concept = _title(
        "x", eng="German Beekeepers Association", deu="Deutscher Imkerbund"
    )
    definition, log = _define(concept)
    assert definition.terms == ()
    assert log.counts["bootstrap/dropped/name"] == 2
    kept, _ = _define(concept, keeps_names=True)
    assert len(kept.terms) == 2


def test_a_term_with_a_name_in_it_is_lost_in_one_language_alone() -> None:
    concept = _title("x", eng="Warré hive", deu="Warré-Beute", ita="Arnia Warré")
    definition, log = _define(concept, langs=("eng", "deu", "ita"))
    assert {term.text for term in definition.terms} == {"Warré hive", "Warré-Beute"}
    assert log.counts["bootstrap/dropped/name"] == 1


def test_variants_weigh_half_and_are_judged_too() -> None:
    honey = _title("Honey", eng="Honey")
    honey.variants["eng"] = ["Bee honey", "List of honeys", "honey"]
    definition, log = _define(honey)
    assert [(t.text, t.weight) for t in definition.terms] == [
        ("Honey", 100),
        ("Bee honey", 50),
    ]
    assert log.counts["bootstrap/dropped/list"] == 1
    assert definition.entries[0].variants == {"eng": ["Bee honey"]}


def test_a_qualified_title_weighs_half() -> None:
    definition, _ = _define(_title("Queen (bee)", eng="Queen (bee)", deu="Weisel"))
    assert [(t.text, t.weight) for t in definition.terms] == [
        ("Weisel", 100),
        ("Queen", 50),
    ]
    assert list(definition.iter_pairs("eng", "deu")) == [("Queen", "Weisel")]


def test_a_term_of_two_concepts_goes_to_the_weightier() -> None:
    far, near = (
        _title("Queen (chess)", 1, eng="Queen (chess)"),
        _title("Queen", eng="queen"),
    )
    definition, log = _define(far, near)
    assert [(t.text, t.weight) for t in definition.terms] == [("queen", 100)]
    assert log.counts["bootstrap/dropped/duplicate"] == 1


def test_terms_of_a_thesaurus_are_not_judged() -> None:
    definition, _ = _define(Concept("c1", names={"eng": "European Union", "deu": "EU"}))
    assert {term.text for term in definition.terms} == {"European Union", "EU"}
