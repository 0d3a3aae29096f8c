"""The laws of a generator on one random case."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace

import islpy as isl

from loopwright.basics.diagnostics import InputError
from loopwright.codegen.generation import generate
from loopwright.codegen.options import AstOptions, Strategy
from loopwright.model.loop_ast import LoopAst

from .conversion import loop_ast_from_isl
from .oracle import Violation, check, expected
from .random_trees import Case

Generator = Callable[[Case], LoopAst]

MOST_OPERATIONS = AstOptions().max_operations
"""For isl's generator, which would go on for hours otherwise."""


TOO_COMPLEX = "too complex, for isl as well"


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a generator did on a case."""

    kind: str
    """``kept``, ``rejected``, or what went wrong, in a few words."""
    detail: str = ""

    @property
    def is_fine(self) -> bool:
        """Did it do what it must?"""
        return self.kind in {"kept", "rejected", TOO_COMPLEX}


def verdict(case: Case, generator: Generator) -> Verdict:
    """Law 1 for a generator: it says no to the impossible, and else its loops are right."""
    schedule = case.schedule()
    wanted = [(each, expected(schedule, each, is_definite=True)) for each in case.parameters()]
    try:
        ast = generator(case)
    except InputError as error:
        return Verdict(_refusal(case, error), str(error))
    except isl.Error as error:
        return Verdict(_place_of(error), f"{error}")
    except Exception as error:  # a crash is a verdict, too
        return Verdict(_place_of(error), "".join(traceback.format_exception(error)[-4:]))
    for parameters, due in wanted:
        try:
            check(schedule, parameters, ast, wanted=due, about=f"{case.context}\n{case.options}")
        except Violation as violation:
            return Verdict(_summary(violation), str(violation))
    return Verdict("kept")


def _refusal(case: Case, error: InputError) -> str:
    """Unrolling can be impossible; a limit is an excuse only if isl's generator has it too."""
    codes = {each.code for each in error.diagnostics}
    if codes == {"LW502"}:
        return "rejected"
    if codes == {"LW503"}:
        try:
            generated_by_isl(case)
        except isl.Error:
            return TOO_COMPLEX
    return "rejected without a reason"


def _place_of(error: Exception) -> str:
    """The line of ours that was the last to run."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "loopwright" in frame.filename] or list(frames)
    where = f"{ours[-1].filename.rpartition('/')[2]}:{ours[-1].lineno}"
    return f"crash: {type(error).__name__} at {where}"


def _summary(violation: Violation) -> str:
    text = str(violation)
    line = text.partition("\n")[0]
    if line.startswith("while running"):
        words = [word for word in line.split() if not any(char.isdigit() for char in word)]
        return " ".join(words[:9])
    if line.startswith("missing: none"):
        return "extra instances"
    return "missing instances" if line.startswith("missing") else line.partition(":")[0]


LOOP_TYPES = frozenset({"loop_type", "loop_types", "isolated_loop_types", "isolate"})
"""Options that multiple mappings have no use for."""


def mapped(case: Case, depth: int | None = None) -> LoopAst:
    """The loops of multiple mappings, with overhead inside so many loops at most."""
    given = {name: value for name, value in case.options if name not in LOOP_TYPES}
    options = replace(case, options=tuple(given.items())).ast_options()
    options = replace(options, strategy=Strategy.MAPPINGS, overhead_depth=depth)
    return generate(case.schedule(), context=case.context_set(), options=options)


def lifted(case: Case, depth: int) -> LoopAst:
    """The loops of the AST generator, with overhead inside so many loops at most."""
    options = replace(case.ast_options(), overhead_depth=depth)
    return generate(case.schedule(), context=case.context_set(), options=options)


def generated_by_isl(case: Case) -> LoopAst:
    """The loops of isl's generator; an error of isl if it cannot."""
    schedule = case.schedule()
    context = isl.DEFAULT_CONTEXT
    build = isl.AstBuild.from_context(case.context_set())
    context.reset_operations()
    context.set_max_operations(MOST_OPERATIONS)
    try:
        if isinstance(schedule, isl.UnionMap):
            node = build.node_from_schedule_map(schedule)
        else:
            node = build.node_from_schedule(schedule)
    finally:
        context.set_max_operations(0)
        context.reset_operations()
    return loop_ast_from_isl(node)
