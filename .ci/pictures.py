"""Pictures of the web application for the docs, made in Chromium: python .ci/pictures.py ADDRESS.

ADDRESS, with its token, is what `scrapy serve corpora/demo` prints.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from selenium.webdriver import ActionChains, Chrome, ChromeOptions, ChromeService
from selenium.webdriver.support.ui import WebDriverWait

if TYPE_CHECKING:
    from selenium.webdriver.remote.webelement import WebElement

IMAGES = Path(__file__).parents[1] / "docs" / "images"
WIDTH = 1100
PHONE = 390
# Name, path below the corpus, height, and the unit of whose links one is under the pointer.
PICTURES = (
    ("server-overview", "", 1000, 0),
    ("server-documents", "documents", 620, 0),
    ("server-documents-phone", "documents", 844, 0),
    ("server-pairs", "pairs", 620, 0),
    ("server-judge", "judge", 720, 0),
    ("server-edit", "edit", 860, 0),
    ("server-downloads", "downloads", 600, 0),
    ("tutorial-concordance", "concordance?q=Arbeit&lang=deu&sort=left", 560, 0),
    ("tutorial-units", "units?sort=lowest+score&min=0.5", 700, 4),
    ("tutorial-terms", "units?q=Schutzausr%C3%BCstung&sort=highest+score", 640, 3),
)


def main(address: str) -> None:
    """Make all pictures."""
    options = ChromeOptions()
    for argument in ("headless=new", "no-sandbox", "disable-gpu", "hide-scrollbars"):
        options.add_argument(f"--{argument}")
    browser = Chrome(options, ChromeService(shutil.which("chromedriver")))
    browser.get(address)
    for name, path, height, row in PICTURES:
        size = {
            "width": PHONE if name.endswith("phone") else WIDTH,
            "height": height,
            "deviceScaleFactor": 1,
            "mobile": False,
        }
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        browser.get(urljoin(address, f"/c/demo/{path}"))
        if row:
            point_at(browser, browser.find_elements("class name", "sides")[row - 1])
        browser.save_screenshot(str(IMAGES / f"{name}.png"))
    browser.quit()


def point_at(browser: Chrome, row: WebElement) -> None:
    """Move the pointer over a longer word of a unit, as soon as its words are linked."""
    ActionChains(browser).move_to_element(row).perform()
    words = WebDriverWait(browser, 30).until(
        lambda _: row.find_elements("css selector", "[data-w]")
    )
    longest = max(words, key=lambda word: len(word.text))
    ActionChains(browser).move_to_element(longest).perform()


if __name__ == "__main__":
    main(sys.argv[1])
