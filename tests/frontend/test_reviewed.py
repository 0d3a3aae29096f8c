"""Programs that were once modelled wrongly."""

from __future__ import annotations

from loopwright import read_c

from .expectations import kernel, model_of, same, scop_of

LOOP = "for (int i = 0; i < n; i++) "


def test_a_promise_belongs_to_the_loop_right_behind_it() -> None:
    first = kernel("#pragma pencil independent\n" + LOOP + "A[i] = 0;")
    second = kernel(LOOP + "A[i] = 1;").replace("kernel", "other")
    promises = [len(scop.independences) for scop in read_c(first + second)]
    assert promises == [1, 0]


def test_a_promise_in_front_of_another_statement_is_ignored() -> None:
    scop = model_of("#pragma pencil independent\nA[0] = 2;\n" + LOOP + "A[i] = A[0];")
    assert not scop.independences
    assert [note.code for note in scop.notes] == ["LW309"]


def test_a_pointer_that_a_call_returns_may_point_into_what_it_was_given() -> None:
    prelude = "double *same(double *p);\nvoid change(double *p);"
    scop = model_of("change(same(A)); A[0] = 1;", prelude=prelude)
    written = {access.array for access in scop.statement("S0").accesses if access.writes}
    assert "A" in written


def test_a_conversion_to_a_boolean_of_any_name() -> None:
    scop = model_of(LOOP + "A[(flag)i] = 0;", prelude="typedef _Bool flag;")
    same(
        scop.must_writes(),
        "[n] -> { S0[i] -> A[0] : i = 0 and n > 0; S0[i] -> A[1] : 0 < i < n }",
    )


def test_an_enumeration_with_negative_values_is_signed() -> None:
    prelude = "enum level { NONE = -1, LOW, HIGH };"
    scop = model_of("for (enum level i = HIGH; i >= 0; i--) A[i] = 0;", prelude=prelude)
    same(scop.domain, "{ S0[i] : 0 <= i <= 1 }")


def test_a_builtin_that_prints_is_not_pure() -> None:
    scop = model_of(LOOP + "__builtin_putchar(65);")
    assert [array.name for array in scop.arrays] == ["outside_world"]


def test_a_pointer_that_data_choose_keeps_its_choice() -> None:
    body = LOOP + "{ double *row = T[K[i]]; K[i] = 0; row[0] = A[i]; }"
    scop = model_of(body, "int n, double *A, int *K, double T[9][9]")
    (statement,) = scop.statements
    assert statement.is_dynamic
    reads = {access.array for access in statement.accesses if access.reads}
    assert reads == {"K", "A"}


def test_one_function_that_is_too_deep_does_not_spoil_the_others() -> None:
    deep = "void deep(double x) { x = " + "+".join(["x"] * 3000) + "; }\n"
    fine = "void fine(int n, double *A) { " + LOOP + "A[i] = 0; }\n"
    scop = scop_of(deep + fine, autodetect=True)
    assert scop.function == "fine"


def test_a_label_names_a_dynamic_loop() -> None:
    scop = model_of("L: for (int i = 0; A[i] > 0; i++) A[i] = 0;")
    assert [statement.name for statement in scop.statements] == ["L"]
