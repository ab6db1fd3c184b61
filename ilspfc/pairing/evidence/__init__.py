"""Kinds of evidence that two pages translate each other, one module each.

Each takes the documents in two languages and yields pairs with a probability and the name
of the evidence. They compare no document with all others: candidates come from an index.
"""
