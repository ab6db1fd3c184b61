"""Search of the web application: its bounds, its time, passages, remarks by the settings."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_corpus import SmallCorpus
from starlette.testclient import TestClient

from ilspfc.documents import DocumentPair, PairState, TranslationUnit
from ilspfc.exceptions import ArgumentError
from ilspfc.server import queries
from ilspfc.server import search as search_module
from ilspfc.server.application import make_application
from ilspfc.server.library import Library
from ilspfc.server.search import (
    UNIT_ORDERS,
    PassageFinder,
    SearchIndex,
    UnitFilter,
    split_words,
)

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus

PAIR = DocumentPair("d1", "i1", 0.9, "content", 0.5, (("lexicon", 0.8),))


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    corpus = SmallCorpus(tmp_path / "bees")
    corpus.add("d1", "deu", ["Honig ist gesund.", "a " * 40_000])
    corpus.add("i1", "ita", ["Il miele è dolce."])
    with corpus.open() as opened:
        unit = TranslationUnit(
            "Honig ist süß und gut.", "Il miele è dolce.", "1:1", 0.7
        )
        opened.bitext.set_states("deu", "ita", {PAIR: PairState.PAIR})
        opened.bitext.set_units(PAIR, [unit], null_share=0.0, mean_score=0.8)
    return corpus


@pytest.fixture
def index(corpus: SmallCorpus) -> SearchIndex:
    index = SearchIndex(corpus.files.search)
    with corpus.open() as opened:
        index.renew(opened)
    return index


@pytest.mark.parametrize("times", [1, 300, 3000])
def test_a_word_again_is_the_same_search(times: int, index: SearchIndex) -> None:
    (hit,) = index.find_documents("a " * times + "A", 10)
    # One page says it 40,000 times: its passage is as short as any other.
    assert hit.document == "d1"
    assert hit.passage.startswith("Honig ist gesund.\n[a] [a]")
    assert len(hit.passage) < 600
    assert index.find_units(UnitFilter("deu-ita", words="miele " * times), (-1, 0), 5)


@pytest.mark.parametrize(
    "words", ["", " \t", "\0", "\0 \0", " ".join(map(str, range(33))), "x" * 501]
)
def test_searches_that_are_refused(words: str, index: SearchIndex) -> None:
    with pytest.raises(ArgumentError, match="to search for"):
        index.find_documents(words, 10)
    with pytest.raises(ArgumentError, match="to search for"):
        split_words(words)


def test_the_longest_searches_are_answered(index: SearchIndex) -> None:
    for words in (" ".join(map(str, range(32))), "x" * 500, "a." * 250, '" OR ' * 50):
        assert isinstance(index.find_documents(words, 10), list)


def test_a_search_ends_at_its_time(
    index: SearchIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_module, "_STEPS", 1)
    searches: list[Callable[[], object]] = [
        lambda: index.find_documents("honig", 10),
        lambda: index.find_units(UnitFilter("deu-ita", words="miele"), (-1, 0), 10),
    ]
    for search in searches:
        with (
            pytest.raises(ArgumentError, match="more than 0 seconds; give rarer"),
            index.limited(0),
        ):
            search()
        search()
    with index.limited(60):
        assert index.find_documents("honig", 10)


def test_lines_of_a_concordance(index: SearchIndex) -> None:
    (line,) = index.find_lines("IST  gesund", 10)
    assert line == ("d1", "Honig ", "ist gesund", ". " + "a " * 44)
    assert index.find_lines("gesund ist", 10) == []
    assert len(index.find_lines("a", 7)) == 7
    with pytest.raises(ArgumentError, match="to search for"):
        index.find_lines(" ", 10)


def test_passages_without_time_stay_empty(
    index: SearchIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "_is_late", lambda: True)
    assert index.find_documents("honig", 10) == [("d1", "")]


@pytest.mark.parametrize(
    ("words", "text", "passage"),
    [
        ("biene", "Die Biene fliegt.", "Die [Biene] fliegt."),
        ("PERCHE", "Ecco perché.", "Ecco [perché]."),
        ("ete", "L’e\N{COMBINING ACUTE ACCENT}te\N{COMBINING ACUTE ACCENT} x", None),
        ("an", "Bananen an Land", "Bananen [an] Land"),
        ("가방", "가방 각방", "[가방] 각방"),
        ("istanbul", "Vor İSTANBUL, ΟΔΟΣ", "Vor [İSTANBUL], ΟΔΟΣ"),
        ("οδός", "Vor İ, ΟΔΟΣ", "Vor İ, ΟΔΟΣ"),
        ("(a", "f(a) = b", "f[(a]) = b"),
        ("nothing", "short", "short"),
        (
            "x",
            "w " * 100 + "x" + " w" * 100,
            "… " + "w " * 20 + "[x]" + " w" * 79 + "  …",
        ),
    ],
)
def test_passages(words: str, text: str, passage: str | None) -> None:
    found = PassageFinder(split_words(words)).find(text)
    assert found == (text if passage is None else passage)


def test_the_passage_with_most_words_is_shown() -> None:
    text = "honig " + "w " * 300 + "miele honig " + "w " * 300 + "honig"
    assert "[miele] [honig]" in PassageFinder(["honig", "miele"]).find(text)


@given(st.text(min_size=1), st.text())
def test_any_words_and_text_have_a_passage(words: str, text: str) -> None:
    try:
        finder = PassageFinder(split_words(words))
    except ArgumentError:
        return
    found = finder.find(f"{text} {words} {text}")
    assert len(found) < 2000
    assert not text or found


def test_a_new_search_file_is_opened_by_many_at_once(corpus: SmallCorpus) -> None:
    errors: list[Exception] = []

    def read() -> None:
        try:
            with SearchIndex(corpus.files.search) as search:
                search.find_ids(["honig"], 1)
        except Exception as error:  # noqa: BLE001 - of any kind
            errors.append(error)

    for _ in range(5):
        corpus.files.search.unlink(missing_ok=True)
        threads = [threading.Thread(target=read) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert errors == []


def test_requests_wait_for_one_renewal(
    corpus: SmallCorpus, index: SearchIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    with corpus.open() as opened:
        library = Library([corpus.files.root], opened.settings)
    begun, ended = [], threading.Event()

    def renew(name: str) -> None:
        begun.append(name)
        assert ended.wait(60)

    monkeypatch.setattr(library, "renew_search", renew)
    try:
        for _ in range(5):
            with library.search("bees", waits=False) as search:
                assert search.find_documents("honig", 10)
    finally:
        ended.set()
    assert begun == ["bees"]


def test_a_count_is_that_before_the_change_until_it_is_there(
    corpus: SmallCorpus,
) -> None:
    with corpus.open() as opened:
        library = Library([corpus.files.root], opened.settings)
    assert library.keep("bees", "documents", _count_documents) == 2
    corpus.add("d2", "deu", ["Die Bienen fliegen."])
    os.utime(corpus.files.index, (1, 1))
    may_end = threading.Event()

    def count(opened: Corpus) -> int:
        assert may_end.wait(60)
        return _count_documents(opened)

    assert library.keep("bees", "documents", count) == 2
    may_end.set()
    library.patience = 60.0
    assert library.keep("bees", "documents", count) == 3


def _count_documents(corpus: Corpus) -> int:
    return len(corpus.index.documents())


def test_a_count_that_fails_is_raised(corpus: SmallCorpus) -> None:
    with corpus.open() as opened:
        library = Library([corpus.files.root], opened.settings)
    with pytest.raises(ZeroDivisionError):
        library.keep("bees", "nothing", lambda _: 1 // 0)


@pytest.mark.parametrize("sort", UNIT_ORDERS)
@pytest.mark.parametrize("words", ["", "honig"])
def test_units_in_order_with_frequent_and_rare_words(
    sort: str, words: str, corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = [(7 * n % 20) / 20 for n in range(20)]
    with corpus.open() as opened, SearchIndex(corpus.files.search) as index:
        units = [
            TranslationUnit(f"Honig {n}", f"miele {n}", "1:1", score)
            for n, score in enumerate(scores)
        ]
        opened.bitext.set_units(PAIR, units, null_share=0.0, mean_score=0.7)
        index.renew(opened)
        wanted = UnitFilter("deu-ita", (0.25, 0.75), words, sort=sort)
        for most in (5_000, 0):
            monkeypatch.setattr(search_module, "_MAX_RANKED", most)
            found, after = [], (-2.0, 0)
            while some := index.find_units(wanted, after, 4):
                found += [row.score for row in some]
                after = some[-1].place, some[-1].id
            kept = sorted(score for score in scores if 0.25 <= score <= 0.75)
            assert sorted(found) == kept
            if sort != "by chance":
                assert found == (kept if sort == "lowest score" else kept[::-1])
            is_counted = most or not words
            assert index.count_units(wanted) == (len(kept) if is_counted else None)


@pytest.mark.parametrize("sort", UNIT_ORDERS)
@pytest.mark.parametrize("scores", [(0.0, 1.0), (0.3, 0.6)])
def test_no_order_of_units_is_sorted_anew(
    sort: str,
    scores: tuple[float, float],
    index: SearchIndex,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plans: list[str] = []
    rows = index.rows

    def explain(sql: str, values: Sequence[Any] = ()) -> Iterator[Any]:
        plans.extend(row[3] for row in rows(f"EXPLAIN QUERY PLAN {sql}", values))
        return iter(())

    monkeypatch.setattr(index, "rows", explain)
    index.find_units(UnitFilter("deu-ita", scores, sort=sort), (-1, 0), 5)
    assert plans
    assert not [plan for plan in plans if "B-TREE" in plan or "SCAN" in plan]


def test_documents_found_go_on_behind_an_offset(
    corpus: SmallCorpus, index: SearchIndex
) -> None:
    for number in range(5):
        corpus.add(f"h{number}", "deu", ["Honig."])
    with corpus.open() as opened:
        index.renew(opened)
    pages = [index.find_documents("honig", 4, offset=place) for place in (0, 4, 8)]
    assert [len(page) for page in pages] == [4, 2, 0]
    assert len({hit.document for page in pages for hit in page}) == 6


def test_filters_reach_hits_behind_the_first(
    corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "PAGE_ROWS", 2)
    for number in range(6):
        corpus.add(f"h{number}", "deu", ["Propolis."])
    corpus.add("x1", "ita", ["La propolis serve a molte cose nella casa delle api."])
    with corpus.open() as opened:
        library = Library([corpus.files.root], opened.settings)
    library.renew_search("bees")
    client = TestClient(
        make_application(library, token="t"), base_url="http://127.0.0.1"
    )
    client.headers["authorization"] = "Bearer t"
    page = client.get("/c/bees/documents?q=propolis&lang=ita").text
    assert "documents/x1" in page
    assert "documents/h" not in page
    seen, after = [], ""
    while True:
        page = client.get(f"/c/bees/documents?q=propolis&lang=deu&after={after}").text
        seen += re.findall(r'href="documents/(h\d)"', page)
        found = re.search(r"after=(\d+)", page)
        if found is None:
            break
        after = found[1]
    assert sorted(seen) == [f"h{number}" for number in range(6)]
