"""Values that die: by order of the programmer, with their block, or with the region (§3.2.3)."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright import dependences, respects
from loopwright.model.dependences import Dependences
from tests.frontend.expectations import model_of, restricted, same

LOOP = "for (int i = 0; i < n; i++) "
BUILTIN = "void __pencil_kill();"


def found(body: str, parameters: str = "int n, double *A, double *B", **around: str) -> Dependences:
    around.setdefault("prelude", BUILTIN)
    return dependences(model_of(body, parameters, **around))


def there(relation: isl.UnionMap | None) -> isl.UnionMap:
    """A relation that was asked for."""
    assert relation is not None
    return relation


def executing(given: Dependences) -> list[str]:
    return [each.name for each in given.scop.statements if not each.is_kill]


def backwards(given: Dependences) -> isl.UnionMap:
    """All iterations of the only loop in reverse, each as it was."""
    parts = [f"{name}[i] -> [-i, {at}]" for at, name in enumerate(executing(given))]
    return isl.UnionMap("[n] -> { " + "; ".join(parts) + " }")


# --- explicit -------------------------------------------------------------------------------------


def test_no_value_flows_across_a_kill() -> None:
    given = found(
        "A[0] = 1; B[0] = A[0]; __pencil_kill(A[0]); B[1] = A[0];", "double A[2], double B[2]"
    )
    same(given.flow, "{ S0[] -> S1[] }")
    same(given.may_live_in, "{ }")
    same(given.may_live_out, "{ S1[] -> B[0]; S2[] -> B[1] }")


def test_a_kill_of_one_element_spares_the_others() -> None:
    given = found(
        "A[0] = 1; A[1] = 1; __pencil_kill(A[0]); B[0] = A[0] + A[1];", "double A[2], double B[2]"
    )
    same(given.flow, "{ S1[] -> S2[] }")
    same(given.may_live_out, "{ S1[] -> A[1]; S2[] -> B[0] }")


def test_a_kill_of_an_array_is_about_all_elements() -> None:
    given = found(LOOP + "A[i] = 1; __pencil_kill(A);", "int n, double A[n], double B[n]")
    same(given.may_live_out, "{ }")
    given = found("__pencil_kill(A); " + LOOP + "B[i] = A[i];", "int n, double A[n], double B[n]")
    same(given.may_live_in, "{ }")


def test_a_kill_in_a_loop_kills_iteration_by_iteration() -> None:
    given = found(
        LOOP + "{ B[i] = A[0]; __pencil_kill(A[0]); A[0] = i; }", "int n, double A[1], double B[n]"
    )
    same(given.flow, "[n] -> { S1[i] -> S0[i + 1] : 0 <= i < n - 1 }")
    same(given.may_live_in, "[n] -> { S0[i] -> A[0] : i = 0 < n }")
    given = found(
        LOOP + "{ B[i] = A[0]; A[0] = i; __pencil_kill(A[0]); }", "int n, double A[1], double B[n]"
    )
    same(given.flow, "{ }")
    same(given.may_live_out, "[n] -> { S0[i] -> B[i] : 0 <= i < n }")


def test_a_kill_under_a_condition_on_the_iterators_is_exact() -> None:
    given = found(
        LOOP + "{ A[0] = i; if (i == 2) __pencil_kill(A[0]); B[i] = A[0]; }",
        "int n, double A[1], double B[n]",
    )
    same(given.flow, "[n] -> { S0[i] -> S1[i] : 0 <= i < n and i != 2 }")


def test_kills_are_in_no_relation() -> None:
    given = found(LOOP + "{ double t = A[i]; __pencil_kill(B[i]); B[i] = t; }")
    kills = {each.name for each in given.scop.statements if each.is_kill}
    assert len(kills) >= 3
    for name in ("flow", "false", "order", "forced", "may_live_in", "may_live_out"):
        relation: isl.UnionMap = getattr(given, name)
        relations = relation.get_map_list()
        for at in range(relations.n_map()):
            one = relations.get_at(at)
            assert one.get_tuple_name(isl.dim_type.in_) not in kills, name
            assert one.get_tuple_name(isl.dim_type.out) not in kills, name


# --- locals ---------------------------------------------------------------------------------------


def test_a_local_dies_with_its_block_and_is_born_at_its_declaration() -> None:
    given = found(LOOP + "{ double t; if (A[i] > 0) t = A[i]; B[i] = t; }")
    write, read = executing(given)
    same(given.flow, f"[n] -> {{ {write}[i] -> {read}[i] : 0 <= i < n }}")
    same(restricted(given.may_live_in, "t"), "{ }")
    same(restricted(given.may_live_out, "t"), "{ }")


def test_a_local_declared_outside_the_loop_lives_on_to_the_next_iteration() -> None:
    given = found("{ double t; " + LOOP + "{ if (A[i] > 0) t = A[i]; B[i] = t; } }")
    write, read = executing(given)
    same(given.flow, f"[n] -> {{ {write}[i] -> {read}[j] : 0 <= i <= j < n }}")
    same(restricted(given.may_live_in, "t"), "{ }")
    same(restricted(given.may_live_out, "t"), "{ }")


def test_the_iterations_around_a_local_may_run_backwards() -> None:
    given = found(LOOP + "{ double t = A[i]; B[i] = t; }", "int n, double A[n], double B[n]")
    assert respects(backwards(given), given)
    assert not respects(backwards(given), dependences(given.scop, live_range_reordering=False))


def test_a_local_array_dies_whole() -> None:
    given = found(LOOP + "{ double t[2]; t[0] = A[i]; t[1] = t[0]; B[i] = t[1]; }")
    same(restricted(given.may_live_out, "t"), "{ }")
    same(there(given.forced), "{ }")


def test_a_local_struct_dies_with_all_members() -> None:
    given = found(LOOP + "{ struct { double x, y; } p; p.x = A[i]; p.y = p.x; B[i] = p.y; }")
    same(restricted(given.may_live_out, "p_x"), "{ }")
    same(restricted(given.may_live_out, "p_y"), "{ }")
    assert respects(backwards(given), given)


# --- the end of the region ------------------------------------------------------------------------

THROUGH_T = LOOP + "{ t = A[i]; B[i] = t; }"
COPIED = "int n, double A[n], double B[n]"
LAST_WRITE = "[n] -> { S0[i] -> t[] : i = n - 1 and n > 0 }"


@pytest.mark.parametrize(
    ("before", "after", "is_needed"),
    [
        ("double t;", "", False),
        ("double t;", "A[0] = t;", True),
        ("double t;", "t = 0; A[0] = t;", True),
        ("double t;", "if (A[0] > 0) t = 0; A[0] = t;", True),
        ("static double t;", "", True),
        ("double t; double *p = &t;", "A[0] = *p;", True),
    ],
    ids=["unused", "used", "named", "perhaps overwritten", "static", "by its address"],
)
def test_a_variable_that_is_not_used_after_the_region_dies_with_it(
    before: str, after: str, is_needed: bool
) -> None:
    given = found(THROUGH_T, COPIED, before=before, after=after)
    same(restricted(given.may_live_out, "t"), LAST_WRITE if is_needed else "{ }")
    assert respects(backwards(given), given) != is_needed


def test_a_global_and_a_parameter_live_on() -> None:
    given = found(THROUGH_T, COPIED, prelude="double t;")
    same(restricted(given.may_live_out, "t"), LAST_WRITE)
    given = found(LOOP + "{ *t = A[i]; B[i] = *t; }", COPIED + ", double *t")
    assert not respects(backwards(given), given)


def test_a_variable_declared_in_an_outer_scope_and_used_in_a_loop_around_the_region_lives_on() -> (
    None
):
    given = found(
        "B[0] = t; t = A[0];",
        "int n, double *A, double *B",
        before="double t = 0; for (int k = 0; k < n; k++) {",
        after="}",
    )
    same(restricted(given.may_live_in, "t"), "{ S0[] -> t[] }")
    same(restricted(given.may_live_out, "t"), "{ S1[] -> t[] }")
