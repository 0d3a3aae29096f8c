"""From a schedule in a file to the text of its loops: what ``loopwright scan`` does."""

from __future__ import annotations

import json
from dataclasses import replace

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.recursion import deep_recursion
from loopwright.basics.spans import Span, whole_file
from loopwright.codegen.generation import generate
from loopwright.codegen.options import AstOptions
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
    with deep_recursion():
        try:
            text = _generated(source.schedule, known, request, chosen)
        except InputError as error:
            placed = (source.placed(each) for each in error.diagnostics)
            raise InputError(*placed) from None
        except ValueError as error:
            raise InputError(Diagnostic("LW508", str(error), whole_file(name))) from None
        except RecursionError:
            message = "the loops are nested too deeply"
            raise InputError(Diagnostic("LW105", message, whole_file(name))) from None
    return Loops(text, source.notes)


def _known(of_file: isl.Set | None, of_user: isl.Set | None) -> isl.Set | None:
    if of_file is None or of_user is None:
        return of_user if of_file is None else of_file
    return of_file.intersect(of_user)


def _generated(
    schedule: isl.Schedule | isl.UnionMap,
    known: isl.Set | None,
    request: Request,
    options: AstOptions,
) -> str:
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
    if request.as_json:
        return json.dumps(document | {"text": text}, indent=2, ensure_ascii=False) + "\n"
    return text


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
