"""Runs broken programs through the command line, and says which answers are wrong."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

from tests.broken.cases import INPUT_NAME, Case
from tests.broken.scanner import ROOT

HANG = 30.0
"""Seconds of processor time after which a program hangs the reader."""

STARVED = 120.0
"""Seconds by the clock after which we no longer wait, however busy the machine is."""

RECYCLE = 400
"""Programs that a worker reads before a fresh one takes its place."""

FIRST_LINE = re.compile(r"^(?P<file>[^\n]*):(?P<line>\d+):(?P<column>\d+): LW\d{3}: ")
LONGEST_LINE = 20_000


@dataclass(frozen=True, slots=True)
class Answer:
    """What the command said; ``status`` is the exit status, or a word where there was none."""

    status: int | str
    stdout: str
    stderr: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Failure:
    """A program that was not answered as it should be."""

    case: Case
    reason: str
    answer: Answer

    def __str__(self) -> str:
        """One line."""
        return f"{self.case.name}: {self.reason}"


def objection(case: Case, answer: Answer) -> str | None:
    """Why the answer is wrong, or nothing: a model, or status 2 and a place."""
    if "Traceback (most recent call last)" in answer.stderr or answer.status == "exception":
        return f"traceback: {_last_frame(answer.stderr)}"
    match answer.status:
        case 0:
            return _objection_to_model(case, answer)
        case 2:
            return _objection_to_message(case, answer)
        case _:
            return f"exit status {answer.status}: {answer.stderr.strip()[-120:]!r}"


def _objection_to_model(case: Case, answer: Answer) -> str | None:
    if "--json" in case.options:
        try:
            document = _deep_json(answer.stdout)
        except (ValueError, RecursionError) as error:
            return f"status 0, but the model is not JSON: {error}"
        return None if document.get("models") else "status 0, but there is no model"
    return None if answer.stdout.strip() else "status 0, but nothing was written"


def _deep_json(text: str) -> dict[str, object]:
    """A deep expression makes a deep document."""
    previous = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        return json.loads(text)
    finally:
        sys.setrecursionlimit(previous)


def _objection_to_message(case: Case, answer: Answer) -> str | None:
    if answer.stdout:
        return f"status 2, but something was written: {answer.stdout[:40]!r}"
    first = FIRST_LINE.match(answer.stderr)
    if first is None:
        return f"status 2 without a place: {answer.stderr[:120]!r}"
    if int(first["line"]) < 1 or int(first["column"]) < 1:
        return f"a place that does not exist: {first[0]!r}"
    is_input = first["file"].endswith(INPUT_NAME) or first["file"] == "<stdin>"
    lines = case.content.count(b"\n") + 1
    if is_input and int(first["line"]) > lines:
        return f"a place after the end of {lines} lines: {first[0]!r}"
    longest = max(map(len, answer.stderr.splitlines()))
    return f"a message of {longest} characters" if longest > LONGEST_LINE else None


def _last_frame(stderr: str) -> str:
    """The error, and the last line of ours that it came through."""
    frames = re.findall(r'File "[^"]*?(\w+/\w+\.py)", line (\d+), in (\w+)', stderr)
    ours = [f"{file}:{line} {name}" for file, line, name in frames if "site-packages" not in file]
    lines = stderr.strip().splitlines() or [""]
    return f"{lines[-1][:160]} at {ours[-1] if ours else 'an unknown place'}"


class Judge:
    """Judges programs in one worker process, which it starts again whenever it has to."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="loopwright-broken-"))
        self._worker: subprocess.Popen[str] | None = None
        self._read = 0

    def __enter__(self) -> Judge:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def failure(self, case: Case) -> Failure | None:
        """Read the program in the worker."""
        answer = self._answer(case)
        reason = objection(case, answer)
        return None if reason is None else Failure(case, reason, answer)

    def failure_in_process(self, case: Case) -> Failure | None:
        """Read the program with the real command, into a file that is whole or not there."""
        answer, problem = self._command(case)
        reason = problem or objection(case, answer)
        return None if reason is None else Failure(case, reason, answer)

    # --- the worker -------------------------------------------------------------------------

    def _answer(self, case: Case) -> Answer:
        if self._worker is None or self._read >= RECYCLE:
            self._stop()
            self._worker = self._started()
        self._read += 1
        path = self._folder / INPUT_NAME
        path.write_bytes(case.content)
        stdin = INPUT_NAME if case.from_stdin else os.devnull
        began = time.monotonic()
        status = self._asked([stdin, *case.arguments(INPUT_NAME)])
        seconds = time.monotonic() - began
        return Answer(status, self._written("stdout"), self._written("stderr"), seconds)

    def _started(self) -> subprocess.Popen[str]:
        worker = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("worker.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=self._folder,
            env=os.environ | {"PYTHONFAULTHANDLER": "1"},
        )
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n", "the worker does not start"
        self._read = 0
        return worker

    def _asked(self, request: list[str]) -> int | str:
        worker = self._worker
        assert worker is not None
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(json.dumps(request) + "\n")
        worker.stdin.flush()
        if not _is_ready(worker.stdout, worker.pid):
            self._stop()
            return "hang"
        line = worker.stdout.readline()
        if not line:
            code = worker.wait()
            self._worker = None
            worker.stdin.close()
            worker.stdout.close()
            return f"death by {code}"
        status = json.loads(line)
        return "exception" if status is None else int(status)

    def _written(self, name: str) -> str:
        path = self._folder / name
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def _stop(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker.wait()
            for stream in (self._worker.stdin, self._worker.stdout):
                if stream is not None:
                    stream.close()
            self._worker = None

    # --- the real command -------------------------------------------------------------------

    def _command(self, case: Case) -> tuple[Answer, str | None]:
        folder = self._folder / "real"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "out").mkdir(parents=True)
        (folder / INPUT_NAME).write_bytes(case.content)
        output = folder / "out" / "model"
        command = Path(sys.executable).with_name("loopwright")
        arguments = [str(command), *case.arguments(INPUT_NAME), "-o", str(output)]
        began = time.monotonic()
        with (
            (folder / (INPUT_NAME if case.from_stdin else "nothing")).open("ab+") as stdin,
            (folder / "stderr").open("w") as stderr,
        ):
            stdin.seek(0)
            process = subprocess.Popen(
                arguments, stdin=stdin, stdout=subprocess.PIPE, stderr=stderr, cwd=folder
            )
            assert process.stdout is not None
            status: int | str = "hang"
            if _is_ready(process.stdout, process.pid):
                status = process.wait()
            else:
                process.kill()
            with process.stdout as stream:
                printed = stream.read().decode(errors="replace")
            process.wait()
        seconds = time.monotonic() - began
        text = (folder / "stderr").read_text(encoding="utf-8", errors="replace")
        left = sorted(each.name for each in (folder / "out").iterdir())
        written = output.read_text() if output.exists() else ""
        problem = f"something was printed beside -o: {printed[:40]!r}" if printed else None
        if left != (["model"] if status == 0 else []):
            problem = f"status {status}, and the output folder holds {left}"
        return Answer(status, written, text, seconds), problem


def _is_ready(stream: IO[str] | IO[bytes], process: int) -> bool:
    """Did the process write or end before it hung?"""
    began, spent = time.monotonic(), _processor_time(process)
    while not select.select([stream], [], [], 0.5)[0]:
        is_starved = time.monotonic() - began > STARVED
        if is_starved or _processor_time(process) - spent > HANG:
            return False
    return True


def _processor_time(process: int) -> float:
    """Seconds that a process has computed; the clock would blame it for a busy machine."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def saved(failure: Failure, folder: Path) -> Path:
    """Keep a failing program, and beside it what was said about it."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"\W+", "-", failure.case.name)[:60].strip("-")
    path = folder / f"{stem}.c"
    path.write_bytes(failure.case.content)
    command = " ".join(["loopwright", *failure.case.arguments(str(path))])
    report = f"{command}\n{failure.reason}\n\n{failure.answer.stderr[-20_000:]}"
    path.with_suffix(".txt").write_text(report.replace(str(ROOT) + "/", ""))
    return path
