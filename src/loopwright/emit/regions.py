"""The text that takes the place of a region, and nothing else of the user's file.

The model holds for parameter values in its context, so the generated loops stand behind a test of
it, with the original statements as the alternative; there is no test of what the types of the
parameters or the user guarantee.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from functools import reduce

import islpy as isl

from loopwright.basics.records import record
from loopwright.codegen.build import Build
from loopwright.codegen.expressions import condition, expression
from loopwright.codegen.options import AstOptions
from loopwright.emit.arithmetic import INT, LONG, Arithmetic, DoesNotFit, Variable
from loopwright.emit.bodies import declared
from loopwright.emit.locals import Local, RegionNames, identifiers_in, types_in
from loopwright.emit.loops import COUNTING, LoopPrinter
from loopwright.emit.placement import Buffer
from loopwright.emit.pragmas import words_of_pragmas
from loopwright.emit.ranges import Range
from loopwright.emit.refusal import CannotEmit
from loopwright.emit.statements import StatementPrinter, plain_type
from loopwright.model.bodies import InitializerList, Literal, walk_body
from loopwright.model.expressions import Constant, Expr, expression_text
from loopwright.model.loop_ast import Block, LoopAst
from loopwright.model.scop import Parameter, Scop, evaluation_of, type_ranges
from loopwright.polyhedra.extremes import greatest_value, least_value

FAR = Range(-(2**48), 2**48)
"""Where 64-bit parameters are large enough for anybody, and sums and products of them fit."""

HELPERS = {
    "minimum": "#define {}(x, y) ((x) < (y) ? (x) : (y))",
    "maximum": "#define {}(x, y) ((x) > (y) ? (x) : (y))",
    "floor": "#define {}(n, d) ((n) < 0 ? -((-(n) + (d) - 1) / (d)) : (n) / (d))",
}


@record
class RegionText:
    """The new text of a region: its lines without indentation, and what was decided."""

    definitions: tuple[str, ...]
    lines: tuple[str, ...]
    undefinitions: tuple[str, ...]
    test: str
    """The condition under which the generated loops run; empty if they always do."""
    iterator_type: str
    declares: bool
    """Do declarations stand in front of the loops?"""


@record(eq=False)
class _Limits:
    """How wide the iterators are, and between what bounds the parameters have to lie."""

    has_long_iterators: bool
    bounds: Range


_ATTEMPTS = (_Limits(False, LONG), _Limits(True, LONG), _Limits(True, FAR))


def region_text(
    scop: Scop,
    ast: LoopAst,
    names: RegionNames,
    *,
    guaranteed: isl.Set,
    pointers: Sequence[str] = (),
    unit: str = "  ",
    is_c89: bool = False,
    buffers: Sequence[Buffer] = (),
    variables: Sequence[str] = (),
    macros: Set[str] = frozenset(),
) -> RegionText:
    """The generated loops of a region, and the test that they need.

    ``guaranteed`` holds whatever happens; the ``pointers`` must not be null.  Those of the
    ``variables`` that the loops do not name are mentioned, since nothing else uses them, and
    compilers warn of that.  Where the ``macros`` of the program would change what a pragma says,
    there are none in the text.

    The iterators are ``int`` if no generated expression can leave that type, else ``long``, and so
    they are where rows of flat arrays are counted in ``long``: compilers convert neither then;
    parameters of 64 bits are tested to be small enough where an expression of them might overflow
    even that.
    """
    is_flat = any(each.is_flat for each in scop.arrays)
    for limits in _ATTEMPTS[1:] if is_flat else _ATTEMPTS:
        try:
            text = _attempt(scop, ast, names, guaranteed, limits, unit, is_c89, buffers)
        except DoesNotFit:
            continue
        tests = [*pointers, *([text.test] if text.test else [])]
        if pointers and "||" in text.test:
            tests[-1] = f"({text.test})"
        # Behind a test there is the original, which uses them all.
        unused = [] if tests else [each for each in variables if not _is_read(each, text.lines)]
        mentions = [f"(void)sizeof {each};" for each in unused]
        lines = _without_macros(text.lines, sorted(macros & words_of_pragmas(text.lines)))
        return replace(text, lines=(*lines, *mentions), test=" && ".join(tests))
    raise CannotEmit("an expression in the loops may exceed 64 bits", scop.span)


def _without_macros(lines: Sequence[str], macros: Sequence[str]) -> list[str]:
    """The same lines where these macros have no meaning; it comes back behind them."""
    kept = [f'#pragma push_macro("{each}")' for each in macros]
    undefined = [f"#undef {each}" for each in macros]
    restored = [f'#pragma pop_macro("{each}")' for each in macros]
    return [*kept, *undefined, *lines, *restored]


def _is_read(variable: str, lines: Sequence[str]) -> bool:
    """Is a variable named, other than to be set?"""
    use = re.compile(rf"\b{re.escape(variable)}\b(?! = )")
    return any(use.search(each) for each in lines)


def _attempt(
    scop: Scop,
    ast: LoopAst,
    names: RegionNames,
    guaranteed: isl.Set,
    limits: _Limits,
    unit: str,
    is_c89: bool,
    buffers: Sequence[Buffer],
) -> RegionText:
    outside = Arithmetic(_variables(scop.parameters, guaranteed, limits), names.helpers)
    inside = Arithmetic(_variables(scop.parameters, scop.context, limits), names.helpers)
    sizes = {each.name: _sizes(each, scop, inside) for each in names.locals}
    rows = {
        each.name: tuple(parameter_expression(size, scop.context) for size in each.rows)
        for each in scop.arrays
    }
    statements = StatementPrinter(scop, names, sizes, rows, unit)
    of_marks = {each.packed.name: _declaration(each, scop) for each in buffers}
    printer = LoopPrinter(statements, limits.has_long_iterators, unit, is_c89, of_marks)
    is_scope = isinstance(ast.root, Block) and ast.root.is_scope
    lines = (printer.lines if is_scope else printer.inner_lines)(ast.root, inside)
    mentioned = identifiers_in("\n".join(lines))
    declarations = [
        f"{declared(each.type, each.name + sizes[each.name])};"
        for each in names.locals
        if each.name in mentioned
    ]
    iterators = sorted(set(COUNTING.findall("\n".join(lines)))) if is_c89 else []
    if iterators:
        declarations.append(f"{printer.iterator_type} {', '.join(iterators)};")
    test = _test(scop, guaranteed, _declaring(scop, names), limits, outside)
    defined, undefined = _helpers(names, identifiers_in("\n".join([test, *lines])))
    return RegionText(
        defined, (*declarations, *lines), undefined, test, printer.iterator_type, bool(declarations)
    )


def _declaration(buffer: Buffer, scop: Scop) -> str:
    sizes = "".join(f"[{each}]" for each in buffer.packed.shape)
    return f"{plain_type(scop.array(buffer.packed.array))} {buffer.name}{sizes};"


# --- parameters ---------------------------------------------------------------------------------


def _variables(
    parameters: Sequence[Parameter], known: isl.Set, limits: _Limits
) -> Mapping[str, Variable]:
    return {
        each.name: Variable(
            each.text,
            is_long=not INT.contains(Range(each.least, each.greatest)),
            values=_values(each, known).within(limits.bounds),
            is_unsigned=each.least == 0 and each.greatest > INT.high,
        )
        for each in parameters
    }


def _values(parameter: Parameter, known: isl.Set) -> Range:
    """The values that a parameter may have."""
    everything = Range(parameter.least, parameter.greatest)
    position = known.find_dim_by_name(isl.dim_type.param, parameter.name)
    if position < 0:
        return everything
    others = known.dim(isl.dim_type.param)
    values = isl.Set.from_params(known).move_dims(
        isl.dim_type.set, 0, isl.dim_type.param, position, 1
    )
    values = values.project_out(isl.dim_type.param, 0, others - 1)
    low, high = least_value(values, 0), greatest_value(values, 0)
    return Range(
        low.to_python() if low.is_int() else everything.low,
        high.to_python() if high.is_int() else everything.high,
    ).within(everything)


def representable(parameters: Iterable[Parameter]) -> isl.Set:
    """What the loops may rely on besides the context: the values of unsigned and narrow types.

    That a signed parameter fits its type is no help, and leads to expressions such as
    ``(n + 2147483648) / 2``.
    """
    return type_ranges(
        replace(each, least=max(LONG.low, each.least), greatest=min(LONG.high, each.greatest))
        for each in parameters
        if each.least == 0 or each.greatest < INT.high
    )


def not_negative(parameters: Iterable[Parameter]) -> isl.Set:
    """The part of it without the limits of wide types, of which expressions may be too wide."""
    wide = [each for each in parameters if each.least == 0 and each.greatest > INT.high]
    known = representable(each for each in parameters if each not in wide)
    for each in wide:
        known = known & isl.Set(f"[{each.name}] -> {{ : {each.name} >= 0 }}")
    return known


# --- the test -----------------------------------------------------------------------------------


def _outermost(known: isl.Set) -> Build:
    """The place in front of all loops."""
    return Build((), isl.Set.from_params(known), _no_loops(known), AstOptions())


def _no_loops(known: isl.Set) -> isl.MultiAff:
    space = isl.Set.from_params(known).get_space()
    return isl.MultiAff.zero(space.map_from_set())


def _declaring(scop: Scop, names: RegionNames) -> isl.Set:
    """The parameter values for which the arrays of variable size are declared in the source.

    The new text declares them in front of all loops; otherwise their size may be anything.
    """
    result = isl.Set("{ : }")
    for local in names.locals:
        if any(each is not None and not each.is_cst() for each in local.extents):
            kills = [
                each.domain.params()
                for each in scop.statements
                if each.is_kill and any(one.array in local.arrays for one in each.accesses)
            ]
            if kills:
                result = result & reduce(isl.Set.union, kills).coalesce()
    return result


def _test(
    scop: Scop,
    guaranteed: isl.Set,
    declaring: isl.Set,
    limits: _Limits,
    arithmetic: Arithmetic,
) -> str:
    """The condition on the parameters under which the model holds; empty if it always does.

    What cannot always be evaluated stands behind the condition under which the region does.
    """
    asking = {evaluation_of(each.text): each for each in scop.parameters}
    evaluated = [each for each in scop.assumptions if each.reason in asking]
    late = [asking[each.reason] for each in evaluated]
    tests = _limited([each for each in scop.parameters if each not in late], guaranteed, limits)
    for each in evaluated:
        tests += _conditions(each.condition, guaranteed, arithmetic)
        guaranteed = guaranteed & each.condition
    tests += _limited(late, guaranteed, limits)
    tests += _conditions(scop.context & declaring, guaranteed, arithmetic)
    if len(tests) == 1:
        return tests[0]
    return " && ".join(f"({each})" if "||" in each else each for each in tests)


def _limited(parameters: Sequence[Parameter], guaranteed: isl.Set, limits: _Limits) -> list[str]:
    """That parameters are within the bounds, unless that is guaranteed."""
    return [
        f"{each.text} {operator} {bound}"
        for each in parameters
        for values in [_values(each, guaranteed)]
        for operator, bound, is_needed in (
            (">=", limits.bounds.low, values.low < limits.bounds.low),
            ("<=", limits.bounds.high, values.high > limits.bounds.high),
        )
        if is_needed
    ]


def _conditions(needed: isl.Set, guaranteed: isl.Set, arithmetic: Arithmetic) -> list[str]:
    """A condition, unless it is guaranteed."""
    if guaranteed.is_subset(needed):
        return []
    holds = condition(isl.Set.from_params(needed), _outermost(guaranteed))
    typed = arithmetic.typed(holds)
    return [expression_text(typed.expression)] if typed.expression != Constant(1) else []


# --- variables and helpers ----------------------------------------------------------------------


def _sizes(local: Local, scop: Scop, arithmetic: Arithmetic) -> str:
    texts: list[str] = []
    for extent in local.extents:
        if extent is None:
            raise CannotEmit(f"the size of {local.old} is not known", scop.span)
        value = parameter_expression(extent, scop.context)
        texts.append(f"[{expression_text(arithmetic.typed(value).expression)}]")
    return "".join(texts)


def parameter_expression(value: isl.PwAff, context: isl.Set) -> Expr:
    """A function of the parameters, as it is written in front of all loops."""
    return expression(value, _outermost(context))


def _helpers(names: RegionNames, mentioned: set[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    called = {kind: getattr(names.helpers, kind) for kind in HELPERS}
    used = [kind for kind, name in called.items() if name in mentioned]
    return (
        tuple(HELPERS[kind].format(called[kind]) for kind in used),
        tuple(f"#undef {called[kind]}" for kind in used),
    )


# --- what cannot be written anew ----------------------------------------------------------------

_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*((?!pragma\b)\w+|pragma[ \t]+(?:push|pop)_macro)", re.MULTILINE
)
_TYPE = re.compile(
    r"\b(?:typedef\b(?:[^;{]*\{[^}]*\})?([^;]*);|(?:struct|union|enum)\b([^;{}()=]*)\{)"
)
_ALIGNED = re.compile(r"\b(_Alignas|alignas|__attribute__|__attribute)\b")
_LABEL = re.compile(r"\b([A-Za-z_]\w*)\s*:")
_COMPUTED = re.compile(r"\bgoto\s*\*")
_DESIGNATOR = re.compile(r"[{,]\s*\.\s*[A-Za-z_]\w*\s*[=.\[]")


def require_printable(scop: Scop, text: str, whole: str = "") -> None:
    """Raise :class:`CannotEmit` where the model lacks what the new text would need.

    ``text`` is the source of the region, ``whole`` that of the file, both without comments.
    """
    if scop.undefined is not None:
        what = scop.undefined.message.partition(":")[0]
        raise CannotEmit(f"it is not defined: {what}", scop.undefined.span)
    _require_seclusion(scop, text, whole)
    for array in scop.arrays:
        is_inside = array.span.begins_in(scop.span)
        is_variable = array.element_type != "void"  # the outside world is none
        if is_inside and is_variable and not array.is_local:
            raise CannotEmit(f"{array.variable} keeps its value between calls", array.span)
    for statement in scop.statements:
        for each in walk_body(statement.body):
            if each == Literal(""):
                raise CannotEmit("a constant comes from a macro", statement.span)
            if isinstance(each, InitializerList) and _DESIGNATOR.search(text):
                raise CannotEmit("it initialises members by name", statement.span)
    _require_plain_locals(scop, text)


def _require_seclusion(scop: Scop, text: str, whole: str) -> None:
    """Nothing of the region's own may be used outside of it, nor decided there."""
    if scop.outliving:
        names = ", ".join(scop.outliving)
        raise CannotEmit(f"the code after it uses {names}, which it declares", scop.span)
    directive = _DIRECTIVE.search(text)
    if directive is not None:
        raise CannotEmit(f"it contains the directive #{directive.group(1)}", scop.span)
    for label in _LABEL.findall(text):
        # A jump to an address has the address taken somewhere.
        jump = rf"(\bgoto\s+|&&\s*){label}\b" if _COMPUTED.search(whole) else rf"\bgoto\s+{label}\b"
        if re.search(jump, whole):
            raise CannotEmit(f"the code around it jumps to {label}", scop.span)


def _require_plain_locals(scop: Scop, text: str) -> None:
    """The new declarations have the names of the types, and nothing else."""
    types = types_in(scop)
    own = {name for found in _TYPE.findall(text) for name in identifiers_in(" ".join(found))}
    if any(" at " in each for each in types) or own & identifiers_in("\n".join(types)):
        raise CannotEmit("it declares a type", scop.span)
    if _ALIGNED.search(text):
        raise CannotEmit("it declares something with attributes", scop.span)
