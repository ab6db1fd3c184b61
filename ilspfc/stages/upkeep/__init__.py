"""Upkeep of corpora: an index made again, corpora merged, pages removed."""
