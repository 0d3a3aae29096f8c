"""What became of the loops of a program: the report of ``loopwright optimize``."""

from __future__ import annotations

from loopwright.pipeline import RegionResult, Result
from loopwright.report.schedule_tree import times_of
from loopwright.report.table import listed, wrapped
from loopwright.targets.cpu import MappedNest


def optimization_text(result: Result) -> str:
    """What was done with each region, and what was left alone."""
    return "\n\n".join("\n".join(_region_lines(each)) for each in result.regions) + "\n"


def _region_lines(region: RegionResult) -> list[str]:
    scop = region.scop
    title = f"{scop.function}  ({scop.span.file}, lines {scop.span.line}-{scop.span.end_line})"
    if region.text is None:
        why = "left as it is: no other order is expected to be faster"
        return [title, f"  {region.note.message if region.note is not None else why}"]
    lines = [title]
    told: set[str] = set()
    for nest in region.nests:
        told |= set(nest.statements)
        places = ", ".join(
            f"{name} (line {scop.statement(name).span.line})" for name in nest.statements
        )
        lines += wrapped(f"{places}: {nest_text(nest)}", 2, 4)
    others = [each.name for each in scop.statements if not each.is_kill and each.name not in told]
    if others:
        lines += wrapped(f"{listed(others)}: as before", 2, 4)
    verdict = str(region.proof) if region.proof is not None else "not proved, as you wished"
    return lines + wrapped(verdict, 2, 4)


def nest_text(nest: MappedNest) -> str:
    """What became of a nest, in a phrase."""
    plan = nest.plan
    facts: list[str] = []
    if plan.tiles:
        sizes = " x ".join(str(size) for _, size in plan.tiles)
        facts.append(f"tiled {sizes} over {listed([_name(nest, at) for at, _ in plan.tiles])}")
    if plan.unrolled:
        counts = " x ".join(str(factor) for factor in plan.unrolled.values())
        loops = listed([_name(nest, at) for at in plan.unrolled])
        facts.append(f"{counts} iterations of {loops} at once")
    if plan.is_wavefront:
        facts.append("tiles in parallel along a wavefront")
    elif plan.is_parallel:
        facts.append(f"parallel over {_name(nest, plan.parallel)}")
    if plan.is_vector:
        facts.append(f"vectorised over {_name(nest, plan.inner)}")
    if len(facts) == 0:
        loops = listed([_name(nest, at) for at in plan.order])
        facts.append(f"loops over {loops}, one iteration after the other")
    return ", ".join(facts)


def _name(nest: MappedNest, member: int) -> str:
    """What a member is in the iterators of the source: of most statements, if they differ."""
    texts = list(times_of(nest.members[member]).values())
    plain = [each for each in texts if each.isidentifier()]
    return max(plain or texts, key=(plain or texts).count)
