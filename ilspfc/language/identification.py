"""Identification of the language of a page and of each of its paragraphs.

A text is in one of the languages in question (the crawl's and the one that the page
declares) or in none of them, ``OTHER``. All languages that the model knows compete; the
probability of the others together is that of OTHER. The log likelihoods of the model count every
n-gram as if it were independent of its neighbors, so they are divided by a number that
grows with the length, fitted so that the probabilities are those observed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache, partial
from itertools import chain, islice, repeat
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ilspfc.documents import (
    LINE_WORDS,
    LISTING_TYPES,
    CrawlInfo,
    Paragraph,
    ParagraphType,
    find_listings,
    iter_runs,
)
from ilspfc.language.labels import (
    NO_LANGUAGE,
    OTHER,
    Labels,
    group_of,
    is_identifiable,
    language_of,
)
from ilspfc.language.ngrams import (
    MIN_DOCUMENT_CHARS,
    SHORT_BYTES,
    Reading,
    load_ngrams,
    read_texts,
)
from ilspfc.language.second_opinion import SecondOpinion
from ilspfc.language.taught import read_language_text, train_language
from ilspfc.text.cells import CELL_SEPARATOR
from ilspfc.text.codes import to_iso639_3
from ilspfc.text.scripts import MIXED, scripts_in, scripts_of

#: A language and the file with texts in it that it is learned from.
LanguageText = tuple[str, "Path"]

# Prior weight of the language that a page declares, one of the crawl weighing 1; and of
# the language of its page for a paragraph.
_DECLARED_WEIGHT = 5.0
_PAGE_WEIGHT = 100.0


_WORD_RE = re.compile(r"\w+")


class LanguageReason(StrEnum):
    """Reasons for dropping a page in language identification."""

    OTHER_LANGUAGE = "other_language"
    TOO_SHORT = "too_short"


class Verdict(NamedTuple):
    """A language in question, OTHER or NO_LANGUAGE, and its probability."""

    lang: str
    confidence: float


class PageIdentifier:
    """Identifies the language of pages in a crawl for ``langs`` (ISO 639-3 codes).

    Without ``langs`` a page may be in any language that the model knows.

    ``texts`` teach languages that the model does not know. Languages that are written
    alike are taken for one another where only one of them is wanted.
    """

    def __init__(
        self, langs: Iterable[str], texts: Iterable[LanguageText] = ()
    ) -> None:
        self.langs = tuple(langs)
        self._second = SecondOpinion(self.langs)
        self._model = load_ngrams()
        self._scripts: dict[str, frozenset[str]] = {}
        for lang, path in texts:
            text = read_language_text(path)
            self._model = train_language(self._model, lang, text)
            known = scripts_of(lang) if is_identifiable(lang) else frozenset()
            self._scripts[lang] = scripts_in(text) | known
        self._known = frozenset(map(language_of, self._model.labels))
        self._labels: dict[str, Labels] = {}

    def identify(self, texts: Sequence[str], page_lang: str = "") -> list[Verdict]:
        """Return the verdict on each of some texts: a language of the crawl or OTHER.

        ``page_lang`` is the language of the page that they are on, where it is known. A
        text without letters is in that language, or OTHER with probability 0; so is code
        and the like, or NO_LANGUAGE.
        """
        labels = self._labels_with("")
        reading = read_texts(self._model, texts)
        weights = labels.expect(page_lang, _PAGE_WEIGHT)
        likelihoods = labels.add_up(reading.evidence, reading.scripts)[:-1]
        rows = labels.weigh(likelihoods, weights)
        self._second.weigh(texts, reading.scripts, rows)
        verdicts = [
            Verdict(labels.names[number], float(row[number]))
            for number, row in zip(rows.argmax(axis=1).tolist(), rows, strict=True)
        ]
        is_unclear = reading.is_unclear if page_lang else reading.is_blank
        for number in np.flatnonzero(is_unclear).tolist():
            verdicts[number] = Verdict(page_lang or OTHER, 0.0)
        if not page_lang:
            for number in np.flatnonzero(reading.is_none & ~reading.is_blank).tolist():
                verdicts[number] = Verdict(NO_LANGUAGE, 0.0)
        return verdicts

    def weigh_words(self, words: Sequence[str], lang: str) -> NDArray[np.float64]:
        """Return the probability of each word being in ``lang``, 0.5 without letters."""
        labels = self._labels_with("")
        reading = read_texts(self._model, words)
        even = np.ones(len(labels.names))
        likelihoods = labels.add_up(reading.evidence, reading.scripts)[:-1]
        rows = labels.weigh(likelihoods, even)
        return np.where(reading.is_blank, 0.5, rows[:, labels.wanted.index(lang)])

    def identify_page(self, paragraphs: list[Paragraph], declared: str = "") -> str:
        """Return the language of a page, OTHER, or ``und`` where it has no text.

        ``declared`` is the code that the page gives its language. The clean paragraphs are
        labeled if the page is in a language of the crawl; those that are not are marked. Rows
        of a table with a column in each of two languages are replaced by their cells.
        """
        if len(self.langs) > 1:
            paragraphs[:] = self._split_rows(paragraphs)
        expected = self._declared_language(declared)
        labels = self._labels_with("" if expected in self.langs else expected)
        weights = labels.expect(expected, _DECLARED_WEIGHT)
        clean = [p for p in paragraphs if p.crawlinfo is None]
        texts = within_bounds(clean)
        reading = read_texts(self._model, texts, _find_prose(clean[: len(texts)]))
        likelihoods = labels.add_up(reading.evidence, reading.scripts)
        whole, together = reading, likelihoods[-1:]
        is_short = sum(len(p.text) for p in clean) < MIN_DOCUMENT_CHARS
        if is_short and not self._is_sure(reading, labels.weigh(together, weights)[0]):
            # The menus tell the language more safely.
            whole = read_texts(self._model, within_bounds(paragraphs))
            together = labels.add_up(whole.evidence[-1:], whole.scripts[-1:])
        if whole.is_blank.all():
            return "und"
        lang = labels.names[int(labels.weigh(together, weights).argmax())]
        if lang != expected and self._is_prose_in(expected, clean[: len(texts)], texts):
            lang = expected
        if self.langs and whole is reading and lang != expected:
            rows = labels.weigh(likelihoods[:-1], weights)
            parts = measure_parts(reading, rows, labels.names)
            ours = {one: size for one, size in parts.items() if one in self.langs}
            if lang in self.langs:
                ours.setdefault(lang, 0.0)
            frame = partial(self._identify_frame, paragraphs)
            lang = choose_part(ours, expected, lang, frame)
        if lang in self.langs:
            weights = labels.expect(lang, _PAGE_WEIGHT)
            rows = labels.weigh(likelihoods[:-1], weights)
            parts = measure_parts(reading, rows, labels.names)
            if both := parts.keys() & set(self.langs) - {lang}:
                # Short paragraphs of a page in two languages are in either.
                for one in both:
                    weights[labels.wanted.index(one)] = _PAGE_WEIGHT
                rows = labels.weigh(likelihoods[:-1], weights)
            self._second.weigh(texts, reading.scripts, rows)
            best = rows.argmax(axis=1)
            is_own = _find_own(clean[: len(texts)], reading, rows, labels, lang)
            best[is_own] = labels.wanted.index(lang)
            _label(clean, [labels.names[number] for number in best.tolist()], lang)
        return lang

    def _is_sure(self, reading: Reading, row: NDArray[np.float64]) -> bool:
        """Test whether short text, with a sentence, is surely in a language of the crawl.

        ``row`` has the probability of each label, those of the crawl first.
        """
        running = reading.lengths * reading.is_counted >= SHORT_BYTES
        return bool(running.any() and row[: len(self.langs)].max(initial=0.0) >= SURE)

    def _split_rows(self, paragraphs: Sequence[Paragraph]) -> Iterator[Paragraph]:
        """Yield paragraphs, the rows of tables with columns in two languages by cell.

        Adjacent rows of as many cells are a table; one with too little text is as all such
        rows of the page are. Columns in no language of the crawl do not matter.
        """
        places, tables = _find_tables(paragraphs)
        langs = self._find_column_langs(tables)
        for number, one in enumerate(paragraphs):
            table = places.get(number, (0, 0))
            own = langs.get(table if table in langs else (_WHOLE_PAGE, table[1]))
            if own:
                cells = zip(one.text.split(CELL_SEPARATOR), own, strict=True)
                yield from (_make_cell(one, text, lang) for text, lang in cells)
            else:
                yield one

    def _find_column_langs(
        self, tables: Mapping[_Table, Sequence[Sequence[str]]]
    ) -> dict[_Table, list[str]]:
        """Return the languages of the columns of the tables with enough text to tell them.

        They are empty where they are not sure; there are none of a table without two columns
        in two languages of the crawl that may translate each other.
        """
        columns = {
            table: list(zip(*rows, strict=True)) for table, rows in tables.items()
        }
        texts = {
            table: joined
            for table, its_columns in columns.items()
            if sum(map(_is_long, joined := list(map(_join_cells, its_columns)))) > 1
        }
        bounded = islice(chain.from_iterable(texts.values()), MAX_PARAGRAPHS)
        verdicts = iter(self.identify(list(bounded)))
        found: dict[_Table, list[str]] = {}
        for table, joined in texts.items():
            langs = [
                verdict.lang if verdict.confidence >= SURE else ""
                for verdict in islice(verdicts, len(joined))
            ]
            own = [
                (cells, lang)
                for cells, text, lang in zip(
                    columns[table], joined, langs, strict=False
                )
                if lang in self.langs and _is_long(text)
            ]
            is_whole = len(langs) == len(joined)
            found[table] = langs if is_whole and _may_be_translations(own) else []
        return found

    def _is_prose_in(
        self, lang: str, paragraphs: Sequence[Paragraph], texts: Sequence[str]
    ) -> bool:
        """Test whether the little prose beside much code is surely in a declared language."""
        prose = [
            text
            for paragraph, text in zip(paragraphs, texts, strict=True)
            if _may_be_prose(paragraph)
        ]
        if not lang or not prose or len(prose) == len(texts):
            return False
        (verdict,) = self.identify([" ".join(prose)])
        return verdict.lang == lang and verdict.confidence >= SURE

    def _identify_frame(self, paragraphs: Sequence[Paragraph]) -> str:
        """Return the sure language of the texts around the page's own, else nothing.

        They are in the language of a page that is half translated: a site translates its
        menus once, for all pages. Addresses are in none.
        """
        frame = (
            p for p in paragraphs if p.crawlinfo is not None and "://" not in p.text
        )
        (verdict,) = self.identify([" ".join(within_bounds(frame))])
        return verdict.lang if verdict.confidence >= SURE else ""

    def _declared_language(self, code: str) -> str:
        """Return the language that a page declares, empty if it is none that is known."""
        try:
            lang = to_iso639_3(code)
        except ValueError:
            return ""
        same = group_of(lang)
        if lang not in self.langs:
            lang = next((own for own in self.langs if own in same), lang)
        return lang if lang in self._known else ""

    def _labels_with(self, lang: str) -> Labels:
        """Return the labels: the crawl's languages, and one more if it is given."""
        if lang not in self._labels:
            wanted = self.langs or tuple(sorted(self._known - {NO_LANGUAGE}))
            if lang and lang not in wanted:
                wanted = (*wanted, lang)
            self._labels[lang] = Labels(self._model.labels, wanted, self._scripts)
        return self._labels[lang]


# The place of the first row of a table, and its width.
_Table = tuple[int, int]
_WHOLE_PAGE = -1
# The lengths of the cells of two columns that translate each other correlate, and surely so: by
# Fisher's transformation, with a probability of .95. Fewer rows say nothing.
_MIN_CORRELATION = 0.5
_SURE_DEVIATIONS = 1.645
_MIN_ROWS = 4
# Cells of as many bytes on average are sentences. These may be of one length; it is enough
# that the logarithms of their ratios deviate little.
_SENTENCE_BYTES = 40
_MAX_DEVIATION = 0.5


def _find_tables(
    paragraphs: Sequence[Paragraph],
) -> tuple[dict[int, _Table], dict[_Table, list[list[str]]]]:
    """Return the table of each row of a page, by its number, and the cells of its clean rows.

    Rows of one width that are in several tables are a table together as well.
    """
    places: dict[int, _Table] = {}
    tables: defaultdict[_Table, list[list[str]]] = defaultdict(list)
    by_width: defaultdict[int, list[list[list[str]]]] = defaultdict(list)
    for kind, place in iter_runs(paragraphs):
        if kind is ParagraphType.ROW:
            for number, row in enumerate(paragraphs[place], place.start):
                cells = row.text.split(CELL_SEPARATOR)
                places[number] = place.start, len(cells)
                if row.crawlinfo is None:
                    tables[places[number]].append(cells)
    for (_, width), rows in tables.items():
        by_width[width].append(rows)
    for width, parts in by_width.items():
        if len(parts) > 1:
            tables[_WHOLE_PAGE, width] = list(chain.from_iterable(parts))
    return places, tables


def _join_cells(cells: Iterable[str]) -> str:
    return " ".join(cells)[:MAX_PAGE_CHARS]


def _is_long(text: str) -> bool:
    """Test whether a text is long enough to tell its language."""
    return len(text.encode()) >= SHORT_BYTES


def _may_be_translations(columns: Sequence[tuple[Sequence[str], str]]) -> bool:
    """Test whether the lengths in two columns in two languages, given with these, correspond.

    In tables of data they do not: a name or a command stands beside its description.
    """
    langs = np.array([lang for _, lang in columns])
    if len(set(langs.tolist())) < 2:
        return False
    sizes = np.log1p([[len(text) for text in cells] for cells, _ in columns])
    covariances = np.cov(sizes, bias=True)
    variances = covariances.diagonal()
    rows = sizes.shape[1]
    are_sentences = (
        np.array([sum(len(text.encode()) for text in cells) for cells, _ in columns])
        >= _SENTENCE_BYTES * rows
    )
    alike = are_sentences[:, None] & are_sentences
    alike &= variances[:, None] + variances - 2 * covariances <= _MAX_DEVIATION**2
    if rows >= _MIN_ROWS:
        chance = np.tanh(_SURE_DEVIATIONS / np.sqrt(rows - 3))
        least = max(_MIN_CORRELATION, chance)
        products = np.sqrt(variances[:, None] * variances)
        alike |= (products > 0) & (covariances >= least * products)
    return bool((alike & (langs[:, None] != langs)).any())


def _make_cell(row: Paragraph, text: str, lang: str) -> Paragraph:
    """Return a cell of a row, in the language of its column; a number is no text."""
    crawlinfo = row.crawlinfo
    if crawlinfo is None and not any(map(str.isalpha, text)):
        crawlinfo = CrawlInfo.OOI_LENGTH
    kind = ParagraphType.CELL
    return replace(row, text=text, type=kind, crawlinfo=crawlinfo, lang=lang or None)


def _find_own(
    paragraphs: Sequence[Paragraph],
    reading: Reading,
    rows: NDArray[np.float64],
    labels: Labels,
    lang: str,
) -> NDArray[np.bool_]:
    """Return a mask of the texts that are in ``lang``, that of their page, whatever ``rows`` say.

    These are the probabilities of the labels, a row a text. A text without a language of its
    own is in that of the page; so are a title that is not surely in another, such as one of
    names, and a short text with letters that the other language is not written in.
    """
    is_title = np.array([p.type is ParagraphType.TITLE for p in paragraphs], np.bool_)
    own: NDArray[np.bool_] = reading.is_unclear | is_title & (rows.max(axis=1) < SURE)
    best, scripts = rows.argmax(axis=1), labels.scripts(lang)
    foreign = ~np.isin(reading.scripts[:-1], (*scripts, MIXED))
    for number, other in enumerate(labels.wanted):
        if set(scripts).isdisjoint(labels.scripts(other)):
            foreign |= best == number
    has_letters = reading.letters[:, scripts].any(axis=1)
    own |= foreign & has_letters & (reading.lengths < SHORT_BYTES)
    return own


def _label(paragraphs: Sequence[Paragraph], langs: Sequence[str], lang: str) -> None:
    """Set the language of paragraphs, ``lang`` beyond those of ``langs``; mark the others."""
    known = list(islice(chain(langs, repeat(lang)), len(paragraphs)))
    its_langs = join_listings(paragraphs, known, lang)
    for paragraph, its_lang in zip(paragraphs, its_langs, strict=True):
        if is_row_of_names(paragraph):
            its_lang = lang  # noqa: PLW2901 - names are in no language
        elif paragraph.type is ParagraphType.CELL and paragraph.lang:
            its_lang = paragraph.lang  # noqa: PLW2901 - that of its column
        paragraph.lang = its_lang
        if its_lang != lang:
            paragraph.crawlinfo = CrawlInfo.OOI_LANG


def join_listings(
    paragraphs: Sequence[Paragraph], langs: Sequence[str], lang: str
) -> list[str]:
    """Return the languages of paragraphs on a page in ``lang``, one for all lines of a listing.

    It is that of most of its characters: a program loses no single line.
    """
    joined = list(langs)
    for place in find_listings(paragraphs):
        sizes: Counter[str] = Counter()
        for line, its_lang in zip(paragraphs[place], joined[place], strict=True):
            sizes[its_lang] += len(line.text)
        most = max(sizes, key=lambda one: (sizes[one], one == lang))
        joined[place] = [most] * (place.stop - place.start)
    return joined


def is_row_of_names(paragraph: Paragraph) -> bool:
    """Test whether most words of a row of a table have a capital or a digit.

    Models, products and places in the cells say nothing of the language of the row.
    """
    if paragraph.type is not ParagraphType.ROW:
        return False
    words = _WORD_RE.findall(paragraph.text)
    names = [w for w in words if w != w.lower() or any(map(str.isdigit, w))]
    return 2 * len(names) >= len(words)


@lru_cache(maxsize=4)
def page_identifier(
    langs: tuple[str, ...], texts: tuple[LanguageText, ...] = ()
) -> PageIdentifier:
    """Return the identifier of a crawl, one a process and set of languages."""
    return PageIdentifier(langs, texts)


def identify_page(
    paragraphs: list[Paragraph],
    langs: Sequence[str],
    declared: str = "",
    texts: Sequence[LanguageText] = (),
) -> tuple[str, list[Paragraph]]:
    """Return the language of a page, and its paragraphs with theirs.

    The paragraphs are labeled only where the page is in one of ``langs`` (ISO 639-3).
    ``declared`` is the code that the page gives its language.
    """
    identifier = page_identifier(tuple(langs), tuple(texts))
    return identifier.identify_page(paragraphs, declared), paragraphs


# Bounds of the cost of a page: paragraphs, characters at the beginning of each, characters
# of all. Text beyond them has the language of the page.
MAX_PARAGRAPHS = 2000
MAX_PARAGRAPH_CHARS = 400
MAX_PAGE_CHARS = 200_000

# Text of these types is around messages, not in them.
_FRAME_TYPES = frozenset(
    {ParagraphType.TITLE, ParagraphType.HEADING, ParagraphType.ROW, ParagraphType.CELL}
)
# Headings of fewer words say little: they may be translated where the text is not.
_LABEL_WORDS = 3
# Smallest share and number of bytes of text in paragraphs that are certainly in a language for
# the page to have a part in it: a half-translated page is a page in the language that it was translated to.
_MIN_PART = 0.3
_MIN_PART_BYTES = 200

# From this probability on a text is surely in a language.
SURE = 0.99


def within_bounds(paragraphs: Iterable[Paragraph]) -> list[str]:
    """Return the texts that are looked at, those of the first paragraphs."""
    texts: list[str] = []
    chars = 0
    for paragraph in paragraphs:
        text = paragraph.text[:MAX_PARAGRAPH_CHARS]
        chars += len(text)
        if chars > MAX_PAGE_CHARS or len(texts) == MAX_PARAGRAPHS:
            break
        texts.append(text)
    return texts


def _find_prose(paragraphs: Sequence[Paragraph]) -> list[bool]:
    """Return a mask of the paragraphs that count for the language of their page.

    Where hardly more than names and rows of tables is around it, preformatted text does, too:
    mails and messages are shown so.
    """
    found = list(map(_may_be_prose, paragraphs))
    is_long = [len(one.text.split()) >= LINE_WORDS for one in paragraphs]
    marked = list(zip(paragraphs, found, is_long, strict=True))
    running = sum(
        len(one.text)
        for one, may, long in marked
        if may and long and one.type not in _FRAME_TYPES
    )
    if running >= MIN_DOCUMENT_CHARS:
        return found
    message = ParagraphType.PREFORMATTED
    return [may or (long and one.type is message) for one, may, long in marked]


def _may_be_prose(paragraph: Paragraph) -> bool:
    """Test whether a paragraph counts for the language of its page, whatever else is there.

    Programs and terminals speak English, or nothing, on pages in any language.
    """
    is_label = paragraph.level > 0 and len(paragraph.text.split()) < _LABEL_WORDS
    return paragraph.type not in LISTING_TYPES and not is_label


def measure_parts(
    reading: Reading, probabilities: NDArray[np.float64], labels: Sequence[str]
) -> dict[str, float]:
    """Return the bytes of a page that are in each label, where that is a good part of it.

    ``probabilities`` has a row for each text of the page and a column for each label.
    """
    lengths = reading.lengths * (reading.is_counted & ~reading.is_unclear)
    is_running = reading.lengths >= SHORT_BYTES
    is_sure = is_running & (probabilities.max(axis=1) >= SURE)
    best = probabilities.argmax(axis=1)
    sizes = np.bincount(best, weights=lengths * is_sure, minlength=len(labels))
    least = max(_MIN_PART_BYTES, _MIN_PART * lengths.sum())
    parts = zip(labels, sizes.tolist(), strict=True)
    return {label: size for label, size in parts if size >= least}


def choose_part(
    parts: Mapping[str, float], expected: str, lang: str, find_frame: Callable[[], str]
) -> str:
    """Return the language of a page of which most, but not all, is said to be in ``lang``.

    ``parts`` are the sizes of its parts in languages of the crawl. One in the language that
    the page declares, ``expected``, decides; of several the one that its frame is in
    (``find_frame``), ``lang`` or the largest.
    """
    if expected in parts:
        return expected
    if len(parts) > 1 and (frame := find_frame()) in parts:
        return frame
    if lang in parts or not parts:
        return lang
    return max(parts, key=parts.__getitem__)
