"""Detection of crawler traps, copies and soft 404s."""
