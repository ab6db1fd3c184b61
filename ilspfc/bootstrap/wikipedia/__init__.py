"""Wikipedia as a source of terms and seeds: API and SQL dumps."""
