"""Two versions of a program that are evaluated: cases that are found, and what is not claimed."""

from __future__ import annotations

import shutil
from collections import Counter
from random import Random

import pytest

from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question, read_source
from loopwright.model.proofs import Counterexample
from loopwright.tuning.evaluated import Sides, evaluated
from tests.tuning.test_counterexamples import FORWARD, VECTOR, function, test_wrong_programs
from tests.verify.emitted_programs import SMALL, emitted

from .truth import tried

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc")

SIZES = "void f(int n, int m, double a[n], double b[n][m])"
SUMMED = f"{FORWARD}\n  s += a[i];"


def found(
    old: str, new: str, *, is_exact: bool = True, options: ReadOptions | None = None
) -> Counterexample | None:
    options = options or ReadOptions()
    scops = read_source("k.c", old.encode(), options, Question()).scops
    texts = old.encode(), new.encode()
    models = [None] * len(scops)
    return evaluated(Sides(("k.c", "k.c"), texts, options, scops, models, is_exact))


@pytest.mark.parametrize(
    ("head", "old", "new", "sizes", "element", "values"),
    [
        pytest.param(*each.values[:6], id=each.id)
        for each in vars(test_wrong_programs)["pytestmark"][0].args[1]
        if each.id is not None and "long double" not in each.id and "complex" not in each.id
    ],
)
def test_what_a_run_finds(
    head: str,
    old: str,
    new: str,
    sizes: dict[str, int],
    element: str,
    values: tuple[str | None, str | None],
) -> None:
    difference = found(function(head, old), function(head, new))
    assert difference is not None
    assert (dict(difference.parameters), difference.element) == (sizes, element)
    for value, expected in zip((difference.before, difference.after), values, strict=True):
        assert expected is None or value == expected


@pytest.mark.parametrize(
    ("old", "new", "element", "before", "after"),
    [
        ("a[i] = i;", "a[i + 1] = i;", "a[1]", "not touched", "written out of bounds, line 6"),
        ("a[i] = 1;", "a[i] = a[i + n] * 0 + 1;", "a[1]", "not touched", "read out of bounds"),
        ("a[i] = 1;", "{ int k; a[i] = k * 0 + 1; }", "the behaviour of f", "defined", "k is read"),
        ("a[i] = 1;", "a[i] = 1 + 0 / (n - 1 - i);", "the behaviour of f", "defined", "division"),
        (
            "a[i] = 1;",
            "a[i] = 1 - (2147483640 + n == i);",
            *("the behaviour of f", "defined", "signed integer overflow"),
        ),
    ],
)
def test_what_the_new_program_must_not_do(
    old: str, new: str, element: str, before: str, after: str
) -> None:
    difference = found(
        function(VECTOR, f"{FORWARD}\n  {old}"), function(VECTOR, f"{FORWARD}\n  {new}")
    )
    assert difference is not None
    assert (difference.element, difference.before) == (element, before)
    assert after in difference.after


def test_a_parallel_loop_in_another_order() -> None:
    old = function(VECTOR, "for (int i = 1; i < n; i++)\n  a[i] = a[i - 1] + 1;")
    difference = found(old, old.replace("for (int", "#pragma omp parallel for\nfor (int"))
    assert difference is not None
    assert difference.element == "a[2]"
    vectors = old.replace("for (int", "#pragma omp simd\nfor (int")
    assert found(old, vectors) is None


SILENT = {
    "the rounding of a sum in parts": (
        function("double f(int n, double a[n])", SUMMED, "double s = 0;", "return s;"),
        ("for (int i = 0; i < n; i++)", "for (int i = n - 1; i >= 0; i--)"),
    ),
    "what the region begins with": (
        function("double f(int n, double a[n])", SUMMED, "double s = 0;", "return s;"),
        ("for (int i", "s = 0;\nfor (int i"),
    ),
    "a variable that nobody looks at": (
        function(VECTOR, f"{FORWARD} {{\n  t = i;\n  a[i] = t;\n}}", "double t = 0;"),
        ("t = i;", "t = i + 1;\nt = t - 1;"),
    ),
    "a static variable that is only used here": (
        "static double t[99];\n"
        + function(VECTOR, f"{FORWARD} {{\n  t[i] = 2;\n  a[i] = t[i];\n}}"),
        ("a[i] = t[i];", "a[i] = t[i];\n  t[i] = 3;"),
    ),
    "a constant": (
        "static const int two = 2;\n" + function(VECTOR, f"{FORWARD}\n  a[i] = two * i;"),
        ("two * i", "2 * i"),
    ),
    "a global that keeps its first value": (
        "static int two = 2;\n" + function(VECTOR, f"{FORWARD}\n  a[i] = two * i;"),
        ("two * i", "2 * i"),
    ),
    "an argument that has a value of its own": (
        function(VECTOR, f"{FORWARD}\n  a[i] = n;", "n = 4;"),
        ("a[i] = n;", "a[i] = 4;"),
    ),
    "an unknown call": (
        "double g(double);\n" + function(VECTOR, f"{FORWARD}\n  a[i] = g(i);"),
        ("g(i)", "g(i + 1)"),
    ),
    "a subscript that leaves its row": (
        function(SIZES, f"{FORWARD}\n  for (int j = 0; j < m; j++)\n    b[i][j] = 1;"),
        (
            f"{FORWARD}\n  for (int j = 0; j < m; j++)\n    b[i][j]",
            "for (int j = 0; j < n * m; j++)\n  b[0][j]",
        ),
    ),
    "an attribute with an effect": (
        "void g(int *);\n"
        + function(VECTOR, f"{FORWARD}\n  a[i] = 1;", "__attribute__((cleanup(g))) int k = 0;"),
        ("a[i] = 1;", "a[i] = 2;"),
    ),
    "two names of an object": (
        'double x[9];\nextern double y[9] __attribute__((alias("x")));\n'
        + function(VECTOR, f"{FORWARD}\n  x[i] = y[i];"),
        ("x[i] = y[i];", ";"),
    ),
    "a directive that is not known": (
        function(VECTOR, f"{FORWARD}\n  a[i] = 1;"),
        ("for (int i", "#pragma omp parallel for ordered\nfor (int i"),
    ),
    "a pragma for exact numbers": (
        '#pragma GCC optimize("fast-math")\n' + function(VECTOR, f"{FORWARD}\n  a[i] = 1;"),
        ("a[i] = 1;", "a[i] = 2;"),
    ),
    "the original is not defined": (
        function(VECTOR, f"{FORWARD}\n  a[i + 1] = 1;"),
        ("a[i + 1] = 1;", "a[i] = 2;"),
    ),
    "a parallel loop that counts away from its bound": (
        function(VECTOR, f"{FORWARD}\n  a[i] = 1;"),
        (
            "for (int i = 0; i < n; i++)",
            "#pragma omp parallel for\nfor (int i = 0; i < n; i--)",
        ),
    ),
    "a parallel loop that changes its bound": (
        function(VECTOR, f"{FORWARD}\n  a[i] = 1;", "int m = n;"),
        (
            "for (int i = 0; i < n; i++)\n",
            "#pragma omp parallel for\nfor (int i = 0; i < m; i++) m--,\n",
        ),
    ),
    "a sum of private parts": (
        function("int f(int n, int a[n])", SUMMED, "int s = 5;", "return s;"),
        ("for (int", "#pragma omp parallel for reduction(+: s)\nfor (int"),
    ),
    "a private variable": (
        function(VECTOR, f"{FORWARD} {{\n  t = i;\n  a[i] = t;\n}}", "double t = 7;", "a[0] = t;"),
        ("for (int", "t = n > 0 ? n - 1 : t;\n#pragma omp parallel for private(t)\nfor (int"),
    ),
    "copies for each thread": (
        function(VECTOR, f"{FORWARD}\n  a[i] = t + i;", "double t = 7;"),
        ("for (int", "#pragma omp parallel for firstprivate(t)\nfor (int"),
    ),
    "the order of evaluation": (
        function(VECTOR, f"{FORWARD}\n  a[i] = k++ + k++;", "int k = 0;"),
        ("k++ + k++", "k + k + 2"),
    ),
}


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_said_of(name: str) -> None:
    old, (before, after) = SILENT[name]
    assert before in old
    assert found(old, old.replace(before, after, 1), is_exact="rounding" not in name) is None


def test_nothing_is_said_of_cpp() -> None:
    old = function("void f(int n, double *a)", f"{FORWARD}\n  a[i] = 1;")
    assert found(old, old.replace("= 1", "= 2")) is not None
    assert found(old, old.replace("= 1", "= 2"), options=ReadOptions(standard="gnu++17")) is None


def test_rounding_is_no_difference_but_a_lost_term_is() -> None:
    old, (before, after) = SILENT["the rounding of a sum in parts"]
    assert found(old, old.replace(before, after)) is not None
    assert found(old, old.replace("i = 0", "i = 1"), is_exact=False) is not None


def test_what_is_found_among_mutants_is_true() -> None:
    told = Counter[str]()
    assert list(tried(emitted("atax", SMALL), 6, Random(3), told)) == []
    assert told["true"] > 0
    assert told["same: found"] == 0
