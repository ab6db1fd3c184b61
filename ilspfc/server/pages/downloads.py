"""Downloads: every export of a corpus, by its place in a list that the server makes."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from threading import BoundedSemaphore
from typing import IO

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse

from ilspfc.corpus.corpus import Corpus
from ilspfc.exports.registry import iter_export_files
from ilspfc.server.bodies import read_number
from ilspfc.server.rendering import open_corpus, render

_CHUNK_BYTES = 1 << 16
# Folders packed at the same time: each holds a core.
_PACKING = BoundedSemaphore(2)


def list_files(corpus: Corpus) -> list[tuple[Path, str]]:
    """Return the files and folders that can be downloaded, each with its meaning."""
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
    with open_corpus(request) as corpus:
        files = [
            (path.name, meaning, path.stat().st_size if path.is_file() else None)
            for path, meaning in list_files(corpus)
        ]
    return render(request, "downloads.html", files=files)


def download(request: Request) -> Response:
    """Send a file, or a folder as a ZIP file."""
    with open_corpus(request) as corpus:
        files = list_files(corpus)
    number = read_number(request.path_params["number"])
    if number is None or number >= len(files):
        raise HTTPException(404, "There is no such file any more.")
    path = files[number][0]
    if path.is_file():
        return FileResponse(path, filename=path.name)
    if not _PACKING.acquire(blocking=False):
        wait = {"Retry-After": "10"}
        raise HTTPException(
            503, "Others are being packed; try again in a moment.", wait
        )
    try:
        packed = _pack(path)
    finally:
        _PACKING.release()
    headers = {
        "Content-Length": str(packed.seek(0, os.SEEK_END)),
        "Content-Disposition": f'attachment; filename="{path.name}.zip"',
    }
    return StreamingResponse(_read(packed), 200, headers, "application/zip")


def _pack(folder: Path) -> IO[bytes]:
    """Return a ZIP file of a folder, which has no name: it goes with whoever has it open."""
    packed = tempfile.TemporaryFile()  # noqa: SIM115 - open until it is sent
    try:
        with zipfile.ZipFile(
            packed, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False
        ) as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file() and not path.is_symlink():
                    archive.write(path, path.relative_to(folder.parent))
    except BaseException:
        packed.close()
        raise
    return packed


def _read(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the bytes of a file from its beginning, and close it."""
    with file:
        file.seek(0)
        while chunk := file.read(_CHUNK_BYTES):
            yield chunk
