"""What stands around the generated loops: the file, the test, the alternative, the helpers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.inputs import parsed_context
from loopwright.frontend.reading import Question
from loopwright.model.proofs import Instance, Proof, Rewriting, Unknown, Verdict, rewriting
from loopwright.verify.failure import NotProved
from loopwright.verify.programs import claims_about
from loopwright.verify.read_back import read_back
from tests.verify.answers import verdict as check
from tests.verify.programs import function, guarded
from tests.verify.rewritten import hint_in, rewritten, verdict, verdict_on

DOUBLING = "for (int i = 0; i < n; i++)\n  A[i] = 2 * A[i];"
LOOP = "for (long c0 = 0; c0 < n; c0++)\n  A[c0] = 2 * A[c0]; // S0(c0)\n"
POINTER = function("int n, double *A", DOUBLING)


def judged(changed: Rewriting, number: int, text: str, question: Question) -> Verdict:
    """The verdict on one region of a file."""
    hints = [hint_in(text) if at == number else None for at in range(len(changed.stretches))]
    try:
        claims = claims_about(
            changed.name, changed, list(range(len(hints))), hints, ReadOptions(), question
        )
    except NotProved as failure:
        return Unknown(failure.reason)
    return read_back(claims[number])


def test_without_a_test() -> None:
    assert isinstance(verdict(POINTER, LOOP), Proof)


def test_changes_elsewhere() -> None:
    changed = rewritten(POINTER, LOOP)
    assert isinstance(judged(changed, 0, LOOP, Question()), Proof)
    for other in (changed.after + b"int x;\n", b"int x;\n" + changed.after):
        spoiled = replace(changed, after=other)
        assert isinstance(judged(spoiled, 0, LOOP, Question()), Unknown)
    moved = replace(changed, after=b"\n" + changed.after)
    assert isinstance(judged(moved, 0, LOOP, Question()), Proof)


def test_each_of_several_regions() -> None:
    program = POINTER + POINTER.replace("void f", "void g")
    changed = rewritten(program, LOOP, LOOP.replace("long", "int"))
    assert isinstance(judged(changed, 0, LOOP, Question()), Proof)
    assert isinstance(judged(changed, 1, LOOP, Question()), Proof)
    spoiled = rewritten(program, LOOP, LOOP.replace("= 2", "= 3"))
    assert isinstance(judged(spoiled, 0, LOOP, Question()), Proof)
    assert isinstance(judged(spoiled, 1, LOOP, Question()), Unknown)


def test_a_region_without_pragmas() -> None:
    program = f"void f(int n, double *A) {{\n{DOUBLING}\n}}\n".encode()
    start = program.index(b"for")
    end = program.index(b"\n}")
    question = Question(autodetect=True)
    for text, is_proved in ((LOOP, True), (LOOP.replace("c0 = 0", "c0 = 1"), False)):
        changed = rewriting("program.c", program, [(start, end, f"{{\n{text}}}".encode())])
        assert isinstance(judged(changed, 0, text, question), Proof) == is_proved


def test_a_part_of_a_region() -> None:
    """The hint is about all that stands between the pragmas."""
    program = function("int n, double *A, double *B", f"{DOUBLING}\nB[0] = 1;").encode()
    start, end = program.index(b"for"), program.index(b"\nB[0]")
    changed = rewriting("program.c", program, [(start, end, LOOP.encode())])
    whole = (*hint_in(LOOP), Instance("S1", ()))
    assert isinstance(verdict_on(changed, whole), Proof)
    assert isinstance(verdict_on(changed, whole[:1]), Unknown)


def test_promises_of_the_user_count() -> None:
    program = function("int n, double A[n]", DOUBLING)
    assert isinstance(verdict(program, LOOP), Unknown)
    positive = parsed_context("[n] -> { : n >= 1 }")
    assert isinstance(verdict(program, LOOP, question=Question(context=positive)), Proof)


@pytest.mark.parametrize(
    ("header", "loop"),
    [
        ("", "#define n 5\n" + LOOP),
        ("", "#pragma omp parallel for\n" + LOOP.replace("c0 < n", "c0 < n && omp_stop()")),
        ("double *B;\n", LOOP.replace("A[c0] = 2", "B[c0] = 2")),
        ("", LOOP.replace("long c0", "static long c0")),
        ("", "{ double *restrict B = A;\n" + LOOP.replace("A", "B") + "}"),
        ("", "if (n > 3) {\n" + LOOP + "}"),
        ("", LOOP + "__builtin_assume(n == 7);"),
        ("", LOOP + "A = A + 1;"),
    ],
)
def test_texts_that_say_too_much(header: str, loop: str) -> None:
    assert isinstance(verdict(header + POINTER, loop), Unknown)


@pytest.mark.parametrize(
    ("meaning", "is_proved"),
    [("(2 * (x))", True), ("2 * x", True), ("(3 * (x))", False), ("(x + x)", False)],
)
def test_a_macro_of_the_program(meaning: str, is_proved: bool) -> None:
    loop = LOOP.replace("2 * A[c0]", "twice(A[c0])")
    found = verdict(f"#define twice(x) {meaning}\n{POINTER}", loop)
    assert isinstance(found, Proof) is is_proved, str(found)


def test_a_helper_that_the_program_uses() -> None:
    """Behind the region its name must mean what it did."""
    text = guarded("n >= 1", LOOP.replace("c0 < n", "c0 < lw_min(n, n)"), DOUBLING, "min")
    program = f"int lw_min(int, int);\n{POINTER}int least(void) {{ return lw_min(1, 2); }}\n"
    assert isinstance(verdict(program, text), Proof)
    kept = text.replace("\n#undef lw_min", "")
    assert isinstance(verdict(POINTER, kept), Proof)
    assert isinstance(verdict(program, kept), Unknown)


def test_pointers_are_asked_for_first() -> None:
    region = "if (k > 0)\n  for (int i = 0; i < m->n; i++)\n    A[i] = 2 * A[i];"
    program = "struct m { int n; };\n" + function("int k, struct m *m, double *A", region)
    loop = LOOP.replace("c0 < n", "c0 < m->n")
    assert isinstance(verdict(program, guarded("m && k >= 1", loop, region)), Proof)
    both = f"if (k >= 1)\n{loop}"
    assert isinstance(verdict(program, guarded("m && m->n >= 0", both, region)), Proof)
    assert isinstance(verdict(program, guarded("m->n >= 0", both, region)), Unknown)


def test_integers_must_not_overflow() -> None:
    """For n = 2147483647 the iterator would leave its type, unlike that of the original."""
    steps = LOOP.replace("c0 < n", "c0 < n - n % 2").replace("c0++", "c0 += 2")
    text = steps.replace("; // S0(c0)", "; // S0(c0)\n").replace("long c0", "int c0")
    pairs = (
        "for (T c0 = 0; c0 < n; c0 += 2) {\n"
        "A[c0] = 2 * A[c0]; // S0(c0)\n"
        "if (c0 + 1 < n) A[c0 + 1] = 2 * A[c0 + 1]; // S0(c0 + 1)\n}"
    )
    assert isinstance(verdict(POINTER, text), Unknown)
    assert isinstance(verdict(POINTER, pairs.replace("T", "long")), Proof)
    assert isinstance(verdict(POINTER, pairs.replace("T", "int")), Unknown)


@pytest.mark.parametrize(
    ("statement", "is_proved"),
    [
        ("(void)sizeof n;", True),
        ("(void)sizeof A[0];", False),
        ("(void)sizeof 1;", False),
        ("(void)0;", True),
        ("(void)A[0];", False),
        ("(void)(A[0] = 1);", False),
        ("(void)(1 / 0);", False),
    ],
)
def test_what_does_nothing_may_stand_beside_the_loops(statement: str, is_proved: bool) -> None:
    assert isinstance(verdict(POINTER, f"{LOOP}{statement}\n"), Proof) == is_proved


def test_a_size_is_no_number() -> None:
    """It may be another one when the program is compiled."""
    shifted = LOOP.replace("c0 < n", "c0 < (long)n + 4").replace("A[c0]", "A[c0 - 4]")
    for start, is_proved in (("4", True), ("sizeof n", False)):
        text = shifted.replace("c0 = 0", f"c0 = {start}").replace("S0(c0)", "S0(c0 - 4)")
        assert isinstance(verdict(POINTER, text), Proof) == is_proved


LABELLED = """\
void f(int n, int k, double *A, double *B) {{
#pragma scop
{}for (int i = 0; i < n; i++) A[i] += 1;
{}for (int i = 0; i < n; i++) B[i] += 1;
#pragma endscop
{}
}}
"""


@pytest.mark.parametrize(
    ("behind", "is_same"),
    [
        ("if (k-- > 0) goto again;", False),
        ("void *p = &&again; if (k-- > 0) goto *p;", False),
        ("if (k-- > 0) { goto end; } end: ;", True),
        ("k = n && B;", True),
    ],
)
def test_labels_that_somebody_jumps_to(behind: str, is_same: bool) -> None:
    old, new = (LABELLED.format(*each, behind) for each in (("again: ", ""), ("", "again: ")))
    assert isinstance(check(old, new, run=False), Proof) is is_same


def test_a_macro_that_jumps() -> None:
    old, new = (LABELLED.format(*each, "AGAIN") for each in (("again: ", ""), ("", "again: ")))
    jump = "#define AGAIN if (k-- > 0) goto again;\n"
    assert not isinstance(check(jump + old, jump + new, run=False), Proof)
