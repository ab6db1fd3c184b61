"""Made-up English text on a dozen subjects, for graphs of pages with known subjects."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

SUBJECT = "beekeeping"
# The domain definition: weight and term. Gardeners and cooks use some of the words too.
TERMS = {
    "beehive": 100, "honeybee": 100, "queen bee": 100, "beekeeper": 100, "apiary": 100,
    "varroa": 90, "hive": 80, "swarm": 80, "brood": 80, "honeycomb": 80, "worker bee": 80,
    "drone cell": 70, "beeswax": 70, "hive tool": 70, "nectar": 60, "pollen": 60,
    "honey": 50, "smoker": 50,
}  # fmt: skip


@dataclass(frozen=True)
class Vocabulary:
    """What a subject has: things in the plural, and what people do with them."""

    things: tuple[str, ...]
    acts: tuple[str, ...]


def _vocabulary(things: str, acts: str) -> Vocabulary:
    return Vocabulary(tuple(things.split(", ")), tuple(acts.split(", ")))


VOCABULARIES = {
    SUBJECT: _vocabulary(
        "beehives, honeybee colonies, queen bees, late swarms, brood frames, varroa mites, young beekeepers,"
        " apiaries, empty honeycombs, nectar flows, drone cells, worker bees, old smokers, hive tools,"
        " beeswax sheets, pollen stores, full supers, winter clusters, hive floors, feeding boxes",
        "inspect the hive, feed sugar syrup, mark the queen bee, extract the honey, treat against varroa,"
        " catch a swarm, unite two colonies, render the beeswax, clean the brood box, weigh the hives",
    ),
    "football": _vocabulary(
        "goalkeepers, corner kicks, home games, youth teams, referees, training sessions, midfielders,"
        " penalties, season tickets, league tables, away fans, substitutes, floodlights, strikers",
        "win the cup, sign a striker, train twice a week, defend a lead, score from a free kick, mow the pitch",
    ),
    "choir": _vocabulary(
        "sopranos, rehearsals, concerts, conductors, hymns, tenors, carols, motets, songbooks, soloists,"
        " accompanists, harmonies, recitals, chorales",
        "rehearse on Tuesdays, sing in the cathedral, learn a new motet, welcome new voices, tune the piano",
    ),
    "railways": _vocabulary(
        "timetables, stations, locomotives, branch lines, platforms, signal boxes, tickets, carriages,"
        " sleeper trains, level crossings, tunnels, viaducts, commuters, freight wagons",
        "change at the junction, restore an engine, paint the signal box, run a special train, book a seat",
    ),
    "chess": _vocabulary(
        "openings, endgames, grandmasters, bishops, rooks, tournaments, clocks, pawns, sacrifices, gambits,"
        " team matches, blitz games, puzzles, ratings",
        "play the Sicilian, offer a draw, castle early, study an endgame, enter the county league",
    ),
    "cooking": _vocabulary(
        "stews, honey cakes, sourdough loaves, roast vegetables, sauces, soups, recipes, herbs, pastries,"
        " puddings, kitchen knives, spices, dumplings, salads",
        "knead the dough, simmer the stock, chop the onions, glaze with honey, bake for an hour, taste the sauce",
    ),
    "gardening": _vocabulary(
        "roses, flower beds, compost heaps, hedges, nectar plants, lawns, seedlings, greenhouses, apple trees,"
        " slugs, borders, perennials, raised beds, water butts",
        "prune the roses, sow in April, turn the compost, water at dusk, plant rich pollen sources, edge the lawn",
    ),
    "council": _vocabulary(
        "committees, budgets, planning applications, minutes, councillors, bylaws, consultations, elections,"
        " road works, car parks, licences, grants, wards, petitions",
        "approve the budget, adopt the plan, defer the motion, close a road, appoint a clerk, publish the minutes",
    ),
    "cycling": _vocabulary(
        "gears, mountain stages, saddles, time trials, cycle paths, brakes, inner tubes, sprinters, climbs,"
        " club runs, helmets, spokes, chains, touring bikes",
        "mend a puncture, climb the pass, ride in a group, oil the chain, plan a tour, fit new brakes",
    ),
    "photography": _vocabulary(
        "lenses, portraits, tripods, exposures, darkrooms, exhibitions, landscapes, filters, prints, shutters,"
        " negatives, cameras, flashes, albums",
        "focus on the eyes, wait for the light, frame the picture, print in black and white, judge the contest",
    ),
    "money": _vocabulary(
        "mortgages, savings accounts, loans, interest rates, insurance policies, pensions, credit cards, taxes,"
        " budgets, shares, refunds, bonds, fees, vouchers",
        "compare the rates, repay the loan, open an account, claim a refund, switch the provider",
    ),
    "shopping": _vocabulary(
        "sofas, curtains, lamps, kitchen tables, gift cards, carpets, mattresses, wardrobes, mirrors, cushions,"
        " garden chairs, shelves, discounts, deliveries",
        "order online, return within a month, choose a colour, collect from the store, save on delivery",
    ),
}  # fmt: skip
OTHERS = tuple(name for name in VOCABULARIES if name != SUBJECT)

_SENTENCES = (
    "In {time} many people {act} because of the {a}.",
    "{A} and {b} belong together, as {name} likes to say.",
    "It took {name} {number} years to {act}.",
    "The {a} that we saw in {place} were better than the {b} at home.",
    "Before you {act}, look at the {a} and count them.",
    "{name} writes about {a}, {b} and what {time} brought.",
    "There were {number} {a} at the last meeting, and nobody wanted to leave.",
    "If the {a} are wet, it is too early to {act}.",
    "Nobody in {place} had expected so many {a} in {time}.",
    "We {act} once a year, mostly in {time}.",
    "Good {a} are rare, and good {b} are dear.",
    "A talk on {a} is planned for {time} in {place}.",
    "Some say that {a} matter more than {b}; {name} does not agree.",
    "{number} of the {a} had to be replaced after the storm.",
    "Ask {name} when you want to {act} for the first time.",
)
# What every site has, whatever its subject.
_PLAIN = (
    "The next meeting is on the second Thursday of the month.",
    "Thank you to everyone who helped last weekend.",
    "The car park behind the church can be used after six.",
    "Please write to us if something on this page is out of date.",
    "Photographs of the day will follow soon.",
    "The weather was kind to us, at least until the afternoon.",
    "Doors open at half past seven, and there is tea afterwards.",
    "This page was last changed by the secretary.",
)
_NAMES = "Anne, Robert, Mrs Hollis, Peter, Joan, Mr Whitcombe, Lucy, old Tom, Harriet, Samuel, Edith, George"
_PLACES = "Ashford, Westbrook, Millbury, Oakfield, Stonebridge, Harlow, Kingsley, Netherton, Fairwater, Langley"
_TIMES = "spring, early summer, late autumn, winter, March, June, September, a dry year, a cold week"
NAMES = tuple(_NAMES.split(", "))
PLACES = tuple(_PLACES.split(", "))
TIMES = tuple(_TIMES.split(", "))


class Writer:
    """Writes text, the same for the same source of randomness."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def sentence(self, subject: str) -> str:
        """Return a sentence on a subject."""
        words = VOCABULARIES[subject]
        one, other = self.random.sample(words.things, 2)
        return self.random.choice(_SENTENCES).format(
            a=one,
            A=one.capitalize(),
            b=other,
            act=self.random.choice(words.acts),
            name=self.random.choice(NAMES),
            place=self.random.choice(PLACES),
            time=self.random.choice(TIMES),
            number=self.random.randint(2, 90),
        )

    def plain(self, sentences: int = 3) -> str:
        """Return a paragraph that says nothing of any subject."""
        return " ".join(self.random.sample(_PLAIN, sentences))

    def paragraphs(self, subject: str, least: int = 3, most: int = 6) -> list[str]:
        """Return paragraphs on a subject, some of their sentences on nothing at all."""
        return [
            " ".join(
                self.random.choice(_PLAIN)
                if self.random.random() < 0.2
                else self.sentence(subject)
                for _ in range(self.random.randint(3, 6))
            )
            for _ in range(self.random.randint(least, most))
        ]

    def title(self, subject: str) -> str:
        """Return a headline on a subject."""
        words = VOCABULARIES[subject]
        forms = ("{a} in {time}", "How to {act}", "More {a} than ever", "{a} and {b}")
        one, other = self.random.sample(words.things, 2)
        text = self.random.choice(forms).format(
            a=one,
            b=other,
            act=self.random.choice(words.acts),
            time=self.random.choice(TIMES),
        )
        return text[0].upper() + text[1:]


def domain_definition() -> str:
    """Return the domain definition as tab-separated lines."""
    rows = (f"{weight}\ten\t{term}\tbees" for term, weight in TERMS.items())
    return "\n".join(["weight\tlang\tterm\tsubdomain", *rows]) + "\n"


def domain_text(random: Random, words: int) -> str:
    """Return plain text on the domain, of about so many words, as paragraphs."""
    writer = Writer(random)
    paragraphs: list[str] = []
    written = 0
    while written < words:
        paragraph = " ".join(writer.sentence(SUBJECT) for _ in range(5))
        written += len(paragraph.split())
        paragraphs.append(paragraph)
    return "\n\n".join(paragraphs) + "\n"
