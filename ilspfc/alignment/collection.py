"""Alignment of all pairs of texts of two languages with one lexicon learned from them.

Round 0 uses lengths, numbers, punctuation and cognates. Each later round learns a lexicon
from the probable beads of all texts and realigns them with it. Alignment by lengths alone
is the same program without a lexicon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from ilspfc.alignment import parameters as calibration
from ilspfc.alignment.bead_scores import Parameters
from ilspfc.alignment.beads import PRIORS, Bead
from ilspfc.alignment.first_pass import cut_text
from ilspfc.alignment.lexical_score import Table
from ilspfc.alignment.pieces import align_piece, collect_beads
from ilspfc.alignment.quality import rate, score_beads
from ilspfc.alignment.reestimation import calibrate, gather_groups
from ilspfc.alignment.sides import TextPair, WordNumbers, count_words
from ilspfc.alignment.sorted_lists import find_lists, weigh_lists
from ilspfc.alignment.word_likeness import find_cognates
from ilspfc.spool import Spool, pack
from ilspfc.tasks import run_here
from ilspfc.text.arrays import IdArray
from ilspfc.text.vocabulary import Segments

if TYPE_CHECKING:
    from ilspfc.alignment.beads import Rating
    from ilspfc.alignment.lexical_score import Tables
    from ilspfc.alignment.pieces import Found, Piece
    from ilspfc.alignment.sides import Side
    from ilspfc.tasks import RunTasks
    from ilspfc.text.arrays import FloatArray

_Found = TypeVar("_Found")
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
) -> list[list[Bead]]:
    """Align all pairs of texts of two languages (ISO 639-3); return their beads in order.

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
    found = collection.align(train, rounds)
    return [found[number] for number in collection.places]


class _Collection:
    """The texts as token ids, and the model that each round fits to them.

    Texts are sorted by content, so that sums do not depend on the order of the input;
    ``places`` has the sorted index of each text.
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
        self.places = np.argsort(np.array(order, np.int64)).tolist()
        sources, self._source_words = left.finish([read[n][1] for n in order])
        targets, self._target_words = right.finish([read[n][2] for n in order])
        self._sizes = len(self._source_words), len(self._target_words)
        self._unigrams = (
            count_words(sources, self._sizes[0]),
            count_words(targets, self._sizes[1]),
        )
        self._texts = Spool(zip(sources, targets, strict=True))
        self._lessons = [number for number, n in enumerate(order) if read[n][3]]
        self._progress = progress
        self._run = run
        self._done = self._total = 0
        self._lists = [read[n][4] for n in order]
        self._prior = self._make_prior(dictionary)
        self._parameters = self._init_parameters()

    def align(self, train: Trainer | None, rounds: int | None) -> list[list[Bead]]:
        """Fit the model to the lessons in rounds, then align all texts with it."""
        if not self._texts or (train is not None and not min(self._sizes)):
            # There is nothing to learn from.
            return [_make_null_beads(*text) for text in self._texts]
        tables = None if train is None else self._first_tables()
        pieces = self._cut_texts(self._lessons, tables)
        if rounds is None or train is None:
            rounds = self._count_rounds() if train else 1
        if not self._lessons:  # all texts are aligned with what is known before
            rounds = 0
        self._total = rounds * len(pieces) + len(self._texts)
        for _ in range(rounds):
            found = self._align_pieces(pieces, tables, 1.0)
            self._parameters = calibrate(self._parameters, pieces, found)
            if train is None:
                continue
            groups = gather_groups(pieces, found, MIN_TRAINING_POSTERIOR)
            tables = self._make_tables(*train(*groups, self._sizes, self._prior), MIX)
            pieces = Spool(
                replace(piece, path=one.steps.nodes)
                for piece, one in zip(pieces, found, strict=True)
            )
        others = sorted(set(range(len(self._texts))) - set(self._lessons))
        pieces = Spool(chain(pieces, self._cut_texts(others, tables)))
        if tables is None:
            found = self._align_pieces(pieces, None, 1.0)
            return collect_beads(len(self._texts), pieces, found)
        rated = self._run_pieces(_align_and_rate, pieces, tables)
        found, ratings = [one for one, _ in rated], score_beads([r for _, r in rated])
        beads = collect_beads(len(self._texts), pieces, found, ratings)
        return [
            weigh_lists(*text, tables, TEMPERATURE)
            for text in zip(beads, self._texts, self._lists, strict=True)
        ]

    def _cut_texts(self, texts: Iterable[int], tables: Tables | None) -> Spool[Piece]:
        tasks = [(number, self._parameters[number]) for number in texts]
        pieces: Spool[Piece] = Spool()
        for cut in self._run(_cut, tasks, (self._texts, tables)):
            for piece in cut:
                pieces.append_packed(piece)
        return pieces

    def _align_pieces(
        self, pieces: Spool[Piece], tables: Tables | None, temperature: float
    ) -> list[Found]:
        return self._run_pieces(_align, pieces, (tables, temperature))

    def _run_pieces(
        self, function: Callable[[Any, Any], _Found], pieces: Spool[Piece], model: Any
    ) -> list[_Found]:
        """Return the result of each piece and report the progress."""
        tasks = [(n, self._parameters[piece.text]) for n, piece in enumerate(pieces)]
        results = []
        for found in self._run(function, tasks, (pieces, model)):
            results.append(found)
            self._done += 1
            self._progress(self._done, max(self._total, self._done))
        return results

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
            Table.make(forward, self._unigrams[1], mix),
            Table.make(backward, self._unigrams[0], mix),
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
) -> Found:
    (pieces, model), (number, parameters) = shared, task
    return align_piece(pieces[number], parameters, *model)


def _align_and_rate(
    shared: tuple[Spool[Piece], Tables], task: tuple[int, Parameters]
) -> tuple[Found, Rating]:
    (pieces, tables), (number, parameters) = shared, task
    piece = pieces[number]
    found = align_piece(piece, parameters, tables, TEMPERATURE, least=None)
    return found, rate(piece, found, parameters, tables, TEMPERATURE)


def _make_null_beads(source: Side, target: Side) -> list[Bead]:
    """Return beads in which no sentence has a translation."""
    beads = [Bead((row,), (), 1.0) for row in range(len(source))]
    return beads + [Bead((), (column,), 1.0) for column in range(len(target))]
