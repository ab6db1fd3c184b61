"""``scrapy model``: training on texts and corpora, ARPA files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ilspfc.classification.perplexity.arpa import read_arpa, write_arpa
from ilspfc.classification.perplexity.page_perplexity import train
from ilspfc.files.language_models import drop_repeated

if TYPE_CHECKING:
    from conftest import Crawl, Project

SENTENCES = [
    "der helm liegt auf dem gerüst".split(),
    "auf dem dach liegt der helm".split(),
    "das gerüst steht auf dem dach".split(),
]
TEXT = ". ".join(" ".join(one).capitalize() for one in SENTENCES) + "."


@pytest.mark.parametrize("name", ["m.arpa", "m.arpa.gz"])
def test_a_written_model_is_read_back_as_it_was(tmp_path: Path, name: str) -> None:
    model = train([*SENTENCES, *SENTENCES[:1]], 3)
    write_arpa(model, tmp_path / name)
    again = read_arpa(tmp_path / name)
    assert again.words == model.words
    assert again.order == model.order == 3
    for read, written in zip(again.levels, model.levels, strict=True):
        assert np.array_equal(read.keys, written.keys)
        assert np.array_equal(read.log10, written.log10)
        assert np.array_equal(read.backoff, written.backoff)


def test_each_sentence_counts_once_if_asked_for() -> None:
    assert list(drop_repeated([["a", "b"], ["c"], ["a", "b"]])) == [["a", "b"], ["c"]]


def test_training_on_texts(project: Project) -> None:
    for name in ("a", "b"):
        (project.folder / f"{name}.txt").write_text(TEXT, "utf-8")
    given = ("--lang", "de", "--out", "m.arpa.gz", "--order", "2")
    done = project.run("model", "train", "a.txt", "b.txt", *given)
    assert done.status == 0, done.stderr
    assert "m.arpa.gz: order 2, 9 words" in done.stdout
    model = read_arpa(project.folder / "m.arpa.gz")
    project.run("model", "train", "a.txt", "b.txt", "--unique", *given)
    unique = read_arpa(project.folder / "m.arpa.gz")
    assert unique.perplexity(SENTENCES) != model.perplexity(SENTENCES)


def test_a_corpus_trains_a_model(bilingual_crawl: Crawl) -> None:
    run, corpus = bilingual_crawl.project.run, str(bilingual_crawl.corpus)
    done = run("model", "train", corpus, "--lang", "de", "--out", "de.arpa")
    assert done.status == 0, done.stderr
    assert int(done.stdout.split("order 5, ")[1].split()[0]) > 20
    failed = run("model", "train", corpus, "--lang", "fr", "--out", "fr.arpa")
    assert failed.status == 2
    assert "no document in fra" in failed.error


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["train", "never.txt", "--lang", "de", "--out", "m.arpa"], "no such file"),
        (["train", "a.txt", "--out", "m.arpa"], "--lang=: '' is no known"),
        (["train", "a.txt", "--lang", "zzz9", "--out", "m.arpa"], "--lang=zzz9"),
        (["train", "a.txt", "--lang", "de", "--out", "m.txt"], "no ARPA file"),
        (
            ["train", "a.txt", "--lang", "de", "--out", "m.arpa", "--order", "0"],
            "--order=0",
        ),
        (["train", "short.txt", "--lang", "de", "--out", "m.arpa"], "no sentence of"),
        (["train", "latin.txt", "--lang", "de", "--out", "m.arpa"], "as UTF-8"),
        (["train", "empty", "--lang", "de", "--out", "m.arpa"], "neither .txt files"),
    ],
)
def test_wrong_input_is_told_in_one_line(
    project: Project, args: list[str], said: str
) -> None:
    (project.folder / "a.txt").write_text(TEXT, "utf-8")
    (project.folder / "short.txt").write_text("Zu kurz.", "utf-8")
    (project.folder / "latin.txt").write_bytes("Gerüst".encode("latin-1"))
    (project.folder / "empty").mkdir()
    done = project.run("model", *args)
    assert done.status == 2
    assert said in done.error
