"""Scores the reading of pages in legacy encodings.

``python -m evaluation.encoding`` makes short HTML pages of the language data, in the
encodings that the web used for each language, and prints the share that is read exactly as
it was written (up to NFC): where nothing is declared, where the header is right, where it
says Latin-1, as servers do by default, and where it says UTF-8. It fails when a figure is
below its floor in ``baseline.json``.

A table compares the detectors that are installed on undeclared pages: as they are, behind
10 kB of menus, and with a title that was cut in the middle of a character.
"""

from __future__ import annotations

import codecs
import json
import re
import sys
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from lxml import html

from evaluation.data import DATA, PROJECT, SITES, skip_text
from ilspfc.cleaning.encoding.charsets import codec_of, read_all
from ilspfc.cleaning.encoding.decoding import decode

BASELINE = PROJECT / "evaluation" / "baseline.json"
# Languages and what their pages were written in before UTF-8.
CHARSETS = {
    "ar": "cp1256",
    "bg": "cp1251",
    "cs": "cp1250 iso8859-2",
    "de": "cp1252 iso8859-15",
    "el": "cp1253 iso8859-7",
    "es": "cp1252",
    "fr": "cp1252 iso8859-15",
    "he": "cp1255",
    "hu": "cp1250 iso8859-2",
    "ja": "cp932 euc_jp iso2022_jp",
    "ko": "cp949",
    "lt": "cp1257",
    "pl": "cp1250 iso8859-2",
    "ru": "cp1251 koi8-r cp866",
    "th": "cp874",
    "tr": "cp1254",
    "uk": "cp1251 koi8-u",
    "vi": "cp1258",
    "zh": "gb18030",
    "zh-TW": "big5hkscs",
}
# Pages of one sentence say too little for a floor, but show where the limit is.
FILES = {"paragraphs": "lingua-paragraphs.tsv", "sentences": "lingua-sentences.tsv"}
HEADERS = {
    "undeclared": "",
    "declared": "{}",
    "as latin-1": "iso-8859-1",
    "as utf-8": "utf-8",
}
# What the data has from pages that were read wrongly themselves.
DAMAGED_RE = re.compile("[\x80-\x9f\ufffd]")
# Traditional Chinese is not in the data; the packages of the site sets have it.
HANDBOOK = SITES / ".packages/debian-handbook/usr/share/doc/debian-handbook/html/zh-TW"
MAX_TEXTS = 20
MIN_CHARS = 100
PAGE = "<!DOCTYPE html>\n<html><head><title>{title}</title></head>\n<body><p>{text}</p></body></html>\n"
MENU = (
    b'<li class="item"><a href="/pages/about.html" title="More">About us</a></li>\n'
    * 130
)
# Detectors: the module, and the label that it gives to a page.
PEERS: dict[str, tuple[str, Callable[[Any, bytes], str | None]]] = {
    "resiliparse": (
        "resiliparse.parse.encoding",
        lambda module, body: module.detect_encoding(body, html5_compatible=False),
    ),
    "chardet": ("chardet", lambda module, body: module.detect(body)["encoding"]),
    "turbohtml": (
        "turbohtml.detect",
        lambda module, body: module.detect(body).encoding,
    ),
    "charset-normalizer": (
        "charset_normalizer",
        lambda module, body: getattr(module.from_bytes(body).best(), "encoding", None),
    ),
}
VARIANTS: dict[str, Callable[[bytes], bytes]] = {
    "as it is": lambda body: body,
    "behind menus": lambda body: body.replace(b"<p>", MENU + b"<p>", 1),
    "title cut": lambda body: re.sub(
        rb"[\x80-\xff]</title>", b"</title>", body, count=1
    ),
}
# An encoding that a detector reads worse than this is named.
WEAK_SHARE = 0.9
# Words of a title.
TITLE_WORDS = 6
# Vietnamese pages in windows-1258 have the tones as marks of their own.
TONES = "\u0300\u0301\u0303\u0309\u0323"


def _read(name: str) -> dict[str, list[str]]:
    texts = defaultdict(list)
    path = DATA / "data" / "language" / name
    for line in path.read_text(encoding="utf-8").splitlines():
        lang, text = line.split("\t", 1)
        if not DAMAGED_RE.search(text):
            texts[lang].append(text)
    texts["zh-TW"] = list(islice(_iter_handbook(HANDBOOK), MAX_TEXTS))
    return texts


def _iter_handbook(folder: Path) -> Iterator[str]:
    """Yield paragraphs of the Debian handbook; none where it is not there."""
    for path in sorted(folder.glob("*.html")):
        for element in html.fromstring(path.read_bytes()).iter("p"):
            text = " ".join("".join(map(str, element.itertext())).split())
            if sum(char > "\x7f" for char in text) >= MIN_CHARS:
                yield text


def _split_tones(text: str) -> str:
    """Return a text whose letters carry no tone of themselves."""
    chars = []
    for char in unicodedata.normalize("NFC", text):
        parts = unicodedata.normalize("NFD", char)
        tones = "".join(part for part in parts if part in TONES)
        rest = "".join(part for part in parts if part not in TONES)
        chars.append(unicodedata.normalize("NFC", rest) + tones)
    return "".join(chars)


def _iter_pages(lang: str, codec: str, texts: list[str]) -> Iterator[tuple[str, bytes]]:
    """Yield pages with their bytes; what a charset has not is a character reference."""
    for text in texts:
        if codec == "cp1258":
            text = _split_tones(text)  # noqa: PLW2901
        title = " ".join(text.split()[:TITLE_WORDS])[:60]
        page = PAGE.format(title=title, text=text)
        body = page.encode(codec, "xmlcharrefreplace")
        if not body.isascii() or codec == "iso2022_jp":
            yield body.decode(codec), body


def _same(one: str, other: str) -> bool:
    return unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)


def _detectors() -> dict[str, Callable[[bytes], str]]:
    """Return the functions by name that find the codec of a page, of those installed."""
    detectors = {"ilspfc": lambda body: decode(body, "text/html")[1]}
    for name, (module_name, find) in PEERS.items():
        try:
            module = import_module(module_name)
        except ImportError:
            continue
        detectors[f"{name} {version(name)}"] = partial(_find_codec, module, find)
    return detectors


def _find_codec(
    module: Any, find: Callable[[Any, bytes], str | None], body: bytes
) -> str:
    label = find(module, body)
    return codec_of(label) or codecs.lookup(label or "utf-8").name


def compare(name: str) -> None:
    """Print a row for each detector: shares read exactly, CPU time, weak encodings."""
    texts = _read(FILES[name])
    pages = [
        (f"{lang} {codec}", codec, body)
        for lang, names in CHARSETS.items()
        for codec in names.split()
        for _, body in _iter_pages(lang, codec, texts[lang])
    ]
    sizes = Counter(case for case, _, _ in pages)
    print(f"| {name} | {' | '.join(VARIANTS)} | ms | below {WEAK_SHARE}, as it is |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    for detector, find in _detectors().items():
        exact: dict[str, Counter[str]] = {}
        started = time.process_time()
        for variant, change in VARIANTS.items():
            exact[variant] = Counter(
                case
                for case, codec, page in pages
                if _same(
                    read_all(body := change(page), find(body)), read_all(body, codec)
                )
            )
        seconds = time.process_time() - started
        shares = [f"{found.total() / len(pages):.3f}" for found in exact.values()]
        right = exact["as it is"]
        weak = [
            f"{case} {right[case] / size:.2f}"
            for case, size in sizes.items()
            if right[case] < WEAK_SHARE * size
        ]
        each = 1000 * seconds / len(pages) / len(VARIANTS)
        cells = [detector, *shares, f"{each:.2f}", ", ".join(weak)]
        print(f"| {' | '.join(cells)} |", flush=True)


def score(name: str) -> tuple[dict[str, float], list[str]]:
    """Return the shares read exactly, by what the header says, and the misses."""
    texts = _read(FILES[name])
    exact = dict.fromkeys(HEADERS, 0)
    pages = 0
    misses = []
    started = time.process_time()
    for lang, names in CHARSETS.items():
        for codec in names.split():
            for text, body in _iter_pages(lang, codec, texts[lang]):
                pages += 1
                for kind, label in HEADERS.items():
                    header = f"text/html; charset={label.format(codec)}"
                    read, as_codec = decode(body, header if label else "text/html")
                    exact[kind] += _same(read, text)
                    if not _same(read, text):
                        misses.append(f"{kind}: {lang} {codec} read as {as_codec}")
    seconds = time.process_time() - started
    figures = {kind: round(count / max(pages, 1), 4) for kind, count in exact.items()}
    calls = max(pages, 1) * len(HEADERS)
    return {"pages": pages, **figures, "ms": round(1000 * seconds / calls, 2)}, misses


def main() -> int:
    """Print the shares; fail where one is below its floor."""
    if not (DATA / "data" / "language").is_dir():
        print(skip_text())
        return 0
    codecs = {codec for names in CHARSETS.values() for codec in names.split()}
    print(f"{len(CHARSETS)} languages and scripts, {len(codecs)} charsets")
    floors = json.loads(BASELINE.read_text(encoding="utf-8"))["encoding"]
    status = 0
    for name in FILES:
        figures, misses = score(name)
        print(name, json.dumps(figures))
        for miss in misses if "--misses" in sys.argv else ():
            print(" ", miss)
        for kind, floor in floors.get(name, {}).items():
            if figures[kind] < floor:
                print(f"{name}, {kind}: {figures[kind]} is below the floor {floor}")
                status = 1
        compare(name)
    return status


if __name__ == "__main__":
    sys.exit(main())
