"""Crawls and corpora over many machines: a shared frontier, parts of a corpus, stages on Dask."""
