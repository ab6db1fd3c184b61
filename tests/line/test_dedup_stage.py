"""Dedup over the files of a corpus."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy.settings import BaseSettings

from ilspfc.corpus import counts as figures
from ilspfc.corpus.corpus import open_corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.records import DocumentEntry, LinkEntry
from ilspfc.corpus.xml import format_document
from ilspfc.documents import Document, Metadata, Paragraph, document_id
from ilspfc.line.dedup import count_marks, run_dedup

SETTINGS = BaseSettings({"DEDUP_THRESHOLD": 0.8})


class SmallCorpus:
    """A corpus folder that a test fills."""

    def __init__(self, root: Path) -> None:
        self.files = CorpusFiles(root)
        self.files.documents.mkdir(parents=True)
        with CorpusIndex(self.files.index) as index:
            index.add_run({"langs": ["deu", "eng"]})

    def add(
        self,
        path: str,
        text: str,
        lang: str = "eng",
        *,
        declared: str = "",
        canonical: str = "",
        links: list[LinkEntry] | None = None,
        title: str = "",
        identity: str = "",
    ) -> None:
        """Add a document of one paragraph a letter; its id is its path if none is given."""
        identity = identity or path.replace("/", "_")
        url, name = f"http://a.org/{path}", f"{lang}-{identity}.xml"
        document = Document(
            identity,
            url,
            [Paragraph(letter) for letter in text],
            Metadata(declared_lang=declared, canonical=canonical),
            lang=lang,
        )
        (self.files.documents / name).write_bytes(format_document(document))
        size = len(text)
        said = (title, size, size, size, 0.0, 0, "", "", "utf-8", "")
        entry = DocumentEntry(identity, lang, url, "a.org", "a.org", 1, name, *said)
        with CorpusIndex(self.files.index) as index:
            index.add_document(entry, links or [], [])

    def run(self) -> dict[str, tuple[str, str]]:
        """Run the stage; return survivor and reason of each document that went."""
        with open_corpus(self.files.root, SETTINGS) as corpus:
            run_dedup(corpus)
            rows = corpus.index.rows(
                "SELECT id, duplicate_of, reason FROM documents JOIN duplicates ON id = document"
            )
            found = {row[0]: (row[1], row[2]) for row in rows}
            drops = {f"dedup/{reason}": 0 for _, reason in found.values()}
            for _, reason in found.values():
                drops[f"dedup/{reason}"] += 1
            assert figures.count_drops(corpus.index) == drops
            samples = figures.sample_drops(corpus.index, 99)
            counted = {code: len(urls) for code, urls in samples.items()}
            assert {c: n for c, n in counted.items() if c in drops} == drops
        gone = {path.stem for path in self.files.duplicates.glob("*")}
        assert {name.partition("-")[2] for name in gone} == found.keys()
        return found


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    return SmallCorpus(tmp_path / "corpus")


def test_what_goes_is_recorded_with_its_reason(corpus: SmallCorpus) -> None:
    corpus.add("en/tools", "abcdef")
    corpus.add("de/tools", "!abcdef")
    corpus.add("en/print/tools", "abcdef")
    corpus.add("en/t", "pqrstu1234")
    corpus.add("en/tt", "pqrstu123")
    assert corpus.run() == {
        "de_tools": ("en_tools", "untranslated_copy"),
        "en_print_tools": ("en_tools", "exact_duplicate"),
        "en_tt": ("en_t", "near_duplicate"),
    }
    assert corpus.run().keys() == {"de_tools", "en_print_tools", "en_tt"}, "again"


def test_parts_of_longer_pages_are_put_apart_and_paired_all_the_same(
    corpus: SmallCorpus,
) -> None:
    corpus.add("faq", "abcdefghij")
    corpus.add("press", "abcde")
    corpus.add("print", "abcdefghi")
    assert corpus.run() == {
        "press": ("faq", "contained"),
        "print": ("faq", "near_duplicate"),
    }
    with open_corpus(corpus.files.root, SETTINGS) as opened:
        entries = opened.index.documents_to_pair()
        assert [(entry.id, entry.path) for entry in entries] == [
            ("faq", "xml/eng-faq.xml"),
            ("press", "duplicates/eng-press.xml"),
        ]
        assert len(opened.read(entries[1]).paragraphs) == 5


@pytest.mark.parametrize(
    ("anchor", "stays"), [("Post A", "post"), ("", "list"), ("next", "list")]
)
def test_a_list_goes_that_links_to_its_posts_by_their_titles(
    corpus: SmallCorpus, anchor: str, stays: str
) -> None:
    links = [
        LinkEntry(name, "", "", text)
        for name, text in (("post", anchor), ("b", "Post B"), ("c", "Post C"))
    ]
    corpus.add("list", "abcdefgh", links=links)
    corpus.add("post", "abcd", title="Post A | Site")
    corpus.add("b", "ef", title="Post B | Site")
    corpus.add("c", "gh", title="Post C | Site")
    gone = {
        "post": {"list": ("post", "collection")},
        "list": {"post": ("list", "contained")},
    }
    assert corpus.run() == gone[stays]


@pytest.mark.parametrize("threshold", [0.8, 1.0])
def test_dedup_that_was_killed_is_run_again(
    corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch, threshold: float
) -> None:
    """Killed after the files were moved, before the index knew."""
    corpus.add("faq", "abcdefghij")
    corpus.add("press", "abcde")
    if threshold == 1.0:
        corpus.run()
    settings = BaseSettings({"DEDUP_THRESHOLD": threshold})
    with open_corpus(corpus.files.root, settings) as opened, monkeypatch.context() as m:
        m.setattr(opened.index, "set_duplicates", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            run_dedup(opened)
        (press,) = (e for e in opened.index.documents_to_pair() if e.id == "press")
        assert not (corpus.files.root / press.path).exists()
        assert len(opened.read(press).paragraphs) == 5
    assert corpus.run() == {"press": ("faq", "contained")}


@pytest.mark.parametrize("declared", ["en", "de", "ja"])
def test_the_declared_language_tells_the_copy(
    corpus: SmallCorpus, declared: str
) -> None:
    corpus.add("a", "abcdef", declared=declared)
    corpus.add("longer", "abcdef", declared="en-GB")
    if declared == "en":
        assert corpus.run() == {"longer": ("a", "exact_duplicate")}
    else:
        assert corpus.run() == {"a": ("longer", "untranslated_copy")}


def test_of_equal_texts_the_one_stays_that_says_its_language(
    corpus: SmallCorpus,
) -> None:
    corpus.add("a", "abcdef")
    corpus.add("longer", "abcdef", declared="en-GB")
    assert corpus.run() == {"a": ("longer", "exact_duplicate")}


@pytest.mark.parametrize(
    "copy", ["el-GR/a", "ja/a", "a.it.html", "a_fr.html", "a?lang=pt-BR", "zh-hans/a"]
)
@pytest.mark.parametrize("text", ["abcdef", "!abcdef"])
def test_any_language_in_the_address_tells_the_copy(
    corpus: SmallCorpus, copy: str, text: str
) -> None:
    """German and English are the languages of the corpus; the copy's id comes first."""
    corpus.add(copy, text)
    corpus.add("en-US/longer/path", "abcdef")
    identity = copy.replace("/", "_")
    assert corpus.run() == {identity: ("en-US_longer_path", "untranslated_copy")}


def test_the_canonical_url_tells_the_copy(corpus: SmallCorpus) -> None:
    corpus.add("1", "abcdef", canonical="http://a.org/el-GR/apt.html")
    corpus.add("2", "abcdef", canonical="http://[a")
    assert corpus.run() == {"1": ("2", "untranslated_copy")}


def test_the_version_that_the_canonical_url_names_stays(corpus: SmallCorpus) -> None:
    url = "http://a.org/2.0/apt"
    original = document_id(url)
    corpus.add("1.0/apt", "abcdef", canonical="HTTP://a.org:80/2.0/apt#top")
    corpus.add("2.0/apt", "abcdef!", canonical=url, identity=original)
    corpus.add("1.0/dpkg", "ghijkl", canonical="http://a.org/2.0/dpkg/gone")
    corpus.add("2.0/dpkg", "ghijkl")
    assert corpus.run() == {
        "1.0_apt": (original, "near_duplicate"),
        "2.0_dpkg": ("1.0_dpkg", "exact_duplicate"),
    }


def test_links_tell_the_copy(corpus: SmallCorpus) -> None:
    corpus.add("a", "abcdef")
    corpus.add("longer", "abcdef", links=[LinkEntry("a", "hreflang", "deu")])
    assert corpus.run() == {"a": ("longer", "untranslated_copy")}


def test_a_corpus_without_documents_or_text_is_no_failure(corpus: SmallCorpus) -> None:
    assert corpus.run() == {}
    corpus.add("a", "")
    corpus.add("b", "")
    assert corpus.run() == {}


@pytest.mark.parametrize(
    ("marks", "counts"),
    [
        ([], (0, 0)),
        ([set(), {""}], (0, 0)),
        ([{"eng"}, {"eng", "deu"}, {"eng"}], (0, 3)),
        ([{"deu"}, {"deu", "ita"}, {""}], (2, 0)),
        ([{"ell"}, set(), {"eng"}], (1, 1)),
    ],
)
def test_marks_are_of_its_own_language_or_foreign(
    marks: list[set[str]], counts: tuple[int, int]
) -> None:
    assert count_marks("eng", *marks) == counts


@pytest.mark.parametrize(("lang", "mark"), [("nor", "nob"), ("nob", "nor")])
def test_two_codes_of_one_language_are_not_foreign(lang: str, mark: str) -> None:
    assert count_marks(lang, {mark}) == (0, 1)
