"""Metadata of a page: fields, dates, JSON-LD, licenses."""
