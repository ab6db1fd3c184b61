"""Rows of Common Crawl's columnar index in Parquet files, as its index server would give them.

The columns are those of https://commoncrawl.org/columnar-index, with names of fields as in
https://commoncrawl.org/cdxj-index. Files are of the index itself or results of a query.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from ilspfc.exceptions import ArgumentError

# Columns that are needed, and those of use, with the fields of the index server.
_NEEDED = {
    "url": "url",
    "fetch_time": "timestamp",
    "fetch_status": "status",
    "warc_filename": "filename",
    "warc_record_offset": "offset",
    "warc_record_length": "length",
}
_FIELDS = {
    **_NEEDED,
    "content_mime_type": "mime",
    "content_mime_detected": "mime-detected",
    "content_languages": "languages",
    "content_truncated": "truncated",
}
_SITE = "url_host_registered_domain"
# Rows in memory at once.
_BATCH_ROWS = 1 << 14
_BUFFER_BYTES = 1 << 20


def find_tables(names: Sequence[str]) -> tuple[Path, ...]:
    """Return the Parquet files among the values of ``-a cc=``, those of folders too.

    The other values are names of crawls. ArgumentError for files beside such names, and for
    one that is missing or no table of the index.
    """
    tables: dict[Path, None] = {}
    crawls = []
    for name in names:
        path = Path(name)
        found = sorted(path.rglob("*.parquet")) or [path]
        # A folder named like a crawl may be the corpus of it.
        if (
            found != [path]
            or "/" in name
            or path.is_file()
            or path.suffix == ".parquet"
        ):
            tables.update(dict.fromkeys(found))
        else:
            crawls.append(name)
    if tables and crawls:
        raise ArgumentError(
            f"cc={','.join(names)}: files and names of crawls; give one of the two"
        )
    for path in tables:
        _open(path)
    return tuple(tables)


def _open(path: Path) -> Any:
    """Return a file as pyarrow's; ArgumentError for one that cannot be used."""
    try:
        from pyarrow import ArrowException, parquet  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ArgumentError(
            f"cc={path}: pyarrow is not installed; pip install pyarrow"
        ) from error
    try:
        # In pieces: a column of a group of rows alone may have hundreds of megabytes.
        file = parquet.ParquetFile(path, buffer_size=_BUFFER_BYTES, pre_buffer=False)
    except (ArrowException, OSError) as error:
        raise ArgumentError(
            f"cc={path}: cannot be read as Parquet ({' '.join(str(error).split())}); give names"
            " of crawls, Parquet files with rows of the columnar index, or folders of them"
        ) from error
    if missing := [name for name in _NEEDED if name not in file.schema_arrow.names]:
        raise ArgumentError(
            f"cc={path}: columns are missing ({', '.join(missing)}); of the columnar index,"
            f" {', '.join(_FIELDS)} are read"
        )
    return file


def iter_entries(path: Path, sites: Collection[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file, by the names of the index server.

    Of rows with a registered domain those of ``sites`` are read, all where there are none:
    groups of rows without them are passed over. A time without zone is in UTC. ArgumentError
    where the file is damaged.
    """
    import pyarrow as pa  # noqa: PLC0415 - an extra
    from pyarrow import compute, dataset  # noqa: PLC0415

    file = _open(path)
    there = file.schema_arrow.names
    names = [name for name in _FIELDS if name in there]
    condition, groups = None, [*range(file.num_row_groups)]
    if sites and _SITE in there:
        condition = dataset.field(_SITE).isin([*sites]) | dataset.field(_SITE).is_null()
        whole = next(dataset.dataset(path, format="parquet").get_fragments())
        groups = [group.id for group in whole.subset(condition).row_groups]
    columns = [*names, _SITE] if condition is not None else names
    try:
        for batch in file.iter_batches(_BATCH_ROWS, groups, columns):
            rows = pa.Table.from_batches([batch])
            rows = rows if condition is None else rows.filter(condition)
            time = rows["fetch_time"].cast(pa.timestamp("s", "UTC"), safe=False)
            texts = compute.strftime(time, "%Y%m%d%H%M%S")
            place = rows.column_names.index("fetch_time")
            rows = rows.set_column(place, "fetch_time", texts)
            for row in rows.select(names).to_pylist():
                yield {_FIELDS[name]: value for name, value in row.items()}
    except (pa.ArrowException, OSError) as error:
        said = " ".join(str(error).split())
        raise ArgumentError(f"cc={path}: is damaged ({said}); get it again") from error
