"""Are two programs the same?  :func:`check` answers with a proof, a counterexample, or a reason.

The instance map is inferred, and a proof that relies on nothing else is tried with it.  Where there
is none, both programs are run: a case in which they differ says more than a proof that failed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.spans import whole_file
from loopwright.certifying import Source, proved_again
from loopwright.frontend.clang_library import ParsedFile, ReadOptions, SourceFile
from loopwright.frontend.inputs import file_content, parsed_context
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
from loopwright.verify.certificates import BadCertificate, read_certificate
from loopwright.verify.failure import NotProved, told_parameters
from loopwright.verify.paths import Obligation
from loopwright.verify.read_back import Claim, Evidence, evidence, new_model
from loopwright.verify.solvers import unconfirmed

Progress = Callable[[str], None]


@record(eq=False)
class Asked:
    """How to read two programs, and what may be said about them."""

    options: ReadOptions
    question: Question
    reassociates: bool = False
    asks_z3: bool = False


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
    certificate: str | Path | None = None,
    z3: bool = False,
    run: bool = True,
    cc: str = "gcc",
) -> Proof | Counterexample | Unknown:
    """Is a transformed program the same as the original?

    A :class:`~loopwright.Proof` says that it is, a :class:`~loopwright.Counterexample` names a case
    in which it is not, and an :class:`~loopwright.Unknown` says why neither was found.  The regions
    are those of the original; in the other file they need not be marked.  Unless not to ``run``
    them is wanted, both programs are compiled with ``cc`` and compared where there is no proof.
    With a ``certificate``, a file, what it says is proved again, and nothing is inferred.  If
    ``z3`` is asked as well (extra ``proof``), it has to confirm all that isl says about the paths
    of the new text.

    >>> original = '''void scale(int n, double *A) {
    ... #pragma scop
    ...   for (int i = 0; i < n; i++)
    ...     A[i] = 2 * A[i];
    ... #pragma endscop
    ... }
    ... '''
    >>> proof = check(original, original.replace("A[i]", "A[n - 1 - i]"))
    >>> print(proof)  # doctest: +ELLIPSIS
    proved: 1 statement runs the instances of 1 exactly once, ... obligations hold on its paths ...
    >>> print(check(original, original.replace("i = 0", "i = 1"), run=False))
    not proved: an instance of A[i] = 2 * A[i] does not run (for n = 1: S0 at (i = 0))
    """
    options = ReadOptions(tuple(include), tuple(system_include), tuple(define), standard)
    chosen = parsed_context(context) if isinstance(context, str) else context
    question = Question(function, chosen, assume_non_negative, autodetect)
    asked = Asked(options, question, reassociate, z3)
    programs = _source(original, "original.c"), _source(transformed, "new.c")
    if certificate is None:
        tried = try_to_prove(*programs, asked)
    else:
        path = Path(certificate)
        tried = prove_again(*programs, asked, Source(str(path), file_content(path)))
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
    obligations: tuple[Obligation, ...] = ()

    def answer(
        self, compiler: Sequence[str] | None, tell: Progress = lambda _: None
    ) -> Proof | Counterexample | Unknown:
        """The verdict, unless there is a compiler and a run shows that the programs differ."""
        if isinstance(self.verdict, Proof) or compiler is None or not self.scops:
            return self.verdict
        reading, folder = self.asked.options.flags(), Path(self.original.name).parent
        try:
            found = counterexample(
                self.original.name,
                self.original.content,
                readable(self.transformed.content, self.original.content),
                self.asked.options,
                self.scops,
                self.models,
                Toolchain(tuple(compiler), (), reading, folder),
                tell,
                is_exact=not self.asked.reassociates,
                suggested=[told] if (told := told_parameters(self.verdict.witness)) else [],
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
    found = _evidence(claims, alignment, asked)
    if isinstance(found, Unknown):
        models = [_model(each, alignment) for each in claims]
        return Tried(original, transformed, asked, found, scops, models)
    return _proved(original, transformed, asked, scops, found)


def _proved(
    original: Source,
    transformed: Source,
    asked: Asked,
    scops: Sequence[Scop],
    found: Sequence[Evidence],
) -> Tried:
    shown = tuple(each for one in found for each in one.obligations)
    models = [None] * len(scops)
    return Tried(original, transformed, asked, _sum(found), scops, models, shown)


def prove_again(original: Source, transformed: Source, asked: Asked, certificate: Source) -> Tried:
    """Prove what a certificate says, from the two programs; nothing in it is believed."""
    options, question, reassociates = asked.options, asked.question, asked.reassociates
    found: list[Evidence] = []
    try:
        told = read_certificate(certificate.content)
        for each in proved_again(
            told, original, transformed, options, question, reassociates=reassociates
        ):
            one = confirmed(each, asked)
            if isinstance(one, Unknown):
                return Tried(original, transformed, asked, one, (), ())
            found.append(one)
    except BadCertificate as error:
        message = f"this certificate does not hold: {error.reason}"
        hint = "make it anew with --certificate, for these two files"
        problem = Diagnostic("LW821", message, whole_file(certificate.name), hint)
        raise InputError(problem) from None
    return _proved(original, transformed, asked, (), found)


def _evidence(
    claims: Sequence[Claim], alignment: Alignment, asked: Asked
) -> list[Evidence] | Unknown:
    """All regions one by one; the first failure is one of all."""
    found: list[Evidence] = []
    for claim, place in zip(claims, alignment.places, strict=True):
        one = _unchanged(claim.original) if place.is_same else confirmed(evidence(claim), asked)
        if isinstance(one, Unknown):
            return replace(one, span=alignment.told(one.span))
        found.append(one)
    return found


def confirmed(found: Evidence | Unknown, asked: Asked) -> Evidence | Unknown:
    """The same, if z3 agrees where it is to be asked."""
    if isinstance(found, Unknown) or not asked.asks_z3:
        return found
    failure = unconfirmed(found.obligations, "loopwright check")
    if failure is not None:
        obligation, answer = failure
        reason = f"z3 says {answer} to {obligation.kind}, {obligation.where}"
        return Unknown(reason, span=obligation.span)
    return replace(found, proof=replace(found.proof, solvers=("isl", "z3")))


def _unchanged(scop: Scop) -> Evidence:
    """For a region whose text is the same, there is nothing to show."""
    count = sum(not each.is_kill for each in scop.statements)
    return Evidence(Proof(count, count, 0, tuple(each.name for each in scop.arrays), (), 0), (), ())


def _sum(found: Sequence[Evidence]) -> Proof:
    proofs = [each.proof for each in found]
    solvers = [each.solvers for each in proofs if each.obligations]
    return Proof(
        sum(each.statements for each in proofs),
        sum(each.copies for each in proofs),
        sum(each.moves for each in proofs),
        tuple(dict.fromkeys(name for each in proofs for name in each.ordered)),
        tuple(dict.fromkeys(name for each in proofs for name in each.traced)),
        sum(each.parallel_loops for each in proofs),
        tuple(dict.fromkeys(name for each in proofs for name in each.reductions)),
        sum(each.obligations for each in proofs),
        solvers[0] if solvers else ("isl",),
        tuple(dict.fromkeys(each for one in proofs for each in one.assumed)),
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
