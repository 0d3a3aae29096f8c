"""Dependence analysis: what must run before what, and whether a schedule keeps to it."""
