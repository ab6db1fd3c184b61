"""Split into training, development and test data, and the dataset of its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyarrow import parquet
from scrapy.settings import Settings
from small_corpus import SmallCorpus

import ilspfc.settings
from ilspfc import __version__
from ilspfc.documents import DocumentPair, PairState, TranslationUnit
from ilspfc.exceptions import SettingError
from ilspfc.exports import read_tmx
from ilspfc.exports.corpus_files import run_exports
from ilspfc.exports.export_options import export_options
from ilspfc.exports.split import PARTS, split_documents
from ilspfc.line.units import run_units

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus

yaml = pytest.importorskip("yaml")  # mkdocs has it
WORDS = "Biene Honig Wabe Beute Imker Wiese Blüte Wachs Volk Tracht".split()
# On every page, once with another case and punctuation.
FRAME = ("Alle Angaben sind ohne Gewähr", "Tutti i dati sono senza garanzia")


def split(number: int, *shares: float) -> dict[str, str]:
    pairs = [(f"d{n}", f"i{n}") for n in range(number)]
    return split_documents(pairs, [share / sum(shares) for share in shares])


def count(parts: dict[str, str]) -> list[int]:
    return [[*parts.values()].count(name) // 2 for name in PARTS]


@pytest.mark.parametrize(
    ("number", "shares", "sizes"),
    [
        (1000, (98, 1, 1), [980, 10, 10]),
        (1000, (90, 10, 0), [900, 100, 0]),
        (10, (98, 1, 1), [8, 1, 1]),
        (3, (98, 1, 1), [1, 1, 1]),
        (2, (98, 1, 1), [1, 0, 1]),
        (1, (98, 1, 1), [1, 0, 0]),
        (0, (98, 1, 1), [0, 0, 0]),
        (4, (0, 1, 1), [0, 2, 2]),
    ],
)
def test_parts_have_their_shares(
    number: int, shares: tuple[float, ...], sizes: list[int]
) -> None:
    assert count(split(number, *shares)) == sizes


def test_linked_documents_are_in_the_same_part() -> None:
    links = [(f"d{n}", f"d{n + 3}") for n in range(30)]
    parts = split_documents(links, (0.4, 0.3, 0.3))
    assert len({*parts.values()}) == 3
    assert all(parts[one] == parts[other] for one, other in links)
    assert split_documents([("d1", "d1")], (1.0, 0.0, 0.0)) == {"d1": "train"}


def test_few_documents_change_their_part_as_a_corpus_grows() -> None:
    small, large = split(500, 80, 10, 10), split(1000, 80, 10, 10)
    changed = [name for name, part in small.items() if large[name] != part]
    assert len(changed) < 0.1 * len(small)


@contextmanager
def make_corpus(root: Path, **settings: object) -> Iterator[Corpus]:
    """Open a corpus of ten pairs of pages with a unit of their own and one that all have."""
    corpus = SmallCorpus(root)
    states, units = {}, {}
    for n, word in enumerate(WORDS):
        own = f"Heute geht es um {word} im Garten."
        frame = FRAME[0].upper() + "!" if n % 2 else FRAME[0]
        corpus.add(f"d{n}", "deu", [own, frame])
        corpus.add(f"i{n}", "ita", [f"Oggi parliamo di {word} qui.", FRAME[1]])
        pair = DocumentPair(f"d{n}", f"i{n}", 0.9, "url", 0.5)
        states[pair] = PairState.PAIR
        units[pair] = [
            TranslationUnit(own, f"Oggi parliamo di {word} qui.", "1:1", 0.9),
            TranslationUnit(frame, FRAME[1], "1:1", 0.9),
        ]
    with corpus.open(**settings) as opened:
        opened.bitext.set_states("deu", "ita", states)
        for pair, some in units.items():
            opened.bitext.set_units(pair, some, null_share=0.0, mean_score=0.9)
        run_units(opened)
        run_exports(opened)
        yield opened


def letters(text: str) -> str:
    return re.sub(r"\W", "", text).casefold()


def test_no_part_has_a_segment_of_another(tmp_path: Path) -> None:
    formats = "tmx,moses,tsv"
    with make_corpus(
        tmp_path, EXPORTS_FORMATS=formats, EXPORTS_SPLIT="80,10,10"
    ) as corpus:
        written = corpus.run["written"]
        drops = dict(corpus.index.rows("SELECT reason, number FROM drops"))
    texts = {
        name: (tmp_path / f"de-it.{name}.de").read_text("utf-8").splitlines()
        for name in PARTS
    }
    sides = {name: {letters(line) for line in lines} for name, lines in texts.items()}
    assert {name: len(lines) for name, lines in texts.items()} == {
        "train": 8,
        "dev": 1,
        "test": 2,
    }
    for one in PARTS:
        assert all(not sides[one] & sides[other] for other in PARTS if other != one)
        memory = [u.source for u in read_tmx(tmp_path / f"de-it.{one}.tmx")]
        assert memory == texts[one]
    assert drops == {"test_set": 9}
    assert f"{tmp_path / 'de-it.dev.tmx'}: translation memory" in written[0]
    assert [line.rpartition("; ")[2] for line in written[:3]] == [
        f"{len(texts[name])} unit{'s' * (len(texts[name]) > 1)}, preset annotate"
        for name in ("dev", "test", "train")
    ]
    assert not (tmp_path / "de-it.tmx").exists()


def test_a_dataset_has_a_configuration_a_language_pair_and_a_split_a_part(
    tmp_path: Path,
) -> None:
    with make_corpus(tmp_path, EXPORTS_FORMATS="hf", EXPORTS_SPLIT="8,1,1"):
        pass
    folder = tmp_path / "hf"
    _, head, body = (folder / "README.md").read_text("utf-8").split("---\n", 2)
    card = yaml.safe_load(head)
    assert card["language"] == ["de", "it"]
    assert card["task_categories"] == ["translation"]
    (config,) = card["configs"]
    assert config["config_name"] == "de-it"
    rows = {
        one["split"]: parquet.read_table(folder / one["path"]).to_pylist()
        for one in config["data_files"]
    }
    assert {name: len(some) for name, some in rows.items()} == {
        "train": 8,
        "validation": 1,
        "test": 2,
    }
    assert rows["validation"][0]["src_text"].startswith("Heute geht es um ")
    assert "| de-it | train | 8 |" in body
    assert "a.org (20)" in body
    assert "German and Italian" in body
    assert f"ilspfc {__version__}" in body


def test_files_of_a_split_and_of_none_take_each_others_place(tmp_path: Path) -> None:
    with make_corpus(tmp_path, EXPORTS_FORMATS="hf,tmx", EXPORTS_SPLIT="8,1,1") as one:
        one.settings.set("EXPORTS_SPLIT", "")
        run_exports(one)
    assert [path.name for path in tmp_path.glob("*.tmx")] == ["de-it.tmx"]
    assert [path.name for path in (tmp_path / "hf").glob("*.parquet")] == [
        "de-it.parquet"
    ]
    assert "dev" not in (tmp_path / "hf" / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("98,1", "such as 98,1,1"),
        ("98,1,-1", "such as 98,1,1"),
        ("0,0,0", "such as 98,1,1"),
        ("nan,1,1", "such as 98,1,1"),
        ("inf,1,1", "such as 98,1,1"),
        ("all", "such as 98,1,1"),
        ("98,1,1", "cesalign has a file a pair of pages"),
    ],
)
def test_a_split_that_cannot_be_is_refused(given: str, message: str) -> None:
    settings = Settings()
    settings.setmodule(ilspfc.settings)
    settings.set("EXPORTS_SPLIT", given)
    with pytest.raises(SettingError, match=message):
        export_options(settings)
