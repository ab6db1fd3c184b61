"""Focused crawler that mines domain-specific monolingual and bilingual corpora from the web.

Single stages are functions, which need neither a crawl nor Scrapy: :func:`extract`,
:func:`extract_text`, :func:`identify`, :func:`align`, :func:`read_corpus`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ilspfc.functions import (
        align,
        extract,
        extract_text,
        identify,
        read_corpus,
    )

__version__ = "0.1.0"
__all__ = [
    "__version__",
    "align",
    "extract",
    "extract_text",
    "identify",
    "read_corpus",
]


def __getattr__(name: str) -> object:
    """Import a function when it is asked for: the models behind it are large."""
    if name not in __all__:
        raise AttributeError(f"module 'ilspfc' has no attribute {name!r}")
    return getattr(import_module("ilspfc.functions"), name)
