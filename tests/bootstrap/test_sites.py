"""Sites that have the wanted languages, by the corpus of a short crawl."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project, Serve

CONTACT = ("--contact", "tests@example.org")
LOOPBACK = ("-s", "GUARD_ALLOW=127.0.0.0/8", "-s", "DOWNLOAD_DELAY=0")
# tests/commands/test_bootstrap_command.py has workers judge sites.
ALONE = ("-s", "WORKERS=0")
PAGE = """<!doctype html><html lang={lang}><title>{title}</title>
<p>{text}<p><a href={link}>{link}</a>"""
GERMAN = "Die Bienen fliegen im Sommer von Blüte zu Blüte und sammeln den Nektar."
ITALIAN = "Le api volano in estate di fiore in fiore e raccolgono il nettare."


@pytest.fixture
def site(tmp_path: Path, serve: Serve) -> str:
    """A site of one page a language, with a picture, an archive and a film."""
    folder = tmp_path / "site"
    folder.mkdir()
    links = "".join(f"<a href={name}>{name}</a> " for name in FILES)
    for name, lang, text, link in (
        ("index.html", "de", GERMAN, "it.html hreflang=it"),
        ("it.html", "it", ITALIAN, "index.html hreflang=de"),
    ):
        page = PAGE.format(lang=lang, title=text[:9], text=text, link=link)
        (folder / name).write_text(page + links, "utf-8")
    for name in FILES:
        (folder / name).write_bytes(b"x")
    served = serve(folder)
    REQUESTS.append(served.requests)
    return served.url


FILES = ("picture.png", "archive.zip", "film.mp4")
REQUESTS: list[list[str]] = []


@pytest.mark.parametrize(
    ("langs", "said"),
    [
        ("de,it", "1 of 1 sites have the languages"),
        ("it", "1 of 1 sites have the languages"),
        ("de,fr", "left out: 1 site_too_few_languages"),
        ("fr,es", "left out: 1 site_other_language"),
    ],
)
def test_a_site_is_proposed_for_its_languages(
    project: Project, site: str, langs: str, said: str
) -> None:
    (project.folder / "bees.seeds.txt").write_text(f"{site}\n")
    arguments = ("bootstrap", "sites", "bees.seeds.txt", "--langs", langs)
    result = project.run(*arguments, *CONTACT, *LOOPBACK, *ALONE)
    assert result.status == 0, result.stderr
    assert said in result.stdout
    asked = {path.strip("/") for path in REQUESTS[-1]}
    assert not asked & {*FILES}, "pictures, archives and films are no pages"
