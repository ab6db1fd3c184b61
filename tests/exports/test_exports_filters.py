"""What is measured on translation units, and the reasons that follow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.alignment import read_links
from evaluation.data import DATA
from ilspfc.exports.filters import (
    ExportReason,
    Thresholds,
    count_bitextor_tokens,
    describe,
    find_reasons,
)
from ilspfc.exports.units import length_ratio

LIMITS = Thresholds()

CASES = [
    ("Das ist ein Satz.", "Questa è una frase.", ""),
    ("Er wog 1.000 kg am 3. Mai.", "Pesava 1,000 kg il 3 maggio.", ""),
    ("On 5 March 2020 it was.", "Στις 5 Μαρτίου 2020 ήταν.", ""),
    ("Es waren genau ٣ Leute.", "Erano esattamente 3 persone.", ""),
    ("Es waren genau 3 Leute.", "Erano esattamente 4 persone.", "numbers"),
    ("Hotel Bella Vista", "HOTEL «Bella» Vista!", "identical"),
    ("Ja gut.", "Va bene.", "short"),
    ("12:30", "12.30", "no_letters short"),
    ("", "", "no_letters short"),
    ("Ein Satz mit Wörtern.", "", "no_letters short length_ratio"),
    (
        "Ein kurzer Satz hier.",
        "Una frase che invece è proprio lunga.",
        "length_ratio",
    ),
    ("今天天气", "Heute schönes Wetter", "length_ratio"),
    ("Seite 4", "Seite 5", "identical short numbers"),
    ("Am 07. März 2011 war das.", "Il 7 marzo 2011 era così.", ""),
    (
        "Rund 3.000 Leute und 1.500.000 Bienen.",
        "Circa 3 000 e 1’500’000 di api qui.",
        "",
    ),
    ("Es waren 12.345,60 Euro genau.", "There were 12 345.60 euros there.", ""),
    ("There were 15,00,000 people here.", "Es waren 1.500.000 Leute hier.", ""),
    ("Der Zug um 09:05 kam nicht.", "Il treno delle 9.05 non c’era.", ""),
    ("Wir treffen uns um 12:00 hier.", "We meet here at 12 today.", ""),
    ("In 2010 300 people came here.", "Hier kamen 2010 genau 300 Leute.", ""),
    ("Es waren ２，５００ Leute genau.", "Erano esattamente ٢٬٥٠٠ persone.", ""),
    ("Es waren genau 47 Leute.", "Erano esattamente 74 persone.", "numbers"),
    ("Der Zug um 21:50 kam nicht.", "Il treno delle 15.20 non c’era.", "numbers"),
    ("Es wog genau 3,05 Kilo.", "It weighed 3.5 kilos there.", "numbers"),
    ("Es wog genau 1,5 Kilo.", "It weighed 1,500 kilos there.", "numbers"),
    ("Es waren 5 oder 5 Leute.", "There were 5 people or so.", "numbers"),
    (
        "Mail: info.stelle@example.org an uns",
        "Mail: info.stelle@example.org a noi",
        "email",
    ),
    (
        "Siehe https://example.org/a/b hier an",
        "Vedi https://example.org/a/b qui ora",
        "url",
    ),
    ("Siehe bitte auch www.example.org hier", "Vedi qui anche www.example.org ora", ""),
    ("ACHTUNG VOR DEM HUND", "attenti al cane feroce", "capitals"),
    ("ACHTUNG VOR DEM HUND", "ATTENTI AL CANE FEROCE", ""),
    ("Die " + "x" * 30 + " ist da", "Qui la " + "y" * 31 + " è", "long_tokens"),
    ("Die " + "x" * 30 + " ist da", "Qui la " + "y" * 30 + " è", ""),
    ("a " + " ".join(["x" * 25] * 3), "b " + " ".join(["y" * 25] * 3), "long_tokens"),
    (
        "የሰው፡ልጅ፡ሁሉ፡ሲወለድ፡ነጻና፡በክብርና፡በመብትም፡እኩል፡ነው።",
        "Menschen sind alle frei und gleich",
        "",
    ),
    ("རྒྱལ་ཁབ་ཁག་གི་དབར་མཛའ་མཐུན་གྱི་འབྲེལ་བ", "Es soll Freundschaft unter Ländern", ""),
    (
        "\\override Staff.size = #2 % eine Zeile",
        "\\override Staff.size = #2 % una riga",
        "code",
    ),
    ("Syntax: | <Directory Pfad> ...", "Sintassi: | <Directory percorso> ...", "code"),
    ("请使用A4大小的纸。", "A4用紙を使います。", ""),
    ("C&A, H&M und AT&T", "C&A, H&M e AT&T", ""),
    ("Die Datei /etc/fstab hat Zeilen.", "Il file /etc/fstab ha tante righe.", ""),
    ("Der Befehl \\set wird so benutzt:", "Il comando \\set si usa così:", ""),
    ("\\set a.b = #3 c.d = #4 Takt oft", "Il comando \\set si usa spesso", "numbers"),
    (
        "今天天气很好我们去公园散步吧" * 3,
        "今日は天気がいいので公園へ行きましょう" * 3,
        "",
    ),
]


@pytest.mark.parametrize(("source", "target", "reasons"), CASES)
def test_reasons_say_what_may_be_wrong(source: str, target: str, reasons: str) -> None:
    assert find_reasons(source, target, LIMITS) == reasons.split()


def test_both_sides_are_looked_at() -> None:
    for source, target, reasons in CASES:
        if "length_ratio" not in reasons:
            turned = find_reasons(target, source, LIMITS)
            assert turned == reasons.split(), source


def test_thresholds_are_arguments_and_stand_in_the_remark() -> None:
    found = ("eins zwei", "uno due")
    assert find_reasons(*found, Thresholds(min_tokens=2)) == []
    assert find_reasons(*found, Thresholds(min_tokens=5)) == ["short"]
    found = ("eins zwei drei vier", "uno due tre")
    assert find_reasons(*found, Thresholds(max_ratio=2.0)) == []
    assert find_reasons(*found, Thresholds(max_ratio=1.5)) == ["length_ratio"]
    words = ("eins zwei " + "x" * 12, "uno due " + "y" * 12)
    assert find_reasons(*words, Thresholds(max_token_chars=11)) == ["long_tokens"]
    limits = Thresholds(min_tokens=5, max_ratio=1.5, kinds=frozenset({"2:1", "1:1"}))
    assert describe(ExportReason.SHORT, limits) == "very short segments, shorter than 5"
    assert describe(ExportReason.TYPE, limits) == "alignment type other than 1:1,2:1"
    assert (
        describe(ExportReason.LENGTH_RATIO, limits)
        == "charlength ratio of TUVs is lower than 0.6 or higher than 1.5"
    )


def test_remarks_are_the_words_of_the_older_tool() -> None:
    remarks = {describe(reason, LIMITS) for reason in ExportReason}
    assert len(remarks) == len(ExportReason)
    assert remarks >= {
        *("non-letters", "equal TUVs", "different numbers in TUVs", "duplicate"),
        *("near-duplicate", "e-mail address", "url"),
        "very short segments, shorter than 3",
        "charlength ratio of TUVs is lower than 0.6 or higher than 1.6",
    }


@pytest.mark.parametrize(
    ("source", "target", "ratio"),
    [("ab", "a b c", 0.4), ("a", "", float("inf")), ("", "a", 0.0), ("", "", 1.0)],
)
def test_the_ratio_counts_characters_and_blanks(
    source: str, target: str, ratio: float
) -> None:
    assert length_ratio(source, target) == ratio


def test_tokens_are_counted_without_blanks_too() -> None:
    assert [
        count_bitextor_tokens(text) for text in ("", "a b, c", "今天 a", "สวัสดี")
    ] == [
        0,
        3,
        3,
        6,
    ]


@given(st.text(), st.text())
def test_no_pair_is_refused(source: str, target: str) -> None:
    assert isinstance(find_reasons(source, target, LIMITS), list)


@pytest.mark.skipif(
    not (DATA / "data" / "alignment").is_dir(), reason="needs the alignment sets"
)
def test_of_gold_links_with_the_same_digits_one_has_other_numbers() -> None:
    # Its German side calls a peak 6719 m high, its French side 6179 m.
    alike, refused = 0, []
    for name, (lang, other) in {
        "text-berg-dev": ("de", "fr"),
        "parice": ("en", "is"),
    }.items():
        for gold in sorted((DATA / "data" / "alignment" / name).glob("*.gold")):
            texts = [
                gold.with_suffix(f".{one}").read_text("utf-8").split("\n")
                for one in (lang, other)
            ]
            for places in read_links(gold):
                source, target = (
                    " ".join(text[place] for place in sorted(side))
                    for text, side in zip(texts, places, strict=True)
                )
                digits = sorted(filter(str.isdecimal, source))
                if digits and digits == sorted(filter(str.isdecimal, target)):
                    alike += 1
                    if "numbers" in find_reasons(source, target, LIMITS):
                        refused.append(source)
    assert alike > 150
    assert [text for text in refused if "6719" not in text] == []
