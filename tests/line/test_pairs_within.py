"""Pages that hold the text in both languages: paired with themselves, with no other page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scrapy.settings import Settings

from evaluation.site_corpora import build_corpus
from ilspfc.corpus.corpus import open_corpus
from ilspfc.corpus.xml import format_document, read_document, write_verdicts
from ilspfc.decisions.within import choose_within, score_within
from ilspfc.documents import CrawlInfo, Document, Paragraph, ParagraphType
from ilspfc.language.identification import identify_page
from ilspfc.line.alignment import run_alignment
from ilspfc.line.content import run_content
from ilspfc.line.decisions import run_decisions
from ilspfc.line.lexicons import known_entries
from ilspfc.line.pairing import find_within, run_pairing

TEXTS = {
    "eng": """\
The library is open from Monday to Friday, and on Saturday morning as well.
Children under twelve years do not pay for their reading card.
Please bring the books back after four weeks at the latest.
Whoever loses a book has to buy a new one for the library.
The swimming pool lies behind the school, next to the old mill.
In summer the water is warm enough to swim without a suit.
Dogs must stay outside, even if they are small and quiet.
A ticket for a family costs nine euros and is valid all day.
The market takes place every Thursday on the square in front of the church.
Farmers of the valley sell cheese, eggs, apples and fresh bread.
Early in the morning the choice is the largest.
Cars cannot park on the square on that day before three in the afternoon.
The museum shows how people lived in the mountains a hundred years ago.
On the first floor there is a kitchen with an oven of clay.
A guide explains how wool was spun and dyed.
Groups of more than ten persons should call us two days before their visit.""",
    "fra": """\
La bibliothèque est ouverte du lundi au vendredi, ainsi que le samedi matin.
Les enfants de moins de douze ans ne paient pas leur carte de lecture.
Veuillez rapporter les livres au plus tard après quatre semaines.
Celui qui perd un livre doit en acheter un nouveau pour la bibliothèque.
La piscine se trouve derrière l'école, à côté du vieux moulin.
En été, l'eau est assez chaude pour nager sans combinaison.
Les chiens doivent rester dehors, même s'ils sont petits et calmes.
Un billet pour une famille coûte neuf euros et est valable toute la journée.
Le marché a lieu chaque jeudi sur la place devant l'église.
Les paysans de la vallée vendent du fromage, des œufs, des pommes et du pain frais.
Tôt le matin, le choix est le plus grand.
Ce jour-là, les voitures ne peuvent pas stationner sur la place avant trois heures de l'après-midi.
Le musée montre comment les gens vivaient à la montagne il y a cent ans.
Au premier étage se trouve une cuisine avec un four en argile.
Un guide explique comment la laine était filée et teinte.
Les groupes de plus de dix personnes devraient nous appeler deux jours avant leur visite.""",
    "hin": """\
पुस्तकालय सोमवार से शुक्रवार तक और शनिवार की सुबह भी खुला रहता है।
बारह साल से कम उम्र के बच्चे अपने पठन कार्ड के लिए पैसे नहीं देते।
कृपया किताबें अधिक से अधिक चार सप्ताह बाद वापस ले आएँ।
जो कोई किताब खो देता है उसे पुस्तकालय के लिए नई किताब खरीदनी पड़ती है।
तैरने का तालाब स्कूल के पीछे पुरानी चक्की के पास है।
गर्मियों में पानी इतना गर्म होता है कि बिना सूट के तैरा जा सकता है।
कुत्तों को बाहर रहना होगा, भले ही वे छोटे और शांत हों।
एक परिवार के टिकट की कीमत नौ यूरो है और वह पूरे दिन मान्य है।
बाज़ार हर गुरुवार को गिरजाघर के सामने चौक पर लगता है।
घाटी के किसान पनीर, अंडे, सेब और ताज़ी रोटी बेचते हैं।
सुबह जल्दी सबसे ज़्यादा चीज़ें मिलती हैं।
उस दिन दोपहर तीन बजे से पहले चौक पर गाड़ियाँ खड़ी नहीं की जा सकतीं।
संग्रहालय दिखाता है कि सौ साल पहले लोग पहाड़ों में कैसे रहते थे।
पहली मंज़िल पर मिट्टी के चूल्हे वाली एक रसोई है।
एक मार्गदर्शक बताता है कि ऊन कैसे काता और रंगा जाता था।
दस से अधिक लोगों के समूह अपनी यात्रा से दो दिन पहले हमें फोन करें।""",
}
TEXTS_BY_PAGE = {
    lang: [text.split("\n")[n : n + 4] for n in range(0, 16, 4)]
    for lang, text in TEXTS.items()
}


def write_page(path: Path, first: list[str], second: list[str], layout: str) -> None:
    both = list(zip(first, second, strict=True))
    bodies = {
        "alternating": "".join(f"<p>{a}</p><p>{b}</p>" for a, b in both),
        "halves": "".join(f"<p>{one}</p>" for one in (*first, *second)),
        "divs": "".join(
            f"<div>{''.join(f'<p>{one}</p>' for one in side)}</div>"
            for side in (first, second)
        ),
        "table": "<table>"
        + "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in both)
        + "</table>",
    }
    html = f"<html><body><main>{bodies[layout]}</main></body></html>"
    path.write_text(html, encoding="utf-8")


def make_settings() -> Settings:
    settings = Settings()
    settings.setmodule("ilspfc.settings")
    return settings


@pytest.mark.parametrize("langs", [("eng", "fra"), ("eng", "hin")])
@pytest.mark.parametrize("layout", ["alternating", "halves", "divs", "table"])
def test_a_page_in_two_languages_is_a_pair_with_itself(
    tmp_path: Path, layout: str, langs: tuple[str, str]
) -> None:
    """Sides are turned on every other page, so that pages are in either language."""
    (tmp_path / "www").mkdir()
    sides = [TEXTS_BY_PAGE[lang] for lang in langs]
    translations = set(zip(*(TEXTS[lang].split("\n") for lang in langs), strict=True))
    for n in range(4):
        order = [n % 2, 1 - n % 2] if langs[1] == "fra" else [1, 0]
        pages = [sides[side][n] for side in order]
        write_page(tmp_path / "www" / f"{n}.html", pages[0], pages[1], layout)
    names = [f"{n}.html" for n in range(4)]
    build_corpus(tmp_path / "c", tmp_path / "www", names, langs)
    with open_corpus(tmp_path / "c", make_settings()) as corpus:
        for run in (run_pairing, run_content, run_alignment, run_decisions):
            run(corpus)
        entries = corpus.bitext.pairs(*langs)
        assert [e.pair.evidence for e in entries] == ["within"] * 4
        assert all(e.source.id == e.target.id for e in entries)
        assert all((e.source.lang, e.target.lang) == langs for e in entries)
        units = [
            (u.source, u.target) for e in entries for u in corpus.bitext.units(e.pair)
        ]
        assert set(units) <= translations
        assert len(units) >= 15
        first = corpus.bitext.candidate(entries[0].source.id, entries[0].target.id)
        assert first == entries[0]
        (table,) = (tmp_path / "c" / "pairs").glob("*.tsv")
        assert table.read_text(encoding="utf-8").count("\twithin\t") == 4


def make_texts(lang: str, texts: list[str]) -> list[Paragraph]:
    return [Paragraph(text, lang=lang) for text in texts]


def test_quotes_and_other_texts_make_no_page_in_two_languages() -> None:
    english, french = (TEXTS[lang].split("\n") for lang in ("eng", "fra"))
    quoted = [*make_texts("eng", english), *make_texts("fra", french[:2])]
    assert score_within(quoted, "eng", ("eng", "fra")) == ("fra", -np.inf)
    # Half of it is not translated yet.

    def find(source: str, target: str) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for entry in known_entries(make_settings(), (source, target)):
            found.setdefault(entry.source, set()).add(entry.target)
        return found

    half = [*make_texts("fra", french[:8]), *make_texts("eng", english[8:])]
    whole = [*make_texts("fra", french[8:]), *make_texts("eng", english[8:])]
    langs = "eng", "fra"
    odds = [score_within(one, "fra", langs, find)[1] for one in (half, whole)]
    assert odds[0] < 0 < odds[1]
    assert score_within(make_texts("eng", english), "eng", ("eng",))[1] == -np.inf
    assert score_within([], "eng", ("eng", "fra"))[1] == -np.inf


def test_pages_of_a_site_speak_for_each_other() -> None:
    alone = [("a", "a.org", 3.0)]
    assert choose_within(alone) == []
    assert choose_within([*alone, ("b", "a.org", 4.0)]) == ["a", "b"]
    assert choose_within([*alone, ("b", "b.org", 4.0)]) == []
    assert choose_within([*alone, ("b", "a.org", -9.0), ("c", "a.org", 7.0)]) == []


def test_pages_that_are_half_translated_are_no_pairs_within(tmp_path: Path) -> None:
    """The other half is in the language of the original, and says something else."""
    langs = "eng", "fra"
    english, french = (TEXTS_BY_PAGE[lang] for lang in langs)
    (tmp_path / "www").mkdir()
    for n in range(4):
        sides = french[n], english[(n + 2) % 4]
        write_page(tmp_path / "www" / f"{n}.html", *sides, "halves")
    names = [f"{n}.html" for n in range(4)]
    build_corpus(tmp_path / "c", tmp_path / "www", names, langs)
    with open_corpus(tmp_path / "c", make_settings()) as corpus:
        run_pairing(corpus)
        evidence = {e.pair.evidence for e in corpus.bitext.candidates(*langs)}
        assert "within" not in evidence


def test_lists_of_pages_in_two_languages_are_no_pairs_within(tmp_path: Path) -> None:
    """Their titles are links; without these, a list says the same in both languages."""
    langs = "eng", "fra"
    (tmp_path / "www").mkdir()
    titles: dict[str, list[list[str]]] = {lang: [[], [], [], []] for lang in langs}
    for lang in langs:
        for post, texts in enumerate(TEXTS_BY_PAGE[lang]):
            page = tmp_path / "www" / f"{lang}-{post}.html"
            body = "".join(f"<p>{text}</p>" for text in texts)
            page.write_text(f"<main>{body}</main>", "utf-8")
            for number, text in enumerate(texts):
                titles[lang][number].append(f'<a href="{page.name}">{text}</a>')
    for number, (first, second) in enumerate(zip(*titles.values(), strict=True)):
        write_page(
            tmp_path / "www" / f"list-{number}.html", first, second, "alternating"
        )
    names = sorted(path.name for path in (tmp_path / "www").iterdir())
    build_corpus(tmp_path / "c", tmp_path / "www", names, langs)
    with open_corpus(tmp_path / "c", make_settings()) as corpus:
        assert find_within(corpus, 0.5) == {}
        corpus.index.change("DELETE FROM links", [()])
        (pairs,) = find_within(corpus, 0.5).values()
        urls = {entry.id: entry.url for entry in corpus.index.documents()}
        assert len(pairs) == 4
        assert all("list-" in urls[pair.source] for pair in pairs)


def test_a_file_names_the_language_of_what_is_in_another(tmp_path: Path) -> None:
    path = tmp_path / "eng-a.xml"
    foreign = Paragraph("Le marché", None, CrawlInfo.OOI_LANG, lang="fra")
    text = Paragraph("The market", lang="eng")
    path.write_bytes(format_document(Document("a", "", [text, foreign], lang="eng")))
    found = read_document(path)
    assert [one.lang for one in found.paragraphs] == [None, "fra"]
    found.turn_to("fra")
    assert [one.text for one in found.clean_paragraphs] == ["Le marché"]
    write_verdicts(path, [text, replace(foreign, crawlinfo=None)])
    assert b'lang="fra"' not in path.read_bytes()


def test_rows_are_split_where_their_columns_are_in_two_languages() -> None:
    english, french = (TEXTS[lang].split("\n") for lang in ("eng", "fra"))
    both = zip(english[:5], french[:5], strict=True)
    rows = [Paragraph(f"{a} | {b}", ParagraphType.ROW) for a, b in both]
    lang, found = identify_page(list(rows), ("eng", "fra"))
    assert lang in {"eng", "fra"}
    assert [one.lang for one in found] == ["eng", "fra"] * 5
    assert sum(one.crawlinfo is CrawlInfo.OOI_LANG for one in found) == 5
    data = [Paragraph(f"{a} | {len(a)}", ParagraphType.ROW) for a in english]
    assert len(identify_page(data, ("eng", "fra"))[1]) == len(english)


def make_table(*columns: Sequence[str]) -> list[Paragraph]:
    rows = zip(*columns, strict=True)
    return [Paragraph(" | ".join(row), ParagraphType.ROW) for row in rows]


def split(*tables: list[Paragraph]) -> list[Paragraph]:
    """Return the paragraphs of tables with a heading above each."""
    page = [one for table in tables for one in (Paragraph("Heading"), *table)]
    _, found = identify_page(page, ("eng", "fra"))
    return [one for one in found if one.text != "Heading"]


PHRASES = {
    "eng": (
        "Good morning",
        "Where is the railway station, please?",
        "Thank you very much for your help",
        "How much?",
        "I would like to buy two tickets for the museum",
        "The bill, please",
    ),
    "fra": (
        "Bonjour à vous",
        "Où se trouve la gare, s'il vous plaît ?",
        "Merci beaucoup de votre aide",
        "Combien ?",
        "Je voudrais acheter deux billets pour le musée",
        "L'addition, s'il vous plaît",
    ),
}


def test_columns_of_numbers_and_other_languages_do_not_keep_rows_whole() -> None:
    latin = ["Lorem ipsum dolor sit amet, consectetur adipisici elit"] * 6
    found = split(make_table("123456", PHRASES["eng"], PHRASES["fra"], latin))
    assert [one.text for one in found[:3]] == ["1", "Good morning", "Bonjour à vous"]
    assert found[0].crawlinfo is CrawlInfo.OOI_LENGTH
    assert [one.lang for one in found[1::4]] == ["eng"] * 6
    assert [one.lang for one in found[2::4]] == ["fra"] * 6
    assert {one.crawlinfo for one in found[3::4]} == {CrawlInfo.OOI_LANG}


def test_each_table_is_split_for_itself() -> None:
    phrases = make_table(PHRASES["eng"], PHRASES["fra"])
    prices = make_table(("Ticket", "Guide"), ("one day", "one hour"), ("9 €", "20 €"))
    wide = make_table(PHRASES["eng"], PHRASES["eng"])
    found = split(phrases, prices, wide)
    assert [one.type for one in found[:12]] == [ParagraphType.CELL] * 12
    assert [one.type for one in found[12:]] == [ParagraphType.ROW] * 8


def test_a_table_with_little_text_is_as_the_others_of_the_page() -> None:
    parts = [make_table(*([PHRASES[k][n]] for k in ("eng", "fra"))) for n in range(6)]
    assert [one.lang for one in split(*parts)] == ["eng", "fra"] * 6
    assert len(split(parts[0])) == 1


@pytest.mark.parametrize(
    "names",
    [
        # Dishes, paintings, commands and their descriptions.
        (
            "Pot-au-feu de la grand-mère",
            "Tarte aux pommes",
            "Soupe à l'oignon gratinée au four",
            "Quenelles de brochet",
            "Oie",
            "Choucroute garnie à l'alsacienne",
        ),
        (
            "Le Déjeuner sur l'herbe",
            "La Liberté guidant le peuple",
            "Un bar aux Folies Bergère",
            "Les Demoiselles d'Avignon",
            "Les Raboteurs de parquet",
            "Le Radeau de la Méduse",
        ),
    ],
)
def test_names_beside_prose_are_no_second_language(names: tuple[str, ...]) -> None:
    assert len(split(make_table(names, PHRASES["eng"]))) == 6
