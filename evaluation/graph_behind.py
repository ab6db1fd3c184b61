"""A graph whose relevant clusters lie behind two irrelevant pages in a row.

Towns have a site each, with news, a calendar, council papers, shops and a directory of local
groups. The directory leads to the profile of a group (when it meets, where to park), the
profile to the group's own site. Three groups of fourteen in each town keep bees; neither
the directory nor a profile says which. A group's site leads on to the directories of other
towns. Nothing else leads to a relevant page.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from evaluation.graph_pages import Graph, GraphPage, addresses
from evaluation.graph_text import NAMES, OTHERS, PLACES, SUBJECT, Writer

if TYPE_CHECKING:
    from evaluation.graph_pages import LinkText
    from evaluation.served import PageKey

TOWNS = 20
GROUPS = 14
RELEVANT_GROUPS = 3
RELEVANT_PAGES = 9
OTHER_PAGES = 6
# Pages of the sections of a town that lead nowhere.
SECTIONS = {"news": 30, "calendar": 15, "council": 15, "shops": 10}
NEUTRAL = (
    "Read more",
    "More",
    "Next",
    "Continue",
    "Details",
    "Go on",
    "Here",
    "See also",
)
_GROUP_NAMES = ("Society", "Circle", "Friends", "Association", "Fellowship", "Union")
# Three content management systems: where each keeps the directory, a profile, a section.
_SYSTEMS = (
    ("/groups/", "/groups/{}.html", "/{}/{}.html"),
    ("/index.php/directory", "/index.php/directory/entry-{}", "/index.php/{}/item-{}"),
    ("/community/local/", "/community/local/{}/", "/{}/2024/{}/"),
)
_ARTICLE_PATHS = ("{}page{}.html", "{}article/{}", "{}posts/2023/{}/")


@dataclass
class _Town:
    host: str
    name: str
    directory: PageKey
    profile_path: str
    section_path: str

    @property
    def home(self) -> PageKey:
        return (self.host, "/")

    def profile(self, number: int) -> PageKey:
        return (self.host, self.profile_path.format(number))

    def section(self, name: str, number: int) -> PageKey:
        return (self.host, self.section_path.format(name, number))

    @property
    def navigation(self) -> list[LinkText]:
        links: list[LinkText] = [(self.home, "Home"), (self.directory, "Local groups")]
        return links + [(self.section(name, 0), name.capitalize()) for name in SECTIONS]


class _Builder:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.writer = Writer(self.random)
        self.graph = Graph()
        self.hosts = iter(addresses(TOWNS * (1 + GROUPS), self.random))
        self.towns = [self._town(number) for number in range(TOWNS)]
        self.relevant_homes: list[PageKey] = []

    def _town(self, number: int) -> _Town:
        host = next(self.hosts)
        directory, profile, section = _SYSTEMS[number % len(_SYSTEMS)]
        name = PLACES[number % len(PLACES)]
        if number >= len(PLACES):
            name = f"New {name}"
        return _Town(host, name, (host, directory), profile, section)

    def build(self) -> Graph:
        for town in self.towns:
            self._add_home(town)
            for name, size in SECTIONS.items():
                self._add_section(town, name, size)
            self._add_groups(town)
        self.graph.seeds = [
            *self.random.sample(self.relevant_homes, 2),
            self.towns[0].home,
        ]
        return self.graph

    def _add_home(self, town: _Town) -> None:
        latest = self.random.sample(range(1, SECTIONS["news"]), 6)
        self.graph.pages[town.home] = GraphPage(
            f"Welcome to {town.name}",
            navigation=town.navigation,
            paragraphs=[self.writer.plain() for _ in range(4)],
            links=[(town.section("news", n), self._neutral()) for n in latest],
        )

    def _neutral(self) -> str:
        return self.random.choice(NEUTRAL)

    def _add_section(self, town: _Town, name: str, size: int) -> None:
        """Add a list, and pages that lead to each other and to other towns."""
        for number in range(size):
            subject = "council" if name == "council" else self.random.choice(OTHERS)
            nearby = self.random.sample(range(size), 4)
            links = [(town.section(name, n), self._neutral()) for n in nearby]
            if number == 0:
                links = [(town.section(name, n), self._headline()) for n in range(size)]
            elif self.random.random() < 0.3:
                other = self.random.choice(self.towns)
                links.append((other.section(name, number), f"From {other.name}"))
            if name == "calendar" and self.random.random() < 0.25:
                group = self.random.randrange(GROUPS)
                links.append((town.profile(group), "Organiser"))
            self.graph.pages[town.section(name, number)] = GraphPage(
                self.writer.title(subject),
                navigation=town.navigation,
                subject=subject,
                links=links,
            )

    def _headline(self) -> str:
        if self.random.random() < 0.5:
            return self.writer.title(self.random.choice(OTHERS))
        return self._neutral()

    def _add_groups(self, town: _Town) -> None:
        chosen = set(self.random.sample(range(GROUPS), RELEVANT_GROUPS))
        names = [
            f"{self.random.choice(PLACES)} {self.random.choice(_GROUP_NAMES)}"
            for _ in range(GROUPS)
        ]
        self.graph.pages[town.directory] = GraphPage(
            f"Local groups in {town.name}",
            navigation=town.navigation,
            paragraphs=[self.writer.plain()],
            links=[(town.profile(n), name) for n, name in enumerate(names)],
        )
        for number, name in enumerate(names):
            is_hosted = self.random.random() < 0.5
            host = town.host if is_hosted else next(self.hosts)
            root = f"/sites/{number}/" if is_hosted else "/"
            others = self.random.sample(range(GROUPS), 4)
            self.graph.pages[town.profile(number)] = GraphPage(
                name,
                navigation=town.navigation,
                paragraphs=[self.writer.plain(), f"Write to {town.name} post box 7."],
                links=[((host, root), "Website")],
                aside=[(town.profile(n), names[n]) for n in others],
            )
            subject = SUBJECT if number in chosen else self.random.choice(OTHERS)
            self._add_site(town, (host, root), name, subject)

    def _add_site(self, town: _Town, home: PageKey, name: str, subject: str) -> None:
        """Add the site of a group: home, articles, and a page of address and links."""
        host, root = home
        is_relevant = subject == SUBJECT
        form = self.random.choice(_ARTICLE_PATHS)
        size = RELEVANT_PAGES if is_relevant else OTHER_PAGES
        keys: list[PageKey] = [home]
        keys += [(host, form.format(root, number)) for number in range(1, size - 1)]
        contact = (host, f"{root}contact.html")
        navigation = [(home, "Home"), (contact, "Contact")]
        for number, key in enumerate(keys):
            linked = keys[1:] if key == home else self.random.sample(keys, 3)
            linked += keys[number + 1 : number + 2]
            self.graph.pages[key] = GraphPage(
                name if key == home else self.writer.title(subject),
                is_relevant=is_relevant,
                navigation=navigation,
                subject=subject,
                links=[(other, self._article_text(subject)) for other in linked],
            )
        elsewhere = [
            other for other in self.random.sample(self.towns, 3) if other is not town
        ]
        self.graph.pages[contact] = GraphPage(
            f"{name}: contact",
            navigation=navigation,
            paragraphs=[self.writer.plain(), f"Ask for {self.random.choice(NAMES)}."],
            links=[(other.directory, f"Groups in {other.name}") for other in elsewhere]
            + [(town.home, town.name)],
        )
        if is_relevant:
            self.relevant_homes.append(home)

    def _article_text(self, subject: str) -> str:
        if self.random.random() < 0.4:
            return self.writer.title(subject)
        return self._neutral()


def build_behind(seed: int = 1) -> Graph:
    """Return the graph, the same for the same seed."""
    return _Builder(seed).build()
