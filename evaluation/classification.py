"""Measures relevance on pages of real sites whose subjects are known.

``python -m evaluation.classification`` takes the labels of the network-security domain: the
pages of the Debian handbook's chapters on networks and security are in it, the other
chapters, the installation guide and LilyPond's manuals are not; what is neither is left out.
It prints how well the paper's score and the learned probability tell them apart, what the
default thresholds keep, and what is left of that by the decision at the end of a crawl, for each
bound of its probability and by site. The learned probability of a page comes from a model that
saw neither it nor, off the handbook, its site; that of the decision from other sites altogether
(``evaluation.train_subject``). Fails when a figure is below its floor.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from scrapy.settings import Settings
from sklearn.metrics import roc_auc_score

from evaluation.data import DATA, PROJECT, SITES, build_sites, skip_text
from ilspfc import settings as defaults
from ilspfc.classification.definition import Domain, check_domain, parse_domain
from ilspfc.classification.learned import RelevanceLearner, fit_model, make_training_set
from ilspfc.classification.relevance import RelevanceScorer, Thresholds
from ilspfc.cleaning.page import CleaningReason, clean_page, count_clean_tokens
from ilspfc.crawl.domain_terms import (
    make_matchers,
    make_page_features,
    make_thresholds,
)
from ilspfc.crawl.learned_relevance import LearnedRelevance
from ilspfc.decisions.subject import (
    neighbor_evidence,
    pool_odds,
    subject_odds,
    term_evidence,
)
from ilspfc.documents import Document, document_id
from ilspfc.language.identification import identify_page
from ilspfc.spiders.bilingual import BilingualSpider
from ilspfc.text.codes import to_iso639_3
from ilspfc.text.log_odds import to_probability
from ilspfc.web.urls import canonicalize

if TYPE_CHECKING:
    from ilspfc.text.arrays import FloatArray

BASELINE = PROJECT / "evaluation" / "baseline.json"
NAMES = ("debian-handbook", "installation-guide", "lilypond", "apache-manual")
HANDBOOK = NAMES[0]
LANGS = ("deu", "ita")
FOLDS = 5
# The paper's rule without the bound on density, and with it; then probabilities.
PROBABILITIES = (0.2, 0.5, 0.8)
# The curve of the decision at the end of a crawl.
BOUNDS = (0.1, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass
class LabelledPage:
    """A page as the language stage leaves it. ``label`` is in, out or grey."""

    site: str
    path: str
    label: str
    document: Document
    probability: float = 0.0
    word_odds: float = 0.0

    @property
    def fold(self) -> int:
        """The part of the pages that is held out together with this one."""
        if self.site == HANDBOOK:
            return crc32(self.path.encode()) % FOLDS
        return NAMES.index(self.site) - 1


def read_labeled_document(
    row: dict[str, str], langs: tuple[str, ...]
) -> Document | None:
    """Return the document of a page of a site, None if it is not in the language said."""
    body = (SITES / row["site"] / "www" / row["path"]).read_bytes()
    url = f"http://{row['site']}.example/{row['path']}"
    document = clean_page(body, url=url, identity=document_id(url))
    if isinstance(document, CleaningReason):
        return None
    document.lang, document.paragraphs = identify_page(document.paragraphs, langs)
    document.tokens = count_clean_tokens(document.paragraphs)
    return document if document.lang == to_iso639_3(row["lang"]) else None


def _read_page(row: dict[str, str]) -> LabelledPage | None:
    document = read_labeled_document(row, LANGS)
    if document is None:
        return None
    return LabelledPage(row["site"], row["path"], row["label"], document)


def read_pages(labels: Path) -> list[LabelledPage]:
    """Return the pages that have their language: untranslated ones are another matter."""
    with labels.open(encoding="utf-8", newline="") as file:
        rows = [
            row
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if to_iso639_3(row["lang"]) in LANGS and row["status"] != "untranslated"
        ]
    with ProcessPoolExecutor(2) as pool:
        return [page for page in pool.map(_read_page, rows, chunksize=50) if page]


def learn(pages: Sequence[LabelledPage], learned: LearnedRelevance) -> None:
    """Set the learned probability of each page."""
    readers = {lang: make_page_features(lang) for lang in LANGS}
    examples = []
    for page in pages:
        texts = (paragraph.text for paragraph in page.document.clean_paragraphs)
        words = readers[page.document.lang].read(texts)
        examples.append(learned.example(page.document, words))
    for fold in range(FOLDS):
        learner = RelevanceLearner()
        for page, example in zip(pages, examples, strict=True):
            if page.fold != fold:
                learner.learn(page.document.id, example)
        model = fit_model(make_training_set(learner))
        for page, example in zip(pages, examples, strict=True):
            if page.fold == fold:
                page.probability = model.probability(example)
                page.word_odds = model.word_odds(example)


def area(pages: Sequence[LabelledPage], scores: Sequence[float]) -> float:
    """Return the area under the ROC curve."""
    return float(roc_auc_score([page.label == "in" for page in pages], scores))


def precision_recall(
    pages: Sequence[LabelledPage], kept: Sequence[bool]
) -> tuple[float, float]:
    """Return precision and recall of the pages kept."""
    right = sum(
        keep and page.label == "in" for page, keep in zip(pages, kept, strict=True)
    )
    wanted = sum(page.label == "in" for page in pages)
    return right / max(sum(kept), 1), right / wanted


def thresholds_of(domain: Domain) -> dict[str, Thresholds]:
    """Return the default thresholds of both spiders, without and with density."""
    found = {}
    for name in ("monolingual", "bilingual"):
        for density in (0, defaults.CLASSIFICATION_MIN_DENSITY):
            settings = Settings()
            settings.setmodule(defaults)
            if name == "bilingual":
                settings.setdict(BilingualSpider.custom_settings or {})
            settings.set("CLASSIFICATION_MIN_DENSITY", density, "cmdline")
            found[f"{name}, density {density}"] = make_thresholds(domain, settings)
    return found


def judge_subject(
    pages: Sequence[LabelledPage], rule: Thresholds, unit: float, *, learned: bool
) -> FloatArray:
    """Return the probability of each page at the end of a crawl, 0 for dropped pages.

    With ``learned``, what the classifier says of its words counts as well.
    """
    documents = [page.document for page in pages]
    accepted = np.array([rule.accept(document) for document in documents])
    relevance = np.array([document.relevance for document in documents])
    tokens = np.array([document.tokens for document in documents], float)
    values = np.where(accepted, term_evidence(relevance, tokens, unit), 0.0)
    places = {document.id: place for place, document in enumerate(documents)}
    neighbors = neighbor_evidence(values, iter_links(documents, accepted, places))
    odds = subject_odds(values, neighbors)
    if learned:
        odds = pool_odds(odds, np.array([page.word_odds for page in pages]))
    found: FloatArray = np.where(accepted, to_probability(odds), 0.0)
    return found


def iter_links(
    documents: Sequence[Document], accepted: Iterable[bool], places: Mapping[str, int]
) -> Iterator[tuple[int, int]]:
    """Yield the links of accepted documents to others, as places."""
    for place, (document, is_source) in enumerate(
        zip(documents, accepted, strict=True)
    ):
        for link in document.links if is_source else ():
            target = places.get(document_id(canonicalize(link.url)))
            if target is not None:
                yield place, target


def describe_subject(
    pages: Sequence[LabelledPage], thresholds: dict[str, Thresholds], unit: float
) -> Iterator[tuple[str, float]]:
    """Yield names and figures of the decision at the end of a crawl.

    Grey pages are neighbors like all others, and are not judged.
    """
    for name, rule in thresholds.items():
        if name.endswith("density 0"):
            continue
        spider = name.partition(",")[0]
        for kind, learned in (("decision", False), ("decision with classifier", True)):
            found = judge_subject(pages, rule, unit, learned=learned)
            judged = [
                (page, p)
                for page, p in zip(pages, found.tolist(), strict=True)
                if page.label != "grey"
            ]
            for bound in (defaults.DECISIONS_MIN_RELEVANCE, *BOUNDS):
                kept = [p > 0 and p >= bound for _, p in judged]
                precision, recall = precision_recall([one for one, _ in judged], kept)
                yield f"precision {spider}, {kind} >= {bound}", precision
                yield f"recall {spider}, {kind} >= {bound}", recall
            for site in NAMES:
                bound = defaults.DECISIONS_MIN_RELEVANCE
                own = [p for page, p in judged if page.site == site and p > 0]
                yield f"{spider}, {kind}, {site}: kept before", len(own)
                yield f"{spider}, {kind}, {site}: kept", sum(p >= bound for p in own)


def describe(
    pages: Sequence[LabelledPage], thresholds: dict[str, Thresholds]
) -> Iterator[tuple[str, float]]:
    """Yield names and figures of the pages of one language."""
    relevance = [page.document.relevance for page in pages]
    learned = [page.probability for page in pages]
    for kind, scores in (("terms", relevance), ("learned", learned)):
        yield f"AUC {kind}", area(pages, scores)
        book = [n for n, page in enumerate(pages) if page.site == HANDBOOK]
        own = area([pages[n] for n in book], [scores[n] for n in book])
        yield f"AUC {kind}, handbook alone", own
    for name, rule in thresholds.items():
        kept = [rule.accept(page.document) for page in pages]
        precision, recall = precision_recall(pages, kept)
        yield f"precision {name}", precision
        yield f"recall {name}", recall
    for bound in PROBABILITIES:
        precision, recall = precision_recall(pages, [p > bound for p in learned])
        yield f"precision learned > {bound}", precision
        yield f"recall learned > {bound}", recall
    truth = np.array([page.label == "in" for page in pages], dtype=float)
    yield "share relevant", float(truth.mean())
    yield "mean learned probability", float(np.mean(learned))
    yield "Brier score of it", float(np.mean((np.array(learned) - truth) ** 2))


def evaluate(pages: Sequence[LabelledPage], domain: Domain) -> list[str]:
    """Print all figures; return which are below their floors."""
    matchers = make_matchers(domain, LANGS)
    scorer = RelevanceScorer(matchers)
    for page in pages:
        scorer.score(page.document)
    thresholds = thresholds_of(domain)
    floors = json.loads(BASELINE.read_text(encoding="utf-8"))["classification"]
    failures = []
    for lang in LANGS:
        own = [page for page in pages if page.document.lang == lang]
        with tempfile.TemporaryDirectory() as folder:
            rule = next(iter(thresholds.values()))
            learn(own, LearnedRelevance(domain, LANGS, rule, Path(folder) / "none"))
        judged = [page for page in own if page.label != "grey"]
        wanted = sum(page.label == "in" for page in judged)
        print(f"{lang}: {len(judged)} pages, {wanted} of them relevant")
        figures = [
            *describe(judged, thresholds),
            *describe_subject(own, thresholds, domain.median_weight()),
        ]
        for name, figure in figures:
            print(f"  {name}\t{figure:.3f}")
            floor = floors[lang].get(name, 0.0)
            if figure < floor:
                failures.append(f"{lang}: {name} is {figure:.3f}, the floor is {floor}")
    return failures


def main() -> int:
    """Evaluate; return 1 if a figure is below its floor."""
    labels = SITES / "domain" / "labels.tsv"
    if not labels.is_file():
        script = DATA / "sites" / "label_domain.py"
        if not script.is_file():
            print(skip_text())
            return 0
        build_sites(*NAMES)
        command = [sys.executable, str(script), str(SITES)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    definition = SITES / "domain" / "network-security.tsv"
    text = definition.read_text(encoding="utf-8")
    domain, problems = parse_domain(text, "network-security")
    failures = evaluate(
        read_pages(labels), check_domain(domain, problems, str(definition))
    )
    print(*failures or ["All figures are at or above their floors."], sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
