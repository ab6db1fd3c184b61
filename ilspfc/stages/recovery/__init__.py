"""Index and frontier made of the files of a corpus, or of several."""
