"""Personal data in text: what is masked, and what only looks like it."""

from __future__ import annotations

import pytest

from ilspfc.text.personal_data import PersonalDatum, mask_personal_data


@pytest.mark.parametrize(
    ("text", "masked", "lang"),
    [
        ("An a.b+c@mail.example.org.", "An [EMAIL].", "deu"),
        ("Konto DE89 3704 0044 0532 0130 00!", "Konto [IBAN]!", "deu"),
        ("IBAN GR1601101250000000012300695", "IBAN [IBAN]", "eng"),
        ("Karte 4111-1111-1111-1111, bar", "Karte [CARD], bar", "deu"),
        ("Tel. +39 06 6982, Fax 030 901820", "Tel. [PHONE], Fax [PHONE]", "deu"),
        ("Il numero è 06 69812345.", "Il numero è [PHONE].", "ita"),
    ],
)
def test_data_are_masked(text: str, masked: str, lang: str) -> None:
    assert mask_personal_data(text, lang)[0] == masked


@pytest.mark.parametrize(
    "text",
    [
        "Vom 01.02.2020 bis 03.04.2021, ISBN 978-3-16-148410-0",
        "DE88 3704 0044 0532 0130 00 hat eine falsche Prüfziffer",
        "Version 2.6.32-5 vom 2020-01-02 10:20:30",
        "Der Wert 4328636416 ist zu groß",
        "192.168.100.200 und 1.000.000.000 Bytes",
        "@media (max-width: 100px)",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert mask_personal_data(text, "deu")[0] == text


def test_data_are_counted_by_kind() -> None:
    _, found = mask_personal_data("a@b.de, c@d.de, +49 30 901820", "deu")
    assert +found == {PersonalDatum.EMAIL: 2, PersonalDatum.PHONE: 1}
