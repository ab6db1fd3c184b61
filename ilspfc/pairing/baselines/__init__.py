"""Pairing methods of the founding papers."""
