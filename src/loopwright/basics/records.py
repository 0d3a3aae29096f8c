"""Classes of values that do not change.

A record is a frozen dataclass with slots, made in a quarter of the time: the compiler has some
three hundred of them, and each run begins with making them.  Only ``__init__`` is written for
each class; what else a frozen dataclass has, records share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(
    cls: None = None, /, *, eq: bool = True, slots: bool = True, kw_only: bool = False
) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: type[T] | None = None, /, *, eq: bool = True, slots: bool = True, kw_only: bool = False
) -> type[T] | Callable[[type[T]], type[T]]:
    """Make a class one of values that do not change, equal if their fields are.

    ``eq=False`` is for those that are equal to themselves only, and ``slots=False`` for those
    with cached properties.

    >>> @record
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(3)
    Point(x=3, y=0)
    >>> Point(3) == Point(3, 0), hash(Point(3)) == hash(Point(3, 0))
    (True, True)
    """
    if cls is None:
        return lambda each: _made(each, eq, slots, kw_only)
    return _made(cls, eq, slots, kw_only)


def _made(cls: type[T], eq: bool, slots: bool, kw_only: bool) -> type[T]:
    # Without a docstring, the library would look for a signature.
    cls.__doc__ = cls.__doc__ or cls.__name__
    own = cls.__dict__
    made = dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
    methods = {"__init__": _initialisation(made), **SHARED, **(_comparison(made) if eq else {})}
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    return made


def _initialisation(cls: type[Any]) -> Callable[..., None]:
    """The function that takes the values of the fields, in their order."""
    names: dict[str, Any] = {"set_field": object.__setattr__, "MISSING": MISSING}
    positional, keywords, body = ["self"], ["*"], list[str]()
    for each in fields(cls):
        parameter, value = _parameter(each, names)
        if each.init:
            (keywords if each.kw_only else positional).append(parameter)
        body.append(f"    set_field(self, {each.name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("    self.__post_init__()")
    parameters = positional + (keywords if len(keywords) > 1 else [])
    head = f"def __init__({', '.join(parameters)}):"
    exec("\n".join([head, *body, "    return"]), names)
    made = names["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {each.name: each.type for each in fields(cls) if each.init}
    return made


def _parameter(each: Field[Any], names: dict[str, Any]) -> tuple[str, str]:
    """A field as a parameter, and the value that it gets; defaults have names of their own."""
    name, default = each.name, f"default_{each.name}"
    if each.default is not MISSING:
        names[default] = each.default
        return f"{name}={default}", name if each.init else default
    if each.default_factory is not MISSING:
        names[default] = each.default_factory
        value = f"{default}() if {name} is MISSING else {name}"
        return f"{name}=MISSING", value if each.init else f"{default}()"
    return name, name


def _comparison(cls: type[Any]) -> dict[str, Callable[..., Any]]:
    """Equality and hash by the fields that are compared."""
    names = [each.name for each in fields(cls) if each.compare]
    values: Callable[[object], object] = attrgetter(*names) if names else lambda _: ()

    def equal(self: object, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    def hashed(self: object) -> int:
        return hash(values(self))

    return {"__eq__": equal, "__hash__": hashed}


def _shown(self: Any) -> str:
    values = ", ".join(
        f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr
    )
    return f"{self.__class__.__qualname__}({values})"


def _refuse_to_set(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _restore(self: Any, state: Sequence[Any]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


SHARED: Mapping[str, Callable[..., Any]] = {
    "__repr__": _shown,
    "__setattr__": _refuse_to_set,
    "__delattr__": _refuse_to_delete,
    "__getstate__": _state,
    "__setstate__": _restore,
}
