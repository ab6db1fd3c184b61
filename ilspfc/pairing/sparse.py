"""Sparse arrays, shape (pages, tokens): weights, inner products, nearest neighbors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from ilspfc.text.arrays import FloatArray, IdArray, IntArray

# Sizes of batches of row pairs, and of products in a matrix multiplication: they keep
# memory within some tens of megabytes.
_PAIRS_AT_ONCE = 4_000
_PRODUCTS_AT_ONCE = 1_000_000
# A feature of more pages proposes no candidates: it is costly and hardly informative.
MAX_POSTINGS = 200


def make_counts(
    rows: Sequence[npt.NDArray[np.int32]], width: int, *, dtype: str = "f4"
) -> csr_array:
    """Return the counts of each number in each row, shape (rows, ``width``)."""
    sizes = [len(row) for row in rows]
    pointers = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    if pointers[-1] <= np.iinfo(np.int32).max:
        # With 64-bit pointers, scipy would convert all indices to 64 bits.
        pointers = pointers.astype(np.int32)
    columns = np.concatenate([*rows, np.zeros(0, np.int32)]) if rows else np.zeros(0)
    counts = csr_array(
        (np.ones(len(columns), dtype), columns.astype(np.int32), pointers),
        shape=(len(rows), width),
    )
    counts.sum_duplicates()
    return counts


def renumber(counts: csr_array, columns: IdArray) -> csr_array:
    """Return the counts with only these columns, sorted, which have all that is counted."""
    indices = np.searchsorted(columns, counts.indices).astype(np.int32)
    shape = (counts.shape[0], len(columns))
    return csr_array((counts.data, indices, counts.indptr), shape=shape)


def document_frequencies(counts: csr_array) -> FloatArray:
    """Return the number of rows in which each column occurs, shape (columns,)."""
    return np.bincount(counts.indices, minlength=counts.shape[1]).astype(float)


def inverse_frequencies(counts: csr_array) -> FloatArray:
    """Return log((rows + 1) / rows with the column), 0 for a column that never occurs."""
    frequencies = document_frequencies(counts)
    weights = np.log((counts.shape[0] + 1) / np.maximum(frequencies, 1))
    return np.where(frequencies > 0, weights, 0.0)


def weigh(counts: csr_array, weights: FloatArray) -> csr_array:
    """Return (1 + log count) times the weight of the column, without explicit zeros."""
    data = (1 + np.log(counts.data.astype(np.float64))) * weights[counts.indices]
    return _select(counts, data, data != 0)


def _select(
    matrix: csr_array, data: FloatArray, chosen: npt.NDArray[np.bool_]
) -> csr_array:
    """Return a matrix with other values in some of the cells, and none in the others."""
    ends = np.append(0, np.cumsum(chosen))[matrix.indptr].astype(matrix.indptr.dtype)
    return csr_array((data[chosen], matrix.indices[chosen], ends), shape=matrix.shape)


def scale_rows(matrix: csr_array, factors: FloatArray) -> csr_array:
    """Return the matrix with each row multiplied by its factor, with the same indices."""
    data = matrix.data * np.repeat(factors, np.diff(matrix.indptr))
    return csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def row_norms(matrix: csr_array) -> FloatArray:
    """Return the Euclidean norm of each row, shape (rows,)."""
    norms = np.zeros(matrix.shape[0])
    filled = np.diff(matrix.indptr) > 0
    if filled.any():
        starts = matrix.indptr[:-1][filled]
        norms[filled] = np.sqrt(np.add.reduceat(matrix.data**2, starts))
    return norms


def normalize_rows(matrix: csr_array) -> csr_array:
    """Return the matrix with rows of norm 1; empty rows stay empty."""
    return scale_rows(matrix, 1 / np.maximum(row_norms(matrix), 1e-12))


def normalize_idf(counts: csr_array) -> csr_array:
    """Return the counts weighted by their IDF, rows of norm 1."""
    return normalize_rows(weigh(counts, inverse_frequencies(counts)))


def weigh_sides(
    left: csr_array, right: csr_array, weights: FloatArray
) -> tuple[csr_array, csr_array]:
    """Return the counts of both sides with the same column weights, rows of norm 1."""
    return normalize_rows(weigh(left, weights)), normalize_rows(weigh(right, weights))


def pair_products(
    left: csr_array, right: csr_array, rows: IntArray, columns: IntArray
) -> FloatArray:
    """Return the inner products of left row ``rows[k]`` and right row ``columns[k]``."""
    products = np.zeros(len(rows))
    if not left.nnz or not right.nnz:
        return products
    for start in range(0, len(rows), _PAIRS_AT_ONCE):
        part = slice(start, start + _PAIRS_AT_ONCE)
        product = left[rows[part]].multiply(right[columns[part]])
        products[part] = np.asarray(product.sum(axis=1)).ravel()
    return products


def most_alike(
    left: csr_array, right: csr_array, *, count: int, max_postings: int = MAX_POSTINGS
) -> tuple[IntArray, IntArray]:
    """Return pairs of rows: each row of either side with its ``count`` nearest neighbors.

    Similarity is the inner product over columns in at most ``max_postings`` rows of each
    side, so cost is linear in the rows, not quadratic. The lower row wins a tie. Shapes
    (pairs,), sorted, each pair once.
    """
    kept = (document_frequencies(left) <= max_postings) & (
        document_frequencies(right) <= max_postings
    )
    left, right = (
        _select(side, side.data, kept[side.indices] & (side.data != 0))
        for side in (left, right)
    )
    if not left.nnz or not right.nnz:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    rows, columns = _best_of_rows(left, right, count)
    other_columns, other_rows = _best_of_rows(right, left, count)
    return unique_pairs(
        np.concatenate([rows, other_rows]),
        np.concatenate([columns, other_columns]),
        right.shape[0],
    )


def unique_pairs(
    rows: IntArray, columns: IntArray, width: int
) -> tuple[IntArray, IntArray]:
    """Return the distinct pairs, sorted; ``width`` is greater than any column."""
    keys = sort_unique(rows.astype(np.int64) * max(width, 1) + columns)
    return keys // max(width, 1), keys % max(width, 1)


def sort_unique(numbers: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the distinct numbers, sorted; np.unique hashes, and is many times slower here."""
    numbers = np.sort(numbers)
    is_first = np.append(True, numbers[1:] != numbers[:-1])[: len(numbers)]
    distinct: npt.NDArray[Any] = numbers[is_first]
    return distinct


def _best_of_rows(
    left: csr_array, right: csr_array, count: int
) -> tuple[IntArray, IntArray]:
    transposed = csr_array(right.T)
    postings = np.diff(transposed.indptr).astype(np.int64)
    costs = np.add.reduceat(
        np.append(postings[left.indices], 0), np.minimum(left.indptr[:-1], left.nnz)
    ) * (np.diff(left.indptr) > 0)
    blocks = np.cumsum(costs) // _PRODUCTS_AT_ONCE
    found_rows, found_columns = [], []
    starts = [0, *(np.nonzero(np.diff(blocks))[0] + 1).tolist(), len(blocks)]
    for start, end in pairwise(starts):
        part = left[start:end] if len(starts) > 2 else left
        owners, best = _best_places(part @ transposed, count)
        found_rows.append(start + owners)
        found_columns.append(best)
    nothing = np.zeros(0, np.int64)
    return (
        np.concatenate([nothing, *found_rows]),
        np.concatenate([nothing, *found_columns]),
    )


def _best_places(product: csr_array, count: int) -> tuple[IntArray, IntArray]:
    """Return rows and columns of the ``count`` largest values of each row.

    The lower column wins a tie. Only values that reach the smallest of these are sorted:
    products of large sites have thousands of values per row.
    """
    values = np.round(product.data, 9)
    sizes = np.diff(product.indptr)
    reaches = np.ones(len(values), bool)
    for row in np.nonzero(sizes > count)[0].tolist():
        part = slice(product.indptr[row], product.indptr[row + 1])
        reaches[part] = values[part] >= np.partition(values[part], -count)[-count]
    places = np.nonzero(reaches)[0]
    owners = np.repeat(np.arange(len(sizes)), sizes)[places]
    columns = product.indices[places]
    order = np.lexsort((columns, -values[places], owners))
    owners, columns = owners[order], columns[order]
    is_best = np.arange(len(owners)) - np.searchsorted(owners, owners) < count
    return owners[is_best], columns[is_best]
