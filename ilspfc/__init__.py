"""Focused crawler that mines domain-specific monolingual and bilingual corpora from the web."""

__version__ = "0.1.0"
