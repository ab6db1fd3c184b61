"""The report of a corpus: documents, losses by reason, samples, settings and versions."""
