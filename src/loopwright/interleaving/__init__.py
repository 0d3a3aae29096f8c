"""All ways to fuse and distribute the statements of a region (Pouchet et al. 2011)."""
