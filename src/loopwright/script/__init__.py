"""A language for transformations of loops (Loopy, Namjoshi and Singhania 2016)."""
