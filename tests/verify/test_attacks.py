"""Programs that are not the same, and that somebody once took for the same."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl
import pytest

from loopwright import Proof, check
from loopwright.certifying import Source, proved_again
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question
from loopwright.model.proofs import Stretch, Unknown
from loopwright.verify.certificates import Certificate, CertifiedRegion, digest, reading_of

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
    forged = Certificate(digest(old.encode()), digest(new.encode()), reading, (region,))
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
    assert not is_certified(old, old, honest, "{ [i] -> S1[i] }", question)
