"""What a crawl can call a text: its languages, and the columns of the model behind each."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.language.codes import to_iso639_3
from ilspfc.language.scripts import MIXED, SCRIPTS, scripts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

#: The label of a text in none of the languages in question.
OTHER = "other"

# Written so alike that no identifier tells them apart reliably: one group each.
_GROUPS = (frozenset({"bos", "hrv", "srp"}), frozenset({"nor", "nob", "nno"}))
# Of these, the ones that are not written in Cyrillic.
_LATIN_ALONE = frozenset({"bos", "hrv"})
# Languages that a macrolanguage includes (ISO 639-3) and whose texts are filed under it.
_INCLUDED = {"ara": ("arz", "ary"), "zho": ("wuu", "yue"), "kur": ("sdh",)}
# The model's Norwegian is Bokmål.
_SAME = {"nor": "nob"}
# No language at all.
_NO_LANGUAGE = "zxx"


@lru_cache(maxsize=512)
def language_of(label: str) -> str:
    """Return the ISO 639-3 code of a model's label, or the label where it has none."""
    try:
        return to_iso639_3(label)
    except ValueError:
        return label


def group_of(lang: str, *, is_grouped: bool = True) -> frozenset[str]:
    """Return the languages that texts in a language may be taken for.

    Without ``is_grouped`` only those that are the language by definition.
    """
    group = {lang, *_INCLUDED.get(lang, ())}
    if is_grouped:
        group |= next((found for found in _GROUPS if lang in found), frozenset())
    elif lang in _SAME.values() or lang in _SAME:
        group |= {name for pair in _SAME.items() if lang in pair for name in pair}
    return frozenset(group)


def _owner(lang: str, wanted: Sequence[str], *, is_grouped: bool) -> int:
    """Return the number of the wanted language that a column belongs to, -1 for none."""
    for name in (lang, _SAME.get(lang)):
        if name in wanted:
            return wanted.index(name)
    for number, own in enumerate(wanted):
        if lang in group_of(own, is_grouped=is_grouped):
            return number
    return -1


def _writes(lang: str, script: str) -> bool:
    if lang in _LATIN_ALONE:
        return script == "Latn"
    known = scripts_of(lang)
    return not known or script in known


class Labels:
    """The labels ``wanted`` and OTHER, and what columns of a model they sum up by script.

    ``columns[script]`` are the columns of the languages that are written in it;
    ``owners[script]`` the number of the label of each, the last one being OTHER.
    """

    def __init__(
        self, model_labels: Iterable[str], wanted: Sequence[str], *, is_grouped: bool
    ) -> None:
        self.wanted = tuple(wanted)
        self.names = (*self.wanted, OTHER)
        langs = [language_of(label) for label in model_labels]
        owners = [_owner(lang, wanted, is_grouped=is_grouped) for lang in langs]
        known = [n for n, lang in enumerate(langs) if lang != _NO_LANGUAGE]
        self.columns: list[NDArray[np.intp]] = []
        self.owners: list[NDArray[np.intp]] = []
        for script in SCRIPTS:
            columns = [n for n in known if _writes(langs[n], script)]
            self._append(
                columns,
                [
                    owner if owner < 0 or _writes(wanted[owner], script) else -1
                    for owner in (owners[n] for n in columns)
                ],
            )
        assert len(self.columns) == MIXED  # noqa: S101
        self._append(known, [owners[n] for n in known])

    def weigh(
        self,
        evidence: NDArray[np.floating],
        scripts: NDArray[np.integer],
        weights: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return the probabilities of the labels, a row a text.

        ``evidence`` are log likelihoods, a column for each of the model's; ``scripts`` the
        numbers of the texts' scripts; ``weights`` is what a column of each label weighs.
        """
        found = np.zeros((len(evidence), len(self.names)))
        for script in np.unique(scripts).tolist():
            columns, owners = self.columns[script], self.owners[script]
            rows = np.flatnonzero(scripts == script)
            if not len(columns):
                found[rows, -1] = 1.0
                continue
            part = evidence[np.ix_(rows, columns)].astype(np.float64)
            part = np.exp(part - part.max(axis=1, keepdims=True))
            belongs = owners[:, None] == np.arange(len(self.names))
            sums = part @ (belongs * weights)
            found[rows] = sums / sums.sum(axis=1, keepdims=True)
        return found

    def _append(self, columns: list[int], owners: list[int]) -> None:
        self.columns.append(np.array(columns, dtype=np.intp))
        numbers = np.array(owners, dtype=np.intp)
        self.owners.append(np.where(numbers < 0, len(self.wanted), numbers))
