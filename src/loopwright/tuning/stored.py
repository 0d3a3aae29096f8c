"""What was best when a program was tuned, for whoever wants the program without tuning it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from loopwright.basics.diagnostics import InputError
from loopwright.basics.quantities import sizes_text
from loopwright.basics.records import record
from loopwright.choosing import Wanted
from loopwright.fates import Outcome
from loopwright.targets.machine import Machine
from loopwright.tuning.candidates import Candidate, Choice
from loopwright.tuning.problems import Source, processor_name
from loopwright.tuning.store import Run, Store, opened
from loopwright.tuning.survey import survey_from
from loopwright.tuning.versions import failure_of, wanting

USUAL = "gcc"
"""The compiler that is not worth a word."""


@record
class StoredBest:
    """What was best for some functions of a program, each with the gain of its run."""

    candidate: Candidate
    runs: tuple[tuple[str, str, float, str], ...]
    """The function, when and for what, how many times as fast as the original it was, with what."""

    def lines(self) -> Iterator[str]:
        """What to tell about it.

        >>> best = Candidate(((0, Choice("source", (8,))),), ("-O2",))
        >>> list(StoredBest(best, (("f", "for n = 9", 2.5, "source, tiles 8"),)).lines())
        ['as tuned for n = 9: f was 2.5 times as fast with source, tiles 8 and the flag -O2']
        """
        for function, what, gain, label in self.runs:
            if gain <= 1.0:
                yield f"as tuned {what}: nothing was faster than {function} as it is"
                continue
            flags = f" and the flag{'s' if len(self.candidate.flags) > 1 else ''} "
            told = flags + " ".join(self.candidate.flags) if self.candidate.flags else ""
            yield f"as tuned {what}: {function} was {gain:.1f} times as fast with {label}{told}"


def stored_best(path: Path, source: Source, machine: Machine) -> StoredBest | None:
    """What the last runs that have ended found best for this text on this machine, if there are.

    Raises :class:`~loopwright.tuning.store.StoreProblem` where the store cannot be read.
    """
    with closing(opened(path, only_reading=True)) as store:
        choices: dict[int, Choice] = {}
        flags: tuple[str, ...] = ()
        runs: list[tuple[str, str, float, str]] = []
        for run in store.runs(source.digest):
            best = _best(store, run, machine)
            if best is None or any(region in choices for region, _ in best.choices):
                continue
            choices |= dict(best.choices)
            flags = best.flags or flags
            label = Candidate(best.choices).label
            runs.append((run.function, _circumstances(run), run.gain, label))
    if not runs:
        return None
    whole = sorted(choices.items(), key=lambda each: each[0])
    return StoredBest(Candidate(tuple(whole), flags), tuple(runs))


def _circumstances(run: Run) -> str:
    """When, for which sizes, threads and compiler: another run may find something else."""
    sizes = dict(survey_from(run.baseline).baseline.real)
    count = run.document.get("threads")
    facts = [f"on {(run.ended or '')[:10]}"]
    facts += [f"for {sizes_text(sizes)}"] if sizes else []
    facts += [f"with {count} thread{'' if count == 1 else 's'}"] if count else []
    command = " ".join(run.document.get("command", ()))
    facts += [f"compiled by {command}"] if command not in ("", USUAL) else []
    return " ".join(facts)


def _best(store: Store, run: Run, machine: Machine) -> Candidate | None:
    """The best candidate of a run that has ended, on such a machine."""
    place = run.document.get("machine"), run.document.get("processor")
    if run.ended is None or place != (asdict(machine), processor_name()):
        return None
    made = (each.candidate for each in store.trials(run))
    return next((each for each in made if each.key == run.best), None)


def outcome_as_tuned(
    optimizing: Callable[[Wanted], Outcome], wanted: Wanted, best: StoredBest
) -> Outcome | str:
    """The program as it was best, or why it cannot be made any more."""
    try:
        outcome = optimizing(wanting(best.candidate, wanted))
    except InputError as failure:
        return failure.diagnostics[0].message
    failure = failure_of(outcome, best.candidate, wanted.skipped)
    return outcome if failure is None or failure.is_late else failure.reason
