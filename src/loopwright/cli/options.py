"""The options that commands share: what to read, and where to write."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from loopwright.frontend.clang_library import ReadOptions
    from loopwright.frontend.reading import Question

CFile = Annotated[str, typer.Argument(help="A C file, or - for standard input.")]
Function = Annotated[str | None, typer.Option(help="Only the regions of this function.")]
Autodetect = Annotated[
    bool, typer.Option("--autodetect", help="Find the regions; no pragmas needed.")
]
Include = Annotated[
    list[str] | None, typer.Option("-I", metavar="DIR", help="Search here for headers.")
]
SystemInclude = Annotated[
    list[str] | None, typer.Option("-isystem", metavar="DIR", help="And here, afterwards.")
]
Define = Annotated[
    list[str] | None, typer.Option("-D", metavar="NAME[=VALUE]", help="Define a macro.")
]
Standard = Annotated[
    str, typer.Option("--std", "-std", metavar="STD", help="The language standard.")
]
Context = Annotated[str | None, typer.Option(help='What is known, e.g. "[n] -> { : n >= 4 }".')]
NonNegative = Annotated[
    bool, typer.Option("--assume-non-negative", help="No parameter is negative.")
]
Output = Annotated[
    Path | None, typer.Option("-o", metavar="FILE", help="Write here, whole or not at all.")
]


class Engine(Enum):
    """Who does the work."""

    OURS = "loopwright"
    ISL = "isl"


def read_options(
    include: list[str] | None,
    system_include: list[str] | None,
    define: list[str] | None,
    standard: str,
) -> ReadOptions:
    """How the parser is to read the file."""
    from loopwright.frontend.clang_library import ReadOptions

    return ReadOptions(
        tuple(include or ()), tuple(system_include or ()), tuple(define or ()), standard
    )


def question_of(
    function: str | None, context: str | None, assume_non_negative: bool, autodetect: bool
) -> Question:
    """Which regions, and what is known about their parameters."""
    from loopwright.frontend.inputs import parsed_context
    from loopwright.frontend.reading import Question

    known = parsed_context(context) if context is not None else None
    return Question(function, known, assume_non_negative, autodetect)
