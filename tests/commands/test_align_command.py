"""``scrapy align`` on text files."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ilspfc.commands.align import Command
from ilspfc.exports import read_tmx, validate_tmx
from ilspfc.files import text_alignment

GERMAN = (
    "Die Leiter steht fest auf dem Boden der Werkstatt.\n"
    "Prüfen Sie sie vor jeder Benutzung, mindestens 1 mal im Jahr.\n"
    "\n"
    "Wer in einer Höhe von mehr als 2 Metern arbeitet, braucht einen zweiten Halt.\n"
    "Das gilt auch im Freien.\n"
)
ITALIAN = (
    "La scala è stabile sul pavimento dell'officina.\n"
    "Controllatela prima di ogni uso, almeno 1 volta all'anno.\n"
    "Chi lavora a più di 2 metri di altezza ha bisogno di un secondo appiglio.\n"
    "Ciò vale anche all'aperto.\n"
)
LINKS = [("0", "0"), ("1", "1"), ("2", ""), ("3", "2"), ("4", "3")]


def _run(*arguments: str, **settings: str) -> int:
    command = Command()
    command.settings = Settings({"ALIGNMENT_METHOD": "lexical", **settings})
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    opts, args = parser.parse_known_args([str(argument) for argument in arguments])
    command.run(args, opts)
    return command.exitcode


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.de").write_text(GERMAN, encoding="utf-8")
    (tmp_path / "a.it").write_text(ITALIAN, encoding="utf-8")
    return tmp_path


def _links(text: str) -> list[tuple[str, str]]:
    rows = [line.split("\t") for line in text.splitlines()]
    assert all(0 <= float(row[2]) <= 1 for row in rows)
    return [(row[0], row[1]) for row in rows]


@pytest.mark.parametrize("method", ["lexical", "length"])
def test_two_files_are_aligned(
    method: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("a.de", "a.it", "--langs", "de,it")
    assert _run(*arguments, ALIGNMENT_METHOD=method) == 0
    written = capsys.readouterr()
    assert _links(written.out) == LINKS
    assert not written.err
    assert _run(*arguments, "--out", "new/out.tsv", ALIGNMENT_METHOD=method) == 0
    assert (folder / "new" / "out.tsv").read_text() == written.out


def test_a_list_is_one_collection(folder: Path) -> None:
    (folder / "empty").write_text("\n")
    lines = ["a.de\ta.it\tone.tsv", "", "a.de\tempty\ttwo.tsv", "a.de\ta.it\tthree.tsv"]
    (folder / "list").write_text("\n".join(lines))
    assert _run("--list", "list", "--langs", "de,it", "--rounds", "1") == 0
    assert _links((folder / "one.tsv").read_text()) == LINKS
    assert (folder / "three.tsv").read_text() == (folder / "one.tsv").read_text()
    alone = _links((folder / "two.tsv").read_text())
    assert alone == [*((str(n), "") for n in range(5)), ("", "0")]


def test_a_dictionary_is_taken(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "words.tsv").write_text("Freien\taperto\nLeiter\tscala\n")
    arguments = ("a.de", "a.it", "--langs", "de,it", "--rounds", "0")
    assert _run(*arguments) == 0
    without = capsys.readouterr().out
    assert _run(*arguments, "--dictionary", "words.tsv") == 0
    helped = capsys.readouterr().out
    assert _links(helped) == LINKS
    assert helped != without


def test_what_is_no_sentence_a_line_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "long").write_text(GERMAN + "Wort " * 4000 + "\n", encoding="utf-8")
    assert _run("long", "a.it", "--langs", "de,it") == 0
    written = capsys.readouterr()
    assert (
        "long: 1 of 6 lines have more than 5,000 characters, the first is line 6"
        in (written.err)
    )
    assert len(written.out.splitlines()) == 6


def test_languages_that_are_not_those_said_are_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _run("a.it", "a.de", "--langs", "de,it") == 0
    said = capsys.readouterr().err
    assert "a.it: the text looks like it, not like de; check --langs" in said
    assert "a.de: the text looks like de, not like it; check --langs" in said
    assert _run("a.it", "a.it", "--langs", "fr,it") == 0
    assert "looks like it, not like fr" in capsys.readouterr().err
    assert _run("a.de", "a.it", "--langs", "es,it") == 0
    assert "looks like another language, not like es" in capsys.readouterr().err


def test_sizes_that_are_too_different_are_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "short").write_text("Ciò vale anche all'aperto.\n", encoding="utf-8")
    assert _run("a.de", "short", "--langs", "de,it") == 0
    said = capsys.readouterr().err
    assert said == (
        "ilspfc: a.de has 4 lines with text, short 1; most will have no translation\n"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a.de", "a.it"], "--langs=: a language needed; give --langs de,it"),
        (
            ["a.de", "a.it", "--langs", "de,de"],
            "--langs=de,de: 'de' and 'de' are the same",
        ),
        (["a.de", "none", "--langs", "de,it"], "none: cannot be read (No such"),
        (["a.de", "blank", "--langs", "de,it"], "blank: no text in it; give one"),
        (["a.de", "latin1", "--langs", "de,it"], "latin1: cannot be read ('utf"),
        (["a.de", "many", "--langs", "de,it"], "many: 30 lines; split it into files"),
        (
            ["a.de", "a.it", "--langs", "de,it", "--rounds", "99"],
            "--rounds 99: give a number from 0 to 10",
        ),
        (
            ["a.de", "a.it", "--langs", "de,it", "--out", "a.de/x"],
            "a.de: File exists; give a path",
        ),
        (
            ["a.de", "a.it", "--langs", "de,it", "--dictionary", "none.tsv"],
            "none.tsv: cannot be read",
        ),
        (["--list", "none", "--langs", "de,it"], "none: cannot be read"),
        (["--list", "blank", "--langs", "de,it"], "blank: no pairs of files"),
        (["--list", "bad", "--langs", "de,it"], "bad, line 2: 2 names; give source"),
        (["--list", "over", "--langs", "de,it"], "a.it: is one of the texts"),
        (
            ["a.de", "a.it", "--langs", "de,it", "--out", "a.de"],
            "a.de: is one of the texts; give the result another file",
        ),
        (
            ["--list", "twice", "--langs", "de,it"],
            "twice, line 2: o is written by line",
        ),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str],
    said: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(text_alignment, "MAX_LINES", 20)
    (folder / "blank").write_text("\n \n")
    (folder / "latin1").write_bytes("Straße\n".encode("latin-1"))
    (folder / "many").write_text("parola\n" * 30)
    (folder / "bad").write_text("a.de\ta.it\to\na.de\ta.it\n")
    (folder / "twice").write_text("a.de\ta.it\to\na.de\ta.it\to\n")
    (folder / "over").write_text("a.de\ta.it\ta.it\n")
    assert _run(*arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("ilspfc: ")
    assert said in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a", "b", "c"], "give a corpus folder, two text files, or --list FILE"),
        (["a", "--list", "b"], "give a corpus folder, two text files, or --list FILE"),
        ([], "give a corpus folder, two text files, or --list FILE"),
        (["corpus", "--rounds", "2"], "for a corpus the number follows from its size"),
        (["a.de", "--langs", "de,it"], "give a corpus folder, two text files"),
        (["a", "b", "--langz=de"], "--langz=de: no such option"),
    ],
)
def test_wrong_usage_is_told(arguments: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        _run(*arguments)


def test_a_memory_comes_of_two_texts(folder: Path) -> None:
    assert _run("a.de", "a.it", "--langs", "de,it", "--out", "a.tmx") == 0
    units = list(read_tmx(folder / "a.tmx"))
    assert [unit.source for unit in units] == [
        line for line in GERMAN.splitlines() if line
    ][:2] + GERMAN.splitlines()[3:]
    assert [unit.target for unit in units] == ITALIAN.splitlines()
    validate_tmx(folder / "a.tmx")
