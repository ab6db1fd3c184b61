"""Scores the text of made-up sites: real texts in frames modeled on the markup of real systems.

``python -m evaluation.framed_sites [THEME …]`` writes 40 pages by each template of
``evaluation/themes``, makes a corpus of them as a crawl would, and decides on the text by page and
site. Printed for each theme: documents that cleaning and dedup lost, F1, precision and recall of
words, the mean over pages, of cleaning alone and as decided, and how many paragraphs the decision
made wrong and right; then the means, of the themes that cleaning or the decision was trained on
(``*``) and of the others. ``--show THEME`` lists the paragraphs that are decided wrong, ``--write
FOLDER`` writes the pages, ``--check`` holds the mean of the others to a floor.

Templates mark what elements are with ``data-is``: ``main`` text, ``frame`` inside of it, or
``neither``, such as comments by readers, which does not count. The marks are taken out of
the pages.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from evaluation.cleaning_sets import WORK
from evaluation.data import DATA, SITES, skip_text
from evaluation.framed_texts import (
    Text,
    read_gold,
    read_main_elements,
    read_manual_texts,
    read_news,
    read_posts,
)
from evaluation.main_elements import (
    FRAME,
    MAIN,
    MainElement,
    make_settings,
    read_labels,
)
from evaluation.site_corpora import HOST, read_page, write_corpus
from evaluation.structure import BASELINE
from ilspfc.corpus.corpus import open_corpus
from ilspfc.documents import CrawlInfo, Paragraph
from ilspfc.line import run_stage
from ilspfc.text.cells import CELL_SEPARATOR
from ilspfc.text.codes import to_iso639_3
from ilspfc.text.word_split import split_words
from ilspfc.web.urls import canonicalize

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus

TEMPLATES = Path(__file__).parent / "themes"
PAGES = 40
_MARKED = MainElement(
    (),
    '//*[@data-is="main"]',
    neither='//*[@data-is="neither"]',
    frame='//*[@data-is="frame"]',
)
_MARK_RE = re.compile(r'\sdata-is="\w+"')
_NUMBERS_RE = re.compile(r"\d+")
_FIRST_DAY, _DAYS = date(2019, 1, 7), 2500
# Shares of the paragraphs with a link, and with words in bold type.
_LINKED, _BOLD = 0.25, 0.1
_SHOWN, _SHOWN_CHARS = 30, 100

_HEADER = (
    f"{'':28} {'lost':>9}  {'cleaning':^19}  {'decided':^19}  {'paragraphs':>12}\n"
)
_HEADER += f"{'theme':28} page dupl  {'F1      P      R':>19}  {'F1      P      R':>19}  wrong  right"

Read = Callable[[], list[Text]]


@dataclass(frozen=True, slots=True)
class Theme:
    """Texts for a theme; ``skip`` are the first that another theme has."""

    read: Read
    skip: int = 0


_articles = cache(partial(read_gold, "wcxb-dev", "article"))
_products = cache(partial(read_gold, "wcxb-dev", "product"))
_services = cache(partial(read_gold, "wcxb-dev", "service"))
_posts = cache(read_posts)

THEMES: Mapping[str, Theme] = {
    "discourse": Theme(_posts),
    "docusaurus": Theme(partial(read_gold, "wcxb-dev", "documentation")),
    "drupal_olivero": Theme(partial(read_main_elements, "fr", "installation-guide")),
    "ghost_casper": Theme(
        partial(read_main_elements, "fr", "bitcoin", "debian-handbook")
    ),
    "govuk": Theme(_services),
    "joomla_cassiopeia": Theme(
        partial(read_main_elements, "it", "debian-handbook", "bitcoin")
    ),
    "magento_luma": Theme(_products, PAGES),
    "mediawiki_vector": Theme(partial(read_main_elements, "es", "debian-handbook")),
    "municipality": Theme(partial(read_main_elements, "de", "installation-guide")),
    "newspaper": Theme(partial(read_gold, "dragnet")),
    "phpbb_prosilver": Theme(partial(read_main_elements, "de", "debian-handbook")),
    "regional_news": Theme(read_news),
    "shopify_dawn": Theme(_products),
    "sphinx_rtd": Theme(partial(read_main_elements, "fr", "apache-manual")),
    "squarespace": Theme(_services, PAGES),
    "table_layout_1999": Theme(partial(read_gold, "cleaneval-final")),
    "tailwind": Theme(partial(read_main_elements, "es", "office-help")),
    "typo3": Theme(partial(read_main_elements, "de", "office-help")),
    "wordpress_elementor": Theme(
        partial(read_main_elements, "es", "bitcoin", "installation-guide")
    ),
    "wordpress_twentytwentyone": Theme(_articles),
}

CLEANING_THEMES, DECISION_THEMES = (
    frozenset(sorted(THEMES)[start::4]) for start in (0, 2)
)
"""Themes that cleaning (``train_cleaning``) and the decision (``train_content``) learn from.

The others judge both.
"""


# -- pages


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a site: its text, and its address below the root."""

    number: int
    text: Text

    @property
    def path(self) -> str:
        """The path of the page, without a slash before it."""
        return f"{'-'.join(split_words(self.text.title)[:6])}-{self.number}.html"

    @property
    def url(self) -> str:
        """The address from the root."""
        return f"/{self.path}"


class Frame:
    """Values that templates put around the text of a page, the same at each call.

    ``spare`` are sentences of texts that are on no page.
    """

    def __init__(
        self, theme: str, page: Page, pages: Sequence[Page], spare: Sequence[str]
    ) -> None:
        self._random = Random(f"{theme} {page.number}")
        self._page, self._pages, self._spare = page, pages, spare
        names = _read_names()
        self._names = names.get(page.text.lang, names["en"])

    def number(self, least: int, most: int) -> int:
        """Return a number between two, both included."""
        return self._random.randint(least, most)

    def choose(self, *options: Any) -> Any:
        """Return one of some values."""
        return self._random.choice(options)

    def chance(self, share: float) -> bool:
        """Return true in a share of the calls."""
        return self._random.random() < share

    def name(self) -> str:
        """Return the name of a person."""
        names = self._names
        return f"{self.choose(*names['first'])} {self.choose(*names['last'])}"

    def town(self) -> str:
        """Return the name of a town."""
        return str(self.choose(*self._names["towns"]))

    def day(self) -> date:
        """Return a date."""
        return _FIRST_DAY + timedelta(days=self.number(0, _DAYS))

    def long(self, day: date) -> str:
        """Return a date as it is written in the language of the page."""
        month = self._names["months"][day.month - 1]
        written = self._names["date"]
        return str(written.format(day=day.day, month=month, year=day.year))

    def others(self, number: int) -> list[Page]:
        """Return some other pages of the site."""
        return self._random.sample([p for p in self._pages if p != self._page], number)

    def sentences(self, number: int) -> str:
        """Return some sentences that are on no other page."""
        start = self.number(0, max(len(self._spare) - number, 0))
        return " ".join(self._spare[start : start + number])

    def inline(self, text: str) -> Markup:
        """Return a text as HTML, with a link or words in bold type in some."""
        words = text.split(" ")
        share = self._random.random()
        if len(words) < 12 or share > _LINKED + _BOLD:
            return escape(text)
        size = self.number(1, 4)
        start = self.number(0, len(words) - size)
        marked = Markup(" ").join(words[start : start + size])
        tags = (
            Markup('<a href="{}">{}</a>').format(self.others(1)[0].url, marked)
            if share < _LINKED
            else Markup("<strong>{}</strong>").format(marked)
        )
        return Markup(" ").join([*words[:start], tags, *words[start + size :]])


@cache
def _read_names() -> dict[str, Any]:
    return tomllib.loads((TEMPLATES / "names.toml").read_text("utf-8"))


@cache
def _make_environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


def render_pages(theme: str, texts: Sequence[Text]) -> Iterator[tuple[Page, str]]:
    """Yield the pages of a theme, as marked HTML.

    Sentences of what is left of the texts are those of readers and tickers.
    """
    pages = [Page(number, text) for number, text in enumerate(texts[:PAGES])]
    spare = [one for text in texts[PAGES:] for one in text.sentences]
    template = _make_environment().get_template(f"{theme}.html")
    for page in pages:
        frame = Frame(theme, page, pages, spare or [text.lead for text in texts])
        near = {
            "previous": pages[page.number - 1],
            "next": pages[(page.number + 1) % len(pages)],
        }
        html = template.render(
            page=page, text=page.text, pages=pages, frame=frame, **near
        )
        yield page, html


def strip_marks(html: str) -> str:
    """Return a page without the marks of its main text."""
    return _MARK_RE.sub("", html)


def frame_manuals(work: Path) -> Iterator[tuple[str, str]]:
    """Yield themes that cleaning learns from, each with a page of it as marked HTML.

    The texts are those of manuals, which no figure is measured on.
    """
    texts = read_manual_texts(work)
    parts = [
        texts[start : start + 2 * PAGES] for start in range(0, len(texts), 2 * PAGES)
    ]
    for theme, own in zip([*sorted(CLEANING_THEMES)] * 2, parts, strict=False):
        yield from ((theme, html) for _, html in render_pages(theme, own))


# -- scores


@dataclass(frozen=True, slots=True)
class Judged:
    """A paragraph that counts, as it is, as cleaning took it, and as decided."""

    paragraph: Paragraph
    words: int
    is_main: bool
    cleaned: bool
    decided: bool


@dataclass(frozen=True, slots=True)
class Site:
    """The paragraphs of the pages of a theme, and the words of each main text.

    ``unread`` documents were lost by cleaning, ``duplicates`` by dedup.
    """

    pages: Sequence[Sequence[Judged]]
    words: Sequence[int]
    unread: int
    duplicates: int

    def score(self, *, is_decided: bool) -> tuple[float, float, float]:
        """Return F1, precision and recall of words, the mean over the pages."""
        rows = []
        for judged, wanted in zip(self.pages, self.words, strict=True):
            kept = [j for j in judged if (j.decided if is_decided else j.cleaned)]
            right = min(sum(j.words for j in kept if j.is_main), wanted)
            words = sum(j.words for j in kept)
            precision = min(right / words, 1.0) if words else 1.0
            rows.append((2 * right / (words + wanted), precision, right / wanted))
        f1, precision, recall = np.mean(rows, axis=0).tolist()
        return f1, precision, recall

    def count_changes(self) -> tuple[int, int]:
        """Return how many paragraphs the decision made wrong, and how many right."""
        changed = [j for page in self.pages for j in page if j.cleaned != j.decided]
        right = sum(j.decided == j.is_main for j in changed)
        return len(changed) - right, right


def count_words(text: Text) -> int:
    """Return the number of words of a text and its title."""
    texts = [text.title, *(one for block in text.blocks for one in block.texts)]
    return sum(len(split_words(one)) for one in texts)


@dataclass(frozen=True, slots=True)
class ThemeCorpus:
    """Corpus of the pages of a theme after dedup; ``marked`` has text and HTML by URL.

    ``unread`` documents were lost by cleaning, ``duplicates`` by dedup.
    """

    corpus: Corpus
    marked: Mapping[str, tuple[Text, str]]
    unread: int
    duplicates: int


@contextmanager
def open_theme(name: str) -> Iterator[ThemeCorpus]:
    """Make the corpus of a theme as a crawl would, up to dedup."""
    theme = THEMES[name]
    texts = theme.read()[theme.skip :]
    lang = to_iso639_3(texts[0].lang)
    with tempfile.TemporaryDirectory() as folder:
        root, place = Path(folder, "www"), Path(folder, "corpus")
        root.mkdir()
        marked, documents = {}, []
        for page, html in render_pages(name, texts):
            (root / page.path).write_text(strip_marks(html), "utf-8")
            url = canonicalize(f"http://{HOST}/{page.path}")
            marked[url] = page.text, html
            documents.append(read_page(page.path, root=root, langs=(lang,)))
        kept = [document for document in documents if document is not None]
        write_corpus(place, kept, (lang,))
        with open_corpus(place, make_settings()) as corpus:
            run_stage("dedup", corpus)
            left = sum(1 for _ in corpus.index.documents_to_pair())
            unread = len(documents) - len(kept)
            yield ThemeCorpus(corpus, marked, unread, len(kept) - left)


def label_paragraphs(paragraphs: Sequence[Paragraph], html: str) -> list[int]:
    """Return MAIN, FRAME or NEITHER for each paragraph of a page, by its marked HTML."""
    return label_texts([p.text.replace(CELL_SEPARATOR, " ") for p in paragraphs], html)


def label_texts(texts: Sequence[str], html: str) -> list[int]:
    """Return MAIN, FRAME or NEITHER for each text of a page, by its marked HTML."""
    return read_labels(_MARKED, html.encode(), texts)


def judge_site(theme: str) -> Site:
    """Return the paragraphs of a theme, cleaned and decided as after a crawl."""
    with open_theme(theme) as made:
        run_stage("content", made.corpus)
        pages, words = [], []
        for entry in made.corpus.index.documents_to_pair():
            text, html = made.marked[entry.url]
            pages.append(_judge_page(made.corpus.reading(entry).paragraphs, html))
            words.append(count_words(text))
    return Site(pages, words, made.unread, made.duplicates)


def _judge_page(paragraphs: Sequence[Paragraph], html: str) -> list[Judged]:
    return [
        Judged(
            paragraph,
            len(split_words(paragraph.text)),
            label == MAIN,
            paragraph.page_verdict is not CrawlInfo.BOILERPLATE,
            paragraph.crawlinfo is not CrawlInfo.BOILERPLATE,
        )
        for paragraph, label in zip(
            paragraphs, label_paragraphs(paragraphs, html), strict=True
        )
        if label in {MAIN, FRAME}
    ]


def show_errors(site: Site) -> None:
    """Print the paragraphs that are decided wrong, by place, then by text; most words first.

    ``cleaning`` tells those that cleaning had wrong, too. A place has an example.
    """
    wrong = [j for page in site.pages for j in page if j.decided != j.is_main]
    for what, is_main in (("lost", True), ("kept", False)):
        some = [j for j in wrong if j.is_main == is_main]
        print(f"{what}: {len(some)} paragraphs, {sum(j.words for j in some)} words")
        for title, key in (("place", _place_of), ("text", _text_of)):
            groups = defaultdict(list)
            for judged in some:
                groups[key(judged)].append(judged)
            largest = sorted(groups.values(), key=lambda g: -sum(j.words for j in g))
            print(f"  {'times':>5} {'words':>6}  by {title}")
            for group in largest[:_SHOWN]:
                words = sum(j.words for j in group)
                print(f"  {len(group):5} {words:6}  {_text_of(group[0])}")


def _place_of(judged: Judged) -> tuple[str, int]:
    return _error_of(judged), judged.paragraph.place


def _error_of(judged: Judged) -> str:
    return "cleaning" if judged.cleaned == judged.decided else "decision"


def _text_of(judged: Judged) -> str:
    """Return the start of a text without numbers, its type, and what had it wrong first."""
    kind = judged.paragraph.type or "paragraph"
    text = _NUMBERS_RE.sub("0", judged.paragraph.text)[:_SHOWN_CHARS]
    return f"{_error_of(judged)} {kind} {text}"


def show_figures(name: str, figures: Sequence[float]) -> None:
    """Print a line of the table."""
    lost, scores, changes = figures[:2], figures[2:8], figures[8:]
    cells = [f"{value:4.0f}" for value in lost]
    cells += [f"{value:6.3f}" for value in scores]
    cells += [f"{value:6.0f}" for value in changes]
    print(f"{name:28}", *cells, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("themes", nargs="*", metavar="THEME")
    parser.add_argument("--show", metavar="THEME", choices=THEMES)
    parser.add_argument("--write", metavar="FOLDER", type=Path)
    parser.add_argument(
        "--check", action="store_true", help="hold the mean to its floor"
    )
    options = parser.parse_args(arguments)
    if unknown := set(options.themes) - set(THEMES):
        parser.error(f"no theme: {', '.join(sorted(unknown))}")
    if is_skipped():
        return 0
    names = options.themes or list(THEMES)
    if options.show:
        show_errors(judge_site(options.show))
    elif options.write:
        write_pages(names, options.write)
    else:
        mean = score_themes(names)
        if options.check and mean < read_floor():
            print(f"mean of themes not trained on: below {read_floor()}")
            return 1
    return 0


def is_skipped() -> bool:
    """Test whether sites or texts are missing, and say so."""
    if not SITES.is_dir():
        print(f"Skipped: no sites in {SITES} (set ILSPFC_EVALUATION_SITES).")
    elif not (WORK.is_dir() or DATA.is_dir()):
        print(skip_text())
    else:
        return False
    return True


def read_floor() -> float:
    """Return the least mean F1 of the themes that the decision was not trained on."""
    return float(json.loads(BASELINE.read_text("utf-8"))["framed_sites"])


def write_pages(names: Sequence[str], root: Path) -> None:
    """Write the pages of some themes, a folder each."""
    for name in names:
        theme = THEMES[name]
        folder = root / name
        folder.mkdir(parents=True, exist_ok=True)
        for page, html in render_pages(name, theme.read()[theme.skip :]):
            (folder / page.path).write_text(strip_marks(html), "utf-8")


def score_themes(names: Sequence[str]) -> float:
    """Print the figures of some themes; return the mean F1 of those not trained on."""
    print(_HEADER)
    rows = {}
    for name in names:
        site = judge_site(name)
        scores = (*site.score(is_decided=False), *site.score(is_decided=True))
        rows[name] = (site.unread, site.duplicates, *scores, *site.count_changes())
        show_figures(
            f"{name}{' *' if name in CLEANING_THEMES | DECISION_THEMES else ''}",
            rows[name],
        )
    mean = 1.0
    for title, some in (
        ("mean of *", rows.keys() & (CLEANING_THEMES | DECISION_THEMES)),
        ("mean of the others", rows.keys() - CLEANING_THEMES - DECISION_THEMES),
    ):
        if some:
            means = np.mean([rows[name] for name in sorted(some)], axis=0).tolist()
            show_figures(title, means)
            mean = means[5]
    return float(mean)


if __name__ == "__main__":
    sys.exit(main())
