"""Names in the generated text: of the variables that the region declared, and fresh ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import islpy as isl

from loopwright.basics.names import FreshNames
from loopwright.basics.records import record
from loopwright.emit.arithmetic import Names
from loopwright.emit.refusal import CannotEmit
from loopwright.model.bodies import (
    Call,
    Cast,
    Declare,
    IteratorValue,
    Name,
    Reference,
    Reinterpret,
    walk_body,
)
from loopwright.model.scop import Array, Scop

DEEPEST = 64
"""So many iterators get a name that the file does not use."""


@record(eq=False)
class Local:
    """A variable that the region declares: its old and its new name, its type and sizes."""

    old: str
    name: str
    type: str
    extents: tuple[isl.PwAff | None, ...]
    arrays: tuple[str, ...]

    @property
    def is_array(self) -> bool:
        """Has it dimensions?"""
        return bool(self.extents)


@dataclass(slots=True)
class ScalarNames:
    """Names for elements in local variables: ``A_0``, ``A_1`` for A, the same in each loop."""

    fresh: FreshNames
    known: dict[tuple[str, int], str] = field(default_factory=dict[tuple[str, int], str])

    def name(self, variable: str, number: int) -> str:
        """The name for the n-th element of a variable in a loop."""
        key = variable, number
        if key not in self.known:
            stem = re.sub(r"\W+", "_", variable)
            self.known[key] = self.fresh.fresh(f"{stem}_{number}")
        return self.known[key]


@record(eq=False)
class RegionNames:
    """What things are called in the text that replaces a region."""

    locals: tuple[Local, ...]
    outer: frozenset[str]
    """Names of variables, functions and types from outside that the region may use."""
    iterators: tuple[str, ...]
    helpers: Names
    scalars: ScalarNames

    def of_array(self, array: Array) -> str:
        """What the variable of an array is called."""
        local = self.local_of(array.name)
        return local.name if local is not None else array.variable

    def local_of(self, array: str) -> Local | None:
        """The region's own variable behind an array, if it is one."""
        return next((each for each in self.locals if array in each.arrays), None)

    def resolved(self, name: str, scop: Scop) -> str:
        """What a variable is called that the source names without saying which one it means."""
        meant = {each.name for each in self.locals if each.old == name}
        meant |= {name} & self.outer
        if len(meant) > 1:
            raise CannotEmit(f"the name {name} stands for several variables", scop.span)
        return meant.pop() if meant else name


def identifiers_in(text: str) -> set[str]:
    """Whatever looks like a name.

    >>> sorted(identifiers_in("x1 = f(3e5);"))
    ['f', 'x1']
    """
    return set(re.findall(r"(?<![\w.])[A-Za-z_]\w*", text))


def region_names(scop: Scop, text: str, elsewhere: Iterable[str] = ()) -> RegionNames:
    """Names for a region of a program with this text.

    ``elsewhere`` are names that the text does not show, as those from its headers.
    """
    used = _used(scop)
    fresh = FreshNames(identifiers_in(text) | used | set(elsewhere))
    arrays = {each.variable for each in scop.arrays if not each.is_local}
    outer = _from_outside(scop) | arrays | set(_CALLED.findall(text))
    locals_ = tuple(_locals(scop, outer, fresh))
    fresh.taken |= {each.name for each in locals_}
    iterators = tuple(fresh.numbered("c") for _ in range(DEEPEST))
    helpers = Names(*(fresh.fresh(each) for each in ("lw_min", "lw_max", "lw_floord")))
    return RegionNames(locals_, frozenset(outer), iterators, helpers, ScalarNames(fresh))


_CALLED = re.compile(r"([A-Za-z_]\w*)\s*\(")
"""A function, most likely; the model does not tell it from a variable where it is an argument."""


def types_in(scop: Scop) -> set[str]:
    """The types that the new text may mention."""
    types = {each.variable_type for each in scop.arrays if each.is_local}
    for statement in scop.statements:
        for each in walk_body(statement.body):
            match each:
                case Cast(type_) | Declare(type_) | Reinterpret(type_) | IteratorValue(_, type_):
                    types.add(type_)
                case _:
                    pass
    return types


def _from_outside(scop: Scop) -> set[str]:
    """The names in the parameters, the types and the calls of a region."""
    texts = [*(each.text for each in scop.parameters), *types_in(scop)]
    for statement in scop.statements:
        texts += [each.function for each in walk_body(statement.body) if isinstance(each, Call)]
    return identifiers_in("\n".join(texts))


def _used(scop: Scop) -> set[str]:
    """All names that the new text may mention; macros may have made some of them up."""
    found = _from_outside(scop) | {each.variable for each in scop.arrays}
    for statement in scop.statements:
        for each in walk_body(statement.body):
            if isinstance(each, Name | Reference | Declare):
                found |= identifiers_in(each.name)
    return found


def _locals(scop: Scop, outer: Iterable[str], fresh: FreshNames) -> Iterable[Local]:
    """The declared variables; one of them may have several arrays, one for each of its leaves."""
    taken = set(outer)
    for arrays in _by_variable(scop).values():
        first = arrays[0]
        name = first.variable if first.variable not in taken else fresh.fresh(first.variable)
        taken.add(name)
        extents = first.extents[: first.parts[0].rank]
        names = tuple(each.name for each in arrays)
        yield Local(first.variable, name, first.variable_type, extents, names)


def _by_variable(scop: Scop) -> Mapping[tuple[str, int], list[Array]]:
    found: dict[tuple[str, int], list[Array]] = {}
    for array in scop.arrays:
        if array.is_local:
            found.setdefault((array.variable, array.span.start), []).append(array)
    return found
