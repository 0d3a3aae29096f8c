"""What cannot always be evaluated: new texts must not do it where the original would not."""

from __future__ import annotations

import pytest

from loopwright import Proof, Unknown, check

ORIGINAL = "for (int i = 0; i < {0}; i++) for (int j = 0; j < {1}; j++) a[i][j] = b[j][i];"
CHANGED = "for (int j = 0; j < {1}; j++) for (int i = 0; i < {0}; i++) a[i][j] = b[j][i];"
BOUNDS = {
    "elements behind a pointer": ("p[0]", "p[1]"),
    "products": ("n", "n * m"),
    "quotients": ("n", "n / m"),
    "members": ("s->w", "s->n[m]"),
}


def program(region: str) -> str:
    return f"""
struct s {{ int w, *n; }};
static int q[4];
void f(int n, int m, struct s *s, const int *p,
       double (*restrict a)[64], double (*restrict b)[64])
{{
#pragma scop
{region}
#pragma endscop
}}
"""


def verdict(bounds: tuple[str, str], test: str, changed: str = CHANGED) -> object:
    original = ORIGINAL.format(*bounds)
    new = changed.format(*bounds)
    new = f"if ({test}) {{ {new} }} else {{ {original} }}" if test else new
    return check(program(original), program(new))


@pytest.mark.parametrize("bounds", BOUNDS.values(), ids=BOUNDS.keys())
def test_only_behind_the_test_of_what_evaluates_it(bounds: tuple[str, str]) -> None:
    outer, inner = bounds
    assert isinstance(verdict(bounds, ""), Unknown)
    assert isinstance(verdict(bounds, f"{outer} > 0"), Proof)
    assert isinstance(verdict(bounds, f"{outer} > 0 && {inner} > 0"), Proof)
    late = verdict(bounds, f"{inner} > 0 && {outer} > 0")
    assert isinstance(late, Unknown)
    assert "can be evaluated" in str(late)


def test_the_clauses_of_directives_evaluate_it_as_well() -> None:
    clause = "\n#pragma omp parallel for if(1.0 * {0} * {1} >= 50000)\n" + ORIGINAL
    assert isinstance(verdict(("n", "p[1]"), "", clause), Unknown)
    assert isinstance(verdict(("n", "p[1]"), "n > 0", clause), Proof)


def test_elements_that_are_there_may_be_read_at_any_time() -> None:
    assert isinstance(verdict(("n", "q[1]"), ""), Proof)


@pytest.mark.parametrize(
    ("bounds", "other"),
    [(("n", "p[1]"), "p[2]"), (("n", "n * m"), "n * n"), (("n", "q[1]"), "q[0]")],
)
def test_another_bound_is_another_one(bounds: tuple[str, str], other: str) -> None:
    assert not isinstance(verdict((bounds[0], other), "", ORIGINAL.format(*bounds)), Proof)
