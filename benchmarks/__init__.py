"""Measurements of speed, memory and growth."""
