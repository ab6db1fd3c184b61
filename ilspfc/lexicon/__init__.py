"""Bilingual lexicons: read, and learned from the corpus itself."""

from ilspfc.lexicon.dictionary import Dictionary, cut_entries
from ilspfc.lexicon.entries import Entries, Entry, number_entries
from ilspfc.lexicon.ibm1 import (
    DEFAULT_OPTIONS,
    LOOKUP_OPTIONS,
    Options,
    train,
)
from ilspfc.lexicon.learner import SegmentTexts
from ilspfc.lexicon.lexicon_file import LexiconStore
from ilspfc.lexicon.readers import read_dictionary, write_tsv
from ilspfc.lexicon.translation_model import Lexicon
from ilspfc.text.tokens import tokenize
from ilspfc.text.vocabulary import Segments, Vocabulary

__all__ = [
    "DEFAULT_OPTIONS",
    "LOOKUP_OPTIONS",
    "Dictionary",
    "Entries",
    "Entry",
    "Lexicon",
    "LexiconStore",
    "Options",
    "SegmentTexts",
    "Segments",
    "Vocabulary",
    "cut_entries",
    "number_entries",
    "read_dictionary",
    "tokenize",
    "train",
    "write_tsv",
]
