"""The whole compiler: C in, other C out, and both compute the same bits."""
