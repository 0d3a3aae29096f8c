"""Smaller schedules from larger ones, to show a failure in a few lines.

A reduction may make no sense, and isl refuses it, or change what fails; whoever asks for reductions
tries them and keeps what still fails alike.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import islpy as isl
import yaml

from .random_trees import Case, Tree

PARAMETERS = re.compile(r"^\s*(\[[^\]]*\]\s*->\s*)(?=[\[{])")


def reduced(case: Case, fails_alike: Callable[[Case], bool], most: int = 400) -> Case:
    """The smallest case that can be reached by reductions that fail alike."""
    best = replace(case, decisions=())
    tries = 0
    is_improving = True
    while is_improving:
        is_improving = False
        for candidate in reductions(best):
            tries += 1
            if tries > most:
                return best
            if fails_alike(candidate):
                best, is_improving = candidate, True
                break
    return best


def reductions(case: Case) -> Iterator[Case]:
    """All cases that are one step simpler, those first from which most is gone."""
    if len(case.values) > 1:
        yield from (replace(case, values=(each,)) for each in case.values)
    if case.options:
        yield replace(case, options=())
        for position in range(len(case.options)):
            yield replace(case, options=case.options[:position] + case.options[position + 1 :])
    if case.is_map:
        texts = smaller_unions(case.text, isl.UnionMap)
    else:
        texts = map(json.dumps, _smaller_trees(yaml.safe_load(str(case.schedule()))))
    yield from (replace(case, text=text) for text in texts)
    universe = PARAMETERS.match(case.context)
    plain = f"{universe.group(1) if universe else ''}{{ : }}"
    if not isl.Set(plain).plain_is_equal(isl.Set(case.context)):
        yield replace(case, context=plain)
    for name, value in case.values[0] if case.values else ():
        known = isl.Set(f"[{name}] -> {{ : {name} = {value} }}").intersect(case.context_set())
        if not known.plain_is_equal(case.context_set().align_params(known.get_space())):
            yield replace(case, context=str(known))


def _smaller_trees(tree: Tree) -> Iterator[Tree]:
    child: Any = tree.get("child")
    if child is not None:
        yield {key: value for key, value in tree.items() if key != "child"}
        yield from ({**tree, "child": each} for each in _grandchildren(child))
    yield from _smaller_nodes(tree)
    if child is not None:
        yield from ({**tree, "child": each} for each in _smaller_trees(child))
    for kind in ("sequence", "set"):
        children: Any = tree.get(kind, [])
        for position, each in enumerate(children):
            before, after = children[:position], children[position + 1 :]
            if before or after:
                yield {**tree, kind: before + after}
            yield from ({**tree, kind: [*before, new, *after]} for new in _smaller_trees(each))


def _grandchildren(child: Any) -> Iterator[Any]:
    """What a node might have for a child instead."""
    if "child" in child:
        yield child["child"]
    for each in [*child.get("sequence", ()), *child.get("set", ())]:
        yield each
        if "child" in each:
            yield each["child"]


def _smaller_nodes(tree: Tree) -> Iterator[Tree]:
    """A node with less in it."""
    for key in ("permutable", "coincident", "options"):
        if key in tree:
            yield {name: value for name, value in tree.items() if name != key}
    if "schedule" in tree:
        yield from _smaller_bands(tree)
    kinds = {
        "domain": isl.UnionSet,
        "filter": isl.UnionSet,
        "options": isl.UnionSet,
        "guard": isl.Set,
    }
    for key, kind in kinds.items():
        if key in tree:
            yield from ({**tree, key: text} for text in smaller_unions(str(tree[key]), kind))


def _smaller_bands(tree: Tree) -> Iterator[Tree]:
    text = str(tree["schedule"])
    found = PARAMETERS.match(text)
    prefix = found.group(1) if found else ""
    members = re.findall(r"\{([^}]*)\}", text)
    if len(members) > 1:
        for position in range(len(members)):
            rest = members[:position] + members[position + 1 :]
            yield {"schedule": _schedule_text(prefix, rest)} | {
                key: value for key, value in tree.items() if key in {"child", "options"}
            }
    for position, member in enumerate(members):
        items = member.split(";")
        for number, item in enumerate(items):
            instance = item.partition("->")[0].strip()
            dims = re.findall(r"\[(.*)\]", instance)[0].split(", ")
            for simple in dict.fromkeys(("0", *dims)):
                new = f" {instance} -> [({simple})] "
                rest = [each for each in items if each.partition("->")[0].strip() != instance]
                changed = [*members[:position], ";".join([new, *rest]), *members[position + 1 :]]
                if simple and len(new) < len(item) and number >= 0:
                    yield {**tree, "schedule": _schedule_text(prefix, changed)}


def _schedule_text(prefix: str, members: list[str]) -> str:
    return f"{prefix}[{', '.join(f'{{{member}}}' for member in members)}]"


def smaller_unions(text: str, kind: type) -> Iterator[str]:
    """A union with fewer pieces, or a piece with fewer constraints."""
    found = PARAMETERS.match(text)
    prefix = found.group(1) if found else ""
    items = text[len(prefix) :].strip().removeprefix("{").removesuffix("}").split(";")
    for position, item in enumerate(items):
        before, after = items[:position], items[position + 1 :]
        if before or after:
            yield f"{prefix}{{{';'.join(before + after)}}}"
        try:
            smaller = list(_smaller_pieces(f"{prefix}{{{item}}}", kind))
        except isl.Error:
            continue
        for new in smaller:
            inside = new[new.index("{") + 1 : new.rindex("}")]
            if len(inside.strip()) < len(item.strip()):
                yield f"{prefix}{{{';'.join([*before, inside, *after])}}}"


def _smaller_pieces(text: str, kind: type) -> Iterator[str]:
    is_map = kind is isl.UnionMap
    basic_kind: Any = isl.BasicMap if is_map else isl.BasicSet
    basics: list[Any] = isl.Map(text).get_basic_maps() if is_map else isl.Set(text).get_basic_sets()
    for basic in basics:
        if len(basics) > 1:
            yield str(basic)
            continue
        constraints = basic.get_constraints()
        for position in range(len(constraints)):
            new = basic_kind.universe(basic.get_space())
            for each in constraints[:position] + constraints[position + 1 :]:
                if each.get_local_space().dim(isl.dim_type.div):
                    return
                new = new.add_constraint(each)
            yield str(new)
