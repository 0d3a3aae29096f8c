"""The language of transformations."""
