"""Finding terms: by stems, in sequence, whole words only."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ilspfc.classification.definition import Term
from ilspfc.classification.terms import StemmingTokenizer, TermMatcher, snowball_name
from ilspfc.text.word_split import split_folded


def matcher(lang: str, *texts: str) -> TermMatcher:
    terms = [Term(1, text, (), lang) for text in texts]
    return TermMatcher(terms, StemmingTokenizer(lang))


def found(lang: str, terms: list[str], text: str) -> dict[str, int]:
    made = matcher(lang, *terms)
    return {made.terms[index].text: n for index, n in made.count(text).items()}


@pytest.mark.parametrize(
    ("lang", "term", "text", "number"),
    [
        # inflection
        ("ita", "infortunio sul lavoro", "Gli infortuni sul lavoro", 1),
        ("deu", "Schutzmaßnahme", "SCHUTZMASSNAHMEN und Schutzmaßnahme", 2),
        ("eng", "protective glove", "Protective gloves; protective glove.", 2),
        # order and neighborhood
        ("ita", "infortunio sul lavoro", "sul lavoro infortunio", 0),
        ("ita", "infortunio sul lavoro", "infortunio grave sul lavoro", 0),
        ("ita", "infortunio sul lavoro", "infortunio - sul\n(lavoro)", 1),
        ("ita", "infortunio sul lavoro", "infortunio sul", 0),
        # German compounds are words of their own
        ("deu", "Arbeit", "Arbeitsschutz, Bauarbeiten, Arbeiten", 1),
        ("deu", "Schutz", "Arbeitsschutz", 0),
        ("deu", "Lärm", "Lärmschutz gegen Lärm", 1),
        # elided articles and prepositions
        ("ita", "infortunio", "l'infortunio, dell’infortunio, un infortunio", 3),
        ("ita", "prevenzione dell'infortunio", "prevenzione dell’infortunio", 1),
        # numbers, hyphens, punctuation
        ("deu", "EN 397", "nach EN 397: EN397, EN 3970", 2),
        ("deu", "E-Scooter", "E-Scooter, E Scooter und EScooter", 2),
        ("deu", "Leiter", "«Leiter»/Leiter_Leiter", 3),
        # a language without a stemmer matches whole words
        ("hrv", "zaštita na radu", "Zaštita na radu; zaštite na radu", 1),
        # scripts without blanks
        ("zho", "劳动安全", "加强劳动安全监督,劳动安全第一", 2),
        ("zho", "安全", "安 全。不安全", 2),
        ("jpn", "ヘルメット", "作業ではヘルメットを着用", 1),
        ("tha", "ปลอดภัย", "ความปลอดภัยในการทำงาน", 1),
        ("deu", "Helm", "", 0),
    ],
)
def test_terms_are_found(lang: str, term: str, text: str, number: int) -> None:
    assert found(lang, [term], text) == ({term: number} if number else {})


def test_terms_inside_terms_count_too() -> None:
    """The last paragraph of the paper's figure 2 has both of its topics in one phrase."""
    terms = ["prevenzione degli infortuni", "infortunio sul lavoro", "lavoro"]
    text = "gli sforzi compiuti nella prevenzione degli infortuni sul lavoro"
    assert found("ita", terms, text) == dict.fromkeys(terms, 1)


def test_terms_with_the_same_stems_are_one_with_the_mean_weight() -> None:
    terms = [Term(10, "Leiter", ("a",)), Term(20, "Leitern", ("b",)), Term(5, "Helm")]
    made = TermMatcher(terms, StemmingTokenizer("deu"))
    assert [term.text for term in made.terms] == ["Leiter", "Helm"]
    assert made.weights == [15, 5]
    assert made.count("Leitern und Leiter") == Counter({0: 2})


def test_a_term_without_letters_is_never_found() -> None:
    made = matcher("deu", "_", "Helm")
    assert [term.text for term in made.terms] == ["Helm"]
    assert made.count("_ _") == Counter()


def test_the_score_is_the_sum_of_occurrences_times_weight() -> None:
    terms = [Term(10, "Helm"), Term(-4, "Datenschutz"), Term(0.5, "Leiter")]
    made = TermMatcher(terms, StemmingTokenizer("deu"))
    text = "Helm, Datenschutz, Helm, Leiter"
    assert made.score(text) == 2 * 10 - 4 + 0.5
    assert made.score("nichts davon") == 0


@pytest.mark.parametrize(
    ("name", "algorithm"),
    [("German", "german"), ("Italian", "italian"), ("Croatian", None), ("", None)],
)
def test_the_stemmer_is_found_by_the_name_of_the_language(
    name: str, algorithm: str | None
) -> None:
    assert snowball_name(name) == algorithm


def test_a_turkish_capital_is_the_same_letter() -> None:
    assert found("tur", ["iş sağlığı"], "İş sağlığı, iş sağlığı") == {"iş sağlığı": 2}


def test_vowel_signs_are_part_of_the_word() -> None:
    assert found("hin", ["काम"], "को मैं") == {}


def test_latin_words_are_found_between_ideographs() -> None:
    assert found("zho", ["PPE"], "使用PPE设备") == {"PPE": 1}


_words = st.lists(st.sampled_from("Helm Leiter Schutz und auf".split()), max_size=12)


@settings(deadline=None)
@given(st.lists(_words.filter(bool).map(" ".join), max_size=5, unique=True), _words)
def test_the_trie_finds_what_a_search_from_every_word_finds(
    terms: list[str], words: list[str]
) -> None:
    expected: Counter[str] = Counter()
    for term in terms:
        sequence = term.split()
        for start in range(len(words)):
            expected[term] += words[start : start + len(sequence)] == sequence
    assert found("hrv", terms, ", ".join(words)) == +expected


@settings(deadline=None)
@given(st.text())
def test_any_text_can_be_searched(text: str) -> None:
    made = matcher("deu", text, "Helm")
    assert made.count(text).total() >= len(made.terms) - 1


@given(st.text())
def test_texts_without_marks_are_split_as_others_are(text: str) -> None:
    """The quick way for most texts gives the same words as the careful one."""
    assert split_folded(f"{text} 中") == [*split_folded(text), "中"]
