"""``loopwright`` for tests that call it often: in processes that are forked instead of started.

Half of a short command is Python loading the compiler.  A server loads everything once; for each
call it forks a process with the streams, the folder, the environment and the arguments of the
caller, and that one runs :func:`loopwright.cli.main` like any other.  The caller is a small program
with the name of the command, which waits for the exit status.

What depends on how a process starts or ends (signals, odd streams, imports) is called as it is.
"""

from __future__ import annotations

import atexit
import io
import os
import pkgutil
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
from functools import cache
from importlib import import_module
from pathlib import Path

ADDRESS = "LOOPWRIGHT_TEST_SERVER"
MOST = 2**20
"""Bytes of a call."""
WAITING = 5.0
"""Seconds after which the server looks whether anybody is there who could call it."""
NOT_LOADED = ("cluster", "worker", "milp", "__main__")
"""Parts that need packages which few commands need."""

CALLER = """\
#!{python} -IS
import os, socket, sys
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    words = [os.getcwd(), str(len(sys.argv)), *sys.argv]
    words += [f"{{name}}={{value}}" for name, value in os.environ.items()]
    content = "\\0".join(words).encode(errors="surrogateescape")
    socket.send_fds(server, [len(content).to_bytes(4, "big")], [0, 1, 2])
    server.sendall(content)
    status = server.recv(1)
os._exit(status[0] if status else 70)
"""


@cache
def command() -> Path:
    """The command, once the server is ready; both are there until this process ends."""
    folder = Path(tempfile.mkdtemp(prefix="loopwright-command-"))
    address = str(folder / "server")
    caller = folder / "loopwright"
    caller.write_text(CALLER.format(python=sys.executable, address=address))
    caller.chmod(0o755)
    server = subprocess.Popen(
        [sys.executable, __file__, address], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    atexit.register(_end, server, folder)
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    return caller


def _end(server: subprocess.Popen[bytes], folder: Path) -> None:
    server.kill()
    server.wait()
    shutil.rmtree(folder, ignore_errors=True)


# --- the server -----------------------------------------------------------------------------------


def serve(address: str) -> None:
    """Answer calls for as long as the process that has started this one lives."""
    import loopwright

    for each in pkgutil.walk_packages(loopwright.__path__, "loopwright."):
        if not each.name.endswith(NOT_LOADED):
            import_module(each.name)
    parent = os.getppid()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        listening.settimeout(WAITING)
        print("ready", flush=True)
        while os.getppid() == parent:
            try:
                caller, _ = listening.accept()
            except TimeoutError:
                continue
            if os.fork() == 0:
                listening.close()
                _answer(caller)
            caller.close()


def _answer(caller: socket.socket) -> None:
    """Let a child do what is asked for, and tell how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    caller.settimeout(None)
    length, streams, _, _ = socket.recv_fds(caller, 4, 3)
    content = b""
    while len(content) < int.from_bytes(length, "big"):
        content += caller.recv(MOST)
    words = content.decode(errors="surrogateescape").split("\0")
    child = os.fork()
    if child == 0:
        caller.close()
        os._exit(_done(words, streams))
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    caller.sendall(bytes([code if code >= 0 else 128 - code]))
    os._exit(0)


def _done(words: list[str], streams: list[int]) -> int:
    """The exit status of the command."""
    folder, count, *rest = words
    os.chdir(folder)
    os.environ.clear()
    for each in rest[int(count) :]:
        name, _, value = each.partition("=")
        os.environ[name] = value
    sys.argv = rest[: int(count)]
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin, sys.stdout, sys.stderr = (_opened(number) for number in range(3))
    from loopwright.cli import main

    try:
        main()
        status = 0
    except SystemExit as wanted:
        status = wanted.code if isinstance(wanted.code, int) else int(wanted.code is not None)
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def _opened(number: int) -> io.TextIOWrapper:
    """A standard stream, as Python opens it."""
    mode = "r" if number == 0 else "w"
    errors = "backslashreplace" if number == 2 else "strict"
    return open(number, mode, encoding="utf-8", errors=errors, closefd=False)


if __name__ == "__main__":
    serve(sys.argv[1])
