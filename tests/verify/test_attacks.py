"""Programs that are not the same, and that somebody once took for the same."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from loopwright import Proof
from loopwright.certifying import Source, proved_again
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.preprocessing import unit_of
from loopwright.frontend.reading import Question
from loopwright.model.proofs import Stretch, Unknown
from loopwright.verify.certificates import Certificate, CertifiedRegion, digest, reading_of
from tests.verify.answers import verdict as check

FRAME = (
    "void f(int n, int k, double C[n], int x[n]) {{\n#pragma scop\n{text}\n#pragma endscop\n}}\n"
)
TWICE = """\
int g;
void f(int n, double *A, double *B) {
#pragma scop
  for (int i = 0; i < n; i++) A[i] = 2 * A[i];
#pragma endscop
  g = 2;
#pragma scop
  for (int i = 0; i < n; i++) B[i] = 3;
#pragma endscop
}
"""


def is_proved(old: str, new: str) -> bool:
    return isinstance(check(old, new, run=False), Proof)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "for (int k = 0; k < 2; k++) C[0] = C[0] + C[0];",
            "double t = C[0]; for (int k = 0; k < 2; k++) t = t + C[0]; C[0] = t;",
        ),
        (
            "for (int j = 0; j < n; j++) for (int k = 0; k < 3; k++) C[0] += C[j];",
            "for (int j = 0; j < n; j++) "
            "{ double t = C[0]; for (int k = 0; k < 3; k++) t += C[j]; C[0] = t; }",
        ),
    ],
)
def test_an_old_value_beside_the_one_in_a_register(old: str, new: str) -> None:
    assert not is_proved(FRAME.format(text=old), FRAME.format(text=f"{{ {new} }}"))


@pytest.mark.parametrize(
    "behind",
    [
        "// note \\ \n  g = 2;",
        "#define QQ 1 \\\t\n  g = 2;",
        '#define QQ "*/" /*\n  g = 2;\n/* */',
        "#define QQ */ /*\n  g = 2;\n/* */",
        "g = 2; // note\r g = 3;",
    ],
)
def test_lines_and_comments_that_are_not_what_they_seem(behind: str) -> None:
    new = TWICE.replace("g = 2;", f"\n{behind}\n").replace("int i", "long i")
    assert not is_proved(TWICE, new)


def test_a_new_variable_hides_none() -> None:
    old = """\
int g;
void f(int n, double *A) {
#pragma scop
  double t = 5;
#pragma endscop
  {
    g = 1;
#pragma scop
    A[0] = t;
#pragma endscop
  }
}
"""
    assert not is_proved(old, old.replace("    g = 1;", "    double t;\n    g = 1;"))


@pytest.mark.parametrize(
    "clause",
    [
        "schedule(static, k)",
        "schedule(dynamic, 0)",
        "schedule(static, -1)",
        "if(100 / k > 3)",
        "num_threads(k)",
        "num_threads(n)",
        "num_threads(0)",
        "simd simdlen(n)",
        "schedule(n)",
    ],
)
def test_clauses_that_end_a_program(clause: str) -> None:
    loop = "for (int i = 0; i < n; i++) x[i] = i;"
    pragma = "\n#pragma omp parallel for {}\n"
    old = FRAME.format(text=loop)
    assert is_proved(old, FRAME.format(text=pragma.format("schedule(dynamic, 4)") + loop))
    assert not is_proved(old, FRAME.format(text=pragma.format(clause) + loop))


MARKED = FRAME.format(text="{}for (int i = 0; i < n; i++) x[i] = i;")


def is_accepted(clause: str) -> bool:
    """In front of a parallel loop."""
    new = MARKED.replace("{}", f"\n#pragma omp parallel for {clause}\n")
    return is_proved(MARKED.replace("{}", ""), new)


@pytest.mark.parametrize(
    "clause",
    [
        # integers that may overflow, and what is no expression
        "if(n * n > 50000)",
        "if(n << 33)",
        "if(n + 1 > 3)",
        "if(1.0 * (n + 1) > 3)",
        "if(1.0 * (n * n) > 3)",
        "if(1.0 + n * n > 3)",
        "if(n > 99999999999999999999)",
        "if(-n > 3)",
        "if(n > = 3)",
        "if(n n)",
        "if(n > 3 > 2)",
        "if(n > 3 &&)",
        "if()",
        # twice, or not together
        "if(n > 3) if(n > 4)",
        "schedule(static) schedule(static)",
        "num_threads(2) num_threads(2)",
        "default(shared) default(shared)",
        "proc_bind(close) proc_bind(close)",
        "simd simdlen(4) simdlen(4)",
        "simd safelen(4) safelen(4)",
        "simd safelen(4) simdlen(8)",
        # words and commas that do not belong there
        "default(none)",
        "schedule(auto, 4)",
        "schedule(close)",
        "proc_bind(static)",
        "proc_bind()",
        ", schedule(static)",
        "schedule(static),",
        "schedule(static),, if(n > 3)",
        # variables that are not there, or must keep their value
        "private(i)",
        "private(n)",
        "private(q)",
    ],
)
def test_clauses_that_do_not_compile_or_overflow(clause: str) -> None:
    assert not is_accepted(clause)


@pytest.mark.parametrize(
    "clause",
    [
        "if(n > 1000)",
        "if(n)",
        "if(n >= 10 && n < 5000 || n == 7)",
        "if(1.0 * n * n >= 50000)",
        "if(1.0 * n * ((long)n - 2) * (2 * (long)n + n) >= 50000)",
        "schedule(guided, 8), proc_bind(spread), num_threads(4)",
        "schedule(auto) default(shared)",
        "simd safelen(8) simdlen(4) if(n > 3)",
    ],
)
def test_harmless_clauses(clause: str) -> None:
    assert is_accepted(clause)


def test_sums_in_clauses_fit_where_a_test_says_so() -> None:
    text = "\n#pragma omp parallel for if(1.0 * (n - 2) * n >= 50000)\n"
    loop = "for (int i = 0; i < n; i++) x[i] = i;"
    old = FRAME.format(text=loop)
    tested = f"if (n >= {{}}) {{{{{text}{loop}}}}} else {{{{ {loop} }}}}"
    assert is_proved(old, FRAME.format(text=tested.format(1)))
    assert not is_proved(old, FRAME.format(text=tested.format("-2147483647")))


def test_a_clause_with_a_member() -> None:
    old = """\
struct size {{ int n; }};
void f(struct size s, int x[s.n]) {{
#pragma scop
{}  for (int i = 0; i < s.n; i++) x[i] = i;
#pragma endscop
}}
"""
    pragma = "#pragma omp parallel for if(1.0 * {} >= 50000)\n"
    assert is_proved(old.format(""), old.format(pragma.format("(s.n)")))
    assert not is_proved(old.format(""), old.format(pragma.format("(s.n - 2)")))
    assert not is_proved(old.format(""), old.format(pragma.format("s")))


def test_a_clause_with_a_variable_that_hides_a_parameter() -> None:
    loop = "for (int i = 0; i < n; i++)"
    old = FRAME.format(text=f"{loop} if (k > 2) x[i] = i;")
    new = FRAME.format(
        text=f"if (k > 2) {{\n#pragma omp parallel for if(k > 3)\n{loop} x[i] = i; }}"
    )
    assert is_proved(old, new)
    assert not is_proved(old, new.replace("{\n#pragma omp", "{ int k;\n#pragma omp"))


@pytest.mark.parametrize(
    ("private", "declared", "is_there"),
    [("j", "int j; ", True), ("j", "", False), ("t", "", True), ("q", "", False)],
)
def test_private_variables_that_are_not_there(private: str, declared: str, is_there: bool) -> None:
    old = FRAME.format(text="for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) x[i] = i + j;")
    inner = f"for ({'' if declared else 'int '}j = 0; j < 3; j++)"
    body = f"{{ int q; {inner} {{ q = i + j; t = q; x[i] = t; }} }}"
    also = f", {private}" if private != "t" else ""
    pragma = f"\n#pragma omp parallel for private(t{also})\n"
    new = f"{{ int t; {declared}{pragma}for (int i = 0; i < n; i++) {body} }}"
    assert is_proved(old, FRAME.format(text=new)) is is_there


@pytest.mark.parametrize("directive", ["parallel for", "simd"])
@pytest.mark.parametrize(
    ("header", "is_usual"),
    [
        ("int i = 0; i < n && i < 7; i++", False),
        ("int i = 0; !(i >= n || i >= 7); i++", False),
        ("int i = 0; 7 > i && i < n; i++", False),
        ("int i = 0; i + 1 <= (n < 7 ? n : 7); i++", False),
        ("int i = 0; 2 * i - i < (n < 7 ? n : 7); i++", False),
        ("int i = 0; i < (i < 7 ? n : 7); i++", False),
        ("int i = 0; (long)i < (n < 7 ? n : 7); i++", False),
        ("int i = 0; i < (n < 7 ? n : 7); i++", True),
        ("int i = 0; (n < 7 ? n : 7) > i; i += 1", True),
        ("long i = 0; i <= (n < 7 ? n : 7) - 1L; i = 1 + i", True),
        ("int i = (n < 7 ? n : 7) - 1; i >= 0; i -= 1", True),
        ("int i = (n < 7 ? n : 7) - 1; i > -1; i += -1", True),
        ("int i = 0; i != (n < 7 ? n : 7); i++", True),
    ],
)
def test_loops_that_openmp_takes(directive: str, header: str, is_usual: bool) -> None:
    old = FRAME.format(text="for (int i = 0; i < n; i++) if (i < 7) x[i] = 2;")
    plain = f"for ({header}) x[i] = 2;"
    marked = f"\n#pragma omp {directive}\n{plain}"
    context = "[n] -> { : n > 0 }"
    for text, is_taken in ((plain, True), (marked, is_usual)):
        verdict = check(old, FRAME.format(text=text), context=context, run=False)
        assert isinstance(verdict, Proof) is is_taken


@pytest.mark.parametrize(
    ("header", "is_usual"),
    [
        ("int i = 1; i != 9; i += 2", False),
        ("int i = 1; i < 9; i += 2", True),
    ],
)
def test_steps_that_openmp_takes(header: str, is_usual: bool) -> None:
    loop = f"for ({header}) x[i] = 2;"
    old = FRAME.format(text=loop)
    assert is_proved(old, old.replace("int i", "long i"))
    assert is_proved(old, FRAME.format(text=f"\n#pragma omp simd\n{loop}")) is is_usual


def test_new_arrays_without_elements() -> None:
    """C does not say what ``int t[n]`` is where n is zero."""
    loop = "for (int i = 0; i < n; i++)"
    old = FRAME.format(text=f"{loop} x[i] = i;")
    turned = f"{{ int t[n]; {loop} t[i] = i; {loop} x[i] = t[i]; }}"
    assert not is_proved(old, FRAME.format(text=turned))
    some = check(old, FRAME.format(text=turned), context="[n] -> { : n > 0 }", run=False)
    assert isinstance(some, Proof)


# --- certificates ---------------------------------------------------------------------------------


def is_certified(
    old: str, new: str, stretch: Stretch, instances: str, question: Question | None = None
) -> bool:
    """Is a forged certificate accepted?"""
    question, options = question or Question(), ReadOptions()
    region = CertifiedRegion("f", stretch, (isl.Map(instances),), ())
    reading = reading_of(options, question, reassociates=False)
    seen = (unit_of("old.c", old.encode(), None, options).configuration,)
    forged = Certificate(digest(old.encode()), digest(new.encode()), reading, seen, (region,))
    texts = Source("old.c", old.encode()), Source("new.c", new.encode())
    found = next(iter(proved_again(forged, *texts, options, question)), None)
    return not isinstance(found, Unknown)


def test_a_stretch_is_one_region() -> None:
    start, end = TWICE.index("\n  for"), TWICE.rindex("\n#pragma endscop")
    first = TWICE[start : TWICE.index("\n#pragma endscop")]
    new = TWICE[:start] + first + TWICE[end:]
    stretch = Stretch(start, end, start, start + len(first))
    assert not is_certified(TWICE, new, stretch, "{ [i] -> S0[i] }")


def test_a_comment_ends_in_its_stretch() -> None:
    old = "int g;\nvoid f(int n, double *A) {\n  for (int i = 0; i < n; i++) A[i] = 2; g = 5;\n}\n"
    new = old.replace("; g = 5", "; // g = 5")
    start, end = old.index("for"), old.index(" g = 5")
    stretch = Stretch(start, end, start, end + 3)
    question = Question(autodetect=True)
    assert not is_certified(old, new, stretch, "{ [i] -> S0[i] }", question)
    honest = replace(stretch, new_end=end)
    assert is_certified(old, old, honest, "{ [i] -> S0[i] }", question)
