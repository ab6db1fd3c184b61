"""Unwanted words: which texts hold them, and the file that names them."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy.settings import Settings

from ilspfc.classification.terms import UnwantedWords
from ilspfc.crawl.domain_terms import read_unwanted
from ilspfc.exceptions import SettingError


@pytest.mark.parametrize(
    ("text", "is_hit"),
    [
        ("Ein CASINO, mitten im Text", True),
        ("Online-Casino", True),
        ("Casinos", False),
        ("Erst cookie, dann policy", False),
        ("unsere cookie-policy!", True),
        ("这是赌场的广告", True),
        ("", False),
    ],
)
def test_whole_words_are_found_in_any_case(text: str, is_hit: bool) -> None:
    words = UnwantedWords(["casino", "Cookie  Policy", "赌场", "  "])
    assert words.are_in(["Anderes", text]) is is_hit
    assert not UnwantedWords([" "]).are_in([text])


def test_the_file_has_a_phrase_a_line(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("# no\ncasino\n\ncookie policy \n")
    settings = Settings({"CLASSIFICATION_UNWANTED": str(file)})
    assert read_unwanted(settings) == ("casino", "", "cookie policy")
    file.write_text("# nothing\n\n")
    with pytest.raises(SettingError, match=r"words\.txt: no word in the file"):
        read_unwanted(settings)
    settings.set("CLASSIFICATION_UNWANTED", "none.txt")
    with pytest.raises(SettingError, match=r"none\.txt: cannot be read \(No such file"):
        read_unwanted(settings)
