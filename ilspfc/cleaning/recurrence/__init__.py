"""Recurrence of blocks over the pages of a site."""
