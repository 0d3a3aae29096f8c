"""Plans for nests, and the trees that they lead to."""
