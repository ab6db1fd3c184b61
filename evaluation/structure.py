"""Scores the types of paragraphs against CleanEval's marks of headings, items and text.

``python -m evaluation.structure`` prints precision, recall and F1 by mark over the
paragraphs whose text is a paragraph of the gold. Where the gold has lost its marks
(``<h>``, ``<l>``, ``<p>``), it says so and scores what is left: list items by the bullets
and numbers that their lines begin with, on the pages that have some, and how many
paragraphs of the gold are paragraphs of ours. ``--check`` holds the figures to the floors
of ``baseline.json``.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from evaluation.data import DATA, PROJECT, skip_text
from ilspfc.cleaning.page import clean_page
from ilspfc.documents import Document, ParagraphType

ARCHIVE = DATA / "data" / "cleaning" / "cleaneval-final.tar.xz"
BASELINE = PROJECT / "evaluation" / "baseline.json"
MARKS = {"h": "heading", "l": "list item", "p": "text"}
_MARK_OF_TYPE = {
    ParagraphType.TITLE: "h",
    ParagraphType.HEADING: "h",
    ParagraphType.LISTITEM: "l",
}
_MARK_RE = re.compile(r"^\s*<([hlp])>", re.MULTILINE | re.IGNORECASE)
_BULLET_RE = re.compile(r"[ \t]*(?:[*+o#•-]|\(?\d{1,2}[.)])[ \t]+(?=\S)")
_EMPTY_LINE_RE = re.compile(r"\n[^\S\n]*\n")


class Marked(NamedTuple):
    """A paragraph by its words, and its mark: h, l or p."""

    words: tuple[str, ...]
    mark: str


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", text.casefold()))


def has_marks(gold: str) -> bool:
    """Return whether a gold text has CleanEval's marks."""
    return _MARK_RE.search(gold) is not None


def read_marked(gold: str) -> list[Marked]:
    """Return the paragraphs of a gold text with marks; what stands before the first goes."""
    pieces = _MARK_RE.split(gold)[1:]
    marked = zip(pieces[::2], pieces[1::2], strict=True)
    paragraphs = (Marked(_words(text), mark.lower()) for mark, text in marked)
    return [paragraph for paragraph in paragraphs if paragraph.words]


def read_bulleted(gold: str) -> list[Marked]:
    """Return the paragraphs of a gold text that has lost its marks.

    Empty lines part them, and lines that begin with a bullet or a number; those are l.
    """
    paragraphs: list[Marked] = []
    for part in _EMPTY_LINE_RE.split(gold):
        items: list[tuple[str, list[str]]] = []
        for line in part.split("\n"):
            if bullet := _BULLET_RE.match(line):
                items.append(("l", [line[bullet.end() :]]))
            elif items:
                items[-1][1].append(line)
            else:
                items.append(("p", [line]))
        marked = (Marked(_words(" ".join(lines)), mark) for mark, lines in items)
        paragraphs += [one for one in marked if one.words]
    return paragraphs


def read_ours(document: Document) -> list[Marked]:
    """Return the paragraphs of a cleaned page, boilerplate too."""
    paragraphs = (
        Marked(_words(one.text), _MARK_OF_TYPE.get(one.type, "p") if one.type else "p")
        for one in document.paragraphs
    )
    return [paragraph for paragraph in paragraphs if paragraph.words]


def match(gold: Iterable[Marked], ours: Iterable[Marked]) -> Iterator[tuple[str, str]]:
    """Yield the marks, gold and ours, of the paragraphs with the same words."""
    found: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for paragraph in ours:
        found[paragraph.words].append(paragraph.mark)
    for paragraph in gold:
        if marks := found[paragraph.words]:
            yield paragraph.mark, marks.pop(0)


def score(pairs: Counter[tuple[str, str]], mark: str) -> dict[str, float]:
    """Return precision, recall and F1 of a mark, and how many the gold has."""
    right = pairs[mark, mark]
    wanted = sum(count for (gold, _), count in pairs.items() if gold == mark)
    given = sum(count for (_, ours), count in pairs.items() if ours == mark)
    return {
        "precision": round(right / given, 3) if given else 0.0,
        "recall": round(right / wanted, 3) if wanted else 0.0,
        "f1": round(2 * right / (given + wanted), 3) if given + wanted else 0.0,
        "n": wanted,
    }


def _iter_pages() -> Iterator[tuple[str, Document]]:
    """Yield the gold and our document of each page that is one."""
    with tarfile.open(ARCHIVE) as archive:
        files = {
            member.name: file.read()
            for member in archive
            if member.isfile() and (file := archive.extractfile(member)) is not None
        }
    folder = next(name for name in files if name.endswith("gold.jsonl"))[:-10]
    for line in files[f"{folder}gold.jsonl"].decode("utf-8").splitlines():
        page = json.loads(line)
        body = files[f"{folder}html/{page['file']}"]
        document = clean_page(body, url="http://example.org/", identity=page["id"])
        if isinstance(document, Document):
            yield page["gold"], document


def measure() -> dict[str, dict[str, float]]:
    """Return the scores by mark, and the share of the gold's paragraphs that are ours."""
    pairs: Counter[tuple[str, str]] = Counter()
    wanted = found = 0
    is_marked = False
    for gold, document in _iter_pages():
        is_marked = is_marked or has_marks(gold)
        paragraphs = read_marked(gold) if has_marks(gold) else read_bulleted(gold)
        matched = list(match(paragraphs, read_ours(document)))
        wanted += len(paragraphs)
        found += len(matched)
        if has_marks(gold) or any(one.mark == "l" for one in paragraphs):
            pairs.update(matched)
    marks = MARKS if is_marked else ["l"]
    if not is_marked:
        print("The gold has no <h>, <l> and <p> marks: headings cannot be scored.")
        print("List items are those whose bullet or number was left in the gold.")
        pairs = Counter({pair: n for pair, n in pairs.items() if "h" not in pair})
    scores = {MARKS[mark]: score(pairs, mark) for mark in marks}
    scores["paragraphs"] = {"recall": round(found / wanted, 3), "n": wanted}
    return scores


def main() -> int:
    """Print the scores, and check them if asked."""
    parser = argparse.ArgumentParser(description="Score the types of paragraphs.")
    parser.add_argument("--check", action="store_true", help="hold figures to floors")
    is_checked = parser.parse_args().check
    if not ARCHIVE.is_file():
        print(skip_text())
        return 0
    scores = measure()
    for name, figures in scores.items():
        print(name, json.dumps(figures))
    floors = json.loads(BASELINE.read_text(encoding="utf-8"))["structure"]
    missed = [
        f"{name} {figure}: {scores[name][figure]} is below {floor}"
        for name, figures in floors.items()
        for figure, floor in figures.items()
        if is_checked and scores.get(name, {}).get(figure, floor) < floor
    ]
    print(*missed, sep="\n", end="\n" if missed else "")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
