"""A site of a hundred good pages beside every kind of trap."""

from __future__ import annotations

import random
import time
from hashlib import blake2b
from itertools import product
from urllib.parse import parse_qsl, urlencode, urlsplit

from conftest import SiteHandler

SUBJECTS = """Die Leiter;Das Gerüst;Der Gabelstapler;Die Absaugung;Der Gehörschutz;Die Kreissäge;Der
Schutzhelm;Das Lösemittel;Der Asbest;Die Schweißmaske;Der Feuerlöscher;Das Geländer;Die
Presse;Der Kran;Die Werkbank;Das Förderband;Der Handschuh;Die Warnweste""".replace(
    "\n", " "
).split(";")
VERBS = """wird vor jeder Schicht geprüft;gehört in die Gefährdungsbeurteilung;braucht einen festen
Stand;steht im Lager neben dem Tor;darf nur von geschulten Leuten bedient werden;schützt vor
schweren Verletzungen;ist nach einem Sturz zu ersetzen;macht im Betrieb viel Lärm;bleibt bei
Regen unter dem Dach;verlangt eine Unterweisung im Jahr;kostet weniger als ein Unfall""".replace(
    "\n", " "
).split(";")
TAILS = """weil sonst jemand stürzt;wenn die Frühschicht beginnt;sobald der Meister es erlaubt;damit
niemand zu Schaden kommt;obwohl die Arbeit drängt;bevor der Strom eingeschaltet wird;nachdem
das Werkzeug gereinigt wurde;solange der Staub in der Luft liegt;falls der Boden nass
ist""".replace("\n", " ").split(";")

ARTICLES = tuple(f"/artikel/sicher-im-betrieb-{n}.html" for n in range(30))
POSTS = tuple(f"/2024/{1 + n % 6:02}/{1 + n // 6:02}/beitrag" for n in range(30))
RECORDS = tuple(f"/doc.php?id={n}&lang=de" for n in range(200, 220))
GUIDES = tuple(f"/ratgeber/{n}" for n in range(20))
GOOD = (*ARTICLES, *POSTS, *RECORDS, *GUIDES)
HUBS = ("/", "/artikel/", "/liste", "/2024/")

FACETS = ("farbe", "groesse", "marke", "preis", "sort", "material")
TAGS = "laerm staub leiter kran feuer strom helm gas gift holz glas metall".split()
PARTS = ("team", "presse", "stellen", "partner", "anfahrt")
TRAPS = {
    "calendar by path": "/kalender/2024/05/",
    "calendar by query": "/termine?month=2024-05",
    "calendar by number": "/monat?offset=1",
    "session in path": "/laden/{token}/korb",
    "session in query": "/kasse/korb?zenid={token}",
    "session by any name": "/hilfe/agb?qx={token}",
    "repeated segments": "/ordner/",
    "relative links": "/firma/",
    "facets": "/suche?farbe=v1",
    "redirect circle": "/kreis/1",
    "redirect chain": "/weiter/1",
    "redirect chain by name": "/weg/a",
    "soft 404": "/fehlt/a",
    "slow drips": "/tropf/1",
    "paging": "/neu?page=1",
    "tags": "/tags/laerm",
    "echo": "/echo/a",
}
# More than the errors in a row that make a dead host.
DRIPS = tuple(f"/tropf/{n}" for n in range(1, 13))
DRIP_SECONDS = 0.2


def token(*parts: object) -> str:
    """Return a token that looks like a session's."""
    return "a0" + blake2b(repr(parts).encode(), digest_size=12).hexdigest()


def name(*parts: object) -> str:
    """Return a name without numbers."""
    digits = blake2b(repr(parts).encode(), digest_size=6).hexdigest()
    return digits.translate(str.maketrans("0123456789", "ghijklmnop"))


def text_of(seed: str, sentences: int = 8) -> str:
    """Return paragraphs that only this seed gives."""
    generator = random.Random(seed)
    lines = [
        f"{generator.choice(SUBJECTS)} {generator.choice(VERBS)},"
        f" {generator.choice(TAILS)}."
        for _ in range(sentences)
    ]
    pairs = zip(lines[::2], lines[1::2], strict=True)
    return "".join(f"<p>{first} {second}</p>" for first, second in pairs)


def trap_of(path: str) -> str | None:
    """Return which trap a path belongs to, None if it is none."""
    first = urlsplit(path).path.split("/")[1]
    for trap, entrance in TRAPS.items():
        if first == urlsplit(entrance).path.split("/")[1]:
            return "redirect chain" if first == "weiter" else trap
    return None


class TrapHandler(SiteHandler):
    """Answers every path; what is not a page is a soft 404."""

    serial = 0

    def respond(self) -> None:
        parts = urlsplit(self.path)
        kind = parts.path.split("/")[1].removesuffix(".php") or "home"
        query = dict(parse_qsl(parts.query))
        if self.path in GOOD:
            self._page(text_of(self.path), HUBS)
        elif kind == "robots.txt":
            self.answer("", content_type="text/plain")
        else:
            getattr(self, f"get_{kind}", self.get_fehlt)(parts.path, query)

    def _token(self) -> str:
        """Return a token that no visit has had before."""
        TrapHandler.serial += 1
        return token(TrapHandler.serial)

    def _page(self, body: str, links: object = ()) -> None:
        entrances = [trap.format(token=self._token()) for trap in TRAPS.values()]
        items = "".join(
            f'<li><a href="{link}">{link}</a>'
            for link in [*links, *entrances]  # type: ignore[misc]
        )
        head = "<html lang=de><title>Werkstatt</title><h1>Die Werkstatt</h1>"
        self.answer(f"{head}{body}<ul>{items}</ul>")

    # -- the good ones ---------------------------------------------------------------

    def get_home(self, path: str, query: dict[str, str]) -> None:
        self._page(text_of("home"), (*HUBS, *RECORDS, *DRIPS))

    def get_artikel(self, path: str, query: dict[str, str]) -> None:
        page = int(query.get("seite", 1))
        shown = ARTICLES[10 * page - 10 : 10 * page]
        more = f"/artikel/?seite={page + 1}" if page < 3 else "/artikel/"
        self._page("", (*shown, more) if path == "/artikel/" else ())

    def get_liste(self, path: str, query: dict[str, str]) -> None:
        """A list with the same introduction on each page."""
        start = int(query.get("start", 0))
        more = f"/liste?start={start + 2}" if start < 18 else "/liste"
        self._page(text_of("liste"), (*GUIDES[start : start + 2], more))

    def get_2024(self, path: str, query: dict[str, str]) -> None:
        months = [f"/2024/{month:02}/" for month in range(1, 7)]
        posts = [post for post in POSTS if post.startswith(path)]
        self._page("", months if path == "/2024/" else posts)

    # -- the traps -------------------------------------------------------------------

    def get_kalender(self, path: str, query: dict[str, str]) -> None:
        year, month, *_ = map(int, path.strip("/").split("/")[1:])
        days = [f"/kalender/{year}/{month:02}/{day:02}" for day in range(1, 29)]
        whole = year * 12 + month
        near = [f"/kalender/{w // 12}/{w % 12 + 1:02}/" for w in (whole - 2, whole)]
        self._page(f"<p>Keine Termine im Monat {month} {year} gefunden", near + days)

    def get_termine(self, path: str, query: dict[str, str]) -> None:
        year, month = map(int, query["month"].split("-"))
        whole = year * 12 + month
        near = [f"/termine?month={w // 12}-{w % 12 + 1:02}" for w in (whole - 2, whole)]
        self._page(f"<p>Keine Termine im Monat {month} {year} gefunden", near)

    def get_monat(self, path: str, query: dict[str, str]) -> None:
        number = int(query["offset"])
        links = [f"/monat?offset={n}" for n in (number - 1, number + 1)]
        self._page(f"<p>In diesem Monat ({number}) findet nichts statt.", links)

    def get_laden(self, path: str, query: dict[str, str]) -> None:
        here, mark = path.rsplit("/", maxsplit=1)[-1], self._token()
        pages = ("korb", "agb", "versand", "konto")
        self._page(text_of(here), [f"/laden/{mark}/{page}" for page in pages])

    def get_kasse(self, path: str, query: dict[str, str]) -> None:
        mark = self._token()
        links = [f"/kasse/{page}?zenid={mark}" for page in ("korb", "zahlen", "ende")]
        self._page(text_of(path), links)

    def get_hilfe(self, path: str, query: dict[str, str]) -> None:
        mark = self._token()
        links = [f"/hilfe/{page}?qx={mark}" for page in ("agb", "fragen", "kontakt")]
        self._page(text_of(path), links)

    def get_ordner(self, path: str, query: dict[str, str]) -> None:
        self._page(text_of("ordner"), ("akten/", "akten/blatt/", "blatt/akten/"))

    def get_firma(self, path: str, query: dict[str, str]) -> None:
        here = path.strip("/").split("/")[-1]
        self._page(text_of(here), [f"{part}/" for part in PARTS])

    def get_suche(self, path: str, query: dict[str, str]) -> None:
        chosen = " und ".join(f"{key} gleich {query[key]}" for key in sorted(query))
        found = text_of("suche", 8)
        links = [
            f"/suche?{urlencode(sorted({**query, key: f'v{value}'}.items()))}"
            for key, value in product(FACETS, range(12))
        ]
        self._page(f"<h2>Ihre Suche nach {chosen}</h2>{found}", links)

    def get_kreis(self, path: str, query: dict[str, str]) -> None:
        other = 3 - int(path.rsplit("/", 1)[-1])
        self.answer(status=302, headers={"Location": f"/kreis/{other}"})

    def get_weiter(self, path: str, query: dict[str, str]) -> None:
        number = int(path.rsplit("/", 1)[-1]) + 1
        self.answer(status=302, headers={"Location": f"/weiter/{number}"})

    def get_weg(self, path: str, query: dict[str, str]) -> None:
        self.answer(status=302, headers={"Location": f"/weg/{name(path)}"})

    def get_fehlt(self, path: str, query: dict[str, str]) -> None:
        links = [f"/fehlt/{name(path, number)}" for number in range(8)]
        lost = "Die Seite, die Sie suchen, gibt es bei uns nicht oder nicht mehr."
        self._page(f"<p>{lost} Bitte prüfen Sie die Adresse.</p><p>{path}</p>", links)

    def get_tropf(self, path: str, query: dict[str, str]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        links = "".join(f'<a href="/tropf/{n}">{n}</a>' for n in range(2, 9))
        self.wfile.write(links.encode())
        try:
            for _ in range(100):
                self.wfile.write(b"<br>")
                time.sleep(DRIP_SECONDS)
        except OSError:
            pass  # the crawler has had enough

    def get_neu(self, path: str, query: dict[str, str]) -> None:
        page = int(query.get("page", 1))
        title = f"<h2>Neues, Seite {page} von 9999</h2>"
        self._page(title + text_of("neu"), [f"/neu?page={page + 1}", "/neu?page=9999"])

    def get_tags(self, path: str, query: dict[str, str]) -> None:
        chosen = set(path.rsplit("/", 1)[-1].split("+"))
        links = ["/tags/" + "+".join(sorted({*chosen, tag})) for tag in TAGS]
        shown = "".join(text_of(tag, 2) for tag in sorted(chosen))
        self._page(f"<h2>Beiträge zu {' und '.join(sorted(chosen))}</h2>{shown}", links)

    def get_echo(self, path: str, query: dict[str, str]) -> None:
        """Says at length what it was asked for, under ever new names."""
        words = path.rsplit("/", 1)[-1]
        said = f"Leider haben wir in unserem ganzen Haus zu {words} überhaupt nichts"
        links = [f"/echo/{name(path, number)}-{name(number)}" for number in range(4)]
        self._page(f"<p>{said} gefunden, und das tut uns sehr leid.</p>", links)
