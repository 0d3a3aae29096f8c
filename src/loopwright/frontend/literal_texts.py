"""How constants are written, wherever they come from."""

from __future__ import annotations

from loopwright.frontend.c_types import CType, IntType
from loopwright.model.literals import floating_value


def floating_text(text: str, value: float, type_: CType) -> str:
    """The constant as written, also where it comes from a macro's definition.

    Empty if it would be another one then: the parser tells no more than a ``double``.
    """
    if floating_value(text) == value:
        return text
    if type_.name not in ("float", "double"):
        return ""
    return repr(value) + ("f" if type_.name == "float" else "")


def integer_text(value: int, type_: IntType) -> str:
    """An integer constant of a type."""
    suffix = ("" if type_.is_signed else "u") + ("l" if type_.bits > 32 else "")
    return f"{value}{suffix}"
