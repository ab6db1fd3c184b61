"""Archive of a crawl at Common Crawl: its index, looked up once, and ranges of its files.

The index is a server's, or the rows of its columnar form in files. The server answers by the
CDXJ server API of pywb (manual/cdxserver_api), with the fields of
https://commoncrawl.org/cdxj-index: a JSON object a line for each record. A record is a gzip
member of its own in a WARC file, at the offset and of the length that the index tells.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import product
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urldefrag, urlsplit

from ilspfc.corpus.warc.lookup import (
    AnswerTable,
    ArchivedResponse,
    is_site_file,
    make_answer,
)
from ilspfc.corpus.warc.reader import HEAD_BYTES, DamagedError, parse_record
from ilspfc.crawl.archives.columnar_index import iter_entries
from ilspfc.exceptions import ArgumentError, SettingError
from ilspfc.frontier.scope import Scope, directory_url
from ilspfc.setting_table import split_list
from ilspfc.text.codes import find_iso639_3, two_letter_codes
from ilspfc.web.urls import canonicalize, host_of, site_of

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.crawl.arguments import CrawlArguments

# Pages, and redirects that lead to them.
_STATUSES = "(200|30[12378])$"
# Seconds between two requests to Common Crawl's own servers: those of its cdx_toolkit
# (myrequests.py). A mirror of the user's is not spared.
_INTERVALS = {"index.commoncrawl.org": 1.0, "data.commoncrawl.org": 0.55}
_BUSY = frozenset({429, 500, 502, 503, 504, 509})
# Seconds between attempts, unless the server names its own; after the last there is none.
_WAITS = (4.0, 8.0, 16.0, 32.0, 0.0)
_MAX_WAIT = 120.0
_TIMEOUT = 60.0
# Languages of ISO 639-1 that CLD2 does not know, by which Common Crawl identifies languages
# (language-detection-cld2, Language.java): their pages have others in the index.
_UNKNOWN = frozenset(
    "arg ava ave bam cha che chu chv cor cre ful her hmo ido iii kau kik kom kon kua lim lub"
    " mah nav nbl nde ndo oji pli sme srd tah wln".split()
)


def read_addresses(settings: BaseSettings) -> list[str]:
    """Return the addresses of ``FETCH_COMMON_CRAWL``; SettingError for wrong ones."""
    addresses = [url.rstrip("/") for url in split_list(settings, "FETCH_COMMON_CRAWL")]
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
    queries: list[tuple[str, str]] = []
    for seed in seeds:
        host = host_of(seed)
        site_files = f"{host}/robots.txt", "exact"
        queries += {
            Scope.HOST: [(host, "host")],
            Scope.PATH: [(directory_url(seed), "prefix"), site_files],
        }.get(scope, [(site_of(seed), "domain")])
    return [{"url": url, "matchType": kind} for url, kind in dict.fromkeys(queries)]


def _finds(queries: Collection[tuple[str, str]], url: str) -> bool:
    """Test whether look-ups, of (matchType, place), find a URL as the server would."""
    whole, path = host_of(url), urlsplit(url).path or "/"
    host = whole.removeprefix("www.")
    places = [("host", host), ("exact", f"{host}{path}"), ("domain", whole)]
    places += [("domain", whole[dot.end() :]) for dot in re.finditer(r"\.", whole)]
    ends = (slash.end() for slash in re.finditer("/", path))
    places += [("prefix", f"{host}{path[:end]}") for end in ends]
    return any(place in queries for place in places)


def twin_of(url: str) -> str:
    """Return a URL with the other spelling of its host, with or without www.

    That of an address is the URL itself.

    >>> twin_of("https://www.suva.ch/de"), twin_of("https://suva.ch/de")
    ('https://suva.ch/de', 'https://www.suva.ch/de')
    """
    bare = url.replace("://www.", "://", 1)
    twin = bare if bare != url else url.replace("://", "://www.", 1)
    try:
        host_of(twin)
    except ValueError:
        return url
    return twin


def wanted_codes(langs: Sequence[str]) -> frozenset[str]:
    """Return the languages in the index whose pages may be in ``langs`` (ISO 639-3).

    Empty, for all, where Common Crawl does not identify one of them.
    """
    from ilspfc.language.labels import group_of  # noqa: PLC0415 - loads numpy

    if not {*two_letter_codes().values()} - _UNKNOWN >= {*langs}:
        return frozenset()
    return frozenset().union(*map(group_of, langs))


class CommonCrawlArchive(AnswerTable):
    """The pages of some crawls of Common Crawl, each fetched when it is asked for.

    Of the records that the index has for the seeds, those of other languages and types are
    passed over; one without language is not. Without seeds, files of the index are read
    whole. :meth:`index` and :meth:`read` block; the second may be called in several threads.
    """

    def __init__(
        self,
        arguments: CrawlArguments,
        settings: BaseSettings,
        media_types: Iterable[str],
    ) -> None:
        import httpx2  # noqa: PLC0415 - for these crawls alone

        super().__init__(media_types)
        self._crawls = arguments.cc
        self._tables = arguments.cc_tables
        self._sites = frozenset(map(site_of, arguments.seeds))
        self._queries = make_queries(arguments.scope, arguments.seeds)
        self._index_url, self._data_url = read_addresses(settings)
        self._langs = wanted_codes(arguments.langs)
        headers = {"User-Agent": settings["USER_AGENT"]}
        self._client = httpx2.Client(headers=headers, timeout=_TIMEOUT)
        self._where = f"cc={','.join(arguments.cc)}"
        self._is_answering = False
        self._closed = threading.Event()
        self._turn = threading.Lock()
        self._next: dict[str, float] = {}

    def close(self) -> None:
        """End what is under way in other threads, within a request."""
        self._closed.set()

    def index(self) -> None:
        """Look the pages up; ArgumentError where the index has none or does not answer."""
        try:
            with self._index:
                if self._tables:
                    self._read_tables()
                else:
                    self._check_names()
                    for crawl, query in product(self._crawls, self._queries):
                        self._look_up(f"{self._index_url}/{crawl}-index", query)
        except OSError as error:
            raise ArgumentError(
                f"{self._where}: {error}; try again later, or see FETCH_COMMON_CRAWL for the"
                " addresses"
            ) from error
        if next(self.pages(), None) is None and not self._closed.is_set():
            places = ", ".join(dict.fromkeys(query["url"] for query in self._queries))
            raise ArgumentError(
                f"{self._where}: no pages{f' of {places}' if places else ''} in it"
                f" ({self.counts['other_language']} in other languages,"
                f" {self.counts['other_type']} of other types); give other crawls or seeds"
            )

    def _read_tables(self) -> None:
        """Add the rows that the server would find for the seeds, with these statuses."""
        asked = frozenset(
            (kind, url if kind == "domain" else url.removeprefix("www."))
            for url, kind in (query.values() for query in self._queries)
        )
        for path in self._tables:
            for entry in iter_entries(path, self._sites):
                if self._closed.is_set():
                    return
                try:
                    is_found = not asked or _finds(asked, entry["url"])
                    if is_found and re.match(_STATUSES, str(entry["status"])):
                        self.counts[self._add_entry(entry)] += 1
                except (ValueError, TypeError, AttributeError):
                    self.counts["damaged"] += 1

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

    def _look_up(self, api: str, query: Mapping[str, str]) -> None:
        """Add the records that a look-up finds, of all pages of the answer.

        A 404 tells that there are none, also on one of several pages.
        """
        params = {**query, "output": "json", "showNumPages": "true"}
        status, body = self._ask(api, {200, 404}, params=params)
        try:
            pages = int(json.loads(body)["pages"]) if status == 200 else 0
        except (ValueError, TypeError, KeyError) as error:
            raise OSError(f"{api} does not answer as an index") from error
        for page in range(pages):
            if self._closed.is_set():
                break
            params = {**query, "output": "json", "filter": f"~status:{_STATUSES}"}
            params["page"] = str(page)
            status, body = self._ask(api, {200, 404}, params=params)
            for line in body.splitlines() if status == 200 else ():
                try:
                    self.counts[self._add_entry(json.loads(line))] += 1
                except (ValueError, TypeError, KeyError, AttributeError):
                    self.counts["damaged"] += 1

    def _add_entry(self, entry: Mapping[str, Any]) -> str:
        """Add a record of the index if it is of use to the crawl; return what it is."""
        url, status = urldefrag(entry["url"]).url, int(entry["status"])
        date = datetime.strptime(f"{entry['timestamp']}Z", "%Y%m%d%H%M%S%z")
        place = str(entry["filename"]), int(entry["offset"]), int(entry["length"])
        named = (entry.get("mime"), entry.get("mime-detected"))
        types = {one.lower() for one in named if one and one != "unk"}
        is_page = self._is_page(url, status, types)
        if status == 200 and not is_page and not is_site_file(url):
            return "other_type"
        # Up to three, the main one first.
        codes = filter(None, (entry.get("languages") or "").split(","))
        found = {find_iso639_3(one) or one for one in codes}
        if is_page and found and self._langs and self._langs.isdisjoint(found):
            return "other_language"
        self._add(url, status, date, place, types)
        if entry.get("truncated"):
            self.counts["truncated"] += 1
        return "index"

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
        span = {"Range": f"bytes={offset}-{offset + length - 1}"}
        _, body = self._ask(f"{self._data_url}/{quote(name)}", {206}, headers=span)
        record = parse_record(body, 0, max_bytes)
        with suppress(ValueError):
            if canonicalize(record.url) == canonicalize(url):
                return make_answer(record, max_bytes)
        raise DamagedError(f"the record is of {record.url}")

    def _ask(
        self, url: str, statuses: Collection[int], **options: Any
    ) -> tuple[int, bytes]:
        """Return an answer with one of ``statuses``; a busy server is asked again.

        OSError for any other answer. A server that has never answered is asked once.
        """
        import httpx2  # noqa: PLC0415

        host = urlsplit(url).netloc
        for usual in _WAITS:
            with self._turn:
                self._closed.wait(self._next.get(host, 0.0) - time.monotonic())
                self._next[host] = time.monotonic() + _INTERVALS.get(host, 0.0)
            wait = usual
            try:
                with self._client.stream("GET", url, **options) as answer:
                    self._is_answering = True
                    if answer.status_code in statuses:
                        return answer.status_code, answer.read()
                    cause = f"{url} answers with HTTP {answer.status_code}"
                    asked = answer.headers.get("retry-after", "")
                    wait = float(asked) if asked.isdecimal() else wait
                    is_busy = answer.status_code in _BUSY and wait <= _MAX_WAIT
            except httpx2.HTTPError as error:
                cause = f"{url} cannot be reached ({error})"
                is_busy = self._is_answering
            if not is_busy or self._closed.wait(wait):
                break
        raise OSError(cause)
