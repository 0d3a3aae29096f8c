"""In which cases the generated loops run, and that both models hold in all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import islpy as isl

from loopwright.basics.c_tokens import Token, texts
from loopwright.basics.records import record
from loopwright.frontend.reading import Question
from loopwright.frontend.risks import Risk
from loopwright.model.scop import Array, Assumption, Scop, type_ranges
from loopwright.polyhedra.values import constant, isl_value
from loopwright.verify.failure import NotProved, parameters_text
from loopwright.verify.matching import Copy, Correspondence
from loopwright.verify.new_program import Defined, NewProgram

_OF_ARRAYS = re.compile(
    r"(?P<before>the arrays |unknown functions touch nothing behind )"
    r"(?P<names>.*)( do not overlap| that they are not given)"
)
"""What holds of fewer arrays, too."""
_ROWS = re.compile(r"(\S+) has rows of .* elements")
_WITHIN = re.compile(r"(.*) stays within \S+")

_PLACE = re.compile(r"[A-Za-z_]\w*((\.|->)[A-Za-z_]\w*)*$")
"""What stands in front of an arrow."""

STAYING = "the original stays within its arrays, as they are declared"

MOST_ROWS = 2**29
"""The square of it is more than there are addresses."""
OUT = isl.dim_type.out


@record(eq=False)
class Cases:
    """The parameter values that are looked at, and what nobody can look at: it is assumed.

    ``open`` are risks of the new text that only the same instance of the original can take, and
    ``taken`` all that the original takes.
    """

    possible: isl.Set
    assumed: tuple[str, ...]
    open: tuple[Risk, ...]
    taken: tuple[Risk, ...]


def cases(
    original: Scop, program: NewProgram, question: Question, defined: Callable[[], Defined]
) -> Cases:
    """The parameter values for which the generated loops run, and the original program is defined.

    The types of the parameters and the promises of the user are guaranteed, and the test of the new
    text asks for the rest.  In all these cases the assumptions of the original model must hold, or
    else it says nothing about the original program; and those of the new one, likewise.  Integers
    in the new text must not overflow unless those of the original program did: ``defined`` tells
    when it certainly did not, and is asked only if that matters.  Nor is the original program
    defined where it certainly leaves the bounds of an array, which its own model need not see.
    """
    _require_defined(original)
    guaranteed = _guaranteed(original, program, question)
    promised = possible = guaranteed & program.test
    assumed = [each.reason for each in original.assumptions if each.condition.plain_is_universe()]
    if not possible.is_subset(original.context):
        possible = _meaningful(possible, original)
        assumed.append(STAYING)
    missing = possible - original.context
    if not missing.is_empty():
        reason = "the new loops run where nothing is known about the original ones"
        raise NotProved(reason, parameters_text(missing), original.span)
    if not possible.is_subset(program.scop.context):
        possible = possible & defined().cases
    if not possible.is_subset(program.scop.context):
        possible = possible - _leaving_bounds(original) - _beyond_memory(original)
        assumed.append(STAYING)
    for each in program.scop.assumptions:
        missing = possible - each.condition
        if not missing.is_empty():
            reason = f"it would have to be known that {each.reason}"
            raise NotProved(reason, parameters_text(missing), each.span)
        _require_granted(each, original)
    if not possible.is_subset(program.scop.context):
        raise NotProved("the model of the new text does not hold in all cases")
    _require_runs(original, promised, possible)
    taken = defined().risks if program.risks else ()
    for each in program.tested:
        if not each.is_taken_by(taken, guaranteed):
            raise _unfit(each, program)
    left = [each for each in program.risks if not each.is_taken_by(taken, possible)]
    return Cases(possible.coalesce(), tuple(dict.fromkeys(assumed)), tuple(left), taken)


def _require_defined(original: Scop) -> None:
    """Of a region with a reference that is never where it may be, anything could be proved."""
    note = original.undefined
    if note is not None:
        reason = f"the original is not defined: {note.message}"
        raise NotProved(reason, span=note.span)


def _require_runs(original: Scop, promised: isl.Set, possible: isl.Set) -> None:
    """Something must be left of the cases in which anything runs."""
    running = [each.domain.params() for each in original.statements if not each.is_kill]
    if all((each & possible).is_empty() for each in running):
        lost = [each & promised for each in running if not (each & promised).is_empty()]
        if lost:
            reason = "the original is defined only where nothing of it runs"
            raise NotProved(reason, parameters_text(lost[0]), original.span)


def _meaningful(possible: isl.Set, original: Scop) -> isl.Set:
    """The cases without those in which the original certainly leaves the bounds of an array.

    To know what it touches, all else that its model assumes must hold.
    """
    others = [each for each in original.assumptions if not _WITHIN.fullmatch(each.reason)]
    if not all(possible.is_subset(each.condition) for each in others):
        return possible
    return possible - _leaving_bounds(original)


def _declared(original: Scop) -> list[Array]:
    """The arrays that have the sizes of their declarations."""
    assumed = [_ROWS.fullmatch(each.reason) for each in original.assumptions]
    guessed = {each.group(1) for each in assumed if each is not None}
    return [each for each in original.arrays if each.name not in guessed]


def _leaving_bounds(original: Scop) -> isl.Set:
    """The parameter values for which an instance certainly touches what is no element."""
    declared = {each.name: each for each in _declared(original)}
    found = isl.Set("{ : }").complement()
    for statement in original.statements:
        for access in statement.accesses:
            if access.array in declared:
                touched = access.must.intersect_domain(statement.domain)
                outside = touched.intersect_range(declared[access.array].out_of_bounds())
                found = found | outside.params()
    return found.coalesce()


def _beyond_memory(original: Scop) -> isl.Set:
    """The parameter values for which an instance certainly touches a row that is too far away.

    So many rows of so many elements are more than any machine can address.
    """
    found = isl.Set("{ : }").complement()
    for array in original.arrays:
        width = array.extents[1] if array.rank > 1 else None
        if width is None:
            continue
        wide = width.ge_set(constant(MOST_ROWS)).params()
        for statement in original.statements:
            for access in statement.accesses:
                if access.array == array.name:
                    touched = access.must.intersect_domain(statement.domain)
                    far = touched.lower_bound_val(OUT, 0, isl_value(MOST_ROWS))
                    found = found | (far.params() & wide)
    return found.coalesce()


def _guaranteed(original: Scop, program: NewProgram, question: Question) -> isl.Set:
    """What holds whatever happens."""
    guaranteed = type_ranges((*original.parameters, *program.scop.parameters))
    if question.context is not None:
        guaranteed = guaranteed & question.context
    if question.assume_non_negative:
        for each in original.parameters:
            guaranteed = guaranteed & isl.Set(f"[{each.name}] -> {{ : {each.name} >= 0 }}")
    return guaranteed


def _require_granted(assumption: Assumption, original: Scop) -> None:
    """What no condition expresses must have been taken for granted of the original, too.

    That a reference by data stays within its array is the same for the same instances.
    """
    if not assumption.condition.plain_is_universe() or _WITHIN.fullmatch(assumption.reason):
        return
    granted = [each.reason for each in original.assumptions]
    if assumption.reason in granted or any(_follows(assumption.reason, each) for each in granted):
        return
    raise NotProved(f"it would have to be known that {assumption.reason}", span=assumption.span)


def _follows(reason: str, granted: str) -> bool:
    """Is it the same about no other arrays?

    >>> _follows("the arrays A, B do not overlap", "the arrays A, C, B do not overlap")
    True
    >>> _follows("the arrays A, D do not overlap", "the arrays A, C, B do not overlap")
    False
    >>> known = "unknown functions touch nothing behind A, B that they are not given"
    >>> _follows("the arrays A, B do not overlap", known)
    False
    """
    one, other = _OF_ARRAYS.fullmatch(reason), _OF_ARRAYS.fullmatch(granted)
    if one is None or other is None or one["before"] != other["before"]:
        return False
    return set(one["names"].split(", ")) <= set(other["names"].split(", "))


def require_same_risks(found: Correspondence, program: NewProgram, known: Cases) -> None:
    """What may leave its type must be computed by the same instance of the original, too."""
    for each in known.open:
        copies = [one for one in found.copies if one.new.span == each.statement]
        if not copies or not all(_is_taken(each, one, known.taken) for one in copies):
            raise _unfit(each, program)


def _is_taken(risk: Risk, copy: Copy, taken: Sequence[Risk]) -> bool:
    span = copy.old.span
    of_statement = [
        each
        for each in taken
        if each.statement is not None
        and (each.statement.start, each.statement.end) == (span.start, span.end)
    ]
    return risk.is_taken_at(of_statement, copy.instances)


def _unfit(risk: Risk, program: NewProgram) -> NotProved:
    start, end = risk.span.start, risk.span.end
    text = program.rewriting.after[start:end].decode(errors="replace")
    what = "can be evaluated" if risk.is_evaluation else f"fits {risk.type.name}"
    reason = f"it would have to be known that {text} {what}"
    return NotProved(reason, span=risk.span)


def require_readable_parameters(
    program: NewProgram, asked: Sequence[str], original: Sequence[Token]
) -> None:
    """The new text reads parameters behind pointers at once: the pointers must not be null.

    That is so if the test asks for them first, or if the original region begins by reading them.
    """
    read = _first_condition(original)
    for parameter in program.scop.parameters:
        for arrow in re.finditer("->", parameter.text):
            place = _PLACE.search(parameter.text[: arrow.start()])
            pointer = place.group() if place is not None else ""
            is_read = place and re.search(rf"(?<![\w.>]){re.escape(pointer)}->", read)
            if pointer not in asked and not is_read:
                reason = f"the new text reads {parameter.text} before it is known to be there"
                raise NotProved(reason, span=parameter.span)


def _first_condition(tokens: Sequence[Token]) -> str:
    """What a loop in front of the region evaluates before anything else happens."""
    words = texts([each for each in tokens if not each.is_directive])
    header: list[str] = []
    for word in words if words[:1] == ["for"] else []:
        if word in ("&", "&&", "|", "||", "?") or header.count(";") == 2:
            break
        header.append(word)
    return "".join(header)
