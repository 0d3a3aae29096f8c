"""The generated part of a region's new text, read by the front end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

import islpy as isl

from loopwright.basics.c_tokens import tokens_of
from loopwright.basics.records import record
from loopwright.basics.spans import Span
from loopwright.frontend.affine import condition_of
from loopwright.frontend.c_reader import CReader
from loopwright.frontend.c_tree import (
    AssignExpr,
    CallExpr,
    DeclStmt,
    ForStmt,
    IfStmt,
    IncrementExpr,
    Stmt,
    declarations_in,
    extents_of,
    walk_expression,
    walk_statements,
)
from loopwright.frontend.clang_library import ParsedFile, Provenance, ReadOptions
from loopwright.frontend.preprocessing import Unit
from loopwright.frontend.reading import Question
from loopwright.frontend.regions import Region, pragmas_of, region_in
from loopwright.frontend.risks import Risk
from loopwright.frontend.scop_builder import region_facts, scop_from_region
from loopwright.frontend.scope import Scope
from loopwright.frontend.workshop import Overflow, Workshop
from loopwright.model.proofs import Rewriting, Stretch
from loopwright.model.scop import Assumption, Scop
from loopwright.polyhedra.limits import limited
from loopwright.verify.continued_loops import with_starts
from loopwright.verify.failure import NotProved
from loopwright.verify.region_texts import RegionParts

MOST_OPERATIONS = 20_000_000
PATIENCE = 20
"""Generated loops have bounds that nobody would write."""


@record(eq=False, slots=False)
class NewProgram:
    """The generated loops as a model, their syntax, and the condition under which they run.

    ``rewriting`` leads to the text that was read: the new one, with blanks for what is not part of
    the generated loops; the region stands in the ``stretch`` of it.
    """

    scop: Scop
    region: Region
    test: isl.Set
    risks: tuple[Risk, ...]
    rewriting: Rewriting
    stretch: Stretch
    tested: tuple[Risk, ...] = ()
    """Those of the test itself, which is evaluated in all cases."""

    @cached_property
    def declared(self) -> frozenset[str]:
        """The variables that the generated part declares."""
        return frozenset(each.variable.name for each in self._walk() if isinstance(each, DeclStmt))

    @cached_property
    def exposed(self) -> frozenset[str]:
        """Those of them that are seen behind it, too: they are declared outside of any block."""
        return frozenset(
            each.variable.name
            for statement in self.region.statements
            for each in declarations_in(statement)
        )

    @cached_property
    def loops(self) -> dict[int, ForStmt]:
        """The loops of the text, by where they begin."""
        return {each.span.start: each for each in self._walk() if isinstance(each, ForStmt)}

    def _walk(self) -> list[Stmt]:
        found: list[Stmt] = []
        for statement in self.region.statements:
            found += walk_statements(statement)
        return found


@record(eq=False)
class Texts:
    """The preprocessed programs that a claim is about, and how to read them."""

    rewriting: Rewriting
    stretch: Stretch
    provenance: Provenance
    before: Unit
    options: ReadOptions
    question: Question

    def original(self) -> Texts:
        """The original program alone, in the place of both."""
        old = replace(self.stretch, new_start=self.stretch.start, new_end=self.stretch.end)
        before = self.before
        unchanged = Rewriting(before.name, before.text, before.text, (old,))
        return replace(self, rewriting=unchanged, stretch=old, provenance=before)

    def region(self) -> tuple[CReader, Region]:
        """The statements of the new program that stand in the stretch."""
        content = self.rewriting.after
        reader = CReader(ParsedFile(self.rewriting.name, content, self.options, self.provenance))
        inside = self.stretch.new_start, self.stretch.new_end
        return reader, region_in(reader, pragmas_of(reader), inside)


def read_generated(texts: Texts, parts: RegionParts) -> NewProgram:
    """Read the new program with nothing but the test and the generated loops in the region."""
    readable = replace(texts, rewriting=_readable(texts.rewriting, parts.hidden))
    reader, region = readable.region()
    marked = _behind_directives(readable, region)
    statements = with_starts(region.statements, lambda each: each.span.start in marked)
    region = replace(region, statements=statements)
    workshop = _workshop(reader, region, texts.question, Overflow.REFUSED)
    with limited(MOST_OPERATIONS):
        scop = scop_from_region(region, workshop)
        before = len(workshop.risks)
        test = _test(region, parts, workshop)
    tested = tuple(workshop.risks[before:])
    _require_idle_sizes(region)
    _note_clauses(readable, region, workshop)
    risks = tuple(workshop.risks)
    return NewProgram(scop, region, test, risks, readable.rewriting, texts.stretch, tested)


def _note_clauses(texts: Texts, region: Region, workshop: Workshop) -> None:
    """The clauses of directives evaluate what stands in them, wherever that is."""
    content = texts.rewriting.after
    for each in tokens_of(content, texts.stretch.new_start, texts.stretch.new_end):
        if each.is_directive:
            words = "".join(each.text.split())
            for text in workshop.asking:
                if "".join(text.split()) in words:
                    workshop.note_evaluation(text, Scope(), region.span)


def _behind_directives(texts: Texts, region: Region) -> frozenset[int]:
    """The places in a region that follow a directive of OpenMP."""
    inside = tokens_of(texts.rewriting.after, texts.stretch.new_start, region.span.end)
    return frozenset(
        each.start for one, each in pairwise(inside) if re.match(r"#\s*pragma\s+omp\b", one.text)
    )


@record(eq=False)
class Defined:
    """The parameter values for which the original region does not certainly overflow.

    For any others, C does not say what the original program does.  The ``risks`` are those that it
    takes: where it is defined, they fit their types.
    """

    cases: isl.Set
    risks: tuple[Risk, ...]


def defined(texts: Texts) -> Defined:
    """When the original region is defined."""
    scop, workshop = _original(texts, Overflow.EXCLUDED)
    return Defined(scop.context, tuple(workshop.risks))


def original_model(texts: Texts) -> Scop:
    """The original region once more, where the sizes of arrays from outside need not be positive.

    An array of size zero is no problem if nobody touches it, and C allows it for a parameter.
    """
    return _original(texts, Overflow.IGNORED)[0]


def _original(texts: Texts, overflow: Overflow) -> tuple[Scop, Workshop]:
    reader, region = texts.original().region()
    workshop = _workshop(reader, region, texts.question, overflow)
    with limited(MOST_OPERATIONS):
        return scop_from_region(region, workshop), workshop


def _workshop(reader: CReader, region: Region, question: Question, overflow: Overflow) -> Workshop:
    workshop = Workshop(
        reader.parsed,
        region_facts(region),
        region.function.name,
        question.assume_non_negative,
        overflow=overflow,
        patience=PATIENCE,
        sized_within=region.span,
    )
    if question.context is not None:
        workshop.context = question.context
        workshop.assumptions.append(Assumption(question.context, "the user gave it", region.span))
    return workshop


def _readable(rewriting: Rewriting, hidden: Sequence[tuple[int, int]]) -> Rewriting:
    """What is hidden becomes blank, so that places stay the same."""
    content = rewriting.after
    for start, end in hidden:
        blank = bytes(each if each in b"\r\n" else ord(" ") for each in content[start:end])
        content = content[:start] + blank + content[end:]
    return replace(rewriting, after=content)


def _test(region: Region, parts: RegionParts, workshop: Workshop) -> isl.Set:
    if not parts.test:
        return isl.Set("{ : }")
    (only, *others) = region.statements
    if others or not isinstance(only, IfStmt) or only.otherwise is not None:
        raise NotProved("the test of the new text cannot be read")
    test = condition_of(only.condition, Scope().deciding(), workshop)
    if test is None:
        raise NotProved("the test of the new text is not affine", span=only.condition.span)
    return test


def _require_idle_sizes(region: Region) -> None:
    """The sizes of arrays that the generated part declares must not do anything."""
    for statement in region.statements:
        for each in walk_statements(statement):
            sizes = extents_of(each.variable.type) if isinstance(each, DeclStmt) else ()
            for size in sizes:
                if any(isinstance(one, _ACTIVE) for one in walk_expression(size)):
                    raise NotProved("the size of an array has an effect", span=each.span)


_ACTIVE = AssignExpr | IncrementExpr | CallExpr


def place_before(rewriting: Rewriting, span: Span) -> int | None:
    """Where a place was in the file before; ``None`` for what only the new text has."""
    for stretch in reversed(rewriting.stretches):
        if span.start >= stretch.new_end:
            return span.start - stretch.new_end + stretch.end
        if span.start >= stretch.new_start:
            return None
    return span.start
