"""Certificates of new programs: made where a program is transformed, and proved again anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from loopwright.basics.records import record
from loopwright.frontend.clang_library import ParsedFile, ReadOptions
from loopwright.frontend.reading import Question, answering_deep_nesting, read_source
from loopwright.model.proofs import Rewriting, Unknown, hint_from_loops
from loopwright.model.scop import Scop
from loopwright.pipeline import NoProof, Outcome
from loopwright.verify.certificates import (
    BadCertificate,
    Certificate,
    CertifiedRegion,
    Reading,
    clauses_of,
    digest,
    reading_of,
)
from loopwright.verify.read_back import Claim, Evidence, evidence


def claims_of(
    outcome: Outcome, options: ReadOptions, question: Question, *, reassociates: bool = False
) -> list[Claim]:
    """What is to be proved of a new program: a claim for each region that has new text."""
    changed = [(each, each.stretch) for each in outcome.regions if each.stretch is not None]
    stretches = tuple(stretch for _, stretch in changed)
    new = Rewriting(outcome.name, outcome.original, outcome.content, stretches)
    claims: list[Claim] = []
    for region, stretch in changed:
        assert region.loops is not None, "new text was made of loops"
        hint = hint_from_loops(region.loops)
        claims.append(Claim(region.scop, new, stretch, hint, options, question, reassociates))
    return claims


def certificate_of(
    outcome: Outcome, options: ReadOptions, question: Question, *, reassociates: bool = False
) -> Certificate:
    """What is proved of a new program, with the paths of its text followed.

    Raises :class:`~loopwright.NoProof` where that cannot be done.
    """
    regions: list[CertifiedRegion] = []
    for claim in claims_of(outcome, options, question, reassociates=reassociates):
        found = evidence(claim)
        if isinstance(found, Unknown):
            raise NoProof(claim.original, found)
        regions.append(
            CertifiedRegion(
                claim.original.function,
                claim.stretch,
                found.instances,
                clauses_of(found.obligations),
            )
        )
    return Certificate(
        digest(outcome.original),
        digest(outcome.content),
        reading_of(options, question, reassociates=reassociates),
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
    scops = read_source(original.name, original.content, options, question).scops
    with answering_deep_nesting(transformed.name):
        ParsedFile(transformed.name, transformed.content, options)  # or it is bad input
    for region in certificate.regions:
        scop = _region_of(region, scops)
        claim = Claim(scop, new, region.stretch, region.instances, options, question, reassociates)
        found = evidence(claim)
        if isinstance(found, Evidence) and clauses_of(found.obligations) != region.clauses:
            raise BadCertificate(
                f"it lists other obligations for {region.function} than the texts have"
            )
        yield found


def _require_same_texts(certificate: Certificate, original: Source, transformed: Source) -> None:
    for told, text in (
        (certificate.original, original),
        (certificate.transformed, transformed),
    ):
        if told != digest(text.content):
            raise BadCertificate(f"it is about another text than {text.name}")


def _other_reading(certificate: Certificate, reading: Reading) -> str:
    """What differs in how the texts were read."""
    for each in fields(certificate.reading):
        told, given = getattr(certificate.reading, each.name), getattr(reading, each.name)
        if told != given:
            return f"{each.name} was {told!r} when it was made, and is {given!r} now"
    raise AssertionError("nothing differs")


def _region_of(region: CertifiedRegion, scops: Sequence[Scop]) -> Scop:
    stretch = region.stretch
    for each in scops:
        if stretch.start <= each.span.start and each.span.end <= stretch.end:
            return each
    raise BadCertificate(f"there is no region of {region.function} where it says there is one")
