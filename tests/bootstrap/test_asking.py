"""Asking APIs: patience with busy ones, plain words for wrong ones, nothing twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fake_apis import API, FakeApi, answer

from ilspfc.bootstrap.api.asking import Answer, LostAnswerError, retry_after
from ilspfc.bootstrap.api.cache import AnswerCache
from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from pathlib import Path

GOOD = {"found": ["bee"]}


def _in_turn(*answers: object) -> FakeApi:
    waiting = list(answers)

    def respond(url: str, params: dict[str, str]) -> object:
        found = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        if isinstance(found, Exception):
            raise found
        return found

    return FakeApi(respond)


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_busy_server_is_asked_again(status: int) -> None:
    api = _in_turn(answer(b"", status), answer(b"", status), GOOD)
    assert api.asker(pause=0.5).json(API, {"q": "bee"}) == GOOD
    assert api.slept == [5.0, 0.5, 10.0, 0.5]


def test_retry_after_is_kept() -> None:
    api = _in_turn(answer(b"", 429, retry_after="17"), GOOD)
    assert api.asker(pause=0).json(API, {}) == GOOD
    assert api.slept[0] == 17.0


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        ("Thu, 01 Jan 1970 00:01:00 GMT", 50.0),
        ("soon", None),
        ("", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": value}, 10.0) == seconds


def test_a_server_that_wants_an_hour_ends_the_run() -> None:
    api = _in_turn(answer(b"", 503, retry_after="3600"))
    with pytest.raises(BootstrapError, match=r"HTTP 503.*3600 seconds.*is kept"):
        api.asker().json(API, {})
    assert len(api.asked) == 1


def test_a_server_that_stays_busy_ends_the_run() -> None:
    api = _in_turn(answer(b"", 429))
    with pytest.raises(BootstrapError, match="HTTP 429, 3 times; run the same command"):
        api.asker(attempts=3).json(API, {})
    assert len(api.asked) == 3


def test_a_lost_connection_is_tried_again() -> None:
    api = _in_turn(LostAnswerError("no whole answer"), GOOD)
    assert api.asker().json(API, {}) == GOOD
    api = _in_turn(LostAnswerError("no whole answer"))
    with pytest.raises(BootstrapError, match="no whole answer, 5 times"):
        api.asker().json(API, {})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (answer(b"<html>", content_type="text/html"), "text/html instead of JSON"),
        (answer(b"<html>", 404, "text/html"), r"HTTP 404 \(text/html\)"),
        (answer({"error": 1}, 400), "HTTP 400"),
        (Answer(200, {}, b""), "no type instead of JSON"),
    ],
)
def test_what_is_no_json_is_named(given: Answer, message: str) -> None:
    with pytest.raises(BootstrapError, match=message):
        _in_turn(given).asker().json(API, {})


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    api = _in_turn(GOOD)
    for _ in range(2):  # the second time as a new run
        with AnswerCache(tmp_path / "answers.db", 1) as cache:
            asker = api.asker(cache)
            assert asker.json(API, {"q": "bee"}, passing={"maxlag": "5"}) == GOOD
            assert asker.json(API, {"q": "bee"}) == GOOD
    assert len(api.asked) == 1


def test_old_answers_are_asked_for_again(tmp_path: Path) -> None:
    api = _in_turn(GOOD)
    for days in (1, 0):
        with AnswerCache(tmp_path / "answers.db", days) as cache:
            api.asker(cache).json(API, {})
    assert len(api.asked) == 2


def test_errors_are_not_kept(tmp_path: Path) -> None:
    api = _in_turn(answer(b"", 404), GOOD)
    with AnswerCache(tmp_path / "answers.db", 1) as cache:
        with pytest.raises(BootstrapError):
            api.asker(cache).json(API, {})
        assert api.asker(cache).json(API, {}) == GOOD


def test_a_cache_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    path.write_text("this is no database, and long enough to be taken for one" * 20)
    with pytest.raises(BootstrapError, match="remove it"):
        AnswerCache(path, 1)


def test_lines_may_be_missing() -> None:
    assert _in_turn(answer(b"", 404)).asker().lines(API, {}) == []
    two = answer(b'{"a": 1}\n{"a": 2}\n', content_type="text/x-ndjson")
    assert _in_turn(two).asker().lines(API, {}) == ['{"a": 1}', '{"a": 2}']
    with pytest.raises(BootstrapError, match="text/html instead of lines"):
        _in_turn(answer(b"<p>", content_type="text/html")).asker().lines(API, {})
