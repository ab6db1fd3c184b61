"""Pairing: which pages translate each other."""
