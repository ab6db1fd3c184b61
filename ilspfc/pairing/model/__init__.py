"""Pair probabilities: features, logistic model, calibration."""
