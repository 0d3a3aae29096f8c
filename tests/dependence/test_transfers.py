"""What has to be copied to and from a device (PPCG §5.2)."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright import dependences
from loopwright.dependence.transfers import Transfers, transfers
from tests.frontend.expectations import model_of, same

LOOP = "for (int i = 0; i < n; i++) "
ARRAYS = "int n, double A[n], double B[n], double C[n]"
SMALL = "double A[2], double B[2], double C[2]"


def moved(body: str, part: str | None = None, parameters: str = ARRAYS, **around: str) -> Transfers:
    found = dependences(model_of(body, parameters, **around))
    return transfers(found, isl.UnionSet(part) if part is not None else None)


# --- the whole region -----------------------------------------------------------------------------


def test_what_is_read_is_copied_in_and_what_is_written_is_copied_out() -> None:
    found = moved(LOOP + "A[i] = B[i];")
    same(found.copy_in, "[n] -> { B[i] : 0 <= i < n }")
    same(found.copy_out, "[n] -> { A[i] : 0 <= i < n }")
    same(found.may_not_written, "{ }")


def test_an_array_is_copied_out_whole_so_the_rest_of_it_is_copied_in() -> None:
    found = moved("for (int i = 1; i < n - 1; i++) A[i] = B[i];")
    ends = "n > 2 and (i = 0 or i = n - 1)"
    same(found.copy_out, "[n] -> { A[i] : 0 <= i < n and n > 2 }")
    same(found.may_not_written, f"[n] -> {{ A[i] : {ends} }}")
    same(found.copy_in, f"[n] -> {{ B[i] : 0 < i < n - 1; A[i] : {ends} }}")


def test_values_that_stay_inside_are_not_copied() -> None:
    found = moved(LOOP + "t[i] = A[i]; " + LOOP + "B[i] = t[i];", before="double t[n];")
    same(found.copy_in, "[n] -> { A[i] : 0 <= i < n }")
    same(found.copy_out, "[n] -> { B[i] : 0 <= i < n }")


def test_a_may_write_keeps_what_it_does_not_overwrite() -> None:
    found = moved(LOOP + "if (B[i] > 0) A[i] = 1;")
    same(found.may_not_written, "[n] -> { A[i] : 0 <= i < n }")
    same(found.copy_in, "[n] -> { A[i] : 0 <= i < n; B[i] : 0 <= i < n }")


def test_an_array_without_a_known_end_is_copied_as_far_as_it_is_written() -> None:
    found = moved(LOOP + "A[i] = B[i];", parameters="int n, double *A, double *B")
    same(found.copy_out, "[n] -> { A[i] : 0 <= i < n }")
    same(found.copy_in, "[n] -> { B[i] : 0 <= i < n }")


# --- a part of the region -------------------------------------------------------------------------

PIPELINE = LOOP + "t[i] = A[i]; " + LOOP + "u[i] = t[i]; " + LOOP + "B[i] = u[i];"
LOCAL = {"before": "double t[n], u[n];"}


@pytest.mark.parametrize(
    ("part", "copy_in", "copy_out"),
    [("S0[i]", "A", "t"), ("S1[i]", "t", "u"), ("S2[i]", "u", "B")],
)
def test_a_part_gets_and_gives_what_flows_across_its_border(
    part: str, copy_in: str, copy_out: str
) -> None:
    found = moved(PIPELINE, f"[n] -> {{ {part} : 0 <= i < n }}", **LOCAL)
    same(found.copy_in, f"[n] -> {{ {copy_in}[i] : 0 <= i < n }}")
    same(found.copy_out, f"[n] -> {{ {copy_out}[i] : 0 <= i < n }}")


def test_two_steps_of_a_pipeline_keep_what_is_between_them() -> None:
    part = "[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }"
    found = moved(PIPELINE, part, **LOCAL)
    same(found.copy_in, "[n] -> { A[i] : 0 <= i < n }")
    same(found.copy_out, "[n] -> { u[i] : 0 <= i < n }")


def test_a_part_of_the_iterations() -> None:
    body = "for (int i = 1; i < n; i++) A[i] = A[i - 1];"
    found = moved(body, "[n] -> { S0[i] : 5 <= i < n }")
    same(found.copy_out, "[n] -> { A[i] : 0 <= i < n and n > 5 }")
    same(found.copy_in, "[n] -> { A[i] : 0 <= i < 5 < n }")


@pytest.mark.parametrize(
    ("body", "part", "element"),
    [
        ("A[0] = 1; A[1] = 2; B[0] = A[0];", "S1", "A[0]"),
        ("A[1] = 1; A[0] = 2;", "S1", "A[1]"),
        ("A[0] = 1; if (C[0] > 0) A[0] = 2;", "S1", "A[0]"),
        ("if (C[0] > 0) A[0] = 2; B[0] = A[0]; A[0] = 3;", "S0", "A[0]"),
        ("A[0] = 2; B[0] = A[1]; A[1] = 3;", "S0", "A[1]"),
    ],
    ids=[
        "from the region to the region",
        "from the region to what follows it",
        "the same past a may-write",
        "from before the region to the region past a may-write",
        "from before the region to the region",
    ],
)
def test_a_value_that_passes_by_the_part_is_not_lost(body: str, part: str, element: str) -> None:
    """A is copied out whole, so whatever else in it may still be needed has to be copied in."""
    found = moved(body, f"{{ {part}[] }}", SMALL)
    same(found.copy_out, "{ A[i] : 0 <= i < 2 }")
    for relation in (found.may_persist, found.may_not_written, found.copy_in):
        assert isl.UnionSet(f"{{ {element} }}").is_subset(relation)


def test_what_a_part_kills_need_not_persist() -> None:
    prelude = "void __pencil_kill(double *);"
    body = "__pencil_kill(A); " + LOOP + "if (B[i] > 0) A[i] = 1;"
    found = moved(body, prelude=prelude)
    same(found.copy_in, "[n] -> { B[i] : 0 <= i < n }")
