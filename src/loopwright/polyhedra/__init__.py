"""Named-dimension arithmetic over isl: the only place where positions of dimensions matter."""
