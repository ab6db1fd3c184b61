"""Job files: a crawl with everything it needs, in TOML, or the manifest of an earlier one.

A recipe is the part of a job file that filters units: its tables ``exports`` and ``settings``.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from scrapy.settings import BaseSettings

from ilspfc.atomic import write_lines
from ilspfc.corpus.files import CorpusFiles
from ilspfc.crawl.arguments import ARGUMENTS, NO_DOMAIN, choose_spider
from ilspfc.exceptions import ArgumentError, SettingError, name_known
from ilspfc.setting_table import check_value

T = TypeVar("T")

# Keys of a job file, with the setting that some stand for; the others are arguments.
_SETTINGS = {"corpus": "CORPUS_DIR", "contact": "FETCH_CONTACT"}
_EXPORTS = {
    "formats": "EXPORTS_FORMATS",
    "preset": "EXPORTS_PRESET",
    "filters": "EXPORTS_FILTERS",
}
_KEYS = ("languages", *sorted(ARGUMENTS.keys() - {"langs", "lang"}), *_SETTINGS)
_TABLES = ("exports", "settings")
# Priority of a recipe among Scrapy's: above a job file (35), below the command line (40).
_RECIPE_PRIORITY = 38
# Arguments that name files, looked up from the folder of the job file.
_FILES = ("domain", "seeds", "domain_texts", "warc", "folder", "cc")


@dataclass(frozen=True, slots=True)
class JobFile:
    """A crawl as a job file describes it: spider, its arguments, settings."""

    spider: str
    arguments: dict[str, str]
    settings: dict[str, str]


def read_job(path: Path) -> JobFile:
    """Return the job of a TOML file or of a manifest.

    ArgumentError names file, line, cause and remedy.
    """
    if path.suffix == ".json":
        return _parse(path, lambda text: _read_manifest(json.loads(text)))
    return _parse(path, lambda text: _read_toml(tomllib.loads(text), path.parent))


def read_recipe(path: Path) -> dict[str, str]:
    """Return the settings of the exports in a recipe or a job file.

    ArgumentError names file, line, cause and remedy.
    """
    return _parse(path, lambda text: _read_exports(tomllib.loads(text)))


def find_recipe(files: CorpusFiles) -> dict[str, str]:
    """Return the settings of the recipe in the folder of a corpus, none without one."""
    return read_recipe(files.recipe) if files.recipe.exists() else {}


def write_recipe(files: CorpusFiles, settings: Mapping[str, str]) -> None:
    """Write the recipe of a corpus."""
    lines = (f"{name} = {json.dumps(text)}" for name, text in sorted(settings.items()))
    write_lines(files.recipe, ["[settings]", *lines])


def apply_recipe(settings: BaseSettings, files: CorpusFiles) -> None:
    """Set the settings of a corpus' own recipe; the command line goes before it."""
    settings.setdict(find_recipe(files), priority=_RECIPE_PRIORITY)


def _parse(path: Path, read: Callable[[str], T]) -> T:
    """Read a file by a function of its text; errors name the line."""
    try:
        text = path.read_text(encoding="utf-8")
        return read(text)
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(
            f"{path}: cannot be read ({error}); give a job file as `ilspfc init` writes it"
        ) from error
    except (AttributeError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise ArgumentError(f"{path}: no manifest of a corpus ({error})") from error
    except tomllib.TOMLDecodeError as error:
        raise ArgumentError(f"{path}: {error}; write it as TOML") from error
    except _WrongKeyError as error:
        line = _line_of(text, error.key)
        raise ArgumentError(f"{path}, line {line}: {error.key}: {error}") from None


class _WrongKeyError(Exception):
    """Key or value of a job file that cannot be used."""

    def __init__(self, key: str, cause: str) -> None:
        super().__init__(cause)
        self.key = key


def _line_of(text: str, key: str) -> int:
    """Return the number of the first line that begins with a key or a table."""
    pattern = re.compile(rf"\s*\[?\s*{re.escape(key)}\b")
    lines = enumerate(text.splitlines(), 1)
    return next((number for number, line in lines if pattern.match(line)), 1)


def _read_manifest(manifest: Mapping[str, Any]) -> JobFile:
    """Return the job that a manifest describes; its folder is that of a new crawl."""
    settings = {name: _write(name, v) for name, v in manifest["settings"].items()}
    settings.pop("CORPUS_DIR", None)
    arguments = manifest_arguments(manifest["arguments"])
    return JobFile(str(manifest["spider"]), arguments, settings)


def manifest_arguments(told: Mapping[str, Any]) -> dict[str, str]:
    """Return the arguments in a manifest as the command line has them."""
    given = {
        n: _write(n, value) for n, value in told.items() if n in ARGUMENTS and value
    }
    given["domain"] = told.get("domain_file") or told.get("domain") or NO_DOMAIN
    langs = given.pop("langs")
    _, name = choose_spider(langs.split(","))
    return {**given, name: langs}


def _check_keys(job: Mapping[str, Any]) -> None:
    for key in job:
        if key not in (*_KEYS, *_TABLES):
            known = name_known(key, (*_KEYS, *_TABLES))
            raise _WrongKeyError(key, f"no such key; {known}")


def _read_exports(job: Mapping[str, Any]) -> dict[str, str]:
    """Return the settings of the exports in both tables of a job."""
    _check_keys(job)
    settings = _read_table(job, "settings", None)
    own = {name: v for name, v in settings.items() if name.startswith("EXPORTS_")}
    return own | _read_table(job, "exports", _EXPORTS)


def _read_toml(job: Mapping[str, Any], folder: Path) -> JobFile:
    _check_keys(job)
    langs = job.get("languages")
    if not isinstance(langs, list) or not langs:
        raise _WrongKeyError("languages", 'give a list, such as ["de", "it"]')
    spider, name = choose_spider(langs)
    arguments = {name: _write("languages", langs)}
    for key in set(_KEYS) & job.keys() - {"languages", *_SETTINGS}:
        value = _write(key, job[key])
        arguments[key] = _find(folder, value) if key in _FILES else value
    settings = {_SETTINGS[k]: _write(k, job[k]) for k in _SETTINGS if k in job}
    settings |= _read_table(job, "exports", _EXPORTS)
    settings |= _read_table(job, "settings", None)
    return JobFile(spider, dict(sorted(arguments.items())), settings)


def _read_table(
    job: Mapping[str, Any], table: str, names: Mapping[str, str] | None
) -> dict[str, str]:
    """Return the settings of a table; ``names`` are its keys, else these are settings."""
    given = job.get(table, {})
    if not isinstance(given, dict):
        raise _WrongKeyError(table, f"no table; write [{table}]")
    settings = {}
    for key, value in given.items():
        if names is not None and key not in names:
            raise _WrongKeyError(key, f"no such key; {name_known(key, names)}")
        name = names[key] if names else key
        settings[name] = _write(key, value)
        try:
            check_value(name, settings[name])
        except SettingError as error:
            raise _WrongKeyError(key, str(error)) from error
    return settings


def _write(key: str, value: object) -> str:
    """Return a value as the command line has it."""
    if isinstance(value, list):
        return ",".join(_write(key, item) for item in value)
    if not isinstance(value, str | bool | int | float):
        raise _WrongKeyError(key, "give a text, a number, true, false or a list")
    return str(value)


def _find(folder: Path, value: str) -> str:
    """Return a path from the folder of the job file, where there is such a file."""
    if "://" in value or Path(value).is_absolute():
        return value
    path = folder / value
    return str(path) if path.exists() or "*" in value else value
