"""Coverage-guided fuzzing of everything that reads what strangers wrote.

``python -m benchmarks.fuzz [--seconds 60] [--targets robots,sitemap …]`` runs each target with
atheris (libFuzzer) in a process of its own for some seconds, beginning from small examples and
from what earlier runs found (``build/fuzz/``). A target fails on an exception that its function
does not document, on an input that takes ten seconds, and on more than 2 GB of memory; the input is
then in ``build/fuzz/<target>/crash-…``, and a regression test should be made of it. A row each:
inputs tried, lines reached, seconds. The status is 1 where a target has failed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from evaluation.data import PROJECT
from ilspfc.exceptions import IlspfcError

FOLDER = PROJECT / "build" / "fuzz"
_URL = "https://www.example.org/a/page.html"
# One file for all inputs of a process: only its content counts.
_FILE = Path(tempfile.gettempdir()) / "ilspfc-fuzz"


def read_html(data: bytes) -> None:
    """Clean a page; any bytes are a page, or a reason."""
    from ilspfc.cleaning import clean_page  # noqa: PLC0415 - instrumented on import

    clean_page(data, url=_URL, identity="0" * 12)


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
    from ilspfc.corpus.xml_reader import read_document  # noqa: PLC0415

    _FILE.write_bytes(data)
    with suppress(IlspfcError):
        read_document(_FILE)


def read_memory(data: bytes) -> None:
    """Read a TMX file."""
    from ilspfc.exports import read_tmx  # noqa: PLC0415

    _FILE.write_bytes(data)
    with suppress(IlspfcError):
        list(read_tmx(_FILE))


def read_warc(data: bytes) -> None:
    """Read a WARC file; damaged records are None."""
    from ilspfc.corpus.warc.reader import DamagedError, iter_records  # noqa: PLC0415

    _FILE.write_bytes(data)
    with suppress(IlspfcError, DamagedError):
        list(iter_records(_FILE))


def read_headers(data: bytes) -> None:
    """Read the header fields that have a grammar."""
    from ilspfc.optout.signals import read_headers  # noqa: PLC0415
    from ilspfc.web.link_header import parse_link_header  # noqa: PLC0415

    text = data.decode("latin-1")
    parse_link_header(text, _URL)
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


TARGETS: dict[str, tuple[Callable[[bytes], None], tuple[bytes, ...]]] = {
    "html": (read_html, (b"<!DOCTYPE html><title>a</title><p>Some text here.<a href=b>c</a>", b"<table><tr><td>1", b"\xff\xfea\x00")),
    "robots": (read_robots, (b"User-agent: *\nDisallow: /a*$\nCrawl-delay: 2\nSitemap: /s.xml\nContent-Usage: train-ai=n",)),
    "sitemap": (read_sitemap, (b"<urlset><url><loc>/a</loc></url></urlset>", b"<rss><item><link>/a</link></item></rss>", b"/a\n/b\n", b"\x1f\x8b\x08\x00")),
    "definition": (read_definition, (b"100: ladder [de] =A; safety\n", b"term\tlang\tweight\nladder\ten\t10\n")),
    "cesdoc": (read_cesdoc, (b'<cesDoc version="0.4"><text><body><p id="p1" type="title">a</p></body></text></cesDoc>',)),
    "tmx": (read_memory, (b'<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="de"><seg>b</seg></tuv></tu></body></tmx>',)),
    "warc": (read_warc, (b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 2\r\n\r\nab\r\n\r\n",)),
    "headers": (read_headers, (b'<a>; rel="alternate"; hreflang=de, <b>; rel=next', b"train-ai=n, ai=?0", b"ilspfc: noai, all")),
    "address": (read_address, (b"http://a.org:80/../b?c=d#e", b"http:\\\\a\\b", b"//[::1]/", "http://\uff45x.org/\u00e9".encode())),
}  # fmt: skip


def fuzz_here(name: str, arguments: list[str]) -> None:
    """Fuzz one target in this process, which ends with it."""
    import atheris  # noqa: PLC0415 - for this alone

    function, _ = TARGETS[name]
    with atheris.instrument_imports(include=["ilspfc"]):
        function(b"")
    atheris.Setup([name, *arguments], function)
    atheris.Fuzz()


def fuzz(name: str, seconds: int) -> bool:
    """Fuzz a target in a process; print its row, and return whether it held."""
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    for number, example in enumerate(TARGETS[name][1]):
        (folder / f"example-{number}").write_bytes(example)
    options = [
        f"-max_total_time={seconds}",
        "-timeout=10",
        "-rss_limit_mb=2048",
        "-max_len=20000",
        f"-artifact_prefix={folder}/",
        "-print_final_stats=1",
    ]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "benchmarks.fuzz",
            "--only",
            name,
            *options,
            str(folder),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    inputs = re.findall(r"number_of_executed_units:\s+(\d+)", done.stdout)
    reached = re.findall(r"cov: (\d+)", done.stdout)
    said = "held" if done.returncode == 0 else "FAILED"
    print(
        name,
        *(inputs[-1:] or ["?"]),
        *(reached[-1:] or ["?"]),
        seconds,
        said,
        sep=" | ",
        flush=True,
    )
    if done.returncode:
        print(done.stdout[-3000:], file=sys.stderr)
    return done.returncode == 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz the targets one after the other."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["--only"]:
        fuzz_here(given[1], given[2:])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--targets", default=",".join(TARGETS))
    options = parser.parse_args(given)
    print("target | inputs | edges | seconds | result", flush=True)
    held = [fuzz(name, options.seconds) for name in options.targets.split(",")]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
