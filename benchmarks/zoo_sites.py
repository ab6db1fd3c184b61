"""A zoo of generated sites: legitimate ones of many shapes, and traps.

A site is a function from a URL to a page, the same at every call but for what a server makes
up at each visit (sessions). Every text is drawn from words, so that no two pages have a
paragraph in common unless the site wants them to.
"""

from __future__ import annotations

import random
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from hashlib import blake2b
from itertools import count, product
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit
from uuid import UUID

from benchmarks.site import WORDS

BASE = "http://zoo.example"
MONTHS = "January February March April May June July August September October November December".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


class ZooPage(NamedTuple):
    """Page of a site: paragraphs and links, or the path that it redirects to."""

    texts: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    is_kept: bool = True
    target: str = ""


@dataclass
class ZooSite:
    """Site with its real pages, links by path; ``extra`` answers all other paths.

    ``plain`` returns the real path of a version of it.
    """

    name: str
    links: dict[str, list[str]]
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    everywhere: Callable[[str], Iterable[str]] = lambda _: ()
    plain: Callable[[str], str] = lambda path: path
    extra: Callable[[str], ZooPage | None] = lambda _: None
    is_kept: bool = True
    is_made: bool = False

    def page(self, path: str) -> ZooPage | None:
        """Return the page at a path, None for one that is not there."""
        if path not in self.links or self.is_made:
            return self.extra(path)
        texts = self.texts.get(path)
        links = (*self.links[path], *self.everywhere(path))
        return ZooPage(text_of(path) if texts is None else texts, links, self.is_kept)


def text_of(seed: str, paragraphs: int = 2, words: int = 24) -> tuple[str, ...]:
    """Return paragraphs that only this seed gives."""
    generator = random.Random(seed)
    return tuple(
        " ".join(generator.choices(WORDS, k=words)).capitalize() + "."
        for _ in range(paragraphs)
    )


def digest(*parts: object, size: int = 5) -> str:
    """Return hexadecimal digits that only these parts give."""
    return blake2b(repr(parts).encode(), digest_size=size).hexdigest()


def letters(*parts: object, size: int = 6) -> str:
    """Return letters that only these parts give."""
    return digest(*parts, size=size).translate(
        str.maketrans("0123456789", "ghijklmnop")
    )


def mixed(*parts: object) -> str:
    """Return letters and digits that only these parts give."""
    return urlsafe_b64encode(bytes.fromhex(digest(*parts, size=9))).decode()


def slug(*parts: object, words: int = 3) -> str:
    """Return words that only these parts give, most probably."""
    return "-".join(random.Random(repr(parts)).choices(WORDS, k=words))


# -- legitimate sites --------------------------------------------------------------------

LEGITIMATE: dict[str, Callable[[], ZooSite]] = {}
TRAPS: dict[str, Callable[[], ZooSite]] = {}


def in_lists(
    name: str,
    items: Iterable[str],
    per_list: int = 300,
    list_path: Callable[[int], str] = lambda n: f"/list/{n}",
    *,
    is_chain: bool = False,
    intro: tuple[str, ...] = (),
) -> ZooSite:
    """Return a site of pages in lists; lists of a chain are linked to from the one before."""
    items = list(dict.fromkeys(items))
    lists = {
        list_path(n): items[start : start + per_list]
        for n, start in enumerate(range(0, len(items), per_list), 1)
    }
    names = list(lists)
    links = {"/": names[:1] if is_chain else names, **{item: ["/"] for item in items}}
    for n, (path, shown) in enumerate(lists.items()):
        links[path] = [*shown, *(names[n + 1 : n + 2] if is_chain else names[:20])]
    return ZooSite(name, links, dict.fromkeys(names, intro))


def legitimate(
    name: str, form: Callable[[int], str], pages: int = 400, **options: object
) -> None:
    """Add a site of pages in lists to the zoo."""
    LEGITIMATE[name] = lambda: in_lists(name, map(form, range(pages)), **options)  # type: ignore[arg-type]


def legitimate_site(make: Callable[[], ZooSite]) -> Callable[[], ZooSite]:
    """Add a site to the zoo, under the name of its function."""
    name = make.__name__.strip("_").replace("_", " ")

    def made() -> ZooSite:
        site = make()
        site.name = name
        return site

    LEGITIMATE[name] = made
    return made


@legitimate_site
def _old_addresses_that_redirect() -> ZooSite:
    """Half of the pages are known by their new addresses when the old ones are asked."""
    items = [f"/{slug('moved', n, words=5)}" for n in range(400)]
    site = in_lists("", items[:200], per_list=50)
    old = {f"/node/{n}": item for n, item in enumerate(items)}
    lists = {f"/archive/{n}": list(old)[n * 50 : n * 50 + 50] for n in range(8)}
    site.links |= {item: ["/"] for item in items} | lists
    site.links["/"] += lists
    site.texts |= dict.fromkeys(lists, ())
    site.extra = lambda path: ZooPage(target=old[path]) if path in old else None
    return site


@legitimate_site
def _languages_behind_redirects() -> ZooSite:
    """Each German page switches to the Italian one, which only half of the lists have."""
    items = [slug("switch", n, words=5) for n in range(200)]
    italian = [f"/it/{item}" for item in items]
    site = in_lists("", [*italian[:100], *(f"/de/{item}" for item in items)], 50)
    site.links |= {path: ["/"] for path in italian}

    def switch(path: str) -> list[str]:
        query = urlencode({"to": "it", "from": path})
        return [f"/switch?{query}"] if path.startswith("/de/") else []

    def page(path: str) -> ZooPage | None:
        source = dict(parse_qsl(urlsplit(path).query)).get("from", "")
        target = source.replace("/de/", "/it/", 1)
        return ZooPage(target=target) if source in site.links else None

    site.everywhere, site.extra = switch, page
    return site


def trap(make: Callable[[], ZooSite]) -> Callable[[], ZooSite]:
    """Add a trap to the zoo, under the name of its function."""
    legitimate_site(make)
    name, made = LEGITIMATE.popitem()
    TRAPS[name] = made
    return made


for _pages, _lists in ((10, 300), (300, 300), (1_500, 300), (4_000, 310)):
    legitimate(
        f"opaque ids in the path, {_pages:,} pages",
        lambda n: f"/n/{digest('n', n)}.html",
        _pages,
        per_list=_lists,
    )
legitimate("opaque ids, 20,000 pages", lambda n: f"/doc/{digest('d', n)}", 20_000)
legitimate("opaque ids at the root", lambda n: f"/{mixed('r', n)}")
legitimate("opaque ids in the query", lambda n: f"/view?id={digest('q', n, size=8)}")
legitimate("UUIDs", lambda n: f"/record/{UUID(digest('u', n, size=16))}")
legitimate("base64", lambda n: f"/p/{mixed('b', n)}%3D%3D", is_chain=True, per_list=40)
legitimate("ids of letters", lambda n: f"/{letters('l', n)}", per_list=50)
legitimate("numbers", lambda n: f"/article/{n + 1000}")
legitimate("numbers at the root", lambda n: f"/{n}.html", per_list=20)
legitimate("two parameters", lambda n: f"/index.php?cat={n % 7}&id={n}")
legitimate(
    "three parameters, lists too",
    lambda n: f"/index.php?item={n}&part={n % 5}&year={1990 + n % 30}",
    list_path=lambda n: f"/index.php?list={n}",
    per_list=25,
)
legitimate(
    "parameters of words",
    lambda n: f"/?{urlencode({'page': slug('w', n), 'topic': WORDS[n % 9]})}",
    list_path=lambda n: f"/?index={n}",
    per_list=10,
)
legitimate("slugs of common words", lambda n: f"/{slug('s', n)}", per_list=15)
legitimate(
    "slugs beside lists",
    lambda n: f"/{slug('s', n)}",
    list_path=lambda n: f"/{slug('list', n, words=2)}",
    per_list=5,
)
legitimate("lists of 1,000 links", lambda n: f"/item/{slug(n)}", 3_000, per_list=1_000)
legitimate(
    "pager start",
    lambda n: f"/read.php?doc={mixed(n)}",
    list_path=lambda n: f"/read.php?start={n * 4}",
    per_list=4,
    is_chain=True,
)
legitimate(
    "pager page",
    lambda n: f"/blog/{slug('p', n)}",
    list_path=lambda n: f"/blog/page/{n}",
    per_list=3,
    is_chain=True,
)
legitimate(
    "pager cursor",
    lambda n: f"/post/{n}",
    list_path=lambda n: f"/feed?cursor={mixed('c', n)}",
    per_list=3,
    is_chain=True,
    intro=text_of("the same introduction on each page"),
)
legitimate("stories by sid", lambda n: f"/story.php?sid={n + 1}")
legitimate(
    "stories by sid with date",
    lambda n: (
        f"/article.pl?sid={2000 + n // 200:02}/{n % 12 + 1:02}/{n % 28 + 1:02}/{n}"
    ),
)
legitimate(
    "stories by long sid",
    lambda n: f"/story.php?sid={digest('sid', n, size=16)}",
    300,
    per_list=50,
)
legitimate("session_id of slugs", lambda n: f"/program?session_id={slug('t', n)}")
legitimate("sessionid of numbers", lambda n: f"/talk?room=2&sessionid={n}")
legitimate(
    "language by parameter",
    lambda n: f"/page/{n // 4}?lang={'de en it fr'.split()[n % 4]}",
)
legitimate(
    "language by path", lambda n: f"/{'de en it fr'.split()[n % 4]}/{slug(n // 4)}/"
)
legitimate(
    "language by host",
    lambda n: f"http://{'de en it fr'.split()[n % 4]}.zoo.example/page/{n // 4}",
)
legitimate(
    "many small sections",
    lambda n: f"/{slug('a', n, words=2)}/{slug('b', n, words=2)}",
    per_list=12,
)
legitimate(
    "ids with dates",
    lambda n: f"/2021/{n % 12 + 1:02}/{digest('m', n)}",
    is_chain=True,
    per_list=30,
)
legitimate(
    "words joined", lambda n: f"/tags/{'+'.join(sorted(set(slug('j', n).split('-'))))}"
)
legitimate("matrix parameters", lambda n: f"/item;id={n};view=full")
legitimate("tokens before names", lambda n: f"/user/{digest('x', n)}/profile")
legitimate(
    "a date for each page", lambda n: f"/archive/{date(1848, 3, 1) + timedelta(n)}"
)
legitimate(
    "search results",
    lambda n: f"/doc/{slug('sr', n)}",
    list_path=lambda n: f"/search?q={WORDS[n]}",
    per_list=9,
)
legitimate(
    "deep paths",
    lambda n: (
        "/"
        + "/".join(slug("deep", n // 2**k, words=1) + str(n // 2**k) for k in range(12))
    ),
)


@legitimate_site
def _date_archive() -> ZooSite:
    days = [date(2015, 1, 1) + timedelta(n * 5) for n in range(300)]
    links: dict[str, list[str]] = {"/": []}
    for n, day in enumerate(days):
        year, month = f"/{day:%Y}/", f"/{day:%Y/%m}/"
        for path, parent in (
            (year, "/"),
            (month, year),
            (f"/{day:%Y/%m/%d}/{slug(n)}", month),
        ):
            links.setdefault(path, [])
            if path not in links[parent]:
                links[parent].append(path)
    lists: dict[str, tuple[str, ...]] = {path: () for path in links if len(path) < 11}
    return ZooSite("", links, lists)


@legitimate_site
def _calendar_with_events() -> ZooSite:
    days = [date(1900, 1, 1) + timedelta(n) for n in range(400)]
    paths = [f"/events/{day:%Y-%m-%d}" for day in days]
    links = {path: paths[n + 1 : n + 2] for n, path in enumerate(paths)}
    return ZooSite("", {"/": paths[:1], **links})


@legitimate_site
def _forum() -> ZooSite:
    links: dict[str, list[str]] = {"/": [f"/viewforum.php?f={f}" for f in range(6)]}
    texts: dict[str, tuple[str, ...]] = {}
    for f in range(6):
        for start in range(0, 60, 20):
            path = f"/viewforum.php?f={f}" + (f"&start={start}" if start else "")
            topics = range(f * 100 + start, f * 100 + start + 20)
            links[path] = [f"/viewtopic.php?f={f}&t={t}" for t in topics]
            links[path] += [f"/viewforum.php?f={f}&start={s}" for s in (20, 40)]
            texts[path] = ()
            for t in topics:
                links[f"/viewtopic.php?f={f}&t={t}"] = [
                    f"/viewtopic.php?f={f}&t={t}&start=15"
                ]
                links[f"/viewtopic.php?f={f}&t={t}&start=15"] = ["/"]
    return ZooSite("", links, texts)


@legitimate_site
def _wiki_by_title() -> ZooSite:
    titles = list(
        dict.fromkeys(slug("wiki", n).title().replace("-", "_") for n in range(500))
    )
    paths = [f"/w/index.php?title={title}" for title in titles]
    links = {
        path: [paths[(3 * n + k) % len(paths)] for k in (1, 2, 3)]
        for n, path in enumerate(paths)
    }
    return ZooSite("", {"/": paths[:3], **links})


@legitimate_site
def _shop_facets_with_pages() -> ZooSite:
    values = {
        "brand": "acme apex zenith".split(),
        "color": "red blue green".split(),
        "size": "xl m s".split(),
    }
    facets = [
        "/shop?" + urlencode(dict(chosen))
        for size in (1, 2, 3)
        for names in product(
            *([(name, value) for value in values[name]] for name in list(values)[:size])
        )
        for chosen in [names]
    ]
    products = [f"/shop/{slug('product', n)}" for n in range(198)]
    links = {path: products[n * 5 : n * 5 + 8] for n, path in enumerate(facets)}
    links.update(dict.fromkeys(products, facets[:3]))
    return ZooSite("", {"/": facets, **links})


@legitimate_site
def _lists_of_lists() -> ZooSite:
    links: dict[str, list[str]] = {"/": [f"/{a}" for a in "abcdefgh"]}
    for a in "abcdefgh":
        links[f"/{a}"] = [f"/{a}/{b}" for b in "abcdefgh"]
        for b in "abcdefgh":
            links[f"/{a}/{b}"] = [f"/page/{mixed(a, b, n)}" for n in range(8)]
    texts: dict[str, tuple[str, ...]] = dict.fromkeys(links, ())
    links.update(
        {item: [] for shown in [*links.values()] for item in shown if "page" in item}
    )
    return ZooSite("", links, texts)


@legitimate_site
def _tree_of_depth_8() -> ZooSite:
    """Children have the same names everywhere."""
    links: dict[str, list[str]] = {}
    for depth in range(9):
        for names in product(("branch", "twig"), repeat=depth):
            path = "/" + "".join(f"{name}/" for name in names)
            links[path] = [f"{path}branch/", f"{path}twig/"] if depth < 8 else []
    return ZooSite("", links)


@legitimate_site
def _numbered_tree() -> ZooSite:
    links: dict[str, list[str]] = {}
    for depth in range(6):
        for names in product("012", repeat=depth):
            path = "/" + "".join(f"{name}/" for name in names)
            links[path] = [f"{path}{n}/" for n in range(3)] if depth < 5 else []
    return ZooSite("", links, {path: () for path in links if links[path]})


@legitimate_site
def _two_systems_on_one_host() -> ZooSite:
    form = "/index.php?option=com_content&view=article&id={}"
    pages = [f"/blog/{slug('cms', n)}" for n in range(150)]
    pages += [form.format(n) for n in range(150)]
    return in_lists("", pages, 20, lambda n: f"/index.php?option=com_list&p={n}")


@legitimate_site
def _one_long_chain() -> ZooSite:
    paths = [f"/chain/{mixed('chain', n)}" for n in range(300)]
    return ZooSite(
        "", {"/": paths[:1], **{p: paths[n + 1 : n + 2] for n, p in enumerate(paths)}}
    )


@legitimate_site
def _other_languages() -> ZooSite:
    site = in_lists("", (f"/n/{digest('o', n)}" for n in range(400)))
    site.is_kept = False
    return site


@legitimate_site
def _thin_pages() -> ZooSite:
    site = in_lists("", (f"/word/{letters('t', n)}" for n in range(300)))
    for path in site.links:
        if "word" in path:
            site.texts[path] = (" ".join(random.Random(path).choices(WORDS, k=6)),)
    return site


@legitimate_site
def _one_paragraph_differs() -> ZooSite:
    site = in_lists("", (f"/place/{digest('1', n)}" for n in range(300)))
    for path in site.links:
        site.texts[path] = (*text_of("template", 12, 40), *text_of(path, 1, 16))
    return site


@legitimate_site
def _tables_of_numbers() -> ZooSite:
    site = in_lists("", (f"/table/{n}" for n in range(200)), 10)
    for path in site.links:
        draw = random.Random(path)
        site.texts[path] = tuple(
            "Value " + " ".join(str(draw.randrange(10_000)) for _ in range(12))
            for _ in range(5)
        )
    return site


@legitimate_site
def _texts_of_phrases() -> ZooSite:
    site = in_lists("", (f"/n/{mixed('ph', n)}" for n in range(600)))
    phrases = [text_of(f"phrase {n}", 1, 7)[0] for n in range(40)]
    for path in site.links:
        draw = random.Random(path)
        site.texts[path] = tuple(" ".join(draw.choices(phrases, k=4)) for _ in range(2))
    return site


@legitimate_site
def _lists_of_two_with_an_introduction() -> ZooSite:
    return in_lists(
        "",
        (f"/guide/{n}" for n in range(20)),
        2,
        lambda n: f"/list?start={2 * n}",
        is_chain=True,
        intro=text_of("what all lists begin with"),
    )


@legitimate_site
def _many_broken_links() -> ZooSite:
    site = in_lists("", (f"/thread/{n}" for n in range(400)), 20)
    for n in range(160):
        del site.links[f"/thread/{n * 2}"]
    return site


# -- traps -------------------------------------------------------------------------------


def beside(site: ZooSite, traps: Sequence[ZooSite]) -> ZooSite:
    """Return a site whose pages link into traps of other sites, too, on one host."""

    def answer(path: str) -> ZooPage | None:
        if path not in site.links:
            answers = (one.extra(path) for one in (site, *traps))
            return next((page for page in answers if page is not None), None)
        page = site.page(path)
        into = [link for one in traps for link in one.everywhere(path)]
        return page._replace(links=(*page.links, *into)) if page else None

    return ZooSite(site.name, site.links, plain=site.plain, extra=answer, is_made=True)


def _with_trap(
    everywhere: Callable[[str], Iterable[str]],
    extra: Callable[[str], ZooPage | None],
    pages: int = 100,
) -> ZooSite:
    """Return a site of real pages, each of which links into a trap."""
    site = in_lists("", (f"/article/{slug('real', n)}" for n in range(pages)), 25)
    site.everywhere, site.extra = everywhere, extra
    return site


def _months(form: Callable[[int, int], str], say: Callable[[int, int], str]) -> ZooSite:
    """Return a calendar without end; ``form`` makes the address of a month."""
    known: dict[str, int] = {}

    def address(number: int) -> str:
        path = form(*divmod(number, 12))
        known[path] = number
        return path

    def month(path: str) -> ZooPage | None:
        if path not in known:
            return None
        number = known[path]
        near = (address(number - 1), address(number + 1))
        return ZooPage((say(*divmod(number, 12)),), near)

    return _with_trap(lambda _: [address(2026 * 12 + 3)], month)


@trap
def _calendar_by_path() -> ZooSite:
    return _months(
        lambda year, month: f"/calendar/{year}/{month + 1:02}/",
        lambda year, month: (
            f"No events in {MONTHS[month]} {year}. Choose another month of the calendar."
        ),
    )


@trap
def _calendar_by_query() -> ZooSite:
    return _months(
        lambda year, month: f"/events?month={month + 1}&view=list&year={year}",
        lambda year, month: f"There are no events in {month + 1}/{year}.",
    )


@trap
def _calendar_of_days() -> ZooSite:
    def links(day: date) -> tuple[str, ...]:
        return tuple(f"/agenda/{day + timedelta(n)}" for n in (-7, -1, 1, 7, 30))

    def page(path: str) -> ZooPage | None:
        if not path.startswith("/agenda/"):
            return None
        day = date.fromisoformat(path.removeprefix("/agenda/"))
        text = f"{DAYS[day.weekday()]}, {day.day} {MONTHS[day.month - 1]} {day.year}"
        return ZooPage((text, "Nothing is planned on this day."), links(day))

    return _with_trap(lambda _: [f"/agenda/{date(2026, 3, 2)}"], page)


def _facets(
    names: Sequence[str],
    form: Callable[[Mapping[str, str]], str],
    read: Callable[[str], dict[str, str] | None],
) -> ZooSite:
    shown = text_of("shown", 10)

    def page(path: str) -> ZooPage | None:
        if (chosen := read(path)) is None:
            return None
        draw = random.Random(path)
        links = tuple(
            form({**chosen, name: f"v{value}"}) for name in names for value in range(8)
        )
        said = "Your choice: " + ", ".join(
            f"{n} {v}" for n, v in sorted(chosen.items())
        )
        return ZooPage((said, *draw.sample(shown, 4)), links)

    return _with_trap(lambda _: [form({names[0]: "v0"})], page)


@trap
def _facets_by_query() -> ZooSite:
    return _facets(
        "brand color material price size sort".split(),
        lambda chosen: "/search?" + urlencode(sorted(chosen.items())),
        lambda path: (
            dict(parse_qsl(urlsplit(path).query))
            if path.startswith("/search?")
            else None
        ),
    )


@trap
def _facets_by_path() -> ZooSite:
    return _facets(
        "brand color material price size".split(),
        lambda chosen: (
            "/filter/" + "/".join(f"{n}-{v}" for n, v in sorted(chosen.items()))
        ),
        lambda path: (
            dict(part.split("-") for part in path.split("/")[2:])
            if path.startswith("/filter/")
            else None
        ),
    )


@trap
def _sorted_lists() -> ZooSite:
    """Each list in every order and length, in two views."""
    site = in_lists("", (f"/article/{slug('real', n)}" for n in range(100)), 25)
    options = {
        "dir": "asc desc".split(),
        "limit": "10 20 50 100".split(),
        "order": "name date price id".split(),
        "view": "grid list".split(),
    }

    def links(path: str) -> Iterator[str]:
        if path.startswith("/list"):
            yield from (
                f"{path.split('?', maxsplit=1)[0]}?{urlencode(dict(zip(options, chosen, strict=True)))}"
                for chosen in product(*options.values())
            )

    site.everywhere = links
    site.extra = lambda path: (
        ZooPage(text_of("list"), (*site.links[path.split("?")[0]], *links(path)))
        if path.startswith("/list") and path.split("?")[0] in site.links
        else None
    )
    return site


def _sessions(
    add: Callable[[str, int], str], remove: Callable[[str], str], pages: int = 100
) -> ZooSite:
    """Return a site on which each visit begins a session, which all its links have."""
    site = in_lists("", (f"/article/{slug('real', n)}" for n in range(pages)), 25)
    serial = count(1)
    real = site.links

    def page(path: str) -> ZooPage | None:
        plain = remove(path)
        if plain not in real:
            return None
        session = next(serial)
        return ZooPage(
            text_of(plain), tuple(add(link, session) for link in [*real[plain], "/"])
        )

    site.extra, site.plain, site.is_made = page, remove, True
    return site


@trap
def _sessions_in_the_path() -> ZooSite:
    return _sessions(
        lambda link, n: f"/{digest('session', n, size=12)}{link}",
        lambda path: path[25:] if len(path) > 25 and path[25:26] == "/" else path,
    )


@trap
def _sessions_by_name() -> ZooSite:
    return _sessions(
        lambda link, n: f"{link}?zenid={digest('session', n, size=12)}",
        lambda path: path.split("?")[0],
    )


@trap
def _sessions_by_sid() -> ZooSite:
    return _sessions(
        lambda link, n: f"{link}?sid={digest('session', n, size=16)}",
        lambda path: path.split("?")[0],
    )


@trap
def _sessions_by_any_name() -> ZooSite:
    return _sessions(
        lambda link, n: f"{link}?qx={letters('session', n, size=9)}",
        lambda path: path.split("?")[0],
        200,
    )


@trap
def _time_stamps() -> ZooSite:
    return _sessions(
        lambda link, n: f"{link}?t={1_700_000_000 + 7 * n}",
        lambda path: path.split("?")[0],
    )


@trap
def _where_from() -> ZooSite:
    """Each address says which page led to it."""
    site = in_lists("", (f"/article/{slug('real', n)}" for n in range(100)), 25)
    real = dict(site.links)
    paths = list(real)

    def page(path: str) -> ZooPage | None:
        plain = path.split("?", maxsplit=1)[0]
        if plain not in real:
            return None
        near = random.Random(plain).sample(paths, 5)
        source = plain.strip("/").replace("/", "_") or "home"
        return ZooPage(
            text_of(plain),
            tuple(f"{link}?from={source}" for link in [*real[plain], *near]),
        )

    site.extra, site.is_made = page, True
    site.plain = lambda path: path.split("?")[0]
    return site


@trap
def _languages_by_cookie() -> ZooSite:
    """Links that set a cookie lead back to the page, in the same language for who keeps none."""

    def page(path: str) -> ZooPage | None:
        _, _, back = path.partition("?back=")
        return ZooPage(text_of(back), ("/",)) if back else None

    return _with_trap(
        lambda path: [f"/language/{lang}?back={path}" for lang in ("de", "fr", "it")],
        page,
    )


@trap
def _relative_loops() -> ZooSite:
    names = ("team", "press", "jobs", "contact", "partners")

    def page(path: str) -> ZooPage | None:
        parts = path.strip("/").split("/")
        if parts[0] != "company":
            return None
        return ZooPage(text_of(parts[-1]), tuple(f"{path}{name}/" for name in names))

    return _with_trap(lambda _: ["/company/"], page)


@trap
def _relative_loop_of_two() -> ZooSite:
    def page(path: str) -> ZooPage | None:
        ok = path.startswith("/folder/")
        return (
            ZooPage(
                text_of("folder"),
                tuple(urljoin(path, to) for to in ("files/", "sheet/files/", "sheet/")),
            )
            if ok
            else None
        )

    return _with_trap(lambda _: ["/folder/"], page)


@trap
def _random_links() -> ZooSite:
    def page(path: str) -> ZooPage | None:
        if not path.startswith("/r/"):
            return None
        return ZooPage(
            text_of("random"), tuple(f"/r/{letters(path, n)}" for n in range(12))
        )

    return _with_trap(lambda path: [f"/r/{letters(path)}"], page)


@trap
def _random_paths() -> ZooSite:
    def page(path: str) -> ZooPage | None:
        if path.count("/") < 2 or path.startswith(("/article", "/list")):
            return None
        return ZooPage(
            (),
            tuple(f"/{letters(path, n, size=3)}/{letters(path, n)}" for n in range(12)),
        )

    return _with_trap(lambda path: ["/start/here"], page)


@trap
def _mirrors() -> ZooSite:
    site = in_lists("", (f"/article/{slug('real', n)}" for n in range(100)), 25)
    real = dict(site.links)

    def page(path: str) -> ZooPage | None:
        _, mirror, rest = (path + "/").split("/", 2)
        plain = "/" + rest.strip("/")
        if not mirror.startswith("mirror") or plain not in real:
            return None
        return ZooPage(
            text_of(plain), tuple(f"/{mirror}{link}" for link in real[plain])
        )

    site.plain = lambda path: (
        "/" + path.split("/", 2)[-1] if path.startswith("/mirror") else path
    )
    site.everywhere = lambda path: [f"/mirror{chr(97 + n)}{path}" for n in range(6)]
    site.extra = page
    return site


@trap
def _soft_404s() -> ZooSite:
    def page(path: str) -> ZooPage | None:
        said = (
            f"The page {path} could not be found on this server, or is no longer there."
        )
        return ZooPage(
            (said, "Please check the address."),
            tuple(f"/{letters(path, n)}" for n in range(8)),
        )

    return _with_trap(lambda path: [f"/{letters(path)}.html"], page)


@trap
def _endless_pager() -> ZooSite:
    def page(path: str) -> ZooPage | None:
        parts = urlsplit(path)
        if parts.path != "/new":
            return None
        number = int(parts.query.removeprefix("page="))
        links = tuple(
            f"/new?page={n}" for n in (number + 1, number + 2, number + 10, 99_999)
        )
        return ZooPage((f"News, page {number} of 99999", *text_of("news", 1)), links)

    return _with_trap(lambda _: ["/new?page=1"], page)


@trap
def _spinning_ids() -> ZooSite:
    def page(path: str) -> ZooPage | None:
        if not path.startswith("/c/"):
            return None
        token = path.removeprefix("/c/")
        text = (f"Article {token}", *text_of(f"copy {int(token[:4], 16) % 3}", 3))
        return ZooPage(text, tuple(f"/c/{digest(path, n)}" for n in range(20)))

    return _with_trap(lambda path: [f"/c/{digest(path)}"], page)


@trap
def _tag_combinations() -> ZooSite:
    tags = WORDS[40:54]

    def page(path: str) -> ZooPage | None:
        if not path.startswith("/tags/"):
            return None
        chosen = set(path.removeprefix("/tags/").split("+"))
        said = f"Articles on {' and '.join(sorted(chosen))}"
        texts = [text for tag in sorted(chosen) for text in text_of(tag, 1)]
        return ZooPage(
            (said, *texts),
            tuple("/tags/" + "+".join(sorted({*chosen, tag})) for tag in tags),
        )

    return _with_trap(lambda _: [f"/tags/{tags[0]}"], page)


@trap
def _actions_on_each_page() -> ZooSite:
    actions = "print share edit history reply login".split()

    def page(path: str) -> ZooPage | None:
        plain, _, query = path.partition("?")
        if not query.startswith("action=") or not plain.startswith("/article"):
            return None
        action = query.removeprefix("action=")
        return ZooPage(
            text_of(plain) if action == "print" else text_of(action), (plain,)
        )

    return _with_trap(
        lambda path: [f"{path}?action={action}" for action in actions], page
    )


@trap
def _untranslated_languages() -> ZooSite:
    langs = "de en fr it es pt nl pl cs sk sl hr hu ro bg el tr ru uk ja".split()

    def page(path: str) -> ZooPage | None:
        plain, _, query = path.partition("?")
        return (
            ZooPage(text_of(plain), (plain,))
            if query.startswith("lang=") and plain.startswith("/article")
            else None
        )

    return _with_trap(lambda path: [f"{path}?lang={lang}" for lang in langs], page)


@trap
def _gallery_without_text() -> ZooSite:
    def page(path: str) -> ZooPage | None:
        if not path.startswith("/gallery?"):
            return None
        number = int(path.rsplit("=", 1)[-1])
        return ZooPage(
            ("Picture",), tuple(f"/gallery?image={number + n}" for n in (1, 2, 3, 50))
        )

    return _with_trap(lambda _: ["/gallery?image=1"], page)


@trap
def _login_for_each_page() -> ZooSite:
    def page(path: str) -> ZooPage | None:
        ok = path.startswith("/login?")
        return (
            ZooPage(
                ("Please enter your name and your password to go on reading.",), ("/",)
            )
            if ok
            else None
        )

    return _with_trap(
        lambda path: [
            f"/login?{urlencode({'returnto': path})}",
            f"/login?{urlencode({'next': path, 'lang': 'en'})}",
        ],
        page,
        300,
    )


@trap
def _links_that_set_the_language() -> ZooSite:
    def page(path: str) -> ZooPage | None:
        address = urlsplit(path)
        if address.path != "/locale/set":
            return None
        return ZooPage(target=dict(parse_qsl(address.query))["next"])

    return _with_trap(
        lambda path: [
            f"/locale/set?{urlencode({'locale': lang, 'next': path})}"
            for lang in ("de", "en")
        ],
        page,
        300,
    )


@cache
def sites() -> dict[str, Callable[[], ZooSite]]:
    """Return all sites by name."""
    return {**LEGITIMATE, **TRAPS}
