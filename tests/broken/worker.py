"""The process in which the command line is run on one program after another.

Each line of standard input is a list of arguments in JSON, with the file that becomes standard
input in front; each line of standard output is the exit status, or null after an exception.  What
the command wrote lies in the files ``stdout`` and ``stderr`` of the working folder.
"""

from __future__ import annotations

import io
import json
import os
import resource
import sys
import threading
import traceback

MEMORY = 6 * 2**30
AGAIN = "again"


def main() -> None:
    """Answer until standard input ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    from loopwright import cli
    from loopwright.frontend import reading

    del reading
    if AGAIN not in sys.argv:
        print("ready", file=answers, flush=True)
    for line in requests:
        stdin, *arguments = json.loads(line)
        _redirect(stdin)
        status = _status(cli.main, arguments)
        sys.stdout.flush()
        sys.stderr.flush()
        print(json.dumps(status), file=answers, flush=True)
        if threading.active_count() > 1:
            _start_over(requests.fileno(), answers.fileno())


def _start_over(requests: int, answers: int) -> None:
    """Get rid of a parser that was given up on but still runs in its thread."""
    os.dup2(requests, 0)
    os.dup2(answers, 1)
    os.execv(sys.executable, [sys.executable, __file__, AGAIN])


def _redirect(stdin: str) -> None:
    """Files in the place of the three standard streams, for C code too."""
    modes = ((stdin, os.O_RDONLY), ("stdout", os.O_WRONLY), ("stderr", os.O_WRONLY))
    for descriptor, (name, mode) in enumerate(modes):
        opened = os.open(name, mode | (os.O_CREAT | os.O_TRUNC if descriptor else 0), 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), encoding="utf-8")
    sys.stderr = io.TextIOWrapper(
        io.FileIO(2, "w", closefd=False), encoding="utf-8", errors="backslashreplace"
    )


def _status(command: object, arguments: list[str]) -> int | None:
    assert callable(command)
    sys.argv = ["loopwright", *arguments]
    try:
        command()
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else int(exit_.code is not None)
    except BaseException:
        sys.stderr.write(traceback.format_exc())
        return None
    return 0


if __name__ == "__main__":
    main()
