"""loopwright: a loop compiler that gives back a faster program and the proof that it is the same.

Everything public is importable from here; heavy parts are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loopwright.basics.diagnostics import Diagnostic, InputError
    from loopwright.basics.spans import Span
    from loopwright.checking import check
    from loopwright.codegen.build import Build
    from loopwright.codegen.expressions import access, expression
    from loopwright.codegen.generation import generate
    from loopwright.codegen.options import AstOptions, LoopType, Strategy
    from loopwright.codegen.overhead import overhead_depth
    from loopwright.dependence.analysis import dependences
    from loopwright.dependence.dead_code import without_dead_code
    from loopwright.dependence.graph import components, dependence_graph
    from loopwright.dependence.legality import Violation, respects, violations
    from loopwright.dependence.loops import carried_by, forbidding, is_parallel, loop_bands
    from loopwright.dependence.witnesses import Witness
    from loopwright.fates import Lost, NoProof
    from loopwright.frontend.reading import read_c
    from loopwright.model.dependences import Dependence, Dependences, Reduction
    from loopwright.model.documents import dump_model, load_model
    from loopwright.model.expressions import expression_text
    from loopwright.model.loop_ast import LoopAst
    from loopwright.model.proofs import Counterexample, Proof, Unknown
    from loopwright.model.schedules import Schedule
    from loopwright.model.scop import Access, Array, Parameter, Scop, Statement
    from loopwright.optimization import Result, optimize
    from loopwright.scheduling.api import schedule
    from loopwright.scheduling.constraints import ScheduleConstraints, constraints_of
    from loopwright.scheduling.options import SchedulerOptions
    from loopwright.scripted import Scripted, original_order
    from loopwright.scripting import IllegalScript, run_script
    from loopwright.targets.machine import Machine
    from loopwright.tuned.api import TuneResult, tune

__version__ = "0.1.0"

_HOMES = {
    "Diagnostic": "loopwright.basics.diagnostics",
    "InputError": "loopwright.basics.diagnostics",
    "Span": "loopwright.basics.spans",
    "check": "loopwright.checking",
    "AstOptions": "loopwright.codegen.options",
    "Build": "loopwright.codegen.build",
    "LoopAst": "loopwright.model.loop_ast",
    "LoopType": "loopwright.codegen.options",
    "Strategy": "loopwright.codegen.options",
    "overhead_depth": "loopwright.codegen.overhead",
    "access": "loopwright.codegen.expressions",
    "expression": "loopwright.codegen.expressions",
    "expression_text": "loopwright.model.expressions",
    "Dependence": "loopwright.model.dependences",
    "Dependences": "loopwright.model.dependences",
    "dependences": "loopwright.dependence.analysis",
    "carried_by": "loopwright.dependence.loops",
    "forbidding": "loopwright.dependence.loops",
    "is_parallel": "loopwright.dependence.loops",
    "loop_bands": "loopwright.dependence.loops",
    "respects": "loopwright.dependence.legality",
    "violations": "loopwright.dependence.legality",
    "Violation": "loopwright.dependence.legality",
    "Reduction": "loopwright.model.dependences",
    "Witness": "loopwright.dependence.witnesses",
    "components": "loopwright.dependence.graph",
    "dependence_graph": "loopwright.dependence.graph",
    "without_dead_code": "loopwright.dependence.dead_code",
    "generate": "loopwright.codegen.generation",
    "read_c": "loopwright.frontend.reading",
    "Access": "loopwright.model.scop",
    "Array": "loopwright.model.scop",
    "Parameter": "loopwright.model.scop",
    "Scop": "loopwright.model.scop",
    "Statement": "loopwright.model.scop",
    "Schedule": "loopwright.model.schedules",
    "ScheduleConstraints": "loopwright.scheduling.constraints",
    "SchedulerOptions": "loopwright.scheduling.options",
    "constraints_of": "loopwright.scheduling.constraints",
    "schedule": "loopwright.scheduling.api",
    "IllegalScript": "loopwright.scripting",
    "run_script": "loopwright.scripting",
    "Scripted": "loopwright.scripted",
    "original_order": "loopwright.scripted",
    "Machine": "loopwright.targets.machine",
    "Lost": "loopwright.fates",
    "NoProof": "loopwright.fates",
    "Counterexample": "loopwright.model.proofs",
    "Proof": "loopwright.model.proofs",
    "Unknown": "loopwright.model.proofs",
    "Result": "loopwright.optimization",
    "optimize": "loopwright.optimization",
    "dump_model": "loopwright.model.documents",
    "load_model": "loopwright.model.documents",
    "TuneResult": "loopwright.tuned.api",
    "tune": "loopwright.tuned.api",
}

__all__ = [
    "Access",
    "Array",
    "AstOptions",
    "Build",
    "Counterexample",
    "Dependence",
    "Dependences",
    "Diagnostic",
    "IllegalScript",
    "InputError",
    "LoopAst",
    "LoopType",
    "Lost",
    "Machine",
    "NoProof",
    "Parameter",
    "Proof",
    "Reduction",
    "Result",
    "Schedule",
    "ScheduleConstraints",
    "SchedulerOptions",
    "Scop",
    "Scripted",
    "Span",
    "Statement",
    "Strategy",
    "TuneResult",
    "Unknown",
    "Violation",
    "Witness",
    "access",
    "carried_by",
    "check",
    "components",
    "constraints_of",
    "dependence_graph",
    "dependences",
    "dump_model",
    "expression",
    "expression_text",
    "forbidding",
    "generate",
    "is_parallel",
    "load_model",
    "loop_bands",
    "optimize",
    "original_order",
    "overhead_depth",
    "read_c",
    "respects",
    "run_script",
    "schedule",
    "tune",
    "violations",
    "without_dead_code",
]


def __getattr__(name: str) -> object:
    """Load a public name from where it lives."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'loopwright' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names."""
    return [*__all__, "__version__"]
