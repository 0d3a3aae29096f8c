"""Random programs with regions: loops, what they wear, and what becomes of them."""
