"""Tokens of the lexicon."""

from __future__ import annotations

import unicodedata

import pytest

from ilspfc.text.tokens import tokenize


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("deu", "Die STRASSE, die Straße", "die stras die stras"),
        ("fra", "L'été d'Étienne", "l été d étien"),
        ("eng", "x86_64 and 3rd", "x 86 64 and 3 rd"),
        ("eng", "1,250.50 or 1 2", "125050 or 1 2"),
        ("fra", "1\u202f250", "1250"),
        ("che", "1'250", "1250"),
        ("ara", "١٢٣٤٥٦", "123456"),
        ("jpn", "３月の雨", "3 月 の 雨"),
        ("jpn", "Webサーバー・コンピュータ", "web サーバー コンピュー"),
        ("zho", "发展中国家", "发 展 中 国 家"),
        ("kor", "한국어에서는 Linux를", "한국 linux 를"),
        ("tha", "ประเทศไทย", "ป ระ เท ศ ไท ย"),
        ("lao", "ພາສາລາວ", "ພາ ສາ ລາ ວ"),
        ("khm", "ភាសាខ្មែរ", "ភា សា ខ្មែ រ"),
        ("mya", "မြန်မာစာ", "မြန် မာ စာ"),
        ("tur", "IŞIK İzmir", "ışık izmir"),
        ("eng", "İzmir", "izmir"),
        ("ell", "ΟΔΟΣ οδός", "οδοσ οδόσ"),
        ("deu", "Donau\u00addampf\ufeff", "donau"),
        ("hin", "हिन्दी", "हिन्द"),
        ("eng", "", ""),
        ("eng", "?! …", ""),
        ("eng", "\ud800 a", "a"),
    ],
)
def test_tokens(lang: str, text: str, expected: str) -> None:
    assert tokenize(text, lang) == expected.split()


@pytest.mark.parametrize("text", ["Été à Besançon", "Αθήνα", "Москвой"])
def test_composed_and_decomposed_letters_are_the_same(text: str) -> None:
    tokens = tokenize(unicodedata.normalize("NFD", text), "fra")
    assert tokens == tokenize(unicodedata.normalize("NFC", text), "fra")


def test_words_are_cut_and_numbers_are_not() -> None:
    text = "Maschinenbau 1234567 한국어에서"
    assert tokenize(text, "deu", prefix_chars=8, hangul_chars=3) == [
        "maschine",
        "1234567",
        "한국어",
    ]


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("eng", "“Yes” – no…", '" yes " - no .'),
        ("spa", "¿Sí?", "sí ?"),
        ("zho", "好，好。", "好 , 好 ."),
        ("ell", "Τι; Ναι·", "τι ? ναι ;"),
        ("ell", "Τι\u037e", "τι ?"),
        ("eng", "a; b (50%)", "a ; b ( 50 % )"),
        ("ara", "لا؟", "لا ?"),
    ],
)
def test_signs_are_tokens_in_ascii(lang: str, text: str, expected: str) -> None:
    assert tokenize(text, lang, punctuation=True) == expected.split()
