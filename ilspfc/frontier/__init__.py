"""Frontier: which URL to visit next, and which never."""
