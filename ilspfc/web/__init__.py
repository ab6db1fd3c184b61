"""The floor of everything that reads the web: addresses."""
