"""Middlewares: what may be contacted and downloaded."""
