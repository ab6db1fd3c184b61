"""Sites of the help pages in packages."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation import train_pairing
from evaluation.data import HELP_SITES
from evaluation.help_sites import copy_gimp, copy_office
from evaluation.pairing_cases import LANGUAGE_PAIRS, UNSEEN


def test_links_from_the_base_of_all_languages_are_links_from_the_root(
    tmp_path: Path,
) -> None:
    place = "libreoffice-help-en-us/usr/share/libreoffice/help/en-US/text/scalc/01"
    folder = tmp_path / "packages" / place
    folder.mkdir(parents=True)
    (folder / "sum.html").write_text(
        '<base href="../../../../"><noscript><meta http-equiv="refresh"></noscript>'
        '<a href="en-US/text/scalc/main.html">Calc</a> <a href="https://a.org/">A</a>'
        '<img src="media/icon.svg">'
    )

    found = list(copy_office(tmp_path / "www", tmp_path / "packages", "en"))

    assert found == [("en-US/text/scalc/01/sum.html", "text/scalc/01/sum.html")]
    assert (tmp_path / "www" / found[0][0]).read_text() == (
        '<a href="/en-US/text/scalc/main.html">Calc</a> <a href="https://a.org/">A</a>'
        '<img src="/media/icon.svg">'
    )


def test_pages_and_pictures_are_copied(tmp_path: Path) -> None:
    folder = tmp_path / "packages/gimp-help-de/usr/share/gimp/2.0/help/de"
    (folder / "images").mkdir(parents=True)
    (folder / "start.html").write_text("Start")
    (folder / "images" / "tool.PNG").write_bytes(b"png")
    (folder / "style.css").write_text("p {}")

    found = list(copy_gimp(tmp_path / "www", tmp_path / "packages", "de"))

    assert found == [("de/start.html", "start.html")]
    copied = {str(p.relative_to(tmp_path / "www")) for p in tmp_path.glob("www/**/*.*")}
    assert copied == {"de/start.html", "de/images/tool.PNG"}


def test_nothing_is_learned_from_a_site_that_only_judges(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []

    def read_all(sites: list[str]) -> None:
        asked.extend(sites)
        raise InterruptedError

    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "build.sh").touch()
    monkeypatch.setattr(train_pairing, "DATA", tmp_path)
    monkeypatch.setattr(train_pairing, "read_all", read_all)
    with pytest.raises(InterruptedError):
        train_pairing.main([])
    assert UNSEEN & {*HELP_SITES}
    assert set(asked) == set(LANGUAGE_PAIRS) - UNSEEN
