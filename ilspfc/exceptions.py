"""The errors that a user can meet. Each message is one line: the value, the cause, the remedy.

::

    IlspfcError
    ├── ArgumentError      a spider argument or command argument
    ├── SettingError       a setting
    ├── DomainError        a domain definition
    ├── LexiconError       a bilingual dictionary or a store of them
    ├── BootstrapError     a source of terms or seeds
    ├── DiskError          a disk that takes no more
    └── CorpusError        a corpus folder or a file in it
        └── CorpusLockedError
"""

from __future__ import annotations

from collections.abc import Collection, Iterable


class IlspfcError(Exception):
    """Base of all errors that are shown to the user as one line, without a traceback."""


class ArgumentError(IlspfcError, ValueError):
    """An argument cannot be used."""


class SettingError(IlspfcError, ValueError):
    """A setting cannot be used."""


class DomainError(IlspfcError, ValueError):
    """A domain definition is missing, unreadable or wrong."""


class LexiconError(IlspfcError, ValueError):
    """A bilingual dictionary, or a store of them, is missing, unreadable or wrong."""


class BootstrapError(IlspfcError):
    """A source of terms or seeds is missing, unreadable, or does not answer."""


class CorpusError(IlspfcError):
    """A corpus folder is missing, unreadable or lacks what a stage needs."""


class CorpusLockedError(CorpusError):
    """Another process writes to the corpus folder."""


class DiskError(IlspfcError):
    """A disk is full, over a quota, read-only or broken: nothing more can be written."""


class WorkerLostError(Exception):
    """The worker died over a call: killed, out of memory, crashed in native code."""


class WorkerTimeoutError(WorkerLostError):
    """A call took too long, by the clock or in CPU seconds, and the worker was ended."""


def name_nearest(wrong: str, known: Collection[str]) -> str:
    """Return the nearest of the known names to a wrong one, empty if none is near.

    >>> name_nearest("domian", ["langs", "domain"]), name_nearest("x", ["langs"])
    ('the nearest is domain', '')
    """
    from difflib import get_close_matches  # noqa: PLC0415

    near = get_close_matches(wrong, known, n=1)
    return f"the nearest is {near[0]}" if near else ""


def name_known(wrong: str, known: Iterable[str]) -> str:
    """Return the nearest of the known names to a wrong one, if any is near, and all of them.

    >>> name_known("domian", ["langs", "domain"]), name_known("x", ["langs", "domain"])
    ('the nearest is domain; known are langs, domain', 'known are langs, domain')
    """
    names = list(known)
    every = f"known are {', '.join(names)}"
    return "; ".join(filter(None, (name_nearest(wrong, names), every)))
