"""Abbreviations that tell where sentences end or go on, from ``abbreviations.toml``."""

from __future__ import annotations

import tomllib
from importlib.resources import files

_DATA = tomllib.loads(
    files(__package__).joinpath("abbreviations.toml").read_text("utf-8")
)
BINDING_WORDS = {lang: frozenset(s.split()) for lang, s in _DATA["binding"].items()}
BINDING_PAIR = frozenset(_DATA["everywhere"]["pairs"])
#: Under "all" are those of all languages.
NUMBER_WORDS = {
    lang: frozenset(s.split()) for lang, s in _DATA["before_number"].items()
}
ENDINGS: list[str] = _DATA["everywhere"]["endings"].split()
