"""Statements that gather values: which are recognised, what is marked, and what may be relaxed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from random import Random

import islpy as isl
import pytest

from loopwright import Scop, dependences, respects
from loopwright.dependence.reductions import reductions_of
from loopwright.model.dependences import Dependences, Kind
from tests.frontend.expectations import model_of, same

PARAMETERS = (
    "int n, double *a, double *b, int *k, long *l, float *f, double M[n][n], struct Q *q, double s0"
)
PRELUDE = (
    "#include <math.h>\nstruct Q { double x; int m; };\n"
    "double g(double); int h(int); double max(double, double); double min(double, double);"
)
BEFORE = (
    "double s = s0, r = s0; int c = 0; _Bool t = 0; unsigned w = 0; unsigned char u = 0;"
    "float e = 0;"
)
AFTER = "a[0] = s + r + c + t + w + u + e;"


def region(statement: str) -> Scop:
    body = "for (int i = 1; i < n; i++) " + statement
    return model_of(body, PARAMETERS, prelude=PRELUDE, before=BEFORE, after=AFTER)


def recognised(statement: str) -> tuple[str, str] | None:
    """The operator and the array of the reduction, if it is one."""
    found = reductions_of(region(statement))
    assert len(found) <= 1
    return (found[0].operator, found[0].array) if found else None


def there(relation: isl.UnionMap | None) -> isl.UnionMap:
    """A relation that was asked for."""
    assert relation is not None
    return relation


# --- recognised -----------------------------------------------------------------------------------

SUMS = """
s += a[i]; // s -= a[i]; // s += a[i] * b[i]; // s += a[i] + b[i]; // { s += a[i]; }
s = s + a[i]; // s = a[i] + s; // s = s - a[i]; // s = (s) + (a[i]); // s = (s + a[i]);
s = a[i] + s + b[i]; // s = a[i] + (b[i] + s); // s = s - a[i] - b[i]; // s = s - (a[i] + b[i]);
s = a[i] - b[i] + s; // s = a[i] - (b[i] - s); // s = s - -a[i]; // s = s + r;
s = s + 1; // s += i; // s += sqrt(a[i]); // s += g(a[i]); // s = s + (float)a[i]; // s += f[i];
"""
COUNTS = """
c++; // ++c; // c--; // --c; // c += 1; // c += k[i]; // c -= k[i]; // c += i;
c += n / 2; // c += 0x10; // c = c + (long)k[i]; // c += k[i] / 2; // c += k[i] > 0;
c += k[i] > 0 ? 1 : 0; // c += !k[i]; // c += -k[i]; // c = c + k[i] % 7; // c += l[i];
"""
PRODUCTS = """
s *= a[i]; // s = s * a[i]; // s = a[i] * s; // s = a[i] * b[i] * s; // s = s * (a[i] / b[i]);
s = a[i] / b[i] * s; // s = 2 * s;
"""
MAXIMA = """
s = fmax(s, a[i]); // s = fmax(a[i], s); // s = max(s, a[i]);
s = s < a[i] ? a[i] : s; // s = s <= a[i] ? a[i] : s;
s = s > a[i] ? s : a[i]; // s = s >= a[i] ? s : a[i];
s = a[i] > s ? a[i] : s; // s = a[i] >= s ? a[i] : s;
s = a[i] < s ? s : a[i]; // s = a[i] <= s ? s : a[i];
if (s < a[i]) s = a[i]; // if (s <= a[i]) s = a[i];
if (a[i] > s) s = a[i]; // if (a[i] >= s) { s = a[i]; }
"""
MINIMA = """
s = fmin(s, a[i]); // s = fmin(a[i], s); // s = min(a[i], s);
s = s > a[i] ? a[i] : s; // s = s >= a[i] ? a[i] : s;
s = s < a[i] ? s : a[i]; // s = s <= a[i] ? s : a[i];
s = a[i] < s ? a[i] : s; // s = a[i] <= s ? a[i] : s;
s = a[i] > s ? s : a[i]; // s = a[i] >= s ? s : a[i];
if (s > a[i]) s = a[i]; // if (s >= a[i]) s = a[i];
if (a[i] < s) s = a[i]; // if (a[i] <= s) { s = a[i]; }
"""


def each(*lists: str) -> list[str]:
    lines = [line for text in lists for line in text.strip().splitlines()]
    return [statement.strip() for line in lines for statement in line.split("//")]


@pytest.mark.parametrize("statement", each(SUMS))
def test_sums(statement: str) -> None:
    assert recognised(statement) == ("+", "s")


@pytest.mark.parametrize("statement", each(COUNTS))
def test_sums_of_integers(statement: str) -> None:
    assert recognised(statement) == ("+", "c")


@pytest.mark.parametrize("statement", each(PRODUCTS))
def test_products(statement: str) -> None:
    assert recognised(statement) == ("*", "s")


@pytest.mark.parametrize("statement", each(MAXIMA))
def test_maxima(statement: str) -> None:
    assert recognised(statement) == ("max", "s")


@pytest.mark.parametrize("statement", each(MINIMA))
def test_minima(statement: str) -> None:
    assert recognised(statement) == ("min", "s")


@pytest.mark.parametrize("operator", ["&", "|", "^"])
@pytest.mark.parametrize(
    "form", ["c {}= k[i];", "c = c {} k[i];", "c = k[i] {} c;", "c = k[i] {} c {} 6;"]
)
def test_bits(operator: str, form: str) -> None:
    assert recognised(form.replace("{}", operator)) == (operator, "c")


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("e += f[i];", ("+", "e")),
        ("e = fmaxf(e, f[i]);", ("max", "e")),
        ("w += k[i];", ("+", "w")),
        ("u += 1;", ("+", "u")),
        ("t |= k[i];", ("|", "t")),
        ("t &= k[i];", ("&", "t")),
        ("c = c < k[i] ? k[i] : c;", ("max", "c")),
        ("c = c < a[i] ? a[i] : c;", ("max", "c")),
        ("a[0] += b[i];", ("+", "a")),
        ("a[i] += b[i];", ("+", "a")),
        ("a[i / 2] += b[i];", ("+", "a")),
        ("M[1][i] += M[0][i];", ("+", "M")),
        ("q[0].x += a[i];", ("+", "q_x")),
        ("q[0].x += q[i].m;", ("+", "q_x")),
        ("*a += b[i];", ("+", "a")),
        ("a[0] += a[i];", ("+", "a")),
        ("a[i] += a[i + n];", ("+", "a")),
    ],
)
def test_other_elements_and_types(statement: str, expected: tuple[str, str]) -> None:
    """Truncation is monotone, so that an integer may be the maximum of fractions."""
    assert recognised(statement) == expected


# --- not recognised -------------------------------------------------------------------------------

OTHER_OPERATORS = """
s = a[i] - s; // s = a[i] - (s - b[i]); // s /= a[i]; // s = s / a[i]; // s = s * a[i] / b[i];
c <<= 1; // c %= 7; // c = c % 7; // c = c && k[i]; // c = c || k[i]; // c = -c;
c = !c; // c = ~c ^ k[i]; // s = -s + a[i]; // s = -(a[i] - s); // s = s * a[i] + b[i];
s = fabs(s) + a[i]; // s = sqrt(s + a[i]); // c = c & k[i] | 1; // c = (c | 1) + k[i];
s = r + a[i]; // s = a[i];
"""
NOT_THE_LARGER_ONE = """
s = s < a[i] ? b[i] : s; // s = s == a[i] ? a[i] : s; // s = s < a[i] ? a[i - 1] : s;
s = a[i] > b[i] ? a[i] : s; // if (s < a[i]) s = b[i]; // if (a[i] < b[i]) s = a[i];
if (s < a[i]) s += a[i]; // if (s < a[i]) s = a[i]; else s = b[i];
if (s < a[i]) { s = a[i]; r = i; } // s = s > a[i] ? s : s;
"""
OTHER_REFERENCES = """
s = s + s; // s = s * s; // s += s; // s = s + a[i] + s; // s = s + a[i] * s; // s = fmax(s, s);
s = s + a[i] - s; // s = fmax(s, a[i] + s); // c += k[c]; // c = c - k[i] * c;
a[i] = a[i - 1] + b[i]; // a[1] += a[i]; // a[1] = a[1] + a[i]; // M[1][1] += M[i][i];
a[i] = fmax(a[i], a[i - 1]);
"""
UNKNOWN_ELEMENTS = """
a[k[i]] += b[i]; // a[k[i]] = a[k[i]] + b[i]; // a[k[i]]++;
"""
ROUNDED_STEPS = """
c += a[i]; // c -= a[i]; // c = c + a[i]; // c *= 0.5; // c += 2.0; // c += 0x1p-1; // c += s0;
c += f[i]; // c += k[i] > 0 ? 1.5 : 0; // c = (int)(c + a[i]); // t += k[i]; // t++;
t = t + k[i]; // c += h(k[i]) * s0;
"""
CASTS = "s = (float)s + a[i]; // s = (double)(s + a[i]); // s = (float)(s + a[i]);"
EFFECTS = """
s += (r += a[i]); // s += c++; // s += a[i], r += b[i]; // s = r = s + a[i]; // s = s + (r = a[i]);
"""


@pytest.mark.parametrize(
    "statement",
    each(
        OTHER_OPERATORS,
        NOT_THE_LARGER_ONE,
        OTHER_REFERENCES,
        UNKNOWN_ELEMENTS,
        ROUNDED_STEPS,
        CASTS,
        EFFECTS,
    ),
)
def test_what_is_no_reduction(statement: str) -> None:
    assert recognised(statement) is None


@pytest.mark.parametrize(
    "statement",
    [
        "u = u < k[i] ? k[i] : u;",
        "if (u < k[i]) u = k[i];",
        "c = c > l[i] ? l[i] : c;",
        "t ^= k[i];",
    ],
)
def test_a_conversion_that_wraps_does_not_commute(statement: str) -> None:
    """300 and 100 leave 100 in an unsigned char, but 100 and 300 leave 44.

    And (t ^ 2) != 0 holds whatever t was, so that 2 and 1 leave 0, but 1 and 2 leave 1.
    """
    assert recognised(statement) is None


# --- marked ---------------------------------------------------------------------------------------


def test_only_what_orders_the_steps_is_marked() -> None:
    found = dependences(
        model_of(
            "s = 0; for (int i = 0; i < n; i++) s = s + A[i]; A[0] = s;",
            "int n, double *A",
            before="double s;",
        )
    )
    (reduction,) = found.reductions
    assert reduction.statement == "S1"
    marked = {
        (e.kind, e.source.statement.name, e.sink.statement.name): e.reduction is reduction
        for e in found.edges()
    }
    assert marked == {
        (Kind.FLOW, "S0", "S1"): False,
        (Kind.FLOW, "S1", "S1"): True,
        (Kind.FLOW, "S1", "S2"): False,
        (Kind.FLOW, "S0", "S2"): False,
        (Kind.ANTI, "S1", "S1"): True,
        (Kind.ANTI, "S1", "S2"): False,
        (Kind.OUTPUT, "S0", "S1"): False,
        (Kind.OUTPUT, "S1", "S1"): True,
    }


def test_steps_of_two_statements_are_not_of_one_reduction() -> None:
    found = dependences(region("{ s += a[i]; s += b[i]; }"))
    assert [each.statement for each in found.reductions] == ["S0", "S1"]
    for edge in found.edges():
        names = edge.source.statement.name, edge.sink.statement.name
        assert (edge.reduction is not None) == (names[0] == names[1])


def test_nothing_is_relaxed_unless_asked_for() -> None:
    scop = region("s += a[i];")
    found = dependences(scop)
    same(found.flow, "[n] -> { S0[i] -> S0[i + 1] : 1 <= i < n - 1 }")
    backwards = isl.UnionMap("{ S0[i] -> [-i] }")
    assert not respects(backwards, found)
    assert respects(backwards, dependences(scop, relaxed=found.reductions))


# --- relaxed --------------------------------------------------------------------------------------

Instance = tuple[str, tuple[int, ...]]
GATHER = "s = 0; for (int i = 0; i < n; i++) s += A[i]; B[0] = s;"


def gathering(relaxes: bool = True) -> Dependences:
    scop = model_of(GATHER, "int n, int *A, int *B", before="int s;")
    found = dependences(scop)
    return dependences(scop, relaxed=found.reductions if relaxes else ())


def test_every_step_comes_after_the_start_and_before_the_end() -> None:
    found = gathering()
    steps = "0 <= i < n"
    around = f"S0[] -> S1[i] : {steps}; S1[i] -> S2[] : {steps}"
    same(found.flow, f"[n] -> {{ {around}; S0[] -> S2[] }}")
    same(found.output, f"[n] -> {{ S0[] -> S1[i] : {steps} }}")
    same(there(found.order), "{ }")
    same(there(found.forced), f"[n] -> {{ S0[] -> S1[i] : {steps} }}")
    same(found.may_live_out, "{ S2[] -> B[0] }")


def test_every_step_comes_before_what_overwrites_the_sum() -> None:
    body = "for (int i = 0; i < n; i++) A[0] += B[i]; C[0] = A[0]; A[0] = 1;"
    scop = model_of(body, "int n, int *A, int *B, int *C")
    found = dependences(scop, relaxed=dependences(scop).reductions)
    same(found.flow, "[n] -> { S0[i] -> S1[] : 0 <= i < n }")
    same(found.false, "[n] -> { S0[i] -> S2[] : 0 <= i < n; S1[] -> S2[] }")
    same(there(found.order), "[n] -> { S0[i] -> S2[] : 0 <= i < n; S1[] -> S2[] }")
    same(there(found.forced), "[n] -> { S0[i] -> S2[] : 0 <= i < n; S1[] -> S2[] }")
    same(found.may_live_out, "{ S1[] -> C[0]; S2[] -> A[0] }")


def test_only_the_named_reductions_are_relaxed() -> None:
    scop = model_of("for (int i = 0; i < n; i++) { A[0] += i; A[1] += i; }", "int n, int *A")
    first, _ = dependences(scop).reductions
    found = dependences(scop, relaxed=[first])
    same(found.flow, "[n] -> { S1[i] -> S1[i + 1] : 0 <= i < n - 1 }")


def orders(instances: Sequence[Instance], count: int, seed: int) -> Iterator[list[Instance]]:
    """Random orders; half of them keep most of the original one."""
    random = Random(seed)
    for number in range(count):
        order = list(instances)
        if number % 2:
            random.shuffle(order)
        else:
            for _ in range(random.randint(1, 3)):
                order.insert(random.randrange(len(order)), order.pop(random.randrange(len(order))))
        yield order


def as_schedule(order: Sequence[Instance]) -> isl.UnionMap:
    texts = [f"{name}[{', '.join(map(str, at))}] -> [{t}]" for t, (name, at) in enumerate(order)]
    return isl.UnionMap("{ " + "; ".join(texts) + " }")


def at_size(found: Dependences, size: int) -> Callable[[Sequence[Instance]], bool]:
    """Does an order of the instances for ``n = size`` respect the dependences?"""
    context = found.scop.context.intersect(isl.Set(f"[n] -> {{ : n = {size} }}"))
    small = replace(found.scop, context=context)
    relaxed = dependences(small, relaxed=found.reductions)
    return lambda order: respects(as_schedule(order), relaxed)


def test_all_legal_orders_of_a_sum_give_the_same_integer() -> None:
    size, values = 3, [5, 7, -11]
    instances: list[Instance] = [("S0", ()), *(("S1", (i,)) for i in range(size)), ("S2", ())]

    def result(order: Sequence[Instance]) -> int | None:
        total, seen = 99, None
        for name, at in order:
            if name == "S0":
                total = 0
            elif name == "S1":
                total += values[at[0]]
            else:
                seen = total
        return seen

    is_legal = at_size(gathering(), size)
    legal = [order for order in permutations(instances) if is_legal(order)]
    assert len(legal) == 6, "the steps in any order, between the start and the end"
    assert {result(order) for order in legal} == {1}


def test_legal_orders_of_several_sums_in_one_scalar_give_the_same_integers() -> None:
    """Whole sums may trade places, since the scalar is dead afterwards; steps may not mix."""
    body = """for (int j = 0; j < n; j++) {
        s = j;
        for (int i = 0; i < n; i++)
          s += A[j][i];
        B[j] = s;
      }"""
    scop = model_of(body, "int n, int A[n][n], int B[n]", before="int s;")
    size, values = 2, [[5, 7], [-11, 3]]
    instances: list[Instance] = []
    for j in range(size):
        instances += [("S0", (j,)), *(("S1", (j, i)) for i in range(size)), ("S2", (j,))]

    def result(order: Sequence[Instance]) -> list[int]:
        s, found = 99, [0] * size
        for name, at in order:
            if name == "S0":
                s = at[0]
            elif name == "S1":
                s += values[at[0]][at[1]]
            else:
                found[at[0]] = s
        return found

    is_legal = at_size(dependences(scop), size)
    first, second = instances[:4], instances[4:]
    shuffled = [second[k] for k in (0, 2, 1, 3)] + [first[k] for k in (0, 2, 1, 3)]
    assert is_legal(shuffled)
    legal = [order for order in orders(instances, 300, seed=4) if is_legal(order)]
    assert len({tuple(order) for order in legal}) >= 3
    for order in legal:
        assert result(order) == [12, -7], order


def test_legal_orders_of_a_running_sum_give_the_same_integers() -> None:
    """Every partial sum is read: the steps before a read stay before it."""
    body = "for (int j = 0; j < n; j++) { for (int i = 0; i < n; i++) s += A[j][i]; B[j] = s; }"
    scop = model_of(body, "int n, int A[n][n], int B[n]", before="int s = 1;")
    size, values = 2, [[5, 7], [-11, 3]]
    instances: list[Instance] = []
    for j in range(size):
        instances += [*(("S0", (j, i)) for i in range(size)), ("S1", (j,))]

    def result(order: Sequence[Instance]) -> list[int]:
        s, found = 1, [0] * size
        for name, at in order:
            if name == "S0":
                s += values[at[0]][at[1]]
            else:
                found[at[0]] = s
        return found

    is_legal = at_size(dependences(scop), size)
    legal = [order for order in permutations(instances) if is_legal(order)]
    assert len(legal) == 4, "the two steps of each row in any order"
    assert {tuple(result(order)) for order in legal} == {(13, 5)}
