"""Are two programs the same?  :func:`check` answers with a proof, a counterexample, or a reason.

The instance map is inferred, and a proof that relies on nothing else is tried with it.  Where there
is none, both programs are run: a case in which they differ says more than a proof that failed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import islpy as isl

from loopwright.basics.records import record
from loopwright.frontend.clang_library import ParsedFile, ReadOptions, SourceFile
from loopwright.frontend.inputs import parsed_context
from loopwright.frontend.reading import (
    Question,
    answering_deep_nesting,
    read_source,
    source_of,
)
from loopwright.model.proofs import Counterexample, Proof, Unknown, Verdict
from loopwright.model.scop import Scop
from loopwright.tuning.counterexamples import counterexample
from loopwright.tuning.toolchain import CannotRun, Toolchain
from loopwright.verify.alignment import Alignment, aligned, readable
from loopwright.verify.failure import NotProved
from loopwright.verify.read_back import Claim, new_model, read_back

Progress = Callable[[str], None]


@record
class Source:
    """A program, and what messages call it."""

    name: str
    content: bytes


@record(eq=False)
class Asked:
    """How to read two programs, and what may be said about them."""

    options: ReadOptions
    question: Question
    reassociates: bool = False


def check(
    original: str | Path,
    transformed: str | Path,
    *,
    function: str | None = None,
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    context: str | isl.Set | None = None,
    system_include: Sequence[str] = (),
    standard: str = "gnu11",
    assume_non_negative: bool = False,
    autodetect: bool = False,
    reassociate: bool = False,
    run: bool = True,
    cc: str = "gcc",
) -> Proof | Counterexample | Unknown:
    """Is a transformed program the same as the original?

    A :class:`~loopwright.Proof` says that it is, a :class:`~loopwright.Counterexample` names a case
    in which it is not, and an :class:`~loopwright.Unknown` says why neither was found.  The regions
    are those of the original; in the other file they need not be marked.  Unless not to ``run``
    them is wanted, both programs are compiled with ``cc`` and compared where there is no proof.

    >>> original = '''void scale(int n, double *A) {
    ... #pragma scop
    ...   for (int i = 0; i < n; i++)
    ...     A[i] = 2 * A[i];
    ... #pragma endscop
    ... }
    ... '''
    >>> print(check(original, original.replace("A[i]", "A[n - 1 - i]")))
    proved: 1 statement runs the instances of 1 exactly once
    >>> print(check(original, original.replace("i = 0", "i = 1"), run=False))
    not proved: an instance of A[i] = 2 * A[i] does not run (for n = 1: S0 at (i = 0))
    """
    options = ReadOptions(tuple(include), tuple(system_include), tuple(define), standard)
    chosen = parsed_context(context) if isinstance(context, str) else context
    question = Question(function, chosen, assume_non_negative, autodetect)
    asked = Asked(options, question, reassociate)
    tried = try_to_prove(_source(original, "original.c"), _source(transformed, "new.c"), asked)
    return tried.answer((cc,) if run else None)


def _source(path_or_text: str | Path, name: str) -> Source:
    found, content = source_of(path_or_text)
    return Source(found if found == str(path_or_text) else name, content)


@record(eq=False)
class Tried:
    """Two programs, and what came of the attempt to prove that they are the same.

    ``scops`` are the regions of the original, and ``models`` those of the new text in their places,
    as far as there are any.
    """

    original: Source
    transformed: Source
    asked: Asked
    verdict: Verdict
    scops: Sequence[Scop]
    models: Sequence[Scop | None]

    def answer(
        self, compiler: Sequence[str] | None, tell: Progress = lambda _: None
    ) -> Proof | Counterexample | Unknown:
        """The verdict, unless there is a compiler and a run shows that the programs differ."""
        if isinstance(self.verdict, Proof) or compiler is None:
            return self.verdict
        reading, folder = _reading_flags(self.asked.options), Path(self.original.name).parent
        try:
            found = counterexample(
                self.original.name,
                self.original.content,
                readable(self.transformed.content),
                self.asked.options,
                self.scops,
                self.models,
                Toolchain(tuple(compiler), (), reading, folder),
                tell,
                is_exact=not self.asked.reassociates,
                suggested=_suggested(self.verdict.witness),
            )
        except CannotRun:
            return self.verdict
        return self.verdict if found is None else replace(found, reason=str(self.verdict))


def try_to_prove(original: Source, transformed: Source, asked: Asked) -> Tried:
    """Read two programs, and try to prove that they are the same."""
    options, question = asked.options, asked.question
    found = read_source(original.name, original.content, options, question).scops
    scops = sorted(found, key=lambda each: each.span.start)
    old = ParsedFile(original.name, original.content, options)
    new = SourceFile(transformed.name, transformed.content)
    try:
        with answering_deep_nesting(transformed.name):
            alignment = aligned(old, new, scops, options, is_marked=not question.autodetect)
    except NotProved as failure:
        verdict = Unknown(failure.reason, failure.witness, failure.span)
        return Tried(original, transformed, asked, verdict, scops, [None] * len(scops))
    claims = [
        Claim(each, alignment.rewriting, stretch, None, options, question, asked.reassociates)
        for each, stretch in zip(scops, alignment.rewriting.stretches, strict=True)
    ]
    verdict = _verdict(claims, alignment)
    is_proved = isinstance(verdict, Proof)
    models = [None if is_proved else _model(each, alignment) for each in claims]
    return Tried(original, transformed, asked, verdict, scops, models)


def _verdict(claims: Sequence[Claim], alignment: Alignment) -> Verdict:
    """All regions together: the proofs add up, and the first failure is one of all."""
    proofs: list[Proof] = []
    for claim, place in zip(claims, alignment.places, strict=True):
        verdict = _unchanged(claim.original) if place.is_same else read_back(claim)
        if isinstance(verdict, Unknown):
            return replace(verdict, span=alignment.told(verdict.span))
        proofs.append(verdict)
    return _sum(proofs)


def _unchanged(scop: Scop) -> Proof:
    """The proof for a region whose text is the same."""
    count = sum(not each.is_kill for each in scop.statements)
    return Proof(count, count, 0, tuple(each.name for each in scop.arrays), (), 0)


def _sum(proofs: Sequence[Proof]) -> Proof:
    return Proof(
        sum(each.statements for each in proofs),
        sum(each.copies for each in proofs),
        sum(each.moves for each in proofs),
        tuple(dict.fromkeys(name for each in proofs for name in each.ordered)),
        tuple(dict.fromkeys(name for each in proofs for name in each.traced)),
        sum(each.parallel_loops for each in proofs),
        tuple(dict.fromkeys(name for each in proofs for name in each.reductions)),
    )


def _model(claim: Claim, alignment: Alignment) -> Scop | None:
    """The model of a region's new text, with the places that it has in the new file."""
    found = new_model(claim)
    span = alignment.told(found.span) if found is not None else None
    if found is None or span is None:
        return None
    statements = tuple(
        replace(each, span=alignment.told(each.span) or span) for each in found.statements
    )
    return replace(found, span=span, statements=statements)


def _suggested(witness: str) -> list[Mapping[str, int]]:
    """The values of parameters that a proof failed for.

    >>> _suggested("for n = 3, m = 1: S0 at (i = 2)")
    [{'n': 3, 'm': 1}]
    """
    values = re.findall(r"(\w+) = (-?\d+)", witness.partition(":")[0].partition(" at ")[0])
    return [{name: int(value) for name, value in values}] if values else []


def _reading_flags(options: ReadOptions) -> tuple[str, ...]:
    include = [part for folder in options.include for part in ("-I", folder)]
    system = [part for folder in options.system_include for part in ("-isystem", folder)]
    defined = [f"-D{macro}" for macro in options.define]
    return (f"-std={options.standard}", *include, *system, *defined)
