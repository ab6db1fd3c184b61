"""Real texts without a frame, in blocks: what made-up sites put on their pages.

English texts are the gold of the sets of :mod:`evaluation.cleaning_sets`, German news the
sentences that trafilatura's set wants to be kept, the others the main elements of
:mod:`evaluation.main_elements`. A chapter is split at its headings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import blake2b
from itertools import groupby
from pathlib import Path

import py3langid

from evaluation.cleaning_sets import WORK, folder_of, read_set
from evaluation.data import SITES, build_sites, read_table
from evaluation.main_elements import MAIN, SITES_WITH_MAIN, read_labels
from evaluation.manuals import read_manuals
from ilspfc.cleaning.page import CleaningReason, clean_page
from ilspfc.documents import Paragraph, ParagraphType
from ilspfc.text.cells import CELL_SEPARATOR
from ilspfc.text.sentences import split_sentences

Label = Callable[[Sequence[str]], list[int]]

_MIN_WORDS, _MAX_WORDS = 80, 3000
# A part of a longer page ends at the first heading beyond so many words.
_PART_WORDS = 250
_MIN_TRANSLATED = 0.8
_LEAD_CHARS = 160
_NEWS_SNIPPETS = 4

_BULLET_RE = re.compile(r"[-*•–]\s+")
_NUMBER_RE = re.compile(r"\d{1,2}[.)]\s+")
_QUOTE_RE = re.compile(r"[\"“„«].*[\"”“»]$")
_SENTENCE_END_RE = re.compile(r"[.!?:;…][\"”’)]?$")
_SITE_NAME_RE = re.compile(r"\s+[|–—»·-]\s+[^|–—»·]*$")
_MAX_HEADING = 90

_KINDS = {
    ParagraphType.TITLE: "heading",
    ParagraphType.HEADING: "heading",
    ParagraphType.LISTITEM: "list",
    ParagraphType.ROW: "table",
    ParagraphType.QUOTE: "quote",
    ParagraphType.CODE: "code",
    ParagraphType.PREFORMATTED: "code",
}


@dataclass(frozen=True, slots=True)
class Block:
    """Part of a text: heading, paragraph, list, numbers (a numbered list), table, quote or code.

    ``texts`` are the items of a list, the rows of a table, the lines of code, else the text.
    """

    kind: str
    texts: tuple[str, ...]

    @property
    def text(self) -> str:
        """The text of all lines."""
        return "\n".join(self.texts)

    @property
    def rows(self) -> list[list[str]]:
        """The cells of a table."""
        return [row.split(CELL_SEPARATOR) for row in self.texts]


@dataclass(frozen=True)
class Text:
    """A text with its title; ``lang`` is an ISO 639-1 code."""

    lang: str
    title: str
    blocks: tuple[Block, ...]

    @property
    def words(self) -> int:
        """The number of words between blanks."""
        return sum(len(block.text.split()) for block in self.blocks)

    @cached_property
    def sentences(self) -> list[str]:
        """The sentences of the paragraphs."""
        paragraphs = (b.text for b in self.blocks if b.kind == "paragraph")
        return [one for text in paragraphs for one in split_sentences(text, self.lang)]

    @property
    def lead(self) -> str:
        """The first sentence."""
        return self.sentences[0]

    @property
    def teaser(self) -> str:
        """The beginning, cut at the end of a word as teasers are."""
        start = " ".join(self.sentences)[:_LEAD_CHARS]
        return f"{start.rsplit(' ', 1)[0]}…"

    @property
    def sections(self) -> list[tuple[str, list[Block]]]:
        """The blocks by their heading, which is empty for the first ones."""
        found: list[tuple[str, list[Block]]] = []
        for block in self.blocks:
            if block.kind == "heading":
                found.append((block.text, []))
            else:
                if not found:
                    found.append(("", []))
                found[-1][1].append(block)
        return found


def sort_by_hash(texts: Iterable[Text]) -> list[Text]:
    """Return texts in an order that is the same at each call, and that of no source."""
    return sorted(texts, key=lambda t: blake2b(f"{t.title} {t.lead}".encode()).digest())


def _is_usable(text: Text) -> bool:
    return bool(
        text.title and text.sentences and _MIN_WORDS <= text.words <= _MAX_WORDS
    )


# -- texts of the gold sets


def read_gold(name: str, kind: str = "") -> list[Text]:
    """Return the English texts of a gold set, of one kind of pages if given."""
    rows = (folder_of(name, WORK) / "gold.jsonl").read_text("utf-8").split("\n")
    titles = {
        row["id"]: row.get("title") or "" for row in map(json.loads, filter(None, rows))
    }
    found = []
    for page in read_set(name, WORK):
        if kind in {"", page.kind} and py3langid.classify(page.gold)[0] == "en":
            lines = [line.rstrip() for line in _join_lines(page.gold).split("\n")]
            lines = [line for line in lines if line.strip()]
            title = _SITE_NAME_RE.sub("", titles[page.id]).strip()
            if not title:
                title = lines.pop(0).strip()
            lines = [line for line in lines if line.strip() != title]
            if not lines:
                continue
            found.append(Text("en", title, tuple(_read_lines(lines))))
    return sort_by_hash(filter(_is_usable, found))


def _join_lines(gold: str) -> str:
    """Return a gold text with a line a paragraph; CleanEval's lines are filled."""
    paragraphs = re.split(r"\n\s*\n", gold.strip().replace("\r", ""))
    is_filled = "\n   " in gold
    return "\n".join(" ".join(p.split()) if is_filled else p for p in paragraphs)


def _read_lines(lines: Sequence[str]) -> Iterator[Block]:
    """Yield the blocks of lines, by the marks of plain text."""
    kinds = [
        _kind_of(line, following)
        for line, following in zip(lines, [*lines[1:], ""], strict=True)
    ]
    for kind, group in groupby(zip(kinds, lines, strict=True), key=lambda one: one[0]):
        texts = [line for _, line in group]
        if kind == "list":
            yield Block(kind, tuple(_BULLET_RE.sub("", t.strip(), 1) for t in texts))
        elif kind == "numbers":
            yield Block(kind, tuple(_NUMBER_RE.sub("", t.strip(), 1) for t in texts))
        elif kind == "table":
            yield Block(
                kind, tuple(CELL_SEPARATOR.join(_split_cells(t)) for t in texts)
            )
        elif kind == "code":
            yield Block(kind, tuple(texts))
        else:
            yield from (Block(kind, (" ".join(text.split()),)) for text in texts)


def _split_cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.split("|") if cell.strip()]


def _kind_of(line: str, following: str) -> str:
    text = line.strip()
    if _BULLET_RE.match(text):
        return "list"
    if _NUMBER_RE.match(text):
        return "numbers"
    if len(_split_cells(text)) > 1:
        return "table"
    if line.startswith(("  ", "\t")):
        return "code"
    if _QUOTE_RE.match(text):
        return "quote"
    is_short = len(text) < _MAX_HEADING and not _SENTENCE_END_RE.search(text)
    is_followed = len(following) > _MAX_HEADING or bool(_BULLET_RE.match(following))
    return "heading" if is_short and is_followed else "paragraph"


def read_posts() -> list[Text]:
    """Return the texts of forum pages without the lines with names and dates."""
    texts = []
    for text in read_gold("wcxb-dev", "forum"):
        blocks = [b for b in text.blocks if len(b.text.split()) > 6]
        blocks = [
            Block("paragraph", b.texts) if b.kind == "heading" else b for b in blocks
        ]
        texts.append(Text("en", text.title, tuple(blocks)))
    return sort_by_hash(filter(_is_usable, texts))


def read_news() -> list[Text]:
    """Return German texts of the sentences that are wanted of several pages each."""
    pages = [
        [snippet for snippet in page.present if len(snippet.split()) > 8]
        for page in read_set("trafilatura-eval", WORK)
        if py3langid.classify(" ".join(page.present))[0] == "de"
    ]
    texts = []
    groups = zip(*[iter(filter(None, pages))] * _NEWS_SNIPPETS, strict=False)
    for group in groups:
        snippets = [snippet for page in group for snippet in page]
        title = " ".join(snippets.pop().split()[:8]).strip(",;:–")
        texts.append(
            Text("de", title, tuple(Block("paragraph", (s,)) for s in snippets))
        )
    return sort_by_hash(t for t in texts if t.sentences)


# -- texts of sites


def read_main_elements(lang: str, *sites: str) -> list[Text]:
    """Return the texts of the translated pages of sites in a language (ISO 639-1)."""
    build_sites(*sites)
    found: list[Text] = []
    for site in sites:
        for row in read_table(SITES / site):
            is_translated = float(row["lid_share"]) > _MIN_TRANSLATED
            if row["lang"] == lang and row["status"] == "ok" and is_translated:
                path = SITES / site / "www" / row["path"]
                found += _split_page(lang, _read_site_main(site, path))
    return sort_by_hash(
        {text.title: text for text in found if _is_usable(text)}.values()
    )


def read_page_text(lang: str, site: str, path: str) -> Text | None:
    """Return the text of a whole page of a site, from its first heading; None without one."""
    main = _read_site_main(site, SITES / site / "www" / path)
    blocks = list(_join_paragraphs(main))
    while blocks and blocks[0].kind != "heading":
        blocks.pop(0)
    text = Text(lang, blocks[0].text, tuple(blocks[1:])) if blocks else None
    return text if text and text.sentences else None


def read_manual_texts(work: Path) -> list[Text]:
    """Return the texts of the manuals that cleaning learns from."""
    found = [
        text
        for page in read_manuals(work)
        for text in _split_page("en", _read_main(page.body, page.label))
        if _is_usable(text)
    ]
    return sort_by_hash({text.title: text for text in found}.values())


def _read_site_main(site: str, path: Path) -> list[Paragraph]:
    body = path.read_bytes()
    return _read_main(body, partial(read_labels, SITES_WITH_MAIN[site], body))


def _read_main(body: bytes, label: Label) -> list[Paragraph]:
    """Return the paragraphs in the main element of a page."""
    document = clean_page(body, url="http://www.example.org/", identity="page")
    if isinstance(document, CleaningReason):
        return []
    texts = [p.text.replace(CELL_SEPARATOR, " ") for p in document.paragraphs]
    labels = label(texts)
    paired = zip(document.paragraphs, labels, strict=True)
    return [paragraph for paragraph, label in paired if label == MAIN]


def _split_page(lang: str, paragraphs: Sequence[Paragraph]) -> Iterator[Text]:
    """Yield the parts of a page, each from a heading."""
    blocks: list[Block] = []
    words = 0
    for block in _join_paragraphs(paragraphs):
        if block.kind == "heading" and words > _PART_WORDS:
            yield Text(lang, blocks[0].text, tuple(blocks[1:]))
            blocks, words = [], 0
        blocks.append(block)
        words += len(block.text.split())
    if blocks and blocks[0].kind == "heading":
        yield Text(lang, blocks[0].text, tuple(blocks[1:]))


def _join_paragraphs(paragraphs: Sequence[Paragraph]) -> Iterator[Block]:
    """Yield blocks of the paragraphs: items, rows and lines of code together."""

    def kind_of(paragraph: Paragraph) -> str:
        return (
            _KINDS.get(paragraph.type, "paragraph") if paragraph.type else "paragraph"
        )

    for kind, group in groupby(paragraphs, key=kind_of):
        texts = [paragraph.text for paragraph in group]
        if kind in {"list", "table", "code"}:
            yield Block(kind, tuple(texts))
        else:
            yield from (Block(kind, (text,)) for text in texts)
