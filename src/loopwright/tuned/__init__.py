"""Tuning for Python and for reports: what the tuner finds, and how it is told."""
