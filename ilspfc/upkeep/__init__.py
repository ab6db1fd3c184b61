"""Upkeep of corpora: an index made again, corpora merged or taken in, pages removed."""
