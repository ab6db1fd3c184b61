"""The log file of a crawl."""

from __future__ import annotations

from pathlib import Path

from scrapy.settings import Settings

from ilspfc.extensions.progress import open_log, tell_log


def test_lines_are_added_at_the_end_of_the_log(tmp_path: Path) -> None:
    path = tmp_path / "crawl.log"
    path.write_text("begun\n")
    settings = Settings({"LOG_FILE": str(path)})
    tell_log(settings, "Übersicht\nzwei")
    tell_log(settings, "drei")
    assert path.read_text("utf-8") == "begun\nÜbersicht\nzwei\ndrei\n"


def test_a_line_is_in_the_file_as_soon_as_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "crawl.log"
    log = open_log(Settings({"LOG_FILE": path}))
    assert log is not None
    with log:
        log.write("one page\n")
        assert path.read_text() == "one page\n"


def test_without_a_log_file_nothing_is_opened() -> None:
    settings = Settings({"LOG_FILE": None})
    assert open_log(settings) is None
    tell_log(settings, "unheard")
