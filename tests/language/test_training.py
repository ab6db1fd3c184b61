"""Languages that no identifier knows: learned from a text, they are told from the others."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ilspfc.documents import CrawlInfo, Paragraph
from ilspfc.exceptions import SettingError
from ilspfc.language.identification import PageIdentifier, identify_page
from ilspfc.language.labels import OTHER, is_identifiable
from ilspfc.language.taught import MIN_CHARS, read_language_text

GERMAN = "Der Arbeitgeber stellt die nötige Ausrüstung und prüft sie jedes Jahr."
FINNISH = "Työnantaja hankkii tarvittavat varusteet ja tarkistaa ne joka vuosi."


def made_up_text(seed: int, sentences: int) -> list[str]:
    """Return sentences of a language with its own syllables, endings and small words."""
    chance = random.Random(1)
    stems = [
        "".join(chance.choices(["vë", "shka", "lun", "ryo", "pim", "tëk", "ghe"], k=2))
        for _ in range(400)
    ]
    chance = random.Random(seed)
    small, endings = ["ni", "dho", "ëk", "sa"], ["ok", "ulë", "yn", ""]
    return [
        " ".join(
            chance.choice(small)
            if chance.random() < 0.3
            else chance.choice(stems) + chance.choice(endings)
            for _ in range(12)
        ).capitalize()
        + "."
        for _ in range(sentences)
    ]


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("texts") / "made-up.txt"
    path.write_text("\n".join(made_up_text(2, 60)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def identifier(text: Path) -> PageIdentifier:
    return PageIdentifier(("qaa", "deu"), [("qaa", text)])


def test_sentences_that_were_not_in_the_text_are_recognized(
    identifier: PageIdentifier,
) -> None:
    assert not is_identifiable("qaa")
    verdicts = identifier.identify(made_up_text(3, 50))
    assert [verdict.lang for verdict in verdicts] == ["qaa"] * 50
    short = [" ".join(text.split()[:3]) for text in made_up_text(4, 50)]
    verdicts = identifier.identify(short, "qaa")
    assert [verdict.lang for verdict in verdicts] == ["qaa"] * 50


def test_other_languages_stay_what_they_are(identifier: PageIdentifier) -> None:
    found = [verdict.lang for verdict in identifier.identify([GERMAN, FINNISH])]
    assert found == ["deu", OTHER]


def test_without_the_text_it_is_another_language() -> None:
    (verdict,) = PageIdentifier(("deu", "eng")).identify(made_up_text(3, 1))
    assert verdict.lang == OTHER


def test_pages_and_paragraphs_are_labeled_with_it(text: Path) -> None:
    page = [Paragraph(sentence) for sentence in [*made_up_text(5, 5), GERMAN]]
    lang, page = identify_page(page, ("qaa", "deu"), "", [("qaa", text)])
    assert lang == "qaa"
    assert [p.lang for p in page] == ["qaa"] * 5 + ["deu"]
    assert page[5].crawlinfo is CrawlInfo.OOI_LANG


def test_a_language_in_a_script_of_its_own_is_learned(tmp_path: Path) -> None:
    """No language that is known has anything in common with it."""
    path = tmp_path / "made-up.txt"
    letters = [chr(code) for code in range(0x13A0, 0x13F0)]
    chance = random.Random(6)
    words = ["".join(chance.choices(letters, k=5)) for _ in range(300)]
    path.write_text(" ".join(words * 2), encoding="utf-8")
    found = PageIdentifier(("qaa", "eng"), [("qaa", path)])
    assert found.identify([" ".join(words[10:20])])[0].lang == "qaa"
    assert found.identify(["Ghok"], "qaa")[0].lang != "qaa"


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (None, "No such file"),
        (b"\xff\xfe" * 2000, "utf-8"),
        (b"Too short.", f"fewer than {MIN_CHARS} letters"),
        (b"1 " * 5000, f"fewer than {MIN_CHARS} letters"),
    ],
)
def test_a_text_that_teaches_nothing_is_refused(
    tmp_path: Path, content: bytes | None, cause: str
) -> None:
    path = tmp_path / "text.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SettingError, match=r"LANGUAGE_TEXTS: .*; give") as caught:
        read_language_text(path)
    assert cause in str(caught.value)
    assert str(path) in str(caught.value)
