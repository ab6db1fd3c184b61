"""The domains of a project: found by name in its folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from ilspfc.classification.definition import DomainLibrary
from ilspfc.exceptions import DomainError


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    for name in (
        "b.tsv",
        "a.txt",
        "a.seeds.txt",
        "README.md",
        "shared.txt",
        "c.tsv.bak",
    ):
        (folder / name).write_text(f"project {name}")
    return folder


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "package"
    folder.mkdir()
    for name in ("shared.tsv", "shared.seeds.txt", "z.tsv"):
        (folder / name).write_text(f"package {name}")
    return folder


def test_definitions_are_known_by_name(project: Path, package: Path) -> None:
    library = DomainLibrary([project, package])
    assert library.names() == ["a", "b", "shared", "z"]
    assert library.definition("b").name == "b.tsv"
    assert library.definition("a").name == "a.txt"


def test_an_earlier_folder_goes_first(project: Path, package: Path) -> None:
    for folders, text in (
        ([project, package], "project shared.txt"),
        ([package, project], "package shared.tsv"),
    ):
        assert DomainLibrary(folders).definition("shared").read_text() == text


def test_a_folder_that_is_missing_has_no_domains(tmp_path: Path, package: Path) -> None:
    library = DomainLibrary([tmp_path / "missing", package])
    assert library.names() == ["shared", "z"]
    assert DomainLibrary([]).names() == []


@pytest.mark.parametrize("name", ["x", "", "README", "a.seeds", "c", "b.tsv", "../a"])
def test_an_unknown_name_lists_the_known_ones(project: Path, name: str) -> None:
    with pytest.raises(DomainError, match="known are a, b, shared") as caught:
        DomainLibrary([project]).definition(name)
    assert str(caught.value).startswith(f"domain={name}: no such domain")


def test_seeds_stand_beside_the_definition(project: Path, package: Path) -> None:
    library = DomainLibrary([project, package])
    seeds = library.seeds("a")
    assert seeds is not None
    assert seeds.read_text() == "project a.seeds.txt"
    assert library.seeds("b") is None
    assert library.seeds("unknown") is None


def test_seeds_are_not_taken_from_another_folder(project: Path, package: Path) -> None:
    assert DomainLibrary([project, package]).seeds("shared") is None
