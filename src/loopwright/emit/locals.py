"""Names in the generated text: of the variables that the region declared, and fresh ones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import islpy as isl

from loopwright.basics.names import FreshNames
from loopwright.emit.arithmetic import Names
from loopwright.emit.refusal import CannotEmit
from loopwright.model.scop import Array, Scop

DEEPEST = 64
"""So many iterators get a name that the file does not use."""


@dataclass(frozen=True, slots=True, eq=False)
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


@dataclass(frozen=True, slots=True, eq=False)
class RegionNames:
    """What things are called in the text that replaces a region."""

    locals: tuple[Local, ...]
    outer: frozenset[str]
    """Names of variables from outside that the region uses."""
    iterators: tuple[str, ...]
    helpers: Names

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


def region_names(scop: Scop, text: str) -> RegionNames:
    """Names for a region of a program with this text."""
    fresh = FreshNames(identifiers_in(text))
    parameters = {each.text for each in scop.parameters}
    outer = parameters | {each.variable for each in scop.arrays if not each.is_local}
    locals_ = tuple(_locals(scop, outer, fresh))
    fresh.taken |= {each.name for each in locals_}
    iterators = tuple(fresh.numbered("c") for _ in range(DEEPEST))
    helpers = Names(*(fresh.fresh(each) for each in ("lw_min", "lw_max", "lw_floord")))
    return RegionNames(locals_, frozenset(outer), iterators, helpers)


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
