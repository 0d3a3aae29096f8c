"""Two versions of a program that are run side by side: the case in which they differ is found.

The programs write what is easily computed by hand, so that the expected elements, values and
instances are those of the programs, not those that were found.
"""

from __future__ import annotations

import shutil
from contextlib import suppress

import islpy as isl
import pytest

from loopwright import InputError
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question, read_source
from loopwright.model.proofs import NOTHING_WRITES, Counterexample
from loopwright.model.scop import Scop
from loopwright.tuning.counterexamples import counterexample
from loopwright.tuning.toolchain import CannotRun, Toolchain

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")

GCC = Toolchain(("gcc",), ("-O3", "-ffast-math"))


def found(
    original: str,
    transformed: str,
    *,
    is_exact: bool = True,
    suggested: tuple[dict[str, int], ...] = (),
    seconds: float = 20.0,
) -> Counterexample | None:
    options = ReadOptions()
    scops = models(original)
    new: list[Scop] | list[None] = [None] * len(scops)
    with suppress(InputError):
        new = models(transformed)
    return counterexample(
        "k.c",
        original.encode(),
        transformed.encode(),
        options,
        scops,
        new,
        GCC,
        is_exact=is_exact,
        suggested=suggested,
        seconds=seconds,
    )


def models(program: str) -> list[Scop]:
    return list(read_source("k.c", program.encode(), ReadOptions(), Question()).scops)


def function(head: str, region: str, before: str = "", after: str = "") -> str:
    """A function whose region starts on line 5."""
    return f"{head}\n{{\n{before}\n#pragma scop\n{region}\n#pragma endscop\n{after}\n}}\n"


VECTOR = "void f(int n, double a[n])"
FORWARD = "for (int i = 0; i < n; i++)"


@pytest.mark.parametrize(
    ("head", "old", "new", "sizes", "element", "values", "instances"),
    [
        pytest.param(
            VECTOR,
            f"{FORWARD}\n  a[i] = 10 * i + 1;",
            "for (int i = 0; i < n - 1; i++)\n  a[i] = 10 * i + 1;",
            {"n": 1},
            "a[0]",
            ("1", None),
            ("S0 at (i = 0), line 6: a[i] = 10 * i + 1", NOTHING_WRITES),
            id="a bound is off by one",
        ),
        pytest.param(
            "void f(int n, double a[n], double b[n])",
            f"{FORWARD} {{\n  a[i] = i + 1;\n  b[i] = 2 * a[i];\n}}",
            f"{FORWARD} {{\n  b[i] = 2 * a[i];\n  a[i] = i + 1;\n}}",
            {"n": 1},
            "b[0]",
            ("2", None),
            ("S1 at (i = 0), line 7: b[i] = 2 * a[i]", "S0 at (i = 0), line 6: b[i] = 2 * a[i]"),
            id="statements are swapped",
        ),
        pytest.param(
            VECTOR,
            "for (int i = 1; i < n; i++)\n  a[i] = a[i - 1] + 1;",
            "for (int i = n - 1; i >= 1; i--)\n  a[i] = a[i - 1] + 1;",
            {"n": 3},
            "a[2]",
            (None, None),
            ("S0 at (i = 2), line 6: a[i] = a[i - 1] + 1",) * 2,
            id="a recurrence is reversed",
        ),
        pytest.param(
            VECTOR,
            f"{FORWARD}\n  a[i] = 0.5 - i;",
            "for (int i = 0; i + 1 < n; i += 2) {\n  a[i] = 0.5 - i;\n  a[i + 1] = -0.5 - i;\n}\n"
            "if (n > 2 && n % 2) a[n - 1] = 1.5 - n;",
            {"n": 1},
            "a[0]",
            ("0.5", None),
            ("S0 at (i = 0), line 6: a[i] = 0.5 - i", NOTHING_WRITES),
            id="the remainder of an unrolled loop is missing",
        ),
        pytest.param(
            "void f(int n, double a[n][n], double b[n][n])",
            f"{FORWARD}\n  for (int j = 0; j < n; j++)\n    a[i][j] = b[j][i];",
            f"{FORWARD}\n  for (int j = 0; j < n; j++)\n    a[i][j] = b[i][j];",
            {"n": 2},
            "a[0][1]",
            (None, None),
            (
                "S0 at (i = 0, j = 1), line 7: a[i][j] = b[j][i]",
                "S0 at (i = 0, j = 1), line 7: a[i][j] = b[i][j]",
            ),
            id="subscripts are in the wrong order",
        ),
        pytest.param(
            "void f(int n, int a[n])",
            f"{FORWARD}\n  a[i] = 7 - i;",
            f"{FORWARD}\n  a[n - 1 - i] = 7 - i;",
            {"n": 2},
            "a[0]",
            ("7", "6"),
            (
                "S0 at (i = 0), line 6: a[i] = 7 - i",
                "S0 at (i = 1), line 6: a[n - 1 - i] = 7 - i",
            ),
            id="integers",
        ),
        pytest.param(
            "void f(int n, float a[n])",
            f"{FORWARD}\n  a[i] = i / 2.0f;",
            f"{FORWARD}\n  a[i] = i / 2;",
            {"n": 2},
            "a[1]",
            ("0.5", "0"),
            ("S0 at (i = 1), line 6: a[i] = i / 2.0f", "S0 at (i = 1), line 6: a[i] = i / 2"),
            id="float",
        ),
        pytest.param(
            "void f(int n, long double a[n])",
            f"{FORWARD}\n  a[i] = i + 0.25L;",
            f"{FORWARD}\n  a[i] = i + 0.25L + i * 0x1p-60L;",
            {"n": 2},
            "a[1]",
            ("1.25 (0x3fffa000000000000000)", "1.25 (0x3fffa000000000000008)"),
            None,
            id="long double, in a digit that double does not have",
        ),
        pytest.param(
            "void f(int n, int m, int p, short a[n][m][p])",
            f"{FORWARD}\nfor (int j = 0; j < m; j++)\nfor (int k = 0; k < p; k++)\n"
            "  a[i][j][k] = 100 * i + 10 * j + k;",
            f"{FORWARD}\nfor (int j = 0; j < n; j++)\nfor (int k = 0; k < p; k++)\n"
            "  if (j < m)\n  a[i][j][k] = 100 * i + 10 * j + k;",
            {"n": 3, "m": 5, "p": 2},
            "a[0][3][0]",
            ("30", None),
            (
                "S0 at (i = 0, j = 3, k = 0), line 8: a[i][j][k] = 100 * i + 10 * j + k",
                NOTHING_WRITES,
            ),
            id="three dimensions, of which two are mixed up",
        ),
        pytest.param(
            "void f(int n, int m, double *c)",
            f"{FORWARD}\n  for (int j = 0; j < m; j++)\n    c[i * m + j] = 10 * i + j;",
            f"{FORWARD}\n  for (int j = 0; j < m; j++)\n    c[i * m + j] = 10 * i + i;",
            {"n": 2, "m": 2},
            "c[1]",
            ("1", "0"),
            (
                "S0 at (i = 0, j = 1), line 7: c[i * m + j] = 10 * i + j",
                "S0 at (i = 0, j = 1), line 7: c[i * m + j] = 10 * i + i",
            ),
            id="two dimensions in one",
        ),
        pytest.param(
            "int g[8][9];\nvoid f(int n, int m)",
            f"{FORWARD}\n  for (int j = 0; j < m; j++)\n    g[i][j] = i - j;",
            f"for (int j = 0; j < m; j++)\n  {FORWARD}\n    g[i][j] = j - i;",
            {"n": 2, "m": 2},
            "g[0][1]",
            ("-1", "1"),
            (
                "S0 at (i = 0, j = 1), line 8: g[i][j] = i - j",
                "S0 at (j = 1, i = 0), line 8: g[i][j] = j - i",
            ),
            id="a global array",
        ),
        pytest.param(
            "void f(int n, double *s)",
            f"{FORWARD}\n  *s = i;",
            "for (int i = n - 1; i >= 0; i--)\n  *s = i;",
            {"n": 2},
            "s[0]",
            ("1", "0"),
            ("S0 at (i = 1), line 6: *s = i", "S0 at (i = 0), line 6: *s = i"),
            id="a scalar behind a pointer",
        ),
        pytest.param(
            "#include <complex.h>\nvoid f(int n, double _Complex a[n])",
            f"{FORWARD}\n  a[i] = i + 2.0 * I;",
            f"{FORWARD}\n  a[i] = i + 2.0 * I - 0.5 * i * I;",
            {"n": 2},
            "the imaginary part of a[1]",
            ("2", "1.5"),
            None,
            id="a complex number",
        ),
    ],
)
def test_wrong_programs(
    head: str,
    old: str,
    new: str,
    sizes: dict[str, int],
    element: str,
    values: tuple[str | None, str | None],
    instances: tuple[str, str] | None,
) -> None:
    difference = found(function(head, old), function(head, new))
    assert difference is not None
    assert dict(difference.parameters) == sizes
    assert difference.element == element
    for value, expected in zip((difference.before, difference.after), values, strict=True):
        assert expected is None or value == expected
    if instances is not None:
        assert (difference.original, difference.transformed) == instances


def test_the_result_comes_from_the_variable_that_is_returned() -> None:
    old = function("int f(int n)", f"{FORWARD}\n  s = 3 * i;", "int s = 0;", "return s;")
    new = old.replace("3 * i;", "3 * i - (i > 0);")
    difference = found(old, new)
    assert str(difference) == (
        "not equivalent: for n = 2: the result is 3 (by S0 at (i = 1), line 6: s = 3 * i) before, "
        "2 (by S0 at (i = 1), line 6: s = 3 * i - (i > 0)) now"
    )


def test_the_last_of_two_regions_that_writes_an_element() -> None:
    second = "#pragma scop\nfor (int i = {start}; i < n; i++)\n  a[i] = 50;\n#pragma endscop"
    first = f"{FORWARD}\n  a[i] = i;"
    old = function(VECTOR, first, after=second.format(start=1))
    new = function(VECTOR, first, after=second.format(start=2))
    assert found(old, new) == Counterexample(
        (("n", 2),),
        "a[1]",
        "50",
        "1",
        "S0 at (i = 1), line 10: a[i] = 50",
        "S0 at (i = 1), line 6: a[i] = i",
    )


def test_code_around_the_regions_may_have_written_it() -> None:
    old = function(VECTOR, f"{FORWARD}\n  a[i] = i;", after="a[0] = 4;")
    difference = found(old, old.replace("= 4", "= 5"))
    assert difference == Counterexample((("n", 1),), "a[0]", "4", "5")


def test_a_write_that_depends_on_data_is_not_told() -> None:
    head = "void f(int n, double a[n], double b[n])"
    old = function(head, f"{FORWARD}\n  if (b[i] > 0)\n    a[i] = 4;")
    difference = found(old, old.replace("= 4", "= 5"))
    assert difference == Counterexample((("n", 1),), "a[0]", "4", "5")


def test_a_sum_in_another_order_differs_only_in_its_rounding() -> None:
    head = "double f(int n, double a[n])"
    parts = "double s = 0;", "return s;"
    old = function(head, f"{FORWARD}\n  s += a[i];", *parts)
    new = function(head, "for (int i = n - 1; i >= 0; i--)\n  s += a[i];", *parts)
    difference = found(old, new)
    assert difference is not None
    assert float(difference.before) == pytest.approx(float(difference.after))
    n = dict(difference.parameters)["n"]
    assert difference.original == f"S0 at (i = {n - 1}), line 6: s += a[i]"
    assert difference.transformed == "S0 at (i = 0), line 6: s += a[i]"
    assert found(old, new) == difference  # whoever looks again finds the same
    assert found(old, new, is_exact=False, seconds=2) is None


def test_no_flag_of_the_user_makes_two_programs_the_same() -> None:
    """The compiler would cancel the large numbers, as -ffast-math allows."""
    old = function("void f(int n, double a[n])", f"{FORWARD}\n  a[i] = (i + 1e30) - 1e30;")
    difference = found(old, old.replace("(i + 1e30) - 1e30", "i"))
    assert difference is not None
    assert (difference.element, difference.before, difference.after) == ("a[1]", "0", "1")


# --- programs that do not get to their end -------------------------------------------------------


def test_a_write_out_of_bounds() -> None:
    old = function(VECTOR, f"{FORWARD}\n  a[i] = i;")
    difference = found(old, old.replace("i < n", "i <= n"))
    assert str(difference) == (
        "not equivalent: for n = 1: a[1] is not touched before, written out of bounds, line 6 now"
    )


def test_a_read_out_of_bounds_of_rows() -> None:
    head = "void f(int n, int m, double a[n], double (*b)[m])"
    old = function(head, f"{FORWARD}\n  for (int j = 0; j < m; j++)\n    a[i] = b[i][j] * 0 + 1;")
    difference = found(old, old.replace("b[i]", "b[i + 1]"))
    assert difference is not None
    assert difference.element == "b[1][0]"
    assert difference.after == "read out of bounds, line 7"


def test_an_endless_loop() -> None:
    old = function(VECTOR, f"{FORWARD}\n  a[i] = i;")
    difference = found(old, old.replace("i++", "i += n < 3"), seconds=60)
    assert difference is not None
    assert (difference.parameters, difference.element) == ((("n", 3),), "f")
    assert "still computing" in difference.after


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("__builtin_trap();", "ended by SIGILL"),
        ("if (n > 1) exit(5);", "left with exit status 5"),
    ],
)
def test_a_program_that_ends_too_early(statement: str, words: str) -> None:
    old = "#include <stdlib.h>\n" + function(VECTOR, f"{FORWARD}\n  a[i] = i;")
    difference = found(old, old.replace("a[i] = i;", f"{{ a[i] = i; {statement} }}"))
    assert difference is not None
    assert (difference.element, difference.before, difference.after) == ("f", "done", words)


def test_subscripts_that_depend_on_data() -> None:
    """The data are from 1 to 7, so that at size 8 no sanitizer has anything to say."""
    old = function("void f(int n, int a[n], int p[n])", f"{FORWARD}\n  a[p[i]] = 51;")
    difference = found(old, old.replace("51", "52"))
    assert difference is not None
    assert dict(difference.parameters)["n"] <= 8
    assert difference.element.startswith("a[")
    assert (difference.before, difference.after) == ("51", "52")


def test_new_undefined_behaviour_is_a_difference() -> None:
    """2147483640 + 7 is the greatest integer."""
    old = function("void f(int n, int a[n])", f"{FORWARD}\n  a[i] = 1;")
    difference = found(old, old.replace("= 1", "= 1 - (2147483640 + n == i)"))
    assert difference is not None
    assert (dict(difference.parameters), difference.element) == ({"n": 8}, "the behaviour of f")
    assert difference.before == "defined"
    assert difference.after.startswith("undefined (signed integer overflow: ")
    assert difference.after.endswith(", line 6)")


def test_a_parallel_loop_that_carries_something() -> None:
    """Each thread counts for itself, so that the second iteration does not see the first."""
    loop = f"{FORWARD} {{\n  s = s + 1;\n  a[i] = s;\n}}"
    old = function(VECTOR, loop, "double s = 0;")
    new = function(VECTOR, f"#pragma omp parallel for firstprivate(s)\n{loop}", "double s = 0;")
    difference = found(old, new)
    assert difference is not None
    assert dict(difference.parameters) == {"n": 2}
    assert (difference.element, difference.before, difference.after) == ("a[1]", "2", "1")


# --- sizes ----------------------------------------------------------------------------------------

RARE = function(VECTOR, f"{FORWARD}\n  a[i] = i;")


def test_numbers_of_the_programs_are_sizes() -> None:
    difference = found(RARE, RARE.replace("= i;", "= n > 100 ? 1 : i;"))
    assert difference is not None
    assert (dict(difference.parameters), difference.element) == ({"n": 101}, "a[0]")


def test_suggested_sizes_are_tried() -> None:
    new = RARE.replace("= i;", "= n * n == 1681 ? 1 : i;")
    assert found(RARE, new, seconds=3) is None
    difference = found(RARE, new, suggested=({"n": 41, "unknown": 3},))
    assert difference is not None
    assert (dict(difference.parameters), difference.element) == ({"n": 41}, "a[0]")


def test_sizes_that_the_context_wants() -> None:
    head, start = "void f(int n, double a[n])", "for (int i = 2000; i < n; i++)"
    old = function(head, f"{start}\n  a[i] = i;")
    options, question = ReadOptions(), Question(context=isl.Set("[n] -> { : n > 2000 }"))
    scops = read_source("k.c", old.encode(), options, question).scops
    new = old.replace("= i;", "= i + 1;").encode()
    difference = counterexample("k.c", old.encode(), new, options, scops, [None], GCC)
    assert difference is not None
    assert dict(difference.parameters) == {"n": 2001}
    assert (difference.element, difference.before, difference.after) == ("a[2000]", "2000", "2001")
    assert difference.transformed == ""


# --- no difference --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "old", "new"),
    [
        pytest.param(
            "void f(int n, int m, double a[n][m], double b[m][n])",
            f"{FORWARD}\n  for (int j = 0; j < m; j++)\n    a[i][j] = b[j][i] + a[i][j];",
            "for (int jj = 0; jj < m; jj += 4)\n  for (int i = 0; i < n; i++)\n"
            "    for (int j = jj; j < (jj + 4 < m ? jj + 4 : m); j++)\n"
            "      a[i][j] = b[j][i] + a[i][j];",
            id="tiles",
        ),
        pytest.param(
            "void f(int n, float a[n], int b[n], _Bool c[n], double x, double y)",
            f"{FORWARD}\n  a[i] = c[i] ? x : y * b[i];",
            f"#pragma omp parallel for\n{FORWARD}\n  a[i] = c[i] ? x : y * b[i];",
            id="threads",
        ),
        pytest.param(
            "static void __pencil_kill(double *t) { (void)t; }\n"
            "void f(int n, double a[n], double t[n])",
            f"{FORWARD}\n  t[i] = a[i];\n{FORWARD}\n  a[i] = 2 * t[i];\n__pencil_kill(t);",
            f"{FORWARD}\n  a[i] = 2 * a[i];",
            id="values that nobody needs",
        ),
    ],
)
def test_equivalent_programs(head: str, old: str, new: str) -> None:
    assert found(function(head, old), function(head, new), seconds=3) is None


# --- originals that are not defined -------------------------------------------------------------

SUM = f"{FORWARD}\n  a[i] = a[i] + 1;"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("double t, *p = &t;", "a[0] += *p;", id="a value that was never set"),
        pytest.param("", "a[n] = 1;", id="out of bounds"),
        pytest.param("", "a[0] += 2147483646 + n * 2;", id="overflow"),
        pytest.param("int getpid(void);", "a[0] += getpid();", id="not repeatable"),
    ],
)
def test_an_undefined_original_proves_nothing(before: str, after: str) -> None:
    old = function(VECTOR, SUM, before, after)
    with pytest.raises(CannotRun) as refusal:
        found(old, old.replace("+ 1;", "+ 2;"), seconds=3)
    assert "the original" in refusal.value.reason


def test_undefined_cases_do_not_count() -> None:
    old = function("void f(int n, int a[n])", SUM, after="if (n > 4) a[0] = 2147483647 + n;")
    assert found(old, old.replace("2147483647 + n", "5"), seconds=8) is None
    difference = found(old, old.replace("n > 4", "n > 3"))
    assert difference is not None
    assert dict(difference.parameters) == {"n": 4}


# --- what cannot be called ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "region", "words"),
    [
        ("struct s;\nvoid f(struct s *p, int n, int a[n])", SUM, "p"),
        ("void f(int n, int a[n], void (*g)(void))", SUM, "g"),
        ("int g(void);\nvoid f(int n, int a[n], int k)", SUM, "the compiler failed"),
    ],
)
def test_what_cannot_be_called(head: str, region: str, words: str) -> None:
    calls = "g();" if "compiler" in words else ""
    old = function(head, region, after=calls)
    with pytest.raises(CannotRun) as refusal:
        found(old, old.replace("1;", "2;"))
    assert refusal.value.reason.startswith("f cannot be called: ")
    assert words in refusal.value.reason


PRINTING = """\
#include <stdio.h>
int main(void)
{
  double a[4];
#pragma scop
  for (int i = 0; i < 4; i++)
    a[i] = i * 0.5;
#pragma endscop
  for (int i = 0; i < 4; i++)
    printf("a[%d] = %g\\n", i, a[i]);
  return 3;
}
"""


@pytest.mark.parametrize(
    ("old", "new", "element", "before", "after"),
    [
        ("i * 0.5", "i * 0.5 + (i > 1)", "line 3 of the output", '"a[2] = 1"', '"a[2] = 2"'),
        ("return 3", "return 4", "the exit status", "3", "4"),
        ("\\n", "", "line 1 of the output", '"a[0] = 0"', '"a[0] = 0a[1] = 0.5a[2] = 1a[3] = 1.5"'),
    ],
)
def test_a_whole_program(old: str, new: str, element: str, before: str, after: str) -> None:
    difference = found(PRINTING, PRINTING.replace(old, new))
    assert difference == Counterexample((), element, before, after)


def test_a_whole_program_that_prints_the_same() -> None:
    assert found(PRINTING, PRINTING.replace("i * 0.5", "0.5 * i")) is None
    rounded = PRINTING.replace("i * 0.5", "i * 0.500001")
    assert found(PRINTING, rounded, is_exact=False) is None
