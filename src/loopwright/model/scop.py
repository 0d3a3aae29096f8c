"""The polyhedral model of a region of a program: instances, accesses, order, context."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.model.bodies import Body, Kill
from loopwright.model.display import scop_html, scop_text
from loopwright.polyhedra.unions import joined, pairwise_union

LEAVES = "LW303"
"""The code of the note that a reference leaves its array whenever it is reached."""


@record
class Part:
    """One selector of an array's path: the variable, or a struct member, with its subscripts.

    ``a[i].pos[j]`` has the parts ``a`` (one subscript, elements of the size of the struct) and
    ``.pos`` (one subscript), which starts ``offset`` bytes into the struct.
    """

    selector: str
    rank: int
    offset: int
    element_size: int


def last_ranked(parts: Sequence[Part]) -> int:
    """The position of the last part with subscripts; the first one, if none has any."""
    return max((at for at, each in enumerate(parts) if each.rank), default=0)


@record(eq=False)
class Array:
    """A variable, or one scalar leaf of a struct, as a set of elements.

    ``extents`` has one entry a dimension; ``None`` where the source does not tell (the outermost
    dimension behind a pointer).  ``variable_type`` is the type of what the variable's own
    dimensions hold: of the elements, or of the struct that they are leaves of.  An array
    ``is_flat`` if C has one subscript where the last part with any has several: ``A[i * n + j]``.
    """

    name: str
    parts: tuple[Part, ...]
    element_type: str
    extents: tuple[isl.PwAff | None, ...]
    is_local: bool
    is_live_in: bool
    is_live_out: bool
    span: Span
    variable_type: str = ""
    is_flat: bool = False

    @property
    def rows(self) -> tuple[isl.PwAff, ...]:
        """The sizes of the dimensions that C does not know, outermost first."""
        if not self.is_flat:
            return ()
        inner = self.extents[len(self.extents) - self.parts[self.last_ranked].rank + 1 :]
        return tuple(each for each in inner if each is not None)

    @property
    def last_ranked(self) -> int:
        """The position of the last part with subscripts."""
        return last_ranked(self.parts)

    @property
    def written_parts(self) -> tuple[Part, ...]:
        """The parts with as many subscripts as C has."""
        if not self.is_flat:
            return self.parts
        at = self.last_ranked
        return (*self.parts[:at], replace(self.parts[at], rank=1), *self.parts[at + 1 :])

    @property
    def rank(self) -> int:
        """How many subscripts an element has."""
        return len(self.extents)

    @property
    def variable(self) -> str:
        """The name of the variable in the source."""
        return self.parts[0].selector

    def elements(self) -> isl.Set:
        """``{ A[x, …] : 0 <= x < extent, … }``."""
        elements = self._anything()
        for subscript, extent in self._bounded_subscripts():
            zero = subscript - subscript
            elements = elements & subscript.ge_set(zero) & subscript.lt_set(extent)
        return elements

    def out_of_bounds(self) -> isl.Set:
        """What is not an element: ``{ A[x, …] : x < 0 or x >= extent or … }``."""
        outside = isl.Set.empty(self._anything().get_space())
        for subscript, extent in self._bounded_subscripts():
            zero = subscript - subscript
            outside = outside | subscript.lt_set(zero) | subscript.ge_set(extent)
        return outside

    def _anything(self) -> isl.Set:
        space = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, self.rank)
        return isl.Set.universe(space.set_tuple_name(isl.dim_type.set, self.name))

    def _bounded_subscripts(self) -> Iterator[tuple[isl.PwAff, isl.PwAff]]:
        """Each subscript with its extent, where that is known, over the space of the elements."""
        for position, extent in enumerate(self.extents):
            if extent is not None:
                space = self._anything().get_space().align_params(extent.get_domain_space())
                local = isl.LocalSpace.from_space(space)
                subscript = isl.Aff.var_on_domain(local, isl.dim_type.set, position)
                yield isl.PwAff.from_aff(subscript), extent.insert_domain(space)

    def reference_text(self, subscripts: Iterable[str]) -> str:
        """The C expression for an element: ``a[i].pos[j]``."""
        remaining = iter(subscripts)
        return "".join(
            part.selector + "".join(f"[{next(remaining)}]" for _ in range(part.rank))
            for part in self.parts
        )


@record(eq=False)
class Access:
    """One array reference of a statement.

    ``may`` holds every element that an instance may touch, ``must`` those that it certainly
    touches; the reference is *exact* where the two agree.
    """

    tag: str
    array: str
    reads: bool
    writes: bool
    kills: bool
    may: isl.Map
    must: isl.Map
    span: Span
    text: str

    @property
    def is_exact(self) -> bool:
        """Is every element that may be touched certainly touched?"""
        return self.may is self.must or self.may.is_subset(self.must)

    def is_certain(self, domain: isl.Set) -> bool:
        """Do all these instances touch what the reference names?  Not in ``n > 3 ? A[i] : 0``."""
        return self.is_exact and domain.is_subset(self.must.domain())

    def tagged(self, relation: isl.Map) -> isl.Map:
        """``{ [S[i] -> R0[]] -> A[x] }``: the domain carries the reference (PPCG §3.2.4)."""
        reference = self.reference(isl.Set.universe(relation.get_space().domain()))
        return reference.domain_map().apply_range(relation)

    def reference(self, domain: isl.Set) -> isl.Map:
        """``{ S[i] -> R0[] }``: the instances with this reference."""
        tag = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, 0).set_tuple_name(
            isl.dim_type.set, self.tag
        )
        params = domain.get_space().params()
        return isl.Map.from_domain_and_range(domain, isl.Set.universe(tag.align_params(params)))


@record(eq=False)
class Statement:
    """A piece of the region that runs as one: its instances, what they touch, what they do."""

    name: str
    iterators: tuple[str, ...]
    domain: isl.Set
    accesses: tuple[Access, ...]
    body: Body
    is_dynamic: bool
    span: Span
    text: str
    label: str | None = None

    @property
    def is_kill(self) -> bool:
        """Does it only say that values die?  Such a statement executes nothing."""
        return isinstance(self.body, Kill)


@record
class Loop:
    """A loop of the source: the iterator number ``depth`` of all the statements inside it.

    ``count`` tells from the iterators, its own being the last, how many iterations came before:
    ``{ [i, j] -> [(j - i)] }``.  The span is that of the loop's header.
    """

    iterator: str
    depth: int
    statements: tuple[str, ...]
    span: Span
    count: isl.PwAff


@record(eq=False)
class Parameter:
    """An integer that the region never changes: its name in the model, its C text, its type.

    The type holds the integers from ``least`` to ``greatest``.
    """

    name: str
    text: str
    type: str
    span: Span
    least: int = -(2**31)
    greatest: int = 2**31 - 1


def type_ranges(parameters: Iterable[Parameter]) -> isl.Set:
    """What the types of the parameters guarantee.

    >>> from loopwright.basics.spans import whole_file
    >>> print(type_ranges([Parameter("n", "n", "unsigned char", whole_file("k.c"), 0, 255)]))
    [n] -> {  : 0 <= n <= 255 }
    """
    possible = isl.Set("{ : }")
    for each in parameters:
        bounds = f"{each.least} <= {each.name} <= {each.greatest}"
        possible = possible & isl.Set(f"[{each.name}] -> {{ : {bounds} }}")
    return possible


@record(eq=False)
class Assumption:
    """A condition on the parameters under which the model holds, and why it was assumed."""

    condition: isl.Set
    reason: str
    span: Span


def evaluation_of(text: str) -> str:
    """Why a model holds only where the region evaluates what a parameter stands for.

    Elsewhere a pointer might lead nowhere, a product might not fit its type.
    """
    return f"{text} is evaluated"


@record(eq=False)
class Independence:
    """A promise of the programmer: different iterations of a loop do not depend on each other.

    ``pairs`` relates the instances of distinct iterations of that loop; ``arrays`` names those
    whose dependences are denied (all of them where it is empty).
    """

    pairs: isl.UnionMap
    arrays: tuple[str, ...]
    span: Span


@record(eq=False)
class Scop:
    """A region of a function in the polyhedral model.

    ``loops`` stand in the order of the source; the schedule has a band of one member for each of
    them.  ``outliving`` are the variables that the region declares and the code after it uses.
    """

    function: str
    span: Span
    parameters: tuple[Parameter, ...]
    context: isl.Set
    assumptions: tuple[Assumption, ...]
    arrays: tuple[Array, ...]
    statements: tuple[Statement, ...]
    schedule: isl.Schedule
    independences: tuple[Independence, ...] = ()
    notes: tuple[Diagnostic, ...] = ()
    outliving: tuple[str, ...] = ()
    loops: tuple[Loop, ...] = ()

    def __str__(self) -> str:
        """The model on a page."""
        return scop_text(self)

    def _repr_html_(self) -> str:
        """The model in a notebook."""
        return scop_html(self)

    def array(self, name: str) -> Array:
        """The array of that name."""
        return next(array for array in self.arrays if array.name == name)

    def statement(self, name: str) -> Statement:
        """The statement of that name."""
        return next(statement for statement in self.statements if statement.name == name)

    @property
    def undefined(self) -> Diagnostic | None:
        """A note of a reference that leaves its array in every run that gets to it."""
        return next((note for note in self.notes if note.code == LEAVES), None)

    @property
    def domain(self) -> isl.UnionSet:
        """All instances of all statements."""
        return union_set(statement.domain for statement in self.statements)

    def may_reads(self, *, tagged: bool = False) -> isl.UnionMap:
        """Every element that an instance may read."""
        return self._collected(lambda access: access.may if access.reads else None, tagged)

    def may_writes(self, *, tagged: bool = False) -> isl.UnionMap:
        """Every element that an instance may write."""
        return self._collected(lambda access: access.may if access.writes else None, tagged)

    def must_writes(self, *, tagged: bool = False) -> isl.UnionMap:
        """Every element that an instance certainly writes."""
        return self._collected(lambda access: access.must if access.writes else None, tagged)

    def must_kills(self, *, tagged: bool = False) -> isl.UnionMap:
        """Every element whose value certainly dies at an instance (PPCG §3.2.3)."""
        return self._collected(lambda access: access.must if access.kills else None, tagged)

    def _collected(
        self, relation_of: Callable[[Access], isl.Map | None], tagged: bool
    ) -> isl.UnionMap:
        relations: list[isl.Map] = []
        for statement in self.statements:
            for access in statement.accesses:
                relation = relation_of(access)
                if relation is not None:
                    relation = relation.intersect_domain(statement.domain)
                    relations.append(access.tagged(relation) if tagged else relation)
        return union_map(relations)


def union_set(sets: Iterable[isl.Set]) -> isl.UnionSet:
    """The union of sets in different spaces."""
    empty = isl.UnionSet.empty(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))
    return pairwise_union([empty, *map(isl.UnionSet.from_set, sets)])


def union_map(maps: Iterable[isl.Map]) -> isl.UnionMap:
    """The union of relations in different spaces."""
    return joined(map(isl.UnionMap.from_map, maps))
