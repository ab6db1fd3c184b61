"""Archive of a crawl at Common Crawl: its index, looked up once, and ranges of its files.

The index answers by the CDXJ server API of pywb (manual/cdxserver_api), with the fields of
https://commoncrawl.org/cdxj-index: a JSON object a line for each record. A record is a gzip
member of its own in a WARC file, at the offset and of the length that the index tells.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import product
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urldefrag, urlsplit

from ilspfc.corpus.warc.lookup import AnswerTable, is_site_file, make_answer
from ilspfc.corpus.warc.reader import HEAD_BYTES, DamagedError, parse_record
from ilspfc.exceptions import ArgumentError, SettingError
from ilspfc.frontier.scope import Scope, directory_url
from ilspfc.text.codes import find_iso639_3, two_letter_codes
from ilspfc.web.urls import canonicalize, host_of, site_of

if TYPE_CHECKING:
    import httpx2
    from scrapy.settings import BaseSettings

    from ilspfc.corpus.warc.lookup import ArchivedResponse

_NAME_RE = re.compile(r"CC-MAIN-[\w-]+")
_FIELDS = (
    "url,timestamp,status,mime,mime-detected,languages,truncated,filename,offset,length"
)
# Pages, and redirects that lead to them.
_STATUS_FILTER = "~status:(200|30[12378])$"
# Seconds between two requests to Common Crawl's own servers: those of its cdx_toolkit
# (myrequests.py). A mirror of the user's is not spared.
_INTERVALS = {"index.commoncrawl.org": 1.0, "data.commoncrawl.org": 0.55}
_BUSY = frozenset({429, 500, 502, 503, 504, 509})
_MAX_ATTEMPTS = 5
# Seconds before the second attempt; they double with each, or the server names its own.
_FIRST_WAIT = 4.0
_MAX_WAIT = 120.0
_TIMEOUT = 60.0
# A page of the index has some 15,000 lines of 500 bytes.
_MAX_INDEX_BYTES = 1 << 28
# Languages of ISO 639-1 that CLD2 does not know, by which Common Crawl identifies languages
# (language-detection-cld2, Language.java): their pages have others in the index.
_UNKNOWN = frozenset(
    "arg ava ave bam cha che chu chv cor cre ful her hmo ido iii kau kik kom kon kua lim lub"
    " mah nav nbl nde ndo oji pli sme srd tah wln".split()
)


def parse_crawls(value: str) -> tuple[str, ...]:
    """Return the names of ``-a cc=``, separated by commas; ArgumentError for what is none."""
    names = tuple(dict.fromkeys(filter(None, map(str.strip, value.split(",")))))
    for name in names:
        if not _NAME_RE.fullmatch(name):
            raise ArgumentError(
                f"cc={value}: {name!r} names no crawl of Common Crawl; give one such as"
                " CC-MAIN-2026-30"
            )
    return names


def read_addresses(settings: BaseSettings) -> list[str]:
    """Return the addresses of ``FETCH_COMMON_CRAWL``; SettingError for wrong ones."""
    addresses = [
        url.strip().rstrip("/") for url in settings.getlist("FETCH_COMMON_CRAWL")
    ]
    if len(addresses) != 2 or not all(re.match("https?://[^/]", a) for a in addresses):
        raise SettingError(
            f"FETCH_COMMON_CRAWL={','.join(addresses)}: give two addresses, of the index and"
            " of the files, separated by a comma"
        )
    return addresses


def make_queries(scope: Scope, seeds: Iterable[str]) -> list[dict[str, str]]:
    """Return the parameters of the look-ups that find the pages in the scope of seeds.

    Without bounds these are the pages of the seeds' sites.
    """
    queries: list[dict[str, str]] = []
    for seed in seeds:
        host = host_of(seed)
        if scope is Scope.HOST:
            queries.append({"url": host, "matchType": "host"})
        elif scope is Scope.PATH:
            queries.append({"url": directory_url(seed), "matchType": "prefix"})
            queries.append({"url": f"{host}/robots.txt", "matchType": "exact"})
        else:
            queries.append({"url": site_of(seed), "matchType": "domain"})
    return [dict(items) for items in dict.fromkeys(tuple(q.items()) for q in queries)]


def twin_of(url: str) -> str:
    """Return a URL with the other spelling of its host, with or without www.

    >>> twin_of("https://www.suva.ch/de"), twin_of("https://suva.ch/de")
    ('https://suva.ch/de', 'https://www.suva.ch/de')
    """
    bare = url.replace("://www.", "://", 1)
    return bare if bare != url else url.replace("://", "://www.", 1)


def wanted_codes(langs: Sequence[str]) -> frozenset[str]:
    """Return the languages in the index whose pages may be in ``langs`` (ISO 639-3).

    Empty, for all, where Common Crawl does not identify one of them.
    """
    from ilspfc.language.labels import group_of  # noqa: PLC0415 - loads numpy

    known = frozenset(two_letter_codes().values()) - _UNKNOWN
    return (
        frozenset().union(*map(group_of, langs)) if known >= {*langs} else frozenset()
    )


class CommonCrawlArchive(AnswerTable):
    """The pages of some crawls of Common Crawl, each fetched when it is asked for.

    ``crawls`` are their names, ``queries`` the look-ups (:func:`make_queries`), ``addresses``
    those of the index and of the files, ``langs`` the languages whose records are used
    (:func:`wanted_codes`); a record without language always is. :meth:`index` and
    :meth:`read` block; the second may be called in several threads.
    """

    def __init__(
        self,
        crawls: Sequence[str],
        queries: Sequence[Mapping[str, str]],
        addresses: Sequence[str],
        *,
        media_types: Iterable[str],
        langs: Collection[str] = frozenset(),
        agent: str = "",
    ) -> None:
        super().__init__(canonicalize, media_types)
        self._crawls, self._queries = tuple(crawls), tuple(queries)
        self._index_url, self._data_url = addresses
        self._langs = frozenset(langs)
        self._agent = agent
        self._where = f"cc={','.join(crawls)}"
        self._client: httpx2.Client | None = None
        self._is_answering = False
        self._closed = threading.Event()
        self._turn = threading.Lock()
        self._next: dict[str, float] = {}

    def close(self) -> None:
        """End what is under way in other threads, within a request."""
        self._closed.set()

    def index(self) -> None:
        """Look the pages up; ArgumentError where the index has none or does not answer."""
        import httpx2  # noqa: PLC0415 - for these crawls alone

        headers = {"User-Agent": self._agent}
        self._client = httpx2.Client(headers=headers, timeout=_TIMEOUT)
        try:
            self._check_names()
            with self._index:
                for crawl, query in product(self._crawls, self._queries):
                    for entry in self._look_up(
                        f"{self._index_url}/{crawl}-index", query
                    ):
                        self._add_entry(entry)
        except OSError as error:
            raise ArgumentError(
                f"{self._where}: {error}; try again later, or see FETCH_COMMON_CRAWL for the"
                " addresses"
            ) from error
        if next(self.pages(), None) is None and not self._closed.is_set():
            places = ", ".join(dict.fromkeys(query["url"] for query in self._queries))
            others = self.counts["other_language"], self.counts["other_type"]
            raise ArgumentError(
                f"{self._where}: no pages of {places} in it ({others[0]} in other languages,"
                f" {others[1]} of other types); give other crawls, or other seeds"
            )

    def _check_names(self) -> None:
        """Raise ArgumentError for a crawl that the index does not have."""
        url = f"{self._index_url}/collinfo.json"
        try:
            known = [one["id"] for one in json.loads(self._ask(url, {200})[1])]
        except (ValueError, TypeError, KeyError) as error:
            raise OSError(f"{url} is no list of crawls") from error
        for name in self._crawls:
            if name not in known:
                raise ArgumentError(
                    f"{self._where}: the index has no crawl {name}; its newest are"
                    f" {', '.join(known[:3])}"
                )

    def _look_up(self, api: str, query: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """Yield the records that a look-up finds, of all pages of the answer.

        A 404 tells that there are none, also on one of several pages.
        """
        params = {**query, "output": "json"}
        status, body = self._ask(api, {200, 404}, {**params, "showNumPages": "true"})
        try:
            pages = int(json.loads(body)["pages"]) if status == 200 else 0
        except (ValueError, TypeError, KeyError) as error:
            raise OSError(f"{api} does not answer as an index") from error
        params |= {"filter": _STATUS_FILTER, "fl": _FIELDS}
        for page in range(pages):
            if self._closed.is_set():
                return
            status, body = self._ask(api, {200, 404}, {**params, "page": str(page)})
            for line in body.splitlines() if status == 200 else ():
                try:
                    yield dict(json.loads(line))
                except (ValueError, TypeError):
                    self.counts["damaged"] += 1

    def _add_entry(self, entry: Mapping[str, Any]) -> None:
        """Add a record of the index, unless it is of no use to the crawl."""
        try:
            url = urldefrag(entry["url"]).url
            status = int(entry["status"])
            date = datetime.strptime(f"{entry['timestamp']}Z", "%Y%m%d%H%M%S%z")
            place = str(entry["filename"]), int(entry["offset"]), int(entry["length"])
            named = (entry.get("mime"), entry.get("mime-detected"))
            types = {str(one).lower() for one in named if one and one != "unk"}
            is_page = self._is_page(url, status, types)
            if status == 200 and not is_page and not is_site_file(url):
                self.counts["other_type"] += 1
                return
            # Up to three, the main one first.
            codes = [one for one in str(entry.get("languages") or "").split(",") if one]
            found = {find_iso639_3(one) or one for one in codes}
            if is_page and found and self._langs and self._langs.isdisjoint(found):
                self.counts["other_language"] += 1
                return
            self._add(url, status, date, place, types)
        except (ValueError, TypeError, KeyError, AttributeError):
            self.counts["damaged"] += 1
            return
        self.counts["index"] += 1
        self.counts["truncated"] += bool(entry.get("truncated"))

    def read(self, url: str, max_bytes: int) -> ArchivedResponse | None:
        """Fetch the answer for a URL with up to ``max_bytes``, None if there is none.

        Raises DamagedError for a record that is none of the URL's, OSError for a server that
        does not answer.
        """
        place = self._find(url)
        if place is None:
            return None
        name, offset, length = place
        if length > max_bytes + HEAD_BYTES:
            raise DamagedError(f"the record has {length} bytes")
        ranges = {
            "Range": f"bytes={offset}-{offset + length - 1}",
            "Accept-Encoding": "identity",
        }
        address = f"{self._data_url}/{quote(name)}"
        _, body = self._ask(address, {206}, headers=ranges, max_bytes=length)
        record = parse_record(body, 0, max_bytes)
        try:
            is_asked = canonicalize(record.url) == canonicalize(url)
        except ValueError:
            is_asked = False
        if not is_asked:
            raise DamagedError(f"the record is of {record.url}")
        return make_answer(record, max_bytes)

    def _ask(
        self,
        url: str,
        statuses: Collection[int],
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        max_bytes: int = _MAX_INDEX_BYTES,
    ) -> tuple[int, bytes]:
        """Return an answer with one of ``statuses``; a busy server is asked again.

        OSError for any other answer. A server that has never answered is asked once.
        """
        import httpx2  # noqa: PLC0415

        assert self._client is not None  # noqa: S101 - index() comes first
        for attempt in range(_MAX_ATTEMPTS):
            self._await_turn(url)
            wait = _FIRST_WAIT * 2**attempt
            try:
                with self._client.stream(
                    "GET", url, params=params, headers=headers
                ) as answer:
                    self._is_answering = True
                    status = answer.status_code
                    if status in statuses:
                        return status, _read_body(answer, max_bytes, url)
                    cause = f"{url} answers with HTTP {status}"
                    asked = answer.headers.get("retry-after", "")
                    wait = float(asked) if asked.isdecimal() else wait
                    if status not in _BUSY or wait > _MAX_WAIT:
                        break
            except httpx2.HTTPError as error:
                cause = f"{url} cannot be reached ({error})"
                if not self._is_answering:
                    break
            if attempt + 1 == _MAX_ATTEMPTS or self._closed.wait(wait):
                break
        raise OSError(cause)

    def _await_turn(self, url: str) -> None:
        """Wait until the server of a URL may be asked again."""
        host = urlsplit(url).netloc
        with self._turn:
            now = time.monotonic()
            turn = max(now, self._next.get(host, 0.0))
            self._next[host] = turn + _INTERVALS.get(host, 0.0)
        self._closed.wait(turn - now)


def _read_body(answer: httpx2.Response, max_bytes: int, url: str) -> bytes:
    body = bytearray()
    for chunk in answer.iter_bytes():
        body += chunk
        if len(body) > max_bytes:
            raise OSError(f"{url} answers with more than {max_bytes} bytes")
    return bytes(body)
