"""Random programs without end: ``PYTHONPATH=. python tests/dependence/fuzz.py --count 5000``.

Failing programs are shrunk and saved; the exit status is 1 if there are any.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.dependence.campaign import drawn_programs, failures_among, shrunk
from tests.dependence.comparison import DependenceJudge
from tests.execution.fuzz import Checked, Job, main


def checked(job: Job) -> Checked:
    """Draw a batch and check it; count how many analyses were exact."""
    seed, number, is_shrinking = job
    judge = DependenceJudge()
    found = list(failures_among(drawn_programs(number, seed), judge))
    return Checked([(each, shrunk(each) if is_shrinking else each) for each in found], judge.counts)


if __name__ == "__main__":
    sys.exit(main(checked, Path("build/dependence-failures")))
