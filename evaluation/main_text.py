"""Scores the text of pages against their main element, before and after the decision.

``python -m evaluation.main_text`` prints, for each site and language of
:mod:`evaluation.main_elements`, the mean F1 over the pages of the words of the main element:
by cleaning alone, by page and site, and by page, site and translation. Sites that the
shipped model was made of are judged by models of the others, the unseen ones by that which
ships. ``--check`` holds the last figure to the floors of ``baseline.json``.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

import numpy as np

from evaluation.framed_sites import DECISION_THEMES, is_skipped
from evaluation.main_elements import SITES_WITH_MAIN, UNSEEN
from evaluation.structure import BASELINE
from evaluation.train_content import Site, fit, read_site, read_theme
from ilspfc.decisions.content import shipped_model

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from ilspfc.decisions.content import ContentModel


def score(site: Site, content: Mapping[str, npt.NDArray[np.bool_]]) -> dict[str, str]:
    """Return F1, precision and recall by language, and of all pages."""
    rows = {name: page.score(content[name]) for name, page in site.pages.items()}
    langs = sorted({page.lang for page in site.pages.values()})
    groups = {
        lang: [rows[name] for name, page in site.pages.items() if page.lang == lang]
        for lang in langs
    }
    groups["all"] = list(rows.values())
    return {
        lang: " ".join(f"{value:.3f}" for value in np.mean(group, axis=0))
        for lang, group in groups.items()
    }


def measure(site: Site, model: ContentModel) -> dict[str, dict[str, str]]:
    """Return the scores of a site before and after, by a model of other sites."""
    by_site = site.judge(model, translations=False)
    by_all = site.judge(model)
    verdicts = {name: page.blocks.verdicts for name, page in site.pages.items()}
    return {
        "cleaning": score(site, verdicts),
        "site": score(site, {name: odds > 0 for name, odds in by_site.items()}),
        "translation": score(site, {name: odds > 0 for name, odds in by_all.items()}),
    }


def main() -> int:
    """Print the scores, and check them if asked."""
    parser = argparse.ArgumentParser(description="Score the text by the main element.")
    parser.add_argument("--check", action="store_true", help="hold figures to floors")
    is_checked = parser.parse_args().check
    if is_skipped():
        return 0
    sites = {name: read_site(name) for name in SITES_WITH_MAIN}
    themes = list(map(read_theme, sorted(DECISION_THEMES)))
    floors = json.loads(BASELINE.read_text(encoding="utf-8")).get("main_text", {})
    missed = []
    for name, site in sites.items():
        others = [one for n, one in sites.items() if n not in {name, *UNSEEN}]
        model = shipped_model() if name in UNSEEN else fit(others, themes)
        scores = measure(site, model)
        print(f"{name}: F1, precision, recall ({len(site.pages)} pages)")
        for lang in scores["cleaning"]:
            row = "  ".join(f"{step} {found[lang]}" for step, found in scores.items())
            print(f"  {lang:4} {row}", flush=True)
        f1 = float(scores["translation"]["all"].split()[0])
        if is_checked and f1 < floors.get(name, 0):
            missed.append(f"{name}: {f1} is below {floors[name]}")
    print(*missed, sep="\n", end="\n" if missed else "")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
