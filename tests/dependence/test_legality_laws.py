"""200 illegal schedules and 72 legal ones, judged by us and by running the programs."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import islpy as isl
import pytest

from .legality_laws import (
    Judgement,
    Study,
    check_runs,
    judged,
    judgement_of,
    studies,
    study_of,
    written_studies,
)
from .legality_programs import WRITTEN, Subject
from .schedules import EDITS, executed_schedule

CHUNKS = 8
ILLEGAL, LEGAL, REORDERED = 25, 8, 1
"""In each chunk: schedules with violations, without any, and without any only because live ranges
may be reordered.  Legal schedules that run everything in the original order do not count."""

RUN = 3
"""So many illegal and legal schedules of each chunk really run."""

RANDOM_PROGRAMS = 4
MOST = 300
OPERATIONS = 150_000
"""Of isl, for one program and for one judgement: what takes long is for the fuzzer."""
FIRST_SEED = 20260401


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """Judgements of a chunk, until there are enough of each."""

    illegal: list[Judgement] = field(default_factory=list)
    legal: list[Judgement] = field(default_factory=list)
    reordered: list[Judgement] = field(default_factory=list)

    def add(self, judgement: Judgement | None) -> None:
        if judgement is None:
            return
        if not judgement.is_legal:
            self.illegal.append(judgement)
        elif judgement.is_changed:
            kind = self.legal if judgement.is_legal_in_order else self.reordered
            kind.append(judgement)

    def is_full(self) -> bool:
        return (
            len(self.illegal) >= ILLEGAL
            and len(self.legal) >= LEGAL
            and len(self.reordered) >= REORDERED
        )


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_judgements_agree_with_execution(chunk: int, tmp_path: Path) -> None:
    seed = FIRST_SEED + chunk
    chosen = studies(seed, RANDOM_PROGRAMS, OPERATIONS)
    found = Collection()
    for number in range(MOST):
        found.add(judgement_of(chosen, seed, number, OPERATIONS))
        if found.is_full():
            break
    assert found.is_full(), f"{len(found.illegal)} illegal, {len(found.legal)} legal"
    everything = [*found.illegal, *found.legal, *found.reordered]
    assert {type(each.schedule) for each in everything} == {isl.Schedule, isl.UnionMap}
    safe = [each for each in found.illegal if each.study.subject.arrays]
    tally = check_runs([*safe[:RUN], *found.legal[:RUN], *found.reordered[:1]], tmp_path)
    assert tally.refused == 0
    assert tally.other > 0, tally


def test_every_written_program_is_studied() -> None:
    assert [each.subject for each in written_studies()] == list(WRITTEN)
    assert len(EDITS) >= 10


@pytest.mark.parametrize("subject", WRITTEN, ids=lambda subject: subject.name)
def test_the_original_order_is_legal(subject: Subject) -> None:
    (study,) = (each for each in written_studies() if each.subject is subject)
    judgement = judged(study, executed_schedule(study.scop))
    assert judgement.is_legal
    assert judgement.is_legal_in_order
    assert not judgement.is_changed


@dataclass(frozen=True, slots=True)
class Known:
    """A schedule of a written program whose judgement we know from reading it."""

    program: str
    times: str
    broken: str = ""
    """Which kinds of dependence on which arrays, with live-range reordering."""
    only_by_reordering: bool = False


KNOWN = (
    Known("copy", "S0[i, j] -> [j, -i]"),
    Known("chain", "S0[i] -> [i, 0]; S1[i] -> [i, 1]; S2[i] -> [i, 2]"),
    Known("chain", "S0[i] -> [i + 1, 0]; S1[i] -> [i, 1]; S2[i] -> [i + 1, 2]", "flow B"),
    Known("seidel", "S0[i, j] -> [j, i]"),
    Known("seidel", "S0[i, j] -> [i + j, i]"),
    Known("seidel", "S0[i, j] -> [i + j]"),
    Known("seidel", "S0[i, j] -> [i, -j]", "flow A"),
    Known("wave", "S0[i, j] -> [j, i]", "flow A"),
    Known("wave", "S0[i, j] -> [-j, i]"),
    Known("forward", "S0[i] -> [-i]", "anti A"),
    Known("killed", "S0[i] -> [-i, 0]; S1[i] -> [-i, 1]", only_by_reordering=True),
    Known("killed", "S0[i] -> [0, i]; S1[i] -> [1, i]", "anti t"),
    Known("killed", "S0[i] -> [0, 0]; S1[i] -> [0, 1]", "anti t"),
    Known("last", "S0[i] -> [-i, 0]; S1[i] -> [-i, 1]", "output t"),
    Known("slot", "S0[i] -> [-i, 0]; S1[i] -> [-i, 1]", "output A"),
    Known(
        "listing2",
        "S0[] -> [4]; S1[] -> [5]; S2[] -> [0]; S3[] -> [1]; S4[] -> [2]; S5[] -> [3]",
        only_by_reordering=True,
    ),
    Known(
        "listing2",
        "S0[] -> [1]; S1[] -> [2]; S2[] -> [0]; S3[] -> [3]; S4[] -> [4]; S5[] -> [5]",
        "output t",
    ),
    Known("listing2out", "S0[] -> [2]; S1[] -> [3]; S2[] -> [0]; S3[] -> [1]", "output A"),
    Known("lone", "S0[i] -> [i, 1]; S1[i] -> [i, 0]; S2[i] -> [i, 2]; S3[i] -> [i, 3]", "output A"),
    Known("maximum", "S0[i] -> [-i]", "anti B, flow B, output B"),
    Known(
        "choice", "S0[i] -> [-i, 0]; S1[i] -> [-i, 1]; S2[i] -> [-i, 2]", only_by_reordering=True
    ),
    Known("choice", "S0[i] -> [i, 1]; S1[i] -> [i, 0]; S2[i] -> [i, 2]", "output t"),
)


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: f"{known.program}: {known.times}")
def test_what_we_know(known: Known) -> None:
    (study,) = (each for each in written_studies() if each.subject.name == known.program)
    domain = executed_schedule(study.scop).get_domain()
    judgement = judged(study, isl.UnionMap(f"{{ {known.times} }}").intersect_domain(domain))
    broken = sorted({f"{each.kind.value} {each.array}" for each in judgement.violations})
    assert ", ".join(broken) == known.broken
    assert judgement.is_legal_in_order == (not known.broken and not known.only_by_reordering)


def _study(region: str, *, before: str = "") -> Study:
    head = "void kernel@(int n, int m, double A[8], double B[8], int X[8])"
    text = f"{before}\n{head} {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
    study = study_of(Subject("regression", text, ({"n": 3, "m": 3},)))
    assert study is not None
    return study


def test_live_ranges_of_one_reference_are_kept_by_element() -> None:
    study = _study("{ double t[2]; t[0] = A[0]; B[0] = t[X[0]]; t[1] = A[2]; B[1] = t[1]; }")
    moved = isl.UnionMap("{ S2[] -> [0]; S0[] -> [1]; S3[] -> [2]; S1[] -> [4] }")
    assert judged(study, moved).is_legal


def test_a_read_between_others_of_the_same_reference() -> None:
    study = _study(
        "{ double t[2]; t[0] = A[0]; t[1] = A[1]; B[0] = t[X[0]]; t[1] = A[2]; B[1] = t[1]; }"
    )
    moved = isl.UnionMap("{ S0[] -> [0]; S3[] -> [1]; S4[] -> [2]; S1[] -> [3]; S2[] -> [4] }")
    assert judged(study, moved).is_legal


def test_a_call_that_may_touch_several_arrays() -> None:
    study = _study(
        "for (int i = 0; i < 3; i++) P[i] = g(Q[0][i]);",
        before="double g(double); double P[8]; double Q[8][8];",
    )
    found = judged(study, isl.UnionMap("{ S0[i] -> [-i] : 0 <= i < 3 }")).violations
    assert {"P", "Q"} <= {each.array for each in found}
