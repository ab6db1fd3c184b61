"""``scrapy lexicon``: learn and merge."""

from __future__ import annotations

import argparse
import gzip
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from ilspfc.commands.resources.lexicon import Command
from ilspfc.corpus.index import CorpusIndex
from ilspfc.exceptions import LexiconError, SettingError
from ilspfc.lexicon.lexicon_file import LexiconStore
from ilspfc.lexicon.readers import read_dictionary
from ilspfc.lexicon.starter import starter_entries
from ilspfc.line.lexicons import check_store, known_entries

if TYPE_CHECKING:
    from conftest import Crawl

GERMAN = "Haus Garten\nGarten Straße\nStraße Haus\nFeuer Haus\nGarten Feuer\n" * 4
ITALIAN = (
    "casa giardino\nstrada giardino\ncasa strada\nfuoco casa\nfuoco giardino\n" * 4
)


def _run(*arguments: str, **settings: str) -> int:
    command = Command()
    command.settings = Settings(settings)
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    opts, args = parser.parse_known_args([str(argument) for argument in arguments])
    command.run(args, opts)
    return command.exitcode


@pytest.fixture
def texts(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "a.de").write_text(GERMAN, encoding="utf-8")
    (tmp_path / "a.it").write_text(ITALIAN, encoding="utf-8")
    return str(tmp_path / "a.de"), str(tmp_path / "a.it")


# -- train -------------------------------------------------------------------------------


def test_two_text_files_give_a_lexicon(
    texts: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "de-it.tsv.gz"
    arguments = ("train", *texts, "--langs", "de,it", "--min-score", "0.3")
    assert _run(*arguments, "--out", str(out)) == 0
    assert "20 segments, 0 left out" in capsys.readouterr().out
    words = [(e.source, e.target) for e in read_dictionary(out).entries]
    assert words == [
        ("feuer", "fuoco"),
        ("garte", "giard"),
        ("haus", "casa"),
        ("stras", "strad"),
    ]
    before = out.read_bytes()
    assert _run(*arguments, "--out", str(out)) == 0
    assert out.read_bytes() == before
    capsys.readouterr()
    assert _run(*arguments) == 0
    assert capsys.readouterr().out == gzip.decompress(before).decode()


def test_what_is_learned_goes_to_the_store(
    texts: tuple[str, str], tmp_path: Path
) -> None:
    store = str(tmp_path / "lexicon.db")
    for name in ("one", "one", "two"):
        assert (
            _run(
                "train", *texts, "--langs", "de,it", "--site", name, LEXICON_STORE=store
            )
            == 0
        )
    with LexiconStore(Path(store)) as kept:
        sites = [site for (site,) in kept.rows("SELECT site FROM sites ORDER BY site")]
        known = {entry.source: entry for entry in kept.entries(("deu", "ita"))}
    assert sites == ["one", "two"]
    best = known["stras"]
    assert (best.target, best.segments, best.documents, best.sites) == (
        "strad",
        16,
        2,
        2,
    )


def test_a_corpus_gives_a_lexicon(bilingual_crawl: Crawl, tmp_path: Path) -> None:
    out, store = tmp_path / "words.tsv", tmp_path / "lexicon.db"
    corpus = str(bilingual_crawl.corpus)
    assert _run("train", corpus, "--out", str(out), "--store", str(store)) == 0
    pooled = read_dictionary(out).entries
    assert len(pooled) > 10
    with LexiconStore(store) as kept:
        ((site, date),) = kept.rows("SELECT site, date FROM sites")
        assert site.startswith("127.0.0.1")
        assert date.startswith("20")
        learned = kept.entries(("deu", "ita"))
    assert [(e.source, e.target) for e in learned] == [
        (e.source, e.target) for e in pooled
    ]
    turned = tmp_path / "turned.tsv"
    assert _run("train", corpus, "--langs", "it,de", "--out", str(turned)) == 0
    assert {(e.target, e.source) for e in read_dictionary(turned).entries} == {
        (e.source, e.target) for e in pooled
    }
    settings = Settings({"LEXICON_STORE": str(store)})
    starter = starter_entries(("deu", "ita"))
    known = known_entries(settings, ("deu", "ita"))
    assert known[: len(learned)] == learned
    words = [(entry.source, entry.target) for entry in known]
    assert len(words) == len(set(words))
    assert known_entries(settings, ("deu", "ita"), without_site=site) == starter
    assert known_entries(Settings({}), ("deu", "ita")) == starter


def test_a_dictionary_helps(texts: tuple[str, str], tmp_path: Path) -> None:
    words, out = tmp_path / "it-de.dic", tmp_path / "out.tsv"
    words.write_text("it\tde\ncasa\tHaus\n", encoding="utf-8")
    scores = []
    for more in ([], ["--dictionary", str(words)]):
        assert _run("train", *texts, "--langs", "de,it", "--out", str(out), *more) == 0
        entries = read_dictionary(out).entries
        scores += [e.score for e in entries if (e.source, e.target) == ("haus", "casa")]
    assert len(scores) == 2
    assert scores[0] < scores[1]


# -- merge -------------------------------------------------------------------------------


def test_dictionaries_are_added(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, store = tmp_path / "words.dic", tmp_path / "all.db"
    words.write_text("it\tde\ncasa\tHaus\nlost\n", encoding="utf-8")
    assert _run("merge", str(store), str(words), str(words)) == 0
    told = f"{words}: 1 entries, 1 bad lines left out"
    why = "  line 3: neither word TAB word nor target @ source"
    assert capsys.readouterr().out.splitlines() == [told, why] * 2
    with LexiconStore(store) as kept:
        (entry,) = kept.entries(("deu", "ita"))
    assert (entry.target, round(entry.score, 2), entry.sites) == ("casa", 0.7, 1)


# -- bad input ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["train", "a.de", "a.it"],
            "--langs=: a language needed; give --langs de,it",
        ),
        (["train", "a.de", "a.it", "--langs", "de"], "--langs=de: give two languages"),
        (
            ["train", "a.de", "a.it", "--langs", "de,de"],
            "--langs=de,de: 'de' and 'de' are the same",
        ),
        (
            ["train", "a.de", "a.it", "--langs", "de,qqqq"],
            "'qqqq' is no known language",
        ),
        (
            ["train", "a.de", "short", "--langs", "de,it"],
            "20 lines, short: 1; line n of",
        ),
        (
            ["train", "a.de", "none", "--langs", "de,it"],
            "none: cannot be read (No such",
        ),
        (
            ["train", "a.de", "latin1", "--langs", "de,it"],
            "latin1: cannot be read ('utf",
        ),
        (["train", "none"], "none: no corpus there"),
        (["train", "empty"], "empty: no aligned segments; run scrapy pair and"),
        (["train", "empty", "--langs", "de,it"], "no aligned segments in deu-ita; run"),
        (["merge", "new.db", "latin1"], "no entries; line 1: not in UTF-8"),
        (["train", "a.de", "a.it", "--min-score", "7"], "--min-score 7: give a number"),
        (["merge", "new.db", "words.tsv"], "give --langs, as in de,it"),
        (["merge", "new.db", "none.tsv"], "none.tsv: no such file; give dict"),
        (["merge", "new.db", "de-it.dic", "--langs", "de,fr"], "deu-ita, not deu-fra"),
        (["merge", "words.tsv", "words.tsv"], "words.tsv: no readable lexicon store"),
        (["merge", "new.db", "empty/corpus.db"], "corpus.db: no entries; line 1: "),
    ],
)
@pytest.mark.usefixtures("texts")
def test_bad_input_is_one_line(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "short").write_text("casa\n")
    (tmp_path / "latin1").write_bytes("Straße\n".encode("latin-1") * 20)
    (tmp_path / "words.tsv").write_text("Haus\tcasa\n")
    (tmp_path / "de-it.dic").write_text("de\tit\nHaus\tcasa\n")
    CorpusIndex(tmp_path / "empty" / "corpus.db").close()
    assert _run(*arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("ilspfc: ")
    assert said in line


@pytest.mark.parametrize("arguments", [[], ["train"], ["merge", "a.db"], ["forget"]])
def test_wrong_usage_is_told(arguments: list[str]) -> None:
    with pytest.raises(UsageError, match="give train or merge"):
        _run(*arguments)


def test_an_unknown_option_is_told() -> None:
    with pytest.raises(UsageError, match="--langz=de: no such option"):
        _run("merge", "a.db", "--langz=de")


def test_a_store_is_checked_before_a_crawl(tmp_path: Path) -> None:
    check_store(Settings({"LEXICON_STORE": ""}))
    check_store(Settings({"LEXICON_STORE": str(tmp_path / "new.db")}))
    assert not (tmp_path / "new.db").exists()
    with pytest.raises(SettingError, match="a folder; give the name of a file"):
        check_store(Settings({"LEXICON_STORE": str(tmp_path)}))
    (tmp_path / "words.tsv").write_text("no database, though it is asked to be one")
    with pytest.raises(LexiconError, match="no readable lexicon store"):
        check_store(Settings({"LEXICON_STORE": str(tmp_path / "words.tsv")}))
