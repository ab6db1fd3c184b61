"""Thesauri in SKOS: files and Skosmos servers."""
