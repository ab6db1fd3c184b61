"""Where the crawls of the harvest start."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation import grounds

if TYPE_CHECKING:
    import pytest


def test_the_portal_s_seeds_are_the_german_and_italian_start_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the order that harvest_baseline.py has; another order has the same pages."""
    for name in grounds.PORTAL_SETS[:3]:
        (tmp_path / name).mkdir()
        entries = {"de web": "web/de.html", "en web": "web/en.html", "it": "it.html"}
        text = json.dumps({"entries": entries})
        (tmp_path / name / "site.json").write_text(text, encoding="utf-8")
    monkeypatch.setattr(grounds, "SITES", tmp_path)
    starts = [
        f"/{name}/www/{path}"
        for name in ("lilypond", "installation-guide", "debian-handbook")
        for path in ("web/de.html", "it.html")
    ]
    assert grounds.start_pages(0) == starts
    assert grounds.start_pages(1) != starts
    assert sorted(grounds.start_pages(1)) == sorted(starts)
    page = grounds.index_page(0).decode()
    places = [page.index(f'href="{path}"') for path in starts]
    assert places == sorted(places)
