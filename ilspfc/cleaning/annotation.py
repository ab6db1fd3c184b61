"""Blocks to annotated paragraphs, rows of tables of data among them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, islice, pairwise, repeat, takewhile

from ilspfc.cleaning.blocks.parsed import Block
from ilspfc.cleaning.blocks.tags import HEADING_TAGS, PREFORMATTED_TAGS
from ilspfc.cleaning.blocks.walk import is_full
from ilspfc.documents import CrawlInfo, Paragraph, ParagraphType, is_too_short
from ilspfc.text.cells import CELL_SEPARATOR
from ilspfc.text.word_split import SYLLABLE_MARKS, UNSPACED, WORD_MARKS

# -- rows of tables of data, each of which is one paragraph

# Where two cells of a row are longer, in words, they are columns of a layout.
_LONG_CELL = 25
# Lines of a cell are joined up to this many words; longer ones are paragraphs.
_SHORT_CELL = 15


def iter_rows(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Yield the blocks in their order, grouped by rows that are one paragraph.

    It is one if it has two cells or more with text, each holds a single short paragraph
    and no heading, list or code, and at most one is longer than a column of a table of
    data. Its table has headers or a caption, or another such row, and no more rows of
    another kind: tables that lay out a page are left as they are.
    """
    if not any(block.row for block in blocks):  # most pages
        yield from ([block] for block in blocks)
        return
    runs = [list(run) for _, run in groupby(blocks, key=lambda block: block.row)]
    rows = Counter(run[0].table for run in runs if _is_row(run))
    others = Counter(
        run[0].table
        for run in runs
        if len({b.cell for b in run}) > 1 and not _is_row(run)
    )
    headed = data_tables(blocks)
    for run in runs:
        table = run[0].table
        is_data = table in headed or rows[table] > max(1, others[table])
        if is_data and _is_row(run):
            yield run
        else:
            yield from ([block] for block in run)


def _is_row(run: Sequence[Block]) -> bool:
    return (
        run[0].row != 0
        and len(run) > 1
        and len({block.cell for block in run}) == len(run)
        and sum(block.words > _LONG_CELL for block in run) <= 1
        and not any(
            block.kind is not None
            or block.is_list_item
            or block.is_title
            or block.cell == 0
            or block.tag in HEADING_TAGS
            or ("\n" in block.text and block.words > _SHORT_CELL)
            for block in run
        )
    )


def data_tables(blocks: Iterable[Block]) -> frozenset[int]:
    """Return the numbers of the tables that hold data, by their captions and headers."""
    return frozenset(
        block.table
        for block in blocks
        if block.table and block.tag in {"th", "caption", "thead"}
    )


# -- paragraphs

_UNSPACED_RE = re.compile(f"[{UNSPACED}]")
# A token is two of these characters or syllables.
_HALF_TOKEN_RE = re.compile(rf"[{UNSPACED}]|[\u0f40-\u0fbc]+[{SYLLABLE_MARKS}]?")
_HAS_HALF_RE = re.compile(rf"[{UNSPACED}\u0f40-\u0fbc]")
_TITLE_SEPARATORS_RE = re.compile(r"\s+[|\-–—:·»«•]+\s+|\s*[|»]\s*")
_SENTENCE_ENDS = tuple('.!?:;。！？：…"»”)')
_MIN_TITLE_CHARS = 3
# Preformatted lines that are all shorter than this, in characters, are verses or items.
_MIN_WRAPPING_WIDTH = 40
# What ends or begins a word of prose, and the ASCII signs that none has inside.
_PUNCTUATION = ".,;:!?()\"'*_"
_CODE_SIGN_RE = re.compile(r"[!-&(-,./-@[-`{-~]")
# A line that begins so is an item of a list that is typed by hand. Dashes are left out:
# in many languages they begin speech.
_BULLETS = tuple("•▪●○◦‣⁃■□►▸➢✓✔·")
# Longer text in bold type is an emphasized paragraph, no heading.
_MAX_HEADING_WORDS = 15
_NO_HEADING_ENDS = (".", ",", ";", "。", "،", "…", "、")
# Most lines in bold type in a row that head the text below them.
_MAX_BOLD_LINES = 3


def count_tokens(text: str) -> int:
    """Return the number of tokens of a text.

    Tokens are words between blanks, or pairs of characters in scripts without blanks; pairs of
    syllables in Tibetan.

    >>> count_tokens("Sicherheit am Arbeitsplatz"), count_tokens("安全第一")
    (3, 2)
    """
    if text.isascii():
        return len(text.split())
    text, halves = text.replace(WORD_MARKS, " "), 0
    if _HAS_HALF_RE.search(text):
        text, halves = _HALF_TOKEN_RE.subn(" ", text.replace("\u200b", " "))
    return len(text.split()) + (halves + 1) // 2


def _iter_lines(block: Block) -> Iterator[tuple[str, bool, int, int]]:
    """Yield the paragraphs of a block, whether all of it is in bold type, indentation and gap.

    Lines cut by a br within a sentence are rejoined, and so are wrapped lines of
    preformatted text, but none of code.
    """
    if block.tag in PREFORMATTED_TAGS:
        is_code = block.kind is ParagraphType.CODE
        indents = chain(block.indents, repeat(0))
        for number, part in enumerate(block.text.split("\n\n")):
            lines = part.split("\n")
            joined = lines if is_code else _unwrap(lines)
            own = list(islice(indents, len(lines)))
            # Lines of text that were joined have no places of their own.
            places = own if len(joined) == len(lines) else [0] * len(joined)
            gaps = chain([int(number > 0)], repeat(0))
            yield from zip(joined, repeat(False), places, gaps, strict=False)
        return
    if "\n" not in block.text:  # most
        yield block.text, bool(block.bold_lines), 0, 0
        return
    current: list[str] = []
    is_bold = False
    bold_lines = chain(block.bold_lines, repeat(False))
    for line, is_bold_line in zip(block.text.split("\n"), bold_lines, strict=False):
        if current and (
            block.is_code
            or not line[:1].islower()
            or current[-1].endswith(_SENTENCE_ENDS)
        ):
            yield " ".join(current), is_bold, 0, 0
            current = []
        is_bold = is_bold_line and (is_bold or not current)
        current.append(line)
    if current:
        yield " ".join(current), is_bold, 0, 0


def _unwrap(lines: Sequence[str]) -> list[str]:
    """Return lines of preformatted text, wrapped ones rejoined.

    A line is wrapped where the first word of the next one has no more room in it, which is
    so of the longest line of any text. Where half of the lines have room, or a third of the
    tokens are no words, as in programs, none is.
    """
    width = max(map(len, lines))
    are_full = [is_full(previous, line, width) for previous, line in pairwise(lines)]
    is_wrapped = (
        width >= _MIN_WRAPPING_WIDTH
        and 2 * sum(are_full) > len(are_full)
        and _is_prose(lines)
    )
    unwrapped = [lines[0]]
    for line, goes_on in zip(lines[1:], are_full, strict=True):
        if is_wrapped and goes_on:
            unwrapped[-1] += f" {line}"
        else:
            unwrapped.append(line)
    return unwrapped


def _is_prose(lines: Iterable[str]) -> bool:
    """Test whether two of three tokens are words: no digits, and no signs within them.

    Characters of scripts without blanks are words each.
    """
    tokens = _UNSPACED_RE.sub(r" \g<0> ", " ".join(lines)).split()
    words = filter(None, (token.strip(_PUNCTUATION) for token in tokens))
    return 3 * sum(not _CODE_SIGN_RE.search(word) for word in words) >= 2 * len(tokens)


def title_variants(title: str) -> frozenset[str]:
    """Return the case-folded title of a page and its parts: the variants of its heading.

    >>> sorted(title_variants("Lärm am Arbeitsplatz | Fachstelle"))
    ['fachstelle', 'lärm am arbeitsplatz', 'lärm am arbeitsplatz | fachstelle']
    """
    parts = [title, *_TITLE_SEPARATORS_RE.split(title)]
    folded = (part.strip().casefold() for part in parts)
    return frozenset(part for part in folded if len(part) >= _MIN_TITLE_CHARS)


def find_title(blocks: Sequence[Block], title: str) -> None:
    """Mark the block with the title of the page as title and content.

    It is a heading that repeats the title element, else its first parts, else the first alone,
    else what is behind the colon in this, else its longest part, else another one; then a block
    above the first ``h1`` that repeats the whole title, as in documents of word processors, or
    stands right above the first text and repeats the first part or what is behind its colon, as
    in Doxygen's; then this ``h1``, then any block that repeats it.

    The name of the site above all pages is a link to the home page, or an ``h1`` above that of
    the page: such a heading comes after others.
    """
    parts, folded = _rank_parts(title), title.casefold()
    body = [block for block in blocks if not (block.is_frame or block.is_hidden)]
    headings = [block for block in body if block.tag in HEADING_TAGS]
    ranks = {id(one): parts.get(one.text.casefold(), _NO_PART) for one in headings}
    linked = [block for block in headings if block.link_words >= block.words]
    plain = [block for block in headings if block.link_words < block.words]
    firsts = [block for block in plain if block.tag == "h1"]
    for block in firsts[:-1]:
        if ranks[id(block)] == _OTHER_PART:
            ranks[id(block)] = _NO_PART
    plain.sort(key=lambda one: _order(one, ranks[id(one)], is_linked=False))
    linked.sort(key=lambda one: _order(one, ranks[id(one)], is_linked=True))
    above = takewhile(lambda block: block.tag != "h1", body)
    candidates = [
        *(block for block in plain if ranks[id(block)] < _NO_PART),
        *(block for block in linked if ranks[id(block)] in _SURE_PARTS),
        *(block for block in above if block.text.casefold() == folded),
        *_find_unmarked(body, parts),
        *sorted(firsts, key=lambda block: block.text.casefold() in parts),
        *(
            block
            for block in linked
            if ranks[id(block)] < _NO_PART or block.tag == "h1"
        ),
        *(block for block in body if block.text.casefold() == folded),
    ]
    if candidates:
        candidates[0].is_title = candidates[0].is_content = True


def _find_unmarked(body: Sequence[Block], parts: Mapping[str, int]) -> list[Block]:
    """Return the block right above the first content if it repeats a part of the title."""
    place = next((n for n, block in enumerate(body) if block.is_content), 0)
    return [
        block
        for block in body[:place][-1:]
        if parts.get(block.text.casefold(), _NO_PART) in _UNMARKED_PARTS
        and not block.link_words
    ]


# Likeness of a heading to the title element, the best one first: the title, its first parts, the
# first alone, a piece of this behind a colon or, if that is longer, before one, its longest part,
# another one.
_WHOLE, _PREFIX, _FIRST_PART, _PIECE, _LONGEST_PART, _OTHER_PART, _NO_PART = range(7)
_SURE_PARTS = frozenset({_WHOLE, _PREFIX, _FIRST_PART, _LONGEST_PART})
_UNMARKED_PARTS = frozenset({_FIRST_PART, _PIECE})


def _order(heading: Block, rank: int, *, is_linked: bool) -> tuple[int, bool, int]:
    """Return the sort key of a heading: of two pieces the ``h1`` is first, last if it is a link."""
    if rank != _PIECE:
        return rank, False, 0
    return rank, (heading.tag == "h1") is is_linked, -len(heading.text)


def _rank_parts(title: str) -> dict[str, int]:
    """Return the title element and its parts, case-folded, with what they are of it."""
    parts = _TITLE_SEPARATORS_RE.split(title)
    pieces = re.split(r":\s+", parts[0])
    longest = max(pieces, key=len), pieces[-1]
    cuts = [found.start() for found in _TITLE_SEPARATORS_RE.finditer(title)]
    prefixes = [title[:cut] for cut in cuts[1:]]
    groups = ((title,), prefixes, parts[:1], longest, (max(parts, key=len),), parts)
    return {
        text.strip().casefold(): rank
        for rank, texts in reversed([*enumerate(groups)])
        for text in texts
        if len(text.strip()) >= _MIN_TITLE_CHARS
    }


def mark_comments(blocks: Sequence[Block]) -> None:
    """Remove the mark of the only comment of a page.

    Its name may then mean something else; comments of readers come in numbers, or in a
    section of their own.
    """
    numbers = {block.comment for block in blocks if block.comment}
    if -1 in numbers or len(numbers) != 1:
        return
    for block in blocks:
        block.comment = 0


def _type_of(block: Block, tables: frozenset[int], text: str) -> ParagraphType | None:
    """Return the type of a paragraph; the first that holds says most."""
    if block.is_title:
        return ParagraphType.TITLE
    if block.comment:
        return ParagraphType.COMMENT
    if block.tag in HEADING_TAGS:
        return ParagraphType.HEADING
    if block.is_code:
        return ParagraphType.CODE
    kind = block.kind
    if kind is None and (block.is_list_item or text.startswith(_BULLETS)):
        kind = ParagraphType.LISTITEM
    elif kind is None and block.cell and block.table in tables:
        kind = ParagraphType.CELL
    return kind


def _row_paragraph(
    row: Sequence[Block], min_paragraph_tokens: int, place: int
) -> Paragraph:
    """Return the paragraph of a row of a table; it is content if most of its words are.

    A row of headers, or of two cells with letters, is as short as headings are.
    """
    cells = sum(any(map(str.isalpha, block.text)) for block in row)
    is_entry = cells > 1 or all(block.tag == "th" for block in row)
    content_words = sum(block.words for block in row if block.is_content)
    crawlinfo: CrawlInfo | None = CrawlInfo.BOILERPLATE
    if 2 * content_words > sum(block.words for block in row):
        tokens = sum(count_tokens(block.text) for block in row)
        least_kind = ParagraphType.HEADING if is_entry else None
        is_short = is_too_short(tokens, least_kind, min_paragraph_tokens)
        crawlinfo = CrawlInfo.OOI_LENGTH if is_short else None
    kind = ParagraphType.COMMENT if row[0].comment else ParagraphType.ROW
    scores = (block.score for block in row if block.score is not None)
    score = max(scores, default=None)
    text = CELL_SEPARATOR.join(" ".join(block.text.split()) for block in row)
    return Paragraph(text, kind, crawlinfo, score=score, place=place)


def _mark_bold_headings(
    paragraphs: Sequence[Paragraph], bold: Sequence[int], min_tokens: int
) -> None:
    """Set the type of paragraphs in bold type, given by number, that are headings of a text.

    They are short, end like no sentence, and a longer paragraph in plain type follows.
    """
    is_bold = frozenset(bold)
    for number in bold:
        paragraph = paragraphs[number]
        words = len(paragraph.text.split())
        if (
            paragraph.type is not None
            or words > _MAX_HEADING_WORDS
            or paragraph.text.endswith(_NO_HEADING_ENDS)
            or not any(map(str.isalpha, paragraph.text))
        ):
            continue
        after = number + 1
        while after in is_bold and after - number < _MAX_BOLD_LINES:
            after += 1
        if after < len(paragraphs) and after not in is_bold:
            following = paragraphs[after]
            if following.type is not ParagraphType.HEADING and (
                len(following.text.split()) > words
            ):
                paragraph.type = ParagraphType.HEADING
                is_short = is_too_short(words, paragraph.type, min_tokens)
                if paragraph.is_content and not is_short:
                    paragraph.crawlinfo = None


def make_paragraphs(
    blocks: Sequence[Block],
    min_paragraph_tokens: int = 3,
    places: Sequence[int] = (),
) -> list[Paragraph]:
    """Return the paragraphs of the blocks, typed and with their crawlinfo.

    ``places`` has a number for each element of the page (``container``); without it paragraphs
    have no place.

    A block ends at a paragraph, list item, cell or the like; inside it, each br ends a
    paragraph unless it stands within a sentence. A row of a table of
    data is one paragraph. Content paragraphs of fewer than ``min_paragraph_tokens``
    tokens are ``ooi-length``, headings those of one.
    """
    mark_comments(blocks)
    tables = data_tables(blocks)
    paragraphs: list[Paragraph] = []
    bold: list[int] = []
    for row in iter_rows(blocks):
        place = places[row[0].container] if places else 0
        if all(block.link_words >= block.words for block in row):
            place = -place
        if len(row) > 1:
            paragraphs.append(_row_paragraph(row, min_paragraph_tokens, place))
            continue
        (block,) = row
        level = int(block.tag[1]) if block.tag in HEADING_TAGS else 0
        # The lines of a program or poem are as long as the whole.
        is_whole = block.tag in PREFORMATTED_TAGS or block.is_code
        whole = count_tokens(block.text) if is_whole and block.is_content else 0
        for line, is_bold, indent, gap in _iter_lines(block):
            if is_bold and block.link_words < block.words:
                bold.append(len(paragraphs))
            kind = _type_of(block, tables, line)
            crawlinfo: CrawlInfo | None = CrawlInfo.BOILERPLATE
            if block.is_content:
                tokens = whole or count_tokens(line)
                is_short = is_too_short(tokens, kind, min_paragraph_tokens)
                crawlinfo = CrawlInfo.OOI_LENGTH if is_short else None
            paragraphs.append(
                Paragraph(
                    line,
                    kind,
                    crawlinfo,
                    level=level,
                    score=block.score,
                    place=place,
                    indent=indent,
                    gap=gap,
                )
            )
    _mark_bold_headings(paragraphs, bold, min_paragraph_tokens)
    return paragraphs
