"""How long does dependence analysis take?  Every kernel in one process, and chains of stencils.

The peer is isl's dependence engine, called the straightforward way: the seven questions of PPCG
§3.2.5 about plain instances.  What is above 1.0 in a ratio is the price of knowing the references
of each dependence, and of lone writes by element.  Models are read before, anew for each run,
because isl caches what it finds out about its objects.  Times are the best of several runs, in
milliseconds.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import islpy as isl

from loopwright import Dependences, Scop, dependences, read_c, respects
from loopwright.dependence import analysis
from loopwright.dependence.engine import Answer, Patience, Question

KERNELS = Path(__file__).parent / "kernels"
BAR_SECONDS = 4.0
ENOUGH_MILLISECONDS = 2000.0
"""What has taken so long is not run again."""
QUESTIONS = "flow false killed order before-out after-in same-sink".split()
LENGTHS = (10, 30, 100, 300)


# --- the peer -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Plain:
    """The relations of PPCG between instances, whatever their references."""

    flow: isl.UnionMap
    false: isl.UnionMap
    may_live_in: isl.UnionMap
    may_live_out: isl.UnionMap
    order: isl.UnionMap
    forced: isl.UnionMap


def plain_dependences(scop: Scop) -> Plain:
    """What PPCG asks isl's engine, without tags."""
    reads, writes, must_writes, kills = (
        relation().intersect_params(scop.context)
        for relation in (scop.may_reads, scop.may_writes, scop.must_writes, scop.must_kills)
    )
    cuts = must_writes.union(kills)

    def ask(
        sink: isl.UnionMap, may_source: isl.UnionMap, cut: isl.UnionMap | None = None
    ) -> isl.UnionFlow:
        access = isl.UnionAccessInfo.from_sink(sink).set_may_source(may_source)
        access = access if cut is None else access.set_kill(cut)
        return access.set_schedule(scop.schedule).compute_flow()

    flow = ask(reads, writes, cuts)
    triples, live_in = flow.get_full_may_dependence(), flow.get_may_no_source()
    false = ask(writes, reads.union(writes), must_writes).get_may_dependence()
    killed = ask(cuts, writes).get_full_may_dependence().range_factor_range()
    live_out = writes.subtract(killed)
    lone = writes.subtract_domain(triples.domain())
    order = ask(writes, reads.union(lone)).get_may_dependence()
    forced = ask(live_out, writes).get_may_dependence()
    forced = forced.union(ask(writes, live_in).get_may_dependence())
    forced = forced.union(ask(triples, triples).get_may_dependence())
    return Plain(triples.range_factor_domain(), false, live_in, live_out, order, forced)


def check_same(ours: Dependences, plain: Plain) -> None:
    """Both have computed the same; the order of ours counts lone writes by element."""
    for name in ("flow", "false", "may_live_in", "may_live_out", "forced"):
        assert getattr(ours, name).is_equal(getattr(plain, name)), name
    assert ours.order is not None
    assert plain.order.is_subset(ours.order)


# --- time -----------------------------------------------------------------------------------------


def best(action: Callable[[Scop], object], fresh: Callable[[], Scop], repeat: int) -> float:
    """The shortest of several runs on a model that was just read, in milliseconds."""
    times: list[float] = []
    for _ in range(repeat):
        scop = fresh()
        started = time.perf_counter()
        action(scop)
        times.append(1000 * (time.perf_counter() - started))
        if sum(times) > ENOUGH_MILLISECONDS:
            break
    return min(times)


@contextmanager
def timed_questions() -> Generator[list[float]]:
    """How long each question takes that is asked inside the block, in milliseconds."""
    times: list[float] = []
    answered = analysis.answered

    def timed(question: Question, schedule: isl.Schedule, patience: Patience) -> Answer:
        started = time.perf_counter()
        answer = answered(question, schedule, patience)
        times.append(1000 * (time.perf_counter() - started))
        return answer

    with patch.object(analysis, "answered", timed):
        yield times


# --- kernels --------------------------------------------------------------------------------------


def kernel(path: Path) -> Scop:
    """The model of the kernel's region."""
    (scop,) = read_c(path, define=["MINI"])
    return scop


def kernel_table(paths: Sequence[Path], repeat: int) -> None:
    """Ours beside the peer, kernel by kernel."""
    print(f"{'kernel':<16}{'statements':>10}{'ours ms':>10}{'isl ms':>10}{'ratio':>8}")
    ours_total = peer_total = 0.0
    for path in paths:
        ours = best(dependences, lambda path=path: kernel(path), repeat)
        peer = best(plain_dependences, lambda path=path: kernel(path), repeat)
        ours_total, peer_total = ours_total + ours, peer_total + peer
        scop = kernel(path)
        check_same(dependences(scop), plain_dependences(scop))
        print(
            f"{path.stem:<16}{len(scop.statements):>10}{ours:>10.1f}{peer:>10.1f}"
            f"{ours / peer:>8.2f}"
        )
    print(
        f"{'all':<16}{'':>10}{ours_total:>10.1f}{peer_total:>10.1f}{ours_total / peer_total:>8.2f}"
    )


def one_process(paths: Sequence[Path]) -> None:
    """All kernels, once each, against the bar."""
    scops = [kernel(path) for path in paths]
    questions = [0.0] * len(QUESTIONS)
    started = time.perf_counter()
    for scop in scops:
        with timed_questions() as times:
            dependences(scop)
        questions = [sum(pair) for pair in zip(questions, times, strict=True)]
    seconds = time.perf_counter() - started
    verdict = "met" if seconds < BAR_SECONDS else "MISSED"
    print(
        f"{len(scops)} kernels in one process, first run: {seconds:.2f} s"
        f" (bar {BAR_SECONDS:.0f} s: {verdict})"
    )
    asked = ", ".join(f"{name} {ms:.0f}" for name, ms in zip(QUESTIONS, questions, strict=True))
    print(f"of it, in ms: {asked}; the rest {1000 * seconds - sum(questions):.0f}")


# --- growth ---------------------------------------------------------------------------------------


def chain_of_stencils(length: int, arrays: int) -> str:
    """One loop after the other, each a stencil on what the one before wrote, in turn."""
    names = [f"A{number}" for number in range(arrays)]
    loops = [
        f"  for (int i = 1; i < n - 1; i++)\n    {sink}[i] = {source}[i - 1] + {source}[i + 1];"
        for at in range(length)
        for source, sink in [(names[at % arrays], names[(at + 1) % arrays])]
    ]
    parameters = ", ".join(f"double {name}[n]" for name in names)
    return "\n".join(
        [f"void chain(int n, {parameters}) {{", "#pragma scop", *loops, "#pragma endscop", "}", ""]
    )


def growth_curve(title: str, texts: Sequence[str], repeat: int) -> None:
    """Time by the number of statements; the exponent tells how it grows from the point before."""
    print(f"\n{title}")
    print(
        f"{'statements':>10}{'ours ms':>10}{'each ms':>9}{'exponent':>9}{'isl ms':>10}{'ratio':>7}"
        f"{'respects ms':>13}{'exponent':>9}"
    )
    before: tuple[int, float, float] | None = None
    for length, text in zip(LENGTHS, texts, strict=True):

        def fresh(text: str = text) -> Scop:
            return read_c(text)[0]

        ours = best(dependences, fresh, repeat)
        peer = best(plain_dependences, fresh, repeat)
        judged = best_respects(fresh(), repeat)
        grown = ["", ""]
        if before is not None:
            steps = math.log(length / before[0])
            grown = [
                f"{math.log(now / then) / steps:.2f}"
                for now, then in ((ours, before[1]), (judged, before[2]))
            ]
        print(
            f"{length:>10}{ours:>10.1f}{ours / length:>9.2f}{grown[0]:>9}{peer:>10.1f}"
            f"{ours / peer:>7.2f}{judged:>13.1f}{grown[1]:>9}",
            flush=True,
        )
        before = length, ours, judged


def best_respects(scop: Scop, repeat: int) -> float:
    """Does the original order keep to the dependences?  How long it takes to say so."""
    found = dependences(scop)

    def judge(judged: Scop) -> None:
        assert respects(judged.schedule, found)

    return best(judge, lambda: scop, repeat)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=3, help="runs of each; the best counts")
    repeat = parser.parse_args().repeat
    paths = sorted(KERNELS.glob("*.c"))
    one_process(paths)
    print()
    kernel_table(paths, repeat)
    apart = [chain_of_stencils(length, length + 1) for length in LENGTHS]
    growth_curve("a chain of stencils, each into an array of its own", apart, repeat)
    between = [chain_of_stencils(length, 2) for length in LENGTHS]
    growth_curve("a chain of stencils to and fro between two arrays", between, repeat)


if __name__ == "__main__":
    main()
