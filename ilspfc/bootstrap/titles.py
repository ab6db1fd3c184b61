"""Titles of an encyclopedia that are terms (000, section 4).

The patterns of ``titles.toml`` follow the conventions of their Wikipedias: names of lists and of
disambiguations, capitals of words that are no names.
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import NamedTuple

from ilspfc.bootstrap.concepts import TitleReason

_QUALIFIER_RE = re.compile(r"\s*[((]([^()()]*)[))]\s*$")
_WORD_RE = re.compile(r"[^\W_]+(?:['’ʼ-][^\W_]+)*")
_DATA = tomllib.loads(files(__package__).joinpath("titles.toml").read_text("utf-8"))
_DISAMBIGUATIONS = frozenset(_DATA["disambiguations"])
_LIST_RE = re.compile(rf"(?:{'|'.join(_DATA['lists'])})\b", re.IGNORECASE)
_YEAR_RE = re.compile("|".join(_DATA["years"]), re.IGNORECASE)
# Languages that capitalize all nouns.
_CAPITAL_NOUNS = frozenset({"deu", "ltz", "bar", "nds", "gsw"})
# Shorter words are articles and the like, or single letters ("Vitamin C").
_MIN_WORD_CHARS = 4


class Title(NamedTuple):
    """Title without its qualifier ("Queen (bee)"), and whether there was one."""

    text: str
    is_qualified: bool


def split_title(title: str) -> Title:
    """Return the term in a title.

    >>> split_title("Smoker (beekeeping)")
    Title(text='Smoker', is_qualified=True)
    """
    text = title.replace("_", " ").strip()
    term = _QUALIFIER_RE.sub("", text)
    return Title(term or text, bool(term) and term != text)


def judge_title(
    title: str, lang: str, *, keep_names: bool = False
) -> TitleReason | None:
    """Return the reason for which a title is no term in a language, None for a term.

    >>> judge_title("List of honeys", "eng"), judge_title("Anton Janša", "eng")
    (<TitleReason.LIST: 'list'>, <TitleReason.NAME: 'name'>)
    >>> judge_title("American foulbrood", "eng") is None
    True
    """
    term = split_title(title).text
    if _is_disambiguation(title):
        reason = TitleReason.DISAMBIGUATION
    elif _LIST_RE.match(term):
        reason = TitleReason.LIST
    elif _YEAR_RE.fullmatch(term):
        reason = TitleReason.YEAR
    elif not any(map(str.isalpha, term)):
        reason = TitleReason.EMPTY
    elif keep_names:
        return None
    elif term.isupper() and " " not in term and len(term) > 1:
        reason = TitleReason.ABBREVIATION
    elif is_title_case(title, lang):
        reason = TitleReason.NAME
    else:
        return None
    return reason


def _is_disambiguation(title: str) -> bool:
    qualifier = _QUALIFIER_RE.search(title)
    return qualifier is not None and qualifier[1].casefold() in _DISAMBIGUATIONS


def is_title_case(title: str, lang: str) -> bool | None:
    """Test whether a title is written like a name, None if that cannot be decided.

    A name has a capital in all longer words after the first, which has one in every title.
    Titles of one word are undecided, as are those in languages that capitalize all nouns.

    >>> is_title_case("Karl von Frisch", "eng"), is_title_case("Bee smoker", "eng")
    (True, False)
    >>> is_title_case("Honey", "eng") is is_title_case("Deutscher Imkerbund", "deu") is None
    True
    """
    if lang in _CAPITAL_NOUNS:
        return None
    words = _WORD_RE.findall(split_title(title).text)
    later = [word for word in words[1:] if len(word) >= _MIN_WORD_CHARS]
    return all(word[0].isupper() for word in later) if later else None
