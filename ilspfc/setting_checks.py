"""Checks of settings beyond their types, made before a command or a crawl does anything."""

from __future__ import annotations

import re
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from ilspfc.exceptions import SettingError
from ilspfc.setting_table import check_values, is_asked_for, read_table

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

# Beginnings of names, and the function that reads such settings and refuses wrong ones. It is
# loaded where one of them is not as it ships: a command loads what it needs, and no more.
_READERS = {
    "CLEANING_": f"{__name__}:check_cleaning",
    "CORPUS_STAGES": "ilspfc.line.runner:load_stages",
    "GUARD_": "ilspfc.middlewares.guard:AddressGuard.from_settings",
    "FETCH_BROWSER": "ilspfc.responses.rendering:find_browser",
    "FETCH_COMMON_CRAWL": "ilspfc.crawl.archives.common_crawl:read_addresses",
    "FETCH_INSECURE_HOSTS": "ilspfc.middlewares.handler:insecure_hosts",
    "FETCH_SIGNING_KEY": "ilspfc.web.signatures:Signer.from_settings",
    "FRONTIER_PERPLEXITY_BOUNDS": "ilspfc.crawl.scorers:perplexity_bounds",
    "LEXICON_STORE": "ilspfc.line.lexicons:check_store",
    "CLASSIFICATION_UNWANTED": "ilspfc.crawl.domain_terms:read_unwanted",
    "EXPORTS_": "ilspfc.exports.export_options:export_options",
    "EXPORTS_SCORERS": "ilspfc.exports.own_scorers:load_scorers",
}
_CONTACT_RE = re.compile(r"\w@\w|://\w")


def check_settings(settings: BaseSettings) -> None:
    """Raise SettingError for the first setting that cannot be used."""
    check_values(settings)
    check_contact("FETCH_CONTACT", settings["FETCH_CONTACT"])
    changed = [
        name
        for name, setting in read_table().items()
        if settings[name] not in (setting.default, None)
    ]
    for beginning, path in _READERS.items():
        if any(name.startswith(beginning) for name in changed):
            resolve_name(path)(settings)


def check_cleaning(settings: BaseSettings) -> None:
    """Raise SettingError for a reader of files or a backend that is not installed."""
    from ilspfc.cleaning.content.backends import (  # noqa: PLC0415
        Backend,
        is_installed,
        load_function,
        split_backend,
    )
    from ilspfc.cleaning.files.formats import FORMATS, readable  # noqa: PLC0415

    formats = settings.getlist("CLEANING_FORMATS")
    missing = [name for name in formats if name not in readable(formats)]
    if missing and is_asked_for(settings, "CLEANING_FORMATS"):
        raise SettingError(
            f"CLEANING_FORMATS={','.join(formats)}: {FORMATS[missing[0]].package} is not"
            f" installed; pip install {FORMATS[missing[0]].package}, or leave {missing[0]} out"
        )
    backend = settings["CLEANING_BACKEND"]
    if not is_installed(backend):
        raise SettingError(
            "CLEANING_BACKEND=trafilatura: trafilatura is not installed; install it with"
            " pip install trafilatura, or choose another"
        )
    try:
        _, path, _ = split_backend(backend)
        if path:
            load_function(path)
    except Exception as error:
        raise SettingError(
            f"CLEANING_BACKEND={backend}: cannot be used ({error}); known are"
            f" {', '.join(Backend)}, the path of a function, such as mine.backends.extract,"
            " and learned,PATH"
        ) from error


def check_contact(name: str, contact: str) -> None:
    """Raise SettingError for a contact that is neither an e-mail address nor a URL."""
    if contact and not _CONTACT_RE.search(contact):
        raise SettingError(
            f"{name}={contact}: nobody can be reached there; give an e-mail address or a URL"
        )
