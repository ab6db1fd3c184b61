"""Views: XML files and translation units as pages for a browser (``-oxslt`` of ILSP-FC).

The stylesheet comes with the package: a view needs no network, runs no script and loads
nothing of the pages.
"""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree

from ilspfc.atomic import open_atomic
from ilspfc.exceptions import CorpusError
from ilspfc.exports.formats.lines import LineWriter
from ilspfc.exports.interchange.tmx_writer import SEPARATOR
from ilspfc.text.xml_text import make_parser

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ilspfc.exports.units import ExportUnit, UnitOrigin

VIEW_SUFFIX = ".html"
"""Suffix that a view has behind the whole name of its file, as in ILSP-FC."""

_TABLE_HEAD = """<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>Translation units</title><style>
body { font: 16px/1.4 sans-serif } table { border-collapse: collapse; width: 100% }
td, th { border: 1px solid #ccc; padding: .2rem .5rem; text-align: start; vertical-align: top }
th { background: #eee; font-weight: normal } td.text { width: 45% }
</style></head><body><table>"""
_TABLE_END = b"</table></body></html>\n"


@cache
def _sheet() -> etree.XSLT:
    text = files(__package__).joinpath("views.xsl").read_bytes()
    return etree.XSLT(etree.fromstring(text, make_parser()))


def write_view(path: Path) -> Path:
    """Write a cesDoc or cesAlign file as a page beside it; return the path of the page.

    CorpusError where the file cannot be read.
    """
    parser = make_parser()
    try:
        page = _sheet()(etree.parse(str(path), parser))
    except (OSError, etree.XMLSyntaxError) as error:
        raise CorpusError(
            f"{path}: cannot be read ({error}); export it again"
        ) from error
    view = path.with_name(path.name + VIEW_SUFFIX)
    with open_atomic(view, sync=False) as stream:
        stream.write(bytes(page))
    return view


class ViewWriter(LineWriter):
    """A table of units: number, both segments, score and type as their tool tip, remarks.

    The units of two pages stand below a line with the addresses of both.
    """

    def _open(self) -> None:
        super()._open()
        self._number = 0
        self._origin: UnitOrigin | None = None
        self._files[0].write(_TABLE_HEAD.encode() + b"\n")
        self.callback(self._files[0].write, _TABLE_END)

    def _format(self, unit: ExportUnit) -> Iterable[str]:
        self._number += 1
        heading = ""
        if unit.origin != self._origin:
            self._origin = unit.origin
            sides = unit.origin.source.url, unit.origin.target.url
            cells = "".join(f"<th>{_link(url)}</th>" for url in sides)
            heading = f"<tr><th></th>{cells}<th></th></tr>\n"
        score = "" if unit.score is None else f"score {unit.score:.4f}, "
        texts = "".join(
            f'<td class="text" dir="auto">{escape(text)}</td>'
            for text in (unit.source, unit.target)
        )
        own = "".join(f", {name} {value:.4f}" for name, value in unit.scores)
        title = escape(f"{score}type {unit.kind}{own}")
        remarks = escape(SEPARATOR.join(unit.info))
        row = (
            f'<tr title="{title}"><td>{self._number}</td>{texts}<td>{remarks}</td></tr>'
        )
        return (heading + row,)


def _link(url: str) -> str:
    """Return an address as a link, as a text where a browser would not fetch it."""
    text = escape(url)
    is_web = url.startswith(("http://", "https://"))
    return f'<a href="{text}" rel="noreferrer">{text}</a>' if is_web else text
