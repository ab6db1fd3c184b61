"""Sentence splitting: each case is the sentences, which are joined and split again."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ilspfc.text.sentences import split_sentences

SPACED = {
    "deu": [
        ["Das gilt z. B. für Art. 5 Abs. 2.", "Am 3. Mai 2020 kam Hr. J. S. Bach."],
        ["Er wohnt in der 5. Etage.", "Nr. 12 ist frei."],
        ["Er ist 5.", "Das stimmt."],
        ["Es war 2020.", "Danach kam er."],
        ["Im 19. Jahrhundert lebte er.", "Sie traf Karl V. in Wien."],
        ["d. h. Er kommt.", "Gem. § 5 BGB geht das."],
        ["Er sagte: „Komm! Geh!“", "Dann ging er."],
        ["Er sagte: »Komm!«", "Dann ging er."],
        ["„Komm!“ sagte er.", "Sie kam."],
        ["Er ging (siehe S. 12.).", "Sie blieb."],
        ["Siehe www.example.de/a.b?c=1!", "Sie ist da."],
        ["Sie ist da.", "1. Der erste Punkt.", "2. Der zweite Punkt."],
        ["Prof. Dr. Schmidt kam.", "Vgl. Müller."],
    ],
    "ita": [
        ["Ai sensi dell’art. 5 del d.lgs. n. 12 del 2001.", "Il dott. Rossi è qui."],
        ["G. Verdi nacque nel 1813.", "Cfr. pag. 12."],
        ["Il sig. Bianchi (p. es. ieri) disse: «Vieni!»", "E andò."],
        ["L’on. Bianchi parla.", "Gazz. Uff. n. 5 del 2001."],
        ["1. Il primo punto.", "2. Il secondo punto."],
        ["Via G. Garibaldi.", "Qui."],
    ],
    "eng": [
        ["Mr. J. R. Smith lives in the U.S.", "He is e.g. a doctor."],
        ["See Fig. 3 and No. 12.", "He said no.", "Then he left."],
        ['"Stop!" he said.', '"Go."', "Then he left."],
        ["So do I.", "Then he left."],
        ["1. First item.", "2. Second item."],
        ["Visit www.example.com.", "It works."],
        ["Write to a.b@example.org.", "It works (see no. 5).", "Yes."],
        ["Version 2.0.1 is out.", "Get it."],
        ["i am here.", "you are there."],
        [
            "He came to St. Mary's.",
            "They sell nails etc.",
            "(See above.)",
            "It weighs 3 kg.",
            "Fine.",
        ],
        ["It has run since Apr. 30.", "It ends at 5 p.m.", "Go."],
    ],
    "fra": [
        ["M. Dupont est là.", "L’art. 5 de la loi n. 12."],
        ["« Viens ! » dit-il.", "Il part."],
        ["Il dit : « Viens ! Pars ! »", "Puis il part."],
        ["J. Verne écrit p. ex. ceci.", "Mme. Durand lit."],
        ["En 50 av. J.-C. Rome régnait.", "J.-P. Martin le dit."],
    ],
    "spa": [
        ["El Sr. Pérez vive aquí.", "¿Cómo estás?", "¡Bien!"],
        ["Véase el art. 5 y la pág. 12.", "Dña. Ana viene."],
        ["«¡Ven!», dijo.", "Y fue."],
        ["Véase p. ej. Madrid.", "Núm. 12."],
    ],
    "ell": [
        ["Βλ. σελ. 12.", "Τι κάνεις;", "Καλά."],
        ["Ο κ. Παπαδόπουλος, βλ. παρ. 3, είπε π.χ. αυτό.", "Ν. 1234/2000."],
        ["Πρβλ. Πλάτων.", "Γ. Σεφέρης.", "«Ναι.»", "Μετά."],
        ["Αρ. 5 του νόμου.", "Αγ. Νικόλαος."],
        ["«Έρχεστε;» ρώτησε.", "Το Φ.Ε.Κ. 84 ισχύει.", "Η υπ' αριθμ. 12 απόφαση."],
        ["Πουλάμε καρφιά κ.λπ.", "Ελάτε στις 5 μ.μ.", "(Βλ. παραπάνω.)", "Τέλος."],
    ],
    "por": [
        ["O Sr. Silva e a Dra. Lopes leram o art. 5.º da Lei n.º 102.", "Sim."],
        ["O Pe. António pesa aprox. 80 kg.", "Vive no séc. XX."],
    ],
    "dan": [["am 3. maj 2020 kom han.", "Ja."]],
    "": [["One.", "Two."]],
    "xyz": [["One.", "Two."]],
}

UNSPACED = {
    "zho": [
        ["你好。", "今天天气很好！", "你呢？"],
        ["他说：“走吧。”", "然后走了。"],
    ],
    "jpn": [
        ["今日は。", "天気がいい！", "終わり。"],
        ["「行こう。」と言った。", "終わり。"],
        ["「行こう。」", "彼は言った。"],
    ],
}

CASES = [
    (lang, glue, sentences)
    for glue, table in ((" ", SPACED), ("", UNSPACED))
    for lang, cases in table.items()
    for sentences in cases
]


@pytest.mark.parametrize(("lang", "glue", "sentences"), CASES)
def test_sentences_are_found_again(lang: str, glue: str, sentences: list[str]) -> None:
    assert split_sentences(glue.join(sentences), lang) == sentences


@pytest.mark.parametrize(("lang", "glue", "sentences"), CASES)
def test_a_sentence_is_not_split_again(
    lang: str, glue: str, sentences: list[str]
) -> None:
    for sentence in sentences:
        assert split_sentences(sentence, lang) == [sentence]


@pytest.mark.parametrize("text", ["", " ", "\n\t", "\u00a0"])
def test_blank_text_has_no_sentences(text: str) -> None:
    assert split_sentences(text, "deu") == []


def test_wide_blanks_stay_in_the_sentence() -> None:
    text = "A\u00a0. «\u202fViens\u00a0!\u00a0»\u2003Oui."
    assert "".join(split_sentences(text, "fra")) == text.replace("\u2003", "")


def test_a_blank_line_ends_a_sentence_of_any_kind() -> None:
    assert split_sentences("Siehe Art.\n\n5 ist frei", "deu") == [
        "Siehe Art.",
        "5 ist frei",
    ]


def test_marks_alone_stay_with_the_sentence_before() -> None:
    assert split_sentences("Das ist alles. * * * !", "deu") == [
        "Das ist alles. * * * !"
    ]


def test_texts_longer_than_a_block_lose_nothing() -> None:
    sentence = "Dieser Satz ist einer von sehr vielen."
    assert split_sentences(" ".join([sentence] * 2000), "deu") == [sentence] * 2000


def test_a_sentence_longer_than_a_block_stays_whole() -> None:
    text = "wort " * 5000 + "ende."
    assert split_sentences(text, "deu") == [text]


ALPHABET = "abAZ.!?…\"„“”«»()[]1239 \n\u00a0\u3000。！？」「’'-:;@/βΒκЖ·\ud800🎉"


@given(
    st.text(st.sampled_from(ALPHABET) | st.characters(), max_size=80),
    st.sampled_from(["deu", "eng", "ell", "fra", "ita", "jpn", "spa", "zho", "und"]),
)
def test_nothing_but_blanks_is_lost(text: str, lang: str) -> None:
    sentences = split_sentences(text, lang)
    assert re.sub(r"\s", "", "".join(sentences)) == re.sub(r"\s", "", text)
    assert all(sentence == sentence.strip() != "" for sentence in sentences)
