"""Pipelines: the data's way, one thin component for each stage."""
