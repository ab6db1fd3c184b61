"""Parts of a corpus at an address of fsspec, for machines that share no folder."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from ilspfc.corpus.files import CorpusFiles
from ilspfc.exceptions import CorpusError, SettingError

if TYPE_CHECKING:
    from fsspec import AbstractFileSystem


def open_address(address: str, name: str) -> tuple[AbstractFileSystem, str]:
    """Return the file system of an address and the path on it.

    SettingError where it cannot be used; ``name`` is the setting or option that has it.
    """
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - comes with an extra
    except ImportError as error:
        raise SettingError(
            f"{name}={address}: fsspec is not installed; pip install fsspec"
        ) from error
    try:
        system, path = url_to_fs(address)
    except (ImportError, ValueError) as error:
        raise SettingError(
            f"{name}={address}: cannot be used ({error}); install what it needs, or give"
            " another address"
        ) from error
    return system, path.rstrip("/")


def send_part(root: Path, address: str) -> int:
    """Copy a part to an address, below its name; return the number of files sent.

    Files that are there in the same size are not sent again. The index comes last: without
    it there is no part yet. CorpusError where the address refuses a file.
    """
    system, base = open_address(address, "FRONTIER_PARTS")
    files, target = CorpusFiles(root), f"{base}/{root.name}"
    sent = 0
    try:
        for folder in (files.archive, files.documents):
            system.makedirs(f"{target}/{folder.name}", exist_ok=True)
            known = _sizes(system, f"{target}/{folder.name}")
            for path in sorted(folder.glob("*")):
                if known.get(path.name) != path.stat().st_size:
                    system.put_file(str(path), f"{target}/{folder.name}/{path.name}")
                    sent += 1
        with tempfile.TemporaryDirectory() as place:
            copy = Path(place) / files.index.name
            with closing(sqlite3.connect(files.index)) as connection:
                connection.execute("VACUUM INTO ?", (str(copy),))
            system.put_file(str(copy), f"{target}/{copy.name}")
    except OSError as error:
        raise CorpusError(
            f"{root}: cannot be copied to {address} ({error}); the part is safe: copy it"
            " by hand, or crawl on under the same name"
        ) from error
    return sent + 1


def fetch_parts(address: str, root: Path) -> int:
    """Fetch the parts at an address into a corpus; return the number of files fetched.

    Files that are there in the same size are not fetched again, but the indexes are.
    CorpusError where there is no part.
    """
    system, base = open_address(address, "--parts")
    parts = CorpusFiles(root).parts
    try:
        indexes = [path for path in system.find(base) if _is_index(path, base)]
        if not indexes:
            raise CorpusError(f"--parts {address}: no part of a corpus is there")
        return sum(_fetch(system, index, parts) for index in indexes)
    except OSError as error:
        raise CorpusError(
            f"--parts {address}: cannot be read ({error}); mend the address, or give the"
            " rights to read it"
        ) from error


def _is_index(path: str, base: str) -> bool:
    found = PurePosixPath(path)
    return found.name == "corpus.db" and found.parent.parent == PurePosixPath(
        base if path.startswith("/") == base.startswith("/") else base.lstrip("/")
    )


def _fetch(system: AbstractFileSystem, index: str, parts: Path) -> int:
    source = PurePosixPath(index).parent
    files = CorpusFiles(parts / source.name)
    fetched = 0
    for folder in (files.archive, files.documents):
        folder.mkdir(parents=True, exist_ok=True)
        for name, size in _sizes(system, f"{source}/{folder.name}").items():
            path = folder / name
            if not path.exists() or path.stat().st_size != size:
                system.get_file(f"{source}/{folder.name}/{name}", str(path))
                fetched += 1
    for companion in ("-wal", "-shm"):
        files.index.with_name(files.index.name + companion).unlink(missing_ok=True)
    system.get_file(index, str(files.index))
    return fetched + 1


def _sizes(system: AbstractFileSystem, folder: str) -> dict[str, int]:
    """Return the sizes of the files in a folder by name."""
    system.invalidate_cache()
    try:
        listed = system.ls(folder, detail=True)
    except FileNotFoundError:
        return {}
    return {
        PurePosixPath(entry["name"]).name: entry["size"]
        for entry in listed
        if entry["type"] == "file"
    }
