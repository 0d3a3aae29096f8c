"""Certificates of new programs: made where a program is transformed, and proved again anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from loopwright.basics.records import record
from loopwright.fates import NoProof, Outcome
from loopwright.frontend.clang_library import ParsedFile, ReadOptions
from loopwright.frontend.reading import Question, Reading, answering_deep_nesting, read_source
from loopwright.model.proofs import Configuration, Hint, Rewriting, Unknown, hint_from_loops
from loopwright.verify.certificates import (
    BadCertificate,
    Certificate,
    CertifiedRegion,
    Conditions,
    clauses_of,
    digest,
    reading_of,
)
from loopwright.verify.failure import NotProved
from loopwright.verify.programs import claims_about
from loopwright.verify.read_back import Claim, Evidence, evidence


def claims_of(
    outcome: Outcome, options: ReadOptions, question: Question, *, reassociates: bool = False
) -> list[Claim]:
    """What is to be proved of a new program: a claim for each region that has new text."""
    changed = [(each, each.stretch) for each in outcome.regions if each.stretch is not None]
    stretches = tuple(stretch for _, stretch in changed)
    new = Rewriting(outcome.name, outcome.original, outcome.content, stretches)
    hints: list[Hint] = []
    for region, _ in changed:
        assert region.loops is not None, "new text was made of loops"
        hints.append(hint_from_loops(region.loops))
    numbers = [outcome.numbers[at] for at, each in enumerate(outcome.regions) if each.stretch]
    if question.autodetect:
        numbers = list(range(len(hints)))  # nobody else marks any
    return claims_about(
        outcome.name, new, numbers, hints, options, question, reassociates=reassociates
    )


def certificate_of(
    outcome: Outcome, options: ReadOptions, question: Question, *, reassociates: bool = False
) -> Certificate:
    """What is proved of a new program, with the paths of its text followed.

    Raises :class:`~loopwright.NoProof` where that cannot be done.
    """
    changed = [(each.scop, each.stretch) for each in outcome.regions if each.stretch is not None]
    try:
        claims = claims_of(outcome, options, question, reassociates=reassociates)
    except NotProved as failure:
        raise NoProof(changed[0][0], Unknown(failure.reason)) from None
    regions: list[CertifiedRegion] = []
    configurations: dict[Configuration, None] = {}
    for claim, (scop, stretch) in zip(claims, changed, strict=True):
        found = evidence(claim)
        if isinstance(found, Unknown):
            raise NoProof(scop, found)
        configurations |= dict.fromkeys(found.proof.configurations)
        regions.append(
            CertifiedRegion(
                scop.function,
                stretch,
                found.instances,
                clauses_of(found.obligations),
            )
        )
    return Certificate(
        digest(outcome.original),
        digest(outcome.content),
        reading_of(options, question, reassociates=reassociates),
        tuple(configurations),
        tuple(regions),
    )


@record
class Source:
    """A program, and what messages call it."""

    name: str
    content: bytes


def proved_again(
    certificate: Certificate,
    original: Source,
    transformed: Source,
    options: ReadOptions,
    question: Question,
    *,
    reassociates: bool = False,
) -> Iterator[Evidence | Unknown]:
    """The proof of each region that a certificate speaks of, from the two texts.

    Raises :class:`BadCertificate` where it is about something else.
    """
    _require_same_texts(certificate, original, transformed)
    reading = reading_of(options, question, reassociates=reassociates)
    if certificate.reading != reading:
        raise BadCertificate(_other_reading(certificate, reading))
    stretches = tuple(each.stretch for each in certificate.regions)
    new = Rewriting(transformed.name, original.content, transformed.content, stretches)
    if not stretches and original.content != transformed.content:
        raise BadCertificate("it says nothing about the region that has changed")
    found = read_source(original.name, original.content, options, question)
    with answering_deep_nesting(transformed.name):
        ParsedFile(transformed.name, transformed.content, options)  # or it is bad input
    numbers = [_number_of(each, found) for each in certificate.regions]
    if question.autodetect:
        numbers = list(range(len(numbers)))
    hints = [each.instances for each in certificate.regions]
    try:
        claims = claims_about(
            original.name, new, numbers, hints, options, question, reassociates=reassociates
        )
    except NotProved as failure:
        yield Unknown(failure.reason, failure.witness, failure.span)
        return
    told = dict.fromkeys(each for claim in claims for each in claim.configurations)
    _require_same_configurations(certificate.configurations, tuple(told))
    for region, claim in zip(certificate.regions, claims, strict=True):
        shown = evidence(claim)
        if isinstance(shown, Evidence) and clauses_of(shown.obligations) != region.clauses:
            raise BadCertificate(
                f"it lists other obligations for {region.function} than the texts have"
            )
        yield shown


def _require_same_configurations(
    told: Sequence[Configuration], given: Sequence[Configuration]
) -> None:
    for one, other in zip(told, given, strict=False):
        if (one.compiler, one.flags) != (other.compiler, other.flags):
            raise BadCertificate(f"it is about {one}, and this is {other}")
        for what in ("macros", "headers"):
            if getattr(one, what) != getattr(other, what):
                raise BadCertificate(f"the {what} of {one} were others when it was made")
    if len(told) != len(given):
        raise BadCertificate("the program asked for other flags when it was made")


def _require_same_texts(certificate: Certificate, original: Source, transformed: Source) -> None:
    for told, text in (
        (certificate.original, original),
        (certificate.transformed, transformed),
    ):
        if told != digest(text.content):
            raise BadCertificate(f"it is about another text than {text.name}")


def _other_reading(certificate: Certificate, reading: Conditions) -> str:
    """What differs in how the texts were read."""
    for each in fields(certificate.reading):
        told, given = getattr(certificate.reading, each.name), getattr(reading, each.name)
        if told != given:
            return f"{each.name} was {told!r} when it was made, and is {given!r} now"
    raise AssertionError("nothing differs")


def _number_of(region: CertifiedRegion, found: Reading) -> int:
    """Which region of the program a certificate speaks of."""
    stretch = region.stretch
    for number, each in zip(found.numbers, found.scops, strict=True):
        if stretch.start <= each.span.start and each.span.end <= stretch.end:
            return number
    raise BadCertificate(f"there is no region of {region.function} where it says there is one")
