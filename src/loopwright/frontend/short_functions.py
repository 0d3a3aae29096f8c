"""Short functions of a program, which are written out where they are called."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from clang.cindex import StorageClass

from loopwright.basics.diagnostics import InputError
from loopwright.frontend.clang_library import is_inline

if TYPE_CHECKING:
    from clang.cindex import Cursor

    from loopwright.frontend.c_tree import CallExpr, Expr, Function
    from loopwright.frontend.clang_library import ParsedFile
    from loopwright.frontend.inlining import Inlining

LONGEST = 400
"""So many bytes may a function have that is written out."""


class ShortFunctions:
    """Which functions are being read, and what may be written out in the innermost of them."""

    def __init__(self, parsed: ParsedFile) -> None:
        """None is being read yet."""
        self._parsed = parsed
        self._reading: dict[int, Cursor] = {}
        self._names: dict[int, frozenset[str]] = {}

    @contextmanager
    def reading(self, function: Cursor) -> Generator[None]:
        """While the body of a function is read, it is not written out in itself."""
        self._reading[function.hash] = function
        try:
            yield
        finally:
            del self._reading[function.hash]

    def written_out(self, call: CallExpr, cursor: Cursor, write: Inlining) -> Expr | None:
        """A call of a short function in front of it, as that function does it."""
        if call.callee.effects != "unknown" or not self._is_short(cursor, call):
            return None
        function = self.definition(call)
        return write(call, function, self) if function is not None else None

    def definition(self, call: CallExpr) -> Function | None:
        """The function that is called, unless it is being read."""
        if any(each.spelling == call.function for each in self._reading.values()):
            return None
        try:
            function = call.callee.definition()
        except InputError:
            return None
        is_itself = function is not None and function.name == call.function
        return function if is_itself else None  # a summary says nothing about the value

    def _is_short(self, cursor: Cursor, call: CallExpr) -> bool:
        """Is the function short, and all that it names declared where it is called?"""
        called = cursor.referenced
        definition = called.get_definition() if called is not None else None
        if definition is None or self._parsed.is_cpp:
            return False
        if self._parsed.is_of_system(definition.location):
            return False
        if definition.storage_class == StorageClass.STATIC and not is_inline(definition):
            return False  # compilers warn of such a function that nothing calls any more
        place = self._parsed.span_of(definition)
        is_before = place.file != call.span.file or place.end <= call.span.start
        return is_before and place.end - place.start <= LONGEST

    def is_hidden(self, name: str) -> bool:
        """Does the function that is being read give a name a meaning of its own?"""
        function = next(reversed(self._reading.values()), None)
        if function is None:
            return True
        if function.hash not in self._names:
            declared = (each for each in function.walk_preorder() if each.kind.is_declaration())
            self._names[function.hash] = frozenset(str(each.spelling) for each in declared)
        return name in self._names[function.hash]
