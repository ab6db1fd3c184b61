"""Comparable documents: on the same subject, but no translations."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Project, Serve

STRICT = ("-s", "PAIRING_THRESHOLD=0.995")
PLACES = (
    "Bregenz",
    "Meran",
    "Trient",
    "Lugano",
    "Chur",
    "Villach",
    "Brixen",
    "Locarno",
)
GERMAN = (
    "In {place} beginnt am {day}. Mai ein Kurs für Gärtner.",
    "Im Garten von {place} wachsen {day} Sorten Äpfel und Birnen.",
    "Wer nach {place} kommt, bringt Schaufel und Handschuhe mit.",
)
ITALIAN = (
    "A {place} comincia il {day} maggio un corso per giardinieri.",
    "Nel giardino di {place} crescono {day} varietà di mele e pere.",
    "Chi viene a {place} porta una pala e dei guanti.",
)
ARTICLE = (
    "In der Nacht heulten die Sirenen, und viele liefen auf die Straße.",
    "Am 17. August brannte in Gossensass die Halle der Firma Kofler.",
    "Anton Plankensteiner von der Feuerwehr sprach von Tonnen trockener Bretter.",
    "Verletzt wurde niemand, die Ursache des Feuers ist noch nicht bekannt.",
)
REPORT = (
    "Dopo due anni tornano al lavoro le macchine, e con loro la speranza.",
    "La ditta Kofler riapre la sede di Gossensass, distrutta dalle fiamme.",
    "Ci sono voluti molti operai e pazienza, racconta il titolare.",
    "Al taglio del nastro c'era la banda del paese, poi si è ballato fino a sera.",
    "Le nuove macchine consumano la metà e lavorano giorno e notte senza rumore.",
    "Nei prossimi anni si vuole vendere di più all'estero, soprattutto finestre e porte.",
    "I sindacati chiedono però turni più brevi e un asilo per i figli degli operai.",
    "Presente anche Anton Plankensteiner, che quel giorno guidava i pompieri.",
)


def write_page(
    folder: Path, name: str, sentences: tuple[str, ...], other: str = ""
) -> None:
    lang = name.partition("/")[0]
    text = "".join(f"<p>{one}</p>" for one in sentences)
    version = (
        f'<link rel="alternate" hreflang="{other[:2]}" href="/{other}">'
        if other
        else ""
    )
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    head = f'<html lang="{lang}"><meta charset="utf-8"><title>{sentences[0]}</title>{version}'
    path.write_text(f"{head}<body>{text}</body></html>", encoding="utf-8")


@pytest.fixture(scope="module")
def crawl(
    make_project: Callable[[], Project],
    serve: Serve,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Project, str]:
    """A project with a crawl of a site of translated pages, an article and a report."""
    folder = tmp_path_factory.mktemp("news")
    for number, place in enumerate(PLACES):
        names = f"de/{number}.html", f"it/{number}.html"
        for name, other, texts in zip(
            names, names[::-1], (GERMAN, ITALIAN), strict=True
        ):
            filled = tuple(one.format(place=place, day=number + 10) for one in texts)
            write_page(folder, name, filled, other)
    write_page(folder, "de/feuer.html", ARTICLE)
    write_page(folder, "it/kofler.html", REPORT)
    links = "".join(
        f'<a href="/{path.relative_to(folder)}">+</a> '
        for path in sorted(folder.rglob("*.html"))
    )
    (folder / "index.html").write_text(f"<html><body>{links}</body></html>")
    project, url = make_project(), serve(folder).url
    for out, arguments in (("with", {"comparable": "1"}), ("without", {})):
        # A short report is taken for a translation at the default threshold.
        settings = {"CORPUS_DIR": out, "PAIRING_THRESHOLD": "0.995"}
        given = {"langs": "de,it", "seeds": url, "domain": "none", **arguments}
        result = project.crawl("bilingual", settings, **given)
        assert result.status == 0, result.stderr
    return project, url


def read_list(project: Project) -> list[dict[str, str]]:
    with (project.folder / "with/comparable/de-it.tsv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_a_report_on_the_same_event_is_listed_first(crawl: tuple[Project, str]) -> None:
    project, url = crawl
    first, *others = read_list(project)
    assert (first["url1"], first["url2"]) == (
        f"{url}de/feuer.html",
        f"{url}it/kofler.html",
    )
    assert float(first["score"]) > 1.5
    assert int(first["names"]) == 4
    assert int(first["numbers"]) == 0
    assert first["images"] == "0"
    assert (project.folder / "with" / first["file1"]).is_file()
    assert not others


def test_translations_are_the_same_with_the_list_and_without(
    crawl: tuple[Project, str],
) -> None:
    project, _ = crawl
    memories = [
        re.sub(
            'creationdate="[^"]*"', "", (project.folder / out / "de-it.tmx").read_text()
        )
        for out in ("with", "without")
    ]
    assert memories[0] == memories[1]
    assert PLACES[0] in memories[0]
    assert "Kofler" not in memories[0]
    assert not (project.folder / "without/comparable").exists()


def test_a_build_writes_the_list_again(crawl: tuple[Project, str]) -> None:
    project, _ = crawl
    result = project.run("build", "with", *STRICT, "-s", "COMPARABLE_THRESHOLD=9")
    assert "run again: comparable, units, exports" in result.stderr
    assert read_list(project) == []
    assert project.run("build", "with", *STRICT).status == 0
    assert read_list(project)


def test_a_crawl_in_one_language_has_none(project: Project) -> None:
    result = project.crawl("monolingual", {}, lang="de", comparable="1")
    assert result.status == 2
    assert "comparable=1: no such argument" in result.error
