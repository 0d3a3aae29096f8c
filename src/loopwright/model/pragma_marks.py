"""Marks of a schedule tree that ask for pragmas in front of the loops directly inside them."""

PREFIX = "omp "
"""How such a mark begins."""
VECTOR = "omp simd"
LEAST_WORK = 50_000
"""So many iterations take longer than to start threads and to wait for them."""
INSIDE = "omp inside"
"""The mark below the loop that is meant: what is further inside is not."""
