"""What trafilatura makes of the pages, kept so that it runs once."""

from __future__ import annotations

import json
import multiprocessing
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import trafilatura

if TYPE_CHECKING:
    from evaluation.cleaning_sets import GoldPage


def extract(body: bytes) -> str:
    """Return the text that trafilatura's default settings keep of a page."""
    return trafilatura.extract(body) or ""


def _extract(page: GoldPage) -> str:
    return extract(page.read())


def trafilatura_texts(pages: Sequence[GoldPage], work: Path) -> list[str]:
    """Return trafilatura's texts of the pages of a set, from the cache where they are there."""
    file = work / f"trafilatura-{trafilatura.__version__}-{pages[0].set}.json"
    known: dict[str, str] = (
        json.loads(file.read_text("utf-8")) if file.is_file() else {}
    )
    missing = [page for page in pages if page.id not in known]
    if missing:
        with multiprocessing.Pool(os.cpu_count()) as pool:
            texts = pool.map(_extract, missing, chunksize=8)
        known.update(zip((page.id for page in missing), texts, strict=True))
        file.write_text(json.dumps(known), "utf-8")
    return [known[page.id] for page in pages]
