"""Decisions stage: the pairs among the candidates of pairing, and their list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ilspfc.atomic import open_atomic
from ilspfc.corpus import counts as figures
from ilspfc.corpus.records import PairEntry
from ilspfc.decisions.pairs import MAX_NULL_SHARE, Figures, decide_pairs
from ilspfc.documents import DocumentPair, PairState
from ilspfc.line.subject_decision import decide_subject
from ilspfc.text.codes import to_bcp47

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus

_COLUMNS = (
    "url1 url2 probability evidence file1 file2 tokens1 tokens2"
    " margin null_share mean_score remark"
)


def run_decisions(corpus: Corpus) -> None:
    """Record the state of every candidate and write ``pairs/<l1>-<l2>.tsv``.

    Off-topic documents are set aside, and their pairs dropped. Unpaired documents and losses
    of alignment are counted by reason.
    """
    bitext = corpus.bitext
    decided = {
        langs: decide(corpus, langs, [one.pair for one in bitext.candidates(*langs)])
        for langs in dict.fromkeys([*corpus.language_pairs, *bitext.language_pairs()])
    }
    every = [
        (pair.source, pair.target)
        for states in decided.values()
        for pair, state in states.items()
        if state is PairState.PAIR and pair.source != pair.target
    ]
    off = decide_subject(corpus, every)
    for langs, states in decided.items():
        for pair, state in states.items():
            if state is PairState.PAIR and off & {pair.source, pair.target}:
                states[pair] = PairState.OFF_TOPIC
        bitext.set_states(*langs, states)
        _write_pairs(corpus, langs)
    corpus.index.set_drops("pairing", figures.count_unpaired(corpus.index))
    if losses := bitext.losses():
        corpus.index.set_drops("alignment", losses)


def decide(
    corpus: Corpus, langs: tuple[str, str], candidates: Iterable[DocumentPair]
) -> dict[DocumentPair, PairState]:
    """Return the decision on candidates of two languages."""
    figures = {
        key: Figures(*pair) for key, pair in corpus.bitext.figures(*langs).items()
    }
    return decide_pairs(
        candidates, figures, threshold=corpus.settings.getfloat("PAIRING_THRESHOLD")
    )


def _write_pairs(corpus: Corpus, langs: tuple[str, str]) -> None:
    """Write the list of pairs, the most probable first."""
    source_lang, target_lang = langs
    path = corpus.files.pairs_file(to_bcp47(source_lang), to_bcp47(target_lang))
    with open_atomic(path) as stream:
        stream.write(_format_row(_COLUMNS.split()))
        for entry in corpus.bitext.pairs(source_lang, target_lang):
            source, target = entry.source, entry.target
            cells = (
                source.url,
                target.url,
                f"{entry.pair.probability:.4f}",
                entry.pair.evidence,
                source.path,
                target.path,
                str(source.tokens),
                str(target.tokens),
                f"{entry.pair.margin:.4f}",
                *_format_figures(entry),
            )
            stream.write(_format_row(cells))


def _format_figures(entry: PairEntry) -> tuple[str, str, str]:
    """Return null share, mean score and remark of a pair, empty before it is aligned."""
    if entry.null_share is None or entry.mean_score is None:
        return "", "", ""
    remark = "partial" if entry.null_share > MAX_NULL_SHARE else ""
    return f"{entry.null_share:.4f}", f"{entry.mean_score:.4f}", remark


def _format_row(cells: Iterable[str]) -> bytes:
    return ("\t".join(" ".join(cell.split()) for cell in cells) + "\n").encode()
