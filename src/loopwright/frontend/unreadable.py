"""What has no place in a region: jumps, and what leaves it."""

from __future__ import annotations

from loopwright.frontend.c_tree import (
    BreakStmt,
    ContinueStmt,
    OpaqueStmt,
    ReturnStmt,
    Stmt,
    walk_statements,
)
from loopwright.frontend.dynamic import interrupts
from loopwright.frontend.regions import Region
from loopwright.frontend.workshop import Workshop

UNREADABLE = {
    "goto": "LW201",
    "switch": "LW202",
    "asm": "LW203",
}


def refuse_unreadable(region: Region, workshop: Workshop) -> None:
    """``goto``, ``switch``, ``asm`` and whatever leaves the region have no place in it."""
    for statement in region.statements:
        if interrupts(statement):
            _refuse_leaving(statement, workshop)
        for each in walk_statements(statement):
            match each:
                case OpaqueStmt(what=what, span=span):
                    code = UNREADABLE.get(what, "LW209")
                    hint = "move it out of the region, or write it with if, for and while"
                    known = what in UNREADABLE
                    message = f"{what} inside a region" if known else f"cannot model {what}"
                    raise workshop.reject(code, message, span, hint)
                case _:
                    pass


def _refuse_leaving(statement: Stmt, workshop: Workshop) -> None:
    """A ``return``, or a ``break`` or ``continue`` of a loop around the region."""
    for each in walk_statements(statement):
        match each:
            case ReturnStmt(span=span):
                hint = "set a variable, and return after the region"
                raise workshop.reject("LW204", "return inside a region", span, hint)
            case BreakStmt(span=span) | ContinueStmt(span=span):
                what = "break" if isinstance(each, BreakStmt) else "continue"
                hint = "put the whole loop into the region"
                raise workshop.reject("LW204", f"{what} leaves the region", span, hint)
            case _:
                pass
