"""Probability of pairs: features, logistic model, calibration."""
