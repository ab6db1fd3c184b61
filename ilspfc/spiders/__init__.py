"""Spiders: monolingual and bilingual crawls."""
