"""``scrapy identify``: code, confidence and the line, for each line."""

from __future__ import annotations

import argparse
import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

from ilspfc.commands.identify import Command

if TYPE_CHECKING:
    from conftest import Project

LINES = (
    "Der Arbeitgeber stellt die nötige Ausrüstung.",
    "Il datore di lavoro fornisce l'equipaggiamento necessario.",
    "Le bruit endommage l'ouïe,\tet le dommage est irréversible.",
    "",
    "12.5.2026",
    "Ein Satz\u2028mit einem Trenner, der keine Zeile beendet.",
)
CODES = ["de", "ita", "other", "other", "other", "de"]
BAD = b"Ein Satz in UTF-8.\nGr\xfc\xdfe aus der Schweiz, ganz ohne UTF-8\r\n\xff\n"
CONTENT = "\n".join(LINES).encode()

Run = tuple[int, str, str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with files to identify."""
    made_up = "\n".join(f"Ushka lunë tëk {n % 7 * 'vy'}ghok pimryo." for n in range(90))
    (tmp_path / "lines.txt").write_bytes(b"\xef\xbb\xbf" + CONTENT)
    (tmp_path / "bad.txt").write_bytes(BAD)
    (tmp_path / "made-up.txt").write_text(made_up, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Run]:
    """Run the command; return its exit status and what it writes."""

    def call(name: str, langs: str, page: str = "", texts: str = "") -> Run:
        command = Command()
        command.settings = Settings({"LANGUAGE_TEXTS": texts})
        command.run([name], argparse.Namespace(langs=langs, page=page))
        output = capfdbinary.readouterr()
        return command.exitcode, output.out.decode(), output.err.decode()

    return call


def test_each_line_has_code_confidence_and_itself(run: Callable[..., Run]) -> None:
    """The codes are those that were given."""
    status, output, errors = run("lines.txt", "de,ita")
    assert (status, errors) == (0, "")
    rows = [line.split("\t", 2) for line in output.split("\n")]
    assert rows.pop() == [""]
    assert [text for *_, text in rows] == list(LINES)
    assert [code for code, *_ in rows] == CODES
    assert [float(confidence) > 0.9 for _, confidence, _ in rows] == [
        *(True, True, True, False, False, True)
    ]


def test_standard_input_is_read(make_project: Callable[[], Project]) -> None:
    arguments = ("identify", "--langs", "de,ita", "-")
    done = make_project().run_process(*arguments, stdin=CONTENT.decode())
    assert (done.status, done.stderr) == (0, "")
    output = done.stdout
    assert [line.partition("\t")[0] for line in output.split("\n")] == [*CODES, ""]


def test_the_page_tells_where_a_line_does_not(run: Callable[..., Run]) -> None:
    _, output, _ = run("lines.txt", "de,ita", page="it")
    codes = [line.partition("\t")[0] for line in output.split("\n")]
    assert codes[:-1] == ["de", "ita", "other", "ita", "ita", "de"]


def test_lines_that_are_not_utf_8_are_counted(run: Callable[..., Run]) -> None:
    status, output, errors = run("bad.txt", "de")
    assert status == 0
    assert "bad.txt: 2 lines are not UTF-8, the first is line 2" in errors
    lines = output.split("\n")
    assert [line.partition("\t")[0] for line in lines] == ["de", "de", "other", ""]
    assert lines[1].endswith("\tGr\ufffd\ufffde aus der Schweiz, ganz ohne UTF-8")


def test_a_language_is_learned_from_a_text(run: Callable[..., Run]) -> None:
    status, output, errors = run("made-up.txt", "qaa", texts="qaa=made-up.txt")
    assert (status, errors) == (0, "")
    assert {line[:4] for line in output.splitlines()} == {"qaa\t"}


def test_a_reader_may_leave_early(
    run: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Closed(io.BytesIO):
        def write(self, data: object) -> int:
            raise BrokenPipeError

    class Output(io.StringIO):
        buffer = Closed()

        def fileno(self) -> int:
            return 1

    monkeypatch.setattr("sys.stdout", Output())
    monkeypatch.setattr("os.dup2", lambda *_: None)
    assert run("lines.txt", "de")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("lines.txt", ""), ["--langs=", "a language needed", "give --langs de,it"]),
        (("lines.txt", "de,xx"), ["--langs=de,xx", "'xx'", "such as de,it"]),
        (("lines.txt", "de,gsw"), ["gsw:", "'gsw'", "LANGUAGE_TEXTS=gsw=FILE"]),
        (("lines.txt", "de", "it"), ["--page=it", "give one of them"]),
        (("lines.txt", "de", "xx"), ["--page=xx", "'xx'", "give one of them"]),
        (("nothing.txt", "de"), ["nothing.txt", "No such file", "give a path"]),
        ((".", "de"), [".: Is a directory", "give a path"]),
        (
            ("bad.txt", "de", "", "qaa=no.txt"),
            ["no.txt", "No such file", "give a UTF-8"],
        ),
        (("bad.txt", "de", "", "br=a,bre=b"), ["'bre'", "give one file a language"]),
        (("bad.txt", "de", "", "zz=a"), ["LANGUAGE_TEXTS=zz=a", "'zz'", "qaa to qtz"]),
        (("bad.txt", "de", "", "a.txt"), ["LANGUAGE_TEXTS=a.txt", "give code=FILE"]),
    ],
)
def test_what_cannot_be_used_is_one_line(
    run: Callable[..., Run], arguments: tuple[str, ...], parts: list[str]
) -> None:
    status, output, errors = run(*arguments)
    assert (status, output, len(errors.splitlines())) == (2, "", 1)
    assert all(part in errors for part in parts), errors
