# What a task knows about the worker that runs it.

class _ThreadState:
    key: object

thread_state: _ThreadState

def get_worker() -> object: ...
