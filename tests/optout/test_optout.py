"""Opt-outs from text and data mining: what is read, and what follows from it."""

from __future__ import annotations

import json
import os
from base64 import b32encode
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import http_sf
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ilspfc.optout.policy import MAX_SIGNALS, OptOut, OptOutPolicy, decide
from ilspfc.optout.signals import (
    MAX_FIELD_CHARS,
    MAX_VALUE_CHARS,
    Signal,
    SignalKind,
    read_headers,
    read_metadata,
    read_robots,
)
from ilspfc.optout.tdmrep import MAX_BODY_BYTES, MAX_RULES, TdmFile
from ilspfc.web.robots_txt import RobotsPolicy

AGENT = "ilspfc/1.0 (+https://example.org/crawler)"
URL = "https://example.org/a/b.html"
POLICY = "https://example.org/policy.json"

SHARED = Path(
    os.environ.get("ILSPFC_EVALUATION_DATA")
    or Path(__file__).resolve().parents[3] / "shared"
)
FIELDS = SHARED / "conformance" / "structured-fields"


def read(signals: tuple[Signal, ...]) -> list[tuple[str, bool]]:
    """Return kind and effect of signals; every one must be whole."""
    assert [signal.broken for signal in signals if signal.broken] == []
    return [(signal.kind.value, signal.reserves) for signal in signals]


def from_robots(text: str, url: str = URL, status: int = 200) -> tuple[Signal, ...]:
    return read_robots(RobotsPolicy.from_response(status, text.encode(), AGENT), url)


def from_file(content: object, url: str = URL, status: int = 200) -> tuple[Signal, ...]:
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    return TdmFile.from_response(status, body).signals(url)


# -- headers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("TDM-Reservation", "1", [("tdmrep_header", True)]),
        ("tdm-reservation", " 0 ", [("tdmrep_header", False)]),
        ("Content-Usage", "train-ai=n", [("content_usage_header", True)]),
        ("Content-Usage", "train-ai=y, search=n", [("content_usage_header", False)]),
        ("content-usage", "", [("content_usage_header", False)]),
        ("Content-Signal", "ai-train=no", [("content_signal", True)]),
        ("X-Robots-Tag", "noai", [("noai_header", True)]),
        ("X-Robots-Tag", "NOINDEX, NoAI", [("noai_header", True)]),
        ("X-Robots-Tag", "noml", [("noai_header", True)]),
        ("X-Robots-Tag", "noimageai", [("noai_header", False)]),
        ("X-Robots-Tag", "*: noai", [("noai_header", True)]),
        ("X-Robots-Tag", "ILSPFC: noindex, noai", [("noai_header", True)]),
        ("X-Robots-Tag", "otherbot: noindex, noai", []),
        ("X-Robots-Tag", "otherbot: noai, ilspfc: noai", [("noai_header", True)]),
        ("X-Robots-Tag", "unavailable_after: 1 May 2027 10:00:00 GMT, noai", [("noai_header", True)]),
        ("X-Robots-Tag", "noindex", []),
        ("Link", '<https://a.org/l>; rel="license"; type="application/rsl+xml"', [("rsl_link", False)]),
        ("Link", "</de>; rel=alternate, </l>; rel=license; type=application/rsl+xml", [("rsl_link", False)]),
        ("Link", "<https://creativecommons.org/licenses/by/4.0/>; rel=license", []),
        ("Content-Type", "text/html", []),
    ],
)  # fmt: skip
def test_headers(name: str, value: str, found: list[tuple[str, bool]]) -> None:
    assert read(read_headers([(name, value)], AGENT)) == found


def test_a_signal_keeps_what_was_found_and_where() -> None:
    headers = [("tdm-policy", POLICY), ("tdm-reservation", "1")]
    assert read_headers(headers) == (
        Signal(SignalKind.TDMREP_HEADER, "1", reserves=True, policy=POLICY),
    )  # fmt: skip


def test_a_signal_can_be_written_to_any_file() -> None:
    (signal,) = from_file(
        [{"location": "/\ud800\x00", "tdm-reservation": 1}], "/\ud800\x00"
    )
    assert signal.value == "/\ufffd\ufffd 1"


def test_several_lines_of_a_header_are_one_field() -> None:
    headers = [("Content-Usage", "search=y"), ("content-usage", "train-ai=n")]
    (signal,) = read_headers(headers)
    assert (signal.value, signal.reserves) == ("search=y, train-ai=n", True)
    same = [("tdm-reservation", "1"), ("tdm-reservation", "1")]
    assert read(read_headers(same)) == [("tdmrep_header", True)]
    tags = [("X-Robots-Tag", "otherbot: noai"), ("X-Robots-Tag", "noai")]
    assert read(read_headers(tags)) == [("noai_header", True)]


@pytest.mark.parametrize(
    ("name", "value", "remark"),
    [
        ("tdm-reservation", "2", "neither 0 nor 1"),
        ("tdm-reservation", "yes", "neither 0 nor 1"),
        ("tdm-reservation", "0, 1", "neither 0 nor 1"),
        ("tdm-reservation", "1" * 100_000, "neither 0 nor 1"),
        ("tdm-policy", POLICY, "neither 0 nor 1"),
        ("Content-Usage", "Train-AI=n", "Key cannot begin with an uppercase"),
        ("Content-Usage", "train-ai = n", "should be followed by '='"),
        ("Content-Usage", "train-ai=n,", "trailing comma"),
        ("Content-Usage", "train-ai=no", "train-ai is neither y nor n"),
        ("Content-Usage", 'train-ai="n"', "train-ai is neither y nor n"),
        ("Content-Usage", "train-ai=n, train-ai", "train-ai is neither y nor n"),
        ("Content-Usage", "train-ai=(n)", "train-ai is neither y nor n"),
        ("Content-Usage", "a=y," * MAX_FIELD_CHARS, "too long"),
        ("Content-Signal", "ai-train", "not understood: 'ai-train'"),
        ("Content-Signal", "ai-train=n", "not understood: 'ai-train=n'"),
        ("Content-Signal", "use=little", "not understood: 'use=little'"),
    ],
)
def test_what_is_broken_is_told_and_reserves_nothing(
    name: str, value: str, remark: str
) -> None:
    (signal,) = read_headers([(name, value)])
    assert remark in signal.broken
    assert not signal.reserves
    assert len(signal.value) <= MAX_VALUE_CHARS
    assert not decide([signal]).reserved


def test_the_whole_part_of_a_broken_value_counts() -> None:
    (signal,) = read_headers([("Content-Signal", "ai-train=no, and more")])
    assert signal.reserves
    assert signal.broken


# -- vocabularies ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "reserves"),
    [
        ("train-ai=n", True),
        ("train-ai=y", False),
        ("ai-use=n", False),
        ("search=n", False),
        ("train-ai=y, train-ai=n", True),
        ("train-ai=n;until=2027", True),
        ("train-ai=n, x=(1 2);a, y=:YQ==:, z=@1", True),
        # labels of earlier revisions: the most specific that is stated decides
        ("genai=n", True),
        ("train-genai=n, train-ai=y", True),
        ("train-genai=y, train-ai=n", False),
        ("ai=n, tdm=y", True),
        ("tdm=n", True),
        ("bots=n, train-ai=y", False),
        ("all=n", True),
        ("inference=n, ai-output=n", False),
        ("unknown=n", False),
    ],
)
def test_content_usage(value: str, reserves: bool) -> None:
    found = read(read_headers([("Content-Usage", value)]))
    assert found == [("content_usage_header", reserves)]
    found = read(from_robots(f"User-agent: *\nContent-Usage: /a {value}\n"))
    assert found == [("content_usage_robots", reserves)]


@pytest.mark.parametrize(
    ("value", "reserves"),
    [
        ("search=yes,ai-train=no,use=reference", True),
        ("search=yes, ai-train=yes", False),
        ("AI-Train = No", True),
        ("ai-train=no, ai-train=yes", True),
        ("ai-train=yes, ai-train=no", True),
        ("ai-input=no, search=no", False),
        ("search=yes", False),
        ("use=immediate", True),
        ("use=reference", True),
        ("use=full", False),
        ("ai-train=yes, use=reference", False),
        ("price=high", False),
    ],
)
def test_content_signal(value: str, reserves: bool) -> None:
    found = read(from_robots(f"User-agent: *\nContent-signal: {value}\nAllow: /\n"))
    assert found == [("content_signal", reserves)]


# -- robots.txt --------------------------------------------------------------------------


def test_the_longest_path_of_our_group_counts() -> None:
    text = """\
        Content-Signal: search=yes
        User-agent: *
        Content-Usage: train-ai=n
        Content-Usage: /a/ train-ai=y
        Content-Usage: /a/*.html$ train-ai=n
        License: https://example.org/license.xml
        User-agent: otherbot
        Content-Signal: ai-train=no
    """
    assert from_robots(text) == (
        Signal(SignalKind.CONTENT_USAGE_ROBOTS, "train-ai=n", reserves=True),
        Signal(SignalKind.CONTENT_SIGNAL, "search=yes", reserves=False, where="robots"),
        Signal(SignalKind.RSL_ROBOTS, "https://example.org/license.xml", reserves=False),
    )  # fmt: skip
    assert not decide(from_robots(text, "https://example.org/a/b.txt")).reserved
    assert decide(from_robots(text, "https://example.org/c")).reserved


def test_without_a_file_there_are_no_signals() -> None:
    assert from_robots("Content-Signal: ai-train=no", status=404) == ()
    assert from_robots("Content-Signal: ai-train=no", status=503) == ()


# -- pages -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("meta", "links", "found"),
    [
        ({"tdm-reservation": "1"}, [], [("tdmrep_meta", True)]),
        ({"tdm-reservation": "0", "tdm-policy": POLICY}, [], [("tdmrep_meta", False)]),
        ({"robots": "noindex, NOAI"}, [], [("noai_meta", True)]),
        ({"robots": "noimageai"}, [], [("noai_meta", False)]),
        ({"robots": "noai, noimageai"}, [], [("noai_meta", True)]),
        ({"robots": "index", "ilspfc": "noai"}, [], [("noai_meta", True)]),
        ({"googlebot": "noai", "description": "noai"}, [], []),
        ({}, [("license", "/license.xml", "")], [("rsl_link", False)]),
        ({}, [("License", "/l.RSL?v=1", "")], [("rsl_link", False)]),
        ({}, [("license", "/l", "application/rsl+xml; charset=utf-8")], [("rsl_link", False)]),
        ({}, [("license", "/l.xml", "application/xml")], []),
        ({}, [("license", "https://creativecommons.org/licenses/by/4.0/", "")], []),
        ({}, [("stylesheet", "/l.xml", ""), ("", "", "")], []),
        ({}, [], []),
    ],
)  # fmt: skip
def test_metadata(
    meta: dict[str, str],
    links: list[tuple[str, str, str]],
    found: list[tuple[str, bool]],
) -> None:
    assert read(read_metadata(meta, links, AGENT)) == found


def test_metadata_that_are_broken() -> None:
    (signal,) = read_metadata({"tdm-reservation": "true"})
    assert signal.reserves is False
    assert signal.broken


# -- tdmrep.json -------------------------------------------------------------------------

# TDMRep, final report, "Examples".
EXAMPLE = [
    {"location": "/directory-a/", "tdm-reservation": 1},
    {"location": "/directory-b/html/", "tdm-reservation": 1, "tdm-policy": POLICY},
    {"location": "/directory-b/images/*.jpg", "tdm-reservation": 0},
]


@pytest.mark.parametrize(
    ("path", "value", "policy"),
    [
        ("/directory-a/x", "/directory-a/ 1", ""),
        ("/directory-b/html/", "/directory-b/html/ 1", POLICY),
        ("/directory-b/images/a.jpg", "/directory-b/images/*.jpg 0", ""),
        ("/directory-b/images/a.png", None, ""),
        ("/", None, ""),
    ],
)
def test_the_example_of_the_report(path: str, value: str | None, policy: str) -> None:
    signals = from_file(EXAMPLE, f"https://example.org{path}")
    assert [(signal.value, signal.policy) for signal in signals] == (
        [] if value is None else [(value, policy)]
    )
    assert decide(signals).reserved is (value or "").endswith("1")


@pytest.mark.parametrize(
    ("locations", "reserved"),
    [
        # the first in sequence, not the longest
        ([("/", 0), ("/a/b.html", 1)], False),
        ([("/a/", 1), ("/", 0)], True),
        ([("/x", 0), ("*.html$", 1)], True),
        ([("/a/b.htm$", 1)], False),
        ([("/A", 1)], False),
        ([("/%61/b", 1)], True),
        ([("/a/*/c", 1)], False),
    ],
)
def test_the_first_location_that_matches_counts(
    locations: list[tuple[str, int]], reserved: bool
) -> None:
    content = [{"location": path, "tdm-reservation": n} for path, n in locations]
    assert decide(from_file(content)).reserved is reserved


def test_a_location_may_have_letters_beyond_ascii() -> None:
    content = [{"location": "/é", "tdm-reservation": 1}]
    assert decide(from_file(content, "https://example.org/%C3%A9")).reserved


@pytest.mark.parametrize(
    ("status", "body"),
    [
        *((404, b"[]"), (503, b"[]"), (301, b"[]"), (200, b"")),
        (404, json.dumps(EXAMPLE).encode()),
        (200, b"\n<!DOCTYPE html><title>Home</title>"),
        (200, b"[]"),
    ],
)
def test_a_site_that_takes_no_part(status: int, body: bytes) -> None:
    file = TdmFile.from_response(status, body)
    assert (file.rules, file.broken, file.signals(URL)) == ((), "", ())


RULE = {"location": "/", "tdm-reservation": 1}


@pytest.mark.parametrize(
    ("content", "remark"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 200_000, "not JSON"),
        (b"9" * 100_000, "not JSON"),
        (b" " * MAX_BODY_BYTES + b"[]", "larger than"),
        (RULE, "not an array"),
        ("text", "not an array"),
        ([1], "rule 1"),
        ([[RULE]], "rule 1"),
        ([{}], "rule 1"),
        ([{"location": "/"}], "rule 1"),
        ([{"tdm-reservation": 1}], "rule 1"),
        ([{"location": "", "tdm-reservation": 1}], "rule 1"),
        ([{"location": "a", "tdm-reservation": 1}], "rule 1"),
        ([{"location": ["/"], "tdm-reservation": 1}], "rule 1"),
        ([{"location": "/", "tdm-reservation": "1"}], "rule 1"),
        ([{"location": "/", "tdm-reservation": True}], "rule 1"),
        ([{"location": "/", "tdm-reservation": 1.0}], "rule 1"),
        ([{"location": "/", "tdm-reservation": 2}], "rule 1"),
        ([{"location": "/", "tdm-reservation": None}], "rule 1"),
        ([{"location": "/", "tdm-reservation": [1]}], "rule 1"),
        ([{"location": "/x", "tdm-reservation": 1}] * MAX_RULES + [RULE], "more than"),
    ],
)
def test_a_broken_file_reserves_nothing_and_says_so(
    content: object, remark: str
) -> None:
    (signal,) = from_file(content)
    assert remark in signal.broken
    assert (signal.kind, signal.value) == (SignalKind.TDMREP_FILE, "")
    assert not decide([signal]).reserved


def test_whole_rules_count_beside_broken_ones() -> None:
    file = TdmFile.from_response(200, json.dumps([{"location": 1}, RULE]).encode())
    assert file.broken
    assert read(file.signals(URL)) == [("tdmrep_file", True)]


def test_a_policy_of_the_wrong_type_is_none() -> None:
    (signal,) = from_file([RULE | {"tdm-policy": 7}])
    assert (signal.policy, signal.reserves) == ("", True)


# -- what follows ------------------------------------------------------------------------


def tdm(kind: SignalKind, value: str) -> Signal:
    broken = "" if value in {"0", "1"} else "broken"
    return Signal(kind, value, reserves=value == "1", broken=broken)


@pytest.mark.parametrize(
    ("file", "header", "meta", "reserved"),
    [
        ("1", "", "", True),
        ("1", "0", "", False),
        ("0", "1", "", True),
        ("1", "1", "0", False),
        ("0", "0", "1", True),
        ("1", "", "0", False),
        # what is broken supersedes nothing
        ("1", "x", "", True),
        ("1", "0", "x", False),
        ("x", "x", "x", False),
        ("", "", "", False),
    ],
)
def test_within_tdmrep_the_nearest_declaration_counts(
    file: str, header: str, meta: str, reserved: bool
) -> None:
    kinds = SignalKind.TDMREP_FILE, SignalKind.TDMREP_HEADER, SignalKind.TDMREP_META
    values = zip(kinds, (file, header, meta), strict=True)
    signals = [tdm(kind, value) for kind, value in values if value]
    opt_out = decide(signals)
    assert opt_out.reserved is reserved
    assert set(opt_out.signals) == set(signals)
    assert decide(reversed(signals)).reserved is reserved


def test_no_permission_lifts_a_reservation() -> None:
    headers = [
        ("tdm-reservation", "0"),
        ("Content-Usage", "train-ai=y"),
        ("Content-Signal", "ai-train=no"),
    ]
    opt_out = decide(read_headers(headers))
    assert opt_out.reserved
    assert [signal.kind for signal in opt_out.grounds] == [SignalKind.CONTENT_SIGNAL]
    assert opt_out.signals[0] is opt_out.grounds[0]
    assert len(opt_out.signals) == 3


def test_a_licence_alone_reserves_nothing() -> None:
    signals = from_robots("License: https://example.org/license.xml")
    assert read(signals) == [("rsl_robots", False)]
    assert not decide(signals).reserved


def test_many_signals_are_cut_but_not_their_effect() -> None:
    lines = [f"Content-Usage: a{number}=y" for number in range(500)]
    text = "\n".join(["User-agent: *", *lines, "Content-Usage: train-ai=n"])
    opt_out = decide(from_robots(text))
    assert opt_out.reserved
    assert opt_out.signals[0].value == "train-ai=n"
    assert len(opt_out.signals) == MAX_SIGNALS


def test_without_signals_nothing_is_reserved() -> None:
    assert decide([]) == OptOut()


@pytest.mark.parametrize(
    ("policy", "drops"),
    [
        (OptOutPolicy.SKIP, True),
        (OptOutPolicy.RECORD, False),
        (OptOutPolicy.IGNORE, False),
    ],
)
def test_the_policy_decides_what_is_dropped(policy: OptOutPolicy, drops: bool) -> None:
    assert policy.drops(decide(read_metadata({"robots": "noai"}))) is drops
    assert not policy.drops(OptOut())


# -- structured fields -------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        *("train-ai=n, b=", "train-ai=n b", ",train-ai=n", "train-ai=n,,b", "=a, train-ai=n"),
        *("A=1, train-ai=n", "train-ai=n, b=(1", "train-ai=n, b=@1.5", "train-ai=n, b=:a:"),
        *('train-ai=n, b="é"', 'train-ai=n, b=%"%FF"', "train-ai=n, b=1.2345", "train-ai=n, b=²"),
        "train-ai=n, b=" + "(" * MAX_FIELD_CHARS,
    ],
)  # fmt: skip
def test_a_field_that_is_no_dictionary_reserves_nothing(text: str) -> None:
    (signal,) = read_headers([("Content-Usage", text)])
    assert signal.broken
    assert not signal.reserves


def _plain(value: object) -> object:
    """Return a bare item or an inner list in the notation of the suite."""
    if isinstance(value, list):
        return [_notation(item) for item in value]
    match value:
        case http_sf.DisplayString() | http_sf.Token():
            return {"__type": type(value).__name__.lower(), "value": str(value)}
        case datetime():
            return {"__type": "date", "value": int(value.timestamp())}
        case bytes():
            return {"__type": "binary", "value": b32encode(value).decode()}
        case Decimal():
            return float(value)
    return value


def _notation(member: tuple[object, dict[str, object]]) -> list[object]:
    value, parameters = member
    return [_plain(value), [[key, _plain(item)] for key, item in parameters.items()]]


def _parse_like_the_suite(text: str) -> object:
    try:
        members: Any = http_sf.parse(text.encode(), tltype="dictionary")
    except ValueError:
        return None
    return [[key, _notation(member)] for key, member in members.items()]


@pytest.mark.shared
@pytest.mark.skipif(
    not FIELDS.exists(), reason="the suite of structured fields is not here"
)
def test_the_suite_of_structured_fields(
    count_cases: Callable[[str, int, int], None],
) -> None:
    passed, failed = 0, []
    for file in sorted(FIELDS.glob("*.json")):
        for case in json.loads(file.read_text("utf-8")):
            text, expected = ", ".join(case["raw"]), case.get("expected")
            if case["header_type"] == "list":
                continue
            if case["header_type"] == "item":
                # An item is read as a dictionary's only member; blanks differ there.
                text, expected = f"a={text.strip(' ')}", expected and [["a", expected]]
            got = _parse_like_the_suite(text)
            if got == expected or (got is None and case.get("can_fail")):
                passed += 1
            else:
                failed.append(case["name"])
    count_cases("structured fields: HTTP working group", passed, passed + len(failed))
    # "1 \t " is no item, but a dictionary may end so.
    assert failed == ["trailing space"]
    assert passed == 122


# -- no input is an error ----------------------------------------------------------------

NAMES = st.sampled_from(
    ["tdm-reservation", "TDM-Policy", "Content-Usage", "content-signal", "X-Robots-Tag", "Link", "x"]
)  # fmt: skip
VALUES = st.one_of(
    st.text(max_size=40),
    st.text('train-ai=ny(),;:"%@?<>* \t10', max_size=40),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 2) | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["location", "tdm-reservation", "tdm-policy", "x"]), inner
        )
    ),
)


@given(st.lists(st.tuples(NAMES, VALUES)), st.text())
@example([("Link", "<" * 100_000)], "")
@example([("Content-Usage", "a=" + "(" * 60_000)], "\ud800")
def test_no_header_is_an_error(headers: list[tuple[str, str]], agent: str) -> None:
    decide(read_headers(headers, agent))


@given(
    st.dictionaries(
        st.sampled_from(["tdm-reservation", "tdm-policy", "robots"]), VALUES
    ),
    st.lists(st.tuples(st.sampled_from(["license", "x"]), VALUES, VALUES)),
    st.text(),
)
def test_no_metadata_are_an_error(
    meta: dict[str, str], links: list[tuple[str, str, str]], agent: str
) -> None:
    decide(read_metadata(meta, links, agent))


@given(st.one_of(JSON, st.binary()), st.text())
@example([{"location": "/\ud800", "tdm-reservation": 1}], "/\ud800")
def test_no_file_is_an_error(content: object, url: str) -> None:
    decide(from_file(content, url))


@given(st.lists(st.tuples(st.sampled_from(["Content-Usage", "Content-Signal", "License"]), VALUES)))  # fmt: skip
def test_no_robots_line_is_an_error(lines: list[tuple[str, str]]) -> None:
    text = "\n".join(f"{name}: {value}" for name, value in lines)
    signals = read_robots(
        RobotsPolicy.from_response(200, text.encode("utf-8", "replace"), AGENT), URL
    )
    decide(signals)
