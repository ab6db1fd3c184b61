"""Hostile requests to every route of the application: none is an error of the server.

The routes are those of the application, and the parameters are those that its handlers ask
for: a new route, and a new parameter, is tried without a word here.
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Iterator, Mapping
from inspect import iscoroutinefunction
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scrapy.settings import BaseSettings
from small_corpus import SmallCorpus
from starlette.datastructures import ImmutableMultiDict
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from ilspfc import settings as defaults
from ilspfc.documents import DocumentPair, PairState, TranslationUnit
from ilspfc.exports.corpus_files import run_exports
from ilspfc.server.application import make_application
from ilspfc.server.bodies import MAX_BODY_BYTES
from ilspfc.server.builds import Builds
from ilspfc.server.jobs.queue import JobQueue
from ilspfc.server.jobs.request import JobRequest, Limits
from ilspfc.server.jobs.scrapyd import Scrapyd
from ilspfc.server.library import Library

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.types import Message

BASE = "http://127.0.0.1:8080"
UNIT = TranslationUnit("Die Bienen fliegen im Sommer.", "Le api volano.", "1:1", 0.9)
PAIR = DocumentPair("d1", "i1", 0.9, "content", 0.5, (("lexicon", 0.8),))
HOSTILE = [
    "",
    "\0",
    "²",
    "٣",
    "-1",
    "7" * 4400,
    "1e999",
    "nan",
    "[::1",
    "https://[::1/\\@a.org:99999/",
    "//evil.example/",
    "/\\evil.example",
    "../../etc/passwd",
    "a\r\nSet-Cookie: x=1",
    "\t\v\f\x1b[31m\x7f\x85\u2028",
    "\u202e\ufeff\ufffe\U0010ffffİ\u0345ß\u1e9e😀",
    "' OR 1=1 --",
    '" OR NEAR(',
    "%00%ff%",
    "a.b-c-d--",
    "a " * 3000,
    "a." * 240,
    "weight\tterm\nnan\tx\n1\t\0\n",
    "x" * 50_000,
]
BODIES = [
    b"\xff\xfe\xff",
    b"&" * 100_000,
    b"=" * 100_000,
    b"a=%ed%a0%80&name=%ff",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b'{"langs": ' + b"[" * 500 + b"]" * 500 + b"}",
    b'{"langs": "\\ud800", "seeds": "x"}',
    b'{"\\ud800": 1}',
    b'{"pages": ' + b"9" * 5000 + b"}",
    b'{"pages": NaN, "minutes": 1e999, "seeds": null}',
    b'[["langs", "de"]]',
    b'"\xed\xa0\x80"',
    b"\xff\xfe{\x00}\x00",
    b"--x\r\nContent-Disposition: form-data; name=what\r\n\r\n\\ud800\r\n--x--",
    b"a" * (MAX_BODY_BYTES + 1),
]
TYPES = [
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=undefined",
    "application/json; charset=utf-7",
    "multipart/form-data; boundary=x; charset=unicode_escape",
    "multipart/form-data",
    ";;;=",
]
FIELDS = [
    "host",
    "cookie",
    "authorization",
    "origin",
    "referer",
    "sec-fetch-site",
    "content-type",
    "content-length",
    "transfer-encoding",
    "accept-encoding",
    "range",
    "if-range",
    "if-none-match",
    "hx-request",
    "x-forwarded-host",
    "x-forwarded-proto",
]
NO_FIELDS: Mapping[str, bytes] = {}
# Fields of a job, which are read by name from what was sent.
NAMES = tuple(JobRequest.__dataclass_fields__)
# A value that leads on for each parameter of a path; another one has any.
GOOD = {
    "corpus": "bees",
    "document": "d1",
    "ids": "d1-i1",
    "number": "0",
    "what": "segments",
    "name": "server.css",
}


class Scheduler(Scrapyd):
    """Scrapyd that takes every job, without a server."""

    def __init__(self) -> None:
        """Have nothing to connect to."""

    def schedule(self, *_: object) -> str:
        return "job1"

    def states(self) -> dict[str, str]:
        return {}

    def read_log(self, *_: object) -> str:
        return ""

    def cancel(self, job: str) -> None:
        """Have nothing to stop."""


class Target(NamedTuple):
    """Route with a method that it takes."""

    method: str
    path: str

    def address(self, **changes: str) -> str:
        """Return the address with its parameters, some of them changed."""
        values = {**GOOD, **changes}
        return re.sub(r"\{(\w+)\}", lambda match: values.get(match[1], "x"), self.path)

    @property
    def parameters(self) -> list[str]:
        return re.findall(r"\{(\w+)\}", self.path)


def find_routes(routes: Any, prefix: str = "") -> Iterator[tuple[str, Route]]:
    for route in routes:
        if isinstance(route, Mount):
            yield from find_routes(route.routes, prefix + route.path)
        else:
            assert isinstance(route, Route), f"{route}: a kind that no test tries"
            yield prefix + route.path_format, route


@pytest.fixture(scope="module")
def application(tmp_path_factory: pytest.TempPathFactory) -> Starlette:
    folder = tmp_path_factory.mktemp("hostile")
    corpus = SmallCorpus(folder / "bees")
    corpus.add("d1", "deu", [UNIT.source], genre="article")
    corpus.add("i1", "ita", [UNIT.target])
    with corpus.open() as opened:
        opened.bitext.set_states("deu", "ita", {PAIR: PairState.PAIR})
        opened.bitext.set_units(PAIR, [UNIT], null_share=0.0, mean_score=0.8)
        run_exports(opened)
    values = {k: v for k, v in vars(defaults).items() if k.isupper()}
    library = Library([corpus.files.root], BaseSettings(values))
    library.patience = 30.0  # a busy machine is no large corpus
    queue = JobQueue(folder / "jobs", Scheduler(), Limits(jobs_of_user=10**6), {})
    GOOD["job"] = queue.start("local", JobRequest("de,it", "https://a.org/")).name
    return make_application(library, queue, token="secret")


@pytest.fixture
def targets(application: Starlette) -> list[Target]:
    return [
        Target(method, path)
        for path, route in find_routes(application.routes)
        for method in sorted((route.methods or {"GET"}) - {"HEAD"})
    ]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Names of queries and fields that handlers ask for, as they do."""
    names: set[str] = set()
    old = ImmutableMultiDict.__getitem__, ImmutableMultiDict.getlist

    def getitem(self: ImmutableMultiDict[Any, Any], key: str) -> object:
        names.add(key)
        return old[0](self, key)

    def getlist(self: ImmutableMultiDict[Any, Any], key: str) -> list[Any]:
        names.add(key)
        return old[1](self, key)

    monkeypatch.setattr(ImmutableMultiDict, "__getitem__", getitem)
    monkeypatch.setattr(ImmutableMultiDict, "getlist", getlist)
    return names


@pytest.fixture
def client(
    application: Starlette, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[TestClient]:
    monkeypatch.setattr(Builds, "start", lambda *_: None)
    # Definitions are saved here.
    monkeypatch.chdir(tmp_path)
    with TestClient(application, base_url=BASE, follow_redirects=False) as client:
        client.headers["authorization"] = "Bearer secret"
        yield client


def send(  # noqa: PLR0917 - the parts of a request in their order
    client: TestClient,
    target: Target,
    path: str,
    query: str = "",
    body: bytes = b"",
    fields: Mapping[str, bytes] = NO_FIELDS,
) -> Message:
    """Send a request, its path decoded; fail for an error of the server, or a way to another.

    No client stands between: none repairs what is sent.
    """
    headers = {"host": b"127.0.0.1:8080", "authorization": b"Bearer secret", **fields}
    scope: dict[str, Any] = {
        "type": "http",
        "method": target.method,
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.encode(), value) for name, value in headers.items()],
        "server": ("127.0.0.1", 8080),
    }
    sent: list[Message] = []

    parts = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if not parts:
            # The client waits for the answer.
            await anyio.sleep_forever()
        return parts.pop()

    async def answer(message: Message) -> None:
        sent.append(message)

    assert client.portal
    # What no handler turns into an answer is raised here.
    client.portal.call(client.app, scope, receive, answer)
    place = dict(sent[0]["headers"]).get(b"location", b"/").decode()
    assert sent[0]["status"] not in {500, 501, 502}, (target, path[:99], query[:99])
    assert re.match(rf"/(?![/\\])|\?|{BASE}/", place), (target, path[:99], place)
    return sent[0]


def ask_names(
    client: TestClient, targets: list[Target], asked: set[str]
) -> dict[Target, list[str]]:
    """Return the names that the handler of each route asks for."""
    found = {}
    for target in targets:
        asked.clear()
        for values in ({}, dict.fromkeys(NAMES, "1")):
            # Some are asked for only if another is there.
            send(client, target, target.address(), *_encode(target, values))
        found[target] = sorted(asked - {"token"})
    return found


def _encode(target: Target, values: Mapping[str, Any]) -> tuple[str, bytes]:
    """Return query and body with values: in the one or in the other."""
    text = urlencode(values, doseq=True)
    return ("", text.encode()) if target.method == "POST" else (text, b"")


def test_paths(client: TestClient, targets: list[Target]) -> None:
    for target in targets:
        for name in target.parameters:
            for value in HOSTILE:
                send(client, target, target.address(**{name: value}))


def test_queries_and_forms(
    client: TestClient, targets: list[Target], asked: set[str]
) -> None:
    names = ask_names(client, targets, asked)
    everywhere = {name for some in names.values() for name in some}
    assert {"q", "after", "min", "number", "size", "judge", "value"} <= everywhere
    for target in targets:
        some = {*names[target], *(NAMES if "try" in target.path else ())}
        for value in HOSTILE[::3]:
            everything = dict.fromkeys(everywhere, value)
            send(client, target, target.address(), *_encode(target, everything))
        for value in HOSTILE:
            for name in some:
                fields = {"kind": "unit", "judge": "a", name: [value, value]}
                send(client, target, target.address(), *_encode(target, fields))


def test_bodies(client: TestClient, targets: list[Target]) -> None:
    for target in targets:
        if target.method == "POST":
            for body, type_ in zip(BODIES, cycle(TYPES), strict=False):
                for fields in ({}, {"content-type": type_.encode()}):
                    send(client, target, target.address(), "", body, fields)
    start = Target("POST", "/api/jobs")
    for value in HOSTILE:
        for name in NAMES:
            given = {"langs": "de", "seeds": "https://a.org/", name: value}
            objects: list[dict[str, Any]] = [given, {name: [given], value: name}]
            for one in objects:
                send(client, start, start.path, "", json.dumps(one).encode())


def test_header_fields(client: TestClient, targets: list[Target]) -> None:
    values = [value.encode("latin-1", "replace")[:9000] for value in HOSTILE]
    values += [b"bytes=1-0", b"bytes=\xb2-", b"a:b=1; ilspfc_token=x", b"\xff" * 50]
    some = [("GET", "/"), ("POST", "/try"), ("GET", "/c/{corpus}/downloads/{number}")]
    assert set(some) <= set(targets)
    for target in map(Target._make, some):
        for name in FIELDS:
            for value in values:
                send(client, target, target.address(), fields={name: value})


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_request(
    data: st.DataObject, client: TestClient, targets: list[Target]
) -> None:
    target = data.draw(st.sampled_from(targets))
    texts = st.one_of(
        st.sampled_from(HOSTILE),
        st.text(st.characters(exclude_categories=["Cs"])),
        st.from_regex(r"[-\d. ]+"),
    )
    known = "q after min max number size judge what lang genre reason langs kind value"
    given = st.dictionaries(st.sampled_from(known.split()), texts)
    query, form = urlencode(data.draw(given)), urlencode(data.draw(given)).encode()
    path = target.address(**{name: data.draw(texts) for name in target.parameters[1:]})
    send(client, target, path, query, data.draw(st.one_of(st.just(form), st.binary())))


@pytest.mark.parametrize(
    "host",
    [
        "",
        "[",
        "]",
        "[::1",
        "::1]",
        "[::1]:x",
        "evil.example\\@127.0.0.1",
        "evil.example@127.0.0.1",
        "evil.example/@localhost",
        "127.0.0.1/",
        "127.0.0.1#",
        "127.0.0.1?",
        "127.0.0.1:80:80",
        "127.0.0.1:²",
        "127.0.0.1\\.evil.example",
        "127.0.0.1 evil.example",
        "localhost.evil.example",
        "127.0.0.1:" + "8" * 5000,
    ],
)
def test_hosts_that_are_none_of_ours(host: str, client: TestClient) -> None:
    for address in ("/", "/?token=secret", "/c/bees"):
        answer = client.get(address, headers=[(b"host", host.encode("latin-1"))])
        assert answer.status_code == 421
        assert "location" not in answer.headers
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("host", ["LOCALHOST", "127.0.0.1:1", "[::1]", "[::1]:8080"])
def test_hosts_that_are_ours(host: str, client: TestClient) -> None:
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example/",
        "///evil.example/",
        "/\\evil.example",
        "/\\/evil.example",
        "/%2F%2Fevil.example",
        "/%5Cevil.example",
        "/%09/evil.example",
        "/%0a/evil.example",
        "//evil.example/%2e%2e",
        "//user@evil.example:80/",
    ],
)
def test_the_token_leads_to_no_other_server(path: str, client: TestClient) -> None:
    for query in (
        "token=secret",
        "token=",
        "token=wrong",
        "token=secret&token=x",
        "x=1",
    ):
        for base in ("", BASE):
            answer = client.get(f"{BASE}{path}?{query}" if base else path, params=None)
            place = answer.headers.get("location", "/")
            assert re.match(r"/(?![/\\\s])", place) or place.startswith(f"{BASE}/"), (
                place
            )


def test_all_handlers_run_in_threads(application: Starlette) -> None:
    for path, route in find_routes(application.routes):
        # What a form or JSON is read for is wrapped.
        is_wrapped = hasattr(route.endpoint, "__wrapped__")
        assert is_wrapped or not iscoroutinefunction(route.endpoint), path


@pytest.mark.parametrize(
    ("slow", "method", "path"),
    [
        (
            "ilspfc.server.search.SearchIndex.find_documents",
            "GET",
            "/documents?q=bienen",
        ),
        ("ilspfc.server.pages.judging.draw_items", "POST", "/judge"),
        ("ilspfc.server.pages.downloads._pack", "GET", "/downloads/{folder}"),
    ],
)
def test_a_slow_request_holds_up_no_other(
    slow: str,
    method: str,
    path: str,
    client: TestClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, ended = threading.Event(), threading.Event()

    def wait(*_: object) -> list[Any]:
        begun.set()
        assert ended.wait(60)
        return []

    page = client.get("/c/bees/downloads").text
    (folder,) = re.findall(r'href="downloads/(\d+)">xml\.zip', page)
    monkeypatch.setattr(slow, wait)
    address = f"/c/bees{path.format(folder=folder)}"
    form = {"data": {"what": "segments"}} if method == "POST" else {}
    thread = threading.Thread(target=_try, args=(client, method, address, form))
    thread.start()
    try:
        assert begun.wait(60)
        assert client.get("/").status_code == 200
        assert client.get("/c/bees/documents").status_code == 200
        assert thread.is_alive()
    finally:
        ended.set()
        thread.join()


def _try(client: TestClient, method: str, address: str, form: Any) -> None:
    try:
        client.request(method, address, **form)
    except AttributeError:
        # What was slow has given nothing that can be sent.
        assert "downloads" in address


def test_a_request_that_breaks_off_is_no_error(application: Starlette) -> None:
    messages = iter(
        [
            {"type": "http.request", "body": b"what=", "more_body": True},
            {"type": "http.disconnect"},
        ]
    )
    sent: list[Any] = []

    async def receive() -> Any:
        return next(messages)

    async def send_(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/c/bees/judge",
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1"), (b"authorization", b"Bearer secret")],
    }
    asyncio.run(application(scope, receive, send_))
    assert sent[0]["status"] == 400


def test_queries_of_other_bytes_are_refused(application: Starlette) -> None:
    sent: list[Any] = []

    async def send_(message: Any) -> None:
        sent.append(message)

    headers = [(b"host", b"127.0.0.1"), (b"authorization", b"Bearer secret")]
    for path in ("/c/bees", "/nowhere"):
        scope = {"type": "http", "method": "GET", "path": path, "headers": headers}
        query = {"query_string": b"q=\xff"}
        asyncio.run(application({**scope, **query}, None, send_))  # type: ignore[arg-type]
    assert [m["status"] for m in sent if "status" in m] == [400, 400]


def test_a_proxy_that_names_no_user_sees_no_jobs(
    application: Starlette, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(application.state._state, "user_header", "X-Remote-User")
    assert client.get("/api/jobs").status_code == 403
    assert client.get("/api/jobs", headers={"X-Remote-User": ""}).status_code == 403
    assert client.get("/api/jobs", headers={"X-Remote-User": "eva"}).json() == []
    assert client.post(f"/api/jobs/{GOOD['job']}/stop").status_code == 403


def test_the_description_has_all_routes_and_fields(
    application: Starlette, client: TestClient
) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    (body,) = paths["/api/jobs"]["post"]["requestBody"]["content"].values()
    assert tuple(body["schema"]["properties"]) == NAMES
    described = {(path, method) for path, some in paths.items() for method in some}
    routes = {
        (path, method.lower())
        for path, route in find_routes(application.routes)
        for method in route.methods or ()
        if path.startswith("/api/") and method != "HEAD"
    }
    assert described == routes - {("/api/openapi.json", "get")}


def test_errors_are_of_the_client(client: TestClient) -> None:
    digits, nested = "9" * 5000, "[" * 100_000
    for path, status in (
        ("/c/bees/documents?q=%00", 400),
        ("/c/bees/units?q=%00", 400),
        ("/c/bees/judge/segments?judge=a&number=²", 400),
        (f"/c/bees/judge/segments?judge=a&number={digits}", 400),
        (f"/c/bees/downloads/{digits}", 404),
        ("/c/bees/downloads/²", 404),
        (f"/c/bees/units?after=0.5+{digits}", 200),
        (f"/c/bees/pairs?after={digits}", 400),
        ("/c/bees/lost?reason=%00&after=²", 200),
        (f"/c/bees/pairs/{'-' * 30_000}/x", 404),
    ):
        assert client.get(path).status_code == status, path[:60]
    for size in ("²", digits, "-1", "1.5"):
        answer = client.post("/c/bees/judge", data={"what": "segments", "size": size})
        assert answer.status_code == 400, size[:9]
    for body in (nested, json.dumps({"langs": "\ud800"}), "null", "[]", '"x"'):
        assert client.post("/api/jobs", content=body).status_code == 422, body[:20]
    long = client.post("/api/jobs", json={"langs": "de," * 999}).json()["errors"]
    assert long == {"langs": "langs: 2,997 characters; give 200 at most"}
    large = client.post("/api/jobs", content="x" * (MAX_BODY_BYTES + 1))
    assert large.status_code == 413
    forms = client.post("/try", data={f"f{n}": "" for n in range(2000)})
    assert (forms.status_code, "1000 fields" in forms.text) == (400, True)
    files = client.post("/try", files={"terms": b"x"})
    assert (files.status_code, "urlencoded" in files.text) == (415, True)
    wrong = client.put("/c/bees/edit")
    assert (wrong.status_code, "GET" in wrong.headers["allow"]) == (405, True)
