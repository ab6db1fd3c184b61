"""The stages over a corpus read the text that the crawl has stored, and no XML."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree
from scrapy.settings import BaseSettings

from ilspfc import settings as defaults
from ilspfc.corpus import corpus as corpus_module
from ilspfc.corpus import reading
from ilspfc.corpus.corpus import open_corpus
from ilspfc.corpus.xml import read_document
from ilspfc.line import run_outdated
from ilspfc.line.report import run_report
from ilspfc.line.stages import STAGES

if TYPE_CHECKING:
    import pytest
    from conftest import Crawl

    from ilspfc.documents import Document


def _build(root: Path) -> None:
    values = {k: v for k, v in vars(defaults).items() if k.isupper()}
    with open_corpus(root, BaseSettings(values)) as corpus:
        assert run_outdated(corpus, everything=True) == [stage.name for stage in STAGES]
        run_report(corpus)


def test_a_build_parses_no_document_and_splits_no_sentence(
    bilingual_crawl: Crawl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "corpus"
    shutil.copytree(bilingual_crawl.corpus, root)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(corpus_module, "read_document", refuse)
    monkeypatch.setattr(reading, "split_sentences", refuse)
    monkeypatch.setattr(etree, "parse", refuse)
    _build(root)


def test_a_stage_decodes_a_document_once_or_twice(
    bilingual_crawl: Crawl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "corpus"
    shutil.copytree(bilingual_crawl.corpus, root)
    decoded: Counter[str] = Counter()
    decode = reading.decode_reading

    def count(identity: str, data: bytes, signs: str = "") -> reading.Reading:
        decoded[identity] += 1
        return decode(identity, data, signs)

    monkeypatch.setattr(reading, "decode_reading", count)
    values = {k: v for k, v in vars(defaults).items() if k.isupper()}
    with open_corpus(root, BaseSettings(values)) as corpus:
        for stage in STAGES:
            decoded.clear()
            stage(corpus)
            # Before pairs are known, and with these; a document may be in several.
            assert not decoded or decoded.most_common(1)[0][1] <= 2, stage.name


def test_documents_without_a_reading_are_parsed_once(
    bilingual_crawl: Crawl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "corpus"
    shutil.copytree(bilingual_crawl.corpus, root)
    before = {path.name: path.read_bytes() for path in root.glob("*.tmx")}
    with open_corpus(root, BaseSettings()) as corpus, corpus.index.transaction() as db:
        db.execute("DELETE FROM readings")
        db.execute("DELETE FROM verdicts")
    parsed: list[Path] = []

    def count(path: Path) -> Document:
        parsed.append(path)
        return read_document(path)

    monkeypatch.setattr(corpus_module, "read_document", count)
    _build(root)
    assert parsed
    assert len(parsed) == len(set(parsed))
    assert {path.name: path.read_bytes() for path in root.glob("*.tmx")} == before
