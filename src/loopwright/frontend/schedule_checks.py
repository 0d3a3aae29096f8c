"""Does a schedule fit its domain?  isl accepts trees that drop or repeat what they schedule."""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError, Severity, shortened
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.schedule_trees import TreeNode
from loopwright.polyhedra.unions import maps_of, sets_of

SET = isl.dim_type.set
OUT = isl.dim_type.out
IN = isl.dim_type.in_

LOOP_TYPES = ("separate", "atomic", "unroll", "default", "none")


# --- schedule maps --------------------------------------------------------------------------------


def check_map(schedule: isl.UnionMap, span: Span) -> None:
    """Times are nameless tuples of one length, else there is no order between them."""
    lengths: dict[int, str] = {}
    for each in maps_of(schedule):
        times = each.get_space().range()
        if times.is_wrapping() or times.has_tuple_name(SET):
            hint = "write a time as a plain list, such as [i, 0]"
            raise _misfit(f"{_named(times)} is not a time", span, hint)
        lengths.setdefault(times.dim(SET), _named(each.get_space().domain()))
    if len(lengths) > 1:
        (first, one), (second, other), *_ = sorted(lengths.items())
        raise _misfit(
            f"times of {one} have {_dimensions(first)}, those of {other} have {second}",
            span,
            "give all times the same number of dimensions; fill up with zeros",
        )


def check_cover(domain: isl.UnionSet, timed: isl.UnionSet, span: Span, who: str) -> None:
    """Every instance must get a time."""
    untimed = domain.subtract(timed)
    if untimed.is_empty():
        return
    message = f"{who} gives no time to {shortened(str(untimed.coalesce()))}"
    raise _misfit(message, span, _other_arity(untimed, timed))


def _other_arity(untimed: isl.UnionSet, timed: isl.UnionSet) -> str:
    """The same statement with another number of dimensions is likely a slip."""
    lacking = {_name(each.get_space()): each.dim(SET) for each in sets_of(untimed)}
    for each in sets_of(timed):
        name = _name(each.get_space())
        if name in lacking and each.dim(SET) != lacking[name]:
            given, meant = each.dim(SET), lacking[name]
            return f"{name} has {_dimensions(given)} there, {meant} in the domain"
    return ""


# --- schedule trees -------------------------------------------------------------------------------


@record(eq=False)
class Reached:
    """A node, where it is written, and the instances that reach it.

    isl can tell the instances, too, but not below an extension.
    """

    node: isl.ScheduleNode
    tree: TreeNode
    instances: isl.UnionSet

    def children(self) -> Iterator[Reached]:
        """The nodes below that the file speaks of."""
        for position, below in enumerate(self.tree.children):
            yield Reached(self.node.child(position), below, self._inside())

    def _inside(self) -> isl.UnionSet:
        """The instances that reach the children."""
        node, instances = self.node, self.instances
        match self.tree.kind:
            case "filter":
                return instances.intersect(node.filter_get_filter())
            case "expansion":
                return instances.apply(node.expansion_get_expansion())
            case "extension":
                return instances.union(self._added())
            case _:
                return instances

    def _added(self) -> isl.UnionSet:
        """What an extension adds at the times that reach it; anywhere, if those are not known."""
        extension = self.node.extension_get_extension()
        try:
            times = self.instances.apply(self.node.get_prefix_schedule_union_map())
        except isl.Error:  # below another extension
            return extension.range()
        return extension.intersect_domain(times).range()


def reached_nodes(schedule: isl.Schedule, tree: TreeNode) -> Iterator[Reached]:
    """The nodes of a tree, from the root down."""
    pending = [Reached(schedule.get_root(), tree, schedule.get_domain())]
    while pending:
        reached = pending.pop()
        yield reached
        pending += list(reached.children())[::-1]


def check_node(reached: Reached) -> None:
    """Does a node fit what reaches it?"""
    node, tree = reached.node, reached.tree
    match tree.kind:
        case "schedule":
            partial = node.band_get_partial_schedule()
            check_cover(reached.instances, partial.domain(), tree.span, "this band")
            _check_options(node, tree.options or tree.span)
        case "context":
            _check_depth(node.context_get_context().get_space(), node, tree.span)
        case "guard":
            _check_depth(node.guard_get_guard().get_space(), node, tree.span)
        case "extension":
            for each in maps_of(node.extension_get_extension()):
                _check_depth(each.get_space().domain(), node, tree.span)
        case "sequence" | "set":
            _check_disjoint(reached)
        case "expansion":
            _check_expansion(reached)
        case _:
            pass


def lost_instances(reached: Reached) -> Diagnostic | None:
    """A warning about instances that pass no filter of a sequence or set, and never run."""
    tree, lost = reached.tree, reached.instances
    if tree.kind not in ("sequence", "set"):
        return None
    for child in reached.children():
        lost = lost.subtract(child.node.filter_get_filter())
    if lost.is_empty():
        return None
    message = f"no filter of this {tree.kind} lets {shortened(str(lost))} pass"
    hint = "they never run; add them to a filter, or take them out of the domain"
    return Diagnostic("LW509", message, tree.span, hint, Severity.WARNING)


def _check_disjoint(reached: Reached) -> None:
    seen = isl.UnionSet("{ }")
    for child in reached.children():
        passing = reached.instances.intersect(child.node.filter_get_filter())
        twice = passing.intersect(seen)
        if not twice.is_empty():
            message = f"{shortened(str(twice))} pass an earlier filter too"
            raise _misfit(message, child.tree.span, "an instance may pass only one filter")
        seen = seen.union(passing)


def _check_depth(space: isl.Space, node: isl.ScheduleNode, span: Span) -> None:
    """Conditions are on parameters alone, or on the members of all bands around."""
    depth = node.get_schedule_depth()
    if not space.is_params() and (space.is_wrapping() or space.dim(SET) != depth):
        times = f"[{', '.join(f't{position}' for position in range(depth))}]"
        around = "member" if depth == 1 else "members"
        raise _misfit(
            f"this is about {_dimensions(space.dim(SET))}; the bands around it have {depth}",
            span,
            f"write it about {times}, the {around} of the bands around it",
        )


def _check_options(node: isl.ScheduleNode, span: Span) -> None:
    members, depth = node.band_n_member(), node.get_schedule_depth()
    for each in sets_of(node.band_get_ast_build_options()):
        space = each.get_space()
        name = _name(space)
        if name == "isolate":
            if not space.is_wrapping():
                raise _no_isolation(members, depth, span)
            pair = space.unwrap()
            if pair.dim(IN) != depth or pair.dim(OUT) != members:
                raise _no_isolation(members, depth, span)
        elif space.is_wrapping():  # [isolate[] -> unroll[x]]: for the isolated part alone
            pair = space.unwrap()
            if _name(pair.domain()) != "isolate" or _name(pair.range()) not in LOOP_TYPES:
                raise _no_option(_named(space), span)
        elif name not in LOOP_TYPES or each.dim(SET) != 1:
            raise _no_option(_named(space), span)


def _no_option(text: str, span: Span) -> InputError:
    return _misfit(
        f"a band has no option {text}",
        span,
        "the options are separate[x], atomic[x], unroll[x], isolate[[…] -> […]] "
        "and [isolate[] -> unroll[x]]",
    )


def _no_isolation(members: int, depth: int, span: Span) -> InputError:
    outer = ", ".join(f"t{position}" for position in range(depth))
    inner = ", ".join(f"m{position}" for position in range(members))
    return _misfit(
        "isolate does not fit this band",
        span,
        f"write it as isolate[[{outer}] -> [{inner}]]: bands around it, members",
    )


def _check_expansion(reached: Reached) -> None:
    """Each group must expand to what contracts to it."""
    node = reached.node
    expansion = node.expansion_get_expansion().intersect_domain(reached.instances)
    contraction = isl.UnionMap.from_union_pw_multi_aff(node.expansion_get_contraction())
    wrong = expansion.subtract(contraction.reverse())
    if not wrong.is_empty():
        message = f"the contraction does not undo {shortened(str(wrong))}"
        raise _misfit(message, reached.tree.span, "it maps each instance to its group")


# --- words ----------------------------------------------------------------------------------------


def _misfit(message: str, span: Span, hint: str = "") -> InputError:
    return InputError(Diagnostic("LW508", message, span, hint))


def _dimensions(count: int) -> str:
    return f"{count} dimension" if count == 1 else f"{count} dimensions"


def _name(space: isl.Space) -> str:
    return space.get_tuple_name(SET) if space.has_tuple_name(SET) else ""


def _named(space: isl.Space) -> str:
    """The tuple of a space, as isl writes it: ``S[i, j]``."""
    text = str(isl.Set.universe(space.drop_all_params()))
    return text.removeprefix("{").removesuffix("}").strip()
