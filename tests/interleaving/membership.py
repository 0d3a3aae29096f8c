"""Is a preorder in F exactly if Lemma 3's set has a schedule with it?  More than in tests.

``PYTHONPATH=. python tests/interleaving/membership.py --only mvt --most 30``.  The oracle of the
tests takes F apart, into edges that go up and groups that can be fused.  Here z3 looks for all
rows of a schedule at once, for so many points of F of each kernel and as many other preorders,
first of all those that no dependence forbids.  What z3 does not answer in time is counted.  The
exit status is 1 if an answer is not the expected one.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from random import Random
from time import monotonic

import z3

from loopwright import Scop
from loopwright.interleaving.fusibility import DEFAULT_SHIFT
from tests.interleaving import oracle
from tests.interleaving.judged import pruned_region, ranks_of
from tests.interleaving.kernels import SMALL, kernel
from tests.interleaving.lemma3 import has_schedule
from tests.interleaving.oracle import Ranks


def rising(scop: Scop, ranks: Ranks) -> bool:
    """Does no dependence go from a higher rank to a lower one?"""
    rank = dict(zip([each.name for each in oracle.statements_of(scop)], ranks, strict=True))
    return all(rank[source] <= rank[sink] for source, sink in oracle.edges_of(scop))


def chosen(scop: Scop, most: int, random: Random) -> dict[Ranks, bool]:
    """Some preorders, and whether they are points of F."""
    points = ranks_of(pruned_region(scop))
    others = [*({*oracle.preorders(len(oracle.statements_of(scop)))} - {*points})]
    random.shuffle(others)
    others.sort(key=lambda each: not rising(scop, each))
    some = random.sample(points, min(most, len(points)))
    return dict.fromkeys(some, True) | dict.fromkeys(others[:most], False)


def judged(name: str, most: int) -> Counter[str]:
    """How often the two agree."""
    scop, counts = kernel(name), Counter[str]()
    for ranks, expected in chosen(scop, most, Random(name)).items():
        try:
            is_right = has_schedule(scop, ranks, DEFAULT_SHIFT) is expected
        except AssertionError:  # z3 does not know
            counts["no answer"] += 1
            continue
        counts["points" if expected else "others"] += is_right
        if not is_right:
            counts["WRONG"] += 1
            print(f"{name}: {ranks} should{'' if expected else ' not'} have a schedule", flush=True)
    return counts


def main() -> None:
    """Judge the kernels, and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default=",".join(SMALL), help="names with commas")
    parser.add_argument("--most", type=int, default=20, help="points, and as many others")
    parser.add_argument("--seconds", type=float, default=20.0, help="for one question")
    options = parser.parse_args()
    z3.set_param("timeout", int(1000 * options.seconds))
    total: Counter[str] = Counter()
    for name in options.only.split(","):
        start = monotonic()
        counts = judged(name, options.most)
        print(f"{name}: {dict(counts)} in {monotonic() - start:.0f} s", flush=True)
        total += counts
    print(f"all: {dict(total)}")
    sys.exit(bool(total["WRONG"]))


if __name__ == "__main__":
    main()
