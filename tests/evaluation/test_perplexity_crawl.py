"""The experiments of the language-model crawler: their data, and the floors of the harvest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation import perplexity_crawl
from evaluation.harvest import Harvest, check
from evaluation.perplexity_crawl import open_sites, read_domain, read_text, split_domain

if TYPE_CHECKING:
    import pytest

SENTENCE = "Der Server wird auf dem Rechner {} eingerichtet."


def _write_site(folder: Path, name: str, pages: dict[str, str]) -> None:
    (folder / name / "www").mkdir(parents=True)
    rows = [f"{lang}/{lang}.html\t{lang}\t{lang}" for lang in pages]
    text = "\n".join(["path\tlang\tlangid", *rows]) + "\n"
    (folder / name / "pages.tsv").write_text(text, encoding="utf-8")
    entries = {lang: f"{lang}/{lang}.html" for lang in pages}
    site = json.dumps({"entries": entries})
    (folder / name / "site.json").write_text(site, encoding="utf-8")
    for lang, body in pages.items():
        (folder / name / "www" / lang).mkdir()
        path = folder / name / "www" / lang / f"{lang}.html"
        path.write_text(body, encoding="utf-8")


def test_hosts_are_served_with_the_languages_of_their_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perplexity_crawl, "SITES", tmp_path)
    for name in perplexity_crawl.HOSTS.values():
        _write_site(tmp_path, name, {"de": f"<p>{name}", "en": "<p>x"})
    with open_sites() as sites:
        assert len(sites.seeds.split(",")) == 4
        assert sites.langs["127.0.0.2", "/de/de.html"] == "de"
        body = sites.served.pages(("127.0.0.2", "/de/de.html"), 0)
        assert body is not None
        assert read_text(body) == "lilypond"


def test_the_halves_of_the_domain_share_no_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perplexity_crawl, "SITES", tmp_path)
    letters = "abcdefgh" * 2
    body = "".join(f"<p>{SENTENCE.format(2 * letter)}" for letter in letters)
    _write_site(tmp_path, perplexity_crawl.DOMAIN, {"de": body})
    known, held_out = split_domain("de")
    assert len(known) == len(held_out) == 4
    assert not {*map(tuple, known)} & {*map(tuple, held_out)}


def test_paragraphs_in_another_language_do_not_define_the_domain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perplexity_crawl, "SITES", tmp_path)
    english = "The packages of this release are installed by the following commands."
    body = f"<p>{SENTENCE.format('dort')}<p>{english}"
    _write_site(tmp_path, perplexity_crawl.DOMAIN, {"de": body})
    assert read_domain("de") == [SENTENCE.format("dort")]


def test_a_scorer_below_breadth_first_at_one_point_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "baseline.json"
    path.write_text('{"harvest": {"g": {"above": ["perplexity"]}}}')
    monkeypatch.setattr("evaluation.harvest.BASELINE", path)
    base, good = [1] * 25 + [5] * 25, [2] * 25 + [5] * 25
    harvests = {"breadth-first": Harvest([base], 9, 50)}
    assert check("g", {**harvests, "perplexity": Harvest([good], 9, 50)}) == []
    bad = Harvest([[9] * 25 + [1] * 25], 9, 50)
    (failure,) = check("g", {**harvests, "perplexity": bad})
    assert "1.0 after 50, breadth-first has 5.0" in failure
    assert check("g", {"perplexity": bad}) == []
