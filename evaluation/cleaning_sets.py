"""Pages with gold text: the sets and their sites."""

from __future__ import annotations

import json
import re
import tarfile
import tempfile
from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from urllib.parse import urlsplit

import tldextract

from evaluation.data import DATA, PROJECT

WORK = PROJECT / "build" / "cleaning"
TRAINING_SETS = ("wcxb-dev", "dragnet")
SETS = (*TRAINING_SETS, "cleaneval-final", "trafilatura-eval")
FOLDS = 3

_CANONICAL_RE = re.compile(
    rb"<link[^>]+rel=[\"']?canonical[^>]+href=[\"']?([^\"' >]+)"
    rb"|<link[^>]+href=[\"']?([^\"' >]+)[^>]+rel=[\"']?canonical"
    rb"|property=[\"']?og:url[\"']?\s+content=[\"']?([^\"' >]+)",
    re.IGNORECASE,
)
_ABSOLUTE_RE = re.compile(
    rb"(?:href|src|action)=[\"']?(https?://[^\"' >]+)", re.IGNORECASE
)
# Without a list to fetch, tldextract uses the one it brings.
_registered = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page of a set. ``gold`` is empty where the set has snippets alone, ``url`` if unknown."""

    set: str
    id: str
    path: Path
    site: str
    kind: str
    gold: str
    present: tuple[str, ...]
    absent: tuple[str, ...]
    url: str = ""

    def read(self) -> bytes:
        """Return the page as it was fetched."""
        return self.path.read_bytes()


def site_of(url: str, body: bytes, fallback: str) -> str:
    """Return the registered domain of a page; where no URL is known, of what it links to."""
    if url and "::" not in url:
        return _registered(url).top_domain_under_public_suffix or url
    if "::" in url:
        return _registered(url.split("::", 1)[1].split("-", maxsplit=1)[0]).fqdn or url
    found = _CANONICAL_RE.search(body)
    if found:
        canonical = next(filter(None, found.groups())).decode("latin-1")
        if site := _registered(canonical).top_domain_under_public_suffix:
            return site
    hosts = Counter(
        _registered(
            urlsplit(link.decode("latin-1")).netloc
        ).top_domain_under_public_suffix
        for link in _ABSOLUTE_RE.findall(body)
        if b"[" not in link
    )
    del hosts[""]
    return hosts.most_common(1)[0][0] if hosts else fallback


def folder_of(name: str, work: Path) -> Path:
    """Return the folder of a set, unpacked below ``work`` if it is not yet."""
    folder = work / name
    if not (folder / "gold.jsonl").is_file():
        work.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=work) as fresh:
            with tarfile.open(DATA / "data" / "cleaning" / f"{name}.tar.xz") as archive:
                archive.extractall(fresh, filter="data")
            (Path(fresh) / name).rename(folder)
    return folder


def read_set(name: str, work: Path, limit: int | None = None) -> list[GoldPage]:
    """Return the pages of a set that have gold, in the order of their ids."""
    folder = folder_of(name, work)
    rows = [
        json.loads(row)
        for row in (folder / "gold.jsonl").read_text("utf-8").split("\n")
        if row
    ]
    has_text = any(row.get("gold") for row in rows)
    rows = [row for row in rows if not has_text or row["gold"].strip()]
    pages = []
    for row in sorted(rows, key=lambda row: row["id"])[:limit]:
        path = folder / "html" / row["file"]
        site = site_of(row.get("url") or "", path.read_bytes(), row["id"])
        pages.append(
            GoldPage(
                name,
                row["id"],
                path,
                site,
                row.get("type", ""),
                row.get("gold", ""),
                tuple(row.get("with") or ()),
                tuple(row.get("without") or ()),
                row.get("url") or "",
            )
        )
    return pages


def fold_model_file(work: Path, fold: int) -> Path:
    """Return where the model is kept that was trained without a fold of the sites."""
    return work / f"without-fold-{fold}.npz"


def fold_of(site: str) -> int:
    """Return the fold that all pages of a site are in."""
    return int.from_bytes(blake2b(site.encode(), digest_size=4).digest()) % FOLDS
