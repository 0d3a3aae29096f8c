"""From a candidate to a program with its proof, and what the model expects of orders."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from time import monotonic

from loopwright.basics.diagnostics import InputError, shortened
from loopwright.basics.records import record
from loopwright.choosing import MOST_OPERATIONS, NothingToGain, Wanted
from loopwright.dependence.analysis import dependences
from loopwright.emit.refusal import CannotEmit
from loopwright.fates import TOO_LATE, Broken, Fate, Outcome, OutOfTime, Unproved
from loopwright.model.dependences import Dependences
from loopwright.model.scop import Scop
from loopwright.pipeline import optimize_source
from loopwright.polyhedra.limits import OutOfOperations, limited
from loopwright.targets.cpu import Mapped, MappingOptions, expanded, mapped
from loopwright.targets.machine import Machine
from loopwright.tuning.candidates import OPTIMIZE, ORIGINAL, Candidate, Choice
from loopwright.tuning.orders import NamedOrder, NoSuchOrder, is_fusion, order_named, orders
from loopwright.tuning.problems import Problem, Source

AS_IT_IS = "no other order was faster when it was tuned"
Chooser = Callable[[Scop, Dependences], Mapped]


@record
class Failure:
    """Why there is nothing to time; the reason is a sentence for people."""

    reason: str
    is_wrong: bool = False
    """Did a program that was proved compute something else?  Then the fault is ours."""
    is_late: bool = False
    """Was it only that the time was up?  Then it may be tried again."""
    hint: str = ""
    """What the user can do about it, where that is known."""


@record
class Made:
    """The text of a candidate, and what is known about it without running it."""

    content: bytes
    proofs: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A name of the text."""
        return hashlib.sha256(self.content).hexdigest()


@record
class Expected:
    """What the model expects of an order, in cycles; for comparisons only."""

    choice: Choice
    cost: float


# --- programs -------------------------------------------------------------------------------------


def outcome_of(
    source: Source,
    machine: Machine,
    candidate: Candidate,
    deadline: float | None = None,
) -> Outcome:
    """The program that a candidate describes, proved.

    Raises what :func:`~loopwright.pipeline.optimize_source` does.
    """
    regions = range(len(source.reading().scops))
    whole = Candidate(tuple((at, candidate.choice(at)) for at in regions))
    wanted = wanting(whole, Wanted(machine=machine, deadline=deadline))
    question = source.asked.question()
    return optimize_source(source.name, source.content, source.options, question, wanted)


def wanting(candidate: Candidate, usual: Wanted) -> Wanted:
    """What the candidate wants of the regions that it names, and the usual of the others."""
    own = {region: _wanted(choice, usual.machine) for region, choice in candidate.choices}
    return replace(usual, regions=own)


def _wanted(choice: Choice, machine: Machine) -> Wanted:
    usual = Wanted(machine=machine)
    if choice.order == OPTIMIZE:
        return usual
    if choice.order == ORIGINAL:
        return replace(usual, chooser=_kept)
    return replace(usual, chooser=_chooser(choice, machine))


def _kept(_scop: Scop, found: Dependences) -> Mapped:
    raise NothingToGain(AS_IT_IS, found)


def _chooser(choice: Choice, machine: Machine) -> Chooser:
    def choose(scop: Scop, found: Dependences) -> Mapped:
        try:
            return mapping_of(choice, found, machine)
        except NoSuchOrder as error:
            raise CannotEmit(f"there is no order {error}", scop.span) from None
        except OutOfOperations:
            raise CannotEmit("its mapping takes too long", scop.span) from None

    return choose


def mapping_of(choice: Choice, found: Dependences, machine: Machine) -> Mapped:
    """What a choice with an order of its own makes of a region.

    Raises :class:`NoSuchOrder`, :class:`CannotEmit` or :class:`OutOfOperations` if it cannot.
    """
    tree = order_named(choice.order, found)
    machine = replace(
        machine,
        l1=max(1, int(machine.l1 * choice.caches)),
        l2=max(1, int(machine.l2 * choice.caches)),
        vector_registers=choice.registers or machine.vector_registers,
    )
    options = MappingOptions(
        choice.most_copies,
        choice.tile_sizes,
        packs=choice.packs,
        vectorises=choice.vectorises,
        distributes=not is_fusion(choice.order),
    )
    with limited(MOST_OPERATIONS):
        if not choice.expands:
            return mapped(tree, found, machine, options)
        for each in expanded(tree, found, machine, options):
            return each
    raise CannotEmit("no array can have copies", found.scop.span)


def made(problem: Problem, candidate: Candidate, seconds: float) -> Made | Failure:
    """The text of a candidate; whatever stands against it is a failure of this one alone."""
    source = problem.source
    if all(choice.order == ORIGINAL for _, choice in candidate.choices):
        return Made(source.content)
    try:
        outcome = outcome_of(source, problem.place.machine, candidate, monotonic() + seconds)
    except InputError as error:
        return Failure(error.diagnostics[0].message)
    failure = failure_of(outcome, candidate)
    if failure is not None:
        return failure
    proofs = tuple(str(each.proof) for each in outcome.regions if each.proof is not None)
    return Made(outcome.content, proofs)


def failure_of(
    outcome: Outcome, candidate: Candidate, skipped: Container[int] = ()
) -> Failure | None:
    """Why some region has not become what the candidate says, if it is so."""
    for at, region in enumerate(outcome.regions):
        if at in skipped:
            continue
        if isinstance(region, OutOfTime) and region.is_late:
            return Failure(TOO_LATE, is_late=True)
        if isinstance(region, Unproved | Broken):
            return Failure(_why_left(region))
        if candidate.choice(at).is_named and region.text is None:
            return Failure(_why_left(region))
    return None


def _why_left(region: Fate) -> str:
    return shortened(region.note.message if region.note is not None else region.reason)


# --- the model ------------------------------------------------------------------------------------


@record
class Share:
    """One part of several, which different processes do."""

    part: int = 0
    parts: int = 1


WHOLE = Share()


def ranked(
    problem: Problem, region: int, seconds: float, share: Share = WHOLE
) -> tuple[Expected, ...]:
    """The orders of a region, or a share of them, the best one for the model first.

    As many as there is time for; one that cannot be mapped is none.
    """
    end = monotonic() + seconds
    found = dependences(problem.source.reading().scops[region])
    expected: list[Expected] = []
    for at, order in enumerate(orders(found, problem.depth)):
        if at % share.parts == share.part:
            expected += _expected(order, found, problem.place.machine)
        if monotonic() > end:
            break
    return in_order(expected)


def in_order(expected: Iterable[Expected]) -> tuple[Expected, ...]:
    """What promises most first; of equals, in whatever order they come, always the same one."""
    return tuple(sorted(expected, key=lambda each: (each.cost, each.choice.label)))


def _expected(order: NamedOrder, found: Dependences, machine: Machine) -> Iterator[Expected]:
    """With and without copies of arrays, if either is possible."""
    options = MappingOptions(distributes=not is_fusion(order.name))
    with suppress(OutOfOperations), limited(MOST_OPERATIONS):
        yield Expected(Choice(order.name), mapped(order.tree, found, machine, options).cost)
    with suppress(OutOfOperations), limited(MOST_OPERATIONS):
        for each in expanded(order.tree, found, machine, options):
            yield Expected(Choice(order.name, expands=True), each.cost)
