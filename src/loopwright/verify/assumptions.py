"""In which cases the generated loops run, and that both models hold in all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import islpy as isl

from loopwright.frontend.reading import Question
from loopwright.model.scop import Assumption, Scop, type_ranges
from loopwright.verify.failure import NotProved, parameters_text
from loopwright.verify.new_program import NewProgram
from loopwright.verify.tokens import Token, texts

_APART = re.compile(r"the arrays (.*) do not overlap")
_WITHIN = re.compile(r"(.*) stays within \S+")


def cases(
    original: Scop, program: NewProgram, question: Question, defined: Callable[[], isl.Set]
) -> isl.Set:
    """The parameter values for which the generated loops run, and the original program is defined.

    The types of the parameters and the promises of the user are guaranteed, and the test of the new
    text asks for the rest.  In all these cases the assumptions of the original model must hold, or
    else it says nothing about the original program; and those of the new one, likewise.  Integers
    in the new text must not overflow unless those of the original program did: ``defined`` tells
    when it certainly did not, and is asked only if that matters.  Nor is the original program
    defined where it certainly leaves the bounds of an array, which its own model need not see.
    """
    possible = _guaranteed(original, program, question) & program.test
    missing = possible - original.context
    if not missing.is_empty():
        reason = "the new loops run where nothing is known about the original ones"
        raise NotProved(reason, parameters_text(missing), original.span)
    if not possible.is_subset(program.scop.context):
        possible = possible & defined()
    if not possible.is_subset(program.scop.context):
        possible = possible - _leaving_bounds(original)
    for each in program.scop.assumptions:
        missing = possible - each.condition
        if not missing.is_empty():
            reason = f"it would have to be known that {each.reason}"
            raise NotProved(reason, parameters_text(missing), each.span)
        _require_granted(each, original)
    if not possible.is_subset(program.scop.context):
        raise NotProved("the model of the new text does not hold in all cases")
    return possible.coalesce()


def _leaving_bounds(original: Scop) -> isl.Set:
    """The parameter values for which an instance certainly touches what is no element."""
    found = isl.Set("{ : }").complement()
    for statement in original.statements:
        for access in statement.accesses:
            touched = access.must.intersect_domain(statement.domain)
            outside = touched.intersect_range(original.array(access.array).out_of_bounds())
            found = found | outside.params()
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
    apart = _APART.fullmatch(assumption.reason)
    if apart is not None:
        names = set(apart.group(1).split(", "))
        known = [_APART.fullmatch(each) for each in granted]
        if any(each is not None and names <= set(each.group(1).split(", ")) for each in known):
            return
    elif assumption.reason in granted:
        return
    raise NotProved(f"it would have to be known that {assumption.reason}", span=assumption.span)


def require_readable_parameters(
    program: NewProgram, asked: Sequence[str], original: Sequence[Token]
) -> None:
    """The new text reads parameters behind pointers at once: the pointers must not be null.

    That is so if the test asks for them first, or if the original region begins by reading them.
    """
    read = _first_condition(original)
    for parameter in program.scop.parameters:
        for arrow in re.finditer("->", parameter.text):
            pointer = parameter.text[: arrow.start()].replace(" ", "")
            is_read = re.search(rf"(?<![\w.>]){re.escape(pointer)}->", read)
            if pointer not in asked and not is_read:
                reason = f"the new text reads {parameter.text} before it is known to be there"
                raise NotProved(reason, span=parameter.span)


def _first_condition(tokens: Sequence[Token]) -> str:
    """What a loop in front of the region evaluates before anything else happens."""
    words = texts([each for each in tokens if not each.is_directive])
    header: list[str] = []
    for word in words if words[:1] == ["for"] else []:
        if word in ("&", "|", "?") or header.count(";") == 2:
            break
        header.append(word)
    return "".join(header)
