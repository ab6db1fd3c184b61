"""Readers of dictionaries."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ilspfc.exceptions import LexiconError
from ilspfc.lexicon.entries import Entry
from ilspfc.lexicon.readers import MAX_PROBLEMS, cut_entries, read_dictionary, write_tsv
from ilspfc.text.tokens import tokenize

if TYPE_CHECKING:
    from ilspfc.lexicon.readers import Dictionary


def _read(path: Path, content: str | bytes) -> Dictionary:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_dictionary(path)


def _words(dictionary: Dictionary) -> list[tuple[str, str]]:
    return [(entry.source, entry.target) for entry in dictionary.entries]


# -- TSV ---------------------------------------------------------------------------------


def test_tsv_has_two_columns_or_more(tmp_path: Path) -> None:
    content = "\ufeffHaus\tcasa\r\nja\tsì\t0.5\n\nnein\tno\t1\t7\t3\t2\nHaus\tcasa\n"
    found = _read(tmp_path / "words.tsv", content)
    assert found.entries == [
        Entry("Haus", "casa"),
        Entry("ja", "sì", 0.5),
        Entry("nein", "no", 1.0, 7, 3, 2),
    ]
    assert found.bad_lines == 0


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    entries = [Entry("Haus", "casa", 0.25, 3, 2, 1), Entry("ja", "sì", 1.0)]
    for name in ("a.tsv", "a.tsv.gz"):
        path, content = tmp_path / name, b"".join(write_tsv(entries, ("de", "it")))
        path.write_bytes(
            gzip.compress(content, mtime=0) if name.endswith("gz") else content
        )
        found = read_dictionary(path)
        assert (found.entries, found.langs) == (entries, ("de", "it"))
    assert _read(tmp_path / "b.tsv", "source\ttarget\nde\tdi\n").langs == ()
    assert _words(_read(tmp_path / "c.tsv", "de\tdi\n")) == [("de", "di")], "a word"


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        (b"Haus", "1 columns instead of 2 to 6"),
        (b"a\tb\t1\t1\t1\t1\t1", "7 columns instead of 2 to 6"),
        (b"Haus\t", "a word is missing"),
        (b"\tcasa", "a word is missing"),
        (b"Haus\tcasa\tgut", "'gut': not numeric"),
        (b"Haus\tcasa\t0", "score 0 is not in (0, 1]"),
        (b"Haus\tcasa\t1.5", "score 1.5 is not in (0, 1]"),
        (b"Haus\tcasa\tnan", "score nan is not in (0, 1]"),
        (b"Haus\tcasa\t1\t-1", "score 1 is not in (0, 1], or a count is negative"),
        (b"H\xe4user\tcase", "not in UTF-8"),
        (b"x" * 201 + b"\tcasa", "a word of 201 characters"),
    ],
)
def test_bad_lines_are_counted(tmp_path: Path, line: bytes, cause: str) -> None:
    found = _read(tmp_path / "words.tsv", b"ja\tja\n" + line + b"\nnein\tno\n")
    assert _words(found) == [("ja", "ja"), ("nein", "no")]
    assert found.bad_lines == 1
    assert found.problems[0].startswith(f"line 2: {cause}")


def test_only_the_first_bad_lines_are_remembered(tmp_path: Path) -> None:
    found = _read(tmp_path / "words.tsv", "x\n" * 50 + "a\tb\n")
    assert (found.bad_lines, len(found.problems)) == (50, MAX_PROBLEMS)


# -- .dic --------------------------------------------------------------------------------


def test_bitextors_dictionary_names_its_languages(tmp_path: Path) -> None:
    found = _read(tmp_path / "de-it.dic", "de\tit\nHaus\tcasa\nja\tsì\n")
    assert found.langs == ("de", "it")
    assert _words(found) == [("Haus", "casa"), ("ja", "sì")]


def test_hunaligns_dictionary_has_the_target_first(tmp_path: Path) -> None:
    found = _read(tmp_path / "de-it.dic", "casa @ Haus\nsì @ ja\nlost\n")
    assert _words(found) == [("Haus", "casa"), ("ja", "sì")]
    assert found.problems[0] == "line 3: neither word TAB word nor target @ source"


# -- files that cannot be used -----------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "cause"),
    [
        ("a.tsv", b"", "no entries; give lines of word TAB word"),
        ("a.tsv", b"Haus\nHof\n", "no entries; line 1: 1 columns"),
        ("a.tsv", b"\x00\xff\xfe" * 50, "no entries; line 1: not in UTF-8"),
        ("a.dic", b"de\tit\n", "no entries; give lines of word TAB word, or target @"),
        ("a.tsv.gz", b"no gzip", "cannot be read (Not a gzipped file"),
        ("a.tsv.gz", gzip.compress(b"a\tb\n" * 999, mtime=0)[:-12], "cannot be read"),
    ],
)
def test_a_file_without_use_is_one_line(
    tmp_path: Path, name: str, content: bytes, cause: str
) -> None:
    with pytest.raises(LexiconError) as raised:
        _read(tmp_path / name, content)
    message = str(raised.value)
    assert name.split(".", maxsplit=1)[0] in message
    assert cause in message
    assert "\n" not in message


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match="cannot be read \\(No such file"):
        read_dictionary(tmp_path / "none.tsv")


# -- as a prior --------------------------------------------------------------------------


def test_entries_are_cut_into_tokens_and_share_their_worth() -> None:
    entries = [
        Entry("Arbeit", "lavoro"),
        Entry("Bank", "banca"),
        Entry("Bank", "panchina"),
        Entry("Arbeitsschutz", "sicurezza lavoro"),
        Entry("Satz", "una spiegazione con molte parole"),
        Entry("!", "?"),
    ]
    cut = cut_entries(
        entries, lambda text: tokenize(text, "deu"), lambda text: tokenize(text, "ita")
    )
    scores = {(entry.source, entry.target): entry.score for entry in cut}
    assert scores == pytest.approx(
        {
            # The prefix of both words is the same: the better score holds.
            ("arbei", "lavor"): 0.7,
            ("arbei", "sicur"): 0.35,
            ("bank", "banca"): 0.7 / 2**0.7,
            ("bank", "panch"): 0.7 / 2**0.7,
        }
    )
    assert cut == sorted(cut, key=lambda entry: (entry.source, entry.target))


def test_learned_entries_keep_their_score() -> None:
    entries = [
        Entry("haus", "casa", 0.4, 7, 3, 1),
        Entry("haus", "edifi", 0.3, 2, 1, 1),
    ]
    assert cut_entries(entries, str.split, str.split) == entries


def test_a_dictionary_can_be_turned(tmp_path: Path) -> None:
    found = _read(tmp_path / "a.dic", "de\tit\nHaus\tcasa\n").transpose()
    assert (found.langs, _words(found)) == (("it", "de"), [("casa", "Haus")])
