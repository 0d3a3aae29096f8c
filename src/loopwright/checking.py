"""Are two programs the same?  :func:`check` answers with a proof, a counterexample, or a reason.

The instance map is inferred, and a proof that relies on nothing else is tried with it.  Where there
is none, both programs are evaluated for small sizes, and run if that was asked for: a case in which
they differ says more than a proof that failed.  Unless asked to, nothing of a program is executed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import islpy as isl

from loopwright.basics.diagnostics import Diagnostic, InputError
from loopwright.basics.records import record
from loopwright.basics.spans import whole_file
from loopwright.certifying import Source, proved_again
from loopwright.frontend.clang_library import ReadOptions
from loopwright.frontend.compilers import COMPILER, CannotPreprocess, Compiler
from loopwright.frontend.inputs import file_content, parsed_context
from loopwright.frontend.preprocessing import Unit
from loopwright.frontend.reading import (
    Question,
    Reading,
    read_source,
    source_of,
)
from loopwright.model.proofs import Counterexample, Proof, Unknown, Verdict
from loopwright.model.scop import Scop
from loopwright.tuning.counterexamples import counterexample
from loopwright.tuning.evaluated import Sides, evaluated
from loopwright.tuning.toolchain import CannotRun, Toolchain
from loopwright.verify.alignment import Alignment
from loopwright.verify.certificates import BadCertificate, read_certificate
from loopwright.verify.failure import NotProved, told_parameters
from loopwright.verify.paths import Obligation
from loopwright.verify.programs import Original, both_programs, original_of, readable_unit
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
    run: bool = False,
    compiler: str = COMPILER,
) -> Proof | Counterexample | Unknown:
    """Is a transformed program the same as the original?

    A :class:`~loopwright.Proof` says that it is, a :class:`~loopwright.Counterexample` names a case
    in which it is not, and an :class:`~loopwright.Unknown` says why neither was found.  The regions
    are those of the original; in the other file they need not be marked.  Both are what the
    ``compiler`` sees.  Nothing of them is executed, unless to ``run`` them is wanted: then both are
    compiled and compared where there is no proof, and no case in which they differ by what their
    texts say.  With a ``certificate``, a file, what it says is proved again, and nothing is
    inferred.  If ``z3`` is asked as well (extra ``proof``), it has to confirm all that isl says
    about the paths of the new text.

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
    >>> print(check(original, original.replace("i = 0", "i = 1")))  # doctest: +ELLIPSIS
    not equivalent: for n = 1: A[0] is ... (by S0 at (i = 0), line 4: ...) before, ... now
    """
    called = Compiler.called(compiler)
    options = ReadOptions(tuple(include), tuple(system_include), tuple(define), standard, called)
    chosen = parsed_context(context) if isinstance(context, str) else context
    question = Question(function, chosen, assume_non_negative, autodetect)
    asked = Asked(options, question, reassociate, z3)
    programs = _source(original, "original.c"), _source(transformed, "new.c")
    if certificate is None:
        tried = try_to_prove(*programs, asked)
    else:
        path = Path(certificate)
        tried = prove_again(*programs, asked, Source(str(path), file_content(path)))
    return tried.answer(called.command if run else None)


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
        """The verdict, unless a case shows that the programs differ.

        They are evaluated; nothing is executed unless there is a compiler, and then only if that
        has found nothing.
        """
        if isinstance(self.verdict, Proof) or not self.scops:
            return self.verdict
        found = self._evaluated()
        if found is None and compiler is not None:
            found = self._run(compiler, tell)
        return self.verdict if found is None else replace(found, reason=str(self.verdict))

    @property
    def _suggested(self) -> list[Mapping[str, int]]:
        """The values of the parameters for which something could not be shown."""
        assert isinstance(self.verdict, Unknown)
        told = told_parameters(self.verdict.witness)
        return [told] if told else []

    def _evaluated(self) -> Counterexample | None:
        sides = Sides(
            (self.original.name, self.transformed.name),
            (self.original.content, self.transformed.content),
            self.asked.options,
            self.scops,
            self.models,
            not self.asked.reassociates,
        )
        return evaluated(sides, self._suggested)

    def _run(self, compiler: Sequence[str], tell: Progress) -> Counterexample | None:
        reading, folder = self.asked.options.flags(), Path(self.original.name).parent
        try:
            return counterexample(
                self.original.name,
                self.original.content,
                self.transformed.content,
                self.asked.options,
                self.scops,
                self.models,
                Toolchain(tuple(compiler), (), reading, folder),
                tell,
                is_exact=not self.asked.reassociates,
                suggested=self._suggested,
            )
        except CannotRun:
            return None


def try_to_prove(original: Source, transformed: Source, asked: Asked) -> Tried:
    """Read two programs, and try to prove that they are the same."""
    options, question = asked.options, asked.question
    found = read_source(original.name, original.content, options, question)
    scops = sorted(found.scops, key=lambda each: each.span.start)
    try:
        alignment, claims = _claims(original, transformed, found, asked)
    except NotProved as failure:
        verdict = Unknown(failure.reason, failure.witness, failure.span)
        return Tried(original, transformed, asked, verdict, scops, [None] * len(scops))
    found = _evidence(claims, asked)
    if isinstance(found, Unknown):
        models = [_model(each, alignment) for each in claims]
        return Tried(original, transformed, asked, found, scops, models)
    return _proved(original, transformed, asked, scops, found)


def _claims(
    original: Source, transformed: Source, found: Reading, asked: Asked
) -> tuple[Alignment, list[Claim]]:
    """That each region is the same in both programs, as their compiler sees them."""
    regions = sorted((each.span.start, each.span.end) for each in found.scops)

    def see(options: ReadOptions) -> tuple[Original, Unit]:
        name, content = original.name, original.content
        before = original_of(name, content, regions, options, asked.question)
        file = before.unit.file
        return before, readable_unit(transformed.name, transformed.content, options, file)

    try:
        programs = both_programs(see, asked.options)
    except CannotPreprocess as problem:
        raise NotProved(f"a compiler does not take {original.name}: {problem.reason}") from None
    programs.require_rest(found.numbers)
    claims = [
        programs.claim(number, None, reassociates=asked.reassociates) for number in found.numbers
    ]
    return programs.alignment, claims


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


def _evidence(claims: Sequence[Claim], asked: Asked) -> list[Evidence] | Unknown:
    """All regions one by one; the first failure is one of all."""
    found: list[Evidence] = []
    for claim in claims:
        one = confirmed(evidence(claim), asked)
        if isinstance(one, Unknown):
            return one
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
        tuple(dict.fromkeys(each for one in proofs for each in one.configurations)),
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
