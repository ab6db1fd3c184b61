"""Articles on beekeeping for the wikis of the tests, as MediaWiki's export XML.

Names, categories and links stand in ``mediawiki/*.tsv``; the texts are put together from a
few sentences for each category and language. All of it is the project's own.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from itertools import cycle, islice
from pathlib import Path
from xml.sax.saxutils import escape

DATA = Path(__file__).resolve().parent / "mediawiki"
LANGS = ("en", "de", "it")

Row = dict[str, str]

# A page that is in the category beneath it: the tree has a loop.
LOOP = ("root", "hive")
# A redirect that is in a category, as some wikis have them.
FILED_REDIRECT = {"en": "Bee glue", "de": "Bienenharz"}

_SENTENCES = {
    "en": {
        "root": "belongs to the basics of [[Beekeeping]]. Whoever keeps a [[Bee colony]]"
        " has to do with it all year.",
        "tools": "is one of the tools of the [[Beekeeper]]. It is used at the [[Beehive]]"
        " or when the [[Honey]] is taken.",
        "hive": "is a part or a form of the [[Beehive]], in which a [[Bee colony]] lives.",
        "products": "is a product of the [[Honey bee]]. The [[Beekeeper]] takes it from"
        " the [[Beehive]].",
        "honeys": "is a kind of [[Honey]]. Its colour and taste depend on what the"
        " [[Honey bee]] has visited.",
        "bees": "has to do with the [[Honey bee]] and the life of the [[Bee colony]].",
        "diseases": "harms the [[Honey bee]] or its brood and can weaken a"
        " [[Bee colony]].",
        "viruses": "is a virus of the [[Honey bee]]; [[Varroa destructor]] spreads it.",
        "plants": "gives nectar and pollen, which the [[Honey bee]] turns into [[Honey]].",
        "methods": "is a part of the work of the [[Beekeeper]] in the course of the year.",
        "people": "is known in the history of [[Beekeeping]].",
    },
    "de": {
        "root": "gehört zu den Grundlagen der [[Imkerei]]. Wer ein [[Bienenvolk]] hält,"
        " hat das ganze Jahr damit zu tun.",
        "tools": "gehört zu den Geräten der [[Imkerei]]. Gebraucht wird es am"
        " [[Bienenstock]] oder wenn der [[Honig]] geerntet wird.",
        "hive": "ist ein Teil oder eine Form des [[Bienenstock]]s, in dem ein"
        " [[Bienenvolk]] lebt.",
        "products": "stammt von der [[Honigbiene]] und wird aus dem [[Bienenstock]]"
        " gewonnen.",
        "honeys": "ist eine Art von [[Honig]]. Farbe und Geschmack hängen davon ab, was"
        " die [[Honigbiene]] besucht hat.",
        "bees": "hat mit der [[Honigbiene]] und dem Leben im [[Bienenvolk]] zu tun.",
        "diseases": "schadet der [[Honigbiene]] oder ihrer Brut und kann ein"
        " [[Bienenvolk]] schwächen.",
        "viruses": "ist ein Virus der [[Honigbiene]]; die [[Varroamilbe]] überträgt es.",
        "plants": "gibt Nektar und Pollen, woraus die [[Honigbiene]] [[Honig]] macht.",
        "methods": "ist ein Teil der Arbeit der [[Imkerei]] im Laufe des Jahres.",
        "people": "ist in der Geschichte der [[Imkerei]] bekannt.",
    },
    "it": {
        "root": "fa parte delle basi dell'[[Apicoltura]]. Chi tiene una"
        " [[Famiglia d'api]] se ne occupa tutto l'anno.",
        "tools": "fa parte degli attrezzi dell'[[Apicoltore]]. Si usa presso l'[[Arnia]]"
        " o quando si raccoglie il [[Miele]].",
        "hive": "è una parte o una forma dell'[[Arnia]], in cui vive una"
        " [[Famiglia d'api]].",
        "products": "viene dall'[[Ape mellifera]]; l'[[Apicoltore]] lo prende"
        " dall'[[Arnia]].",
        "honeys": "è un tipo di [[Miele]]. Il colore e il sapore dipendono da ciò che"
        " l'[[Ape mellifera]] ha visitato.",
        "bees": "riguarda l'[[Ape mellifera]] e la vita della [[Famiglia d'api]].",
        "diseases": "nuoce all'[[Ape mellifera]] o alla sua covata e può indebolire una"
        " [[Famiglia d'api]].",
        "viruses": "è un virus dell'[[Ape mellifera]]; lo trasmette l'[[Acaro varroa]].",
        "plants": "dà nettare e polline, che l'[[Ape mellifera]] trasforma in [[Miele]].",
        "methods": "fa parte del lavoro dell'[[Apicoltore]] nel corso dell'anno.",
        "people": "è noto nella storia dell'[[Apicoltura]].",
    },
}
_SEE = {"en": "See also", "de": "Siehe auch", "it": "Vedi anche"}
_LINKS = {"en": "External links", "de": "Weblinks", "it": "Collegamenti esterni"}


def read_rows(name: str) -> list[Row]:
    """Return the lines of a table."""
    text = (DATA / name).read_text("utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t"))


def export_xml(lang: str, links: Mapping[str, str]) -> str:
    """Return all pages of a wiki; ``links`` are the URLs of ``lang:key``."""
    pages = "".join(
        f"<page><title>{escape(title)}</title><ns>{14 if is_category else 0}</ns>"
        "<revision><timestamp>2026-01-01T00:00:00Z</timestamp>"
        "<contributor><username>Admin</username></contributor>"
        "<model>wikitext</model><format>text/x-wiki</format>"
        f'<text xml:space="preserve">{escape(text)}</text></revision></page>'
        for title, is_category, text in _iter_pages(lang, links)
    )
    return (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10"'
        f' xml:lang="{lang}">{pages}</mediawiki>'
    )


def _iter_pages(lang: str, links: Mapping[str, str]) -> Iterator[tuple[str, bool, str]]:
    """Yield title, whether it is a category, and wikitext of each page."""
    categories = {row["key"]: row for row in read_rows("categories.tsv")}
    for key, row in categories.items():
        parents = [row["parent"]] if row["parent"] else []
        parents += [parent for child, parent in [LOOP] if child == key]
        text = "".join(f"[[Category:{categories[p][lang]}]]\n" for p in parents)
        versions = [f"[[{o}:Category:{row[o]}]]" for o in LANGS if o != lang]
        yield f"Category:{row[lang]}", True, text + "\n".join(versions)
    articles = [row for row in read_rows("articles.tsv") if row[lang]]
    for number, row in enumerate(articles):
        title, *redirects = row[lang].split(";")
        category = f"[[Category:{categories[row['category']][lang]}]]"
        yield (
            title,
            False,
            _text(row, lang, _neighbors(articles, number, lang), links, category),
        )
        for redirect in redirects:
            filed = category if redirect == FILED_REDIRECT.get(lang) else ""
            yield redirect, False, f"#REDIRECT [[{title}]]\n{filed}"


def _neighbors(articles: list[Row], number: int, lang: str) -> list[str]:
    """Return the titles of the two articles that follow in the same category."""
    same = [row for row in articles if row["category"] == articles[number]["category"]]
    place = same.index(articles[number])
    following = islice(cycle(same), place + 1, place + 3)
    return [row[lang].split(";")[0] for row in following]


def _text(
    row: Row, lang: str, neighbors: list[str], links: Mapping[str, str], category: str
) -> str:
    title = row[lang].split(";")[0]
    lines = [f"'''{title}''' {_SENTENCES[lang][row['category']]}", ""]
    lines += [f"== {_SEE[lang]} ==", *(f"* [[{name}]]" for name in neighbors), ""]
    if url := links.get(f"{lang}:{row['link']}"):
        lines += [f"== {_LINKS[lang]} ==", f"* [{url} {title}]", ""]
    lines.append(category)
    lines += [f"[[{o}:{row[o].split(';')[0]}]]" for o in LANGS if o != lang and row[o]]
    return "\n".join(lines)
