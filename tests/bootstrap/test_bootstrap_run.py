"""One bootstrap over files: its sources, its settings, its files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import Settings

from ilspfc.bootstrap import domain_draft
from ilspfc.bootstrap.concepts import BootstrapLog
from ilspfc.bootstrap.domain_draft import BootstrapOptions, make_client, run_bootstrap
from ilspfc.exceptions import ArgumentError, BootstrapError

if TYPE_CHECKING:
    from ilspfc.bootstrap.output_files import BootstrapResult

THESAURUS = """\
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<u:1> skos:prefLabel "Bees"@en ; skos:narrower <u:2> .
<u:2> skos:prefLabel "Hives"@en .
"""


@pytest.fixture
def terms(tmp_path: Path) -> str:
    """A list of terms; URLs, a thesaurus and texts stand beside."""
    (tmp_path / "terms.tsv").write_text("en\tde\nhoney\tHonig\nwax\tWachs\n")
    urls = [f"http://{site}.example.com/{n}" for n in range(2) for site in "ab"]
    urls.append("http://c.example.org/")
    (tmp_path / "urls.txt").write_text("\n".join(urls))
    (tmp_path / "bees.ttl").write_text(THESAURUS)
    for folder, text in (("own", "The smoker. Hives! "), ("others", "A train. ")):
        (tmp_path / folder / "en").mkdir(parents=True)
        for number in range(2):
            path = tmp_path / folder / "en" / f"{number}.txt"
            path.write_text(text * 20)
    return str(tmp_path / "terms.tsv")


def _run(folder: Path, **sources: Any) -> BootstrapResult:
    named = {"subject": "Bees", "langs": ("eng", "deu"), "out": folder / "out" / "bees"}
    options = BootstrapOptions(**{**named, **sources})
    return run_bootstrap(options, Settings(), BootstrapLog())


def test_files_of_a_list_of_terms(tmp_path: Path, terms: str) -> None:
    result = _run(tmp_path, terms=terms)
    folder = tmp_path / "out"
    written = {path.relative_to(folder).as_posix() for path in result.paths}
    assert written == {
        "bees.tsv",
        "bees.seeds.txt",
        *(
            f"bees/{name}"
            for name in ("en-de.tsv", "terms.tbx", "left-out.tsv", "bootstrap.json")
        ),
    }
    assert all(path.is_file() for path in result.paths)
    lines = (folder / "bees.tsv").read_text("utf-8").splitlines()
    assert lines[0] == "# Collected for the subject “Bees” by scrapy bootstrap."
    assert lines[2:4] == ["weight\tterm\tsubdomain\tlang", "100\thoney\t\ten"]
    figures = json.loads((folder / "bees" / "bootstrap.json").read_text("utf-8"))
    assert figures["bootstrap/terms_en"] == 2
    assert {*figures["written"]} == {"bees.tsv", "bees.seeds.txt"}


def test_edited_files_are_kept(tmp_path: Path, terms: str) -> None:
    _run(tmp_path, terms=terms)
    _run(tmp_path, terms=terms)
    (tmp_path / "out" / "bees.seeds.txt").write_text("http://mine.example.org/\n")
    with pytest.raises(ArgumentError, match="--overwrite"):
        _run(tmp_path, terms=terms)
    _run(tmp_path, terms=terms, overwrites=True)


@pytest.mark.parametrize(("bounds", "number"), [((0, 5), 5), ((4, 5), 4), ((0, 1), 2)])
def test_numbers_of_seeds_are_bounded(
    tmp_path: Path,
    terms: str,
    monkeypatch: pytest.MonkeyPatch,
    bounds: tuple[int, int],
    number: int,
) -> None:
    most, of_a_site = bounds
    monkeypatch.setattr(domain_draft, "_MAX_SITE_SEEDS", of_a_site)
    urls = str(tmp_path / "urls.txt")
    result = _run(tmp_path, max_seeds=most, terms=terms, urls=urls)
    assert len(result.seeds) == number
    assert {seed.reason for seed in result.seeds} == {f"from {urls}"}


@pytest.mark.parametrize(("number", "names"), [(1, ["Bees"]), (2, ["Bees", "Hives"])])
@pytest.mark.usefixtures("terms")
def test_the_number_of_concepts_is_an_option(
    tmp_path: Path, number: int, names: list[str]
) -> None:
    result = _run(tmp_path, max_pages=number, skos=str(tmp_path / "bees.ttl"))
    assert result.definition.terms_in("eng") == names


@pytest.mark.usefixtures("terms")
def test_the_number_of_terms_of_texts_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders: dict[str, Any] = {
        "texts": str(tmp_path / "own"),
        "background": str(tmp_path / "others"),
    }
    langs = ("eng",)
    many = _run(tmp_path, langs=langs, **folders)
    monkeypatch.setattr(domain_draft, "_MAX_TERMS", 1)
    one = _run(tmp_path, langs=langs, **folders)
    assert len(many.definition.terms) > len(one.definition.terms) == 1


def test_a_source_that_fails_leaves_the_others(tmp_path: Path, terms: str) -> None:
    missing = str(tmp_path / "missing.ttl")
    result = _run(tmp_path, terms=terms, skos=missing)
    assert "missing.ttl: cannot be read" in str(result.error)
    partial = tmp_path / "out" / "bees" / "partial.tsv"
    assert "# Not whole: " in partial.read_text("utf-8")
    assert not (tmp_path / "out" / "bees.tsv").exists()
    with pytest.raises(BootstrapError, match="cannot be read"):
        _run(tmp_path, skos=missing)
    _run(tmp_path, terms=terms)
    assert not partial.exists()


@pytest.mark.parametrize("contact", ["", "  "])
def test_without_a_contact_nothing_is_asked(tmp_path: Path, contact: str) -> None:
    options = BootstrapOptions("Bees", ("deu",), tmp_path, contact=contact)
    assert options.wiki_api == "https://de.wikipedia.org/w/api.php"
    cache = tmp_path / "answers.db"
    with pytest.raises(BootstrapError, match=r"no contact.*--contact"):
        make_client(options, cache, Settings(), BootstrapLog())
    files = BootstrapOptions("Bees", ("deu",), tmp_path, contact=contact, tbx="x.tbx")
    make_client(files, cache, Settings(), BootstrapLog())
    assert not cache.exists()
