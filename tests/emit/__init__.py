"""Emitted text: printed, compiled, run, and compared with the original bit for bit."""
