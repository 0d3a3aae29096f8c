"""The convex sets O and I have the points that they should have, each once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loopwright.interleaving import spaces
from loopwright.interleaving.constraints import Constraint, Pair, comes_first, is_shared
from loopwright.interleaving.preorders import Interleaving, Preorder, interleaving_of
from loopwright.interleaving.spaces import Space, interleavings

from .oracle import preorders

NUMBERS_OF_PREORDERS = (1, 3, 13, 75, 541, 4683, 47293, 545835)
"""A000670, for 1 to 8 elements."""

TABLE_1 = {4: (12, 58), 14: (182, 3003), 3: (6, 22), 7: (42, 350), 6: (30, 215)}
"""The dimensions and constraints of O that the paper has for so many statements."""


# --- all interleavings ----------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(1, 9))
def test_the_number_of_preorders(count: int) -> None:
    assert interleavings(count).size() == NUMBERS_OF_PREORDERS[count - 1]


@pytest.mark.parametrize("count", range(8))
def test_each_preorder_is_there_once(count: int) -> None:
    found = [each.levels[0].ranks for each in interleavings(count)]
    assert len(found) == len(set(found))
    assert set(found) == set(preorders(count))


@pytest.mark.parametrize(("count", "depth"), [(4, 1), (3, 2)])
def test_what_is_drawn_may_be_any_point(count: int, depth: int) -> None:
    chance, space = Random(1), interleavings(count, depth)
    assert {space.drawn(chance) for _ in range(4000)} == set(space)


def test_what_is_drawn_meets_further_constraints() -> None:
    """One that the search knows, and one that is checked point by point."""
    shared = Constraint((is_shared(0, 1),), -1)
    either = Constraint((is_shared(0, 1), is_shared(1, 2)), -1)
    for each in (shared, either):
        space = interleavings(4).restricted([each])
        drawn = {space.drawn(Random(at)) for at in range(2000)}
        assert drawn - {None} == set(space)
    none = Constraint((is_shared(0, 1),), -2)
    assert interleavings(4).restricted([none]).drawn(Random(0)) is None


def by_vectors(count: int, depth: int) -> set[Interleaving]:
    """The interleavings of all vectors ρ."""
    vectors = product(range(count), repeat=depth)
    return {interleaving_of(each) for each in product(vectors, repeat=count)}


@pytest.mark.parametrize(
    ("count", "depth"), [(1, 0), (1, 3), (2, 0), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3)]
)
def test_all_interleavings_are_those_of_the_vectors(count: int, depth: int) -> None:
    space = interleavings(count, depth)
    found = list(space)
    assert len(found) == len(set(found)) == space.size()
    assert set(found) == by_vectors(count, depth)
    assert all(each in space for each in found)


@pytest.mark.parametrize(("count", "depth"), [(4, 2), (5, 2), (8, 3), (3, 7)])
def test_more_levels_are_counted_without_building_them(count: int, depth: int) -> None:
    """Of k classes in a row, each next one is apart from the one before since one of the levels."""
    classes = Counter(max(ranks) + 1 for ranks in preorders(count)) if count < 8 else CLASSES_OF_8
    expected = sum(number * depth ** (k - 1) for k, number in classes.items())
    assert interleavings(count, depth).size() == expected


CLASSES_OF_8 = {1: 1, 2: 254, 3: 5796, 4: 40824, 5: 126000, 6: 191520, 7: 141120, 8: 40320}
"""Preorders of eight elements by the number of their classes, A019538."""


@pytest.mark.parametrize(("count", "depth"), [(3, 1), (2, 3), (3, 2)])
def test_the_points_are_those_of_the_constraints(count: int, depth: int) -> None:
    """The search does not look at the constraints of all interleavings; here somebody does."""
    space = interleavings(count, depth)
    pairs = [Pair(level, *each) for level in range(depth) for each in combinations(range(count), 2)]
    assert binary_points(pairs, space.constraints) == states_of(space, pairs)


State = tuple[tuple[Pair, int], ...]


def states_of(space: Space, pairs: Sequence[Pair]) -> set[State]:
    """The points of a space: 0 where the first comes first, 1 where they share, 2 otherwise."""
    return {tuple((pair, order_in(point, pair)) for pair in pairs) for point in space}


def order_in(point: Interleaving, pair: Pair) -> int:
    first, second = (point.levels[pair.level].ranks[at] for at in (pair.first, pair.second))
    return 0 if first < second else 1 if first == second else 2


def binary_points(pairs: Sequence[Pair], constraints: Sequence[Constraint]) -> set[State]:
    """All solutions with p, e ∈ {0, 1}, by trying them."""
    tried = product([(1, 0), (0, 1), (0, 0), (1, 1)], repeat=len(pairs))
    found: set[State] = set()
    for values in tried:
        variables = {("p", pair): p for pair, (p, _) in zip(pairs, values, strict=True)}
        variables |= {("e", pair): e for pair, (_, e) in zip(pairs, values, strict=True)}
        if all(value_of(each, variables) >= 0 for each in constraints):
            orders = (0 if p else 1 if e else 2 for p, e in values)
            found.add(tuple(zip(pairs, orders, strict=True)))
    return found


def value_of(constraint: Constraint, variables: dict[tuple[str, Pair], int]) -> int:
    return sum(factor * variables[each] for each, factor in constraint.terms) + constraint.constant


# --- the paper's figures --------------------------------------------------------------------------


@pytest.mark.parametrize("count", TABLE_1)
def test_the_dimensions_of_all_preorders(count: int) -> None:
    """For each three statements the paper has seven constraints where six are enough."""
    dimensions, constraints = TABLE_1[count]
    space = interleavings(count)
    assert space.dimensions() == dimensions
    triples = count * (count - 1) * (count - 2) // 6
    assert space.remaining() == len(space.constraints) == constraints - triples


PrintedTerm = tuple[str, int, int]


def printed_constraints(
    count: int, last: Sequence[tuple[int, str, str]], constant: int
) -> Iterator[tuple[list[tuple[int, PrintedTerm]], int]]:
    """The transitivity of §3.1, line by line: Σ factor·variable ≤ constant, for i < j < k.

    The indices of the paper's lines with k between i and j are renamed.  The last line is given.
    """
    lines = [
        ([(1, "e", "ij"), (1, "e", "ik"), (-1, "e", "jk")], 1),
        ([(1, "e", "ij"), (1, "e", "jk"), (-1, "e", "ik")], 1),
        ([(1, "p", "ij"), (1, "p", "jk"), (-1, "p", "ik")], 1),
        ([(1, "e", "ij"), (1, "p", "ik"), (-1, "p", "jk")], 1),
        ([(1, "e", "ij"), (1, "p", "jk"), (-1, "p", "ik")], 1),
        ([(1, "e", "jk"), (1, "p", "ij"), (-1, "p", "ik")], 1),
        (list(last), constant),
    ]
    for triple in combinations(range(count), 3):
        number = dict(zip("ijk", triple, strict=True))
        for terms, bound in lines:
            yield (
                [(factor, (kind, number[of[0]], number[of[1]])) for factor, kind, of in terms],
                bound,
            )


def printed_points(count: int, last: Sequence[tuple[int, str, str]], constant: int) -> int:
    constraints = list(printed_constraints(count, last, constant))
    pairs = list(combinations(range(count), 2))
    found = 0
    for orders in product("pes", repeat=len(pairs)):
        order = dict(zip(pairs, orders, strict=True))
        found += all(
            sum(factor * (order[i, j] == kind) for factor, (kind, i, j) in terms) <= bound
            for terms, bound in constraints
        )
    return found


AS_PRINTED = [(1, "e", "ij"), (1, "p", "ij"), (1, "p", "jk"), (-1, "p", "ik")]
WITH_E = [*AS_PRINTED, (-1, "e", "ik")]
TURNED_ROUND = [(1, "p", "ik"), (1, "e", "ik"), (-1, "e", "ij"), (-1, "p", "ij"), (-1, "p", "jk")]


def test_the_constraints_as_printed_have_too_many_points() -> None:
    """Nothing follows from s_ij = 1 in them, so that j before i, i before k and k before j is one.

    The last line is e_ij + p_ij + p_jk ≤ 1 + p_ik in our copy.  That with e_ik on its right side,
    too, it would exclude no more.  But p_ik + e_ik ≤ e_ij + p_ij + p_jk, which is that a statement
    before i is before what is not before i, leaves the total preorders, and them alone.
    """
    assert printed_points(3, AS_PRINTED, 1) == printed_points(3, WITH_E, 1) == 17
    assert printed_points(4, AS_PRINTED, 1) == 159
    assert [printed_points(count, TURNED_ROUND, 0) for count in (3, 4)] == [13, 75]


def test_what_constraints_decide_is_no_dimension() -> None:
    """The third statement shares its loop with the first, after the second: one point."""
    shared = Constraint((is_shared(0, 2),), -1)
    terms, constant = comes_first(0, 1)
    after = Constraint(tuple((each, -factor) for each, factor in terms), -constant)
    (point,) = space = interleavings(3).restricted([shared, after])
    assert str(point) == "1 0 1"
    assert space.dimensions() == space.remaining() == 0


# --- restricted spaces ----------------------------------------------------------------------------


def some_constraints(random: Random, count: int, depth: int) -> list[Constraint]:
    """Orders, loops that are shared, sets and pairs that do not all share one; seldom anything."""
    statements = range(count)
    found: list[Constraint] = []
    for _ in range(random.randrange(5)):
        level, kind = random.randrange(depth), random.randrange(9)
        first, second = random.sample(statements, 2)
        if kind < 4:
            terms, constant = comes_first(first, second, level)
            found.append(Constraint(tuple(terms), constant - 1))
        elif kind < 5:
            found.append(Constraint((is_shared(first, second, level),), -1))
        elif kind < 7:
            chosen = random.sample(statements, random.randrange(2, count + 1))
            terms = [is_shared(*pair, level)[0] for pair in pairwise(chosen)]
            found.append(Constraint(tuple((each, -1) for each in terms), len(terms) - 1))
        elif kind < 8:
            pairs = list(combinations(statements, 2))
            chosen = random.sample(pairs, random.randrange(2, len(pairs) + 1))
            terms = [is_shared(*pair, level)[0] for pair in chosen]
            most = random.randrange(len(terms))
            found.append(Constraint(tuple((each, -1) for each in terms), most))
        else:
            pairs = [Pair(level, *each) for each in combinations(statements, 2)]
            variables = [(kind, pair) for kind in "pe" for pair in pairs]
            chosen = random.sample(variables, random.randrange(1, 4))
            factors = tuple((each, random.choice((-2, -1, 1, 2))) for each in chosen)
            found.append(Constraint(factors, random.randrange(-2, 3)))
    return found


def holds(constraint: Constraint, point: Interleaving) -> bool:
    """By its terms alone."""
    value = constraint.constant
    for (kind, pair), factor in constraint.terms:
        value += factor * (order_in(point, pair) == {"p": 0, "e": 1}[kind])
    return value >= 0


def score(
    point: Interleaving, weights: dict[tuple[int, int], float], level: int = 0
) -> tuple[float, int]:
    """What shared loops are worth, and how many pairs have changed places."""
    ranks = point.levels[level].ranks
    worth = sum(weight for (i, j), weight in weights.items() if ranks[i] == ranks[j])
    return worth, -sum(ranks[i] > ranks[j] for i, j in combinations(range(len(ranks)), 2))


@pytest.mark.parametrize("pair", [(0, 0), (0, 3), (-1, 0)])
def test_a_weight_is_that_of_a_pair(pair: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="no pair of 3 statements"):
        interleavings(3).best({pair: 1.0})


@pytest.mark.parametrize("chunk", range(5))
def test_restricted_spaces_are_those_of_brute_force(chunk: int) -> None:
    for seed in range(25 * chunk, 25 * (chunk + 1)):
        check_a_restricted_space(Random(seed))


def check_a_restricted_space(random: Random) -> None:
    count, depth = random.choice([(3, 1), (4, 1), (4, 1), (5, 1), (3, 2)])
    constraints = some_constraints(random, count, depth)
    whole = list(interleavings(count, depth))
    expected = {each for each in whole if all(holds(one, each) for one in constraints)}
    space = interleavings(count, depth).restricted(constraints)
    found = list(space)
    assert set(found) == expected
    assert len(found) == len(expected) == space.size()
    assert [each in space for each in whole] == [each in expected for each in whole]
    assert not expected or space.has_more_than(len(expected) - 1)
    assert not space.has_more_than(len(expected))
    check_objectives(space, expected, random)
    check_dimensions(space, expected)


def check_objectives(space: Space, points: set[Interleaving], random: Random) -> None:
    pairs = list(combinations(range(space.count), 2))
    weights = {pair: float(random.randrange(-3, 4)) for pair in pairs}
    for chosen, worth in (
        (space.best(weights), weights),
        (space.best({(j, i): each for (i, j), each in weights.items()}), weights),
        (space.most_fused(), dict.fromkeys(pairs, 1.0)),
        (space.most_distributed(), dict.fromkeys(pairs, -1.0)),
    ):
        if not points:
            assert chosen is None
            continue
        assert chosen in points
        left = points
        for level in range(space.depth):
            assert score(chosen, worth, level) == max(score(each, worth, level) for each in left)
            left = {each for each in left if each.levels[level] == chosen.levels[level]}


def check_dimensions(space: Space, points: set[Interleaving]) -> None:
    """No variable is set that differs between points, and O itself has no fewer."""
    levels = range(space.depth)
    pairs = [Pair(level, *each) for level in levels for each in combinations(range(space.count), 2)]
    needed = sum(len({order_in(each, pair) for each in points}) - 1 for pair in pairs)
    if points:
        assert needed <= space.dimensions() <= 2 * len(pairs)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=7))
def test_partial_orders_leave_no_more_than_what_differs(edges: list[tuple[int, int]]) -> None:
    """For orders alone, what the constraints leave to a pair is what some point has."""
    constraints: list[Constraint] = []
    for first, second in edges:
        if first != second:
            terms, constant = comes_first(first, second)
            constraints.append(Constraint(tuple(terms), constant - 1))
    space = interleavings(5).restricted(constraints)
    points = list(space)
    pairs = [Pair(0, *each) for each in combinations(range(5), 2)]
    assert space.dimensions() == sum(
        len({order_in(each, pair) for each in points}) - 1 for pair in pairs
    )
    assert space.size() == len(points)


def test_two_pairs_that_do_not_both_share_a_loop() -> None:
    """It is no set of statements that is kept apart: all four of them may share one otherwise."""
    either = Constraint(tuple((is_shared(*pair)[0], -1) for pair in ((0, 1), (2, 3))), 1)
    space = interleavings(4).restricted([either])
    expected = [each for each in preorders(4) if each[0] != each[1] or each[2] != each[3]]
    assert sorted(each.levels[0].ranks for each in space) == sorted(expected)
    assert space.size() == len(expected)


def test_an_impossible_space_is_empty() -> None:
    space = interleavings(2).restricted([Constraint((), -1)])
    assert list(space) == []
    assert space.size() == space.dimensions() == space.remaining() == 0
    assert space.most_fused() is None
    assert not space.has_more_than(0)


def test_what_is_of_another_size_is_no_point() -> None:
    space = interleavings(2)
    assert Interleaving((Preorder((0, 1)),)) in space
    assert Interleaving((Preorder((0, 1)), Preorder((0, 1)))) not in space
    assert Interleaving((Preorder((0, 1, 1)),)) not in space


# --- large spaces ---------------------------------------------------------------------------------


def test_many_statements_are_no_obstacle() -> None:
    """Thirty statements without dependences: as many points as nobody can count."""
    space = interleavings(30)
    assert str(next(iter(space))) == " ".join(map(str, range(30)))
    assert space.most_fused() == Interleaving((Preorder((0,) * 30),))
    assert space.most_distributed() == Interleaving((Preorder(tuple(range(30))),))
    assert space.has_more_than(100)


def test_a_search_that_takes_too_long_ends_with_what_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spaces, "MOST_TRIES", 50)
    apart = [Constraint(((is_shared(0, 1)[0], -1),))]
    space = interleavings(12).restricted(apart)
    found = space.most_fused()
    assert found is not None
    assert found in space
    assert len(found.levels[0].groups) == 2


def test_a_chain_of_many_statements() -> None:
    constraints: list[Constraint] = []
    for first in range(59):
        terms, constant = comes_first(first, first + 1)
        constraints.append(Constraint(tuple(terms), constant - 1))
    space = interleavings(60).restricted(constraints)
    assert space.size() == 2**59
    assert space.dimensions() == 60 * 59 // 2
