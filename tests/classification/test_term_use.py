"""How terms are used: which never occur, which everywhere, which are nearly the same."""

from __future__ import annotations

from ilspfc.classification.definition import Term
from ilspfc.classification.terms import (
    StemmingTokenizer,
    TermMatcher,
    TermUse,
    find_near_duplicates,
)

GERMAN = StemmingTokenizer("deu")


def _terms(*texts: str) -> list[Term]:
    return [Term(10, text, (), "deu") for text in texts]


def _use(texts: list[str], *terms: str) -> TermUse:
    use = TermUse(TermMatcher(_terms(*terms), GERMAN))
    for text in texts:
        use.add(["Bienen", text])
    return use


def test_terms_that_never_match_are_named() -> None:
    use = _use(["Die Waben sind voll."], "Wabe", "Honig", "Bienen")
    assert [term.text for term in use.unused()] == ["Honig"]


def test_terms_of_nearly_all_documents_are_named() -> None:
    texts = ["Honig und Honig"] * 5 + ["Wachs"] * 5
    use = _use(texts, "Biene", "Honig", "Propolis")
    assert [(term.text, number) for term, number in use.common()] == [("Biene", 10)]
    assert [term.text for term, _ in use.common(0.4)] == ["Biene", "Honig"]


def test_few_documents_say_nothing_of_what_is_common() -> None:
    assert _use(["x"] * 9, "Biene").common() == []


def test_inflections_orders_and_compounds_are_nearly_the_same() -> None:
    terms = _terms(
        *(
            "Bienenstock",
            "Bienenstöcke",
            "Bienen-Stock",
            "Honig ernten",
            "ernten Honig",
        ),
        *("Wachs", "Honig", "…"),
    )
    groups = find_near_duplicates(terms, GERMAN)
    assert [{term.text for term in group} for group in groups] == [
        {"Bienenstock", "Bienenstöcke"},
        {"Honig ernten", "ernten Honig"},
    ]
    english = StemmingTokenizer("eng")
    compounds = [
        Term(1, text, (), "eng") for text in ("beehive", "bee hive", "bee hives")
    ]
    assert len(find_near_duplicates(compounds, english)[0]) == 3
