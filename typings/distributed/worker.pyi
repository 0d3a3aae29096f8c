# What a task knows about the worker that runs it.

from typing import Any

thread_state: Any
"""An object for each thread; where a task runs, it has its ``key``."""

def get_worker() -> object: ...
