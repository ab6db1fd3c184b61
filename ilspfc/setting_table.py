"""Table of the settings: checks of their values, help of commands, docs/settings.md.

``python -m ilspfc.setting_table > docs/settings.md`` renews the page.
"""

from __future__ import annotations

import ast
import inspect
import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from itertools import pairwise
from pkgutil import resolve_name
from typing import Any, Literal, get_args, get_origin, get_type_hints

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings, default_settings

import ilspfc.settings
from ilspfc.exceptions import SettingError, name_known, name_nearest

_PAGE = """\
# Settings

Give a setting on the command line with `-s NAME=VALUE`, or change it in `ilspfc/settings.py`; lists are separated by commas.
Scrapy's own settings work as its documentation says; those below differ from its defaults. (`python -m ilspfc.setting_table` makes this page.)

| setting | default | meaning |
| --- | --- | --- |"""


# Similarity of names from which one is taken for a slip of the other.
_SLIP = 0.9
# Settings of libraries that do their work in another way here.
_REMEDIES = {
    "DELTAFETCH_DIR": "corpus.db remembers what was exported; set CORPUS_DIR",
    "DELTAFETCH_RESET": "give -a deltafetch_reset=1",
}


@dataclass(frozen=True, slots=True)
class Setting:
    """Setting of the table; ``choices`` are its values, or those of a list."""

    name: str
    default: Any
    kind: type
    bounds: ilspfc.settings.Bounds | None
    choices: tuple[str, ...]

    def check(self, settings: BaseSettings) -> None:
        """Raise SettingError for a value of the wrong type, or that is out of bounds."""
        if remedy := self._find_remedy(settings):
            value = settings.get(self.name)
            shown = ",".join(map(str, value)) if isinstance(value, list) else value
            raise SettingError(f"{self.name}={shown}: {remedy}")

    def _find_remedy(self, settings: BaseSettings) -> str:
        """Return the remedy for a wrong value, empty for a right one."""
        if self.bounds:
            low, high = self.bounds
            if low <= _to_number(settings.get(self.name), self.kind) <= high:
                return ""
            noun = "a whole number" if self.kind is int else "a number"
            return f"give {noun} from {low:g}" + f" to {high:g}" * (high < math.inf)
        if self.kind is bool:
            try:
                settings.getbool(self.name)
            except ValueError:
                return "give True or False"
        if not self.choices:
            return ""
        is_list = self.kind is list
        given = split_list(settings, self.name) if is_list else [settings[self.name]]
        wrong = next((item for item in given if item not in self.choices), None)
        if wrong is None:
            return ""
        item = f": {wrong}" if is_list else ""
        near = name_known(str(wrong), map(str, self.choices))
        return f"no such choice{item}; {near}"

    def list_choices(self) -> str:
        """Return the choices, separated by commas; empty if there are none."""
        return ", ".join(filter(None, self.choices))


def _to_number(value: Any, kind: type) -> float:
    """Return a number of a kind, NaN for a value that is none."""
    try:
        return float(kind(value))
    except (TypeError, ValueError):
        return math.nan


def split_list(settings: BaseSettings, name: str) -> list[str]:
    """Return the items of a list, without blanks around them."""
    return [item.strip() for item in settings.getlist(name) if item.strip()]


@cache
def read_table() -> Mapping[str, Setting]:
    """Return the settings by their names, in the order of ``settings.py``."""
    hints = get_type_hints(ilspfc.settings, include_extras=True)
    return {
        name: _make_setting(name, hint)
        for name, hint in hints.items()
        if name.isupper()
    }


def _make_setting(name: str, hint: Any) -> Setting:
    bounds = None
    if metadata := getattr(hint, "__metadata__", ()):
        hint, bounds = hint.__origin__, metadata[0]
    kind = get_origin(hint) or hint
    choices: tuple[str, ...] = ()
    if kind is list:
        (hint,) = get_args(hint)
    if get_origin(hint) is Literal:
        choices = get_args(hint)
    kind = str if kind is Literal else kind
    return Setting(name, getattr(ilspfc.settings, name), kind, bounds, choices)


@cache
def read_meanings() -> Mapping[str, tuple[str, str]]:
    """Return the meaning of each setting, and its default as ``settings.py`` writes it."""
    body = ast.parse(inspect.getsource(ilspfc.settings)).body
    return {
        node.target.id: (" ".join(text.value.value.split()), ast.unparse(node.value))
        for node, text in pairwise(body)
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.value is not None
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }


def is_asked_for(settings: BaseSettings, name: str) -> bool:
    """Test whether a user has set something: neither a default nor what a replay needs."""
    priority = settings.getpriority(name) or 0
    return SETTINGS_PRIORITIES["project"] < priority <= SETTINGS_PRIORITIES["cmdline"]


def check_values(settings: BaseSettings) -> None:
    """Raise SettingError for the first unknown setting, else for the first wrong value.

    Settings that are not set are passed over: a command needs no settings but its own.
    """
    known = [name for name in vars(ilspfc.settings) if name.isupper()]
    stages = {_stage_of(name) for name in known if not hasattr(default_settings, name)}
    scrapys = [name for name in vars(default_settings) if name.isupper()]
    every = [*known, *scrapys]
    for name in settings:
        if name in every or not is_asked_for(settings, name):
            continue
        # Packages beside Scrapy have settings of their own: names that are far from all pass.
        near = get_close_matches(name, every, n=1, cutoff=_SLIP)
        if near or ("_" in name and _stage_of(name) in stages):
            raise _unknown_setting(name, settings.get(name), near or known)
    for name, setting in read_table().items():
        if name in settings:
            setting.check(settings)


def _unknown_setting(name: str, value: object, known: Collection[str]) -> SettingError:
    """Return the error for an unknown setting, with the nearest of the known names."""
    near = name_nearest(name, known) or "docs/settings.md has all"
    remedy = _REMEDIES.get(name, near)
    return SettingError(f"{name}={value}: no such setting; {remedy}")


def check_value(name: str, value: str) -> None:
    """Raise SettingError for a setting that neither the table nor Scrapy knows, or its value."""
    if name not in read_table() and not hasattr(default_settings, name):
        known = [*read_table(), *vars(default_settings)]
        raise _unknown_setting(name, value, known)
    if name in read_table():
        read_table()[name].check(BaseSettings({name: value}))


# -- checks beyond the types, made before a command or a crawl does anything ---------------

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


# -- docs/settings.md ----------------------------------------------------------------------


def render_page() -> str:
    """Return docs/settings.md."""
    return "\n".join((_PAGE, *_render_rows(), ""))


def _render_rows() -> Iterator[str]:
    for name, setting in read_table().items():
        meaning, source = read_meanings()[name]
        meaning = re.sub(r"docs/([\w-]+\.md(?:#[\w-]+)?)", r"[\1](\1)", meaning)
        words = re.findall(r"[\w-]+", meaning.lower())
        if not {*filter(None, setting.choices)} <= {*words}:
            meaning += f" Values: {setting.list_choices()}."
        yield f"| `{name}` | {_render_default(setting, source)} | {meaning} |"


def _stage_of(name: str) -> str:
    return name.partition("_")[0]


def _render_default(setting: Setting, source: str) -> str:
    if source.endswith(")"):  # computed: differs from machine to machine
        return f"`{source}`"
    if setting.kind is list:
        return ", ".join(setting.default) or "empty"
    return str(setting.default) or "empty"


if __name__ == "__main__":
    print(render_page(), end="")
