"""The application with all of its commands."""

from loopwright.cli import checking, optimizing, reading, scanning, scheduling, scripting, tuning
from loopwright.cli.application import app

__all__ = [
    "app",
    "checking",
    "optimizing",
    "reading",
    "scanning",
    "scheduling",
    "scripting",
    "tuning",
]
