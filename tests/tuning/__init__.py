"""Tests of the machine and of measuring."""
