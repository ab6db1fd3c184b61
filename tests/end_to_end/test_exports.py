"""What ``scrapy export`` writes of a corpus, and what it refuses."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from crawled_corpus import CrawledCorpus

from ilspfc.exports import read_tmx, validate_tmx
from ilspfc.exports.formats.xces import read_links, read_sentences

if TYPE_CHECKING:
    from conftest import Crawl, Project


@pytest.fixture(scope="module")
def exported(bilingual_crawl: Crawl, make_project: Callable[[], Project]) -> Path:
    """A corpus exported in all formats, compressed, doubtful units dropped."""
    project = make_project()
    root = project.folder / "out"
    shutil.copytree(bilingual_crawl.corpus, root)
    formats = "cesalign,tmx,pair-tmx,moses,tsv,jsonl,xces,text"
    options = ["--preset", "clean", "--max-units", "3", "--gz"]
    options += ["--lang-map", "de=de-CH", "--filter", "short=annotate,type=off"]
    options += ["-s", "EXPORTS_LENGTH_RATIO=0.6-1"]
    result = project.run("export", "out", "--format", formats, *options)
    assert (result.status, result.stderr) == (0, "")
    return root


def read(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().split("\n")[:-1]


def test_all_formats_hold_the_same_units(exported: Path) -> None:
    parts = sorted(exported.glob("de-it.0*.tmx.gz"))
    for part in parts:
        validate_tmx(part)
    units = [unit for part in parts for unit in read_tmx(part)]
    assert units
    pairs = [(unit.source, unit.target) for unit in units]
    moses = [read(exported / f"de-it.{lang}.gz") for lang in ("de", "it")]
    assert list(zip(*moses, strict=True)) == pairs
    rows = [line.split("\t") for line in read(exported / "de-it.sent.gz")[1:]]
    assert [(row[2], row[3]) for row in rows] == pairs
    records = map(json.loads, read(exported / "de-it.jsonl.gz"))
    assert [(one["source"], one["target"]) for one in records] == pairs
    memories = sorted((exported / "tmx").iterdir())
    assert sorted(unit.source for m in memories for unit in read_tmx(m)) == sorted(
        source for source, _ in pairs
    )


def test_sentences_are_linked_as_in_the_units(exported: Path) -> None:
    found = []
    folder = exported / "xces"
    for source, target, links in read_links(folder / "de-it.xml.gz"):
        sides = [read_sentences(folder / name) for name in (source, target)]
        found += [
            tuple(
                " ".join(known[number] for number in numbers)
                for known, numbers in zip(sides, link.sides, strict=True)
            )
            for link in links
            if link.certainty is not None
        ]
    memories = (
        unit for path in (exported / "tmx").iterdir() for unit in read_tmx(path)
    )
    assert sorted(found) == sorted((unit.source, unit.target) for unit in memories)
    assert found


def test_what_was_asked_for_is_kept_to(exported: Path) -> None:
    parts = sorted(exported.glob("de-it.0*.tmx.gz"))
    assert max(len(list(read_tmx(part))) for part in parts) == 3
    assert b'srclang="de-CH"' in gzip.decompress(parts[0].read_bytes())
    infos = {remark for p in parts for unit in read_tmx(p) for remark in unit.info}
    assert infos <= {"very short segments, shorter than 3"}


def test_a_file_of_another_run_does_not_stay_beside_a_new_one(exported: Path) -> None:
    assert not (exported / "de-it.tmx").exists()
    names = {path.name for path in exported.iterdir()}
    assert {"de-it.de.gz", "de-it.it.gz", "de-it.sent.gz", "texts", "tmx"} <= names


def test_losses_are_counted_and_files_are_listed(exported: Path) -> None:
    corpus = CrawledCorpus(exported)
    units = sum(1 for p in exported.glob("de-it.0*.tmx.gz") for _ in read_tmx(p))
    dropped = {
        reason: number
        for reason, number in corpus.drops().items()
        if reason.startswith("exports/") and "/text_" not in reason
    }
    assert corpus.stats["exports/units"] == units
    assert dropped
    assert units + sum(dropped.values()) == corpus.stats["alignment/units"]
    files = corpus.manifest["files"]
    assert {"de-it.001.tmx.gz", "de-it.jsonl.gz"} <= files.keys()


def test_texts_are_those_of_the_documents(exported: Path) -> None:
    lines = [line.split("\t") for line in read(exported / "texts" / "de.txt.gz")]
    assert {len(line) for line in lines} == {3}
    for _, _, file in lines:
        assert (exported / "xml" / file).is_file()
    assert len({text for text, *_ in lines}) == len(lines)


def test_the_command_lists_what_it_wrote_and_where(
    project: Project, bilingual_crawl: Crawl
) -> None:
    root = str(shutil.copytree(bilingual_crawl.corpus, project.folder / "out"))
    assert project.run("build", root).status == 0
    options = ("--format", "moses,parquet", "--out", "here", "--preset", "off")
    result = project.run("export", root, *options)
    assert result.status == 0, result.stderr
    lines = result.stdout.splitlines()[-3:]
    names = [line.partition(":")[0] for line in lines]
    assert names == ["here/de-it.parquet", "here/de-it.de", "here/de-it.it"]
    units = len((project.folder / "here" / "de-it.de").read_text("utf-8").splitlines())
    assert all(line.endswith(f"; {units} units, preset off") for line in lines), lines
    # The corpus is as before: its units are those of its own preset.
    assert "all is up to date" in project.run("build", root).stderr
    refused = project.run("export", root, "--format", "html", "--out", "here")
    assert refused.status == 2
    assert "html is written beside the documents" in refused.error


def test_a_recipe_filters_by_option_or_in_the_folder_of_the_corpus(
    project: Project, bilingual_crawl: Crawl
) -> None:
    root = shutil.copytree(bilingual_crawl.corpus, project.folder / "out")
    recipe = project.folder / "strict.toml"
    recipe.write_text(
        '[exports]\npreset = "off"\n[settings]\nEXPORTS_MIN_SCORE = 0.99\n'
    )
    options = ("--format", "moses", "--out", "here", "--filter", "strict.toml")
    result = project.run("export", str(root), *options)
    assert result.status == 0, result.stderr
    assert "preset off" in result.stdout
    clean = project.run("export", str(root), *options, "--preset", "clean")
    assert "preset clean" in clean.stdout  # an option goes before the recipe
    shutil.copy(recipe, root / "filter.toml")
    built = project.run("build", str(root))
    assert "run again: units, exports" in built.stderr
    assert "all is up to date" in project.run("build", str(root)).stderr
    recipe.write_text("[exports]\npresets = 1\n")
    wrong = project.run("export", str(root), *options)
    assert wrong.status == 2
    assert (
        "strict.toml, line 2: presets: no such key; the nearest is preset"
        in wrong.error
    )


BAD = [
    (["--format", "tmx,docx"], "EXPORTS_FORMATS=tmx,docx: no such choice: docx; known"),
    (["--max-units", "-1"], "EXPORTS_MAX_UNITS=-1: give a whole number from 0"),
]


@pytest.mark.parametrize(("options", "message"), BAD)
def test_what_means_nothing_is_refused(
    options: list[str], message: str, project: Project
) -> None:
    result = project.run("export", "out", *options)
    assert (result.status, result.stdout) == (2, "")
    assert result.error.startswith(f"ilspfc: {message}")
