"""From a schedule in a file to the text of its loops: what ``loopwright scan`` does."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError, Severity
from loopwright.basics.records import record
from loopwright.basics.recursion import deep_recursion
from loopwright.basics.spans import Span, whole_file
from loopwright.codegen.generation import generate
from loopwright.codegen.options import AstOptions, LoopType, Strategy
from loopwright.codegen.overhead import overhead_depth
from loopwright.frontend.isl_notation import Notion, Written, read_isl
from loopwright.frontend.schedule_reader import ScheduleText, read_schedule
from loopwright.isl_engine import isl_loops
from loopwright.model.loop_ast import LoopAst
from loopwright.model.loop_documents import FORMAT, loops_document


@record(eq=False)
class Request:
    """How the loops of a schedule are wanted, apart from the options of the generator."""

    context: isl.Set | None = None
    isolate: str | None = None
    """A part of the times of a schedule map, in isl's notation."""
    as_json: bool = False
    iterator_type: str = "int"
    definitions: bool = False
    """Put the macros that the loops use in front of them."""
    engine: str = "loopwright"
    """Or ``isl``, whose own generator is there to compare with."""


@record
class Version:
    """The loops of a schedule, generated in one of several ways."""

    name: str
    ast: LoopAst


@record
class Loops:
    """The text that was asked for, and what there is to say about the schedule."""

    text: str
    notes: tuple[Diagnostic, ...]


def scan_source(name: str, content: bytes, request: Request, options: AstOptions) -> Loops:
    r"""The loops of the schedule in a file; ``name`` is what messages call it.

    >>> loops = scan_source("s", b"{ S[i] -> [-i] : 0 <= i < 9 }", Request(), AstOptions())
    >>> print(loops.text, end="")
    for (int c0 = -8; c0 <= 0; c0 += 1)
      S(-c0);
    """
    source = read_schedule(name, content)
    known = _known(source.context, request.context)
    chosen = replace(options, isolate=_isolated(source, request.isolate))
    with _answering(name, source):
        text, notes = _generated(source, known, request, chosen)
    return Loops(text, (*source.notes, *notes))


def sweep_source(
    name: str, content: bytes, request: Request, options: AstOptions
) -> tuple[tuple[Version, ...], tuple[Diagnostic, ...]]:
    """The loops of a schedule with more and more of their overhead lifted, and what to say of it.

    Behind them are the loops of the other generator, or of its other loop types.
    """
    source = read_schedule(name, content)
    known = _known(source.context, request.context)
    chosen = replace(options, isolate=_isolated(source, request.isolate), overhead_depth=None)
    with _answering(name, source):
        plain = generate(source.schedule, context=known, options=chosen)
        depths = reversed(range(overhead_depth(plain) or 0))
        ways = {f"k = {depth}": replace(chosen, overhead_depth=depth) for depth in depths}
        ways |= _other_ways(chosen, has_types=bool(_band_options(source)))
        others = [
            Version(way, generate(source.schedule, context=known, options=each))
            for way, each in ways.items()
        ]
    versions = Version(options.strategy.value, plain), *others
    return versions, (*source.notes, *_types_ignored(source, chosen))


def _other_ways(options: AstOptions, *, has_types: bool) -> dict[str, AstOptions]:
    """The other generator, and the other loop types, unless the schedule has its own."""
    plain = replace(
        options, loop_type=LoopType.DEFAULT, loop_types=(), isolated_loop_types=(), isolate=None
    )
    ways: dict[str, AstOptions] = {}
    if not options.is_mapped:
        ways["mappings"] = replace(plain, strategy=Strategy.MAPPINGS)
    if has_types:
        return ways | ({"ast": replace(plain, strategy=Strategy.AST)} if options.is_mapped else {})
    for kind in (LoopType.DEFAULT, LoopType.ATOMIC, LoopType.SEPARATE):
        if options.is_mapped or options.has_loop_types() or kind is not LoopType.DEFAULT:
            ways[f"ast, {kind.value}"] = replace(plain, strategy=Strategy.AST, loop_type=kind)
    return ways


def _types_ignored(source: ScheduleText, options: AstOptions) -> Iterator[Diagnostic]:
    """The options of the bands of a tree are for the AST generator only."""
    given = _band_options(source) if options.is_mapped else []
    if given:
        message = f"the options {given[0]} of a band are for the AST generator: they change nothing"
        hint = "leave out --strategy mappings, or the options"
        yield Diagnostic("LW511", message, source.span, hint, Severity.WARNING)


def _band_options(source: ScheduleText) -> list[str]:
    """What the bands of a tree say about their loops."""
    given: list[str] = []

    def look(node: isl.ScheduleNode) -> bool:
        if node.get_type() == isl.schedule_node_type.band:
            options = node.band_get_ast_build_options()
            given.extend([] if options.is_empty() else [str(options)])
        return True

    if isinstance(source.schedule, isl.Schedule):
        source.schedule.get_root().foreach_descendant_top_down(look)
    return given


@contextmanager
def _answering(name: str, source: ScheduleText) -> Generator[None]:
    """What goes wrong while loops are generated is said about the file."""
    with deep_recursion():
        try:
            yield
        except InputError as error:
            placed = (source.placed(each) for each in error.diagnostics)
            raise InputError(*placed) from None
        except ValueError as error:
            raise InputError(Diagnostic("LW508", str(error), whole_file(name))) from None
        except RecursionError:
            message = "the loops are nested too deeply"
            raise InputError(Diagnostic("LW105", message, whole_file(name))) from None


def _known(of_file: isl.Set | None, of_user: isl.Set | None) -> isl.Set | None:
    if of_file is None or of_user is None:
        return of_user if of_file is None else of_file
    return of_file.intersect(of_user)


def _generated(
    source: ScheduleText, known: isl.Set | None, request: Request, options: AstOptions
) -> tuple[str, tuple[Diagnostic, ...]]:
    schedule, notes = source.schedule, tuple(_types_ignored(source, options))
    document: dict[str, object]
    if request.engine == "isl":
        text = isl_loops(
            schedule,
            context=known,
            options=options,
            iterator_type=request.iterator_type,
            definitions=request.definitions,
        )
        document = {"format": FORMAT, "engine": "isl"}
    else:
        ast = generate(schedule, context=known, options=options)
        text = _text(ast, request)
        document = loops_document(ast)
        notes = (*notes, *_overhead_left(ast, options, source))
    if request.as_json:
        text = json.dumps(document | {"text": text}, indent=2, ensure_ascii=False) + "\n"
    return text, notes


def _overhead_left(ast: LoopAst, options: AstOptions, source: ScheduleText) -> Iterator[Diagnostic]:
    """What was asked for may be too much."""
    wanted, deepest = options.overhead_depth, overhead_depth(ast)
    if wanted is not None and deepest is not None and deepest > wanted:
        loops = "1 loop" if deepest == 1 else f"{deepest} loops"
        message = f"control overhead is left inside {loops}; --k {wanted} was asked for"
        hint = "what is left takes too many copies (--max-growth, --max-nodes), too long "
        hint += "(--max-operations), or cannot be lifted"
        yield Diagnostic("LW512", message, source.span, hint, Severity.WARNING)


def _text(ast: LoopAst, request: Request) -> str:
    return ast.to_c(iterator_type=request.iterator_type, definitions=request.definitions)


PART = Notion(isl.Set, "a set of times", "[n] -> { [t, i] : 0 <= t < n }")


def _isolated(source: ScheduleText, text: str | None) -> isl.Set | None:
    if text is None:
        return None
    place = Span("--isolate", 0, len(text), 1, 1, 1, len(text.encode()) + 1)
    part = read_isl(Written(text, place), PART)
    if isinstance(source.schedule, isl.Schedule):
        message = "a schedule tree says itself what to isolate"
        hint = 'give the band the options "{ isolate[[] -> [t]] : … }"'
        raise InputError(Diagnostic("LW508", message, place, hint))
    times = source.schedule.range().get_set_list()
    if len(times) and part.dim(isl.dim_type.set) != times.get_at(0).dim(isl.dim_type.set):
        message = "the isolated part has another number of dimensions than the times"
        raise InputError(Diagnostic("LW508", message, place))
    return part
