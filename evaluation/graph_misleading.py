"""A graph of 200 hosts, 20 of them relevant, whose link texts mislead.

Link farms stuff the domain's terms into their links and keywords, blogs on other subjects
carry clouds of tags, shops sell honey and candles, others are merely elsewhere. The sites
of beekeepers link with "read more", dates and names, to each other and to some of the rest;
advertisements on them lead to farms and shops.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from evaluation.graph_pages import Graph, GraphPage, addresses
from evaluation.graph_text import NAMES, OTHERS, PLACES, SUBJECT, TERMS, TIMES, Writer

if TYPE_CHECKING:
    from evaluation.graph_pages import LinkText
    from evaluation.served import PageKey

KINDS = {"society": 20, "farm": 60, "blog": 60, "shop": 30, "plain": 30}
_PLAIN_TEXTS = (
    "Read more",
    "Next",
    "Continue",
    "Archive",
    "Notes",
    "Photos",
    "Here",
    "More",
)
_WARES = (
    "Honey gifts", "Beeswax candles", "Pollen capsules", "Honey soap", "Honeycomb vases",
    "Hive stools", "Queen bee cushions", "Beehive lamps", "Nectar drinks", "Swarm posters",
)  # fmt: skip
_SALES = ("cheap", "best", "buy", "online", "offers", "top 10", "free", "deals")
# How the pages of a kind are found: {0} is a number, {1} a word with hyphens.
_PATHS = {
    "society": ("/node/{0}", "/posts/2023/{0}/", "/article{0}.html", "/notes-{0}.html"),
    "farm": ("/{1}-{0}.html", "/search/{1}/{0}", "/{1}/{0}.php"),
    "blog": ("/2022/{0}/", "/story/{0}.html", "/blog/{0}"),
    "shop": ("/product/{0}", "/item-{0}.html", "/catalogue/{0}"),
    "plain": ("/page{0}.html", "/index.php/{0}", "/content/{0}"),
}


class _Builder:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.writer = Writer(self.random)
        self.graph = Graph()
        hosts = iter(addresses(sum(KINDS.values()), self.random))
        self.kinds = {
            kind: [next(hosts) for _ in range(size)] for kind, size in KINDS.items()
        }
        self.rest = [
            host for kind in KINDS if kind != "society" for host in self.kinds[kind]
        ]
        self.stuffed_paths = {
            host: self._stuffed_paths() for host in self.kinds["farm"]
        }

    def build(self) -> Graph:
        societies = self.kinds["society"]
        for number, host in enumerate(societies):
            self._add_society(host, societies[(number + 1) % len(societies)])
        for host in self.kinds["farm"]:
            self._add_farm(host)
        for host in self.kinds["blog"]:
            self._add_blog(host)
        for host in self.kinds["shop"]:
            self._add_shop(host)
        for host in self.kinds["plain"]:
            self._add_plain(host)
        directory = (self.kinds["plain"][0], "/")
        listed = [*self.random.sample(societies, 4), *self.random.sample(self.rest, 36)]
        self.random.shuffle(listed)
        self.graph.pages[directory].links += [
            ((host, "/"), f"Site {number}") for number, host in enumerate(listed)
        ]
        self.graph.seeds = [
            *((host, "/") for host in self.random.sample(societies, 2)),
            directory,
        ]
        return self.graph

    # -- link texts ----------------------------------------------------------------------

    def _plain_text(self) -> str:
        forms = (
            self.random.choice(_PLAIN_TEXTS),
            self.random.choice(NAMES),
            f"{self.random.choice(TIMES).capitalize()} {self.random.randint(2015, 2024)}",
            f"Part {self.random.randint(1, 9)}",
        )
        return self.random.choice(forms)

    def _stuffed_text(self) -> str:
        words = self.random.sample(list(TERMS), self.random.randint(2, 4))
        words += self.random.sample(_SALES, 2)
        self.random.shuffle(words)
        return " ".join(words)

    def _stuffed_paths(self) -> list[str]:
        form = self.random.choice(_PATHS["farm"])
        slugs = (self._stuffed_text().replace(" ", "-") for _ in range(self._size()))
        return ["/", *(form.format(number, slug) for number, slug in enumerate(slugs))]

    # -- sites ---------------------------------------------------------------------------

    def _size(self) -> int:
        return self.random.randint(12, 26)

    def _keys(self, kind: str, host: str) -> list[PageKey]:
        form = self.random.choice(_PATHS[kind])
        paths = (form.format(number) for number in range(1, self._size()))
        return [(host, "/"), *((host, path) for path in paths)]

    def _some(self, keys: list[PageKey], home: bool) -> list[PageKey]:
        """Return whither a page of a site leads: from home to most, else to a few."""
        return keys[1 : 1 + len(keys) * 2 // 3] if home else self.random.sample(keys, 4)

    def _away(self, hosts: int) -> list[LinkText]:
        """Return links of an irrelevant site to others, seldom to a relevant one."""
        links: list[LinkText] = []
        for host in self.random.sample(self.rest, hosts):
            is_relevant = self.random.random() < 0.05
            target = self.random.choice(self.kinds["society"]) if is_relevant else host
            links.append(((target, "/"), self._plain_text()))
        return links

    def _add_society(self, host: str, neighbour: str) -> None:
        keys = self._keys("society", host)
        contact = (host, "/contact")
        navigation: list[LinkText] = [(keys[0], "Home"), (contact, "Contact and links")]
        for key in keys:
            targets = self._some(keys, key == keys[0])
            texts = (
                self.writer.title(SUBJECT)
                if self.random.random() < 0.15
                else self._plain_text()
                for _ in targets
            )
            self.graph.pages[key] = GraphPage(
                self.writer.title(SUBJECT),
                is_relevant=True,
                navigation=navigation,
                subject=SUBJECT,
                links=list(zip(targets, texts, strict=True)),
                aside=self._advertisement() if self.random.random() < 0.3 else [],
            )
        friends = {neighbour, *self.random.sample(self.kinds["society"], 3)} - {host}
        links: list[LinkText] = [
            ((friend, "/"), f"Our friends in {self.random.choice(PLACES)}")
            for friend in sorted(friends)
        ]
        links += [((other, "/"), self._plain_text()) for other in self._elsewhere()]
        self.graph.pages[contact] = GraphPage(
            "Contact and links",
            navigation=navigation,
            paragraphs=[self.writer.plain(), self.writer.plain()],
            links=self.random.sample(links, len(links)),
        )

    def _elsewhere(self) -> list[str]:
        return self.random.sample(self.kinds["blog"] + self.kinds["plain"], 3)

    def _advertisement(self) -> list[LinkText]:
        farm, shop = (self.random.choice(self.kinds[kind]) for kind in ("farm", "shop"))
        return [((farm, "/"), self._stuffed_text()), ((shop, "/"), self._ware())]

    def _ware(self) -> str:
        return self.random.choice(_WARES)

    def _add_farm(self, host: str) -> None:
        paths = self.stuffed_paths[host]
        for path in paths:
            own = [(host, other) for other in self.random.sample(paths, 8)]
            farms = self.random.sample(self.kinds["farm"], 4)
            away = [
                (farm, self.random.choice(self.stuffed_paths[farm])) for farm in farms
            ]
            subject = self.random.choice(("shopping", "money"))
            self.graph.pages[host, path] = GraphPage(
                self.writer.title(subject),
                keywords=self._stuffed_text(),
                subject=subject,
                size=(2, 4),
                links=self._away(1) if path == "/" else [],
                aside=[(key, self._stuffed_text()) for key in own],
                footer=[(key, self._stuffed_text()) for key in away],
            )

    def _add_blog(self, host: str) -> None:
        subject = self.random.choice(OTHERS)
        keys = self._keys("blog", host)
        tags = self.random.sample(list(TERMS), 8)
        tagged: list[PageKey] = [
            (host, f"/tag/{tag.replace(' ', '-')}") for tag in tags
        ]
        cloud = list(zip(tagged, tags, strict=True))
        for key in keys + tagged:
            targets = self._some(keys, key == keys[0])
            self.graph.pages[key] = GraphPage(
                self.writer.title(subject),
                navigation=[(keys[0], "Home")],
                subject=subject,
                links=[(target, self.writer.title(subject)) for target in targets],
                aside=cloud,
                footer=self._away(4) if key == keys[0] else [],
            )

    def _add_shop(self, host: str) -> None:
        keys = self._keys("shop", host)
        offered = self.random.sample(keys[1:], 5)
        navigation = [(keys[0], "Shop"), *((key, self._ware()) for key in offered)]
        for key in keys:
            subject = self.random.choice(("shopping", "cooking"))
            targets = self._some(keys, key == keys[0])
            texts = (self.random.choice((self._ware(), "Details")) for _ in targets)
            self.graph.pages[key] = GraphPage(
                self.writer.title(subject),
                navigation=navigation,
                subject=subject,
                size=(1, 3),
                links=list(zip(targets, texts, strict=True)),
                footer=self._away(3) if key == keys[0] else [],
            )

    def _add_plain(self, host: str) -> None:
        subject = self.random.choice(OTHERS)
        keys = self._keys("plain", host)
        for key in keys:
            targets = self._some(keys, key == keys[0])
            self.graph.pages[key] = GraphPage(
                self.writer.title(subject),
                navigation=[(keys[0], "Home")],
                subject=subject,
                links=[(target, self._plain_text()) for target in targets],
                footer=self._away(4) if key == keys[0] else [],
            )


def build_misleading(seed: int = 1) -> Graph:
    """Return the graph, the same for the same seed."""
    return _Builder(seed).build()
