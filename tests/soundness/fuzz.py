"""Random surroundings: ``PYTHONPATH=. python tests/soundness/fuzz.py --count 20000 --seed 1``.

Programs wear macros, conditionals, pragmas, attributes, quotes and whatever else C programs wear
around random loops; other loops take the place of these, and small changes are made.  Where
``check`` says that both programs are the same, gcc compiles them, and they run: a difference is a
finding, which is made smaller and saved.  What should have been accepted and was not is counted by
what it wears and by the reason that was given.

The exit status is 1 if there are findings.  ``--only N`` judges one case of the campaign again.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.soundness.judging import seen, slow_teams
from tests.soundness.outcomes import Outcome, Tally, save_case, saved
from tests.soundness.surroundings.cases import Case
from tests.soundness.workers import LONGEST, Judge, Worker, answers


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=1000, help="how many cases")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the campaign")
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--only", type=int, default=None, metavar="N", help="judge one case")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--most", type=int, default=50, help="stop after so many findings")
    parser.add_argument("--minutes", type=float, default=1e9, help="for all of them")
    parser.add_argument(
        "--without-compiler", action="store_true", help="loopwright is to find none"
    )
    parser.add_argument(
        "--folder", type=Path, default=Path("build/fuzz-surroundings"), help="for findings"
    )
    return parser.parse_args()


def judged_alone(wanted: argparse.Namespace, teams: Path) -> int:
    """Show one case and what becomes of it."""
    judge = Judge(wanted.seed, teams, has_compiler=not wanted.without_compiler)
    outcome = judge.outcome(wanted.only)
    case = outcome.case
    print(f"--- before\n{case.before}\n--- after\n{case.after}")
    for name, content in case.files.items():
        print(f"--- {name}\n{content}")
    print(f"--- {case.standard} {case.define} {case.family} {case.is_right}")
    print(f"worn: {case.worn}\nchanges: {case.changes}")
    print(f"{outcome.said}\n{outcome.seen or seen(case, teams)}\n{outcome.defined}")
    return int(outcome.is_finding)


def told(found: Outcome, folder: Path) -> str:
    """What is to be said at once; a pair to look at is saved."""
    if found.is_finding:
        return f"FINDING {saved(folder, found)}: {found.seen} {found.defined}"
    if found.seen is not None and "overlap" in found.seen.word:
        return f"ASSUMED {saved(folder, found)}: {found.said.reason}"
    if found.said.word == "crashed" or found.seconds > LONGEST:
        return f"{found.case.name}: {found.said} in {found.seconds:.0f} s"
    return ""


def campaign(wanted: argparse.Namespace, teams: Path) -> int:
    """Judge many cases and say how it went."""
    print(f"{wanted.count} cases from seed {wanted.seed}", flush=True)
    started = time.monotonic()
    tally = Tally()

    def questions() -> Iterator[int]:
        for number in range(wanted.first, wanted.first + wanted.count):
            late = time.monotonic() > started + 60 * wanted.minutes
            if late or tally.findings >= wanted.most:
                return
            yield number

    judge = Judge(wanted.seed, teams, has_compiler=not wanted.without_compiler)
    workers = [Worker(judge) for _ in range(wanted.jobs)]
    for found in answers(questions(), workers):
        if isinstance(found, Case):
            save_case(wanted.folder / f"{found.name}-smaller", found)
            print(f"smaller: {wanted.folder / found.name}-smaller", flush=True)
            continue
        tally.take(found)
        note = told(found, wanted.folder)
        if note:
            print(note, flush=True)
        if tally.words.total() % 500 == 0:
            print(f"{tally.words.total()} in {time.monotonic() - started:.0f} s", flush=True)
    for worker in workers:
        worker.end()
    total, duration = tally.words.total(), time.monotonic() - started
    print(f"\n{total} cases in {duration:.0f} s, {tally.findings} findings")
    print("\n".join(tally.told()))
    return int(tally.findings > 0)


def main() -> int:
    """Do what the arguments ask for."""
    wanted = _arguments()
    with tempfile.TemporaryDirectory(prefix="teams-") as made:
        teams = slow_teams(Path(made))
        if wanted.only is not None:
            return judged_alone(wanted, teams)
        return campaign(wanted, teams)


if __name__ == "__main__":
    sys.exit(main())
