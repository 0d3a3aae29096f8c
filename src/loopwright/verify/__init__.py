"""Proof by reading back: the emitted text is read again and shown to be the same program."""
