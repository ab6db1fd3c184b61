"""The papers' methods of pairing by name, and their options (PAIRING_OPTIONS)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import TypeVar, get_args

from ilspfc.exceptions import SettingError
from ilspfc.pairing.combined import LearnLexicon
from ilspfc.pairing.comparison import Candidates, Comparison
from ilspfc.pairing.methods import Method, PairingOptions, pair_each
from ilspfc.pairing.outcome import PairingOutcome, rank
from ilspfc.papers import ets, pwcc
from ilspfc.papers.ets import EtsOptions, Weights, find_by_neighbors
from ilspfc.papers.ilsp_fc import PairingBounds, pair_documents
from ilspfc.papers.pwcc import Folders, PwccOptions, find_by_sentences
from ilspfc.text.arrays import FloatArray

Options = TypeVar("Options", EtsOptions, PairingBounds, PwccOptions)


def read_options(defaults: Options, given: Mapping[str, str]) -> Options:
    """Return the options of a method; SettingError names one that is unknown or wrong.

    Real numbers are shares from 0 to 1, whole ones counts.
    """
    kinds = {field.name: field.type for field in fields(defaults)}
    values: dict[str, object] = {}
    for name, text in given.items():
        where = f"PAIRING_OPTIONS={name}={text}"
        if name not in kinds:
            raise SettingError(f"{where}: no such option; known are {', '.join(kinds)}")
        read, expected = _KINDS[str(kinds[name])]
        try:
            values[name] = read(text)
        except ValueError:
            raise SettingError(f"{where}: give {expected}") from None
    return replace(defaults, **values)  # type: ignore[arg-type]


def _read_share(text: str) -> float:
    if not 0 <= (value := float(text)) <= 1:
        raise ValueError
    return value


def _read_count(text: str) -> int:
    if (value := int(text)) < 0:
        raise ValueError
    return value


def _read_name(text: str, names: Sequence[str]) -> str:
    if text not in names:
        raise ValueError
    return text


# By the annotation of an option: its reader, and what it reads.
_KINDS: Mapping[str, tuple[Callable[[str], object], str]] = {
    "float": (_read_share, "a number from 0 to 1"),
    "int": (_read_count, "a whole number"),
    **{
        kind: (partial(_read_name, names=names), f"one of {', '.join(names)}")
        for kind, names in (
            ("Weights", get_args(Weights)),
            ("Folders", get_args(Folders)),
        )
    },
}


def pair_ilsp_fc(
    comparisons: Iterable[Comparison], options: PairingOptions, learn: LearnLexicon
) -> PairingOutcome:
    """Pair as ILSP-FC does: one kind of evidence after the other (000, section 3.9)."""
    threshold = {"threshold": str(options.threshold)}
    bounds = read_options(PairingBounds(), {**threshold, **options.method})
    pairs = [
        pair
        for site in comparisons
        for pair in pair_documents(
            site.left.documents, site.right.documents, marks=site.marks, bounds=bounds
        )
    ]
    return PairingOutcome(sorted(pairs, key=rank))


def _find(
    site: Comparison,
    options: PairingOptions,
    learn: LearnLexicon,
    *,
    find: Callable[[Comparison, Options, LearnLexicon], tuple[Candidates, FloatArray]],
    defaults: Options,
) -> tuple[Candidates, FloatArray]:
    return find(site, read_options(defaults, options.method), learn)


_FINDERS = {
    "ets": partial(_find, find=find_by_neighbors, defaults=EtsOptions()),
    "ets-paper": partial(_find, find=find_by_neighbors, defaults=ets.AS_PRINTED),
    "pwcc": partial(_find, find=find_by_sentences, defaults=PwccOptions()),
    "pwcc-paper": partial(_find, find=find_by_sentences, defaults=pwcc.AS_PRINTED),
}
METHODS: Mapping[str, Method] = {
    "ilsp-fc": pair_ilsp_fc,
    **{
        name: partial(pair_each, find=find, evidence=name.removesuffix("-paper"))
        for name, find in _FINDERS.items()
    },
}
