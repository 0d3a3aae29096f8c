"""Random programs without end: ``PYTHONPATH=. python tests/dependence/fuzz.py --count 5000``.

Failing programs are shrunk and saved; the exit status is 1 if there are any.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.dependence.campaign import Failure, drawn_programs, failures_among, shrunk
from tests.execution.fuzz import Job, main


def checked(job: Job) -> list[tuple[Failure, Failure]]:
    """The failures of one batch, each with its smaller relative."""
    seed, number, is_shrinking = job
    found = list(failures_among(drawn_programs(number, seed)))
    return [(each, shrunk(each) if is_shrinking else each) for each in found]


if __name__ == "__main__":
    sys.exit(main(checked, Path("build/dependence-failures")))
