"""Sites of the help pages in packages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.data import HELP_SITES
from evaluation.help_sites import copy_gimp, copy_office
from evaluation.pairing_cases import LANGUAGE_PAIRS

if TYPE_CHECKING:
    from pathlib import Path


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


def test_nothing_is_learned_from_the_last_site() -> None:
    assert set(HELP_SITES) < set(LANGUAGE_PAIRS)
    assert [*LANGUAGE_PAIRS][-1] == HELP_SITES[-1]
