"""Measures reading Wikipedia's SQL dumps: rows a second, and memory.

``python -m benchmarks.bootstrap`` writes dumps of wikis of two sizes to a temporary folder
(one article in ten a category, each article in four; a subject's category with subcategories
to depth 3) and collects the subject's concepts. Only reading is timed.
"""

from __future__ import annotations

import gzip
import resource
import sys
import tempfile
import time
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from random import Random

from ilspfc.bootstrap.concepts import BootstrapLog, Subject
from ilspfc.bootstrap.dumps import iter_dumps

SIZES = (100_000, 1_000_000)
PAGES_PER_CATEGORY = 10
CATEGORIES_OF_A_PAGE = 4
# The subject has so many categories below its own.
SUBCATEGORIES = 200
ROWS_OF_AN_INSERT = 5_000
# The target, for the largest size.
MAX_MEGABYTES = 1_000.0

TABLES = {
    "page": "page_id page_namespace page_title page_is_redirect",
    "linktarget": "lt_id lt_namespace lt_title",
    "categorylinks": "cl_from cl_sortkey cl_type cl_target_id",
    "langlinks": "ll_from ll_lang ll_title",
    "externallinks": "el_id el_from el_to_domain_index el_to_path",
}


def write_dump(folder: Path, table: str, rows: Iterable[str]) -> None:
    """Write a table as mysqldump does."""
    names = TABLES[table].split()
    columns = ",\n".join(f"  `{name}` int(10) NOT NULL" for name in names)
    path = folder / f"enwiki-latest-{table}.sql.gz"
    with gzip.open(path, "wt", compresslevel=1, encoding="utf-8") as file:
        file.write(f"CREATE TABLE `{table}` (\n{columns}\n) ENGINE=InnoDB;\n")
        batch: list[str] = []
        for row in rows:
            batch.append(row)
            if len(batch) == ROWS_OF_AN_INSERT:
                file.write(f"INSERT INTO `{table}` VALUES {','.join(batch)};\n")
                batch.clear()
        if batch:
            file.write(f"INSERT INTO `{table}` VALUES {','.join(batch)};\n")


def write_wiki(folder: Path, pages: int) -> int:
    """Write the dumps of a wiki; return the number of rows."""
    categories = pages // PAGES_PER_CATEGORY
    random = Random(1)
    numbers = range(1, pages + 1)

    def links() -> Iterable[str]:
        for child in range(1, categories + 1):
            # The first categories are the subject's tree, the others one of their own.
            within = child <= SUBCATEGORIES
            parent = child // 6 if within else random.randrange(SUBCATEGORIES, child)
            if parent:
                yield f"({pages + child},'SORT KEY','subcat',{parent})"
        for page in numbers:
            for _ in range(CATEGORIES_OF_A_PAGE):
                yield f"({page},'SORT KEY','page',{random.randint(1, categories)})"

    write_dump(
        folder,
        "page",
        chain(
            (f"({n},0,'Article_{n}',0)" for n in numbers),
            (f"({pages + n},14,'Category_{n}',0)" for n in range(1, categories + 1)),
        ),
    )
    write_dump(
        folder,
        "linktarget",
        (f"({n},14,'Category_{n}')" for n in range(1, categories + 1)),
    )
    write_dump(folder, "categorylinks", links())
    write_dump(folder, "langlinks", (f"({n},'de','Artikel {n}')" for n in numbers))
    write_dump(
        folder,
        "externallinks",
        (f"({n},{n},'https://org.example.www.','/page/{n}')" for n in numbers),
    )
    return pages * (CATEGORIES_OF_A_PAGE + 3) + 3 * categories


def measure(pages: int) -> None:
    """Print what collecting a subject from a wiki of so many articles costs."""
    with tempfile.TemporaryDirectory(prefix="ilspfc-") as name:
        rows = write_wiki(Path(name), pages)
        started = time.process_time()
        subject = Subject("Category 1", ("eng", "deu"), 3, 5000)
        found = list(iter_dumps(Path(name), subject, BootstrapLog()))
        seconds = time.process_time() - started
    print(
        f"{pages:,} articles, {rows:,} rows: {len(found):,} concepts; {seconds:.1f} s,"
        f" {peak_megabytes():.0f} MB"
    )


def peak_megabytes() -> float:
    """Return the memory of the process at its largest."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    """Print all figures; return 1 if the target is missed."""
    for pages in SIZES:
        measure(pages)
    is_met = peak_megabytes() <= MAX_MEGABYTES
    print(f"at most {MAX_MEGABYTES:.0f} MB: {'met' if is_met else 'MISSED'}")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
