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
        [
            "Es ist eine neue Art.",
            "Das sagt man.",
            "Otto las Art. 7 und Bd. II, lit. a).",
        ],
        [
            "Der Berg ist hoch.5",
            "Nach Art.5 Satz 2 nicht.",
            "Er misst 8848 m.",
            "Eva und K.Wien am 9.Mai.",
        ],
    ],
    "ita": [
        ["Ai sensi dell’art. 5 del d.lgs. n. 12 del 2001.", "Il dott. Rossi è qui."],
        ["G. Verdi nacque nel 1813.", "Cfr. pag. 12."],
        ["Il sig. Bianchi (p. es. ieri) disse: «Vieni!»", "E andò."],
        ["L’on. Bianchi parla.", "Gazz. Uff. n. 5 del 2001."],
        ["1. Il primo punto.", "2. Il secondo punto."],
        ["Via G. Garibaldi.", "Qui."],
        [
            "Chi ce l'ha.",
            "Luca sta.",
            "Poi va via.",
            "Anna vive al mare.",
            "È gas.",
            "‘Sta volta no.",
        ],
        ["Vedi vol. I, cap. B e lett. A).", "Aspetta 5 min.", "Dopo parte."],
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
        ["He left.", "’Tis cold!", "’80s films are back.", "'Why me?'", "'Go.'"],
        [
            "She likes art.",
            "Tom is a nice man.",
            "Sue was ill in May.",
            "Ann saw vol. B of it.",
        ],
        [
            "It is known.4",
            "It was shown.[12]",
            "It holds.²³",
            "Is it?7",
            "So “yes.”8",
            "See fig.9 Now.",
        ],
    ],
    "fra": [
        ["M. Dupont est là.", "L’art. 5 de la loi n. 12."],
        ["« Viens ! » dit-il.", "Il part."],
        ["Il dit : « Viens ! Pars ! »", "Puis il part."],
        ["J. Verne écrit p. ex. ceci.", "Mme. Durand lit."],
        ["En 50 av. J.-C. Rome régnait.", "J.-P. Martin le dit."],
        ["C'est un bel art.", "Tout est sec.", "Paul voit « oui ».3", "Fin."],
    ],
    "spa": [
        ["El Sr. Pérez vive aquí.", "¿Cómo estás?", "¡Bien!"],
        ["Véase el art. 5 y la pág. 12.", "Dña. Ana viene."],
        ["«¡Ven!», dijo.", "Y fue."],
        ["Véase p. ej. Madrid.", "Núm. 12."],
        [
            "Dice que no.",
            "Ana vive junto al mar.",
            "Eso da.",
            "Da. Ana viene.",
            "Todo va bien.",
            "Sí.",
        ],
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
    "dan": [
        ["am 3. maj 2020 kom han.", "Ja."],
        ["Butikken åbner kl. 9, jf. s. 4 og bd. 2.", "Vi går med.", "Ole er der."],
    ],
    "nld": [
        ['Zij riep: "Kom!"', "'s Morgens ging zij."],
        [
            "Overdag slaapt zij.",
            "'s Nachts werkt ze.",
            "’t Valt mee!",
            "'n Goed teken?",
        ],
        [
            "Zij komt uit de stad.",
            "'s-Gravenhage ligt aan zee.",
            "Ze leest bijv. 's avonds.",
        ],
        [
            "Dat weet zij al.",
            "Jan ook.",
            "Dit is het best.",
            "Zie blz. 7 en hfst. II van dhr. Smit.",
        ],
    ],
    "afr": [
        [
            "Dit reën.",
            "'n Vrou kyk op!",
            "’n Kind lag.",
            "Hulle weet hy kan.",
            "Sien bl. 3.",
        ]
    ],
    "swe": [
        [
            "Mötet är kl. 9 i sal nr. 2, se s. 4.",
            "Vet du det?",
            "Jag vet det.",
            "Eva kan.",
        ]
    ],
    "nob": [
        [
            "Se fig. 2 og kap. IV.",
            "Du må dra.",
            "Ola ble med.",
            "Kari kom kl. 7 med hr. Dahl.",
        ]
    ],
    "pol": [
        [
            "Zob. str. 7, ryc. 2 i tab. B jest.",
            "Mieszka przy ul. Krótkiej.",
            "Cz. II jest tu.",
        ],
        [
            "Statek zawinął to nowy port.",
            "W 1990 r. Polska grała.",
            "Waży 5 kg.",
            "Anna śpi.",
        ],
    ],
    "ces": [
        [
            "Srov. obr. 7, tab. 2 a odst. 3.",
            "Bydlí u sv. Anny v č. 5.",
        ]
    ],
    "slv": [["Poglej sl. 4, št. 7 in tab. 2.", "Vem, da se.", "Ana ve."]],
    "hrv": [
        [
            "Usp. sl. 4, br. 7 i tab. 2.",
            "Zna da se.",
            "Čeka ga smrt.",
            "5 ljudi zna.",
            "Npr. Zadar.",
        ]
    ],
    "ron": [["Conform art. 7 alin. 3 lit. b) și pct. 2.", "Casa e la.", "Ana vine."]],
    "tur": [
        [
            "Bkz. şek. 4, md. 9 ve tab. 2.",
            "Burada av.",
            "Köpek koştu.",
            "Av. Aslı geldi.",
        ]
    ],
    "rus": [["На рис. 7 и в гл. IV (стр. 9, табл. 2).", "Это её муж.", "Иван ушёл."]],
    "ukr": [
        ["На мал. 7 і в розд. IV, див. стор. 9.", "Це рідкісний вид.", "Він зник."]
    ],
    "bul": [["Виж чл. 7, ал. 3 и табл. 2.", "Тук има ред.", "Мария идва."]],
    "cym": [["Mae hi'n oer.", "'R oedd hi yno.", "Gweler t. 7."]],
    "kat": [
        ["პროფ. გიორგაძე მოვიდა.", "ეს არის ქ. თბილისი.", "1990 წ.", "იგი წავიდა."],
        ["იხილეთ გვ. 7 და ნახ. 2.", "ეს სახლია.", "ის დიდია.", "ყველამ იცის."],
    ],
    "": [["One.", "Two."]],
    "hin": [
        ["देखें पृ. 7 और सं. 2।", "यह सच है।4", "वह गया।"],
        ["डॉ. राम आए।", "श्री. शर्मा गए।", "१। यह पहला है।"],
    ],
    "ara": [
        ["انظر ص. 7 و ج. 2.", "هذا هو."],
        ["وصل د. أحمد.", "وقال أ. محمد إنه سعيد."],
    ],
    "tha": [["เขามาในปี พ.ศ. 2561"], ["ผศ. ดร. สมชาย มาแล้ว.", "พล.อ. ประยุทธ์ ไป."]],
    "ben": [["ডা. রহিম এসেছেন।", "১। প্রথম কথা।", "২। দ্বিতীয় কথা।"]],
    "fas": [["دکتر م. احمدی آمد.", "در سال ۱۹۹۰ م.", "سپس به تهران رفت."]],
    "heb": [["פרופ. כהן בא.", "ראה עמ. 5 בספר.", "יש לי כאבי גב.", "אני כאן."]],
    "kaz": [["Проф. Ахметов келді."]],
    "mar": [["डॉ. आंबेडकर आले.", "प्रा. जोशी गेले."]],
    "mya": [["၁။ ပထမ ဝါကျ ဖြစ်သည်။", "၂။ ဒုတိယ ဝါကျ။"]],
    "nep": [["डा. राम आए।"]],
    "srp": [["Др. Петровић је дошао.", "Ту су Јован и др.", "Петар је отишао."]],
    "tam": [["திரு. குமார் வந்தார்.", "அவர் ஒரு டாக்டர்.", "ராம் சென்றார்."]],
    "urd": [["ڈاکٹر م. احمد آئے۔"]],
    "khm": [
        [
            "នេះជាប្រយោគទីមួយ។",
            "នេះជាប្រយោគទីពីរ ។",
            "តើនរណា?",
            "«គាត់មក។»",
            "ឆ្នាំ ២០២០។",
            "ចប់៕",
        ],
        ["១។ នេះជាប្រយោគ។", "២។ ពីរ។"],
        ["មានផ្លែឈើ បន្លែ ។ល។ និងអង្ករ។", "មានត្រី ។បេ។ ហើយសាច់។", "មាត្រា ២។១ និង ៣។"],
    ],
    "amh": [["ይህ የመጀመሪያው ነው፡፡", "ይህ ሁለተኛው ነው፡፡", "ይህ ሦስተኛው ነው።"]],
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
    "khm": [["នេះជាប្រយោគទីមួយ។", "នេះជាប្រយោគទីពីរ។"]],
    "amh": [["ይህ፡የመጀመሪያው፡ነው፡፡", "ይህ፡ሁለተኛው፡ነው።"]],
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
