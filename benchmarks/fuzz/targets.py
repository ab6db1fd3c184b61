"""Functions that are fuzzed: everything that reads what strangers, users or disks give.

Modules of the project are imported by the functions, so that they are instrumented.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from evaluation.data import PROJECT
from ilspfc.exceptions import IlspfcError

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_URL = "https://www.example.org/a/page.html"
_TOKEN = "a-token"


@cache
def _folder() -> Path:
    """Return a folder of this process."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def read_html(data: bytes) -> None:
    """Clean a page; any bytes are a page, or a reason."""
    from ilspfc.cleaning.page import clean_page  # noqa: PLC0415 - instrumented on import

    clean_page(data, url=_URL, identity="0" * 12)


def walk_page(data: bytes) -> None:
    """Walk over a page, in Cython and in Python."""
    from ilspfc.cleaning.blocks.markup import close_elements, read_tree  # noqa: PLC0415
    from ilspfc.cleaning.encoding.decoding import decode  # noqa: PLC0415

    text, _ = decode(data)
    markup = text.encode("utf-8", "replace")
    compare_markup(markup)
    root = read_tree(close_elements(markup))
    if root is not None:
        compare_walks(root)


def compare_markup(html: bytes) -> None:
    """Raise an error where markup is plain in Cython alone."""
    from ilspfc.cleaning.blocks import _walk  # noqa: PLC0415
    from ilspfc.cleaning.blocks.markup import close_elements, is_excessive  # noqa: PLC0415

    if _walk.is_plain(html) and (
        close_elements(html) != html or is_excessive(html.decode())
    ):
        raise AssertionError(html)


def compare_walks(root: Element) -> None:
    """Raise an error where the native walk gives another page than the one in Python."""
    from ilspfc.cleaning.blocks import _walk, walk  # noqa: PLC0415

    for options in (
        {},
        {"keep_hidden": True},
        {"context_words": 3, "max_contexts": 2},
    ):
        native, page = (one.read_blocks(root, **options) for one in (_walk, walk))
        for name in page.__slots__:
            ours, expected = (repr(getattr(one, name)) for one in (native, page))
            if ours != expected:  # 1 and True are equal, and not the same
                raise AssertionError(f"{name} with {options}: {ours} != {expected}")


def read_robots(data: bytes) -> None:
    """Read robots.txt, and ask it; any bytes are one."""
    from ilspfc.web.robots_txt import RobotsPolicy  # noqa: PLC0415

    policy = RobotsPolicy.from_response(200, data, "ilspfc")
    policy.allows(_URL)


def read_sitemap(data: bytes) -> None:
    """Read a sitemap; any bytes are one."""
    from ilspfc.frontier.sitemaps.reader import parse_sitemap  # noqa: PLC0415

    parse_sitemap(data, _URL)


def read_definition(data: bytes) -> None:
    """Read a domain definition; problems are returned or raised as an error of the project."""
    from ilspfc.classification.definition import parse_domain  # noqa: PLC0415

    with suppress(IlspfcError):
        parse_domain(data.decode("utf-8", "replace"), "fuzz")


def read_cesdoc(data: bytes) -> None:
    """Read a cesDoc file."""
    from ilspfc.corpus.xml import read_document  # noqa: PLC0415

    path = _folder() / "input"
    path.write_bytes(data)
    with suppress(IlspfcError):
        read_document(path)


def read_memory(data: bytes) -> None:
    """Read a TMX file."""
    from ilspfc.exports import read_tmx  # noqa: PLC0415

    path = _folder() / "input"
    path.write_bytes(data)
    with suppress(IlspfcError):
        list(read_tmx(path))


def read_warc(data: bytes) -> None:
    """Read a WARC file; damaged records are None."""
    from ilspfc.corpus.warc.reader import DamagedError, iter_records  # noqa: PLC0415

    path = _folder() / "input"
    path.write_bytes(data)
    with suppress(IlspfcError, DamagedError):
        list(iter_records(path))


def read_headers(data: bytes) -> None:
    """Read the header fields that have a grammar."""
    from ilspfc.optout.signals import read_headers  # noqa: PLC0415
    from ilspfc.web.address import Addresses  # noqa: PLC0415
    from ilspfc.web.link_header import iter_links  # noqa: PLC0415

    text = data.decode("latin-1")
    list(iter_links(text, Addresses(_URL)))
    for name in ("TDM-Reservation", "Content-Usage", "Content-Signal", "X-Robots-Tag"):
        list(read_headers([(name, text)], "ilspfc"))


def read_address(data: bytes) -> None:
    """Read an address; ValueError for what is none."""
    from ilspfc.web.address import resolve  # noqa: PLC0415
    from ilspfc.web.urls import canonicalize, host_of, site_of  # noqa: PLC0415

    text = data.decode("utf-8", "replace")
    with suppress(ValueError):
        found = canonicalize(resolve(_URL, text))
        if canonicalize(found) != found:
            raise AssertionError(f"canonical twice: {text!r}")
        host_of(found)
        site_of(found)


def read_job_file(data: bytes) -> None:
    """Read a job file, TOML or a manifest."""
    from ilspfc.crawl.job_file import read_job  # noqa: PLC0415

    path = _folder() / ("job.json" if data[:1] == b"{" else "job.toml")
    path.write_bytes(data)
    with suppress(IlspfcError):
        read_job(path)


def read_arguments(data: bytes) -> None:
    """Read the arguments and settings of a crawl, ``name=value`` a line."""
    from ilspfc.crawl.arguments import parse_arguments  # noqa: PLC0415
    from ilspfc.frontier.scope import Scope  # noqa: PLC0415
    from ilspfc.setting_table import check_value, read_table  # noqa: PLC0415

    lines = data.decode("utf-8", "replace").splitlines()
    given = dict(line.split("=", 1) for line in lines if "=" in line)
    for name in given.keys() & read_table().keys():
        with suppress(IlspfcError):
            check_value(name, given[name])
    # Folders and files of this machine are no inputs.
    for name in ("warc", "folder", "domain_texts"):
        given.pop(name, None)
    with suppress(IlspfcError):
        parse_arguments(given, lang_name="langs", default_scope=Scope.SITE)


@cache
def _corpus() -> Path:
    """Return a small corpus with pairs and units."""
    from benchmarks.corpus_line import run_stages, write_corpus  # noqa: PLC0415

    root = _folder() / "corpus"
    write_corpus(root, 12)
    run_stages(root, "")
    return root


def read_index(data: bytes) -> None:
    """Read an index with changed bytes: three octets of a place, the length, the bytes.

    Damage that SQLite's own check does not see is text that has become other text.
    """
    from ilspfc.corpus.index import CorpusIndex  # noqa: PLC0415

    image = bytearray((_corpus() / "corpus.db").read_bytes())
    while len(data) > 4:
        place, length = int.from_bytes(data[:3]) % len(image), data[3]
        image[place : place + length] = data[4 : 4 + length]
        data = data[4 + length :]
    path = _folder() / "changed.db"
    path.write_bytes(image)
    with suppress(IlspfcError), CorpusIndex(path) as index:
        index.check()
        for table in ("runs", "pages", "documents", "links", "failures"):
            list(index.rows(f"SELECT * FROM {table} LIMIT 100"))
        list(index.documents())


@cache
def _client() -> object:
    """Return a client of the web application over a small corpus."""
    from scrapy.settings import BaseSettings  # noqa: PLC0415
    from starlette.testclient import TestClient  # noqa: PLC0415

    from ilspfc import settings as defaults  # noqa: PLC0415
    from ilspfc.server.application import make_application  # noqa: PLC0415
    from ilspfc.server.library import Library  # noqa: PLC0415

    values = {name: v for name, v in vars(defaults).items() if name.isupper()}
    library = Library([_corpus()], BaseSettings(values))
    client = TestClient(
        make_application(library, token=_TOKEN), base_url="http://127.0.0.1:8080"
    )
    client.headers["authorization"] = f"Bearer {_TOKEN}"
    return client


def send_request(data: bytes) -> None:
    """Send a request: method, path, and the body of a form; no answer is an error of ours."""
    line, _, body = data.partition(b"\n")
    method, _, path = line.decode("utf-8", "replace").partition(" ")
    # A build is a process, which would go on beside the next input.
    if "build" in path.lower() or "%" in path.partition("?")[0]:
        return
    client: Any = _client()
    answer = client.request(
        "POST" if method == "POST" else "GET",
        f"/c/corpus/{quote(path.lstrip('/'), safe='/?&=+')}",
        content=body,
        headers={"content-type": "application/x-www-form-urlencoded"},
        follow_redirects=False,
    )
    status = answer.status_code
    if status >= 500:
        raise AssertionError(f"status {status}: {line!r}")


class Target(NamedTuple):
    """A function that takes any bytes, and where its inputs begin: bytes, and files."""

    function: Callable[[bytes], None]
    examples: tuple[bytes, ...] = ()
    pattern: str = ""

    def iter_examples(self) -> Iterator[bytes]:
        """Yield the inputs that fuzzing begins with."""
        files = sorted(PROJECT.glob(self.pattern)) if self.pattern else ()
        yield from chain(self.examples, (file.read_bytes() for file in files))


TARGETS: dict[str, Target] = {
    "html": Target(read_html, (b"<!DOCTYPE html><title>a</title><p>Some text here.<a href=b>c</a>", b"<table><tr><td>1", b"\xff\xfea\x00"), "tests/sites/**/*.html"),
    "walk": Target(walk_page, (b"<a href=#L1>1</a><!--c--><?pi?><p hidden>x<table><tr><td class=lineno>1\n2<td><pre><code>a</code><code>b</code></pre>", b"<h1>a<button>b</button>c<span class=sr-only>d</span><b>e<br>f</b></h1><ruby>g<rt>h</ruby><img src=i.png alt=j><frame src=k>", b"<ul><li style=left:-9999px>a<div id=comments><div class=comment><font size=5>b</font><template shadowrootmode=open><slot>c</slot>", b"<p>a <button>b</button> c<i aria-hidden=true>d e</i><h2>f<span class=mw-editsection>[<a href=?action=edit>g</a>]</span></h2><div class=code><table><tr><td>1<td>h<tr><td>2<td><code class=line>i</code><code class=line data-line=2>j</code></table><a href=#n-1>1</a>"), "tests/sites/**/*.html"),
    "robots": Target(read_robots, (b"User-agent: *\nDisallow: /a*$\nCrawl-delay: 2\nSitemap: /s.xml\nContent-Usage: train-ai=n",)),
    "sitemap": Target(read_sitemap, (b"<urlset><url><loc>/a</loc></url></urlset>", b"<rss><item><link>/a</link></item></rss>", b"/a\n/b\n", b"\x1f\x8b\x08\x00")),
    "definition": Target(read_definition, (b"100: ladder [de] =A; safety\n", b"term\tlang\tweight\nladder\ten\t10\n"), "domains/*.tsv"),
    "cesdoc": Target(read_cesdoc, (b'<cesDoc version="0.4"><text><body><p id="p1" type="title">a</p></body></text></cesDoc>',)),
    "tmx": Target(read_memory, (b'<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="de"><seg>b</seg></tuv></tu></body></tmx>',)),
    "warc": Target(read_warc, (b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 2\r\n\r\nab\r\n\r\n",)),
    "headers": Target(read_headers, (b'<a>; rel="alternate"; hreflang=de, <b>; rel=next', b"train-ai=n, ai=?0", b"ilspfc: noai, all")),
    "address": Target(read_address, (b"http://a.org:80/../b?c=d#e", b"http:\\\\a\\b", b"//[::1]/", "http://\uff45x.org/\u00e9".encode())),
    "job": Target(read_job_file, (b'languages = ["de", "it"]\nseeds = "a.txt"\n[exports]\nformats = ["tmx"]\n[settings]\nDOWNLOAD_DELAY = 0\n', b'{"spider": "bilingual", "arguments": {"langs": ["deu", "ita"], "domain": "demo"}, "settings": {"WORKERS": 1}}')),
    "arguments": Target(read_arguments, (b"langs=de,it\nseeds=https://a.org/,https://b.org/c\nscope=host\nallow=/a/*\nEXPORTS_FORMATS=tmx,moses", b"langs=de\ndomain=none\nFETCH_CONTACT=a@b.org\nWORKERS=2")),
    "index": Target(read_index, (b"\x00\x00\x12\x04\x00\x00\x00\x00", b"\x00\x10\x00\x08aaaaaaaa")),
    "requests": Target(send_request, (b"GET documents?q=a+b&lang=deu&after=x", b"GET units?langs=deu-ita&min=.1&max=1&after=0.5+7&reason=x", b"GET pairs?state=pair&after=-0.5+a", b"GET lost?reason=pairing/none", b"POST exclude\nkind=url&value=http://a.org/", b"POST domain\ntext=100: a [de]", b"GET judge/units?item=3", b"GET downloads/1")),
}  # fmt: skip
