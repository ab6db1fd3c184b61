"""Language models in ARPA files."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ilspfc.classification.perplexity.arpa import read_arpa
from ilspfc.classification.perplexity.page_perplexity import NgramModel, train
from ilspfc.exceptions import DomainError

# As SRILM writes: a heading, no back-off weights where there are none, tabs.
SRILM = """\
made for a test

\\data\\
ngram 1=5
ngram 2=4
ngram 3=2

\\1-grams:
-0.7\t</s>
-99\t<s>\t-0.25
-0.5\tcat\t-0.125
-0.75\tthe\t-0.5
-1\tdogs

\\2-grams:
-0.25\t<s> the\t-0.0625
-0.375\tthe cat
-0.625\tcat </s>
-0.875\tcat dogs

\\3-grams:
-0.0625\t<s> the cat
-0.03125\tthe cat dogs

\\end\\
"""


@pytest.fixture
def model() -> NgramModel:
    rng = random.Random(1)
    return train(
        [rng.choices("abcdefghijäλ今", k=rng.randint(1, 9)) for _ in range(300)]
    )


def assert_same(model: NgramModel, other: NgramModel) -> None:
    """Fail where two models differ in a single bit."""
    assert model.words == other.words
    for level, same in zip(model.levels, other.levels, strict=True):
        assert level.keys.tobytes() == same.keys.tobytes()
        assert level.log10.tobytes() == same.log10.tobytes()
        assert level.backoff.tobytes() == same.backoff.tobytes()


def write(folder: Path, text: str | bytes, name: str = "model.arpa") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


# -- reading -------------------------------------------------------------------------------


@pytest.mark.parametrize("blank", ["\t", " ", "  \t "])
def test_probabilities_back_off(tmp_path: Path, blank: str) -> None:
    model = read_arpa(write(tmp_path, SRILM.replace("\t", blank)))
    assert model.order == 3
    assert model.words == ["<unk>", "<s>", "</s>", "cat", "the", "dogs"]
    text = [["the", "cat"], ["the", "the", "dogs"], ["the", "cat", "dogs"]]
    assert model.log10_probabilities(text).tolist() == pytest.approx(
        [
            -0.25,  # <s> the
            -0.0625,  # <s> the cat
            -0.625,  # the cat: no weight; cat </s>
            -0.25,
            -0.0625 - 0.5 - 0.75,  # <s> the: its weight; the: its weight; the
            -0.5 - 1,  # the the: unknown; the: its weight; dogs
            -0.7,  # dogs: no weight; </s>
            -0.25,
            -0.0625,
            -0.03125,  # the cat dogs
            -0.7,
        ]
    )


def test_a_longer_ngram_is_found_where_its_last_words_are_pruned(
    tmp_path: Path,
) -> None:
    text = SRILM.replace("-0.875\tcat dogs\n", "").replace("2=4", "2=3")
    model = read_arpa(write(tmp_path, text))
    scores = model.log10_probabilities([["the", "cat", "dogs"], ["cat", "dogs"]])
    assert scores[2] == -0.03125
    assert scores[5] == -0.125 - 1


@pytest.mark.parametrize("given_log10", [None, -3.5])
def test_the_unknown_word_may_be_missing(
    tmp_path: Path, given_log10: float | None
) -> None:
    text = SRILM
    if given_log10 is not None:
        text = text.replace("-1\tdogs", f"-1\tdogs\n{given_log10}\t<unk>")
        text = text.replace("1=5", "1=6")
    model = read_arpa(write(tmp_path, text))
    model.unknown_log10 = None
    assert model.log10_probabilities([["x"]])[0] == pytest.approx(
        -0.25 + (given_log10 or -10)
    )


def test_lines_may_end_as_on_windows(tmp_path: Path) -> None:
    path = write(tmp_path, SRILM.replace("\n", "\r\n"))
    assert_same(read_arpa(path), read_arpa(write(tmp_path, SRILM, "other.arpa")))


def test_an_order_may_be_empty(tmp_path: Path) -> None:
    text = SRILM.replace("3=2", "3=0")
    text = text.replace("-0.0625\t<s> the cat\n-0.03125\tthe cat dogs\n", "")
    assert read_arpa(write(tmp_path, text)).order == 2


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("\\data\\", "", r"line 25: the file ends before \\data\\"),
        ("\\end\\", "", r"line 25: the file ends before \\end\\"),
        ("ngram 1=5", "ngram 2=5", r"line 4: 'ngram 2=5' where ngram 1= should be"),
        ("ngram 1=5", "5 words", r"line 4: '5 words' where ngram 1= should be"),
        ("ngram 2=4", "ngram 2=5", r"line 21: 5 2-grams announced, 4 found"),
        (
            "ngram 1=5",
            f"ngram 1={'9' * 5000}",
            r"line 4: 'ngram 1=9{52}' where ngram 1= should be",
        ),
        ("ngram 1=5", f"ngram {'1' * 5000}=5", r"line 4: 'ngram 1{54}' where ngram 1="),
        ("\\2-grams:", "\\3-grams:", r"line 15: '\\3-grams:' where '\\2-grams:'"),
        (
            "\\end\\",
            "\\4-grams:",
            r"line 25: '\\4-grams:' where '\\end\\' should",
        ),
        ("ngram 2=4", "\x1b[31m", r"line 5: '\\x1b\[31m' where ngram 2= should be"),
        ("-1\tdogs", "x\tdogs", r"line 13: could not convert string to float: b'x'"),
        ("-1\tdogs", "1\tdogs", r"line 13: not the logarithm of a probability"),
        ("-1\tdogs", "nan\tdogs", r"line 13: not the logarithm of a probability"),
        ("cat\t-0.125", "cat\tnan", r"line 11: not the logarithm of a probability"),
        ("-1\tdogs", "-1", r"line 13: 1 fields for an n-gram of 1"),
        (
            "-1\tdogs",
            "-1\tdogs -1 -1",
            r"line 13: 4 fields for an n-gram of 1",
        ),
        ("-1\tdogs", "-1\tcat", r"line 13: the n-gram is there twice"),
        ("the cat\n-0.625", "cat dogs\n-0.625", r"line 19: the n-gram is there twice"),
        ("cat dogs\n\n", "cat bird\n\n", r"line 19: 'bird' is no 1-gram"),
        ("the cat dogs", "dogs cat the", r"line 23: the first 2 words are no 2-gram"),
        ("\t</s>\n-99", "\tend\n-99", r"line 15: </s> is no 1-gram"),
        ("\t<s>\t-0.25", "\tstart\t-0.25", r"line 15: <s> is no 1-gram"),
    ],
)
def test_a_broken_file_is_told_with_line_and_cause(
    tmp_path: Path, old: str, new: str, error: str
) -> None:
    assert old in SRILM
    path = write(tmp_path, SRILM.replace(old, new, 1))
    with pytest.raises(DomainError, match=rf"model\.arpa, {error}"):
        read_arpa(path)


def test_a_file_must_say_what_it_holds(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match="line 2: no numbers of n-grams"):
        read_arpa(write(tmp_path, "\\data\\\n\\1-grams:\n\\end\\\n"))


def test_orders_may_not_be_missing(tmp_path: Path) -> None:
    text = SRILM.replace("2=4", "2=0")
    start, end = text.index("-0.25\t<s> the"), text.index("\\3-grams")
    with pytest.raises(DomainError, match="the first 2 words are no 2-gram"):
        read_arpa(write(tmp_path, text[:start] + text[end:]))


def test_words_must_be_utf8(tmp_path: Path) -> None:
    path = write(tmp_path, SRILM.encode().replace(b"dogs", b"d\xf6gs"))
    with pytest.raises(DomainError, match=r"line 13: not UTF-8: .* byte 0xf6"):
        read_arpa(path)


def test_a_file_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(DomainError, match=r"none\.arpa: .* No such file"):
        read_arpa(tmp_path / "none.arpa")


def test_a_compressed_file_must_be_whole(tmp_path: Path) -> None:
    packed = gzip.compress(SRILM.encode())
    with pytest.raises(DomainError, match=r"a\.arpa\.gz, line \d+: .*ended before"):
        read_arpa(write(tmp_path, packed[:-20], "a.arpa.gz"))
    with pytest.raises(DomainError, match=r"b\.arpa\.gz, line 0: Not a gzipped file"):
        read_arpa(write(tmp_path, SRILM, "b.arpa.gz"))
    broken = bytearray(packed)
    broken[15:25] = b"\xff" * 10
    with pytest.raises(DomainError, match=r"c\.arpa\.gz, line \d+"):
        read_arpa(write(tmp_path, bytes(broken), "c.arpa.gz"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.integers(0, len(SRILM)), st.integers(0, 40), st.binary(max_size=8))
def test_a_damaged_file_is_read_or_refused(
    tmp_path: Path, start: int, length: int, damage: bytes
) -> None:
    text = SRILM.encode()
    path = write(tmp_path, text[:start] + damage + text[start + length :])
    try:
        model = read_arpa(path)
    except DomainError:
        return
    assert len(model.log10_probabilities([["the", "cat", "x"]])) == 4
