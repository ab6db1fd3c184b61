"""Sites of four shapes in German and Italian, with all that leads away from their texts.

*bulletins*: a text a day for three winters, calendars with empty days, stations without text.
*forum*: boards, pages of threads, profiles, quotes. *wiki*: articles in three languages with
history, editing and categories. *blog*: posts behind pagers, tags, authors and an archive
whose days are mostly empty. Wanted are texts in German or Italian; pairs are a text and its
translation. An odd seed makes sites with speaking classes and addresses and named versions,
an even one with opaque ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from evaluation.served import Answer, PageKey

_Link = tuple[str, str]
LANGS = ("de", "it")
_NAMES = {"de": "Deutsch", "it": "Italiano", "en": "English"}
_MENU = ("Kontakt", "Impressum", "Datenschutz", "Hilfe", "Partner", "Presse")


@lru_cache
def _sentences(lang: str) -> tuple[str, ...]:
    path = Path(__file__).with_name(f"sentences.{lang}.txt")
    texts = re.split(r"\s*\|\s*|\n", path.read_text(encoding="utf-8"))
    return tuple(text for text in texts if len(text) > 20)


@dataclass
class ShapedSite:
    """Pages of one host as HTML by path, wanted paths, pairs of paths and the start."""

    host: str
    pages: dict[str, str] = field(default_factory=dict)
    wanted: set[str] = field(default_factory=set)
    pairs: set[tuple[str, str]] = field(default_factory=set)
    start: str = "/"


class _Writer:
    def __init__(self, host: str, seed: int) -> None:
        self.site = ShapedSite(host)
        self.random = Random(f"{host} {seed}")
        self.is_opaque = seed % 2 == 0
        self._paths: dict[str, str] = {}

    def path(self, name: str) -> str:
        """Return the path of a page by its speaking name."""
        if name == "/" or not self.is_opaque:
            return name
        if name not in self._paths:
            self._paths[name] = f"/node/{len(self._paths) * 7919 % 99991 + 100000}"
        return self._paths[name]

    def name(self, name: str) -> str:
        """Return a class."""
        if not self.is_opaque:
            return name
        return f"css-{crc32(f'{self.site.host} {name}'.encode()):08x}"

    def text(self, lang: str, paragraphs: int) -> str:
        """Return paragraphs that no other page has."""
        sentences = _sentences(lang)
        return "".join(
            f"<p>{escape(' '.join(self.random.sample(sentences, 6)))}</p>"
            for _ in range(paragraphs)
        )

    def words(self, lang: str, number: int = 3) -> str:
        """Return a headline."""
        words = " ".join(self.random.sample(_sentences(lang), 2)).split()
        return " ".join(self.random.sample(words, number)).strip(".,")

    def links(self, name: str, links: Iterable[_Link], tag: str = "ul") -> str:
        """Return links below an element with a class."""
        items = "".join(
            f'<li><a href="{self.path(path)}">{escape(text)}</a></li>'
            for path, text in links
        )
        return f'<div class="{self.name(name)}"><{tag}>{items}</{tag}></div>'

    def add(
        self,
        path: str,
        lang: str,
        body: str,
        *,
        title: str = "",
        is_wanted: bool = False,
        around: str = "",
    ) -> None:
        """Add a page with the menu and the footer that all have."""
        menu = self.links("menu", [("/", "Start"), *self.sections], "ol")
        footer = self.links("footer", [(f"/info/{one}", one) for one in _MENU])
        title = escape(title or self.words(lang))
        place = self.path(path)
        self.site.pages[place] = (
            f"<!DOCTYPE html><html><head><meta charset=utf-8><title>{title}</title></head>"
            f'<body>{menu}<div class="{self.name("content")}"><h1>{title}</h1>{body}</div>'
            f"{around}{footer}</body></html>"
        )
        if is_wanted:
            self.site.wanted.add(place)

    def pair(self, one: str, other: str) -> None:
        self.site.pairs.add((self.path(one), self.path(other)))

    def version(self, path: str, lang: str) -> str:
        """Return the link to a version: its language's name, or a picture."""
        text = _NAMES[lang] if not self.is_opaque else '<img src="/flag.png" alt="">'
        return f'<a class="{self.name("version")}" href="{self.path(path)}">{text}</a>'

    sections: Sequence[_Link] = ()

    def finish(self) -> ShapedSite:
        """Add the pages of the footer and others without a text, to which all lead."""
        for one in _MENU:
            self.add(f"/info/{one}", "de", f"<p>{one}: Tel. 123.</p>", title=one)
        return self.site


def _pages(
    writer: _Writer,
    base: str,
    lang: str,
    items: Sequence[_Link],
    size: int,
    *,
    teaser: int = 0,
) -> None:
    """Add a list in pages, each with links to the others near it."""
    chunks = [items[at : at + size] for at in range(0, len(items), size)] or [[]]
    for number, chunk in enumerate(chunks):
        near = (0, number - 1, number + 1, len(chunks) - 1)
        pager = [
            (f"{base}/{n}" if n else base, str(n + 1))
            for n in dict.fromkeys(near)
            if 0 <= n < len(chunks) and n != number
        ]
        body = writer.links("list", chunk)
        if teaser:
            body = "".join(
                f'<div class="{writer.name("teaser")}"><a href="{writer.path(path)}">'
                f"{escape(text)}</a> {escape(writer.words(lang, 5))}</div>"
                for path, text in chunk
            )
        path = f"{base}/{number}" if number else base
        writer.add(path, lang, body, around=writer.links("pager", pager))


def build_bulletins(host: str, seed: int) -> ShapedSite:
    """Return a site with a text a day, calendars and stations."""
    writer = _Writer(host, seed)
    writer.sections = [
        *((f"/{lang}/archive", f"Archiv {lang}") for lang in LANGS),
        *((f"/{lang}/blog", f"Blog {lang}") for lang in LANGS),
        ("/stations", "Stationen"),
    ]
    months = [(year, month) for year in (2021, 2022, 2023) for month in (1, 2, 3, 12)]
    summers = [(year, month) for year in (2021, 2022, 2023) for month in (6, 7)]
    stations = [(f"/stations/{n}", f"S{n}") for n in range(80)]
    missing = {
        (*month, day)
        for month in months
        for day in range(1, 29)
        if writer.random.random() < 0.15
    }
    for lang in LANGS:
        other = LANGS[lang == "de"]
        writer.add(
            f"/{lang}/archive",
            lang,
            writer.links(
                "months",
                [(f"/{lang}/{y}/{m}", f"{m}/{y}") for y, m in [*summers, *months]],
            ),
        )
        for year, month in [*months, *summers]:
            days = [(f"/{lang}/{year}/{month}/{d}", str(d)) for d in range(1, 29)]
            calendar = writer.links("calendar", days)
            writer.add(
                f"/{lang}/{year}/{month}", lang, calendar, title=f"{month}/{year}"
            )
            for day in range(1, 29):
                path = f"/{lang}/{year}/{month}/{day}"
                is_empty = (year, month) in summers or (
                    lang == "it" and (year, month, day) in missing
                )
                side = writer.links("side", writer.random.sample(stations, 8))
                if is_empty:
                    writer.add(path, lang, "<p>-</p>", around=calendar + side)
                    continue
                version = f"/{other}/{year}/{month}/{day}"
                if other == "it" and (year, month, day) in missing:
                    version = "/"
                elif lang == "de":
                    writer.pair(path, version)
                body = writer.version(version, other) + writer.text(lang, 4)
                around = calendar + side
                writer.add(path, lang, body, is_wanted=True, around=around)
        posts = [(f"/{lang}/blog/post{n}", writer.words(lang)) for n in range(40)]
        _pages(writer, f"/{lang}/blog", lang, posts, 10)
        for path, title in posts:
            text = writer.text(lang, 5)
            writer.add(path, lang, text, title=title, is_wanted=True)
    writer.add("/stations", "de", writer.links("stations", stations))
    for path, title in stations:
        rows = "".join(f"<tr><td>{n}<td>{n * 7 % 31}</tr>" for n in range(20))
        near = writer.links("side", writer.random.sample(stations, 8))
        writer.add(path, "de", f"<table>{rows}</table>", title=title, around=near)
    writer.add("/", "de", writer.text("de", 1))
    return writer.finish()


def build_forum(host: str, seed: int) -> ShapedSite:
    """Return a site of boards, threads, profiles and buttons."""
    writer = _Writer(host, seed)
    boards = [(f"/board{n}", ("de", "it", "en", "en")[n % 4]) for n in range(8)]
    writer.sections = [("/members", "Mitglieder"), ("/search", "Suche")]
    members = [(f"/user/{n}", f"Nutzer {n}") for n in range(250)]
    number = 0
    for board, lang in boards:
        threads: list[_Link] = []
        for order in range(60):
            thread = f"/thread/{number}"
            number += 1
            threads.append((thread, writer.words(lang)))
            is_news = order % 4 == 0 and board in {"/board0", "/board1"}
            other = f"/thread/{order + (60 if lang == 'de' else 0)}"
            if is_news and lang == "de":
                writer.pair(thread, other)
            size = writer.random.choice((1, 1, 2, 4))
            for page in range(size):
                posts = []
                for post in range(5):
                    author = writer.links("author", [writer.random.choice(members)])
                    deeds = [
                        (f"{thread}/quote{page}-{post}", "Zitat"),
                        (f"{thread}/report{page}-{post}", "Melden"),
                    ]
                    text = writer.text(lang, 1)
                    tools = writer.links("tools", deeds)
                    posts.append(
                        f'<div class="{writer.name("post")}">{author}{text}{tools}</div>'
                    )
                    for path, name in deeds:
                        writer.add(path, "de", "<p>Bitte anmelden.</p>", title=name)
                pager = [
                    (f"{thread}/page{n}" if n else thread, str(n + 1))
                    for n in range(size)
                    if n != page
                ]
                version = writer.version(other, "it" if lang == "de" else "de")
                body = (version if is_news else "") + "".join(posts)
                path = f"{thread}/page{page}" if page else thread
                around = writer.links("pager", pager)
                is_wanted = lang in LANGS
                writer.add(path, lang, body, is_wanted=is_wanted, around=around)
        _pages(writer, board, lang, threads, 15)
    _pages(writer, "/members", "de", members, 25)
    for path, title in members:
        writer.add(path, "de", f"<p>Beiträge: {len(path)}</p>", title=title)
    writer.add("/search", "de", "<p>Suche</p>")
    writer.add(
        "/", "de", writer.links("boards", [(b, f"Forum {b[1:]}") for b, _ in boards])
    )
    return writer.finish()


def build_wiki(host: str, seed: int) -> ShapedSite:
    """Return a site of articles in three languages, with their histories."""
    writer = _Writer(host, seed)
    writer.sections = [("/changes", "Änderungen"), ("/categories", "Kategorien")]
    langs = (*LANGS, "en")
    has = {
        lang: {n for n in range(260) if writer.random.random() < share}
        for lang, share in zip(langs, (0.8, 0.6, 0.95), strict=True)
    }
    titles = {(lang, n): writer.words(lang, 2) for lang in langs for n in has[lang]}
    for lang in langs:
        for n in sorted(has[lang]):
            path = f"/{lang}/a{n}"
            near = writer.random.sample(sorted(has[lang]), 6)
            body = writer.text(lang, 3) + "".join(
                f'<p>{escape(writer.words(lang))} <a href="{writer.path(f"/{lang}/a{o}")}">'
                f"{escape(titles[lang, o])}</a></p>"
                for o in near
            )
            tools = [
                (f"{path}/{one}", one) for one in ("talk", "edit", "history", "info")
            ]
            for tool, name in tools:
                back = writer.links("tabs", [*tools, (path, "Artikel")])
                old = [(f"{path}/old{v}", f"{v}.1.2020") for v in range(3)]
                text = (
                    writer.links("versions", old) if name == "history" else "<p>.</p>"
                )
                writer.add(tool, "de", text, title=name, around=back)
            for version in range(3):
                writer.add(f"{path}/old{version}", "de", "<p>.</p>", title="Version")
            versions = "".join(
                writer.version(f"/{other}/a{n}", other)
                for other in langs
                if other != lang and n in has[other]
            )
            groups = writer.links("groups", [(f"/{lang}/cat{n % 13}", f"K{n % 13}")])
            around = writer.links("tabs", tools) + versions + groups
            writer.add(
                path,
                lang,
                body,
                title=titles[lang, n],
                is_wanted=lang in LANGS,
                around=around,
            )
            if lang == "de" and n in has["it"]:
                writer.pair(path, f"/it/a{n}")
        for group in range(13):
            items = [
                (f"/{lang}/a{n}", titles[lang, n])
                for n in sorted(has[lang])
                if n % 13 == group
            ]
            _pages(writer, f"/{lang}/cat{group}", lang, items, 8)
    cats = [(f"/{lang}/cat{n}", f"{lang} {n}") for lang in langs for n in range(13)]
    writer.add("/categories", "de", writer.links("list", cats))
    recent = [
        (f"/{lang}/a{n}", titles[lang, n])
        for lang, n in writer.random.sample(sorted(titles), 40)
    ]
    writer.add("/changes", "de", writer.links("changes", recent))
    writer.add("/", "de", writer.text("de", 1) + writer.links("list", recent[:8]))
    return writer.finish()


def build_blog(host: str, seed: int) -> ShapedSite:
    """Return a site of posts behind pagers, tags, authors and empty days."""
    writer = _Writer(host, seed)
    writer.sections = [
        ("/posts", "Beiträge"),
        ("/archive", "Archiv"),
        ("/tags", "Themen"),
    ]
    tags = [(f"/tag/{n}", f"Thema {n}") for n in range(60)]
    authors = [(f"/author/{n}", f"Autor {n}") for n in range(12)]
    posts = [(f"/post/{n}", writer.words("de")) for n in range(400)]
    ours: dict[str, list[_Link]] = {tag: [] for tag, _ in [*tags, *authors]}
    cloud = writer.links("cloud", tags)
    for n, (path, title) in enumerate(posts):
        own = [*writer.random.sample(tags, 4), writer.random.choice(authors)]
        for tag, _ in own:
            ours[tag].append((path, title))
        reply = [(f"{path}/reply{k}", "Antworten") for k in range(3)]
        for answer, name in reply:
            writer.add(answer, "de", "<p>Bitte anmelden.</p>", title=name)
        near = [posts[m] for m in (n - 1, n + 1) if 0 <= m < len(posts)]
        body = writer.text("de", 4)
        if n % 4 == 0:
            version = f"/traduzioni/{n}"
            body = writer.version(version, "it") + body
            writer.pair(path, version)
            back = writer.version(path, "de") + writer.text("it", 4)
            writer.add(version, "it", back, is_wanted=True, around=cloud)
        around = (
            writer.links("meta", own)
            + writer.links("replies", reply)
            + writer.links("neighbours", near)
            + cloud
        )
        writer.add(path, "de", body, title=title, is_wanted=True, around=around)
    _pages(writer, "/posts", "de", posts, 10, teaser=1)
    for tag, items in ours.items():
        _pages(writer, tag, "de", items, 10)
    writer.add("/tags", "de", writer.links("list", tags))
    days = [f"/archive/{year}/{day}" for year in (2009, 2010) for day in range(100)]
    for number, day in enumerate(days):
        items = [posts[number * 2]] if number >= 190 else []
        near = [(one, one[-4:]) for one in days[number + 1 : number + 3]]
        writer.add(
            day, "de", writer.links("list", items), around=writer.links("pager", near)
        )
    writer.add(
        "/archive", "de", writer.links("days", [(one, one[-4:]) for one in days])
    )
    writer.add("/", "de", writer.links("list", posts[:5]), around=cloud)
    return writer.finish()


SHAPES: dict[str, Callable[[str, int], ShapedSite]] = {
    "bulletins": build_bulletins,
    "forum": build_forum,
    "wiki": build_wiki,
    "blog": build_blog,
}


def answer_of(sites: Iterable[ShapedSite]) -> Answer:
    """Return what serves the pages of sites."""
    by_host = {site.host: site for site in sites}

    def answer(key: PageKey, port: int) -> bytes | None:
        site = by_host.get(key[0])
        page = site.pages.get(key[1]) if site else None
        return None if page is None else page.encode()

    return answer
