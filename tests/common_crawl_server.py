"""A small Common Crawl on loopback: an index of pywb's kind, and a WARC file served in ranges."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from conftest import SiteHandler

if TYPE_CHECKING:
    from pathlib import Path

CRAWL = "CC-MAIN-2026-30"
FILE = f"crawl-data/{CRAWL}/segments/1/warc/CC-MAIN-20260712101530-00001.warc.gz"
# Lines of the index on a page.
PAGE_LINES = 4


@dataclass
class Records:
    """A WARC file of gzip members, and the line of the index for each."""

    data: bytes = b""
    lines: list[dict[str, str]] = field(default_factory=list)

    def add(
        self,
        url: str,
        body: bytes = b"",
        *headers: str,
        status: str = "200 OK",
        mime: str = "text/html",
        **fields: str,
    ) -> None:
        """Add a response; ``fields`` are those of the index that not every record has."""
        lines = (f"HTTP/1.1 {status}", f"Content-Type: {mime}", *headers, "", "")
        block = "\r\n".join(lines).encode() + body
        head = (
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-07-12T10:15:30Z\r\n"
            f"WARC-Record-ID: <urn:uuid:{len(self.lines)}>\r\nWARC-Target-URI: {url}\r\n"
            "Content-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(block)}\r\n\r\n"
        )
        member = gzip.compress(head.encode() + block + b"\r\n\r\n")
        entry = {
            "urlkey": surt(url),
            "timestamp": "20260712101530",
            "url": url,
            "mime": mime,
            "mime-detected": mime,
            "status": status[:3],
            "digest": "A" * 32,
            "length": str(len(member)),
            "offset": str(len(self.data)),
            "filename": FILE,
            **fields,
        }
        self.data += member
        self.lines = sorted([*self.lines, entry], key=lambda line: line["urlkey"])


def write_table(path: Path, records: Records, **options: Any) -> None:
    """Write the lines of the index as rows of the columnar one, in Common Crawl's schema."""
    import pyarrow as pa
    from pyarrow import parquet

    rows = []
    for line in records.lines:
        host = (urlsplit(line["url"]).hostname or "").removeprefix("www.")
        when = line["timestamp"]
        time = datetime.strptime(when, "%Y%m%d%H%M%S") if when.isdecimal() else None  # noqa: DTZ007
        rows.append(
            {
                "url_surtkey": line["urlkey"],
                "url": line["url"],
                "url_host_name": urlsplit(line["url"]).hostname,
                "url_host_registered_domain": ".".join(host.split(".")[-2:]),
                "fetch_time": time,
                "fetch_status": int(line["status"]),
                "fetch_redirect": line.get("redirect"),
                "content_digest": line["digest"],
                "content_mime_type": line["mime"],
                "content_mime_detected": line["mime-detected"],
                "content_languages": line.get("languages"),
                "content_truncated": line.get("truncated"),
                "warc_filename": line["filename"],
                "warc_record_offset": int(line["offset"]),
                "warc_record_length": int(line["length"]),
                "warc_segment": "1",
            }
        )
    kinds = {"fetch_time": pa.timestamp("ms", "UTC"), "fetch_status": pa.int16()}
    kinds |= dict.fromkeys(("warc_record_offset", "warc_record_length"), pa.int32())
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in rows[0]])
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(rows, schema)
    parquet.write_table(table, path, **options)


def surt(url: str) -> str:
    """Return the key of a URL in the index: host backwards without www, then the path."""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    host = (parts.hostname or "").removeprefix("www.").split(".")
    return f"{','.join(reversed(host))}){parts.path or '/'}".lower()


def _matches(query: dict[str, str], line: dict[str, str]) -> bool:
    """Test whether a line is in the range of a look-up, as pywb's calc_search_range has it."""
    key = surt(query["url"])
    host = key.partition(")")[0]
    begins = {
        "exact": (key,) if line["urlkey"] == key else (),
        "prefix": (key,),
        "host": (f"{host})",),
        "domain": (f"{host})", f"{host},"),
    }
    return line["urlkey"].startswith(begins[query.get("matchType", "exact")])


class CommonCrawlHandler(SiteHandler):
    """Serves a list of crawls, an index and a file; ``busy`` answers are that it is."""

    records: Records
    busy = 0

    def respond(self) -> None:
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        if url.path == "/collinfo.json":
            names = [CRAWL, "CC-MAIN-2026-26"]
            self._answer_json(*([{"id": name} for name in names],))
        elif url.path == f"/{CRAWL}-index":
            self._look_up(query)
        elif url.path == f"/{FILE}" and "Range" in self.headers:
            self._send_range()
        else:
            self.answer("<b>Collection not found</b>", status=404)

    def _look_up(self, query: dict[str, str]) -> None:
        lines = [line for line in self.records.lines if _matches(query, line)]
        pages = -(-len(lines) // PAGE_LINES)
        if query.get("showNumPages") == "true":
            self._answer_json({"pages": pages, "pageSize": 1, "blocks": pages})
            return
        page = int(query["page"])
        if page >= pages:
            self.answer("<b>Page invalid</b>", status=400)
            return
        expression, name = query["filter"], "status"
        assert expression.startswith(f"~{name}:"), expression
        wanted = re.compile(expression.partition(":")[2])
        shown = lines[page * PAGE_LINES : (page + 1) * PAGE_LINES]
        shown = [line for line in shown if wanted.match(line[name])]
        if not shown:
            message = {"message": f"No Captures found for: {query['url']}"}
            self.answer(json.dumps(message), status=404)
            return
        self._answer_json(*shown)

    def _send_range(self) -> None:
        if type(self).busy:
            type(self).busy -= 1
            self.answer("Slow Down", status=503, headers={"Retry-After": "0"})
            return
        first, last = map(int, self.headers["Range"].removeprefix("bytes=").split("-"))
        self.send_response(206)
        self.send_header("Content-Type", "application/octet-stream")
        part = self.records.data[first : last + 1]
        self.send_header("Content-Length", str(len(part)))
        self.send_header(
            "Content-Range", f"bytes {first}-{last}/{len(self.records.data)}"
        )
        self.end_headers()
        self.wfile.write(part)

    def _answer_json(self, *values: Any) -> None:
        text = "".join(f"{json.dumps(value)}\n" for value in values)
        self.answer(text, content_type="text/x-ndjson")


def make_handler(records: Records) -> type[CommonCrawlHandler]:
    """Return a handler for some records that is busy once."""
    return type("Handler", (CommonCrawlHandler,), {"records": records, "busy": 1})
