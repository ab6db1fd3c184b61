"""Coverage-guided fuzzing: targets, and the runs of them."""
