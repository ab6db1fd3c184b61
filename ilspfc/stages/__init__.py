"""The stages over a whole corpus; the report comes last.

They are glue: each reads from the corpus what its algorithm needs and writes its result.
"""
