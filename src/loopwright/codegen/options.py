"""What a user may decide about the loops that are generated."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

import islpy as isl

from loopwright.basics.names import C_KEYWORDS
from loopwright.basics.records import record

if TYPE_CHECKING:
    from loopwright.codegen.build import Build
    from loopwright.model.loop_ast import For, Node, User


_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class Strategy(Enum):
    """Who decides how the values of a level are broken up into loops."""

    AST = "ast"
    """The types of the loops (AST generation §5.4)."""
    MAPPINGS = "mappings"
    """Nothing is ever copied (multiple mappings §4); overhead is lifted afterwards, if at all."""


class LoopType(Enum):
    """How the values of one schedule dimension are broken up into loops (§5.4, §5.5)."""

    DEFAULT = "default"
    """Into disjoint parts as they come, one loop each."""
    ATOMIC = "atomic"
    """Not at all: one loop, with conditions inside; no statement is duplicated."""
    SEPARATE = "separate"
    """Until each loop runs the same statements in all its iterations."""
    UNROLL = "unroll"
    """Into single values, without any loop."""


@record(eq=False, kw_only=True)
class AstOptions:
    """Decisions about the generated loops; see the guide for each one before and after."""

    strategy: Strategy = Strategy.AST
    """Loop types and isolated parts are for the AST generator only."""
    overhead_depth: int | None = None
    """No test, minimum or maximum is left inside more loops than this (multiple mappings §7)."""
    max_growth: float | None = None
    """So many times as many copies of statements there may be for the sake of that."""
    loop_type: LoopType = LoopType.DEFAULT
    """For the members of bands that do not say it themselves."""
    loop_types: tuple[LoopType, ...] = ()
    """For the dimensions of a schedule map, outermost first; bands of a tree say it themselves."""
    isolate: isl.Set | None = None
    """A part of the schedule space of a map that gets code of its own (§5.6)."""
    isolated_loop_types: tuple[LoopType, ...] = ()
    """For the dimensions of a schedule map inside the isolated part."""
    exploit_nested_bounds: bool = True
    """Leave out a condition that the loops inside enforce anyway (Example 5.5)."""
    atomic_upper_bound: bool = True
    """One comparison with a minimum, as OpenMP wants it; else a conjunction (Example 5.9)."""
    detect_min_max: bool = True
    """``max(0, n)`` instead of ``n <= 0 ? 0 : n`` for a value in pieces.

    Of several bounds of a loop the minimum is taken either way."""
    allow_else: bool = True
    """Conditions that exclude each other may become if and else."""
    allow_or: bool = True
    """Conditions may be disjunctions; else the guarded code is repeated for each part."""
    prefer_remainder: bool = True
    """``%`` and ``/`` where the dividend cannot be negative; else ``floord`` everywhere."""
    scale_strides: bool = True
    """A loop whose values are used only divided by its step may count by one instead."""
    merge_isolated_rest: bool = True
    """Run what no isolated iteration precedes or follows in the loop before or after (§5.6)."""
    exact_projection: bool = False
    """Split a loop rather than run over values without instances (Example 5.1)."""
    lazy: bool = True
    """``&&`` and ``||``; else ``&`` and ``|``, which need no branch."""
    iterators: tuple[str, ...] = ()
    """Names for the schedule dimensions, outermost first; ``c0``, ``c1``, … beyond them."""
    whole_marks: frozenset[str] = frozenset()
    """Marks whose statements stay together: each time runs all of them under one such mark."""
    before_each_loop: Callable[[Build], object] | None = None
    """Called on the way in; what it returns becomes the annotation of the loop.

    With an ``overhead_depth``, callbacks are also called for code that is not used in the end."""
    after_each_loop: Callable[[For, Build], Node] | None = None
    """Called on the way out; what it returns takes the place of the loop."""
    at_each_statement: Callable[[User, Build], Node] | None = None
    """Called at each statement; what it returns takes its place."""
    max_operations: int = 30_000_000
    """isl may spend so many operations on one schedule."""
    max_nodes: int = 100_000
    """So many nodes may be generated."""

    @property
    def is_mapped(self) -> bool:
        """Is the strategy that of multiple mappings?"""
        return self.strategy is Strategy.MAPPINGS

    def has_loop_types(self) -> bool:
        """Is anything said about how levels are broken up?"""
        types = (self.loop_type, *self.loop_types, *self.isolated_loop_types)
        return self.isolate is not None or set(types) != {LoopType.DEFAULT}

    @property
    def tests_early(self) -> bool:
        """Are conditions tested as far out as they can be?

        Else they are left out where the code inside sees to them; that code has the overhead then.
        """
        return self.overhead_depth is not None

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        for kind in (self.loop_type, *self.loop_types, *self.isolated_loop_types):
            if kind not in set(LoopType):
                raise ValueError(f"{kind!r} is no LoopType")
        for name in self.iterators:
            if not _IDENTIFIER.fullmatch(name) or name in C_KEYWORDS:
                raise ValueError(f"{name!r} cannot be the name of an iterator")
        if len(set(self.iterators)) < len(self.iterators):
            raise ValueError(f"two iterators have the same name: {', '.join(self.iterators)}")
        if self.strategy not in set(Strategy):
            raise ValueError(f"{self.strategy!r} is no Strategy")
        depth = self.overhead_depth
        if depth is not None and (type(depth) is not int or depth < 0):
            raise ValueError(f"overhead_depth is a number of loops, 0 or more, not {depth!r}")
        if self.max_growth is not None and not self.max_growth >= 1:
            raise ValueError(f"max_growth is a factor of 1 or more, not {self.max_growth!r}")
        if min(self.max_operations, self.max_nodes) < 1:
            raise ValueError("max_operations and max_nodes must be positive")


def answered(callback: str, node: object) -> Node:
    """What a callback gave back, if that is a node."""
    from loopwright.model.loop_ast import Node as AnyNode

    if not isinstance(node, AnyNode):
        raise TypeError(f"{callback} has to return a node, not {node!r}")
    return node
