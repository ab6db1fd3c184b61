"""Gold lists of one's own corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from ilspfc.documents import document_id
from ilspfc.exceptions import ArgumentError
from ilspfc.pairing.gold import GoldScore, read_gold, score_pairs


def test_documents_are_named_by_url_id_or_file(tmp_path: Path) -> None:
    file = tmp_path / "gold.tsv"
    file.write_text("# right\nhttp://A.org:80/x\txml/ita-0123456789ab.xml\n\nab cd\n")
    url = document_id("http://a.org/x")
    assert read_gold(file) == {
        frozenset({url, "0123456789ab"}): "http://A.org:80/x  xml/ita-0123456789ab.xml",
        frozenset({"ab", "cd"}): "ab  cd",
    }


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a\tb\nc\n", r"line 2: 1 columns"),
        ("# none\n", r"no pair in it"),
        (None, r"cannot be read"),
    ],
)
def test_a_wrong_list_is_named(tmp_path: Path, content: str | None, said: str) -> None:
    file = tmp_path / "gold.tsv"
    if content is not None:
        file.write_text(content)
    with pytest.raises(ArgumentError, match=said):
        read_gold(file)


def test_pairs_that_the_list_cannot_judge_are_left_out() -> None:
    gold = [frozenset(pair) for pair in ("ax", "by", "cz")]
    found = [frozenset(pair) for pair in ("xa", "bz", "dw")]
    score = score_pairs(found, gold)
    assert score == GoldScore(right=1, wrong=1, missed=2, unjudged=1)
    assert (score.precision, score.recall, score.f1) == (0.5, 1 / 3, 0.4)
    nothing = score_pairs([], gold)
    assert (nothing.precision, nothing.recall, nothing.f1) == (0.0, 0.0, 0.0)
