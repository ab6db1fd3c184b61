"""Made-up sites with the addresses and markup of real systems (``evaluation/systems``).

A site is made of texts of translated pages; ``systems.toml`` has the addresses of each system, a
template its pages, with the marks of :mod:`evaluation.framed_sites`.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, cached_property
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from evaluation.data import SITES, read_table
from evaluation.framed_sites import TEMPLATES, Frame, count_words
from evaluation.framed_texts import Text, read_page_text
from ilspfc.text.word_split import split_words

SYSTEMS = Path(__file__).parent / "systems"
_LAST_DAY, _DAYS = date(2025, 6, 20), 11


class GoneError(Exception):
    """There is no such page."""


class RedirectError(Exception):
    """The page is at another address, the argument."""


@dataclass(frozen=True, slots=True)
class Article:
    """A text on a site in one language: what addresses and frames are made of.

    Versions share ``number`` (from 0), ``code``, ``name`` and ``digest``; ``slug`` is the title's, ``id`` a number
    of the version alone.
    """

    system: str
    number: int
    lang: str
    rank: int
    text: Text
    name: str
    url: str = ""

    @property
    def title(self) -> str:
        """The title."""
        return self.text.title

    @property
    def slug(self) -> str:
        """The title as part of an address, with the number."""
        return f"{slugify(self.title) or self.name}-{self.number}"

    @property
    def code(self) -> int:
        """A number that versions share."""
        return 1040 + 3 * self.number

    @property
    def id(self) -> int:
        """A number that versions do not share."""
        return 20_000 + (self.number * 37 + self.rank * 1213) % 9973

    @property
    def digest(self) -> str:
        """Hexadecimal digits."""
        return blake2b(f"{self.code} {self.rank}".encode(), digest_size=8).hexdigest()

    @property
    def day(self) -> date:
        """The day of publication; versions appear some days later."""
        days = read_systems()[self.system].get("days", _DAYS)
        return _LAST_DAY - timedelta(self.number * days - 2 * self.rank)

    @property
    def section(self) -> int:
        """One of four sections."""
        return self.number % 4

    @property
    def section_slug(self) -> str:
        """The name of the section in the language, in an address."""
        return slugify(read_words()[self.lang]["sections"][self.section])

    @property
    def section_name(self) -> str:
        """The English name of the section, in an address."""
        return slugify(read_words()["en"]["sections"][self.section])

    @property
    def native(self) -> str:
        """The title as part of an address in its own letters, with the number."""
        return f"{'-'.join(split_words(self.title.lower())[:7])}-{self.number}"

    @property
    def native_section(self) -> str:
        """The name of the section as part of an address in the letters of the language."""
        name: str = read_words()[self.lang]["sections"][self.section]
        return "-".join(split_words(name.lower()))

    @property
    def tags(self) -> list[str]:
        """Words of the title."""
        return [one for one in slugify(self.title).split("-") if len(one) > 4][:3]

    @property
    def author(self) -> str:
        """An author's name in an address."""
        return ("kmeier", "admin", "redaktion")[self.number % 3]

    @property
    def wiki(self) -> str:
        """The title of a wiki page."""
        return f"{self.name.capitalize().replace('-', '_')}"

    @property
    def camel(self) -> str:
        """The title in one word."""
        return "".join(part.capitalize() for part in self.slug.split("-"))

    @property
    def short(self) -> str:
        """An abbreviation that versions share."""
        return f"{self.name[:3]}{self.code}"

    @property
    def item(self) -> int:
        """An entry of a menu."""
        return 31 + self.section

    @property
    def act(self) -> int:
        """The chapter of a law."""
        return 2 + self.section

    @property
    def board(self) -> int:
        """The board of a forum."""
        return 2 + self.rank


@cache
def read_words() -> dict[str, Any]:
    """Return the words of the frames by language."""
    return tomllib.loads((SYSTEMS / "words.toml").read_text("utf-8"))


@cache
def read_systems() -> dict[str, dict[str, Any]]:
    """Return the addresses of each system."""
    return tomllib.loads((SYSTEMS / "systems.toml").read_text("utf-8"))


def slugify(text: str) -> str:
    """Return a text as part of an address in ASCII, empty if nothing is left."""
    text = text.lower().replace("ß", "ss")
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain)[:7])


def read_parallel(system: Mapping[str, Any]) -> list[dict[str, Text]]:
    """Return translated pages by language, in an order that is the same at each call."""
    found: list[dict[str, Text]] = []
    for site in system["sources"]:
        by_key: dict[str, dict[str, str]] = defaultdict(dict)
        for row in read_table(SITES / site):
            is_translated = float(row.get("lid_share", 1)) > 0.8
            if row.get("status", "ok") == "ok" and is_translated:
                by_key[row["key"]][row["lang"]] = row["path"]
        keys = [key for key in by_key if by_key[key].keys() >= set(system["langs"])]
        Random(site).shuffle(keys)
        for key in keys:
            if len(found) == system["keys"]:
                return found
            texts = {
                lang: read_page_text(lang, site, by_key[key][lang])
                for lang in system["langs"]
            }
            whole = {lang: text for lang, text in texts.items() if text}
            least, most = system.get("least", 60), system.get("words", 1200)
            sizes = [len(text.blocks) and count_words(text) for text in whole.values()]
            if len(whole) == len(texts) and least <= min(sizes) <= max(sizes) <= most:
                found.append(whole)
    return found


class Site:
    """A made-up site: its articles, and the page at each address."""

    def __init__(self, name: str, texts: Sequence[Mapping[str, Text]]) -> None:
        self.name = name
        self.system = read_systems()[name]
        self.langs: list[str] = self.system["langs"]
        self.articles: dict[str, list[Article]] = {lang: [] for lang in self.langs}
        self._by_address: dict[Any, tuple[str, Article]] = {}
        alone = self.system.get("untranslated", 0)
        for number, versions in enumerate(texts):
            first = versions[self.langs[0]]
            word = slugify(versions.get("en", first).title) or "page"
            for rank, lang in enumerate(self.langs):
                text, is_shown = versions[lang], True
                if rank and number % max(len(texts) // max(alone, 1), 2) == 1 and alone:
                    text, is_shown = first, self.system.get("fallback", False)
                article = Article(name, number, lang, rank, text, f"{word}-{number}")
                if is_shown:
                    self._add(article)
        self._env = Environment(
            loader=FileSystemLoader([SYSTEMS, TEMPLATES]),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
        )
        self._template = self._env.get_template(f"{name}.html")
        self._visits = 0

    def _add(self, article: Article) -> None:
        form = self.system["article"]
        form = form if isinstance(form, str) else form[article.lang]
        address = form.format(a=article)
        article = replace(article, url=self.localize(address, article.lang))
        self.articles[article.lang].append(article)
        path, values = self.split(article.url)
        self._by_address[self._key(path, values)] = article.lang, article

    def localize(self, address: str, lang: str) -> str:
        """Return an address with the parameter of a language."""
        name = self.system.get("lang_param")
        if not name or lang == self.langs[0]:
            return address
        return f"{address}{'&' if '?' in address else '?'}{name}={lang}"

    def split(self, address: str) -> tuple[str, dict[str, str]]:
        """Return the path and the parameters of an address."""
        for pattern, form in self.system.get("rewrite", ()):
            address = re.sub(pattern, form, address)
        parts = urlsplit(address)
        path = unquote(parts.path) or "/"
        values = dict(parse_qsl(parts.query, keep_blank_values=True))
        if alias := self.system.get("alias"):
            values.setdefault(alias[1], values.get(alias[0], ""))
        return path.lower() if self.system.get("fold") else path, values

    def _key(self, path: str, values: Mapping[str, str]) -> tuple[Any, ...]:
        first = ("", "0", self.langs[0])
        params = self.system.get("params", ())
        kept = [values.get(name, "") for name in params]
        kept = ["" if value in first else value for value in kept]
        return path, *kept

    def find(self, path: str, values: Mapping[str, str]) -> Article | None:
        """Return the article at an address or one that is a copy of it."""
        paths = [path]
        if same := self.system.get("same"):
            sections = {s for one in self.articles.values() for s in map(_section, one)}
            for section in sorted(sections) if "{section}" in same[1] else [""]:
                form = same[1].replace("{section}", section)
                paths += [re.sub(same[0], form, path)]
        for one in paths:
            if found := self._by_address.get(self._key(one, values)):
                return found[1]
        return None

    def resolve(self, address: str, cookie: str = "") -> tuple[str, dict[str, Any]]:
        """Return the kind of the page at an address, and the values for its template.

        Raises GoneError where there is none.
        """
        path, values = self.split(address)
        if cookie and (name := self.system.get("cookie")):
            values.setdefault(name, cookie)
        routes: dict[str, str] = self.system["routes"]
        for kind, form in routes.items():
            if form.startswith("?") and form[1:] in values:
                return kind, self._values(values, {}, path)
        if article := self.find(path, values):
            return "article", {**self._values(values, {}, path), "a": article}
        for kind, form in routes.items():
            if not form.startswith("?") and (match := re.fullmatch(form, path)):
                return kind, self._values(values, match.groupdict(), path)
        raise GoneError(address)

    def _values(
        self, query: Mapping[str, str], groups: Mapping[str, Any], path: str
    ) -> dict[str, Any]:
        lang = groups.get("lang") or query.get(self.system.get("lang_param", ""), "")
        lang = (
            lang or query.get(self.system.get("cookie", ""), "") or query.get("L", "")
        )
        if lang.isdigit():
            lang = self.langs[int(lang) % len(self.langs)]
        lang = lang[:2] if lang[:2] in self.langs else self.langs[0]
        if not groups.get("lang") and re.match(r"/(\w\w)/", path):
            lang = path[1:3] if path[1:3] in self.langs else lang
        return {
            "q": query,
            "g": {"n": None, **groups},
            "lang": lang,
            "path": path,
            "a": None,
        }

    def render(self, address: str, cookie: str = "", origin: str = "") -> str:
        """Return the marked page at an address.

        Raises GoneError where there is none, RedirectError where it is elsewhere.
        """
        kind, values = self.resolve(address, cookie)
        self._visits += 1
        article = values["a"]
        lang = values["lang"] = article.lang if article else values["lang"]
        items = self.articles[lang]
        shown: Any = article or items[len(address) % len(items)]
        near: Any = items
        frame = Frame(f"{self.name} {kind}", shown, near, self.spare[lang])
        session = blake2b(str(self._visits).encode(), digest_size=16).hexdigest()
        return self._template.render(
            values,
            kind=kind,
            items=items,
            frame=frame,
            address=address,
            origin=origin,
            session=session,
            site=self,
            langs=self.langs,
            w=read_words()[lang],
            words=read_words(),
            versions=self.versions(article),
            url=lambda path, to=lang: self.localize(path, to),
            slugify=slugify,
            gone=_gone,
            redirect=_redirect,
            days=_days,
            cut=_cut,
        )

    def versions(self, article: Article | None) -> dict[str, Article]:
        """Return the versions of an article by language."""
        if article is None:
            return {}
        every = [one for some in self.articles.values() for one in some]
        return {one.lang: one for one in every if one.number == article.number}

    @cached_property
    def spare(self) -> dict[str, list[str]]:
        """Sentences for what readers say, by language."""
        return {
            lang: [one for a in articles[:6] for one in a.text.sentences]
            for lang, articles in self.articles.items()
        }

    @cached_property
    def content(self) -> list[Article]:
        """The articles that are in their own language, on pages of their own."""
        every = [one for some in self.articles.values() for one in some]
        both = self.system.get("side_by_side", 1 << 30)
        return [
            one
            for one in every
            if one.lang == one.text.lang and one.number % both != both - 1
        ]


def _section(article: Article) -> str:
    return article.section_slug


def _gone() -> None:
    raise GoneError


def _redirect(address: str) -> None:
    raise RedirectError(address)


def _cut(
    items: Sequence[Article], number: str | int | None, size: int = 10
) -> tuple[Sequence[Article], bool]:
    """Return what is on a page of a list, from 1, and whether more follows."""
    start = (int(number or 1) - 1) * size
    if not (some := items[max(start, 0) : start + size]):
        raise GoneError
    return some, len(items) > start + size


def _days(year: int, month: int, offset: int) -> tuple[int, int]:
    """Return the year and month some months away."""
    number = year * 12 + month - 1 + offset
    return number // 12, number % 12 + 1
