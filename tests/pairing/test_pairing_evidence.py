"""Each kind of evidence on a handful of pages: what it scores, what it proposes."""

from __future__ import annotations

from math import exp, log, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest
from pairing_site import LANGS, encode, make_page, page_id
from scipy.sparse import csr_array

from ilspfc.line.comparisons import stem
from ilspfc.pairing.comparison import Candidates, Comparison, Matches
from ilspfc.pairing.evidence.catalog import EVIDENCE
from ilspfc.pairing.page_content import PairingDocument, VersionLink

if TYPE_CHECKING:
    from ilspfc.line.comparisons import EncodedCorpus
    from ilspfc.pairing.evidence.kind import EvidenceKind
    from ilspfc.pairing.page_arrays import PageContent
    from ilspfc.text.arrays import IntArray

KINDS = {evidence.name: evidence for evidence in EVIDENCE}

# Words that no other page has, so that pages differ and have words in common with none.
FILLERS = ("alpha", "bravo", "campo", "delta", "elfen", "fosso", "gatto", "hund")


class Site:
    """Pages of two languages, German ones by their number, Italian ones by theirs."""

    def __init__(self) -> None:
        self.pages: dict[str, list[tuple[PairingDocument, PageContent]]] = {
            lang: [] for lang in LANGS
        }
        self._comparison: Comparison | None = None
        self._encoded: EncodedCorpus | None = None

    def add(self, lang: str, number: int, *texts: str, **features: object) -> None:
        """Add a page, a paragraph for each text, the first its title."""
        sentences = [text.split() for text in texts]
        self.pages[lang].append(make_page(lang, number, sentences, **features))  # type: ignore[arg-type]

    @property
    def comparison(self) -> Comparison:
        """The comparison of all pages added so far."""
        if self._comparison is None:
            self._encoded = encode(self.pages)
            (self._comparison,) = self._encoded.compare(*LANGS)
        return self._comparison

    def place(self, german: int, italian: int) -> tuple[int, int]:
        """Return the row and the column of two pages."""
        sides = (self.comparison.left, self.comparison.right)
        row, column = (
            [document.id for document in side.documents].index(page_id(lang, number))
            for side, lang, number in zip(sides, LANGS, (german, italian), strict=True)
        )
        return row, column

    def places(self, *pairs: tuple[int, int]) -> tuple[IntArray, IntArray]:
        """Return the rows and the columns of pairs of pages."""
        found = np.array([self.place(*pair) for pair in pairs], np.int64)
        return found[:, 0], found[:, 1]

    def match(self, *pairs: tuple[int, int]) -> None:
        """Let pairs be sure ones of a round before."""
        comparison = self.comparison
        rows, columns = self.places(*pairs)
        comparison.matches = Matches(rows, columns, np.ones(len(rows)))
        comparison.sure = comparison.matches
        shape = (len(comparison.left), len(comparison.right))
        comparison.scores = csr_array((np.ones(len(rows)), (rows, columns)), shape)

    def translate(self, **words: str) -> None:
        """Let words have translations."""
        assert self.comparison is not None
        assert self._encoded is not None
        german, italian = (self._encoded.encoder.stems(lang) for lang in LANGS)
        cells = [
            (german[stem(a, "deu")], italian[stem(b, "ita")]) for a, b in words.items()
        ]
        rows, columns = zip(*cells, strict=True)
        shape = len(german), len(italian)
        lexicon = csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
        self.comparison.set_lexicon(lexicon)

    def score(self, kind: str, german: int, italian: int) -> float:
        """Return the score of one candidate."""
        candidates = Candidates(*self.places((german, italian)))
        (value,) = KINDS[kind].score(self.comparison, candidates).tolist()
        assert 0 <= value <= 1
        return float(value)

    def proposals(self, kind: str) -> set[tuple[int, int]] | None:
        """Return the candidates that a kind proposes."""
        proposed = KINDS[kind].propose(self.comparison)
        if proposed is None:
            return None
        numbers = range(40)
        named = {
            self.place(a, b): (a, b)
            for a in numbers
            for b in numbers
            if all(
                any(d.id == page_id(lang, n) for d, _ in self.pages[lang])
                for lang, n in zip(LANGS, (a, b), strict=True)
            )
        }
        pairs = zip(proposed[0].tolist(), proposed[1].tolist(), strict=True)
        return {named[pair] for pair in pairs}


@pytest.fixture
def site() -> Site:
    return Site()


def add_words(site: Site, **texts: tuple[str, str]) -> None:
    """Add page 0, 1 … of both languages."""
    for number, (german, italian) in enumerate(texts.values()):
        site.add("deu", number, german)
        site.add("ita", number, italian)


@pytest.mark.parametrize("evidence", EVIDENCE, ids=lambda kind: kind.name)
def test_no_kind_says_anything_of_pages_that_have_nothing_in_common(
    site: Site, evidence: EvidenceKind
) -> None:
    add_words(site, a=("bravo elfen", "12 gatto mai piove"), b=("hund", "fosso"))

    value = site.score(evidence.name, 0, 0)

    # Title to title, and less than half as long: of the shape something remains.
    assert value == 0 or evidence.name in {
        "frame",
        "length",
        "structure",
        "structure_whole",
    }


@pytest.mark.parametrize(
    ("declared", "back", "value"),
    [
        (True, True, 0.99),
        (True, False, 0.95),
        (False, True, 0.97),
        (False, False, 0.85),
    ],
)
def test_versions(site: Site, declared: bool, back: bool, value: float) -> None:
    there = (VersionLink(page_id("ita", 0), is_declared=declared),)
    home = (VersionLink(page_id("deu", 0), is_declared=declared),)
    site.add("deu", 0, "eins", versions=there)
    site.add("ita", 0, "uno", versions=home if back else ())
    site.add("ita", 1, "due")

    assert site.score("versions", 0, 0) == value
    assert site.score("versions", 0, 1) == 0
    assert site.proposals("versions") == {(0, 0)}


def test_urls_that_differ_in_their_mark_alone(site: Site) -> None:
    site.add("deu", 0, "eins", url="http://a.org/de/x.html")
    site.add("ita", 0, "uno", url="http://a.org/it/x.html")
    site.add("ita", 1, "due", url="http://a.org/it/y.html")
    site.add("ita", 2, "tre", url="http://a.org/x.html")

    assert site.score("urls", 0, 0) == 0.95
    assert site.score("urls", 0, 1) == 0
    assert site.score("urls", 0, 2) == 0.85
    assert site.proposals("urls") == {(0, 0), (0, 2)}


def test_url_patterns_are_learned_from_sure_pairs(site: Site) -> None:
    for n, name in enumerate(FILLERS[:6]):
        site.add("deu", n, name, url=f"http://a.org/de/themen/{name}")
        site.add("ita", n, name, url=f"http://a.org/it/temi/{name}")
        site.add("deu", 10 + n, "x", url=f"http://a.org/de/kurse/{n}/{name}")
        site.add("ita", 10 + n, "y", url=f"http://a.org/it/corsi/{n}/{name}")
    assert site.proposals("url_patterns") is None
    assert site.score("url_patterns", 0, 0) == 0

    site.match((0, 0), (1, 1), (10, 10), (11, 11))
    # Each folder's name has been seen in two pairs: too few.
    before = site.score("url_patterns", 5, 5)
    site.comparison.forget()
    site.match((0, 0), (1, 1), (2, 2), (10, 10), (11, 11), (12, 12))

    assert 0 < before < site.score("url_patterns", 5, 5)
    assert site.score("url_patterns", 5, 5) == pytest.approx(1)
    assert site.score("url_patterns", 15, 15) == pytest.approx(1)
    assert site.score("url_patterns", 5, 15) < 0.9
    assert (5, 5) in (site.proposals("url_patterns") or set())


def test_url_patterns_know_numbers_at_a_constant_distance(site: Site) -> None:
    for n in range(5):
        site.add("deu", n, "x", url=f"http://a.org/?p={100 + 7 * n}")
        site.add("ita", n, "y", url=f"http://a.org/?p={101 + 7 * n}")
    site.match((0, 0), (1, 1), (2, 2))

    assert site.score("url_patterns", 4, 4) == pytest.approx(1)
    # The host and the name of the parameter are on every page.
    assert site.score("url_patterns", 4, 3) < 0.05


def test_url_patterns_are_silent_where_urls_are_opaque(site: Site) -> None:
    for n in range(20):
        site.add("deu", n, "x", url=f"http://a.org/p/{n * 7919 % 9973:x}a.html")
        site.add("ita", n, "y", url=f"http://a.org/p/{n * 4099 % 9973:x}b.html")
    site.match(*((n, n) for n in range(10)))

    assert max(site.score("url_patterns", 15, n) for n in range(10, 20)) < 0.01


def test_identical_tokens_weigh_as_the_rarer_of_the_two_languages_lets_them(
    site: Site,
) -> None:
    # "die" is rare in Italian and on each German page; "q" is a letter.
    add_words(
        site,
        a=("die linux q", "linux q"),
        b=("die bravo", "die campo"),
        c=("die delta", "fosso"),
        d=("die", "gatto"),
    )

    right, wrong = site.score("identical", 0, 0), site.score("identical", 1, 1)

    rare, common = log(5), log(5 / 4)
    assert right == pytest.approx(rare / sqrt(rare**2 + common**2))
    assert wrong == pytest.approx(1.0)  # nothing else on either page is shared
    assert site.score("identical", 0, 1) == pytest.approx(
        common / sqrt(rare**2 + common**2)
    )
    assert (0, 0) in (site.proposals("identical") or set())
    assert (0, 2) not in (site.proposals("identical") or set())


def test_numbers_are_numbers_alone(site: Site) -> None:
    add_words(site, a=("linux 1984", "linux 2001"), b=("1984", "1984"))

    assert site.score("numbers", 0, 0) == 0
    assert site.score("numbers", 0, 1) == pytest.approx(1)
    assert site.score("identical", 0, 0) > 0


def test_titles_are_titles_alone(site: Site) -> None:
    site.add("deu", 0, "linux", "debian")
    site.add("ita", 0, "debian", "linux")
    site.add("ita", 1, "linux", "gatto")
    site.add("ita", 2, "fosso", "gatto")

    assert site.score("titles", 0, 0) == 0
    assert site.score("titles", 0, 1) == pytest.approx(1)


def test_cognates_are_spelled_alike(site: Site) -> None:
    add_words(
        site,
        a=("konfiguration zentrale", "configurazione centrale"),
        b=("telefonbuch", "telefono"),
        c=("baum 1984", "albero 1984"),
    )

    assert site.score("cognates", 0, 0) == pytest.approx(1)
    assert site.score("cognates", 1, 1) == pytest.approx(1)
    assert site.score("cognates", 2, 2) == 0
    assert site.proposals("cognates") == {(0, 0), (1, 1)}
    assert site.score("identical", 0, 0) == 0


def test_images_that_few_pages_show(site: Site) -> None:
    site.add("deu", 0, "eins", images=frozenset({"a.png", "b.png"}))
    site.add("ita", 0, "uno", images=frozenset({"b.png"}))
    site.add("ita", 1, "due", images=frozenset({"c.png"}))

    assert site.score("images", 0, 0) == pytest.approx(0.5)
    assert site.score("images", 0, 1) == 0
    assert site.proposals("images") == {(0, 0)}


def test_an_image_of_the_frame_is_no_image_of_the_page(site: Site) -> None:
    for n in range(10):
        site.add("deu", n, FILLERS[n % 8], images=frozenset({"logo.png"}))
        site.add("ita", n, FILLERS[n % 8], images=frozenset({"logo.png"}))

    assert site.score("images", 0, 0) == 0
    assert site.proposals("images") == set()


def test_shape_is_kinds_and_lengths_in_order(site: Site) -> None:
    long, short = "parola " * 30, "voce"
    site.add("deu", 0, "eins", long, short, short)
    site.add("ita", 0, "vier", long, short, short)
    site.add("ita", 1, "vier", short, short, long)
    site.add("ita", 2, "vier", long)

    assert site.score("structure", 0, 0) == pytest.approx(1)
    assert site.score("structure", 0, 1) == pytest.approx(3 / 4)
    assert site.score("structure", 0, 2) == pytest.approx(2 / 3)
    assert site.score("frame", 0, 1) == pytest.approx(1)
    assert site.score("frame", 0, 2) == pytest.approx(2 / 3)
    assert (0, 0) in (site.proposals("structure") or set())


def test_length_is_a_ratio_that_sure_pairs_tell(site: Site) -> None:
    for n in range(6):
        site.add("deu", n, FILLERS[n] * 6)
        site.add("ita", n, FILLERS[n] * 8)
    site.add("ita", 6, FILLERS[6] * 12)
    assert site.score("length", 0, 6) == pytest.approx(0.5)
    assert site.proposals("length") is None

    site.match(*((n, n) for n in range(6)))
    assert site.comparison.sure is not None
    site.comparison.learn_from(site.comparison.sure)

    assert site.score("length", 0, 0) == pytest.approx(1)
    assert site.score("length", 0, 6) == pytest.approx(exp(-log(12 / 8)))


def test_the_lexicon_translates_what_it_knows(site: Site) -> None:
    site.add("deu", 0, "hunde", "katzen laufen")
    site.add("deu", 1, "katzen")
    site.add("ita", 0, "bravo", "gatto corre")
    site.add("ita", 1, "gatto")
    site.add("ita", 2, "bravo")
    assert site.score("lexicon", 0, 0) == 0
    assert site.proposals("lexicon") is None

    site.translate(katzen="gatto", laufen="corre")

    # Rare words weigh more, and are not equally rare in both languages.
    assert site.score("lexicon", 0, 0) == pytest.approx(1, abs=0.01)
    assert 0 < site.score("lexicon", 0, 1) < 1
    assert site.score("lexicon", 0, 2) == 0
    assert site.score("lexicon_titles", 0, 0) == 0
    assert site.score("lexicon_titles", 1, 1) == pytest.approx(1)
    assert (0, 0) in (site.proposals("lexicon") or set())


def test_another_lexicon_replaces_what_came_of_the_last(site: Site) -> None:
    add_words(site, a=("katzen", "gatto"), b=("laufen", "corre"))
    site.translate(katzen="gatto")
    assert site.score("lexicon", 0, 0) > 0
    assert site.proposals("lexicon") == {(0, 0)}
    site.translate(katzen="corre")
    assert site.score("lexicon", 0, 0) == 0
    assert site.proposals("lexicon") == {(0, 1)}


def test_what_a_pair_alone_has_taught_does_not_bear_it_out(site: Site) -> None:
    add_words(site, a=("katzen", "gatto"), b=("katzen", "gatto"))
    site.translate(katzen="gatto")
    site.match((0, 0))
    assert site.comparison.lexicon is not None
    site.comparison.shared_lexicon = csr_array(site.comparison.lexicon.shape)

    assert site.score("lexicon", 0, 0) == 0
    assert site.score("lexicon", 1, 1) == pytest.approx(1)


def test_anchors_are_translated_too(site: Site) -> None:
    site.add("deu", 0, "bravo", anchors=("katzen",))
    site.add("deu", 1, "katzen")
    site.add("ita", 0, "campo", anchors=("gatto",))
    site.add("ita", 1, "gatto")
    site.translate(katzen="gatto")

    assert site.score("lexicon_anchors", 0, 0) == pytest.approx(1)
    assert site.score("lexicon_anchors", 0, 1) == 0


def link_site(site: Site) -> None:
    """Add a page 0 that links to 1, 2, 3, in both languages."""
    for lang in LANGS:
        site.add(lang, 0, "x", links=tuple(page_id(lang, n) for n in (1, 2, 3)))
        for n in range(1, 8):
            site.add(lang, n, FILLERS[n])
    site.match((0, 0))


def test_links_of_a_sure_pair_vote_in_their_order(site: Site) -> None:
    link_site(site)

    assert site.proposals("link_votes") == {(1, 1), (2, 2), (3, 3)}
    assert site.score("link_votes", 2, 2) == pytest.approx(1 / 1.3)
    assert site.score("link_votes", 2, 3) == 0
    assert site.score("link_votes", 7, 7) == 0


def test_neighbors_are_pages_that_pairs_link_to_or_from(site: Site) -> None:
    link_site(site)

    # Linked from the same pair, each links nowhere: one of two directions.
    assert site.score("neighbors", 1, 2) == pytest.approx(0.5)
    assert site.score("neighbors", 1, 7) == 0
    assert site.proposals("neighbors") is None


def test_sentences_that_the_lexicon_bears_out(site: Site) -> None:
    site.add("deu", 0, "katzen laufen", "hunde schlafen")
    site.add("ita", 0, "gatto corre", "bravo dorme")
    site.add("ita", 1, "bravo dorme", "gatto corre")
    assert site.score("sentences", 0, 0) == 0

    site.translate(katzen="gatto", laufen="corre", schlafen="dorme", hunde="bravo")

    assert site.score("sentences", 0, 0) == pytest.approx(1)
    # Each word is known and none is where it should be: the least that counts.
    assert site.score("sentences", 0, 1) == pytest.approx(0.05)
