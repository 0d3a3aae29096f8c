"""Affine scheduling after PPCG (Verdoolaege, Janssens 2017): Pluto, with Feautrier as fallback."""
