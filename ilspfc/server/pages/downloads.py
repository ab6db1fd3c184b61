"""Downloads: every export of a corpus, by its place in a list that the server makes."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse

from ilspfc.server.pages.look import library_of
from ilspfc.server.rendering import render
from ilspfc.stages.exports.corpus_files import iter_export_files

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from ilspfc.corpus.corpus import Corpus


def _list_files(corpus: Corpus) -> list[tuple[Path, str]]:
    files = corpus.files
    more = [
        (files.documents, "documents as cesDoc XML"),
        (files.pairs, "lists of pairs"),
        (files.report, "the report"),
        (files.stats, "counts"),
        (files.manifest, "what the corpus was made with"),
    ]
    found = [*iter_export_files(corpus), *more]
    return [(path, meaning) for path, meaning in found if path.exists()]


def downloads(request: Request) -> Response:
    """List what can be downloaded."""
    name = request.path_params["corpus"]
    with library_of(request).open(name) as corpus:
        files = [
            (path.name, meaning, path.stat().st_size if path.is_file() else None)
            for path, meaning in _list_files(corpus)
        ]
    return render(request, "downloads.html", corpus=name, files=files)


def download(request: Request) -> Response:
    """Send a file, or a folder as a ZIP file."""
    with library_of(request).open(request.path_params["corpus"]) as corpus:
        files = _list_files(corpus)
    number = request.path_params["number"]
    if number >= len(files):
        raise HTTPException(404, "There is no such file any more.")
    path = files[number][0]
    if path.is_file():
        return FileResponse(path, filename=path.name)
    packed = _pack(path)
    remove = BackgroundTask(packed.unlink)
    return FileResponse(packed, filename=f"{path.name}.zip", background=remove)


def _pack(folder: Path) -> Path:
    """Return a temporary ZIP file of a folder."""
    with (
        tempfile.NamedTemporaryFile(suffix=".zip", delete=False) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                archive.write(path, path.relative_to(folder.parent))
    return Path(file.name)
