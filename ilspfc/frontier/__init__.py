"""Frontier: choice of the next URL to visit, and of URLs never to visit."""
