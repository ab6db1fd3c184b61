"""Client for APIs: retries, plain words for wrong answers, a cache."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest
from fake_apis import API, FakeApi, answer

from ilspfc.bootstrap import api_client
from ilspfc.bootstrap.api_client import PAUSE_SECONDS
from ilspfc.exceptions import BootstrapError

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
    assert api.client().json(API, {"q": "bee"}) == GOOD
    assert api.slept == [5.0, PAUSE_SECONDS, 10.0, PAUSE_SECONDS]


def test_retry_after_is_kept() -> None:
    api = _in_turn(answer(b"", 429, retry_after="17"), GOOD)
    assert api.client().json(API, {}) == GOOD
    assert api.slept[0] == 17.0


def test_a_server_that_wants_an_hour_ends_the_run() -> None:
    api = _in_turn(answer(b"", 503, retry_after="3600"))
    with pytest.raises(BootstrapError, match=r"HTTP 503.*3600 seconds.*is kept"):
        api.client().json(API, {})
    assert len(api.asked) == 1


def test_a_server_that_stays_busy_ends_the_run() -> None:
    api = _in_turn(answer(b"", 429))
    with pytest.raises(BootstrapError, match="HTTP 429, 5 times; run the same command"):
        api.client().json(API, {})
    assert len(api.asked) == 5


def test_a_lost_connection_is_tried_again() -> None:
    api = _in_turn(httpx2.ReadError("lost"), GOOD)
    assert api.client().json(API, {}) == GOOD
    api = _in_turn(httpx2.ReadTimeout("too late"))
    with pytest.raises(
        BootstrapError, match=r"incomplete answer \(too late\), 5 times"
    ):
        api.client().json(API, {})


def test_a_server_out_of_reach_is_named_at_once() -> None:
    api = _in_turn(httpx2.ConnectError("refused"))
    with pytest.raises(BootstrapError, match=r"cannot be reached \(refused\)"):
        api.client().json(API, {})
    assert api.slept == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (answer(b"<html>", content_type="text/html"), "text/html instead of JSON"),
        (answer(b"<html>", 404, "text/html"), r"HTTP 404 \(text/html\)"),
        (answer({"error": 1}, 400), "HTTP 400"),
        (answer(b"", content_type=""), "no type instead of JSON"),
    ],
)
def test_what_is_no_json_is_named(given: httpx2.Response, message: str) -> None:
    with pytest.raises(BootstrapError, match=message):
        _in_turn(given).client().json(API, {})


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    api = _in_turn(GOOD)
    for _ in range(2):  # the second time as a new run
        with api.client(tmp_path / "answers.db") as client:
            assert client.json(API, {"q": "bee"}, unkeyed={"maxlag": "5"}) == GOOD
            assert client.json(API, {"q": "bee"}) == GOOD
    assert len(api.asked) == 1


def test_old_answers_are_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = _in_turn(GOOD)
    for days in (7, 0):
        monkeypatch.setattr(api_client, "CACHE_DAYS", days)
        with api.client(tmp_path / "answers.db") as client:
            client.json(API, {})
    assert len(api.asked) == 2


def test_errors_are_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    api = _in_turn(answer(b"", 404), GOOD)
    with api.client(path) as client:
        with pytest.raises(BootstrapError):
            client.json(API, {})
        assert not path.exists()
        assert client.json(API, {}) == GOOD


def test_a_cache_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    path.write_text("this is no database, and long enough to be taken for one" * 20)
    with pytest.raises(BootstrapError, match="remove it"):
        _in_turn(GOOD).client(path)


def test_text_is_no_html() -> None:
    two = answer(b'{"a": 1}\n{"a": 2}\n', content_type="text/x-ndjson")
    text = _in_turn(two).client().text(API, {}, "lines of JSON")
    assert text.splitlines() == ['{"a": 1}', '{"a": 2}']
    page = answer(b"<p>", content_type="text/html")
    with pytest.raises(BootstrapError, match="text/html instead of lines of JSON"):
        _in_turn(page).client().text(API, {}, "lines of JSON")
