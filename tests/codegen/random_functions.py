"""Random quasi-affine functions, sets and contexts, and points to look at them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

import islpy as isl
from hypothesis import strategies as st

from loopwright.codegen.build import Build
from loopwright.codegen.options import AstOptions

DIMENSIONS = ("i", "j", "k")
PARAMETERS = ("n", "m")


@dataclass(frozen=True)
class Setting:
    """The space, and the points at which expressions are evaluated."""

    dimensions: tuple[str, ...]
    parameters: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return self.parameters + self.dimensions

    @property
    def head(self) -> str:
        return f"[{', '.join(self.parameters)}] -> "

    def set(self, text: str) -> isl.Set:
        return isl.Set(f"{self.head}{{ [{', '.join(self.dimensions)}] : {text} }}")

    def function(self, text: str) -> isl.PwAff:
        return isl.PwAff(f"{self.head}{{ [{', '.join(self.dimensions)}] -> [{text}] }}")

    def build(self, known: isl.Set, options: AstOptions) -> Build:
        tuple_text = ", ".join(self.dimensions)
        schedule = isl.MultiAff(f"{self.head}{{ [{tuple_text}] -> [{tuple_text}] }}")
        return Build(tuple(f"{name}x" for name in self.dimensions), known, schedule, options)

    def values(self, point: tuple[int, ...]) -> dict[str, int]:
        count = len(self.parameters)
        names = (*self.parameters, *(f"{name}x" for name in self.dimensions))
        assert len(names) == len(point) >= count
        return dict(zip(names, point, strict=True))

    def point(self, values: tuple[int, ...]) -> isl.Point:
        result = _origin(self)
        count = len(self.parameters)
        for at, value in enumerate(values):
            kind, position = (
                (isl.dim_type.param, at) if at < count else (isl.dim_type.set, at - count)
            )
            result = result.set_coordinate_val(kind, position, isl.Val(value))
        return result


@cache
def _origin(setting: Setting) -> isl.Point:
    return isl.Point.zero(setting.set("").get_space())


@st.composite
def spaces(draw: st.DrawFn) -> Setting:
    return Setting(DIMENSIONS[: draw(st.integers(1, 3))], PARAMETERS[: draw(st.integers(0, 2))])


@cache
@st.composite
def linears(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    terms = draw(
        st.lists(
            st.tuples(
                st.sampled_from([1, 1, 1, -1, -1, 2, -2, 3, 4, -4, 5, 8]), st.sampled_from(names)
            ),
            min_size=1,
            max_size=3,
        )
    )
    constant = draw(st.sampled_from([0, 0, 0, 1, -1, 2, 3, -5, 7, -12, 20]))
    return " + ".join([*(f"{each}*{name}" for each, name in terms), str(constant)])


@cache
def quasi_affines(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    def deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        divisor = st.sampled_from([2, 3, 4, 5, 8])
        factor = st.sampled_from([1, -1, 2, -2, 3, 4, -4, 8])
        return st.one_of(
            st.builds("{2}*floor(({0})/{1})".format, inner, divisor, factor),
            st.builds("{2}*(({0}) mod {1})".format, inner, divisor, factor),
            st.builds("({0}) + ({1})".format, inner, inner),
        )

    return st.recursive(linears(names), deeper, max_leaves=3)


@cache
@st.composite
def constraints(draw: st.DrawFn, names: tuple[str, ...]) -> str:
    kind = draw(st.sampled_from(["bound", "bound", "linear", "quasi", "stride", "exists"]))
    if kind == "bound":
        name = draw(st.sampled_from(names))
        relation = draw(st.sampled_from([">=", "<=", ">=", "="]))
        return f"{name} {relation} {draw(st.integers(-6, 9))}"
    if kind == "linear":
        return f"{draw(linears(names))} >= 0"
    if kind == "quasi":
        return f"{draw(quasi_affines(names))} {draw(st.sampled_from(['>=', '=']))} 0"
    if kind == "stride":
        divisor = draw(st.integers(2, 6))
        return f"({draw(linears(names))}) mod {divisor} = {draw(st.integers(0, divisor - 1))}"
    low, high = draw(linears(names)), draw(linears(names))
    first, second = draw(st.sampled_from([(2, 3), (3, 2), (4, 5), (3, 3)]))
    return f"exists e: {first}e <= {low} and {second}e >= {high}"


@cache
def conjunctions(names: tuple[str, ...], most: int) -> st.SearchStrategy[str]:
    return st.lists(constraints(names), max_size=most).map(
        lambda parts: " and ".join(f"({part})" for part in parts) or "0 = 0"
    )


@cache
def disjunctions(names: tuple[str, ...], most: int) -> st.SearchStrategy[str]:
    return st.lists(conjunctions(names, 3), min_size=1, max_size=most).map(
        lambda parts: " or ".join(f"({part})" for part in parts)
    )


@cache
@st.composite
def functions(draw: st.DrawFn, setting: Setting) -> isl.PwAff:
    function = setting.function(draw(quasi_affines(setting.names)))
    for _ in range(draw(st.integers(0, 2))):
        other = setting.function(draw(quasi_affines(setting.names)))
        match draw(st.sampled_from(["min", "max", "choice"])):
            case "min":
                function = function.min(other)
            case "max":
                function = function.max(other)
            case _:
                chosen = setting.set(draw(conjunctions(setting.names, 2)))
                function = function.intersect_domain(chosen).union_add(
                    other.intersect_domain(chosen.complement())
                )
    return function


def points(setting: Setting, seed: int) -> list[tuple[int, ...]]:
    """Near zero, and some further away."""
    random = Random(seed)
    reach = [(-12, 14)] * 20 + [(-100, 200)] * 5
    return [tuple(random.randint(*ends) for _ in setting.names) for ends in reach]


def inside(known: isl.Set, setting: Setting, drawn: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The points that are in the context, and one that certainly is."""
    kept = [each for each in drawn if setting.point(each).to_set().is_subset(known)]
    sample = known.sample_point()
    if not sample.is_void():
        count = len(setting.parameters)
        kinds = [(isl.dim_type.param, at) for at in range(count)]
        kinds += [(isl.dim_type.set, at) for at in range(len(setting.dimensions))]
        kept.append(tuple(sample.get_coordinate_val(*kind).to_python() for kind in kinds))
    return kept
