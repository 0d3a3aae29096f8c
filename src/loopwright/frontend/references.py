"""References of C++: other names for memory, which the model does not follow."""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import TypeKind

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.frontend.clang_library import Cursor, ParsedFile, kind_of

REFERENCES = (TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)


def require_values(declarations: Iterable[Cursor], parsed: ParsedFile) -> None:
    """Raise an :class:`InputError` where something declared is another name for something."""
    for each in declarations:
        kind = kind_of(each.type.get_canonical())
        if kind in REFERENCES:
            named = str(each.spelling) or "an argument"
            message = f"{named} is a reference, and nobody follows what it stands for"
            hint = "use a pointer, or a value"
            raise InputError(Diagnostic("LW215", message, parsed.span_of(each), hint))
