"""Files of a folder as the archive of a crawl."""

from __future__ import annotations

from pathlib import Path

import pytest

from ilspfc.crawl.archives.folder_archive import FolderArchive, find_folder
from ilspfc.exceptions import ArgumentError

TYPES = ("text/html", "text/plain", "application/pdf")


def test_files_are_answers_at_their_paths(tmp_path: Path) -> None:
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "Ä b#1.HTM").write_bytes(b"<p>a")
    (tmp_path / "robots.txt").write_bytes(b"Disallow: /")
    (tmp_path / "a.docx").write_bytes(b"PK")  # a type that is not wanted
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7 and more")
    archive = FolderArchive(tmp_path, TYPES)
    archive.index()
    pages = list(archive.pages())
    assert pages == [
        "http://folder.invalid/b.pdf",
        "http://folder.invalid/de/%C3%84%20b%231.HTM",
    ]
    assert archive.counts["file"] == 2
    assert pages[1] in archive
    assert "http://folder.invalid/robots.txt" not in archive
    answer = archive.read(f"{pages[1]}#top", 10)
    assert answer is not None
    assert (answer.body, answer.is_cut) == (b"<p>a", False)
    assert answer.headers == ((b"Content-Type", b"text/html"),)
    cut = archive.read(pages[0], 5)
    assert cut is not None
    assert (cut.body, cut.is_cut) == (b"%PDF-", True)
    assert archive.read("http://folder.invalid/none.html", 5) is None


@pytest.mark.parametrize("name", ["a.html", "deep/er/B.PDF", "c.txt", "d.docx"])
def test_a_folder_with_one_page_is_found(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    assert find_folder(str(tmp_path)) == tmp_path


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    assert find_folder("") is None
    with pytest.raises(ArgumentError, match="no such folder; give a folder of HTML"):
        find_folder(str(tmp_path / "none"))
    (tmp_path / "a.csv").touch()
    with pytest.raises(ArgumentError, match=r"folder=.*a.csv: a file; give a folder"):
        find_folder(str(tmp_path / "a.csv"))
    with pytest.raises(ArgumentError, match=r"no pages in it; .*\.html, .*\.pdf"):
        find_folder(str(tmp_path))


def test_a_file_that_is_gone_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    archive = FolderArchive(tmp_path, TYPES)
    archive.index()
    (tmp_path / "a.txt").unlink()
    with pytest.raises(FileNotFoundError):
        archive.read("http://folder.invalid/a.txt", 5)
