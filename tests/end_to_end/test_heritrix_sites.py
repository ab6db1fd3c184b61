"""Mini-sites of the self-tests of Heritrix, crawled whole.

Each was made for a mistake of crawlers: frames, refreshes, bad base addresses, blanks in
addresses, relative paths, link depth, an exclusion. Pictures are not asked for, and nothing
behind a password is: those of the pages that Heritrix fetches are left out here.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import pytest
from conftest import FolderHandler
from crawled_corpus import CrawledCorpus

from evaluation.data import DATA

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from conftest import Project, Serve

SITES = DATA / "conformance" / "heritrix-sites"
SELF_TESTS = DATA / "conformance" / "heritrix-testdata"
pytestmark = pytest.mark.skipif(
    not SELF_TESTS.is_dir(),
    reason="The mini-sites of Heritrix are not there; set ILSPFC_EVALUATION_DATA.",
)
SETTINGS = {
    "CORPUS_DIR": "out",
    "USER_AGENT": "heritrix_selftest (+http://example.org/)",
    "DEPTH_LIMIT": "3",
}
# One step from the page that led Heritrix to the site; its first page is in no link.
HOPS = {"must": ["2.html", "3.html", "4.html"], "must_not": ["5.html", "6.html"]}
# By the base of its page it stands in the root, where the other suite has it.
FROM_THE_ROOT = {"BadURIsStopPageParsing/goodthree.html"}
BEHIND_PASSWORD = {f"basic/link{number}.html" for number in (1, 2, 3)}
PICTURES = {"example-background-image.jpeg"}
# Heritrix asks for what base elements name.
BASES = {"cata;pgs-new.html"}
RULES = {"robots.txt", "sitemap.xml", ".well-known/tdmrep.json"}


class PasswordHandler(FolderHandler):
    """Serves a folder; what is below ``/basic`` asks for a password."""

    def do_GET(self) -> None:  # noqa: N802 - so named by the library
        """Answer, or ask for the password."""
        if self.path.startswith("/basic/"):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="x"')
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            super().do_GET()


def read_expected(folder: Path) -> dict[str, dict[str, list[str]]]:
    """Return the expectations of a suite by site."""
    said: Mapping[str, dict[str, list[str]]]
    said = json.loads((folder / "expected.json").read_text("utf-8"))
    return {name: case for name, case in said.items() if not name.startswith("_")}


def test_the_sites_of_one_server(
    project: Project, serve: Serve, count_cases: Callable[[str, int, int], None]
) -> None:
    site = serve(SITES)
    folders = [path.parent.name for path in sorted(SITES.glob("*/index.html"))]
    seeds = ",".join(site.at(f"{name}/index.html") for name in folders)
    done = project.crawl("monolingual", SETTINGS, lang="en", seeds=seeds)
    assert done.status == 0, done.stderr
    assert "Traceback" not in done.stderr
    cases = {**read_expected(SITES), "MaxLinkHops": HOPS}
    asked = {path.removeprefix("/") for path in site.requests}
    wanted, unwanted = (
        {f"{name}/{page}" for name, case in cases.items() for page in case.get(key, ())}
        for key in ("must", "must_not")
    )
    count_cases("mini-sites of Heritrix, one server", len(wanted & asked), len(wanted))
    assert wanted - asked == FROM_THE_ROOT
    assert unwanted & asked == set()
    assert len(site.requests) == len(asked)
    # The fate of every page is known, also of those that were not found.
    fates = CrawledCorpus(project.folder / "out").fates()
    assert len(fates) >= len(folders)


def test_the_sites_of_a_server_each(project: Project, serve: Serve) -> None:
    cases = read_expected(SELF_TESTS)
    sites = {
        name: serve(partial(PasswordHandler, directory=SELF_TESTS / name / "htdocs"))
        for name in cases
    }
    seeds = ",".join(site.at("index.html") for site in sites.values())
    done = project.crawl("monolingual", SETTINGS, lang="en", seeds=seeds)
    assert done.status == 0, done.stderr
    assert "Traceback" not in done.stderr
    for name, site in sites.items():
        asked = {path.removeprefix("/") for path in site.requests} - RULES
        fetched = {*cases[name]["fetched"]} - PICTURES - BEHIND_PASSWORD - BASES
        assert fetched - asked == set(), name
        assert not asked & {"4.html", "5.html"}, name
