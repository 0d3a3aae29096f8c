"""The options that commands share: what to read, and where to write."""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from loopwright.basics.places import default_place

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

STORE = "LOOPWRIGHT_STORE"
"""The variable of the environment that names a store, where ``--store`` does not."""
StoreFile = Annotated[
    Path | None,
    typer.Option(
        "--store", metavar="FILE", envvar=STORE, help="Where the trials of tuning are kept."
    ),
]


def store_of(path: Path | None) -> Path:
    """Where trials are kept; nothing of the tuner is loaded for that."""
    return path if path is not None else default_place(os.environ)


class Engine(Enum):
    """Who does the work."""

    OURS = "loopwright"
    ISL = "isl"
