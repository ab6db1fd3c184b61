"""The lexicon store across corpora, where LEXICON_STORE names one."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.exceptions import SettingError
from ilspfc.lexicon import LexiconStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.settings import BaseSettings

    from ilspfc.lexicon import Entry


def check_store(settings: BaseSettings) -> None:
    """Raise SettingError or LexiconError for a LEXICON_STORE that cannot be used."""
    path = store_path(settings)
    if path is None:
        return
    if path.is_dir():
        raise SettingError(
            f"LEXICON_STORE={path}: a folder; give the name of a file, such as lexicon.db"
        )
    if path.is_file():
        LexiconStore(path).close()


def store_path(settings: BaseSettings) -> Path | None:
    """Return where the store across crawls is; None where there is to be none."""
    value = str(settings.get("LEXICON_STORE") or "").strip()
    return Path(value) if value else None


def known_entries(
    settings: BaseSettings, langs: tuple[str, str], *, without_site: str = ""
) -> list[Entry]:
    """Return what the store knows of a language pair; nothing where there is no store."""
    path = store_path(settings)
    if path is None or not path.is_file():
        return []
    with LexiconStore(path) as store:
        return store.entries(langs, without_site=without_site)


def keep_entries(
    settings: BaseSettings, langs: tuple[str, str], site: str, entries: Sequence[Entry]
) -> None:
    """Keep what a corpus has learned in the store, if there is to be one."""
    path = store_path(settings)
    if path is None or not entries:
        return
    with LexiconStore(path) as store:
        store.put(langs, site, entries, datetime.now(UTC).date().isoformat())
