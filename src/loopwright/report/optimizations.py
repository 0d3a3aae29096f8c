"""What became of the loops of a program: the report of ``loopwright optimize``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl

from loopwright.fates import Fate, Fit, Outcome
from loopwright.model.scop import Scop
from loopwright.report.optimization_reasons import Reasons
from loopwright.report.schedule_tree import times_of
from loopwright.report.table import listed, wrapped
from loopwright.targets.cpu import MappedNest

MOST_PLACES = 4
"""A nest of more statements is told by the first and the last of them."""


def optimization_text(result: Outcome) -> str:
    """What was done with each region, and what was left alone."""
    parts = ["\n".join(region_lines(each)) for each in result.regions]
    if result.fit is not None:
        parts.append(fit_text(result.fit))
    return "\n\n".join(parts) + "\n" if parts else ""


def fit_text(fit: Fit) -> str:
    """How large the program is, and what that took.

    >>> print(fit_text(Fit(900, 1000, "gcc -O2", "statements are written out once")))
    code  900 of 1,000 bytes (gcc -O2): statements are written out once
    """
    verdict = "" if fit.size <= fit.budget else ", which is too much"
    return f"code  {fit.size:,} of {fit.budget:,} bytes ({fit.measure}){verdict}: {fit.what}"


def region_lines(region: Fate) -> list[str]:
    """A title, what became of the nests, what could not be done, and the proof."""
    lines = [region_title(region.scop)]
    for fact in region_facts(region):
        lines += wrapped(fact, 2, 4)
    # Lines break at the same places, however long it took.
    proof = wrapped(proof_text(region, "####"), 2, 4) if region.text is not None else []
    return lines + [each.replace("####", _milliseconds(region)) for each in proof]


def region_title(scop: Scop) -> str:
    """Where a region is, and how many loops it has."""
    count = f"{len(scop.loops)} loop{'s' if len(scop.loops) != 1 else ''}"
    where = f"{scop.span.file}, lines {scop.span.line}-{scop.span.end_line}, {count}"
    return f"{scop.function}  ({where})"


def region_facts(region: Fate) -> list[str]:
    """A sentence for each nest, and why it is not parallel, or not vectorised."""
    reasons = Reasons(region)
    if region.text is None:
        why = region.note.message if region.note is not None else f"left as it is: {region.reason}"
        return [why, *reasons.not_parallel()]
    if region.told:
        return list(region.told)
    facts: list[str] = []
    told: set[str] = set()
    for nest in region.nests:
        told |= set(nest.statements)
        facts.append(f"{places_text(nest, region.scop)}: {nest_text(nest, region.scop)}")
        facts += reasons.not_vectorised(nest, member_name(nest, nest.plan.inner))
    statements = [each for each in region.scop.statements if not each.is_kill]
    others = [each.name for each in statements if each.name not in told]
    if others:
        facts.append(f"{listed(others)}: as before")
    return [*facts, *reasons.not_parallel()]


def proof_text(region: Fate, milliseconds: str | None = None) -> str:
    """What was proved, and how long it took."""
    if region.proof is None:
        return "not proved, as you wished"
    taken = milliseconds or _milliseconds(region)
    how, _, facts = str(region.proof).partition(": ")
    return f"{how} in {taken} ms: {facts}"


def _milliseconds(region: Fate) -> str:
    return str(round(1000 * region.proof_seconds))


def places_text(nest: MappedNest, scop: Scop) -> str:
    """The statements of a nest, with their lines."""
    places = [f"{name} (line {scop.statement(name).span.line})" for name in nest.statements]
    if len(places) > MOST_PLACES:
        return f"{places[0]} to {places[-1]}, {len(places)} statements"
    return ", ".join(places)


def nest_text(nest: MappedNest, scop: Scop) -> str:
    """What became of a nest, in a phrase."""
    plan = nest.plan
    facts: list[str] = []
    if plan.tiles:
        sizes = " x ".join(str(size) for _, size in plan.tiles)
        loops = listed([member_name(nest, at) for at, _ in plan.tiles])
        facts.append(f"tiled {sizes} over {loops}")
    if plan.unrolled:
        counts = " x ".join(str(factor) for factor in plan.unrolled.values())
        loops = listed([member_name(nest, at) for at in plan.unrolled])
        facts.append(f"{counts} iterations of {loops} at once")
    facts += _buffers(nest, scop)
    if plan.is_wavefront:
        facts.append("tiles in parallel along a wavefront")
    elif plan.is_parallel:
        facts.append(f"parallel over {member_name(nest, plan.parallel)}")
    if plan.has_vector_mark:
        facts.append(f"vectorised over {member_name(nest, plan.inner)}")
    if plan.reductions:
        sums = listed(list(dict.fromkeys(each.array for each in plan.reductions)))
        facts.append(f"{sums} computed in parts")
    if nest.around is not None:
        facts.append(f"inside the parallel loop over {name_of(nest.around)}")
    loops = [member_name(nest, at) for at in plan.order if _is_loop(nest, at)]
    if not facts:
        facts.append(f"loops over {listed(loops)}, in their order" if loops else "as before")
    return ", ".join(facts)


def _buffers(nest: MappedNest, scop: Scop) -> Iterator[str]:
    """What has a place of its own in the tiles of a nest."""
    if nest.expanded:
        sizes = " x ".join(map(str, nest.expanded[0].tile))
        arrays = listed([each.array for each in nest.expanded])
        loops = listed([name_of(each) for each in nest.expanded[0].members])
        what = "a copy" if len(nest.expanded) == 1 else "copies"
        yield f"{what} of {arrays} for each of {sizes} iterations of {loops}"
    if nest.plan.packed:
        yield f"{listed(_arrays(nest.plan.packed, scop))} copied into buffers"


def _is_loop(nest: MappedNest, member: int) -> bool:
    """Or is it the same for all instances?"""
    functions: list[isl.PwAff] = []
    nest.members[member].foreach_pw_aff(functions.append)
    return any(
        each.involves_dims(isl.dim_type.in_, 0, each.dim(isl.dim_type.in_)) for each in functions
    )


def _arrays(tags: Sequence[str], scop: Scop) -> list[str]:
    """The arrays of some references."""
    accesses = (each for statement in scop.statements for each in statement.accesses)
    return list(dict.fromkeys(each.array for each in accesses if each.tag in tags))


def member_name(nest: MappedNest, member: int) -> str:
    """What a member is in the iterators of the source."""
    return name_of(nest.members[member])


def name_of(member: isl.UnionPwAff) -> str:
    """The same for any member: what it is for most statements, if they differ."""
    texts = list(times_of(member).values())
    plain = [each for each in texts if each.isidentifier()]
    return max(plain or texts, key=(plain or texts).count)
