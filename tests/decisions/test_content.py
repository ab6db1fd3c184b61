"""Decision on text: by page, site and translation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ilspfc.decisions.content import (
    SITE_EVIDENCE,
    PageBlocks,
    SiteBlocks,
    TextChange,
    decide_text,
    find_change,
    find_own_text,
    is_without_text,
    join_sides,
    keep_own_text,
    read_blocks,
    shipped_model,
    weigh_site,
)
from ilspfc.decisions.counterparts import (
    compare_tokens,
    find_path,
    hash_tokens,
    match_blocks,
)
from ilspfc.documents import CrawlInfo, Paragraph, ParagraphType

MENU = ["Home and news", "All our products", "Contact and imprint"]
OWN = "Chlorine is kept in a dry and cool place, away from acid number {}."


def make_page(number: int, *, score: float = 0.45) -> list[Paragraph]:
    """Return a page of a menu, a title and a text that cleaning has rejected."""
    menu = [Paragraph(t, None, CrawlInfo.BOILERPLATE, score=0.02) for t in MENU]
    words = "one two three four five six seven eight nine ten eleven".split()
    name = words[number % len(words)] + words[number // len(words)]
    text = Paragraph(f"{name} {OWN} {name}", None, CrawlInfo.BOILERPLATE, score=score)
    title = Paragraph(f"The {name}", ParagraphType.TITLE, score=0.9, level=1)
    return [*menu, title, text, *menu[:1]]


def test_text_of_one_page_alone_is_content_and_a_menu_is_none() -> None:
    """What cleaning has rejected amid text of the page alone is restored."""
    pages = []
    for number in range(40):
        *above, text, menu = make_page(number)
        around = [
            Paragraph(f"{text.text} {more}", score=0.9) for more in ("before", "after")
        ]
        pages.append(read_blocks([*above, around[0], text, around[1], menu]))
    odds = shipped_model().judge_page(pages[7], SiteBlocks(pages))
    assert (odds > 0).tolist() == [False] * 3 + [True] * 4 + [False]


def make_placed_page(number: int, teaser: str, score: float) -> list[Paragraph]:
    """Return a page of a title, two texts and a teaser in a place of its own, 9."""
    title, *text = make_page(number, score=0.95)[3:5]
    texts = [replace(one, crawlinfo=None, place=5) for one in [*text, *text]]
    texts[
        1
    ].text = (
        f"Acids of number {number} are stored apart from chlorine of the {title.text}."
    )
    verdict = None if score >= 0.5 else CrawlInfo.BOILERPLATE
    placed = Paragraph(teaser, None, verdict, score=score, place=9)
    return [replace(title, place=4), *texts, placed]


@pytest.mark.parametrize("is_placed", [True, False])
def test_text_is_frame_in_a_place_that_is_frame_on_other_pages(is_placed: bool) -> None:
    def read(number: int, teaser: str, score: float = 0.05) -> PageBlocks:
        page = make_placed_page(number, teaser, score)
        if not is_placed:
            page = [replace(one, place=0) for one in page]
        return read_blocks(page)

    others = [read(number, f"Acid {number} in brief") for number in range(40)]
    page = read(50, "Ladders of wood", 0.5)
    odds = shipped_model().judge_page(page, SiteBlocks([*others, page]))
    assert (odds > 0).tolist() == [True, True, True, not is_placed]


def test_links_in_a_place_tell_nothing_of_plain_text_there() -> None:
    pages = []
    for number in range(24):
        page = make_placed_page(number, "", 0.02 if number < 18 else 0.8)
        text, *_, place = page[1], page.pop()
        said = "lead to another page" if number < 18 else "say what the page says"
        pages.append(
            [
                *page[:2],
                *(
                    replace(
                        place,
                        text=f"{said} {text.text[:12]} {n}",
                        place=-9 if number < 18 else 9,
                    )
                    for n in ("once", "twice", "again")
                ),
                page[2],
            ]
        )
    blocks = [*map(read_blocks, pages)]
    site = SiteBlocks(blocks)
    for one, is_content in ((blocks[3], False), (blocks[20], True)):
        odds = shipped_model().judge_page(one, site)
        assert (odds[2:5] > 0).tolist() == [is_content] * 3
    # What is plain on other pages speaks for a link, too.
    assert (site.place_scores(blocks[3])[2:5] > -3).all()
    absolute = [replace(one, places=np.abs(one.places)) for one in blocks]
    mixed = SiteBlocks(absolute).place_scores(absolute[20])
    assert (mixed[2:5] < site.place_scores(blocks[20])[2:5]).all()


def test_a_text_that_others_show_elsewhere_is_the_pages_own_beside_their_links() -> (
    None
):
    def read(text: str, place: int) -> PageBlocks:
        return read_blocks([Paragraph(text, score=0.9, place=place)])

    page = read("Chlorine is stored apart from acids.", 9)
    beginning = read("Chlorine is stored apart from acids.", 5)
    links = [read(f"Acids of group {name}", -9) for name in ("one", "two", "three")]
    assert SiteBlocks([page, beginning, *links]).repeats(page).tolist() == [0]
    assert SiteBlocks([page, beginning]).repeats(page).tolist() == [1]


def test_long_text_of_a_page_is_content_where_cleaning_is_not_sure() -> None:
    others = [make_placed_page(n, f"Acid {n} in brief", 0.3) for n in range(40)]
    page = make_placed_page(50, OWN.format(50) * 4, 0.6)
    blocks = [read_blocks(one) for one in [*others, [*page[:2], page[3], page[2]]]]
    odds = shipped_model().judge_page(blocks[-1], SiteBlocks(blocks))
    assert (odds > 0).all()


def test_the_only_page_of_a_site_keeps_its_verdicts() -> None:
    page = read_blocks(make_page(3))
    odds = shipped_model().judge_page(page, SiteBlocks([page]))
    assert (odds > 0).tolist() == page.verdicts.tolist()


def test_paragraphs_without_a_score_count_by_their_verdict() -> None:
    blocks = read_blocks(
        [Paragraph("a b c"), Paragraph("d", None, CrawlInfo.BOILERPLATE)]
    )
    assert blocks.scores == pytest.approx([2.197, -2.197], abs=0.001)


def test_items_below_a_heading_are_told_from_a_menu() -> None:
    types = [None, "listitem", "heading", "listitem", "listitem", None, "listitem"]
    kinds = [ParagraphType(one) if one else None for one in types]
    page = [Paragraph(f"{n} {'abcdefg'[n]}", kind) for n, kind in enumerate(kinds)]
    blocks = read_blocks(page)
    place = SITE_EVIDENCE.index("headed")
    alone = weigh_site(blocks, SiteBlocks([blocks]))[:, place]
    assert alone.tolist() == [0, 0, 0, 1, 1, 0, 0]
    often = weigh_site(blocks, SiteBlocks([blocks] * 9))[:, place]
    assert not often.any()


def test_a_table_of_contents_is_not_restored_by_its_heading() -> None:
    names = ["Syntax", "Parameters", "Errors"]
    verdict = CrawlInfo.BOILERPLATE

    def read(number: int, *listed: str) -> PageBlocks:
        item, heading = ParagraphType.LISTITEM, ParagraphType.HEADING
        above = Paragraph("On this page", heading, score=0.6, level=3)
        items = [
            Paragraph(f"{one} {number * 'x'}", item, verdict, score=0.3)
            for one in listed
        ]
        own = [
            paragraph
            for n, one in enumerate(names)
            for paragraph in (
                Paragraph(f"{one} {number * 'x'}", heading, score=0.9, level=2),
                Paragraph(f"{number} {OWN} {n * 'x'}", score=0.9),
            )
        ]
        title = make_page(number)[3]
        return read_blocks([above, *items, title, *own])

    pages = [read(number, *names[:2], "More") for number in range(40)]
    odds = shipped_model().judge_page(pages[7], SiteBlocks(pages))
    # The heading has nothing up to the title.
    assert (odds > 0).tolist() == [False] * 4 + [True] * 7
    # A list of which few items are headings of the page is one of the text.
    pages = [read(number, names[0], "Birds", "Trees") for number in range(40)]
    odds = shipped_model().judge_page(pages[7], SiteBlocks(pages))
    assert (odds[:4] > 0).all()


def test_no_item_of_a_list_is_restored_alone() -> None:
    def read(number: int, *items: str, is_kept: bool = False) -> PageBlocks:
        kind, verdict = ParagraphType.LISTITEM, CrawlInfo.BOILERPLATE
        heading = Paragraph("See also", ParagraphType.HEADING, score=0.9)
        listed = [
            Paragraph(
                one, kind, None if is_kept else verdict, score=0.5 * is_kept + 0.02
            )
            for one in items
        ]
        return read_blocks([*make_page(number, score=0.9)[3:5], heading, *listed])

    others = [read(number, *MENU[:2]) for number in range(40)]
    page = read(50, *MENU[:2], "Ladders of wood")
    odds = shipped_model().judge_page(page, SiteBlocks([*others, page]))
    assert (odds[3:] > 0).tolist() == [False, False, False]
    # Alone in its list it is restored, as are all items of a list of its own.
    for items in (["Ladders of wood"], ["Ladders of wood", "Ladders of steel"]):
        page = read(50, *items)
        odds = shipped_model().judge_page(page, SiteBlocks([*others, page]))
        assert (odds[3:] > 0).all()
    # What cleaning keeps stays.
    page = read(50, *MENU[:2], "Ladders of wood", is_kept=True)
    odds = shipped_model().judge_page(page, SiteBlocks([*others, page]))
    assert odds[-1] > 0


def test_a_heading_of_many_pages_heads_something() -> None:
    def make(number: int, *below: Paragraph) -> list[Paragraph]:
        heading = Paragraph(
            "Debug information:", ParagraphType.HEADING, score=0.9, level=3
        )
        text = Paragraph("Notes", ParagraphType.HEADING, score=0.9, level=2)
        return [*make_page(number, score=0.9)[3:5], text, *below, heading]

    texts = [Paragraph(f"{n} {OWN} {n * 'x'}", score=0.9) for n in range(40)]
    pages = [read_blocks(make(n, texts[n])) for n in range(40)]
    odds = shipped_model().judge_page(pages[7], SiteBlocks(pages))
    assert (odds > 0).tolist() == [True, True, True, True, False]


@pytest.mark.parametrize("is_link", [True, False])
def test_headings_that_are_links_are_no_content_of_a_section(is_link: bool) -> None:
    def make(number: int) -> PageBlocks:
        kind, place = ParagraphType.HEADING, -7 if is_link else 7
        related = Paragraph("Related products", kind, score=0.9, level=3)
        names = [
            Paragraph(
                f"Ladder {number * k * 'x'}", kind, score=0.9, level=4, place=place
            )
            for k in (1, 2)
        ]
        price = Paragraph("12 €", crawlinfo=CrawlInfo.BOILERPLATE, score=0.1)
        page = make_page(number, score=0.9)[3:5]
        return read_blocks([*page, related, names[0], price, names[1], price])

    pages = [make(number) for number in range(1, 41)]
    odds = shipped_model().judge_page(pages[7], SiteBlocks(pages))
    kept = not is_link
    assert (odds > 0).tolist() == [True, True, kept, kept, False, kept, False]


def test_sentences_of_most_pages_are_frame_whatever_the_page_model_says() -> None:
    def read(number: int) -> PageBlocks:
        around = "Do you have a question about this leaflet? The office will answer it."
        amid = "Subscribe to our letter so that you miss no news of the world of bees."
        label = Paragraph("Weight", score=0.95)
        own = [Paragraph(f"{number} {OWN} {k * 'x'}", score=0.95) for k in range(2)]
        item = ParagraphType.LISTITEM
        items = [
            Paragraph(
                f"Bring a hat, gloves and a smoker to this lesson{end}",
                item,
                score=0.95,
            )
            for end in (".", f" {number * 'y'}.")
        ]
        before, between = Paragraph(around, score=0.95), Paragraph(amid, score=0.95)
        return read_blocks([before, own[0], between, label, *items, own[1], before])

    pages = [read(number) for number in range(40)]
    odds = shipped_model().judge_page(pages[7], SiteBlocks(pages))
    assert (odds > 0).tolist() == [False, True, False, True, True, True, True, False]
    # Little is known of ten pages.
    few = shipped_model().judge_page(pages[7], SiteBlocks(pages[:10]))
    assert (few > 0).all()
    # Copies of one page are no frame.
    copies = shipped_model().judge_page(pages[7], SiteBlocks([pages[7]] * 40))
    assert (copies > 0).all()


@pytest.mark.parametrize(
    ("place", "verdict", "is_own"),
    [
        (5, None, True),
        (5, CrawlInfo.BOILERPLATE, False),
        # Others have it there, or none has anything.
        (9, None, False),
        (77, None, False),
    ],
)
def test_text_that_others_show_in_a_box_is_that_of_its_page(
    place: int, verdict: CrawlInfo | None, is_own: bool
) -> None:
    beginning = "Swarms of bees leave the hive in May and settle on a branch nearby."
    box = Paragraph(beginning, score=0.95, place=9)
    pages = [make_placed_page(n, beginning, 0.95) for n in range(40)]
    own = replace(box, place=place, crawlinfo=verdict)
    pages[7].insert(1, own)
    blocks = [read_blocks(page) for page in pages]
    site = SiteBlocks(blocks)
    assert site.repeats(blocks[7]).tolist() == [0, 0 if is_own else 39, 0, 0, 39]
    odds = shipped_model().judge_page(blocks[7], site)
    assert (odds > 0).tolist() == [True, is_own, True, True, False]


def test_recurrence_leaves_the_page_itself_out() -> None:
    pages = [read_blocks(make_page(number)) for number in range(3)]
    site = SiteBlocks(pages)
    assert site.pages == 3
    assert site.others(pages[0]).tolist() == [2, 2, 2, 0, 0, 2]
    evidence = weigh_site(pages[0], site)
    assert evidence.shape == (6, len(SITE_EVIDENCE))
    assert np.isfinite(evidence).all()


NOUNS = "anvil adze awl axe burin chisel comb file gouge hammer hook knife".split()
PLACES = "barn mill quay shop".split()


def make_glossary(texts: list[str], score: float = 0.5) -> list[list[bool]]:
    """Return the decision on each paragraph of pages of a title and one of some texts."""
    pages = []
    for number in range(len(NOUNS) * len(PLACES)):
        noun, place = NOUNS[number % len(NOUNS)], PLACES[number // len(NOUNS)]
        filled = [t.format(noun=noun, place=place, n=number) for t in texts]
        title = Paragraph(f"{noun} {place}", ParagraphType.TITLE, score=0.9, level=1)
        below = [Paragraph(text, score=score) for text in filled]
        pages.append(read_blocks([title, *below]))
    site, model = SiteBlocks(pages), shipped_model()
    odds = (
        keep_own_text(model.judge_page(p, site), p, find_own_text(p, site))
        for p in pages
    )
    return [(one > 0).tolist() for one in odds]


TWO_TEXTS = [
    "{noun} and {place} go together in each town.",
    "See page {noun} of {place}.",
]


@pytest.mark.parametrize(
    "texts",
    [
        ["It is called {noun} by all who work at the {place} of the town."],
        ["Der Name {noun} kommt von einer Werkstatt, die {place} heißt."],
        ["On day {n} the yard sent 1{n}4 tools and 2{n} wheels over the hill."],
        ["Weight: 4{n} kg", "Length: 2{n} m"],
    ],
)
def test_what_one_page_has_is_no_frame_by_its_beginning_or_numbers(
    texts: list[str],
) -> None:
    assert all(all(page) for page in make_glossary(texts))


@pytest.mark.parametrize(("score", "is_kept"), [(0.6, True), (0.5, False)])
def test_of_two_texts_the_doubtful_one_with_a_common_beginning_is_lost(
    score: float, *, is_kept: bool
) -> None:
    """A false alarm that is known: cleaning is in doubt about "See page … of …"."""
    pages = make_glossary(TWO_TEXTS, score)
    assert all(all(page) for page in pages) == is_kept


def test_what_cleaning_has_rejected_is_frame_by_its_beginning() -> None:
    def make(number: int) -> list[Paragraph]:
        noun = NOUNS[number % len(NOUNS)] + PLACES[number // len(NOUNS)]
        link = f"Next: the {noun}"
        return [
            *make_page(number, score=0.9),
            Paragraph(link, None, CrawlInfo.BOILERPLATE, score=0.3),
        ]

    pages = [read_blocks(make(number)) for number in range(40)]
    assert shipped_model().judge_page(pages[7], SiteBlocks(pages))[-1] < 0


def test_a_page_keeps_text_that_few_pages_have_rather_than_none() -> None:
    text = "See honey, where all of this is said."
    title = [Paragraph(f"{n}", ParagraphType.TITLE, score=0.9) for n in NOUNS]
    pages = [read_blocks([one, Paragraph(text, score=0.5)]) for one in title[:3]]
    pages += [read_blocks(make_page(number, score=0.9)) for number in range(40)]
    site = SiteBlocks(pages)
    odds = np.array([2.0, -1.0])
    assert keep_own_text(
        odds, pages[0], find_own_text(pages[0], site)
    ).tolist() == pytest.approx([2.0, 0.1])
    many = SiteBlocks(pages[:1] * 9 + pages[3:])
    assert keep_own_text(odds, pages[0], find_own_text(pages[0], many)).tolist() == [
        2.0,
        -1.0,
    ]


def test_a_page_whose_text_is_all_frame_is_without_text() -> None:
    title = Paragraph("Contents of the book", ParagraphType.TITLE)
    frame = Paragraph("1.1 Wood", None, CrawlInfo.BOILERPLATE, cleaning="text")
    assert is_without_text([title, frame])
    assert not is_without_text([title, frame, Paragraph("Wood is cut.")])
    assert not is_without_text([title])


def test_an_empty_page_has_no_evidence() -> None:
    empty = read_blocks([])
    assert weigh_site(empty, SiteBlocks([empty])).shape == (0, len(SITE_EVIDENCE))


def test_a_counterpart_that_is_content_speaks_for_a_block() -> None:
    own = np.array([-0.5, -0.5, -0.5])
    odds = join_sides(own, np.array([4.0, -4.0, np.nan]))
    assert odds.tolist() == [4.0, -0.5, -0.5]


def test_tokens_are_counted_by_bucket() -> None:
    texts = hash_tokens(["Chlor, Chlor", "chlor EN 689", ""])
    both, other, none = compare_tokens(texts, texts)
    assert both.tolist() == pytest.approx([1, 3**-0.5, 0])
    assert other[1] == pytest.approx(1)
    assert not none.any()
    assert compare_tokens(hash_tokens([]), texts).shape == (0, 3)


def test_the_path_has_the_largest_sum() -> None:
    similarity = np.array([[1.0, 3.0, -1.0], [2.0, 1.0, -1.0], [-1.0, -1.0, 2.0]])
    assert find_path(similarity).tolist() == [1, -1, 2]
    assert find_path(-similarity[:2, :2]).tolist() == [-1, -1]


def test_blocks_match_in_order_by_type_length_and_names() -> None:
    left = [
        Paragraph("Start", None, CrawlInfo.BOILERPLATE),
        Paragraph("Sicherheit mit Chlor EN 689", ParagraphType.HEADING, level=2),
        Paragraph("Chlor wird nach EN 689 gemessen, kühl und trocken gelagert."),
    ]
    right = [
        Paragraph(
            "Lavorare in sicurezza con il cloro EN 689", ParagraphType.HEADING, level=2
        ),
        Paragraph("Il cloro si misura secondo EN 689 e si tiene al fresco, al secco."),
        Paragraph("Pagina", None, CrawlInfo.BOILERPLATE),
    ]
    first, second = (hash_tokens([p.text for p in side]) for side in (left, right))
    matched = match_blocks(
        read_blocks(left),
        read_blocks(right),
        (first, second),
        (np.zeros(3), np.zeros(3)),
    )
    assert matched[1:].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("verdict", "odds", "tokens", "decided", "change"),
    [
        (None, 1, 9, None, None),
        (None, -1, 9, CrawlInfo.BOILERPLATE, TextChange.FRAME),
        (CrawlInfo.BOILERPLATE, 1, 9, None, TextChange.RESTORED),
        (CrawlInfo.BOILERPLATE, 1, 2, CrawlInfo.OOI_LENGTH, TextChange.RESTORED),
        (CrawlInfo.OOI_LENGTH, 1, 1, CrawlInfo.OOI_LENGTH, None),
        (CrawlInfo.OOI_LANG, -1, 9, CrawlInfo.OOI_LANG, None),
    ],
)
def test_decisions_keep_the_verdict_of_cleaning(
    verdict: CrawlInfo | None,
    odds: float,
    tokens: int,
    decided: CrawlInfo | None,
    change: TextChange | None,
) -> None:
    (first,) = decide_text(
        [Paragraph("x", None, verdict)], np.array([odds]), [tokens], 3
    )
    assert first.crawlinfo is decided
    assert first.page_verdict is verdict
    assert find_change(first) is change
    (again,) = decide_text([first], np.array([odds]), [tokens], 3)
    assert again is first
    (back,) = decide_text([first], np.array([-odds]), [tokens], 3)
    assert back.page_verdict is verdict


@pytest.mark.parametrize(
    "text", ["Hier: Startseite > Themen > Leitern", "Sprachen: de | English | fr"]
)
def test_navigation_by_its_form_is_not_restored(text: str) -> None:
    paragraph = Paragraph(text, crawlinfo=CrawlInfo.BOILERPLATE)
    (decided,) = decide_text([paragraph], np.array([5.0]), [6], 3)
    assert decided == paragraph


def test_lines_of_a_listing_are_decided_together() -> None:
    lines = ["staff = {", "c4 c d e", "}"]
    listing = [Paragraph(line, ParagraphType.PREFORMATTED) for line in lines]
    page = [Paragraph("Ein Beispiel für ein System."), *listing]
    odds = np.array([5.0, 3.0, 3.0, -4.0])
    decided = decide_text(page, odds, [5, 3, 4, 1], 3)
    assert [one.crawlinfo for one in decided] == [None] * 4
    frame = decide_text(page, -odds, [5, 3, 4, 1], 3)
    assert {one.crawlinfo for one in frame} == {CrawlInfo.BOILERPLATE}
    # What is restored is as long as the whole.
    lost = [replace(one, crawlinfo=CrawlInfo.BOILERPLATE) for one in listing]
    restored = decide_text(lost, odds[1:], [3, 4, 1], 3)
    assert [one.crawlinfo for one in restored] == [None] * 3


@pytest.mark.parametrize("share", [0.4, -0.9])
def test_no_row_is_cut_out_of_a_table_that_is_content(share: float) -> None:
    rows = ["Beschreibung | Zwischenspeicher", "Status | Erweiterung", "Datei | a.c"]
    table = [Paragraph(row, ParagraphType.ROW) for row in rows]
    decided = decide_text(table, np.array([share, -0.3, share]), [2, 2, 2], 3)
    kept = None if share > 0 else CrawlInfo.BOILERPLATE
    assert [one.crawlinfo for one in decided] == [kept] * 3


def test_a_heading_of_two_words_is_not_restored_as_text() -> None:
    lost = Paragraph("Related pages", ParagraphType.HEADING, CrawlInfo.BOILERPLATE)
    (heading,) = decide_text([lost], np.array([5.0]), [2], 3)
    assert heading.crawlinfo is CrawlInfo.OOI_LENGTH
