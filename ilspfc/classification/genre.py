"""Genre of a page: one of the page types of WCXB, with a probability (000, section 6).

The evidence is of no language: the shape of the text, what the markup declares, words of the
address. ``python -m evaluation.train_genre`` trains the model and prints its accuracy on
sites that it was not trained on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from urllib.parse import unquote, urlsplit

import numpy as np

from ilspfc.documents import Document, ParagraphType
from ilspfc.text.arrays import FloatArray

GENRES = (
    "article",
    "forum",
    "listing",
    "product",
    "documentation",
    "service",
    "collection",
)
"""The page types of the Web Content Extraction Benchmark (WCXB), the classes of the model."""

_TYPES = tuple(ParagraphType)
_WORD_RE = re.compile(r"[^\W\d_]{2,}")
_YEAR_RE = re.compile(r"(?:19|20)\d\d")
_MONEY_RE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:[€£]|EUR|USD|CHF)\b")
# Lengths of clean paragraphs, in tokens, whose shares are features.
_LENGTHS = (5, 15, 40, 100)
# Metadata whose presence is a feature.
_DECLARED = ("author", "date", "modified", "publisher", "description", "keywords")


@dataclass(frozen=True, slots=True)
class GenreModel:
    """Multinomial logistic regression over shapes and words of a page.

    ``vocabulary`` has words of addresses and of declarations, see :func:`read_words`;
    ``means`` and ``scales`` are of the shapes, shape (S,); ``weights`` have shape
    (S + V, 7), ``bias`` shape (7,), one column for each of :data:`GENRES`.
    """

    vocabulary: dict[str, int]
    means: FloatArray
    scales: FloatArray
    weights: FloatArray
    bias: FloatArray

    def judge(self, document: Document) -> tuple[str, float]:
        """Return the most probable genre of a document and its probability."""
        vector = self.encode(measure_shape(document), read_words(document))
        odds = vector @ self.weights + self.bias
        shares = np.exp(odds - odds.max())
        best = int(shares.argmax())
        return GENRES[best], float(shares[best] / shares.sum())

    def encode(self, shape: FloatArray, words: frozenset[str]) -> FloatArray:
        """Return the features of a page, shape (S + V,)."""
        known = np.zeros(len(self.vocabulary))
        known[[self.vocabulary[word] for word in words if word in self.vocabulary]] = 1
        return np.concatenate([(shape - self.means) / self.scales, known])


@cache
def shipped_model() -> GenreModel:
    """Return the model that comes with the package."""
    with (
        files(__package__).joinpath("genre.npz").open("rb") as file,
        np.load(file) as data,
    ):
        words = {str(word): place for place, word in enumerate(data["vocabulary"])}
        arrays = (data[name] for name in ("means", "scales", "weights", "bias"))
        return GenreModel(words, *(array.astype(np.float64) for array in arrays))


def measure_shape(document: Document) -> FloatArray:
    """Return measures of the text, the links and the address of a page, shape (S,).

    Counts are logarithms of one more; shares are between 0 and 1.
    """
    content = [one for one in document.paragraphs if one.is_content]
    tokens = [len(one.text.split()) for one in content]
    words, number = sum(tokens), max(len(content), 1)
    everything = sum(len(one.text.split()) for one in document.paragraphs)
    anchors = sum(len(link.anchor.split()) for link in document.links)
    text = " ".join(one.text for one in content)
    parts = urlsplit(document.url)
    segments = [segment for segment in parts.path.split("/") if segment]
    return np.array(
        [
            *map(
                np.log1p,
                (
                    *(words, everything, len(content), len(document.paragraphs)),
                    *(len(document.links), len(document.images), anchors),
                    *(max(tokens, default=0), len(_MONEY_RE.findall(text))),
                    *(len(_YEAR_RE.findall(text)), text.count("?")),
                ),
            ),
            words / max(everything, 1),
            min(anchors / max(everything, 1), 1.0),
            sum(map(str.isdigit, text)) / max(len(text), 1),
            *(sum(one.type is kind for one in content) / number for kind in _TYPES),
            *(sum(size <= limit for size in tokens) / number for limit in _LENGTHS),
            *(float(bool(getattr(document.metadata, name))) for name in _DECLARED),
            *(len(segments), float(bool(parts.query)), float(not segments)),
            float(bool(_YEAR_RE.search(parts.path))),
            len(segments[-1]) / 50 if segments else 0.0,
        ],
        dtype=np.float64,
    )


def read_words(document: Document) -> frozenset[str]:
    """Return the words of a page that may tell its genre, whatever its language.

    These are the words of the path, the names of meta elements, the declared type and the
    name of the program that made the page.
    """
    path = unquote(urlsplit(document.url).path).lower()
    found = {f"path:{word}" for word in _WORD_RE.findall(path)}
    found |= {f"meta:{name}" for name in document.meta}
    found.add(f"type:{document.metadata.type.lower()}")
    generator = document.meta.get("generator", "").lower()
    found |= {f"made by:{word}" for word in _WORD_RE.findall(generator)}
    return frozenset(found)
