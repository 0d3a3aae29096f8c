"""What ``loopwright scan --sweep`` prints: one schedule, many ways to generate its loops."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from loopwright.cli.files import progress, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from loopwright.report.trade_offs import TradeOff
    from loopwright.scanning import Version
    from loopwright.tuning.toolchain import Toolchain

MOST_ITERATIONS = 3_000_000
"""Of one version: some seconds."""


def sweep_text(
    versions: Sequence[Version],
    sizes: Mapping[str, int],
    compiler: Sequence[str],
    flags: Sequence[str],
    *,
    as_json: bool,
) -> str:
    """The table of the versions, or the same as JSON."""
    from loopwright.report.trade_offs import trade_off_text
    from loopwright.tuning.code_size import loops_bytes
    from loopwright.tuning.toolchain import CannotRun, Toolchain

    _require_sizes(versions, sizes)
    toolchain: Toolchain | None = Toolchain(tuple(compiler), tuple(flags))
    measure = shlex.join((*compiler, *flags))
    try:
        loops_bytes(versions[0].ast, toolchain)
    except CannotRun as problem:
        say(f"the bytes are those of the text in C: {problem.reason}\n")
        toolchain, measure = None, "their text in C"
    tell = progress()
    rows: list[TradeOff] = []
    for version in versions:
        tell(version.name)
        rows.append(_row(version, sizes, toolchain))
    if as_json:
        document = {
            "format": "loopwright-sweep-1",
            "sizes": dict(sizes),
            "bytes": measure,
            "versions": [asdict(row) for row in rows],
        }
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    given = ", ".join(f"{name}={value}" for name, value in sizes.items()) or "the only size"
    return trade_off_text(rows, given, measure)


def _row(version: Version, sizes: Mapping[str, int], toolchain: Toolchain | None) -> TradeOff:
    from loopwright.codegen.interpretation import executed_quality
    from loopwright.codegen.overhead import overhead_depth
    from loopwright.codegen.quality import static_quality
    from loopwright.report.trade_offs import TradeOff
    from loopwright.tuning.code_size import loops_bytes

    text = static_quality(version.ast)
    try:
        run = executed_quality(version.ast, sizes, most=MOST_ITERATIONS)
    except AssertionError as error:
        problem = str(error).partition(", with")[0]
        raise typer.BadParameter(f"--size: {problem}; give smaller sizes") from None
    size = text.size if toolchain is None else loops_bytes(version.ast, toolchain)
    depth = overhead_depth(version.ast)
    executed = run.control, run.divisions, run.visits
    return TradeOff(version.name, text.copies, size, *executed, depth)


def _require_sizes(versions: Sequence[Version], sizes: Mapping[str, int]) -> None:
    """Every parameter needs a value to be executed with."""
    from loopwright.tuning.code_size import parameters_of

    wanted = {name for version in versions for name in parameters_of(version.ast)}
    unknown = sorted(set(sizes) - wanted)
    if unknown:
        raise typer.BadParameter(f"--size: the loops have no parameter {', '.join(unknown)}")
    missing = sorted(wanted - set(sizes))
    if missing:
        example = ",".join(f"{name}=100" for name in missing)
        raise typer.BadParameter(f"--sweep runs the loops: give --size {example}, or other sizes")
