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
    "static int bump(int *p) { *p += 1; return 1; }"
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

GUARDED = """
if (k[i] > 0) s += a[i]; // if (k[i]) { s += a[i]; } // if (a[i] > b[i]) s = s + a[i];
if (k[i] > 0 && a[i] > 0) s -= a[i]; // if (k[i]) if (l[i]) s++; // if (r > 0) s += a[i];
if (k[i]) { if (i > 3) s += a[i]; } // if (g(a[i]) > 0) s += a[i]; // if (i % 2 == 0) s += a[i];
"""
CHOSEN = """
a[k[i]] += b[i]; // a[k[i]] = a[k[i]] + b[i]; // a[k[i]]++; // a[k[i] % 8] -= 1; // a[h(i)] += b[i];
a[k[i]] += bump(k + i);
if (k[i] > 0) a[k[i]] += b[i]; // if (b[i] > 0) a[k[i]] = b[i] + a[k[i]]; // a[i * i] += b[i];
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


@pytest.mark.parametrize("statement", each(GUARDED))
def test_guarded_sums(statement: str) -> None:
    """Where a step does not run, it adds nothing."""
    assert recognised(statement) == ("+", "s")


@pytest.mark.parametrize("statement", each(CHOSEN))
def test_sums_in_elements_that_data_choose(statement: str) -> None:
    assert recognised(statement) == ("+", "a")


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("if (a[k[i]] < b[i]) a[k[i]] = b[i];", ("max", "a")),
        ("a[k[i]] = fmin(a[k[i]], b[i]);", ("min", "a")),
        ("if (k[i]) if (s < a[i]) s = a[i];", ("max", "s")),
        ("if (k[i]) s = fmax(s, a[i]);", ("max", "s")),
        ("if (b[i] > 0.5) c++;", ("+", "c")),
        ("if (k[i]) c |= k[i];", ("|", "c")),
    ],
)
def test_other_guarded_and_chosen_steps(statement: str, expected: tuple[str, str]) -> None:
    assert recognised(statement) == expected


@pytest.mark.parametrize(
    "statement",
    [
        "for (int j = 0; j < i; j++) a[i] -= M[i][j] * a[j];",
        "for (int j = i + 1; j < n; j++) a[i] += a[j];",
        "a[i] += a[i - 1];",
        "a[i] = fmax(a[i], a[i - 1]);",
    ],
)
def test_what_other_instances_gather_may_be_read(statement: str) -> None:
    (found,) = reductions_of(region(statement))
    assert found.array == "a"


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
a[i] += a[n - i]; // k[k[i]]++; // k[i] += k[k[i]]; // a[k[i]] += a[i]; // a[k[i]] += a[k[i + 1]];
"""
READ_BY_THE_GUARD = """
if (s > 0) s += a[i]; // if (k[i] > 0 && s < 9) s += a[i]; // if (c < 9) c++; // if (!c) c |= k[i];
if (k[i]) if (s < a[i]) s += a[i]; // if (a[1] > 0) a[i] += b[i]; // if (a[0] < b[i]) a[k[i]]++;
if (s < a[i]) s = fmax(s, a[i]); // if (k[k[i]] > 0) k[i]++;
"""
OTHER_GUARDED_STATEMENTS = """
if (k[i] > 0) s += a[i]; else s = 0; // if (k[i] > 0) s = a[i]; // if (k[i] > 0) { s += a[i]; r++; }
if (k[i] > 0) s += a[i]; else r += a[i]; // if (k[i]++ > 0) s += a[i]; // if (c++ > 9) s += a[i];
if ((r = a[i]) > 0) s += r; // if (k[i]) s /= a[i]; // if (k[i]) c += a[i];
"""
OTHER_CHOICES = """
a[k[i]] = a[k[i - 1]] + b[i]; // a[h(i)] = a[h(i)] + b[i]; // a[c++] += b[i];
a[k[i]] = a[l[i]] + b[i]; // a[k[i]] = b[i] - a[k[i]]; // a[k[i]] = a[k[i]] + bump(k + i);
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
        READ_BY_THE_GUARD,
        OTHER_GUARDED_STATEMENTS,
        OTHER_CHOICES,
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


# --- relaxed steps that data guard or choose, and steps that read other sums ----------------------

Memory = dict[str, list[int]]
Run = Callable[[Memory, tuple[int, ...]], None]
SIZE = 3


def results(
    scop: Scop, instances: Sequence[Instance], runs: dict[str, Run], start: Memory
) -> tuple[set[str], int]:
    """What legal orders of the instances leave in memory, and how many of them there were."""
    found = dependences(scop)
    assert found.reductions
    is_legal = at_size(found, SIZE)
    legal = {tuple(order) for order in orders(instances, 400, seed=7) if is_legal(order)}
    memories: set[str] = set()
    for order in legal:
        memory = {name: list(values) for name, values in start.items()}
        for name, at in order:
            runs[name](memory, at)
        memories.add(str(memory))
    return memories, len(legal)


def test_legal_orders_of_a_guarded_sum_give_the_same_integers() -> None:
    """The sum is read after each row, so that every row stays behind the one before it."""
    body = """for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
          if (K[i][j] > 0) S[0] += K[i][j];
        B[i] = S[0];
      }"""
    scop = model_of(body, "int n, int K[n][n], int S[1], int B[n]")
    values = [[5, -7, 2], [-11, 3, 4], [1, -1, 8]]

    def step(memory: Memory, at: tuple[int, ...]) -> None:
        memory["S"][0] += max(0, values[at[0]][at[1]])

    def read(memory: Memory, at: tuple[int, ...]) -> None:
        memory["B"][at[0]] = memory["S"][0]

    instances: list[Instance] = []
    for i in range(SIZE):
        instances += [*(("S0", (i, j)) for j in range(SIZE)), ("S1", (i,))]
    start = {"S": [1], "B": [0, 0, 0]}
    memories, count = results(scop, instances, {"S0": step, "S1": read}, start)
    assert count > 3
    assert memories == {str({"S": [24], "B": [8, 15, 24]})}


def test_legal_orders_of_a_histogram_give_the_same_integers() -> None:
    """Any step may be to any element, so that all counts are read between the two sums."""
    body = """for (int i = 0; i < n; i++) H[K[i]]++;
      for (int i = 0; i < n; i++) B[i] = H[i];
      for (int i = 0; i < n; i++) H[K[i]] += i;"""
    scop = model_of(body, "int n, int K[n], int H[n], int B[n]")
    chosen = [2, 0, 2]

    def count_one(memory: Memory, at: tuple[int, ...]) -> None:
        memory["H"][chosen[at[0]]] += 1

    def read(memory: Memory, at: tuple[int, ...]) -> None:
        memory["B"][at[0]] = memory["H"][at[0]]

    def add(memory: Memory, at: tuple[int, ...]) -> None:
        memory["H"][chosen[at[0]]] += at[0]

    instances: list[Instance] = [(f"S{at}", (i,)) for at in range(3) for i in range(SIZE)]
    start = {"H": [0, 0, 0], "B": [9, 9, 9]}
    memories, count = results(scop, instances, {"S0": count_one, "S1": read, "S2": add}, start)
    assert count > 10
    assert memories == {str({"H": [2, 0, 4], "B": [1, 0, 2]})}


def test_legal_orders_of_a_triangular_solve_give_the_same_integers() -> None:
    """A row needs the whole sums of the rows above it, but its own steps run in any order."""
    body = "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) T[i] -= M[i][j] * T[j];"
    scop = model_of(body, "int n, int M[n][n], int T[n]")
    size, values = 4, [[], [2], [3, 5], [7, 11, 13]]
    instances: list[Instance] = [("S0", (i, j)) for i in range(size) for j in range(i)]

    def result(order: Sequence[Instance]) -> tuple[int, ...]:
        unknowns = [1, 1, 1, 1]
        for _, (i, j) in order:
            unknowns[i] -= values[i][j] * unknowns[j]
        return tuple(unknowns)

    is_legal = at_size(dependences(scop), size)
    legal = [order for order in permutations(instances) if is_legal(order)]
    # (1, 0) is before (2, 1) and (3, 1), both steps of row 2 are before (3, 2), (3, 0) is free.
    assert len(legal) == 6 * 11
    assert {result(order) for order in legal} == {(1, -1, 3, -34)}
