"""Blocks of a page: one walk over its parse."""
