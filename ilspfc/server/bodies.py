"""Requests as handlers take them: the body whole and within bounds, numbers that are numbers.

A handler with a body is called in a thread, as those without are: none holds up another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, wraps
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import ImmutableMultiDict
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ilspfc.server.rendering import is_api
from ilspfc.text.codes import (
    find_code,
    find_iso639_3,
    language_name,
    two_letter_codes,
)

Form = ImmutableMultiDict[str, str]
MAX_BODY_BYTES = 1_000_000
_MAX_FIELDS = 1_000
# A name that no language has is looked for among all names.
_MAX_LANGS_CHARS = 200
# Row ids that SQLite can hold.
_NUMBER_RE = re.compile(r"[0-9]{1,18}")
Endpoint = Callable[[Request], Awaitable[Response]]


def read_number(text: str) -> int | None:
    """Return a whole number, None for anything else.

    >>> read_number("12"), read_number("²"), read_number("9" * 5000)
    (12, None, None)
    """
    return int(text) if _NUMBER_RE.fullmatch(text) else None


def to_codes(langs: str) -> str:
    """Return languages, separated by commas, with codes for their names; a long text as it is.

    >>> to_codes("German, Ελληνικά,it, Klingonese")
    'de,el,it,Klingonese'
    """
    if len(langs) > _MAX_LANGS_CHARS:
        return langs
    words = filter(None, map(str.strip, langs.split(",")))
    return ",".join(
        one if find_iso639_3(one) else find_code(one) or one for one in words
    )


@cache
def list_languages() -> list[str]:
    """Return the English names of the languages that have a code of two letters."""
    return sorted(map(language_name, two_letter_codes().values()))


def takes_form(handler: Callable[[Request, Form], Response]) -> Endpoint:
    """Return the endpoint of a handler that takes the fields of a form."""

    @wraps(handler)
    async def endpoint(request: Request) -> Response:
        if "multipart" in request.headers.get("content-type", ""):
            raise HTTPException(
                415, "Send a form as application/x-www-form-urlencoded."
            )
        body = await _read_body(request)
        return await run_in_threadpool(lambda: handler(request, _parse_form(body)))

    return endpoint


def takes_fields(
    handler: Callable[[Request, Mapping[str, object]], Response],
) -> Endpoint:
    """Return the endpoint of a handler that takes a form or, for scripts, a JSON object."""
    take_form = takes_form(handler)

    @wraps(handler)
    async def endpoint(request: Request) -> Response:
        if not is_api(request):
            return await take_form(request)
        fields = await run_in_threadpool(_parse_json, await _read_body(request))
        return await run_in_threadpool(handler, request, fields)

    return endpoint


async def _read_body(request: Request) -> bytes:
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BODY_BYTES:
                raise HTTPException(413, f"Send {MAX_BODY_BYTES:,} bytes at most.")
    except ClientDisconnect as error:
        raise HTTPException(400, "The request broke off.") from error
    return bytes(body)


def _parse_form(body: bytes) -> Form:
    text = body.decode("utf-8", "replace")
    try:
        fields = parse_qsl(text, keep_blank_values=True, max_num_fields=_MAX_FIELDS)
    except ValueError as error:
        raise HTTPException(400, f"Send {_MAX_FIELDS} fields at most.") from error
    return ImmutableMultiDict(fields)


def _parse_json(body: bytes) -> dict[str, object]:
    """Return a JSON object; HTTPException for any other value and for what is no JSON."""
    try:
        found = json.loads(body)
        # A lone surrogate is no text: nothing can write it.
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise HTTPException(422, "the body is no JSON object")
    return found
