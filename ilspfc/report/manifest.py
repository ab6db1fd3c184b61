"""The manifest of a corpus: arguments, settings, versions, counts, digests of the files."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from hashlib import blake2b, file_digest
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ilspfc import __version__
from ilspfc.atomic import write_bytes
from ilspfc.exceptions import CorpusError

if TYPE_CHECKING:
    from ilspfc.report.data import ReportData

FORMAT = 1
"""Version of the manifest's layout."""

DIGEST_BYTES = 16
# Data of the report that the manifest has by the same name.
_TOLD = (
    "title spider domain started finished arguments settings stages versions seeds groups"
).split()
PACKAGES = (
    "babel boilerpy3 htmldate idna langcodes lingua-language-detector lxml numpy py3langid"
    " pypdfium2 pystemmer rapidfuzz resiliparse scikit-learn scipy scrapy scrapy-deltafetch"
    " sentencex tldextract twisted w3lib"
).split()
"""Distributions whose versions may change a corpus."""


def read_json(path: Path) -> dict[str, Any]:
    """Return the content of a file of the report, empty if missing or unreadable."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def collect_versions() -> dict[str, str]:
    """Return the versions of ilspfc, Python and the installed packages among ``PACKAGES``."""
    versions = {"ilspfc": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    return dict(sorted(versions.items()))


def build_manifest(data: ReportData, files: Iterable[Path]) -> dict[str, object]:
    """Return the manifest of a corpus, with the size and BLAKE2b digest of each file.

    Folders among ``files`` are passed over; paths inside the corpus folder are relative to it.

    Raises :exc:`~ilspfc.exceptions.CorpusError` where a file cannot be read.
    """
    root = Path(data.corpus_dir)
    entries = {
        _name(path, root): describe_file(path) for path in files if not path.is_dir()
    }
    told = asdict(data)
    return {
        "format": FORMAT,
        "name": "ilspfc",
        "version": data.versions.get("ilspfc", __version__),
        "python": data.versions.get("python", platform.python_version()),
        "languages": list(data.langs),
        "counts": _counts(data),
        "files": dict(sorted(entries.items())),
        **{name: told[name] for name in _TOLD},
    }


def describe_file(path: Path) -> dict[str, object]:
    """Return the size in bytes of a file and its BLAKE2b digest as 32 hex digits."""
    try:
        with path.open("rb") as stream:
            digest = file_digest(stream, lambda: blake2b(digest_size=DIGEST_BYTES))
            size = stream.tell()
    except OSError as error:
        raise CorpusError(
            f"{path}: cannot be read for the manifest ({error.strerror}); run the export"
            " again"
        ) from error
    return {"bytes": size, "blake2b": digest.hexdigest()}


def write_text(path: Path, text: str) -> None:
    r"""Write a text as UTF-8 with Unix line ends, atomically.

    A lone surrogate is written as ``\udXXX``, which JSON reads back.

    Raises :exc:`~ilspfc.exceptions.CorpusError` where the file cannot be written.
    """
    try:
        write_bytes(path, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise CorpusError(
            f"{path}: cannot be written ({error.strerror}); check space and permissions of"
            " the corpus folder"
        ) from error


def write_json(path: Path, data: Mapping[str, object]) -> None:
    """Write a mapping as JSON: atomic, keys sorted, UTF-8, a newline at the end.

    Raises :exc:`ValueError` for an infinite number or NaN, :exc:`TypeError` for a value that
    JSON cannot represent.
    """
    text = json.dumps(
        data, ensure_ascii=False, allow_nan=False, indent=2, sort_keys=True
    )
    write_text(path, text + "\n")


def _name(path: Path, root: Path) -> str:
    return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()


def _counts(data: ReportData) -> dict[str, object]:
    return {
        "pages_fetched": data.pages_fetched,
        "documents": {count.lang: count.documents for count in data.documents},
        "tokens": {count.lang: count.tokens for count in data.documents},
        "pairs": {f"{p.source_lang}-{p.target_lang}": p.pairs for p in data.pairs},
        "units": {f"{p.source_lang}-{p.target_lang}": p.units for p in data.pairs},
        "hosts": len(data.hosts),
        "dropped": {code: count for code, count in data.dropped.items() if count},
        "licenses": _license_counts(data),
        "license_places": dict(data.license_places),
        "payment_hosts": dict(data.paid),
        "optouts": dict(data.optouts),
        "pages_reserved": data.pages_reserved,
        "pages_skipped": data.pages_skipped,
    }


def _license_counts(data: ReportData) -> dict[str, int]:
    """Return the documents by license; the counts add up to all documents."""
    # Unknown licenses may have as many addresses as there are pages.
    counts = {name: count for name, count in data.licenses if "://" not in name}
    other = sum(count for name, count in data.licenses if "://" in name)
    none = data.document_count - other - sum(counts.values())
    return {**counts, "other": other, "none": none}
