"""The HTML report, rendered from Jinja2 templates: no script, no remote resource."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

import langcodes

from ilspfc.report import charts, numbers
from ilspfc.report.funnel import (
    build_funnel,
    largest_loss,
    losses_by_size,
    other_losses,
)
from ilspfc.report.reason_texts import EVIDENCE, describe_held_back, explain, unit_of

if TYPE_CHECKING:
    from jinja2 import Environment

    from ilspfc.report.data import ReportData

_NOT_A_CHARACTER_RE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def render_html(data: ReportData) -> str:
    """Return the report as an HTML5 page with inline style and drawings.

    The page is the same for the same data, and its encoding is UTF-8; characters that HTML does
    not allow become U+FFFD. Links to files are relative to the corpus folder.
    """
    page = make_environment().get_template("report.html")
    text = page.render(
        data=data,
        steps=build_funnel(data),
        largest_loss=largest_loss(data),
        other_losses=other_losses(data),
        losses=losses_by_size(data),
        curve=charts.harvest_curve(data.harvest),
        hosts=sorted(data.hosts, key=lambda one: (-one.fetched - one.errors, one.host)),
    )
    return _NOT_A_CHARACTER_RE.sub("\ufffd", text)


@cache
def make_environment() -> Environment:
    """Return the template environment: values are escaped, a missing value is an error."""
    # A crawl counts what a report shows long before there is one.
    from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415

    environment = Environment(
        loader=PackageLoader("ilspfc.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals.update(charts=charts, evidence_texts=EVIDENCE)
    environment.filters.update(
        bcp47=bcp47,
        clip=numbers.clip,
        count="{:,}".format,
        describe_held_back=describe_held_back,
        duration=numbers.format_duration,
        explain=explain,
        file_address=file_address,
        is_web_address=is_web_address,
        largest_first=numbers.largest_first,
        noun=numbers.count_noun,
        score=numbers.format_score,
        share=numbers.format_share,
        time=numbers.format_time,
        unit_of=unit_of,
    )
    return environment


def bcp47(lang: str) -> str:
    """Return the value of a ``lang`` attribute, empty (language unknown) for an invalid code.

    >>> bcp47("deu"), bcp47("sqi"), bcp47('"><script>')
    ('de', 'sq', '')
    """
    try:
        return str(langcodes.standardize_tag(lang))
    except ValueError:
        return ""


def is_web_address(text: str) -> bool:
    """Test whether a text can be linked as an address of the web.

    >>> is_web_address("https://example.org/"), is_web_address("javascript:alert(1)")
    (True, False)
    """
    try:
        return urlsplit(text).scheme in {"http", "https"}
    except ValueError:
        return False


def file_address(path: str) -> str:
    """Return the relative URL of a file, empty for a path outside the corpus folder.

    >>> file_address("xml/deu 1.xml"), file_address("../x")
    ('xml/deu%201.xml', '')
    """
    if path.startswith("/") or ".." in path.split("/"):
        return ""
    return quote(path, errors="replace")
