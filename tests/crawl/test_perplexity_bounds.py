"""Which bounds of perplexity a crawl has: those that are set, those of its texts, the usual ones."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings

from ilspfc import settings as defaults
from ilspfc.classification.perplexity.buckets import Buckets
from ilspfc.crawl.domain_texts import load_bounds, load_models
from ilspfc.crawl.page_work import make_rules
from ilspfc.crawl.scorers import BoundsFile, make_buckets, make_focus
from ilspfc.documents import Link
from ilspfc.frontier.scoring.cues import CueDetector
from ilspfc.frontier.scoring.link_score import FoundLink, PerplexityScorer
from ilspfc.spiders.monolingual import MonolingualSpider

if TYPE_CHECKING:
    from ilspfc.crawl.arguments import CrawlArguments


def _write_texts(folder: Path, texts: int) -> None:
    folder.mkdir()
    rng = random.Random(1)
    letters = "abcdefghijklmnopqrst"
    words = [f"{one}{other}" for one in letters for other in letters]
    weights = [1 / (number + 1) for number in range(len(words))]
    for number in range(texts):
        sentences = (" ".join(rng.choices(words, weights, k=10)) for _ in range(60))
        text = "\n\n".join(f"{sentence.capitalize()}." for sentence in sentences)
        (folder / f"{number}.txt").write_text(text, "utf-8")


def _prepare(folder: Path, **given: str) -> tuple[CrawlArguments, Settings]:
    raw = {"lang": "de", "seeds": "http://a.org/", "domain_texts": str(folder)}
    settings = Settings()
    settings.setmodule(defaults)
    settings.update(given)
    return MonolingualSpider.check_arguments(raw), settings


def _score(folder: Path, perplexity: float, **given: str) -> float | None:
    """Return the score of a link on a page with a perplexity, by perplexity alone."""
    arguments, settings = _prepare(folder, FRONTIER_LEARNING="0", **given)
    focus = make_focus(arguments, settings, CueDetector(("deu",)))
    link = Link("http://a.org/x")
    found = FoundLink(link, "http://a.org/", "deu", depth=2, perplexity=perplexity)
    return focus.base_score(found)


def test_the_domain_texts_say_what_is_like_them(tmp_path: Path) -> None:
    _write_texts(tmp_path / "de", 8)
    bounds = load_bounds(tmp_path / "de", "deu")
    assert bounds is not None
    assert _score(tmp_path, bounds[0]) == 2
    assert _score(tmp_path, bounds[1]) == 1
    assert bounds[1] not in (500, 5000)


def test_bounds_that_are_set_count_instead(tmp_path: Path) -> None:
    _write_texts(tmp_path / "de", 8)
    given = {"FRONTIER_PERPLEXITY_BOUNDS": "7,9,11"}
    assert _score(tmp_path, 7, **given) == 2
    assert _score(tmp_path, 9, **given) == 1
    assert _score(tmp_path, 12, **given) is None


def test_where_the_texts_are_too_short_bounds_are_topicrawler_s(tmp_path: Path) -> None:
    _write_texts(tmp_path / "de", 1)
    assert load_bounds(tmp_path / "de", "deu") is None
    assert _score(tmp_path, 500) == 2
    assert _score(tmp_path, 5000) == 1


@pytest.mark.parametrize("name", ["de.arpa", "de.arpa.gz"])
def test_a_model_without_texts_gives_no_bounds(tmp_path: Path, name: str) -> None:
    assert load_bounds(tmp_path / name, "deu") is None


def test_unknown_words_are_as_improbable_as_the_setting_says(tmp_path: Path) -> None:
    _write_texts(tmp_path / "de", 8)
    sources = {"deu": tmp_path / "de"}
    bounds = {u: load_bounds(tmp_path / "de", "deu", u) for u in (-10, -7)}
    unknown = [["qqq"] * 10_000]
    found = {u: load_models(sources, u)["deu"].perplexity(unknown) for u in (-10, -7)}
    assert found == {
        -10: pytest.approx(1e10, rel=0.01),
        -7: pytest.approx(1e7, rel=0.01),
    }
    assert bounds[-10] is not None
    assert bounds[-7] is not None
    assert bounds[-7][1] <= bounds[-10][1]
    given = _prepare(tmp_path, CLASSIFICATION_UNKNOWN_LOG10="-7")
    assert make_rules(*given).unknown_log10 == -7
    assert make_buckets(*given) == Buckets(by_lang={"deu": bounds[-7]})
    assert bounds[-7] != bounds[-10]


def test_bounds_of_a_file_count_from_then_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, scorer = tmp_path / "perplexity-bounds.txt", PerplexityScorer((5, 6, 7))
    link = FoundLink(
        Link("http://a.org/x"), "http://a.org/", "deu", depth=2, perplexity=9
    )
    file = BoundsFile(path, scorer)
    file.follow()
    assert scorer.score(link) is None
    path.write_text("9,10,inf\n")
    file.follow()
    assert scorer.score(link) == 2
    path.write_text("9,8,7 and more")
    file.follow()
    file.follow()
    assert scorer.score(link) == 2
    said = [one.getMessage() for one in caplog.records if one.levelname == "WARNING"]
    assert len(said) == 1
    assert "three rising numbers" in said[0]
