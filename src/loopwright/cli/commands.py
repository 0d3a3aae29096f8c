"""The application with all of its commands."""

from loopwright.cli import optimizing, reading, scanning, scheduling, scripting
from loopwright.cli.application import app

__all__ = ["app", "optimizing", "reading", "scanning", "scheduling", "scripting"]
