"""Forms of a site for the decision on pairs: pages without a translation among the rest.

They are made of documents, with numbers that depend on nothing but the pages' keys. *whole*
has the pages as they are; all others have clean text alone, without links, images and
markup. *short*: the first paragraphs. *missing*: a fifth of the pages of a language have no
translation. *partial*: the same, and of two pages in five but a part is translated. *news*:
articles, a share of them reported on in other words. *brief*: the same of short articles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from random import Random

from evaluation.pairing_variants import chance
from ilspfc.documents import Document, Paragraph, document_id

Documents = Mapping[str, Sequence[Document]]
"""Documents by language (ISO 639-3)."""

KeyOf = Callable[[str], str]
"""Function that returns what the versions of a page have in common, by URL."""

# Shares of pages without a translation and with a part of one, and how much of it is there.
_MISSING, _PARTIAL, _LEAST_PART, _LARGEST_PART = 0.2, 0.4, 0.1, 0.5
# Paragraphs of a page, of an article, of a short one.
_MAX_PARAGRAPHS, _ARTICLE, _BRIEF = 60, 12, 3
# Shares of articles that are reported on in place of the translation or beside it; of the
# names and numbers of the article a report has at least so many.
_REPORTED, _REPORTED_BESIDE, _MIN_NAMED = 0.2, 0.15, 0.5
# Share of pages of which each language has a half.
_HALVED = 0.35
_WORD = re.compile(r"[^\W_][\w.-]*\w|\w")


def keep(documents: Documents, _: KeyOf) -> Documents:
    """Return the pages as they are."""
    return documents


def cut(documents: Documents, _: KeyOf, *, length: int = _BRIEF) -> Documents:
    """Return the first paragraphs of the clean text of pages that have any."""
    return {
        lang: [
            replace(page, paragraphs=kept[:length], links=[], images=[], tags="")
            for page in some
            if (kept := page.clean_paragraphs)
        ]
        for lang, some in documents.items()
    }


def leave_out(documents: Documents, key_of: KeyOf, *, parts: float = 0.0) -> Documents:
    """Return the pages without some translations; of a share of the rest but a part is there."""
    return {
        lang: [
            _translate_partly(page, Random(f"{key_of(page.url)} {lang}"), parts)
            for page in some
            if chance("missing", key_of(page.url), lang) >= _MISSING
        ]
        for lang, some in cut(documents, key_of, length=_MAX_PARAGRAPHS).items()
    }


def _translate_partly(page: Document, random: Random, share: float) -> Document:
    if random.random() >= share / 2:  # the other half is that of the other language
        return page
    count = len(page.paragraphs)
    kept = max(1, round(count * random.uniform(_LEAST_PART, _LARGEST_PART)))
    start = random.randint(0, count - kept)
    return replace(page, paragraphs=page.paragraphs[start : start + kept])


def report_on(
    documents: Documents,
    key_of: KeyOf,
    *,
    length: int = _ARTICLE,
    donors_apart: float = 0.0,
) -> Documents:
    """Return articles of so many paragraphs, and reports, by language.

    A report has paragraphs of other pages with the names and numbers of an article in
    place of their own. Its URL is that of the article with ``-report`` behind it: no key.
    With ``donors_apart``, that share of the pages is left out and gives all paragraphs, so
    that none of a report has a translation.
    """
    texts = {
        lang: {key_of(one.url): one for one in some}
        for lang, some in cut(documents, key_of, length=length).items()
    }
    named = {
        key: shared_names([some[key] for some in texts.values() if key in some])
        for key in set(chain.from_iterable(texts.values()))
    }
    made: dict[str, list[Document]] = {lang: [] for lang in documents}
    for lang, some in texts.items():
        apart = [key for key in some if chance("donor", key) < donors_apart]
        donors = [(some[key], named[key]) for key in apart or some]
        for key, article in some.items():
            if key in apart:
                continue
            draw = chance("news", key, lang)
            is_alone = sum(key in others for others in texts.values()) == 1
            if not is_alone and draw < _REPORTED + _REPORTED_BESIDE:
                made[lang].append(_report(article, named[key], donors))
            if is_alone or draw >= _REPORTED:
                made[lang].append(article)
    return made


def _words(page: Document) -> list[str]:
    return [word for one in page.paragraphs for word in _WORD.findall(one.text)]


def shared_names(versions: Sequence[Document]) -> set[str]:
    """Return the words with a capital letter or a digit that all versions have."""
    shared = set.intersection(*(set(_words(page)) for page in versions))
    return {word for word in shared if word != word.lower() or word.isdigit()}


def _report(
    article: Document, named: set[str], donors: Sequence[tuple[Document, set[str]]]
) -> Document:
    random = Random(article.id)
    share = random.uniform(_MIN_NAMED, 1)
    names = [word for word in _words(article) if word in named]
    names = [word for word in names if random.random() < share]
    if random.random() < 0.5:  # events are told in an order of their own
        random.shuffle(names)
    count = len(article.paragraphs)
    paragraphs = []
    for number in range(count):
        donor, own = random.choice(donors)
        paragraph = random.choice(donor.paragraphs)
        part = names[number * len(names) // count : (number + 1) * len(names) // count]
        text = _rename(paragraph.text, own, part, random)
        paragraphs.append(Paragraph(text, paragraph.type, lang=paragraph.lang))
    url = f"{article.url}-report"
    return replace(article, id=document_id(url), url=url, paragraphs=paragraphs)


def _rename(text: str, own: set[str], names: Sequence[str], random: Random) -> str:
    """Return the text with names in place of its own; what is over goes between its words."""
    left = iter(names)
    text = _WORD.sub(
        lambda found: next(left, "") if found[0] in own else found[0], text
    )
    words = text.split()
    for name in left:
        words.insert(random.randint(0, len(words)), name)
    return " ".join(words)


def halve(documents: Documents, key_of: KeyOf) -> Documents:
    """Return pages of which a share has the first half in one language, the rest in others.

    The URL of a half ends with ``-half``: no key.
    """
    made: dict[str, list[Document]] = {}
    for number, (lang, some) in enumerate(
        cut(documents, key_of, length=_MAX_PARAGRAPHS).items()
    ):
        made[lang] = []
        for page in some:
            middle = len(page.paragraphs) // 2
            parts = page.paragraphs[:middle], page.paragraphs[middle:]
            if middle < 2 or chance("half", key_of(page.url)) >= _HALVED:
                made[lang].append(page)
                continue
            url = f"{page.url}-half"
            half = replace(page, id=document_id(url), url=url)
            made[lang].append(replace(half, paragraphs=parts[number > 0]))
    return made


FORMS: Mapping[str, Callable[[Documents, KeyOf], Documents]] = {
    "whole": keep,
    "short": cut,
    "missing": leave_out,
    "partial": partial(leave_out, parts=_PARTIAL),
    "news": report_on,
    "brief": partial(report_on, length=_BRIEF),
}
"""Forms of a site by name."""
