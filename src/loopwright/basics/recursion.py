"""Room for deep trees: Python's default limit is made for hand-written recursion."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager

DEEPEST = 20_000


@contextmanager
def deep_recursion() -> Generator[None]:
    """Let recursion go as deep as the stack of a thread allows with room to spare."""
    previous = sys.getrecursionlimit()
    sys.setrecursionlimit(max(previous, DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(previous)
