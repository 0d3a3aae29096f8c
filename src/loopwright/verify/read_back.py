"""Proof by reading back: is the new text of a region the same program?

The claim.  Let the region's original statements have their instances, and let the new text be read
by the front end.  Suppose that

1. in every case in which the generated loops run, both models hold, and the rest of the file and
   the alternative for all other cases are what they were;
2. each original instance is run exactly once by a statement of the new text with the same body,
   for the same values of its iterators; all other statements only move values, and none touches
   memory that it must not touch;
3. each reference of each instance reads a value of the same origin as in the original program (the
   instance that has computed it, or the element that held it before the region), and each element
   that lives on ends with a value of the same origin;
4. loops that are marked as parallel carry nothing, reductions aside.

Then the two programs compute the same.  By induction over the sequential order of the new text, an
instance reads what it reads in the original program, because the instances that have computed it
did; so it computes the same.  Parallel loops that carry nothing compute what they compute in
sequence, and reductions what they compute in another order, if that was asked for.

The hint says which instance a statement runs.  Nothing above relies on it: with a wrong one, some
of this cannot be shown.  Nor does this package share any code with what writes the new text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeVar

import islpy as isl

from loopwright.basics.c_tokens import span_of, tokens_of, words_in
from loopwright.basics.diagnostics import InputError
from loopwright.basics.records import record
from loopwright.dependence.analysis import dependences as dependences_of
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.reading import Question, answering_deep_nesting
from loopwright.model.dependences import Dependences
from loopwright.model.proofs import Configuration, Hint, Proof, Unknown, Verdict
from loopwright.model.scop import Scop, type_ranges
from loopwright.polyhedra.limits import OutOfOperations, limited
from loopwright.polyhedra.simplification import simplified_in
from loopwright.verify.alignment import Alignment, aligned
from loopwright.verify.apart import independence
from loopwright.verify.assumptions import (
    Cases,
    cases,
    require_readable_parameters,
    require_same_risks,
)
from loopwright.verify.bounds import require_in_bounds
from loopwright.verify.conditional_writes import followed_values
from loopwright.verify.counting import counted
from loopwright.verify.failure import NotProved, told_parameters
from loopwright.verify.inference import inferred
from loopwright.verify.matching import (
    Correspondence,
    correspondence,
    instance_maps,
    require_no_capture,
)
from loopwright.verify.new_program import (
    NewProgram,
    Texts,
    defined,
    original_model,
    read_generated,
)
from loopwright.verify.one_to_one import require_each_once
from loopwright.verify.openmp import ParallelLoop, parallel_loops
from loopwright.verify.order import dependence_pairs, require_order
from loopwright.verify.parallel import require_independent
from loopwright.verify.paths import Obligation
from loopwright.verify.references import (
    Variables,
    kept_arrays,
    require_plain_writes,
    require_traceable,
    variables,
)
from loopwright.verify.region_texts import (
    region_parts,
    require_known_words,
    require_whole_region,
    tokens_outside,
)
from loopwright.verify.solvers import IslSolver
from loopwright.verify.sources import Memory
from loopwright.verify.stand_ins import StandIns
from loopwright.verify.storage import require_same_parameters, shared_arrays
from loopwright.verify.surroundings import is_meant
from loopwright.verify.text_proof import shown_of_text
from loopwright.verify.timeline import Timeline
from loopwright.verify.values import Origins, Tracer

T = TypeVar("T")

MOST_OPERATIONS = 10_000_000
"""About ten seconds; the largest kernels need a tenth of it."""


@record(eq=False)
class Claim:
    """That a region of a program is the same with other text in its place.

    Both programs are what their compiler sees, with the region of this ``number``; ``original`` is
    the model of that region, read with the options to answer the question.  The hint is the
    author's, and untrusted; without one, it is guessed what runs where.  If the new text
    ``reassociates``, it may say that loops are reductions, and the proof holds up to the order of
    those.  The ``others`` claim the same of what both programs are with other flags; without them,
    nothing is proved.
    """

    original: Scop
    alignment: Alignment
    number: int
    hint: Hint | None
    options: ReadOptions
    question: Question
    reassociates: bool = False
    others: tuple[Claim, ...] = ()

    @property
    def configurations(self) -> tuple[Configuration, ...]:
        """Those that the claim is about."""
        return tuple(each.alignment.before.configuration for each in (self, *self.others))

    @property
    def texts(self) -> Texts:
        """What there is to read."""
        both = self.alignment
        stretch = both.stretches[self.number]
        return Texts(both.rewriting, stretch, both, both.before, self.options, self.question)


@record(eq=False)
class Evidence:
    """A proof, and what it rests on.

    ``instances`` says what each statement of the new text runs, ``{ [c] -> S[i] }``, or ``None``
    where it moves a value; ``obligations`` are those about the paths of the text.
    """

    proof: Proof
    instances: tuple[isl.Map | None, ...]
    obligations: tuple[Obligation, ...]


def read_back(
    claim: Claim, dependences: Dependences | None = None, operations: int | None = None
) -> Verdict:
    """The proof of a claim, or why there is none.

    ``dependences`` are those of the original region, if somebody has computed them already; they
    are of use if they are by value, and nothing is relaxed.  isl may spend so many ``operations``.
    """
    found = _answered(claim, lambda: _proved(claim, dependences, operations).proof)
    return found if isinstance(found, Unknown) else _unproved_elsewhere(claim) or found


def evidence(claim: Claim) -> Evidence | Unknown:
    """The proof of a claim, and the paths of the new text followed one by one."""
    is_new = claim.number in claim.alignment.changed
    found = _answered(claim, lambda: _followed(_proved(claim))) if is_new else _unchanged(claim)
    return found if isinstance(found, Unknown) else _unproved_elsewhere(claim) or found


def _unchanged(claim: Claim) -> Evidence:
    """Where the text is the same, there is nothing to show."""
    count = sum(not each.is_kill for each in claim.original.statements)
    ordered = tuple(each.name for each in claim.original.arrays)
    proof = Proof(count, count, 0, ordered, (), 0, configurations=claim.configurations)
    return Evidence(proof, (), ())


def _unproved_elsewhere(claim: Claim) -> Unknown | None:
    """What cannot be proved with other flags, if there is anything."""
    for other in claim.others:
        if other.number in other.alignment.changed:
            found = _answered(other, lambda each=other: _proved(each).proof)
            if isinstance(found, Unknown):
                flags = " ".join(other.options.compiler.flags)
                return replace(found, reason=f"with {flags}, {found.reason}")
    return None


def _answered(claim: Claim, prove: Callable[[], T]) -> T | Unknown:
    """What comes of a proof: nothing else gets out of here."""
    told = claim.alignment.told
    try:
        with answering_deep_nesting(claim.alignment.before.name):
            return prove()
    except NotProved as failure:
        return Unknown(failure.reason, failure.witness, told(failure.span))
    except OutOfOperations:
        return Unknown("the new text is too complex to prove anything about it")
    except isl.Error as error:
        return Unknown(f"isl gave up: {error}")
    except InputError as error:
        first = error.diagnostics[0]
        return Unknown(f"the new text cannot be read: {first.message}", span=told(first.span))


@record(eq=False)
class _Proved:
    """A proof, the correspondence that it is about, and the loops that run in parallel."""

    proof: Proof
    found: Correspondence
    situation: _Situation
    loops: Sequence[ParallelLoop]


def _proved(
    claim: Claim, dependences: Dependences | None = None, operations: int | None = None
) -> _Proved:
    program = _read(claim)
    _require_idle_pragmas(claim)
    if claim.hint is None:
        return _search(claim, program)
    if dependences is None or not _are_whole(dependences, claim.original):
        dependences = dependences_of(claim.original, live_range_reordering=False)
    with limited(operations or MOST_OPERATIONS):
        situation = _situation(claim, program)
        found = correspondence(claim.original, program.scop, situation.possible, claim.hint)
        return _proof(found, claim, situation, dependences)


def _require_idle_pragmas(claim: Claim) -> None:
    """The pragmas in the original region must not change what it computes.

    That is so if it is proved to be the same as the region without them: its model knows none.
    """
    unit, stretch = claim.alignment.before, claim.texts.stretch
    inside = tokens_of(claim.alignment.rewriting.before, stretch.start, stretch.end)
    pragmas = [each for each in inside if is_meant(each)]
    if not pragmas:
        return
    itself = replace(claim, alignment=aligned(unit, unit), hint=None)
    try:
        _search(itself, _read(itself))
    except NotProved as failure:
        reason = f"{pragmas[0].text} in the original may mean something: {failure.reason}"
        raise NotProved(reason, span=span_of(pragmas[0], unit.name)) from None


def _followed(proved: _Proved) -> Evidence:
    """The model that was looked at is what the text does."""
    situation, solver = proved.situation, IslSolver()
    program, shared = situation.program, situation.known.shared
    with limited(MOST_OPERATIONS):
        shown = shown_of_text(program.region.statements, program.scop, situation.possible, solver)
        # isl has decided these already, by sets of pairs; as formulas they are for others.
        apart = list(independence(proved.loops, proved.found, shared))
    proof = replace(proved.proof, obligations=len(shown) + len(apart))
    return Evidence(proof, instance_maps(proved.found), (*shown, *apart))


def new_model(claim: Claim) -> Scop | None:
    """The model of the new text, if there is one."""
    try:
        with answering_deep_nesting(claim.alignment.before.name):
            return _read(claim).scop
    except (NotProved, OutOfOperations, isl.Error, InputError):
        return None


def _are_whole(dependences: Dependences, original: Scop) -> bool:
    """Are these the dependences that the original region itself has, all of them?"""
    is_strict = dependences.is_by_value and not dependences.relaxed
    return is_strict and dependences.scop is original


def _read(claim: Claim) -> NewProgram:
    """The generated loops, if nothing else in the program is new."""
    texts, original = claim.texts, claim.original
    before = require_whole_region(texts.rewriting, texts.stretch, original)
    parts = region_parts(texts.rewriting.after, texts.stretch, before)
    program = read_generated(texts, parts)
    if program.exposed:
        captured = program.exposed & words_in(tokens_outside(texts.rewriting, texts.stretch))
        if captured:
            raise NotProved(f"the new text defines {min(captured)}, which is used elsewhere")
    known = {word for each in original.arrays for word in each.variable_type.split()}
    require_known_words(parts, before, known)
    require_readable_parameters(program, parts.asked, before)
    return program


@record(eq=False)
class _Situation:
    """The new text, the cases in which it has to be right, and the variables of both programs."""

    program: NewProgram
    cases: Cases
    known: Variables

    @property
    def possible(self) -> isl.Set:
        """The values of the parameters."""
        return self.cases.possible


def _situation(claim: Claim, program: NewProgram) -> _Situation:
    original, new = claim.original, program.scop
    require_same_parameters(original, new, program.rewriting)
    texts = claim.texts
    found = cases(
        original,
        program,
        claim.question,
        cache(lambda: defined(texts)),
    )
    known = variables(original, program, shared_arrays(original, new, program.rewriting))
    return _Situation(program, found, known)


def _search(claim: Claim, program: NewProgram) -> _Proved:
    """A proof with one of the correspondences that seem likely; else why the first has none."""
    original = original_model(claim.texts)
    claim = replace(claim, original=original)
    dependences = dependences_of(original, live_range_reordering=False)
    with limited(MOST_OPERATIONS):
        situation = _situation(claim, program)
        likely = inferred(original, program.scop, situation.possible, situation.known)
    failures: list[NotProved] = []
    for found in likely:
        try:
            with limited(MOST_OPERATIONS):
                return _proof(found, claim, situation, dependences)
        except NotProved as failure:
            failures.append(failure)
    raise failures[0]


def _proof(
    found: Correspondence, claim: Claim, situation: _Situation, dependences: Dependences
) -> _Proved:
    """The proof that the new text is the same program, if it runs these instances.

    What the types of the parameters guarantee is left out at first: what holds for all integers
    holds for those.
    """
    require_no_capture(found, situation.program.declared)
    require_same_risks(found, situation.program, situation.cases)
    parameters = claim.original.parameters
    simpler = replace(found, possible=simplified_in(found.possible, type_ranges(parameters)))
    try:
        proof, loops = _shown(simpler, claim, situation, dependences)
    except NotProved as failure:
        values = told_parameters(failure.witness)
        if all(each.least <= values.get(each.name, 0) <= each.greatest for each in parameters):
            raise
        proof, loops = _shown(found, claim, situation, dependences)
    return _Proved(proof, found, situation, loops)


def _shown(
    found: Correspondence, claim: Claim, situation: _Situation, dependences: Dependences
) -> tuple[Proof, Sequence[ParallelLoop]]:
    original, program, known = claim.original, situation.program, situation.known
    counts = counted(found)
    simpler, timeline = counts.found, Timeline(program.scop.schedule, counts.functions)
    require_each_once(simpler)
    require_in_bounds(simpler, known)
    memory = Memory(simpler, timeline)
    loops = parallel_loops(program, reassociates=claim.reassociates)
    require_independent(loops, memory, known.shared)
    ordered, traced = _values_arrive(simpler, known, memory, dependences)
    executed = [each for each in original.statements if not each.is_kill]
    reduced = sorted({name for each in loops for name in each.reductions})
    proof = Proof(
        len(executed),
        len(found.copies),
        len(found.moves),
        ordered,
        traced,
        len(loops),
        tuple(reduced),
        assumed=(*situation.cases.assumed, *_by_flags(claim)),
        configurations=claim.configurations,
    )
    return proof, loops


def _by_flags(claim: Claim) -> tuple[str, ...]:
    """What the flags of the compiler let it do, to the old loops as to the new ones."""
    macros = claim.alignment.before.predefined
    if {"__FAST_MATH__", "__ASSOCIATIVE_MATH__", "__RECIPROCAL_MATH__"}.isdisjoint(macros):
        return ()
    return ("rounding does not matter: the compiler is told so by its flags",)


def _values_arrive(
    found: Correspondence, known: Variables, memory: Memory, dependences: Dependences
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Show that values get where they are needed; the arrays, by how that was shown.

    Keeping all accesses to an array in their order is more than needed, but is quickly seen.
    """
    kept = kept_arrays(found, known)
    copies = {each.new.name: each for each in found.copies}
    moves = {each.new.name: each for each in found.moves}
    tracer = Tracer(memory, Origins(dependences), known, copies, moves)
    stand_ins = StandIns(memory, known, copies, moves)
    tracer.require_harmless_moves()
    failures: dict[str, NotProved] = {}
    for name in known.old:
        try:
            pairs = dependence_pairs(dependences, name)
            require_order(pairs, found, memory.timeline, name)
            if name not in kept:
                require_traceable([name], found)
                require_plain_writes([name], found)
                stand_ins.require_faithful(name)
        except NotProved as failure:
            failures[name] = failure
    if failures:
        _trace(failures, found, tracer, dependences)
    return tuple(each for each in known.old if each not in failures), tuple(failures)


def _trace(
    failures: Mapping[str, NotProved],
    found: Correspondence,
    tracer: Tracer,
    dependences: Dependences,
) -> None:
    """Follow the values of the arrays that are left; what is out of order may still be right."""
    first = next(iter(failures.values()))
    if {"flow", "may_live_in"} & set(dependences.approximated):
        raise first
    try:
        require_traceable(failures, found)
        followed = followed_values(found, dependences, frozenset(failures))
    except NotProved:
        raise first from None
    copies = {each.new.name: each for each in followed.copies}
    tracer = replace(tracer, origins=Origins(followed.dependences), copies=copies)
    tracer.require_same_reads(failures)
    tracer.require_same_end(failures)
