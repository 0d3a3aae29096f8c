"""Structs, arrays in structs, unions."""

from __future__ import annotations

import islpy as isl
import pytest

from loopwright import InputError

from .expectations import expect, model_of, restricted, same

LOOP = "for (int i = 0; i < n; i++) "
ROWS = "0 <= i < n"

STRUCTS = """\
struct point { double x, y; int tag; };
struct path { int length; struct point at[10]; double sum[3]; };
union number { double real; long bits; };
"""


def test_members_are_arrays_of_their_own() -> None:
    scop = model_of(
        "p.x = p.y; p.tag = 3;",
        "struct point q",
        prelude=STRUCTS,
        before="struct point p = q;",
        after="q = p;",
    )
    expect(scop, reads="{ S0[] -> p_y[] }", writes="{ S0[] -> p_x[]; S1[] -> p_tag[] }")
    assert scop.array("p_tag").element_type == "int"
    assert scop.array("p_x").reference_text([]) == "p.x"


def test_arrays_of_structs() -> None:
    scop = model_of(LOOP + "a[i].x = a[i + 1].y;", "int n, struct point *a", prelude=STRUCTS)
    expect(
        scop,
        reads=f"[n] -> {{ S0[i] -> a_y[i + 1] : {ROWS} }}",
        writes=f"[n] -> {{ S0[i] -> a_x[i] : {ROWS} }}",
    )
    assert scop.array("a_x").reference_text(["i"]) == "a[i].x"


def test_arrays_in_structs() -> None:
    body = "for (int i = 0; i < 10; i++) for (int j = 0; j < 3; j++) p.at[i].x = p.sum[j];"
    scop = model_of(body, "struct path p", prelude=STRUCTS, after="use(p.at[0].x);")
    box = "0 <= i < 10 and 0 <= j < 3"
    expect(
        scop,
        reads=f"{{ S0[i, j] -> p_sum[j] : {box} }}",
        writes=f"{{ S0[i, j] -> p_at_x[i] : {box} }}",
        context="{ : }",
    )
    same(scop.array("p_at_x").elements(), "{ p_at_x[i] : 0 <= i < 10 }")
    assert scop.array("p_at_x").reference_text(["4"]) == "p.at[4].x"


def test_arrays_of_structs_with_arrays() -> None:
    body = LOOP + "for (int j = 0; j < 3; j++) a[i].sum[j] = a[i].at[j].y;"
    scop = model_of(body, "int n, struct path *a", prelude=STRUCTS)
    box = "0 <= i < n and 0 <= j < 3"
    expect(
        scop,
        reads=f"[n] -> {{ S0[i, j] -> a_at_y[i, j] : {box} }}",
        writes=f"[n] -> {{ S0[i, j] -> a_sum[i, j] : {box} }}",
    )


@pytest.mark.parametrize("reference", ["p->x", "(*p).x", "p[0].x", "(&*p)->x", "(p + 0)->x"])
def test_members_behind_a_pointer(reference: str) -> None:
    scop = model_of(f"{reference} = 1;", "struct point *p", prelude=STRUCTS)
    expect(scop, writes="{ S0[] -> p_x[0] }", reads="{ }")


def test_pointers_to_elements_of_arrays_of_structs() -> None:
    body = LOOP + "{ struct point *p = &a[i]; p->x += p->y; (p + 1)->tag++; }"
    scop = model_of(body, "int n, struct point *a", prelude=STRUCTS)
    expect(
        scop,
        reads=f"""[n] -> {{ S0[i] -> a_x[i] : {ROWS}; S0[i] -> a_y[i] : {ROWS};
            S1[i] -> a_tag[i + 1] : {ROWS} }}""",
        writes=f"[n] -> {{ S0[i] -> a_x[i] : {ROWS}; S1[i] -> a_tag[i + 1] : {ROWS} }}",
    )


def test_a_struct_is_assigned_member_by_member() -> None:
    scop = model_of(
        LOOP + "a[i] = b[n - i];", "int n, struct point *a, struct point *b", prelude=STRUCTS
    )
    every = ["x", "y", "tag"]
    reads = "; ".join(f"S0[i] -> b_{each}[n - i] : {ROWS}" for each in every)
    writes = "; ".join(f"S0[i] -> a_{each}[i] : {ROWS}" for each in every)
    expect(scop, reads=f"[n] -> {{ {reads} }}", writes=f"[n] -> {{ {writes} }}")


def test_a_struct_with_arrays_is_assigned_whole() -> None:
    scop = model_of(
        "p = q;", "struct path p, struct path q", prelude=STRUCTS, after="use(p.length);"
    )
    elements = """S0[] -> {0}_length[]; S0[] -> {0}_at_x[i] : 0 <= i < 10;
        S0[] -> {0}_at_y[i] : 0 <= i < 10; S0[] -> {0}_at_tag[i] : 0 <= i < 10;
        S0[] -> {0}_sum[i] : 0 <= i < 3"""
    expect(
        scop,
        reads="{ " + elements.format("q") + " }",
        writes="{ " + elements.format("p") + " }",
    )


def test_the_members_of_a_union_share_their_memory() -> None:
    scop = model_of(
        "u.real = 1; k = u.bits;", "union number u, long k", prelude=STRUCTS, after="use(k, u);"
    )
    (first,) = [access for access in scop.statements[0].accesses if access.writes]
    (second,) = [access for access in scop.statements[1].accesses if access.array != "k"]
    assert first.array == second.array


def test_a_write_to_a_member_of_a_union_may_leave_some_of_the_others() -> None:
    """Writing one of 8 bytes does not certainly write the other 7."""
    prelude = "union mixed { double real; char bytes[8]; };"
    scop = model_of(
        "u.real = 1; u.bytes[0] = 2; x = u.real;",
        "union mixed u, double x",
        prelude=prelude,
        after="use(x);",
    )
    writes = restricted(scop.must_writes(), "u").intersect_domain(isl.UnionSet("{ S1[] }"))
    assert writes.is_empty()


def test_a_volatile_member_is_refused() -> None:
    with pytest.raises(InputError, match="LW214"):
        model_of(
            "d->ready = 1;", "struct device *d", prelude="struct device { volatile int ready; };"
        )


def test_a_member_of_a_union_that_another_member_changes_is_no_parameter() -> None:
    body = "for (long i = 0; i < u.bits; i++) u.real = i;"
    scop = model_of(body, "union number u", prelude=STRUCTS)
    assert scop.parameters == ()
