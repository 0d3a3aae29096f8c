"""Loops for a schedule: ``loopwright scan``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from loopwright.cli.application import app
from loopwright.cli.files import Reporting, input_of, tell, write
from loopwright.cli.optimizing import (
    USUAL,
    Compiler,
    Sizes,
    compiler_of,
    refuse_idle,
    values_of,
    words_of,
)
from loopwright.cli.options import Context, Engine, Output
from loopwright.cli.sweeping import sweep_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from loopwright.codegen.options import AstOptions, LoopType, Strategy


LoopTypes = Annotated[
    str,
    typer.Option(
        metavar="TYPE[,...]",
        help="default, separate, atomic or unroll, for members of bands that do not say it; "
        "for a schedule map one a dimension, outermost first.",
    ),
]
IsolatedLoopTypes = Annotated[
    str, typer.Option(metavar="TYPE[,...]", help="The same, inside the isolated part.")
]
Isolated = Annotated[
    str | None, typer.Option(metavar="SET", help="A part of the times with code of its own.")
]
Else = Annotated[bool, typer.Option("--else/--no-else", help="May there be any?")]
Or = Annotated[bool, typer.Option("--or/--no-or", help="May conditions be disjunctions?")]
MinMax = Annotated[bool, typer.Option("--min-max/--no-min-max", help="Or conditional operators.")]
Remainder = Annotated[
    bool, typer.Option("--remainder/--floord", help="% and / where they are right, or floord.")
]
Scale = Annotated[
    bool, typer.Option("--scale/--no-scale", help="May loops with a stride count by one instead?")
]
Lazy = Annotated[bool, typer.Option("--lazy/--eager", help="&& and ||, or & and |.")]
NestedBounds = Annotated[
    bool,
    typer.Option("--nested-bounds/--no-nested-bounds", help="Rely on what inner loops enforce."),
]
UpperBound = Annotated[
    bool, typer.Option("--minimum/--conjunction", help="Upper bounds: one comparison, or many.")
]
Merge = Annotated[
    bool,
    typer.Option("--merge/--no-merge", help="What is beside the isolated part: in its own loop?"),
]
Exact = Annotated[bool, typer.Option("--exact", help="Split loops that would run in vain.")]
StrategyName = Annotated[
    str,
    typer.Option(
        "--strategy", metavar="NAME", help="ast, or mappings: no statement is ever copied at first."
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        "--k", "--overhead-depth", min=0, help="No test, min or max inside more loops than this."
    ),
]
Growth = Annotated[
    float | None,
    typer.Option(min=1, help="At most so many times as many copies of statements for --k."),
]
Sweep = Annotated[
    bool, typer.Option("--sweep", help="Print what each k costs and saves, at the given --size.")
]
Flags = Annotated[
    str, typer.Option("--cflags", metavar="FLAGS", help="For the bytes in the table of --sweep.")
]
Iterators = Annotated[
    str, typer.Option(metavar="NAME,...", help="Names for the iterators, outermost first.")
]


@app.command()
def scan(
    called: typer.Context,
    file: Annotated[str, typer.Argument(help="A schedule, or - for standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the loops as JSON.")] = False,
    context: Context = None,
    strategy: StrategyName = "ast",
    k: Depth = None,
    max_growth: Growth = None,
    sweep: Sweep = False,
    size: Sizes = "",
    cc: Compiler = USUAL,
    cflags: Flags = "-O2",
    loop_type: LoopTypes = "default",
    isolate: Isolated = None,
    isolated_loop_type: IsolatedLoopTypes = "",
    allow_else: Else = True,
    allow_or: Or = True,
    detect_min_max: MinMax = True,
    prefer_remainder: Remainder = True,
    scale_strides: Scale = True,
    lazy: Lazy = True,
    exploit_nested_bounds: NestedBounds = True,
    atomic_upper_bound: UpperBound = True,
    merge_isolated_rest: Merge = True,
    exact_projection: Exact = False,
    iterators: Iterators = "",
    iterator_type: Annotated[str, typer.Option(metavar="TYPE", help="Their type.")] = "int",
    definitions: Annotated[bool, typer.Option("--definitions", help="Print the macros.")] = False,
    max_operations: Annotated[int | None, typer.Option(min=1, help="Of isl.")] = None,
    max_nodes: Annotated[int | None, typer.Option(min=1, help="Of the loops.")] = None,
    engine: Annotated[Engine, typer.Option(help="isl's is there to compare.")] = Engine.OURS,
    output: Output = None,
) -> None:
    """Print the loops of a schedule: a tree in isl's YAML, or a domain and a schedule map."""
    from loopwright.frontend.inputs import parsed_context
    from loopwright.scanning import Request, scan_source, sweep_source

    refuse_idle(called, sweep, ("size", "cc", "cflags"), "--sweep")
    refuse_idle(called, sweep or k is not None, ("max_growth",), "--k or --sweep")
    if sweep and (k is not None or engine is Engine.ISL):
        raise typer.BadParameter("--sweep tries every k of our own generator: no --k, --engine isl")
    if engine is Engine.ISL and (strategy != "ast" or k is not None):
        raise typer.BadParameter("isl's generator has neither --strategy nor --k")
    options = _options(called.params)
    name, content = input_of(file)
    with Reporting(name, content):
        known = parsed_context(context) if context is not None else None
        request = Request(known, isolate, as_json, iterator_type, definitions, engine.value)
        if sweep:
            compiler, flags = compiler_of(cc), words_of("--cflags", cflags)
            versions, notes = sweep_source(name, content, request, options)
            text = sweep_text(versions, values_of(size), compiler, flags, as_json=as_json)
        else:
            loops = scan_source(name, content, request, options)
            text, notes = loops.text, loops.notes
        tell(notes, name, content)
        write(text, output)


SAME_NAMES = (
    "max_growth",
    "exploit_nested_bounds",
    "atomic_upper_bound",
    "detect_min_max",
    "allow_else",
    "allow_or",
    "prefer_remainder",
    "scale_strides",
    "merge_isolated_rest",
    "exact_projection",
    "lazy",
)
"""What the command line calls as the generator does."""


def _options(given: Mapping[str, Any]) -> AstOptions:
    """What was said on the command line, for the generator."""
    from loopwright.codegen.options import AstOptions

    types, isolated = _loop_types(given["loop_type"]), given["isolated_loop_type"]
    limits = ("max_operations", "max_nodes")
    return AstOptions(
        strategy=_strategy(given["strategy"]),
        overhead_depth=given["k"],
        loop_type=types[0],
        loop_types=types if len(types) > 1 else (),
        isolated_loop_types=_loop_types(isolated) if isolated else (),
        iterators=_iterators(given["iterators"]),
        **{name: given[name] for name in SAME_NAMES},
        **{name: given[name] for name in limits if given[name] is not None},
    )


def _loop_types(text: str) -> tuple[LoopType, ...]:
    from loopwright.codegen.options import LoopType

    try:
        return tuple(LoopType(part.strip()) for part in text.split(","))
    except ValueError:
        known = ", ".join(kind.value for kind in LoopType)
        raise typer.BadParameter(f"{text}: a loop type is one of {known}") from None


def _strategy(text: str) -> Strategy:
    from loopwright.codegen.options import Strategy

    try:
        return Strategy(text)
    except ValueError:
        known = ", ".join(kind.value for kind in Strategy)
        raise typer.BadParameter(f"--strategy {text}: it is one of {known}") from None


def _iterators(text: str) -> tuple[str, ...]:
    from loopwright.codegen.options import AstOptions

    names = tuple(part.strip() for part in text.split(",")) if text else ()
    try:
        return AstOptions(iterators=names).iterators
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
