"""Pairing: search for the pages that translate each other."""
