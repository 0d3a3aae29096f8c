"""Does the checker accept a wrong program?  Faults put into the emitted text of the kernels.

Each kernel is optimized twice, for a usual machine and for one with small tiles, and each of the
two texts gets its share of the faults, one or two at a time.  A mutant is decided by execution, for
several sizes: it is wrong if it leaves other bits in any array, touches what is not its own, does
not end, or if two iterations of a loop that is marked as parallel meet.  A right one has only not
been seen to be wrong; if it is accepted, it runs for more and larger sizes, too.

There are two judges: the proof that the compiler makes of its own text, which is told the instance
that each statement runs, and ``loopwright check``, which is told nothing and here runs nothing.
Not one wrong mutant may be accepted, and all untouched texts must be; else the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from itertools import cycle, groupby, islice
from pathlib import Path
from random import Random
from time import perf_counter

from loopwright import check
from loopwright.basics.diagnostics import InputError
from loopwright.model.proofs import Counterexample, Proof, Unknown
from tests.verify.emitted_programs import KERNELS, SMALL, USUAL, Emitted, emitted, judged
from tests.verify.mutations import KINDS, code_of, mutant
from tests.verify.running import Battery, battery, compiling, outcomes

SHAPES = {"small": SMALL, "usual": USUAL}
UNTOUCHED, PAIR = "untouched", "pair"
EVERY_PAIR = 5
"""Every so many mutants there is one with two faults."""

ROUNDS = 6
"""So often there is a try with mutants that compile; the last time of any kind."""

Mutant = tuple[tuple[str, ...], str]
"""The kinds of its faults, and the text."""

RUNS, LIMIT = 24, 1.0
MORE_RUNS, MORE_LIMIT = 60, 20.0
"""For how many sizes mutants run, and the seconds that the original has for each of them."""

EQUIVALENT, NOT_EQUIVALENT, CANNOT_TELL = "equivalent", "not equivalent", "cannot tell"


@dataclass(frozen=True, slots=True)
class Tried:
    """A mutant, what running it showed, and what was said about it."""

    kernel: str
    shape: str
    kinds: tuple[str, ...]
    text: str
    outcome: str
    verdict: str
    reason: str
    seconds: float

    @property
    def kind(self) -> str:
        """The row of the table that it belongs to."""
        return self.kinds[0] if len(self.kinds) == 1 else PAIR

    @property
    def is_wrong(self) -> bool:
        """Was it seen to be wrong?"""
        return self.outcome != "same"


def said_without_hint(given: Emitted, text: str) -> Proof | Counterexample | Unknown:
    """What :func:`loopwright.check` says about the two programs.

    That one is no C for its front end, although a compiler takes it, is an answer, too.
    """
    plain = re.sub(r" *// (?:move|\w+\(.*\))$", "", given.whole(text), flags=re.MULTILINE)
    try:
        return check(given.program, plain, include=[str(KERNELS)], run=False)
    except InputError as error:
        return Unknown(error.diagnostics[0].message)


JUDGES = {"hint": judged, "check": said_without_hint}
WORDS = {Proof: EQUIVALENT, Counterexample: NOT_EQUIVALENT, Unknown: CANNOT_TELL}


def said(judge: str, given: Emitted, text: str) -> tuple[str, str, float]:
    """The verdict on a text, the reason for it, and the seconds that it took."""
    start = perf_counter()
    found = JUDGES[judge](given, text)
    return WORDS[type(found)], str(found), perf_counter() - start


def chosen_kinds(random: Random) -> Iterator[tuple[str, ...]]:
    """One kind after the other, and now and then two of them."""
    for at, kind in enumerate(cycle(KINDS), 1):
        second = (random.choice(list(KINDS)),) if at % EVERY_PAIR == 0 else ()
        yield (kind, *second)


def mutants_of(given: Emitted, count: int, random: Random, folder: Path) -> list[Mutant]:
    """So many mutants that compile."""
    kinds = chosen_kinds(random)
    wanted = list(islice(kinds, count))
    known = {"".join(code_of(given.text))}
    found: list[Mutant] = []
    for left in range(ROUNDS, 0, -1):
        if left == 1:
            wanted = list(islice(kinds, 2 * len(wanted)))
        fresh = [(each, _fresh(given, each, known, random)) for each in wanted]
        versions = {at: given.function(text) for at, (_, text) in enumerate(fresh, 1) if text}
        good = compiling(given.kernel, versions, folder)
        found += [fresh[at - 1] for at in good]
        wanted = [each for at, (each, _) in enumerate(fresh, 1) if at not in good]
    return found[:count]


def _fresh(given: Emitted, kinds: Sequence[str], known: set[str], random: Random) -> str:
    """A mutant that was not there before; nothing if it is hard to find."""
    for _ in range(20):
        text = mutant(given.text, kinds, random)
        code = "".join(code_of(text or ""))
        if text is not None and code not in known:
            known.add(code)
            return text
    return ""


def tried(name: str, shape: str, count: int, seed: int, judge: str) -> list[Tried]:
    """The untouched text of a kernel for a machine, and its mutants: decided and judged."""
    random = Random(f"{seed} {name} {shape}")
    given = emitted(name, SHAPES[shape])
    with tempfile.TemporaryDirectory() as path:
        folder = Path(path)
        mutants = [((UNTOUCHED,), given.text), *mutants_of(given, count, random, folder)]
        texts = dict(enumerate(text for _, text in mutants))
        results = _ran(given, texts, RUNS, LIMIT, random, folder)
    found = [
        Tried(name, shape, kinds, text, results[at], CANNOT_TELL, "", 0.0)
        for at, (kinds, text) in enumerate(mutants)
    ]
    return with_verdicts(given, found, judge, random)


def with_verdicts(
    given: Emitted, found: Sequence[Tried], judge: str, random: Random
) -> list[Tried]:
    """The mutants of a kernel, judged; those that were not accepted before run once more if so."""
    verdicts = [said(judge, given, each.text) for each in found]
    accepted = {
        at: each.text
        for at, (each, (verdict, _, _)) in enumerate(zip(found, verdicts, strict=True))
        if verdict == EQUIVALENT != each.verdict and not each.is_wrong
    }
    with tempfile.TemporaryDirectory() as path:
        again = _ran(given, accepted, MORE_RUNS, MORE_LIMIT, random, Path(path))
    return [
        replace(each, outcome=again.get(at, each.outcome), verdict=word, reason=why, seconds=took)
        for at, (each, (word, why, took)) in enumerate(zip(found, verdicts, strict=True))
    ]


def judged_again(found: Sequence[Tried], judge: str) -> list[Tried]:
    """The mutants of a kernel for a machine, by another judge."""
    first = found[0]
    given = emitted(first.kernel, SHAPES[first.shape])
    assert given.text == first.text, "the compiler emits other text now"
    return with_verdicts(given, found, judge, Random(f"{first.kernel} {first.shape}"))


def _ran(
    given: Emitted,
    texts: Mapping[int, str],
    runs: int,
    limit: float,
    random: Random,
    folder: Path,
) -> dict[int, str]:
    """What texts do for so many sizes."""
    sizes = battery(len(given.kernel.sizes), given.longest, runs, random).sizes
    versions = {at + 1: given.function(text) for at, text in texts.items()}
    found = outcomes(given.kernel, versions, Battery(sizes, limit), folder)
    return {at - 1: outcome for at, outcome in found.items()}


# --- tables ---------------------------------------------------------------------------------------

HEAD = (
    f"{'kind':<12}{'mutants':>8}{'wrong':>8}{'accepted':>10}{'same':>8}{'equivalent':>12}"
    f"{'refuted':>9}{'unknown':>9}{'median s':>10}{'worst s':>9}"
)


def row(kind: str, found: Sequence[Tried]) -> str:
    """A line of the table."""
    wrong = [each for each in found if each.is_wrong]
    same = Counter(each.verdict for each in found if not each.is_wrong)
    accepted = sum(each.verdict == EQUIVALENT for each in wrong)
    seconds = [each.seconds for each in found]
    return (
        f"{kind:<12}{len(found):>8}{len(wrong):>8}{accepted:>10}{len(found) - len(wrong):>8}"
        f"{same[EQUIVALENT]:>12}{same[NOT_EQUIVALENT]:>9}{same[CANNOT_TELL]:>9}"
        f"{statistics.median(seconds):>10.2f}{max(seconds):>9.2f}"
    )


def table(found: Sequence[Tried]) -> Iterator[str]:
    """All of it by kind, and why mutants that seem to be right were not accepted."""
    yield HEAD
    for kind in (*KINDS, PAIR):
        some = [each for each in found if each.kind == kind]
        if some:
            yield row(kind, some)
    if found:
        yield row("all", found)
    wrong = Counter(each.outcome for each in found if each.is_wrong)
    yield "wrong ones: " + ", ".join(f"{count} {name}" for name, count in wrong.most_common())
    yield "not accepted, although nothing wrong was seen:"
    reasons = Counter(
        _class(each.reason) for each in found if not each.is_wrong and each.verdict != EQUIVALENT
    )
    yield from (f"{count:>6}  {reason}" for reason, count in reasons.most_common())


def _class(reason: str) -> str:
    """A reason without the code that is in it.

    >>> _class("not proved: the instance A[i] = 0 of S0 runs twice (for n = 3: S0(1))")
    'not proved: the instance _ of _ runs twice'
    """
    words = reason.splitlines()[0].partition(" (for")[0].split()
    plain = [each if re.fullmatch(r"a|[a-z]{2,}[,:]?", each) else "_" for each in words]
    return " ".join(word for word, _ in groupby(plain)) if reason else "no reason"


def document(found: Sequence[Tried]) -> str:
    """Everything, a line of JSON for each."""
    return "".join(json.dumps(asdict(each)) + "\n" for each in found)


def _from_line(line: str) -> Tried:
    facts = json.loads(line)
    return Tried(**facts | {"kinds": tuple(facts["kinds"])})


# --- from the command line ------------------------------------------------------------------------


def shares(count: int, kernels: Sequence[str]) -> list[tuple[str, str, int]]:
    """How many mutants each kernel gets for each machine.

    >>> shares(5, ["gemm", "lu"])
    [('gemm', 'small', 2), ('gemm', 'usual', 1), ('lu', 'small', 1), ('lu', 'usual', 1)]
    """
    places = [(kernel, shape) for kernel in kernels for shape in SHAPES]
    whole, rest = divmod(count, len(places))
    return [(*place, whole + (at < rest)) for at, place in enumerate(places)]


def main(given: Sequence[str] | None = None) -> int:
    """Try the mutants and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="so many mutants in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernel", nargs="*", metavar="NAME", help="only these")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--judge", choices=JUDGES, help="told of the instances (hint), or not")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="add all of them to this file")
    parser.add_argument("--kept", type=Path, metavar="FILE", help="make none, but take these")
    arguments = parser.parse_args(given)
    found: list[Tried] = []
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for each in _submitted(pool, arguments):
            some = each.result()
            found += some
            _tell(some)
            if arguments.keep is not None:
                with arguments.keep.open("a") as kept:
                    kept.write(document(some))
    return ended(found)


def _submitted(pool: Executor, arguments: argparse.Namespace) -> list[Future[list[Tried]]]:
    """What is to be done, a future for each kernel and machine."""
    kernels = arguments.kernel or sorted(path.stem for path in KERNELS.glob("*.c"))
    if arguments.kept is None:
        judge, seed = arguments.judge or "hint", arguments.seed
        return [
            pool.submit(tried, kernel, shape, count, seed, judge)
            for kernel, shape, count in shares(arguments.count, kernels)
        ]
    kept = map(_from_line, arguments.kept.read_text().splitlines())
    groups = [list(some) for _, some in groupby(kept, lambda each: (each.kernel, each.shape))]
    if arguments.judge is None:
        return [pool.submit(list, some) for some in groups]
    return [
        pool.submit(judged_again, some, arguments.judge)
        for some in groups
        if some[0].kernel in kernels
    ]


def _tell(found: Sequence[Tried]) -> None:
    untouched, *others = found
    wrong = sum(each.is_wrong for each in others)
    accepted = sum(each.verdict == EQUIVALENT for each in others)
    told = f"{len(others)} mutants, {wrong} wrong, {accepted} accepted"
    print(f"{untouched.kernel:<16}{untouched.shape:<8}{told}", file=sys.stderr, flush=True)


def ended(found: Sequence[Tried]) -> int:
    """Print the table and what is not as it should be; the exit status."""
    untouched = [each for each in found if each.kind == UNTOUCHED]
    mutants = [each for each in found if each.kind != UNTOUCHED]
    print(*table(mutants), sep="\n")
    good = [each for each in untouched if each.verdict == EQUIVALENT and not each.is_wrong]
    print(f"untouched texts accepted: {len(good)} of {len(untouched)}")
    bad = [each for each in mutants if each.is_wrong and each.verdict == EQUIVALENT]
    for each in bad:
        print(f"\nACCEPTED, BUT {each.outcome}: {each.kernel}, {each.shape}, {each.kinds}")
        print(each.text)
    return 1 if bad or len(good) < len(untouched) else 0


if __name__ == "__main__":
    sys.exit(main())
