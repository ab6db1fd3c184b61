"""The domains that a project has: one definition file each, and optional seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.exceptions import DomainError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.resources.abc import Traversable

_SEEDS_SUFFIX = ".seeds.txt"
_DEFINITION_SUFFIXES = (".tsv", ".txt")


class DomainLibrary:
    """Finds domains by name in folders; a folder that comes earlier goes first.

    A domain ``flowers`` is ``flowers.tsv`` or ``flowers.txt``; its seeds, if it has any,
    are ``flowers.seeds.txt`` beside it.
    """

    def __init__(self, folders: Iterable[Traversable]) -> None:
        self._folders = [folder for folder in folders if folder.is_dir()]

    def _iter_files(self) -> Iterator[tuple[str, Traversable]]:
        """Yield name and file of each definition."""
        for folder in self._folders:
            for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
                if file.name.endswith(_SEEDS_SUFFIX):
                    continue
                for suffix in _DEFINITION_SUFFIXES:
                    if file.name.endswith(suffix):
                        yield file.name.removesuffix(suffix), file

    def names(self) -> list[str]:
        """Return the names of all domains, sorted."""
        return sorted({name for name, _ in self._iter_files()})

    def definition(self, name: str) -> Traversable:
        """Return the definition file of a domain; DomainError lists the known ones."""
        for known, file in self._iter_files():
            if known == name:
                return file
        raise DomainError(
            f"domain={name}: no such domain; known are {', '.join(self.names())} (or"
            " none); give one of them, a path to a definition file, or add a file to"
            " domains/"
        )

    def seeds(self, name: str) -> Traversable | None:
        """Return the seeds file of a domain, None where it has none.

        It stands beside the definition: a definition of the user's own does not get the
        seeds of the package's domain of the same name.
        """
        for folder in self._folders:
            names = {f"{name}{suffix}" for suffix in _DEFINITION_SUFFIXES}
            if any(folder.joinpath(file).is_file() for file in names):
                file = folder.joinpath(f"{name}{_SEEDS_SUFFIX}")
                return file if file.is_file() else None
        return None
