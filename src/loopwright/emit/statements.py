"""How the leaves of a statement's body are spelled where the statement runs now."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from loopwright.basics.records import record
from loopwright.emit.arithmetic import Arithmetic
from loopwright.emit.bodies import UNARY, Spelling, Text, body_lines, text_of
from loopwright.emit.flat import flattened
from loopwright.emit.locals import RegionNames, identifiers_in
from loopwright.emit.placement import Move, Placed
from loopwright.emit.refusal import CannotEmit
from loopwright.model.bodies import Declare, IteratorValue, Reference, walk_body
from loopwright.model.expressions import Expr, expression_text
from loopwright.model.scop import Array, Scop, Statement

_PLACE = re.compile(r"[A-Za-z_]\w*((\.|->)[A-Za-z_]\w*|\[\w+\])*")
_OF_STRUCT = re.compile(r"(\.|->)[A-Za-z_]\w*")
"""Whatever else stands for a name in a model comes from a macro, and may be more than that."""


@record(eq=False, slots=False)
class StatementPrinter:
    """Prints the statements of a region."""

    scop: Scop
    names: RegionNames
    sizes: Mapping[str, str]
    """``[n][3]`` for the arrays that the region declares, by their new names."""
    rows: Mapping[str, tuple[Expr, ...]]
    """How long the rows are in arrays that are flat, by the names in the model."""
    unit: str

    @cached_property
    def _declared(self) -> Mapping[str, frozenset[str]]:
        return {each.name: declared_in(each) for each in self.scop.statements}

    def lines(self, placed: Placed, arithmetic: Arithmetic) -> list[str]:
        """The lines of a statement at its place."""
        statement = self.scop.statement(placed.statement)
        values, subscripts = dict(placed.values), dict(placed.subscripts)
        place = _Place(
            self,
            statement,
            values,
            subscripts,
            dict(placed.buffers),
            dict(placed.scalars),
            arithmetic,
            self._declared[placed.statement],
        )
        spelling = Spelling(place.iterator, place.name, place.reference, place.initialised)
        return body_lines(statement.body, spelling, self.unit)

    def move_line(self, move: Move, arithmetic: Arithmetic) -> str:
        """A copy between an element and a local variable."""
        array = self.scop.array(move.array)
        type_ = plain_type(array)
        if move.buffer:
            element = self.buffer_element(move.buffer, move.subscripts, arithmetic)
        else:
            element = self.element(array, move.subscripts, arithmetic)
        if move.kind == "fill":
            return f"{self.buffer_element(move.scalar, move.place, arithmetic)} = {element};"
        if move.kind == "drain":
            return f"{element} = {self.buffer_element(move.scalar, move.place, arithmetic)};"
        if move.kind == "store":
            return f"{element} = {move.scalar};"
        const = "const " if move.kind == "constant" else ""
        return f"{const}{type_} {move.scalar} = {element};"

    def element(self, array: Array, subscripts: Sequence[Expr], arithmetic: Arithmetic) -> str:
        """An element at its new place."""
        typed = [arithmetic.typed(each) for each in subscripts]
        sizes = [arithmetic.typed(each) for each in self.rows.get(array.name, ())]
        texts = [expression_text(each) for each in flattened(array, typed, sizes)]
        return element_text(array, self.names.of_array(array), texts)

    def buffer_element(
        self, buffer: str, subscripts: Sequence[Expr], arithmetic: Arithmetic
    ) -> str:
        """An element of a buffer."""
        typed = [arithmetic.typed(each) for each in subscripts]
        return buffer + "".join(f"[{expression_text(each.expression)}]" for each in typed)


def plain_type(array: Array) -> str:
    """The type of the elements, of which there are copies."""
    return " ".join(each for each in array.element_type.split() if each != "const")


def declared_in(statement: Statement) -> frozenset[str]:
    """The names that the body of a statement declares for itself."""
    nodes = walk_body(statement.body)
    return frozenset(each.name for each in nodes if isinstance(each, Declare))


@record(eq=False)
class _Place:
    printer: StatementPrinter
    statement: Statement
    values: Mapping[str, Expr]
    subscripts: Mapping[str, tuple[Expr, ...]]
    buffers: Mapping[str, str]
    scalars: Mapping[str, str]
    arithmetic: Arithmetic
    private: frozenset[str]

    def iterator(self, value: IteratorValue) -> Text:
        """The new value of an iterator, in the type that it has in the source."""
        typed = self.arithmetic.typed(self.values[value.name])
        text = text_of(typed.expression)
        if identifiers_in(text.text) & self.private:
            reason = f"{value.name} depends on a variable that another one hides here"
            raise CannotEmit(reason, self.statement.span)
        if typed.type == value.type:
            return text
        return Text(f"({value.type}){text.within(UNARY)}", UNARY)

    def name(self, name: str) -> str:
        """A name that stands for itself, unless the region declares it."""
        if name in self.private:
            return name
        if not name.isidentifier():
            if _PLACE.fullmatch(name) is None:
                raise CannotEmit(f"{name} is not the text of a variable", self.statement.span)
            if identifiers_in(_OF_STRUCT.sub("", name)) & self.private:
                reason = f"another variable hides what {name} stands for"
                raise CannotEmit(reason, self.statement.span)
            return name
        return self.printer.names.resolved(name, self.printer.scop)

    def reference(self, reference: Reference, path_from: Callable[[str], str]) -> str:
        """A reference by its access relation, or as the source wrote it."""
        by_relation = self._by_relation(reference)
        return by_relation if by_relation is not None else path_from(self._root(reference))

    def _by_relation(self, reference: Reference) -> str | None:
        if reference.tag in self.scalars:
            return self.scalars[reference.tag]
        subscripts = self.subscripts.get(reference.tag)
        if subscripts is None:
            return None
        if reference.tag in self.buffers:
            buffer = self.buffers[reference.tag]
            return self.printer.buffer_element(buffer, subscripts, self.arithmetic)
        (access,) = (each for each in self.statement.accesses if each.tag == reference.tag)
        array = self.printer.scop.array(access.array)
        text = self.printer.element(array, subscripts, self.arithmetic)
        is_captured = bool(identifiers_in(text) & self.private)
        return None if is_captured else text

    def _root(self, reference: Reference) -> str:
        """The variable that a path starts from."""
        name = reference.name
        if not reference.tag:
            return self.name(name)
        scop, names = self.printer.scop, self.printer.names
        accesses = [each for each in self.statement.accesses if each.tag == reference.tag]
        arrays = [scop.array(each.array) for each in accesses]
        roots = {names.of_array(each) for each in arrays if each.variable == name}
        if len(roots) == 1:
            return roots.pop()
        if name in self.private:
            return name
        raise CannotEmit(f"the pointer {name} is declared in the region", self.statement.span)

    def initialised(self, target: Reference, value: str) -> str:
        """What a declaration with a list of values becomes, once the variable is declared."""
        (access, *_) = (each for each in self.statement.accesses if each.tag == target.tag)
        local = self.printer.names.local_of(access.array)
        if local is None or target.path:
            return f"{self.reference(target, lambda root: root)} = {value}"
        type_ = f"{local.type}{self.printer.sizes[local.name]}"
        literal = f"({type_})" + (value if value[0] == "{" else f"{{{value}}}")
        if not local.is_array:
            return f"{local.name} = {literal}"
        return f"__builtin_memcpy({local.name}, {literal}, sizeof({local.name}))"


def element_text(array: Array, root: str, subscripts: Sequence[str]) -> str:
    """An element of an array whose variable is now called ``root``: ``p->x``, ``a[i].x[j]``."""
    array = replace(array, parts=array.written_parts)
    text = root + array.reference_text(subscripts).removeprefix(array.variable)
    is_pointer = bool(array.extents) and array.extents[0] is None and array.parts[0].rank == 1
    if is_pointer and len(array.parts) > 1 and subscripts[0] == "0":
        return text.replace("[0].", "->", 1)
    return text
