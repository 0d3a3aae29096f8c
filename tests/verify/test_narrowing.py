"""Conversions to narrower types change values: nothing may look through them."""

from __future__ import annotations

import pytest

from loopwright import InputError, Proof, read_c
from tests.verify.answers import verdict as check

FRAME = """\
struct size {{ int n; }};
void f(int n, int m, double *x, volatile int *p, struct size *s)
{{
    volatile int v = n;
    (void)v, (void)p, (void)s;
#pragma scop
{text}
#pragma endscop
}}
"""
STEPS = [
    ("i += 257", "i += (unsigned char)257"),
    ("i += 1", "i = (unsigned char)(i + 1)"),
    ("i += 1", "i = (signed char)(i + 1)"),
    ("i += 1", "i = (unsigned char)i + 1"),
    ("i += 1", "i = (float)i + 1"),
    ("i++", "i += 4294967297"),
]
SUBSCRIPTS = [
    ("x[i * m + j]", "x[(unsigned char)(i * m) + j]"),
    ("x[i * m + j]", "x[(short)(i * m + j)]"),
    ("x[(long)i * m + j]", "x[(int)((long)i * m) + j]"),
    ("x[(long)i * m + j]", "x[(long)(float)((long)i * m) + j]"),
    ("x[i * m + j]", "(x + (unsigned char)(i * m))[j]"),
]


def program(text: str) -> str:
    return FRAME.format(text=text)


def counted(step: str) -> str:
    return program(f"    for (int i = 0; i < 600; {step}) x[i] = 0;")


def nested(subscript: str) -> str:
    loops = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
    return program(f"    {loops} {subscript} = 0;")


@pytest.mark.parametrize(("step", "narrow"), STEPS)
def test_steps(step: str, narrow: str) -> None:
    assert isinstance(check(counted(step), counted(step.replace("i", "i ", 1)), run=False), Proof)
    assert not isinstance(check(counted(step), counted(narrow), run=False), Proof)


@pytest.mark.parametrize(("subscript", "narrow"), SUBSCRIPTS)
def test_subscripts(subscript: str, narrow: str) -> None:
    assert isinstance(check(nested(subscript), nested(f"{subscript}"), run=False), Proof)
    assert not isinstance(check(nested(subscript), nested(narrow), run=False), Proof)


def test_a_name_of_a_narrow_type() -> None:
    loops = "    for (int i = 0; i < n; i++) {{ {type} p = i * m; x[p + 1] = 0; }}"
    wide, narrow = (program(loops.format(type=each)) for each in ("int", "unsigned char"))
    assert not isinstance(check(wide, narrow, run=False), Proof)


def test_a_loop_that_goes_on() -> None:
    text = "int k; for (k = 0; k < 600; k += {step}) x[k] = 0; for ({start}; k < n; k++) x[k] = 1;"
    old = program(text.format(step="(unsigned char)257", start="k = 771"))
    new = program(text.format(step="(unsigned char)257", start=""))
    assert not isinstance(check(old, new, run=False), Proof)


def test_the_model_counts_as_the_program_does() -> None:
    (scop,) = read_c(counted("i += (unsigned char)257"))
    (statement,) = (each for each in scop.statements if not each.is_kill)
    assert statement.domain.count_val().to_python() == 600


@pytest.mark.parametrize("bound", ["v", "*p"])
def test_what_is_volatile_is_read_each_time(bound: str) -> None:
    old = program(f"    for (int i = 0; i < {bound}; i++) x[i] = 0;")
    new = program(f"    const int k = {bound}; for (int i = 0; i < k; i++) x[i] = 0;")
    with pytest.raises(InputError, match="volatile"):
        check(old, new, run=False)


def test_sizes_that_stay_are_sizes() -> None:
    text = "    for (int i = 0; i < s->n; i++) x[i] = 0;"
    assert isinstance(
        check(program(text), program(text.replace("int i", "long i")), run=False), Proof
    )
