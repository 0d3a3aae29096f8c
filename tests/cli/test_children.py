"""Children wait for their task, do it, and go when there is none."""

from __future__ import annotations

import os
import signal
from functools import partial

import pytest

from loopwright.cli import children
from loopwright.cli.children import BROKEN, OUT_OF_MEMORY, dismiss_prepared, next_child, prepare


def _tell(text: str, told: int) -> None:
    os.write(told, text.encode())


def _fail(error: BaseException, told: int) -> None:
    del told
    raise error


def test_a_task_tells_how_far_it_came() -> None:
    status, told = next_child().finish(partial(_tell, "1\n2\n"))
    assert os.waitstatus_to_exitcode(status) == 0
    assert told == "1\n2\n"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (SystemExit(2), 2),
        (MemoryError(), OUT_OF_MEMORY),
        (BrokenPipeError(), 141),
        (KeyboardInterrupt(), 130),
        (ValueError(), BROKEN),
    ],
    ids=lambda each: type(each).__name__,
)
def test_what_ends_a_task_is_a_status(
    error: BaseException, expected: int, capfd: pytest.CaptureFixture[str]
) -> None:
    status, _ = next_child().finish(partial(_fail, error))
    assert os.waitstatus_to_exitcode(status) == expected
    assert ("ValueError" in capfd.readouterr().err) == isinstance(error, ValueError)


def test_a_prepared_child_is_the_next_one() -> None:
    prepare(["json", "no_such_module"])
    (prepared,) = children._waiting
    assert next_child() is prepared
    assert prepared.finish(partial(_tell, "3"))[1] == "3"
    assert not children._waiting


def test_a_child_that_nobody_needs_is_gone() -> None:
    prepare([])
    (prepared,) = children._waiting
    dismiss_prepared()
    assert not children._waiting
    with pytest.raises(ProcessLookupError):
        os.kill(prepared.process, 0)


def test_a_child_that_died_while_it_waited_has_a_status() -> None:
    prepare([])
    (prepared,) = children._waiting
    os.kill(prepared.process, signal.SIGKILL)
    # More than a pipe holds: it cannot be written.
    status, told = next_child().finish(partial(_tell, "x" * 1_000_000))
    assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
    assert told == ""


def _tell_in_spite_of_an_interrupt(told: int) -> None:
    os.kill(os.getpid(), signal.SIGINT)
    os.write(told, b"4")


def test_an_interrupt_is_for_the_parent() -> None:
    """Ctrl-C reaches both; the parent decides what becomes of the child."""
    status, told = next_child().finish(_tell_in_spite_of_an_interrupt)
    assert (os.waitstatus_to_exitcode(status), told) == (0, "4")


def test_a_child_whose_parent_is_gone_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    child = next_child()
    os.close(child.tasks)
    _, status = os.waitpid(child.process, 0)
    os.close(child.told)
    assert os.waitstatus_to_exitcode(status) == 0
    assert capfd.readouterr().err == ""
