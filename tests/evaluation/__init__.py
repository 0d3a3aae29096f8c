"""Evaluating programs: it computes what the compiled programs compute."""
