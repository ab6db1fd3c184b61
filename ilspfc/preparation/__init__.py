"""What comes before a crawl: a definition and seeds from a subject's name, a look at sites.

It is glue over :mod:`ilspfc.bootstrap`: sources are opened, asked over HTTP behind the
guard, and what comes of them is written for review.
"""
