"""Makes sites of the help pages in Debian packages, in the form of the evaluation data's sites.

``python -m evaluation.help_sites [NAME …]`` builds ``office-help`` (thousands of short pages, of
which many describe one function each and are alike) and ``gimp-help`` (a large manual with
pictures), plain and hard. They need ``apt-get download`` and the evaluation data's tools.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from evaluation.data import DATA, HELP_SITES, SITES, skip_text

# Of the office's help these modules are taken.
_MODULES = ("scalc", "sbasic", "smath")
_BASE_RE = re.compile(rb"<base [^>]*>|<noscript>.*?</noscript>")
_LOCAL_RE = re.compile(rb'((?:href|src)=")(?=[a-z]+(?:-[A-Z]+)?/)')
_PICTURES = {".png", ".jpg", ".jpeg", ".svg", ".gif"}


def unpack_package(package: str, work: Path) -> Path:
    """Return where a package is unpacked; nothing is installed."""
    place = work / package
    if not place.is_dir():
        work.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", "-qq", package], cwd=work, check=True)
        (archive,) = work.glob(f"{package}_*.deb")
        subprocess.run(["dpkg", "-x", archive, place], check=True)
    return place


def copy_office(www: Path, work: Path, lang: str) -> Iterable[tuple[str, str]]:
    """Copy the help of an office suite; yield path and key of each page."""
    code = {"en": "en-US", "zh": "zh-CN"}.get(lang, lang)
    package = f"libreoffice-help-{code.lower()}"
    source = unpack_package(package, work) / "usr/share/libreoffice/help"
    for module in _MODULES:
        for page in sorted((source / code / "text" / module).rglob("*.html")):
            path = page.relative_to(source)
            (www / path).parent.mkdir(parents=True, exist_ok=True)
            # Their links start at the base that they declare, the folder of all languages.
            text = _BASE_RE.sub(b"", page.read_bytes())
            (www / path).write_bytes(_LOCAL_RE.sub(rb"\1/", text))
            yield str(path), str(page.relative_to(source / code))


def copy_gimp(www: Path, work: Path, lang: str) -> Iterable[tuple[str, str]]:
    """Copy the manual of an image editor; yield path and key of each page."""
    source = unpack_package(f"gimp-help-{lang}", work) / "usr/share/gimp/2.0/help"
    for file in sorted((source / lang).rglob("*")):
        path = file.relative_to(source)
        if file.suffix == ".html" or file.suffix.lower() in _PICTURES:
            (www / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, www / path)
        if file.suffix == ".html":
            yield str(path), str(file.relative_to(source / lang))


_COPY = dict(zip(HELP_SITES, (copy_office, copy_gimp), strict=True))
_LANGS = {
    "office-help": tuple("de el en es fr it ja ko nl pt ru tr zh".split()),
    "gimp-help": ("de", "el", "en", "fr", "it", "ja"),
}


def build_help_site(name: str) -> None:
    """Build a site and its hard form in the folder of the sites."""
    sys.path.insert(0, str(DATA / "sites"))
    common: Any = import_module("common")
    site_index: Any = import_module("site_index")
    out = SITES / name
    shutil.rmtree(out, ignore_errors=True)
    langs = _LANGS[name]
    pages: list[dict[str, Any]] = [
        {"path": path, "lang": lang, "key": key}
        for lang in langs
        for path, key in _COPY[name](out / "www", SITES / ".packages", lang)
    ]
    folders = {lang: lang for lang in langs}
    common.qc(str(out / "www"), pages, folders)
    common.write_pages(str(out / "pages.tsv"), pages)
    common.write_gold(str(out), pages, folders)
    first = {
        lang: next(page["path"] for page in pages if page["lang"] == lang)
        for lang in langs
    }
    site_index.index(str(out / "www"), first, name)
    meta = {"site": name, "langs": langs, "entries": first, "drop_xpath": []}
    (out / "site.json").write_text(json.dumps(meta), "utf-8")
    command = [sys.executable, str(DATA / "sites" / "opaque.py"), "--site", str(out)]
    command += ["--out", str(SITES / f"{name}-hard"), "--seed", "dev"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the sites that are named, all where none is."""
    names = list(sys.argv[1:] if arguments is None else arguments) or list(HELP_SITES)
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    for name in names:
        build_help_site(name)
        print(SITES / name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
