"""A record behaves as a frozen dataclass does."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace
from functools import cached_property
from itertools import product
from typing import Any

import pytest

from loopwright.basics.records import record


@record
class Point:
    """Fields with all kinds of defaults."""

    x: int
    name: str = "p"
    tags: list[int] = field(default_factory=list[int])
    note: str = field(default="", compare=False, repr=False)
    fixed: int = field(default=7, init=False)


@dataclass(frozen=True, slots=True)
class Twin:
    """The same as a dataclass."""

    x: int
    name: str = "p"
    tags: list[int] = field(default_factory=list[int])
    note: str = field(default="", compare=False, repr=False)
    fixed: int = field(default=7, init=False)


@record(eq=False)
class Point3(Point):
    """With a field more, and checked."""

    z: int = 0

    def __post_init__(self) -> None:
        """Refuse what is below."""
        if self.z < 0:
            raise ValueError(self.z)


@record
class Shown(Point3):
    """With a method of its own in the place of one that records have."""

    def __repr__(self) -> str:
        """As short as can be."""
        return f"<{self.x}>"


@record(eq=False, slots=False)
class Lazy:
    side: int

    @cached_property
    def area(self) -> int:
        """The side, squared."""
        return self.side**2


@record(kw_only=True)
class Named:
    first: int
    second: int = 2


@record
class Nothing:
    pass


def _like(cls: type[Any]) -> list[Any]:
    return [
        cls(1),
        cls(1, "p"),
        cls(2),
        cls(1, "q"),
        cls(1, tags=[3]),
        cls(1, note="another"),
    ]


def test_records_are_equal_where_dataclasses_are() -> None:
    points, twins = _like(Point), _like(Twin)
    for (a, b), (c, d) in zip(product(points, repeat=2), product(twins, repeat=2), strict=True):
        assert (a == b) == (c == d)
        assert (a != b) == (c != d)
    assert Point(1) != Twin(1)
    assert Point(1) != 1


def test_records_are_shown_and_listed_as_dataclasses_are() -> None:
    for point, twin in zip(_like(Point), _like(Twin), strict=True):
        assert repr(point) == repr(twin).replace("Twin", "Point")
        assert asdict(point) == asdict(twin)
        assert [each.name for each in fields(point)] == [each.name for each in fields(twin)]
    assert Point.__match_args__ == Twin.__match_args__
    assert repr(Nothing()) == "Nothing()"
    assert Nothing() == Nothing()


def test_a_hash_is_that_of_the_fields() -> None:
    assert hash(Named(first=1)) == hash(Named(first=1, second=2))
    assert len({Named(first=1), Named(first=1), Named(first=2)}) == 2
    with pytest.raises(TypeError):
        hash(Point(1))


def test_factories_make_a_value_for_each() -> None:
    first, second = Point(1), Point(1)
    first.tags.append(4)
    assert second.tags == []


def test_nothing_can_be_set_or_deleted() -> None:
    point: Any = Point(1)
    for name in ("x", "fixed", "unknown"):
        with pytest.raises(FrozenInstanceError):
            setattr(point, name, 3)
    with pytest.raises(FrozenInstanceError):
        del point.x
    assert not hasattr(point, "__dict__")


def test_wrong_calls_are_refused() -> None:
    made: Any = Point
    for arguments, options in [((), {}), ((1, "p", [], "", 7), {}), ((1,), {"fixed": 3})]:
        with pytest.raises(TypeError):
            made(*arguments, **options)
    named: Any = Named
    with pytest.raises(TypeError):
        named(1)


def test_records_that_extend_records() -> None:
    point = Point3(1, "q", z=4)
    assert (point.x, point.name, point.z, point.fixed) == (1, "q", 4, 7)
    assert replace(point, z=5).z == 5
    with pytest.raises(ValueError, match="-1"):
        replace(point, z=-1)
    with pytest.raises(ValueError, match="-2"):
        Shown(1, z=-2)


def test_methods_of_its_own_stay() -> None:
    assert repr(Shown(3)) == "<3>"


def test_records_are_copied_and_pickled() -> None:
    point = Point(3, "q", [1], "note")
    for other in (copy.copy(point), copy.deepcopy(point), pickle.loads(pickle.dumps(point))):
        assert other == point
        assert other.note == "note"


def test_cached_properties_need_a_record_without_slots() -> None:
    square = Lazy(3)
    assert (square.area, square.area) == (9, 9)
    assert square != Lazy(3)
