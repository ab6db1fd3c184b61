"""Commands for the files that other tools take."""
