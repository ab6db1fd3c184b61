"""Learns lexicons from message catalogs, for languages whose sites are few.

``python -m evaluation.catalog_lexicon`` reads the gettext catalogs in some Debian packages
(messages of programs, names of languages and countries, texts of games) and the annotations of
emoji in Unicode's CLDR (names and keywords: words of every day), and writes their entries into ``ilspfc/lexicon/starter/``, beside those of ``evaluation/train_lexicon.py``, under
the site ``catalogs``. English with each language, and the larger languages among each other.
"""

from __future__ import annotations

import gettext
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

from evaluation.data import SITES
from evaluation.help_sites import unpack_package
from evaluation.train_lexicon import MAJOR, read_kept, write
from ilspfc.lexicon.learner import SegmentTexts
from ilspfc.text.codes import find_iso639_3

PACKAGES = (
    "aptitude-common dpkg gimp-data gnome-control-center-data gnucash-common gnumeric-common"
    " gramps evolution-common freeciv-data inkscape iso-codes libgtk-3-common nautilus-data"
    " pidgin-data vlc-l10n wesnoth-1.16-data darktable kalzium-data"
).split()
# Packages of the npm registry, under the Unicode license; the second has sequences of emoji.
ANNOTATIONS = ("cldr-annotations-full", "cldr-annotations-derived-full")
SITE = "catalogs"
# Words that two packages translate alike, and surely, are kept.
MIN_DOCUMENTS = 2
MIN_SCORE = 0.25
# A language with fewer messages or entries than that has no lexicon.
MIN_MESSAGES = 5_000
MIN_ENTRIES = 500
_CATALOG_RE = re.compile(r"/([a-z]{2,3})(?:_[A-Z]{2})?/LC_MESSAGES/[^/]+\.mo$")
# The mark of an access key, directives of printf, tags and other text for machines.
_MACHINE_RE = re.compile(r"[_&](?=\w)|%[-#\d.$']*[a-zA-Z]+|<[^<>]+>|\{[^{}]*\}")

# The messages of a language: package and English message → translation.
Messages: TypeAlias = dict[tuple[int, str], str]


def read_messages(folder: Path, package: int) -> dict[str, Messages]:
    """Return the translated messages below a folder by ISO 639-1 or 639-3 code."""
    found: dict[str, Messages] = {}
    for path in sorted(folder.rglob("*.mo")):
        if match := _CATALOG_RE.search(str(path)):
            messages = found.setdefault(match[1], {})
            for message, translation in _read_catalog(path):
                messages.setdefault((package, message), translation)
    return found


def _read_catalog(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the messages of a catalog and their translations, without text for machines."""
    try:
        with path.open("rb") as stream:
            catalog = gettext.GNUTranslations(stream)
    except (OSError, ValueError, IndexError):  # not what gettext expects
        return
    # The standard library has no other way to list the messages.
    messages: dict[object, str] = vars(catalog)["_catalog"]
    for key, translation in messages.items():
        if isinstance(key, str) and key:
            # What stands before this sign is the context of the message.
            message = key.rpartition("\x04")[2]
            yield _MACHINE_RE.sub("", message), _MACHINE_RE.sub("", translation)


def read_annotations(folders: Iterable[Path], number: int) -> dict[str, Messages]:
    """Return the annotations of emoji by ISO 639-1 or 639-3 code.

    Names are the messages of package ``number``, the keywords of an emoji together one of the
    next package.
    """
    parts: dict[str, dict[str, dict[str, list[str]]]] = {}
    for folder in folders:
        for path in sorted(folder.rglob("annotations.json")):
            found = json.loads(path.read_text(encoding="utf-8"))
            (root,) = (found[key] for key in found if key.startswith("annotations"))
            parts.setdefault(path.parent.name, {}).update(root.get("annotations", {}))
    english = parts.pop("en")
    languages: dict[str, Messages] = {}
    for code, emoji in parts.items():
        if code.isalpha():  # no regional variants
            messages = languages.setdefault(code, {})
            for sign, own in emoji.items():
                for place, kind in enumerate(("tts", "default")):
                    source, target = (
                        " | ".join(side.get(kind, ()))
                        for side in (english.get(sign, {}), own)
                    )
                    if source and target:
                        messages[number + place, source] = target
    return languages


def learn_rows(
    langs: tuple[str, str], pairs: Iterable[tuple[int, str, str]]
) -> list[tuple[str, ...]]:
    """Return the rows of the lexicon that messages teach: package, source and target."""
    texts = SegmentTexts(langs)
    for package, source, target in pairs:
        texts.add(source, target, document=package)
    return [
        (e.source, e.target, f"{e.score:.2f}", str(e.segments), str(e.documents), SITE)
        for e in texts.learn(min_score=MIN_SCORE)
        if e.documents >= MIN_DOCUMENTS
        and not (e.source == e.target and e.source.isdecimal())
    ]


def unpack_npm(package: str, work: Path) -> Path:
    """Return where a package of the npm registry is unpacked; nothing is installed."""
    place = work / package
    if not place.is_dir():
        place.mkdir(parents=True)
        subprocess.run(["npm", "pack", "--silent", package], cwd=place, check=True)
        (archive,) = place.glob("*.tgz")
        subprocess.run(["tar", "-xzf", archive], cwd=place, check=True)
    return place


def main() -> int:
    """Learn the lexicons and write their files."""
    languages: dict[str, Messages] = {}
    for number, name in enumerate(PACKAGES):
        folder = unpack_package(name, SITES / ".packages")
        for code, messages in read_messages(folder, number).items():
            languages.setdefault(find_iso639_3(code), {}).update(messages)
    folders = [unpack_npm(name, SITES / ".packages") for name in ANNOTATIONS]
    for code, messages in read_annotations(folders, len(PACKAGES)).items():
        languages.setdefault(find_iso639_3(code), {}).update(messages)
    languages.pop("eng", None)
    large = {k: v for k, v in sorted(languages.items()) if len(v) >= MIN_MESSAGES}
    for lang, messages in large.items():
        pairs = [(number, text, other) for (number, text), other in messages.items()]
        _write(("eng", lang), pairs)
    for first, second in combinations(sorted({*MAJOR} - {"eng"}), 2):
        left, right = large[first], large[second]
        shared = [(key[0], left[key], right[key]) for key in left if key in right]
        _write((first, second), shared)
    return 0


def _write(langs: tuple[str, str], pairs: list[tuple[int, str, str]]) -> None:
    if langs[0] > langs[1]:
        langs = (langs[1], langs[0])
        pairs = [(number, second, first) for number, first, second in pairs]
    rows = learn_rows(langs, pairs)
    kept = read_kept(langs, [SITE])
    if kept or len(rows) >= MIN_ENTRIES:
        write({langs: [*kept, *rows]})
    print("-".join(langs), len(pairs), "messages,", len(rows), "entries", flush=True)


if __name__ == "__main__":
    sys.exit(main())
