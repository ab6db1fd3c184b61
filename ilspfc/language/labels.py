"""Labels of a crawl: its languages and OTHER, with the columns of the model behind each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ilspfc.text.codes import to_iso639_3
from ilspfc.text.scripts import SCRIPTS, scripts_of

#: The label of a text in none of the languages in question.
OTHER = "other"

# Groups of languages too alike for any identifier.
_GROUPS = (frozenset({"bos", "hrv", "srp"}), frozenset({"nor", "nob", "nno"}))
# Of these, the ones that are not written in Cyrillic.
_LATIN_ALONE = frozenset({"bos", "hrv"})
# Languages that a macrolanguage includes (ISO 639-3) and whose texts are filed under it.
_INCLUDED = {"ara": ("arz", "ary"), "zho": ("wuu", "yue"), "kur": ("sdh",)}
# The model's Norwegian is Bokmål.
_SAME = {"nor": "nob"}
# Prior weight of each language that is not wanted, a wanted one having 1.
_FOREIGN_WEIGHT = 0.02
#: The label of no language at all.
NO_LANGUAGE = "zxx"
#: The labels of py3langid's model, in its order: to read them from there takes 0.4 s.
MODEL_LABELS = tuple(
    (
        "af am ar as az be bg bn br bs ca cs cy da de el en eo es et eu fa fi fr fy ga gd gl "
        "gu ha he hi hr ht hu hy id ig is it ja jv ka kk km kn ko ku ky la lg ln lo lt lv mg "
        "mk ml mn mr ms my ne nl no om or pa pl ps pt qu ro ru sa si sk sl so sq sr sr sv sw "
        "ta te th tl tr ug uk ur uz vi xh yo zh zu zxx ace bcl dz ext gcf gom grc gug hbo kik "
        "nso pcm rw se sn st uz an ary crh fo fuv gcr guw kab lb lij ltg uzs wa sdh arz ba mt "
        "nn oc tg tk tt vec vo wuu yue "
    ).split()
)


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


def is_identifiable(lang: str) -> bool:
    """Test whether texts in a language (ISO 639-3) can be recognized without a model."""
    known = map(language_of, MODEL_LABELS)
    return not (group_of(lang) - {NO_LANGUAGE}).isdisjoint(known)


class Labels:
    """The labels ``wanted`` and OTHER, and what columns of a model they sum up by script.

    ``_columns[script]`` are the columns of the languages that are written in it;
    ``_owners[script]`` the number of the label of each. Behind those of the wanted
    languages come two that are both OTHER: languages far from them, and those of a group
    that the user wants apart, which are as probable as the wanted ones. ``scripts`` are
    those of languages that were learned.
    """

    def __init__(
        self,
        model_labels: Iterable[str],
        wanted: Sequence[str],
        scripts: Mapping[str, frozenset[str]],
    ) -> None:
        self._scripts = scripts
        self.wanted = tuple(wanted)
        self.names = (*self.wanted, OTHER)
        langs = [language_of(label) for label in model_labels]
        known = [n for n, lang in enumerate(langs) if lang != NO_LANGUAGE]
        self._columns: list[NDArray[np.intp]] = []
        self._owners: list[NDArray[np.intp]] = []
        for script in (*SCRIPTS, None):
            columns = [n for n in known if self._writes(langs[n], script)]
            owners = [self._owner_in(langs[n], script) for n in columns]
            self._columns.append(np.array(columns, dtype=np.intp))
            self._owners.append(np.array(owners, dtype=np.intp))

    def expect(self, lang: str, weight: float) -> NDArray[np.float64]:
        """Return the prior weights of the labels, ``weight`` for ``lang``."""
        weights = np.ones(len(self.names))
        weights[-1] = _FOREIGN_WEIGHT
        if lang in self.wanted:
            weights[self.wanted.index(lang)] = weight
        return weights

    def add_up(
        self, evidence: NDArray[np.floating], scripts: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """Return the relative likelihoods of texts, a row a text.

        ``evidence`` are log likelihoods, a column for each of the model's; ``scripts`` the
        numbers of the texts' scripts. The columns are those of the wanted languages and of
        all others.
        """
        found = np.zeros((len(evidence), len(self.names)))
        for script in np.unique(scripts).tolist():
            columns, owners = self._columns[script], self._owners[script]
            rows = np.flatnonzero(scripts == script)
            if not len(columns):
                found[rows, -1] = 1.0
                continue
            part = evidence[np.ix_(rows, columns)].astype(np.float64)
            part = np.exp(part - part.max(axis=1, keepdims=True))
            found[rows] = part @ (owners[:, None] == np.arange(found.shape[1]))
        return found

    def weigh(
        self, likelihoods: NDArray[np.float64], weights: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the probabilities of the labels, a row a text.

        ``likelihoods`` are those of :meth:`add_up`; ``weights`` the prior weights of the labels.
        """
        sums = likelihoods * weights
        return np.asarray(sums / sums.sum(axis=1, keepdims=True))

    def scripts(self, lang: str) -> list[int]:
        """Return the numbers of the scripts that a language is written in."""
        return [n for n, script in enumerate(SCRIPTS) if self._writes(lang, script)]

    def _owner_in(self, lang: str, script: str | None) -> int:
        """Return the number of the label of a language's texts in a script."""
        owners = [own for own in (lang, _SAME.get(lang)) if own in self.wanted] or [
            own for own in self.wanted if lang in group_of(own)
        ]
        if owners and self._writes(owners[0], script):
            return self.wanted.index(owners[0])
        return len(self.wanted)

    def _writes(self, lang: str, script: str | None) -> bool:
        """Test whether a language is written in a script; None stands for several."""
        if script is None:
            return True
        if lang in _LATIN_ALONE:
            return script == "Latn"
        known = self._scripts.get(lang) or scripts_of(lang)
        return not known or script in known
