"""Programs that were once analysed wrongly."""

from __future__ import annotations

from itertools import pairwise

import islpy as isl
import pytest

from loopwright import dependences, read_c, respects, violations
from loopwright.model.dependences import Kind
from loopwright.polyhedra.order import not_in_order
from loopwright.polyhedra.unions import maps_of

WRITES_SOMEWHERE = """
static void store(double *p, int k, double v) { p[k] = v; }
static double B[7][8];
static double C[5];
void kernel(int n, int m, int rows, int columns, double A[rows][columns])
{
#pragma scop
  for (int i = 0; i <= 4; i++)
    store(B[n + (-i) + 3], 2 * n,
          (((((2 * m + 3) > (-2) ? (2 * m + 3) : (-2))) % 2 <= 0 && A[-2 * n - 2 + 8][i] < 1
            ? B[n - 1][3 * n - 2] : A[3 * m][2 * i - 1 + 1]) + (C[(3 * i + 2 * m - 3) % 4 + 1])));
#pragma endscop
}
"""


def test_an_empty_piece_is_no_zero() -> None:
    """isl's ``dim_min_val`` took the second instance of a pair for the first."""
    (scop,) = read_c(WRITES_SOMEWHERE)
    third = "floor(i/3)"
    times = f"[floor(i/2) - {third}, {third}, -i + 2*{third}]"
    schedule = isl.UnionMap(f"{{ S0[i] -> {times} : 0 <= i <= 4 }}")
    found = violations(schedule, dependences(scop))
    assert {(each.source.iteration, each.sink.iteration) for each in found} == {((0,), (1,))}


def flow_between(source: str, statement: str, **parameters: int) -> set[tuple[int, ...]]:
    """The pairs of flow through scalars from a statement to itself, for given parameters."""
    (scop,) = read_c(source)
    found = dependences(scop)
    assert "flow" not in found.approximated
    space = f"[{', '.join(parameters)}]"
    values = " and ".join(f"{name} = {value}" for name, value in parameters.items())
    flow = found.flow.intersect_params(isl.Set(f"{space} -> {{ : {values} }}"))
    pairs: set[tuple[int, ...]] = set()
    for each in maps_of(flow):
        if {each.get_tuple_name(isl.dim_type.in_), each.get_tuple_name(isl.dim_type.out)} == {
            statement
        }:
            points: list[isl.Point] = []
            each.wrap().flatten().foreach_point(points.append)
            pairs |= {
                tuple(
                    point.get_coordinate_val(isl.dim_type.set, at).to_python()
                    for at in range(point.get_space().dim(isl.dim_type.set))
                )
                for point in points
            }
    return pairs


def test_the_last_write_among_strides() -> None:
    """isl's engine took j = 1 for the last write before j = 5."""
    source = """
    void kernel(int n, int m, int rows, int columns, double C[rows][columns], double *s)
    {
    #pragma scop
      for (int i = n - 1; i >= 1; i--) {
        C[i][i + 2] -= C[i / 2][i + i];
        if (i != m)
          for (long j = 1; j <= i + 1 && j < 6; j += 2)
            *s += 2;
      }
    #pragma endscop
    }
    """
    found = flow_between(source, "S1", n=5, m=5, rows=8, columns=9)
    moments = [(i, j) for i in range(4, 0, -1) for j in range(1, min(i + 1, 5) + 1, 2)]
    assert found == {(*one, *other) for one, other in pairwise(moments)}


def test_both_branches_write_the_element() -> None:
    """With two certain writes by one instance, isl's engine lost pairs of false dependences."""
    (scop,) = read_c("""
    void kernel(int n, int X[n], double B[n + 3])
    {
    #pragma scop
      for (int j = 1; j < n; j++)
        for (int k = 0; k < 3; k++)
          if (X[j] % 2 == 0)
            B[k] = 1;
          else {
            B[k] = 2;
            B[j - 1] = 3;
          }
    #pragma endscop
    }
    """)
    edges = [
        each
        for each in dependences(scop).edges()
        if each.kind is Kind.OUTPUT and {each.source.access.text, each.sink.access.text} == {"B[k]"}
    ]
    assert len(edges) == 4
    steps = "[n] -> { S0[j, k] -> S0[j + 1, k] : 0 < j < n - 1 and 0 <= k < 3 }"
    assert all(isl.Map(steps).is_subset(each.pairs) for each in edges)


def test_what_no_child_of_a_sequence_runs_is_not_in_order() -> None:
    domain = "{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }"
    pairs = isl.UnionMap("{ S[i] -> T[i] : 0 <= i < 9 }")
    for kept, late in (("{ S[i] : i < 3 }", "3 <= i < 9"), ("{ X[i] }", "0 <= i < 9")):
        tree = isl.Schedule(
            f'{{ domain: "{domain}", child: {{ sequence: [ {{ filter: "{kept}" }},'
            ' { filter: "{ T[i] }" } ] } }'
        )
        (found,) = not_in_order(tree, [pairs])
        assert found.is_equal(isl.UnionMap(f"{{ S[i] -> T[i] : {late} }}"))


def test_a_schedule_runs_what_the_region_runs() -> None:
    (scop,) = read_c("""
    void kernel(int n, double A[n])
    {
    #pragma scop
      for (int i = 0; i < n; i++)
        A[i] = 1;
    #pragma endscop
    }
    """)
    found = dependences(scop)
    assert respects(isl.UnionMap("{ S0[i] -> [-i] }"), found)
    with pytest.raises(ValueError, match="does not run"):
        respects(isl.UnionMap("[n] -> { S0[i] -> [i] : 0 < i < n }"), found)
    more = isl.Schedule('{ domain: "[n] -> { S0[i] : 0 <= i <= n }" }')
    with pytest.raises(ValueError, match="runs what the region does not"):
        respects(more, found)


def test_extern_around_a_region_is_no_local() -> None:
    (scop,) = read_c("""
    double t;
    void kernel(int n, double A[n])
    {
      extern double t;
    #pragma scop
      for (int i = 0; i < n; i++) t = A[i];
    #pragma endscop
    }
    """)
    found = dependences(scop)
    assert found.may_live_out.is_equal(
        isl.UnionMap("[n] -> { S0[i] -> t[] : i = n - 1 and n > 0 }")
    )
    assert not found.false.is_empty()
