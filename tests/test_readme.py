"""The README: short, its links lead somewhere, its commands are there."""

from __future__ import annotations

import re

from conftest import REPOSITORY
from scrapy.cmdline import _get_commands_dict
from scrapy.utils.project import get_project_settings

README = (REPOSITORY / "README.md").read_text("utf-8")


def test_it_is_read_in_two_minutes() -> None:
    assert len(README.splitlines()) <= 100


def test_its_links_lead_to_files() -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", README)
    missing = [
        link for link in links if "://" not in link and not (REPOSITORY / link).exists()
    ]
    assert missing == []


def test_its_commands_are_known() -> None:
    known = _get_commands_dict(get_project_settings(), inproject=True)
    named = set(re.findall(r"\b(?:scrapy|ilspfc) ([a-z]+)\b(?! project)", README))
    assert named - known.keys() <= {"from", "import"}, named - known.keys()
