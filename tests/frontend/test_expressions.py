"""What an expression or a declaration inside a region reads and writes."""

from __future__ import annotations

import islpy as isl
import pytest

from .expectations import accesses_of, certain_reads, expect, model_of, restricted, same

LOOP = "for (int i = 0; i < n; i++) "
ROWS = "0 <= i < n"

STRUCTS = "struct point { double x, y; int tag; };"


@pytest.mark.parametrize("operator", ["+=", "-=", "*=", "/="])
def test_compound_assignments_read_what_they_write(operator: str) -> None:
    scop = model_of(LOOP + f"A[i] {operator} B[2 * i];", "int n, double *A, double *B")
    expect(
        scop,
        reads=f"[n] -> {{ S0[i] -> A[i] : {ROWS}; S0[i] -> B[2i] : {ROWS} }}",
        writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}",
    )


@pytest.mark.parametrize("operator", ["%=", "<<=", ">>=", "&=", "|=", "^="])
def test_compound_assignments_of_integers(operator: str) -> None:
    scop = model_of(LOOP + f"A[i] {operator} 3;", "int n, int *A")
    touched = f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}"
    expect(scop, reads=touched, writes=touched)


@pytest.mark.parametrize("statement", ["A[i]++;", "A[i]--;", "++A[i];", "--A[i];"])
def test_increments_read_and_write(statement: str) -> None:
    touched = f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}"
    expect(model_of(LOOP + statement), reads=touched, writes=touched)


def test_assignments_inside_an_expression() -> None:
    scop = model_of(LOOP + "A[i] = B[i] = C[i]++;", "int n, double *A, double *B, int *C")
    each = "S0[i] -> {}[i] : " + ROWS
    expect(
        scop,
        reads=f"[n] -> {{ {each.format('C')} }}",
        writes=f"[n] -> {{ {'; '.join(map(each.format, 'ABC'))} }}",
    )


def test_operators_casts_and_calls_read_all_operands() -> None:
    body = LOOP + "A[i] = (double) (B[i] & 3 | ~B[i + 1] ^ B[i + 2] << 1) + (float) -A[i + 1];"
    scop = model_of(body, "int n, double *A, int *B")
    expect(
        scop,
        reads=f"""[n] -> {{ S0[i] -> B[x] : {ROWS} and i <= x <= i + 2;
            S0[i] -> A[i + 1] : {ROWS} }}""",
        writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}",
    )
    same(certain_reads(scop), str(scop.may_reads()))


def test_the_comma_evaluates_both_sides() -> None:
    scop = model_of(LOOP + "A[i] = 1, B[i] = 2;", "int n, double *A, double *B")
    expect(scop, writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS}; S0[i] -> B[i] : {ROWS} }}")


def test_an_affine_conditional_reads_one_side() -> None:
    scop = model_of(LOOP + "A[i] = i < 3 ? B[i] : C[i];", "int n, double *A, double *B, double *C")
    reads = f"""[n] -> {{ S0[i] -> B[i] : {ROWS} and i < 3; S0[i] -> C[i] : {ROWS} and i >= 3 }}"""
    expect(scop, reads=reads)
    same(certain_reads(scop), reads)


def test_a_data_dependent_conditional_may_read_either_side() -> None:
    body = LOOP + "A[i] = B[i] > 0 ? C[i] : C[i + 1];"
    scop = model_of(body, "int n, double *A, double *B, double *C")
    expect(
        scop,
        instances=f"[n] -> {{ S0[i] : {ROWS} }}",
        reads=f"[n] -> {{ S0[i] -> B[i] : {ROWS}; S0[i] -> C[x] : {ROWS} and i <= x <= i + 1 }}",
        writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}",
    )
    same(certain_reads(scop), f"[n] -> {{ S0[i] -> B[i] : {ROWS} }}")


@pytest.mark.parametrize(
    ("expression", "possible", "certain"),
    [
        ("i < 3 && B[i]", f"{ROWS} and i < 3", f"{ROWS} and i < 3"),
        ("i < 3 || B[i]", f"{ROWS} and i >= 3", f"{ROWS} and i >= 3"),
        ("C[i] && B[i]", ROWS, "1 = 0"),
        ("C[i] || B[i]", ROWS, "1 = 0"),
        ("(i < 3 && C[i]) || B[i]", ROWS, f"{ROWS} and i >= 3"),
        ("!(C[i] + B[i])", ROWS, ROWS),
    ],
)
def test_logical_operators_read_their_second_operand_only_if_needed(
    expression: str, possible: str, certain: str
) -> None:
    scop = model_of(LOOP + f"A[i] = {expression};", "int n, double *A, int *B, int *C")
    same(restricted(scop.may_reads(), "B"), f"[n] -> {{ S0[i] -> B[i] : {possible} }}")
    seen = restricted(certain_reads(scop), "B")
    assert seen.is_subset(isl.UnionMap(f"[n] -> {{ S0[i] -> B[i] : {certain} }}"))
    if "C[i])" not in expression:
        same(seen, f"[n] -> {{ S0[i] -> B[i] : {certain} }}")


def test_assignments_behind_a_logical_operator_may_not_happen() -> None:
    scop = model_of(LOOP + "B[i] && (A[i] = 1);", "int n, double *A, int *B")
    expect(scop, may_writes=f"[n] -> {{ S0[i] -> A[i] : {ROWS} }}", must_writes="{ }")


def test_sizeof_evaluates_nothing() -> None:
    scop = model_of(LOOP + "A[i] = sizeof(B[i]);", "int n, double *A, double *B")
    expect(scop, reads="{ }")


def test_the_address_of_an_element_reads_nothing() -> None:
    prelude = "double first(double *p) { return p[1]; }"
    scop = model_of(LOOP + "A[i] = first(&B[i]);", "int n, double *A, double *B", prelude=prelude)
    expect(scop, reads=f"[n] -> {{ S0[i] -> B[i + 1] : {ROWS} }}")


def test_subscripts_are_read_too() -> None:
    scop = model_of(LOOP + "A[K[i]] = 0;", "int n, double *A, int *K")
    expect(
        scop,
        reads=f"[n] -> {{ S0[i] -> K[i] : {ROWS} }}",
        may_writes=f"[n] -> {{ S0[i] -> A[x] : {ROWS} }}",
        must_writes="{ }",
    )


# --- locals ----------


def test_a_local_is_initialised_by_a_statement() -> None:
    scop = model_of(LOOP + "{ double t = A[i]; A[i] = t * t; }")
    expect(
        scop,
        instances=f"[n] -> {{ S0[i] : {ROWS}; S1[i] : {ROWS} }}",
        reads=f"[n] -> {{ S0[i] -> A[i] : {ROWS}; S1[i] -> t[] : {ROWS} }}",
        writes=f"[n] -> {{ S0[i] -> t[] : {ROWS}; S1[i] -> A[i] : {ROWS} }}",
    )
    assert scop.array("t").is_local
    assert not scop.array("t").is_live_in
    assert not scop.array("t").is_live_out


def test_a_local_array_with_an_initialiser_is_written_whole() -> None:
    """Elements that the list does not name become zero."""
    scop = model_of(LOOP + "{ double t[4] = { 1, A[i] }; A[i] = t[3]; }")
    expect(
        scop,
        writes=f"""[n] -> {{ S0[i] -> t[x] : {ROWS} and 0 <= x < 4;
        S1[i] -> A[i] : {ROWS} }}""",
    )


def test_a_local_struct_with_an_initialiser_is_written_whole() -> None:
    scop = model_of(LOOP + "{ struct point p = { A[i] }; A[i] = p.x + p.y; }", prelude=STRUCTS)
    writes = scop.must_writes().intersect_domain(isl.UnionSet("{ S0[i] }"))
    members = "; ".join(f"S0[i] -> p_{each}[] : {ROWS}" for each in ("x", "y", "tag"))
    same(writes, f"[n] -> {{ {members} }}")


def test_two_locals_of_one_name_are_two_arrays() -> None:
    body = "{ double t = A[0]; A[1] = t; } { double t = A[2]; A[3] = t; }"
    scop = model_of(body)
    assert len({access.array for each in scop.statements for access in each.accesses}) == 3


def test_a_local_vla_has_the_extent_of_its_declaration() -> None:
    scop = model_of(LOOP + "{ double t[n + 2]; t[i] = A[i]; A[i] = t[i]; }")
    same(scop.array("t").elements(), "[n] -> { t[x] : 0 <= x < n + 2 }")


def test_tags_are_unique_to_references() -> None:
    scop = model_of(LOOP + "A[i] = A[i] + A[i + 1]; A[0] = A[0];")
    tags = [access.tag for access in accesses_of(scop, "A")]
    assert len(tags) == len(set(tags)) == 5
    assert [access.text for access in accesses_of(scop, "A")].count("A[i + 1]") == 1
    tagged = scop.may_reads(tagged=True)
    assert tagged.domain().unwrap().domain().is_equal(scop.may_reads().domain())
    assert len(set(map(str, _tags(tagged)))) == 3


def _tags(tagged: isl.UnionMap) -> list[str]:
    references = tagged.domain().unwrap().range().get_set_list()
    return [references.get_at(at).get_tuple_name() for at in range(references.n_set())]
