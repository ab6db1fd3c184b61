"""Learned relevance: words of a subject from pages that its terms find."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from ilspfc.classification import learned
from ilspfc.classification.learned import (
    Example,
    PageFeatures,
    RelevanceLearner,
    fit_model,
    load_learners,
    make_training_set,
    save_learners,
)

COMMON = "und der die das mit von auf für ein eine ist sind nicht auch".split()
BEES = "Imker Wabe Königin Schwarm Honig Drohne Beute Pollen Zarge Smoker".split()
OTHER = "Fahrplan Gleis Bahnhof Zug Fahrkarte Schaffner Weiche Signal".split()
FEATURES = PageFeatures(str)


def example(words: list[str], seed: int, terms: float) -> Example:
    random = Random(seed)
    text = " ".join(random.choices(COMMON, k=60) + random.choices(words, k=20))
    features, counts = FEATURES.read([text])
    return Example(features, counts, terms, terms, min(terms / 20, 1.0))


def pages(number: int) -> list[tuple[str, Example]]:
    """Return pages of which every third is about bees, each with its id."""
    found = []
    for n in range(number):
        is_bees = n % 3 == 0
        page = example(BEES if is_bees else OTHER, n, 12 + n % 9 if is_bees else 0)
        found.append((f"{n * 7919 % 65536:012x}", page))
    return found


def learner(known: list[tuple[str, Example]]) -> RelevanceLearner:
    made = RelevanceLearner()
    for identity, page in known:
        made.learn(identity, page)
    return made


@pytest.fixture(scope="module")
def taught() -> RelevanceLearner:
    made = learner(pages(90))
    made.take(fit_model(make_training_set(made)))
    return made


def test_words_tell_where_terms_are_silent(taught: RelevanceLearner) -> None:
    assert taught.model is not None
    bees, other = example(BEES, 1000, 0), example(OTHER, 1001, 0)
    assert taught.model.probability(bees) > 3 * taught.model.probability(other)


def test_terms_tell_where_words_are_the_same(taught: RelevanceLearner) -> None:
    assert taught.model is not None
    few, many = example(BEES, 1002, 1), example(BEES, 1002, 30)
    assert taught.model.probability(many) > taught.model.probability(few)


def test_probabilities_are_those_of_the_examples(taught: RelevanceLearner) -> None:
    """On average: the terms that label the pages are the only truth there is."""
    assert taught.model is not None
    known = pages(90)
    mean = np.mean([taught.model.probability(page) for _, page in known])
    assert mean == pytest.approx(np.mean([page.target for _, page in known]), abs=0.1)
    assert taught.model.probability(example(BEES, 1003, 20)) > 0.9
    assert taught.model.probability(example(OTHER, 1004, 0)) < 0.1


def test_the_order_of_the_pages_does_not_matter(taught: RelevanceLearner) -> None:
    again = learner(pages(90)[::-1])
    model = fit_model(make_training_set(again))
    assert taught.model is not None
    assert (model.weights == taught.model.weights).all()
    assert (model.slope, model.prior) == (taught.model.slope, taught.model.prior)


def test_it_is_due_with_enough_pages_of_both_kinds() -> None:
    known = pages(learned.FIRST_FIT)
    relevant = [page for page in known if page[1].target > 0]
    assert learner(known).is_due
    assert not learner(known[:-1]).is_due
    assert not learner(
        [(f"{n}{identity}", page) for n in range(9) for identity, page in relevant]
    ).is_due


def test_it_is_due_again_with_half_as_many_more(taught: RelevanceLearner) -> None:
    made = learner(pages(134)[:90])
    made.take(taught.model)
    due = []
    for identity, page in pages(140)[90:]:
        made.learn(identity, page)
        due.append(made.is_due)
    assert due.index(True) == 44


def test_what_is_remembered_is_bounded_whatever_the_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(learned, "MAX_EXAMPLES", 10)
    known = pages(60)
    made, reverse = learner(known), learner(known[::-1])
    assert [len(kind) for kind in made.examples] == [10, 10]
    assert made.seen == [40, 20]
    assert [sorted(kind) for kind in made.examples] == [
        sorted(kind) for kind in reverse.examples
    ]


def test_a_page_that_comes_again_is_one_page() -> None:
    known = pages(6)
    made = learner([*known, (known[0][0], example(OTHER, 5, 0))])
    assert made.seen == [5, 1]
    assert sum(map(len, made.examples)) == 6
    plain = learner([(known[0][0], example(OTHER, 5, 0)), *known[1:]])
    assert (made.pages == plain.pages).all()


def test_a_page_without_words_has_a_probability(taught: RelevanceLearner) -> None:
    assert taught.model is not None
    features, counts = FEATURES.read([])
    assert 0 <= taught.model.probability(Example(features, counts, 0, 0, 0)) <= 1


def test_features_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [
        f"{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10 % 10]}{'x' * (n // 100)}"
        for n in range(900)
    ]
    features, counts = FEATURES.read([" ".join(words)])
    assert len(features) == len(counts) == learned.MAX_PAGE_FEATURES
    assert (np.diff(features.astype(int)) > 0).all()
    monkeypatch.setattr(learned, "MAX_WORDS", 5)
    assert FEATURES.read([" ".join(words)] * 3)[1].sum() == 5


# -- the file ----------------------------------------------------------------------------


def test_what_was_learned_is_kept(taught: RelevanceLearner, tmp_path: Path) -> None:
    path = tmp_path / "relevance.npz"
    save_learners({"deu": taught, "ita": RelevanceLearner()}, path, "key")
    first = path.read_bytes()
    known = load_learners(path, "key")
    save_learners(known, path, "key")
    assert path.read_bytes() == first
    page = example(BEES, 7, 3)
    assert known["deu"].model is not None
    assert taught.model is not None
    assert known["deu"].model.probability(page) == taught.model.probability(page)
    assert known["deu"].next_fit == taught.next_fit
    assert known["ita"].model is None
    again = fit_model(make_training_set(known["deu"]))
    assert (again.weights == taught.model.weights).all()


@pytest.mark.parametrize("damage", ["missing", "other key", "cut", "no file", "pickle"])
def test_a_file_that_cannot_be_used_is_passed_over(
    taught: RelevanceLearner, tmp_path: Path, damage: str
) -> None:
    path = tmp_path / "relevance.npz"
    save_learners({"deu": taught}, path, "key")
    content = path.read_bytes()
    if damage == "missing":
        path.unlink()
    elif damage == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "no file":
        path.write_bytes(b"not a file of numpy's")
    elif damage == "pickle":
        np.savez(path, key=np.array([object()], dtype=object))
    assert load_learners(path, "other" if damage == "other key" else "key") == {}


def test_arrays_that_do_not_fit_together_are_passed_over(
    taught: RelevanceLearner, tmp_path: Path
) -> None:
    path = tmp_path / "relevance.npz"
    save_learners({"deu": taught}, path, "key")
    with np.load(path) as file:
        arrays = dict(file)
    arrays["deu/features"] = arrays["deu/features"][:-1]
    np.savez(path, **arrays)
    assert load_learners(path, "key") == {}
