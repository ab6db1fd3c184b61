"""Language: codes, names, identification and sentence splitting."""
