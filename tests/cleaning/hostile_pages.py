"""Pages made to cost a parser time, memory or its stack.

Run as a program, it prints the seconds of CPU that each takes on its way through cleaning,
language identification and classification, limits and all::

    PYTHONPATH=. python tests/cleaning/hostile_pages.py [name …]
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

from ilspfc.classification.relevance import RelevanceScorer
from ilspfc.cleaning.blocks.markup import is_excessive
from ilspfc.cleaning.page import CleaningReason, clean_page
from ilspfc.corpus.xml import format_document
from ilspfc.crawl.domain_terms import make_matchers
from ilspfc.language.identification import identify_page, page_identifier
from ilspfc.spiders.bilingual import BilingualSpider

LANGS = ("deu", "ita")
MEGABYTE = 1_000_000
# DOWNLOAD_MAXSIZE: no page can be larger.
MAX_BYTES = 10 * 1024 * 1024
SENTENCE = "Wer auf dem Dach arbeitet, sichert sich gegen den Absturz. "
TEXT = f"<html lang=de><title>Dach</title><p>{SENTENCE * 5}</p>"


def _repeat(*parts: str, start: str = TEXT, size: int = MAX_BYTES) -> str:
    """Return a page of ``size`` characters that says the same again and again."""
    unit = "".join(parts)
    return start + unit * ((size - len(start)) // len(unit))


def _nested(tag: str, depth: int, inside: str = "x") -> str:
    return TEXT + f"<{tag}>" * depth + inside + f"</{tag}>" * depth


def _attributes(number: int) -> str:
    return TEXT + "<p " + " ".join(f"a{i}=x" for i in range(number)) + ">x</p>"


def _many_tags(form: str, size: int = MAX_BYTES) -> str:
    """Return tags with numbers in them, as many as fit in ``size`` characters."""
    parts, length, number = [TEXT], 0, 0
    while length < size - len(TEXT) - 100:
        parts.append(form.format(number))
        length += len(parts[-1])
        number += 1
    return "".join(parts)


def _json_ld(depth: int) -> str:
    data = '{"a":[' * depth + "]}" * depth
    return f'{TEXT}<script type="application/ld+json">{data}</script>'


def _refreshes() -> str:
    refresh = '<meta http-equiv="refresh" content="0;url=/{0}">'
    return _many_tags(refresh, 2 * MEGABYTE)


def _texts(words: int, unit: str = "p") -> str:
    """Return ordinary text in paragraphs of so many words."""
    words_of = (SENTENCE * 20).split()
    paragraph = " ".join((words_of * (words // len(words_of) + 1))[:words])
    return _repeat(f"<{unit}>{paragraph}</{unit}>\n")


def _noise() -> str:
    """Return marks in the order of a small generator, the same each time."""
    state, parts = 1, []
    marks = [*"< > / \" ' = ! - & ; p div a table b".split(), " "]
    for _ in range(4 * MEGABYTE):
        state = state * 1103515245 + 12345 & 0x7FFFFFFF
        parts.append(marks[state >> 16 & 15])
    return "".join(parts)[:MAX_BYTES]


PAGES: dict[str, Callable[[], str]] = {
    "100k nested divs": lambda: _nested("div", 100_000),
    "800k nested divs": lambda: _nested("div", 800_000),
    "unclosed divs": lambda: _repeat("<div>"),
    "unclosed spans": lambda: _repeat("<span>"),
    "unclosed b": lambda: _repeat("<b>"),
    "unclosed a": lambda: _repeat("<a href=x>y"),
    "unclosed custom tags": lambda: _repeat("<x-y>"),
    "closing tags": lambda: _repeat("</div>"),
    "closing p": lambda: _repeat("</p>"),
    "closing unknown": lambda: _repeat("</q>"),
    "deep then closing": lambda: _repeat("</i>", start=TEXT + "<div>" * 250),
    "nested tables": lambda: _nested("table><tr><td", 50_000),
    "unclosed tables": lambda: _repeat("<table><tr><td>"),
    "unclosed tables with text": lambda: _repeat("<table><tr><td>x"),
    "table text": lambda: _repeat("x<tr>", start=TEXT + "<table>"),
    "nested lists": lambda: _repeat("<ul><li>x"),
    "definition lists": lambda: _repeat("<dl><dd>x"),
    "forms": lambda: _repeat("<form><input>x"),
    "options": lambda: _repeat("<option>x", start=TEXT + "<select>"),
    "frames": lambda: _repeat("<frame src=x>"),
    "iframes": lambda: _repeat("<iframe>x</iframe>"),
    "adoption agency": lambda: _repeat("<b><i><p></b></i>x"),
    "adoption agency, anchors": lambda: _repeat("<a href=x><div><b>y</a>"),
    "misnested": lambda: _repeat("<b><div><i></b></div>x"),
    "20k attributes": lambda: _attributes(20_000),
    "60k attributes": lambda: _attributes(60_000),
    "5k attributes, many tags": lambda: (
        TEXT + ("<p " + " ".join(f"a{i}=x" for i in range(5000)) + ">x</p>") * 200
    ),
    "500 attributes, many tags": lambda: _repeat(
        "<p " + " ".join(f"a{i}=x" for i in range(500)) + ">x</p>"
    ),
    "100 attributes, many tags": lambda: _repeat(
        "<p " + " ".join(f"a{i}=x" for i in range(100)) + ">x</p>"
    ),
    "10 attributes, many tags": lambda: _repeat(
        "<p " + " ".join(f"a{i}=x" for i in range(10)) + ">x</p>"
    ),
    "repeated attribute": lambda: _repeat("a=x ", start=TEXT + "<p "),
    "empty attributes": lambda: _repeat("a ", start=TEXT + "<p "),
    "slashes in a tag": lambda: _repeat("/", start=TEXT + "<p "),
    "long attribute": lambda: TEXT + '<a href="' + "x" * 9 * MEGABYTE + '">y</a>',
    "long class": lambda: TEXT + "<p class='" + "x " * 4 * MEGABYTE + "'>y",
    "long tag name": lambda: TEXT + "<" + "x" * 9 * MEGABYTE + ">y",
    "200k links": lambda: _many_tags('<a href="/{0}">link {0}</a> '),
    "200k links, no text": lambda: _many_tags('<a href="/{0}"></a>'),
    "area": lambda: _many_tags('<area href="/{0}">'),
    "images": lambda: _many_tags('<img src="/{0}.png">'),
    "alternates": lambda: _many_tags(
        '<link rel=alternate hreflang=de href="/{0}">', MAX_BYTES
    ),
    "base": lambda: _many_tags('<base href="/{0}">'),
    "meta": lambda: _many_tags('<meta name="m{0}" content="x">'),
    "meta robots": lambda: _repeat("<meta name=robots content=a,b,c,d,e>"),
    "titles": lambda: _repeat("<title>x</title>"),
    "titles in svg": lambda: _repeat("<title>x</title>", start=TEXT + "<svg>"),
    "titles in deep svg": lambda: _repeat(
        "<title>x</title>", start="<p>x</p>" + "<svg>" * 240
    ),
    "meta refreshes": _refreshes,
    "a million p": lambda: _repeat("<p>x"),
    "empty p": lambda: _repeat("<p>"),
    "br": lambda: _repeat("<br>"),
    "words and br": lambda: _repeat("x y z w<br>"),
    "hr": lambda: _repeat("x<hr>"),
    "inline tags": lambda: _repeat("<i>x</i>"),
    "links in one block": lambda: _repeat("<a href=/x>x</a>y "),
    "images in a link": lambda: _repeat(
        '<img src=a.png alt="wort wort">', start=TEXT + "<a href=x>"
    ),
    "empty links around a long text": lambda: (
        TEXT + "<p>" + SENTENCE * 80_000 + "<a href=x></a>" * 25_000 + SENTENCE * 80_000
    ),
    "one line of lower case": lambda: _repeat("wort " * 20, "<br>", size=5 * MEGABYTE),
    "link around blocks": lambda: _repeat("<p>x y z", start=TEXT + "<a href=x>"),
    "li": lambda: _repeat("<li>x y z", start=TEXT + "<ul>"),
    "headings": lambda: _repeat("<h1>x y z</h1>"),
    "titles again": lambda: _repeat("<h2>Dach</h2>"),
    "short paragraphs": lambda: _texts(5),
    "paragraphs": lambda: _texts(40),
    "long paragraphs": lambda: _texts(4000),
    "lines of code": lambda: "<pre><code>" + "if (a) { b = c + 1; }\n" * 50_000,
    "verses": lambda: "<pre>" + "Die Bienen fliegen\n\n" * 50_000,
    "one paragraph": lambda: TEXT + "<p>" + SENTENCE * (9 * MEGABYTE // len(SENTENCE)),
    "different short paragraphs": lambda: _many_tags(
        "<p>Wort {0} und Haus {0} da.</p>"
    ),
    "different words": lambda: _many_tags("wort{0} "),
    "text without spaces": lambda: TEXT + "<p>" + "x" * 9 * MEGABYTE,
    "text of spaces": lambda: TEXT + "<p>" + " " * 9 * MEGABYTE + "x",
    "text of line feeds": lambda: TEXT + "<p>" + "\n" * 9 * MEGABYTE + "x",
    "text of no-break spaces": lambda: TEXT + "<p>" + "\u00a0" * 4 * MEGABYTE + "x",
    "text of soft hyphens": lambda: TEXT + "<p>" + "x\u00ad" * 3 * MEGABYTE,
    "combining marks": lambda: TEXT + "<p>x" + "\u0301\u0327" * 2 * MEGABYTE,
    "combining marks, alternating": lambda: TEXT + "<p>" + "x\u0301" * 3 * MEGABYTE,
    "Chinese": lambda: TEXT + "<p>" + "安全第一" * 800_000,
    "Chinese paragraphs": lambda: _repeat("<p>安全第一安全", size=4 * MEGABYTE),
    "joiners": lambda: TEXT + "<p>" + "\u200d" * 3 * MEGABYTE,
    "capitals": lambda: TEXT + "<p>" + SENTENCE.upper() * 100_000,
    "dashes": lambda: f"<title>{' - ' * 500_000}</title>" + _repeat("<p>- - -"),
    "title of bars": lambda: f"<title>{'| ' * 4 * MEGABYTE}</title><p>{SENTENCE}",
    "title of dashes": lambda: f"<title>{'-' * 9 * MEGABYTE}</title><p>{SENTENCE}",
    "long title": lambda: f"<title>{SENTENCE * 100_000}</title><p>{SENTENCE}",
    "entities": lambda: _repeat("&amp;"),
    "entities of blanks": lambda: _repeat("&nbsp;"),
    "numeric entities": lambda: _repeat("&#120;"),
    "broken entities": lambda: _repeat("&x"),
    "ampersands": lambda: _repeat("&"),
    "entities in an attribute": lambda: (
        TEXT + '<a href="' + "&amp;" * (3 * MEGABYTE // 2) + '">y</a>'
    ),
    "less-than signs": lambda: _repeat("<"),
    "greater-than signs": lambda: _repeat(">"),
    "open tags": lambda: _repeat("<p"),
    "open tags with blanks": lambda: _repeat("<p "),
    "open links": lambda: _repeat("<a href="),
    "unclosed quote": lambda: TEXT + '<a href="' + "<p>x" * 2 * MEGABYTE,
    "quotes": lambda: _repeat('<a b="', "<a c='"),
    "huge comment": lambda: TEXT + "<!--" + "x" * 9 * MEGABYTE + "-->",
    "open comment": lambda: TEXT + "<!--" + "x" * 9 * MEGABYTE,
    "open comments": lambda: _repeat("<!--"),
    "comments": lambda: _repeat("<!---->"),
    "comment dashes": lambda: TEXT + "<!--" + "-" * 9 * MEGABYTE,
    "declarations": lambda: _repeat("<!x>"),
    "open declarations": lambda: _repeat("<!DOCTYPE "),
    "processing instructions": lambda: _repeat("<?x?>"),
    "open instructions": lambda: _repeat("<?"),
    "CDATA": lambda: _repeat("<![CDATA[x]]>"),
    "open CDATA": lambda: _repeat("<![CDATA["),
    "huge script": lambda: TEXT + "<script>" + "x=1;" * 2 * MEGABYTE + "</script>",
    "open script": lambda: TEXT + "<script>" + "x<y;" * 2 * MEGABYTE,
    "scripts": lambda: _repeat("<script></script>"),
    "script escapes": lambda: _repeat("<!--<script>", start=TEXT + "<script>"),
    "script ends": lambda: _repeat("</scrip", start=TEXT + "<script>"),
    "style": lambda: _repeat("<style>x</style>"),
    "textarea": lambda: _repeat("</textare", start=TEXT + "<textarea>"),
    "open titles": lambda: _repeat("<title>"),
    "plaintext": lambda: _repeat("<p>", start=TEXT + "<plaintext>"),
    "svg": lambda: _repeat("<svg><g>"),
    "math": lambda: _repeat("<math><mi>x"),
    "templates": lambda: _repeat("<template>"),
    "noscript": lambda: _repeat("<noscript><p>"),
    "hidden": lambda: _repeat("<p hidden>x"),
    "styles": lambda: _repeat('<p style="display: none">x'),
    "long styles": lambda: _repeat(f'<p style="{"x " * 30_000}">x'),
    "html tags": lambda: _many_tags('<html a{0}="x">'),
    "body tags": lambda: _many_tags('<body a{0}="x">'),
    "html tags again": lambda: _repeat('<html a="x">'),
    "after html": lambda: _repeat("</html><p>x"),
    "after body": lambda: _repeat("</body></html>x<div>"),
    "roots": lambda: _repeat("</html><html><!-- -->"),
    "JSON-LD, nested": lambda: _json_ld(100_000),
    "JSON-LD, large": lambda: (
        TEXT
        + '<script type="application/ld+json">'
        + json.dumps([{"@type": "Article", "a": i} for i in range(150_000)])
        + "</script>"
    ),
    "frameset": lambda: _repeat("<frameset><frame src=x>"),
    "noise": _noise,
    "namespaces": lambda: _many_tags("<a{0}:b>x"),
    "names": lambda: _many_tags("<n{0}>x</n{0}>"),
    "names, unclosed": lambda: _many_tags("<n{0}>x"),
    "attribute names": lambda: _many_tags("<p a{0}=b>x"),
    "NULs": lambda: TEXT + "<p>" + "\0x" * 4 * MEGABYTE,
}


def make_scorer() -> RelevanceScorer:
    """Return the scorer of a crawl for a real domain."""
    arguments = BilingualSpider.check_arguments(
        {"langs": "de,it", "domain": "health-safety", "seeds": "http://example.org/"}
    )
    return RelevanceScorer(make_matchers(arguments.domain, LANGS))


def measure(name: str, scorer: RelevanceScorer) -> tuple[str, float]:
    """Return what becomes of a page, and the CPU seconds of all stages that read it.

    A page that is refused is cut to what is just accepted.
    """
    page = PAGES[name]()
    refused = is_excessive(page)
    if refused:
        page = _fit(page)
    body = page.encode()
    start = time.process_time()
    document = clean_page(body, url="http://example.org/", identity="x")
    if isinstance(document, CleaningReason):
        return str(document), time.process_time() - start
    _, document.paragraphs = identify_page(document.paragraphs, LANGS)
    document.lang = LANGS[0]
    scorer.score(document)
    format_document(document)
    seconds = time.process_time() - start
    fate = f"{len(document.paragraphs)} paragraphs, {len(document.links)} links"
    return fate + (", cut to the limits" if refused else ""), seconds


def _fit(page: str) -> str:
    """Return the longest beginning of a page that is not refused, to a thousandth."""
    low, high = 0, len(page)
    while high - low > len(page) // 1000:
        middle = (low + high) // 2
        low, high = (low, middle) if is_excessive(page[:middle]) else (middle, high)
    return page[:low]


if __name__ == "__main__":
    page_identifier(tuple(LANGS))
    its_scorer = make_scorer()
    for chosen in sys.argv[1:] or PAGES:
        outcome, seconds = measure(chosen, its_scorer)
        sys.stdout.write(f"{seconds:6.2f} s  {chosen}: {outcome}\n")
        sys.stdout.flush()
