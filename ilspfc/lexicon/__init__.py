"""Bilingual lexicons: read, and learned from the corpus itself."""

from ilspfc.lexicon.entries import Entries, Entry, number_entries
from ilspfc.lexicon.model import Lexicon
from ilspfc.lexicon.tokens import tokenize
from ilspfc.lexicon.training import Options, Prior, train
from ilspfc.lexicon.vocabulary import Segments, Vocabulary

__all__ = [
    "Entries",
    "Entry",
    "Lexicon",
    "Options",
    "Prior",
    "Segments",
    "Vocabulary",
    "number_entries",
    "tokenize",
    "train",
]
