"""Commands for the judgment of a corpus by people."""
