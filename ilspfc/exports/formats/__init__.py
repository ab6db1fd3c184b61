"""Formats of exports that other tools read, a module each."""
