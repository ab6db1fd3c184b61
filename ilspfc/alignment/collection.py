"""Alignment of all pairs of texts of two languages with one lexicon learned from them.

Round 0 uses lengths, numbers, punctuation and cognates. Each later round learns a lexicon
from the probable beads of all texts and realigns them with it. Alignment by lengths alone
is the same program without a lexicon.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from ilspfc.alignment import parameters as calibration
from ilspfc.alignment.bead_scores import Parameters
from ilspfc.alignment.beads import PRIORS, Bead, Rating
from ilspfc.alignment.first_pass import cut_text
from ilspfc.alignment.lexical_score import Table, Tables
from ilspfc.alignment.pieces import Found, Piece, align_piece, collect_beads
from ilspfc.alignment.quality import find_typical_shares, rate, score_beads
from ilspfc.alignment.reestimation import calibrate, gather_groups
from ilspfc.alignment.sides import Side, TextPair, WordNumbers, count_words
from ilspfc.alignment.sorted_lists import find_lists, weigh_lists
from ilspfc.alignment.word_likeness import find_cognates
from ilspfc.spool import Spool, pack
from ilspfc.tasks import RunTasks, run_here
from ilspfc.text.arrays import FloatArray, IdArray, IntArray
from ilspfc.text.tokens import weigh_tokens
from ilspfc.text.vocabulary import Segments

Prior: TypeAlias = tuple[IdArray, IdArray, "FloatArray"]
"""Pairs of words: source ids, target ids, values in (0, 1]."""

Trainer: TypeAlias = Callable[
    [Segments, Segments, "FloatArray", tuple[int, int], Prior], tuple[Any, Any]
]
"""Function of source groups, target groups, their weights, vocabulary sizes and a prior
that returns t(target | source) and t(source | target) as sparse matrices (CSR)."""

FIRST_MIX = 0.9
MIX = 0.75
"""λ, the interpolation weight of the unigram model: in round 0, and later."""

MIN_TRAINING_POSTERIOR = 0.1
"""Minimum posterior of a bead to learn the lexicon from."""

MAX_TRAINING_BYTES = 1 << 27
"""Bytes on disk of the pieces that the lexicon is learned from; of more, every nth is taken.
Texts are in the order of their digests, and training samples these again (``pair_bags``)."""

TEMPERATURE = 0.5
"""Factor on the weights of beads that calibrates the posteriors."""

ROUNDS = 3
MAX_SENTENCES = 6_000
"""A collection with more sentences on a side gets a single round, which suffices."""
MAX_DISTANT_SENTENCES = 15_000
"""The same bound for languages with hardly any cognates."""
_DISTANT = 0.1

_LARGEST = 5


def align_texts(
    pairs: Iterable[TextPair],
    langs: tuple[str, str],
    train: Trainer | None,
    *,
    dictionary: Sequence[tuple[str, str, float]] = (),
    rounds: int | None = None,
    progress: Callable[[int, int], object] = lambda done, total: None,
    run: RunTasks = run_here,
) -> Iterator[list[Bead]]:
    """Align all pairs of texts of two languages (ISO 639-3); return the beads of each in order.

    Every sentence is in one bead, in reading order; the score of a bead is the probability
    that it is right. ``dictionary`` holds token pairs with a value in (0, 1]. Lexicon and
    parameters are fitted to the pairs marked as lessons, in ``rounds``: three by default,
    one for large collections. The result does not depend on the order of the pairs.
    ``progress`` is called with the number of pieces aligned so far, and in total; ``run``
    aligns the pieces, which are independent of each other.

    Without ``train``, the texts are aligned by sentence lengths alone (Gale and Church
    1993): ratio, variance and priors are fitted to the texts; unlike in the paper, beads
    have up to five sentences per side. The score of a bead is its posterior.

    >>> text = TextPair(["Yes.", "It rains again today."], ["Ja."])
    >>> (beads,) = align_texts([text], ("eng", "deu"), None)
    >>> [(bead.source, bead.target) for bead in beads]
    [((0,), (0,)), ((1,), ())]
    """
    has_words = train is not None
    collection = _Collection(
        pairs, langs, dictionary, has_words=has_words, progress=progress, run=run
    )
    return collection.align(train, rounds)


class _Pieces(Spool["Piece"]):
    """Pieces on disk, and the text that each is of."""

    def __init__(self) -> None:
        super().__init__()
        self.texts = array("q")

    def add(self, text: int, piece: bytes) -> None:
        """Append a packed piece."""
        self.texts.append(text)
        self.append_packed(piece)


class _Collection:
    """The texts as token ids, and the model that each round fits to them.

    Texts are sorted by content, so that sums do not depend on the order of the input;
    ``_places`` has the sorted index of each text.
    """

    def __init__(
        self,
        pairs: Iterable[TextPair],
        langs: tuple[str, str],
        dictionary: Sequence[tuple[str, str, float]],
        *,
        has_words: bool,
        progress: Callable[[int, int], object],
        run: RunTasks,
    ) -> None:
        left, right = (WordNumbers(lang if has_words else "") for lang in langs)
        read = [
            (
                pair.digest(),
                left.read(pair.source, pair.source_blocks, pair.source_kinds),
                right.read(pair.target, pair.target_blocks, pair.target_kinds),
                pair.is_lesson,
                (
                    find_lists(pair.source, pair.source_blocks, pair.source_kinds),
                    find_lists(pair.target, pair.target_blocks, pair.target_kinds),
                ),
            )
            for pair in pairs
        ]
        order = sorted(range(len(read)), key=lambda number: read[number][0])
        self._places = np.argsort(np.array(order, np.int64)).tolist()
        sources, self._source_words = left.finish([read[n][1] for n in order])
        targets, self._target_words = right.finish([read[n][2] for n in order])
        self._sizes = len(self._source_words), len(self._target_words)
        self._unigrams = (
            count_words(sources, self._sizes[0]),
            count_words(targets, self._sizes[1]),
        )
        self._weights = (
            weigh_tokens(self._source_words),
            weigh_tokens(self._target_words),
        )
        self._texts = Spool(zip(sources, targets, strict=True))
        self._lessons = [number for number, n in enumerate(order) if read[n][3]]
        self._progress = progress
        self._run = run
        self._done = self._total = 0
        self._lists = [read[n][4] for n in order]
        self._prior = self._make_prior(dictionary)
        self._parameters = self._init_parameters()

    def align(self, train: Trainer | None, rounds: int | None) -> Iterator[list[Bead]]:
        """Fit the model to the lessons in rounds; return the beads of each text as given.

        They are made when they are asked for.
        """
        if not self._texts or (train is not None and not min(self._sizes)):
            # There is nothing to learn from.
            return (_make_null_beads(*self._texts[place]) for place in self._places)
        tables = None if train is None else self._first_tables()
        pieces = _Pieces()
        self._cut_texts(self._lessons, tables, pieces)
        if rounds is None or train is None:
            rounds = self._count_rounds() if train else 1
        if not self._lessons:  # all texts are aligned with what is known before
            rounds = 0
        self._total = rounds * len(pieces) + len(self._texts)
        for _ in range(rounds):
            found: Spool[Found] = self._run_pieces(_align, pieces, (tables, 1.0))
            self._parameters = calibrate(self._parameters, pieces, found)
            if train is None:
                continue
            sample = range(0, len(pieces), pieces.size // MAX_TRAINING_BYTES + 1)
            groups = gather_groups(
                (pieces[n] for n in sample),
                (found[n] for n in sample),
                MIN_TRAINING_POSTERIOR,
            )
            tables = self._make_tables(*train(*groups, self._sizes, self._prior), MIX)
            paths = _Pieces()
            for piece, one in zip(pieces, found, strict=True):
                paths.add(piece.text, pack(replace(piece, path=one.steps.nodes)))
            pieces = paths
        others = sorted(set(range(len(self._texts))) - set(self._lessons))
        self._cut_texts(others, tables, pieces)
        if tables is None:
            return self._collect(pieces, self._run_pieces(_align, pieces, (None, 1.0)))
        return self._rate(pieces, tables)

    def _cut_texts(
        self, texts: Sequence[int], tables: Tables | None, pieces: _Pieces
    ) -> None:
        """Append the pieces of texts."""
        tasks = [(number, self._parameters[number]) for number in texts]
        cuts = self._run(_cut, tasks, (self._texts, tables))
        for number, cut in zip(texts, cuts, strict=True):
            for piece in cut:
                pieces.add(number, piece)

    def _run_pieces(
        self, function: Callable[[Any, Any], bytes], pieces: _Pieces, model: Any
    ) -> Spool[Any]:
        """Return the result of each piece and report the progress."""
        tasks = [(n, self._parameters[text]) for n, text in enumerate(pieces.texts)]
        results: Spool[Any] = Spool()
        for found in self._run(function, tasks, (pieces, model)):
            results.append_packed(found)
            self._done += 1
            self._progress(self._done, max(self._total, self._done))
        return results

    def _collect(self, pieces: _Pieces, found: Spool[Found]) -> Iterator[list[Bead]]:
        """Yield the beads of each text as given, scored by their posteriors."""
        for numbers in self._iter_pieces(pieces):
            yield collect_beads((pieces[n], found[n], None) for n in numbers)

    def _rate(self, pieces: _Pieces, tables: Tables) -> Iterator[list[Bead]]:
        """Yield the beads of each text as given, scored by all evidence."""
        rated: Spool[tuple[Found, Rating]]
        rated = self._run_pieces(_align_and_rate, pieces, tables)
        typical = find_typical_shares(rating for _, rating in rated)
        for place, numbers in zip(self._places, self._iter_pieces(pieces), strict=True):
            ratings = ((pieces[n], *rated[n]) for n in numbers)
            beads = collect_beads(
                (piece, found, score_beads(rating, typical))
                for piece, found, rating in ratings
            )
            lists = self._lists[place]
            yield weigh_lists(beads, self._texts[place], lists, tables, TEMPERATURE)

    def _iter_pieces(self, pieces: _Pieces) -> Iterator[IntArray]:
        """Yield the numbers of the pieces of each text as given, in their order."""
        texts = np.array(pieces.texts)
        order = np.argsort(texts, kind="stable")
        ends = np.searchsorted(texts[order], np.arange(len(self._texts) + 1))
        for place in self._places:
            yield order[ends[place] : ends[place + 1]]

    def _make_prior(self, dictionary: Sequence[tuple[str, str, float]]) -> Prior:
        """Return prior translations: cognates, numbers, punctuation, the dictionary."""
        sources, targets, values = find_cognates(self._source_words, self._target_words)
        if not dictionary:
            return sources, targets, values
        known = {
            (source, target): value
            for source, target, value in zip(
                sources.tolist(), targets.tolist(), values.tolist(), strict=True
            )
        }
        left = {word: number for number, word in enumerate(self._source_words)}
        right = {word: number for number, word in enumerate(self._target_words)}
        for word, other, value in dictionary:
            if word in left and other in right:
                key = left[word], right[other]
                known[key] = max(known.get(key, 0.0), value)
        keys = np.array(sorted(known), np.int32).reshape(-1, 2)
        found = np.array([known[s, t] for s, t in keys.tolist()])
        return keys[:, 0], keys[:, 1], found

    def _init_parameters(self) -> list[Parameters]:
        """Return the initial parameters of the texts, before any bead is found."""
        totals = [(s.lengths.sum(), t.lengths.sum()) for s, t in self._texts]
        ratio = calibration.shrink_ratio(
            float(sum(s for s, _ in totals)), float(sum(t for _, t in totals)), 1.0
        )
        known = calibration.spread_of_all((t.lengths for _, t in self._texts), _LARGEST)
        parameters = []
        for (_, target), (s, t) in zip(self._texts, totals, strict=True):
            means, deviations = calibration.fit_spread(target.lengths, _LARGEST, known)
            parameters.append(
                Parameters(
                    calibration.shrink_ratio(float(s), float(t), ratio),
                    calibration.VARIANCE,
                    means,
                    deviations,
                    PRIORS,
                )
            )
        return parameters

    def _count_rounds(self) -> int:
        """Return the number of training rounds: one for large collections."""
        sizes = [[len(side) for side in self._texts[n]] for n in self._lessons]
        sentences = max(map(sum, zip(*sizes, strict=True)), default=0)
        share = self._prior[0].size / max(min(self._sizes), 1)
        limit = MAX_DISTANT_SENTENCES if share < _DISTANT else MAX_SENTENCES
        return ROUNDS if sentences <= limit else 1

    def _first_tables(self) -> Tables:
        from scipy.sparse import csr_array  # noqa: PLC0415

        sources, targets, values = self._prior
        matrix = csr_array((values, (sources, targets)), shape=self._sizes)
        return self._make_tables(matrix, csr_array(matrix.T), FIRST_MIX)

    def _make_tables(self, forward: Any, backward: Any, mix: float) -> Tables:
        return (
            Table.make(forward, self._unigrams[1], self._weights[1], mix),
            Table.make(backward, self._unigrams[0], self._weights[0], mix),
        )


def _cut(
    shared: tuple[Spool[tuple[Side, Side]], Tables | None],
    task: tuple[int, Parameters],
) -> list[bytes]:
    (texts, tables), (number, parameters) = shared, task
    return [*map(pack, cut_text(number, *texts[number], parameters, tables))]


def _align(
    shared: tuple[Spool[Piece], tuple[Tables | None, float]],
    task: tuple[int, Parameters],
) -> bytes:
    (pieces, model), (number, parameters) = shared, task
    return pack(align_piece(pieces[number], parameters, *model))


def _align_and_rate(
    shared: tuple[Spool[Piece], Tables], task: tuple[int, Parameters]
) -> bytes:
    (pieces, tables), (number, parameters) = shared, task
    piece = pieces[number]
    found = align_piece(piece, parameters, tables, TEMPERATURE, least=None)
    return pack((found, rate(piece, found, parameters, tables, TEMPERATURE)))


def _make_null_beads(source: Side, target: Side) -> list[Bead]:
    """Return beads in which no sentence has a translation."""
    beads = [Bead((row,), (), 1.0) for row in range(len(source))]
    return beads + [Bead((), (column,), 1.0) for column in range(len(target))]
