"""Which candidates are the pairs: what pairing proposes, less what alignment has refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.alignment import is_parallel
from ilspfc.atomic import open_atomic
from ilspfc.corpus import counts as figures
from ilspfc.pairing.baselines.ilsp_fc import assign
from ilspfc.text.codes import to_bcp47

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ilspfc.corpus.records import PairEntry
    from ilspfc.documents import DocumentPair
    from ilspfc.stages.corpus import Corpus

_COLUMNS = (
    "url1",
    "url2",
    "probability",
    "evidence",
    "file1",
    "file2",
    "tokens1",
    "tokens2",
    "margin",
    "null_share",
    "mean_score",
)


def find_not_parallel(corpus: Corpus, langs: tuple[str, str]) -> set[tuple[str, str]]:
    """Return the candidates (ids of both documents) that alignment has found to be none."""
    settings = corpus.settings
    bounds = {
        "max_null_share": settings.getfloat("ALIGNMENT_MAX_NULL_SHARE"),
        "min_mean_score": settings.getfloat("ALIGNMENT_MIN_MEAN_SCORE"),
    }
    return {
        key
        for key, measured in corpus.bitext.figures(*langs).items()
        if not is_parallel(*measured, **bounds)
    }


def settle_pairs(
    corpus: Corpus, langs: tuple[str, str], candidates: Iterable[DocumentPair]
) -> None:
    """Record the pairs among candidates, one-to-one, and write ``pairs/<l1>-<l2>.tsv``.

    What alignment has found not to be parallel is no pair; its documents are free for
    others.
    """
    refused = find_not_parallel(corpus, langs)
    found = list(candidates)
    free = [pair for pair in found if (pair.source, pair.target) not in refused]
    pairs = assign(free)
    chosen = {(pair.source, pair.target) for pair in pairs}
    corpus.bitext.set_pairs(
        *langs,
        pairs,
        taken=[pair for pair in free if (pair.source, pair.target) not in chosen],
        not_parallel=[p for p in found if (p.source, p.target) in refused],
    )
    _write_pairs(corpus, langs)


def count_unpaired(corpus: Corpus) -> None:
    """Count the documents that have no pair, by the reason."""
    corpus.index.set_drops("pairing", figures.count_unpaired(corpus.index))


def _write_pairs(corpus: Corpus, langs: tuple[str, str]) -> None:
    """Write the list of pairs, the most probable first."""
    source_lang, target_lang = langs
    path = corpus.files.pairs_file(to_bcp47(source_lang), to_bcp47(target_lang))
    with open_atomic(path) as stream:
        stream.write(_line(_COLUMNS))
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
                *_figures(entry),
            )
            stream.write(_line(cells))


def _figures(entry: PairEntry) -> tuple[str, str]:
    """Return what alignment says of a pair, empty before it has looked."""
    if entry.null_share is None or entry.mean_score is None:
        return "", ""
    return f"{entry.null_share:.4f}", f"{entry.mean_score:.4f}"


def _line(cells: tuple[str, ...]) -> bytes:
    return ("\t".join(" ".join(cell.split()) for cell in cells) + "\n").encode()
