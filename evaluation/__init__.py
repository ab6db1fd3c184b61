"""Measures quality on gold data; ``baseline.json`` holds the floors."""
