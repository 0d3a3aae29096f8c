"""The OpenMP directives of the new text: which loops they stand in front of, and what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from loopwright.basics.records import record
from loopwright.frontend.c_tree import (
    Compound,
    DeclStmt,
    EmptyStmt,
    ForStmt,
    Stmt,
    walk_statements,
)
from loopwright.frontend.facts import started_variable
from loopwright.model.proofs import Stretch
from loopwright.model.scop import Array, Loop, Scop
from loopwright.verify.failure import NotProved
from loopwright.verify.new_program import NewProgram
from loopwright.verify.region_texts import PLAIN
from loopwright.verify.tokens import Token, closing, texts, tokens_of, words_in

_OPENMP = re.compile(r"#\s*pragma\s+omp\s+(.*)")
LOOPS = (
    ("parallel", "for", "simd"),
    ("parallel", "for"),
    ("for", "simd"),
    ("for",),
    ("simd",),
)
BLOCK = ("parallel",)
_REDUCTION = re.compile(r"([+*&|^]|max|min) : (\w+(?: , \w+)*)")
NAMING = frozenset({"schedule", "proc_bind"})
BELONGS_TO = {
    "schedule": ("for",),
    "proc_bind": ("parallel",),
    "default": ("parallel",),
    "num_threads": ("parallel",),
    "if": ("parallel", "simd"),
    "simdlen": ("simd",),
    "safelen": ("simd",),
}
"""Directives that may have a clause; others would not compile."""
SCHEDULES = frozenset({"static", "dynamic", "guided", "auto", "close", "spread", "master"})
_NUMBER = re.compile(r"[1-9]\d{0,3}")
NUMBERS = {
    "num_threads": _NUMBER,
    "simdlen": _NUMBER,
    "safelen": _NUMBER,
    "schedule": re.compile(rf"\w+( , {_NUMBER.pattern})?"),
}
"""A number that is not positive, or larger than a system takes, ends the program."""
COMPUTING = frozenset({"if", "num_threads", "simdlen", "safelen"})
"""Clauses that do not change what a loop computes if it carries nothing."""


@record
class Directive:
    """``#pragma omp parallel for private(a, b)``: its name, and the variables of each thread.

    ``reduced`` has the operators of ``reduction(+: s)`` and the variables, as often as they stand
    there.
    """

    name: tuple[str, ...]
    private: frozenset[str]
    reduced: tuple[tuple[str, str], ...]
    token: Token


@record(eq=False)
class ParallelLoop:
    """A loop whose iterations may run at the same time.

    ``own`` are the arrays that each iteration has for itself, ``of_thread`` those that each thread
    has, in which an iteration may find what another one has left, and ``reductions`` those that are
    computed in parts, with their operators.
    """

    directive: Directive
    statement: ForStmt
    loop: Loop
    own: frozenset[str]
    of_thread: frozenset[str]
    reductions: Mapping[str, str]

    def holds(self, place: int) -> bool:
        """Is this place inside the loop?"""
        return self.statement.span.start < place < self.statement.span.end


def parallel_loops(program: NewProgram, *, reassociates: bool = False) -> list[ParallelLoop]:
    """The loops that the new text marks; any mark that is not understood ends the proof.

    Reductions are not understood unless the program ``reassociates``.
    """
    stretch = _stretch(program)
    tokens = tokens_of(program.rewriting.after, stretch.new_start, stretch.new_end)
    known = frozenset(each.text for each in program.scop.parameters) | PLAIN
    directives = list(_directives(tokens, known))
    for each in directives:
        if each.reduced and (each.name == BLOCK or not reassociates):
            raise NotProved(f"{each.token.text} computes in another order")
    blocks = [_Block(program, each, tokens) for each in directives if each.name == BLOCK]
    found = [_marked(program, each, tokens, blocks) for each in directives if each.name != BLOCK]
    for each in directives:
        _require_usual_nesting(each, found)
    for block in blocks:
        block.require_nothing_else(found)
    return found


def _stretch(program: NewProgram) -> Stretch:
    inside = program.region.span.start
    (found,) = (
        each for each in program.rewriting.stretches if each.new_start <= inside < each.new_end
    )
    return found


def _require_usual_nesting(directive: Directive, loops: Sequence[ParallelLoop]) -> None:
    """Inside a marked loop, only inner loops may be marked, and only for vectors."""
    around = [each for each in loops if each.holds(directive.token.start)]
    names = {each.directive.name[-1] for each in around}
    if around and (directive.name != ("simd",) or "simd" in names):
        raise NotProved(f"{directive.token.text} stands inside of another parallel loop")


def _directives(tokens: Sequence[Token], known: frozenset[str]) -> Iterator[Directive]:
    for token in tokens:
        if not token.is_directive or token.is_border or _is_macro(token):
            continue
        match = _OPENMP.fullmatch(token.text)
        if match is None:
            raise NotProved(f"the new text has the directive {token.text}")
        yield _directive(match.group(1), token, known)


def _is_macro(token: Token) -> bool:
    return re.match(r"#\s*(define|undef)\b", token.text) is not None


def _directive(text: str, token: Token, known: frozenset[str]) -> Directive:
    words = tokens_of(text.encode())
    name = next((each for each in (*LOOPS, BLOCK) if texts(words[: len(each)]) == [*each]), None)
    if name is None:
        raise NotProved(f"the new text has the directive {token.text}")
    private: set[str] = set()
    reduced: list[tuple[str, str]] = []
    at = len(name)
    while at < len(words):
        if words[at].text == ",":
            at += 1
            continue
        end = closing(words, at + 1) if texts(words[at + 1 : at + 2]) == ["("] else None
        if end is None:
            raise NotProved(f"{words[at].text} in {token.text} is not understood")
        inside = words[at + 2 : end]
        if words[at].text == "reduction":
            reduced += _reduced(inside, token)
        else:
            _require_belonging(words[at].text, name, token)
            private |= _clause(words[at].text, inside, token, known)
        at = end + 1
    return Directive(name, frozenset(private), tuple(reduced), token)


def _require_belonging(clause: str, name: tuple[str, ...], token: Token) -> None:
    if clause in BELONGS_TO and not set(name) & set(BELONGS_TO[clause]):
        raise NotProved(f"{clause} does not belong to {token.text}")


def _reduced(inside: Sequence[Token], token: Token) -> Iterator[tuple[str, str]]:
    """The operator and the variables of ``reduction(+: s, t)``."""
    match = _REDUCTION.fullmatch(" ".join(texts(inside)))
    if match is None:
        raise NotProved(f"reduction in {token.text} is not understood")
    for variable in match.group(2).split(" , "):
        yield match.group(1), variable


def _clause(name: str, inside: Sequence[Token], token: Token, known: frozenset[str]) -> set[str]:
    """The variables that a clause makes private; others may only be of the ``known`` ones."""
    content = " ".join(texts(inside))
    if name == "private" and re.fullmatch(r"\w+( , \w+)*", content):
        return {each.text for each in inside if each.is_word}
    is_default = name == "default" and content in ("shared", "none")
    is_named = words_in(inside) <= (SCHEDULES if name in NAMING else known)
    is_harmless = name in NAMING or (name in COMPUTING and _changes_nothing(content))
    is_harmless = is_harmless and is_named
    if name in NUMBERS:
        is_harmless = is_harmless and NUMBERS[name].fullmatch(content) is not None
    if not is_default and not is_harmless:
        raise NotProved(f"{name} in {token.text} is not understood")
    return set()


def _changes_nothing(expression: str) -> bool:
    """An expression of numbers and variables, without calls, assignments and divisions?

    >>> _changes_nothing("1.0 * n * ( long ) m > = 50000"), _changes_nothing("n = f ( m )")
    (True, False)
    """
    without = re.sub(r"[<>=!] =", "<", expression)
    is_plain = re.fullmatch(r"[\w\s()+\-*<>&|!.]*", without) is not None
    return is_plain and re.search(r"\w \(|\+ \+|- -", without) is None


def _marked(
    program: NewProgram,
    directive: Directive,
    tokens: Sequence[Token],
    blocks: Sequence[_Block],
) -> ParallelLoop:
    statement = program.loops.get(_next(directive, tokens, "for"))
    loop = None
    if statement is not None:
        same = [each for each in program.scop.loops if each.span.start == statement.span.start]
        loop = same[0] if len(same) == 1 else None
    if statement is None or loop is None:
        raise NotProved(f"{directive.token.text} does not stand in front of a loop that is known")
    around = [each for each in blocks if each.holds(statement)]
    if (directive.name[0] == "for") != (len(around) == 1):
        raise NotProved(f"{directive.token.text} needs one parallel block around it")
    private = directive.private.union(*(each.directive.private for each in around))
    reductions = _reductions(program, directive, statement, private, around)
    _require_scalars(private, statement, program)
    _require_own_iterators(statement, private, [each.block for each in around])
    own = [each for each in program.scop.arrays if each.is_local and _is_inside(each, statement)]
    of_thread = [
        each
        for each in program.scop.arrays
        if each not in own
        and (each.variable in private or any(one.declares(each) for one in around))
    ]
    return ParallelLoop(directive, statement, loop, _names(own), _names(of_thread), reductions)


def _reductions(
    program: NewProgram,
    directive: Directive,
    loop: ForStmt,
    private: frozenset[str],
    around: Sequence[_Block],
) -> dict[str, str]:
    """The variables that a loop reduces: scalars that all threads see, each of them once."""
    found: dict[str, str] = {}
    for operator, variable in directive.reduced:
        named = [
            each
            for each in program.scop.arrays
            if each.variable == variable and _is_visible(each, loop, program)
        ]
        is_shared = not any(block.declares(each) for block in around for each in named)
        is_scalar = len(named) == 1 and named[0].rank == 0 and len(named[0].parts) == 1
        if not is_scalar or not is_shared or variable in private or named[0].name in found:
            raise NotProved(f"{variable} cannot be reduced in {directive.token.text}")
        found[named[0].name] = operator
    return found


def _require_scalars(private: frozenset[str], loop: ForStmt, program: NewProgram) -> None:
    """What each thread has for itself begins without a value: that is no good for a parameter."""
    inner = [each for each in walk_statements(loop) if isinstance(each, ForStmt)]
    started = [started_variable(each.start) for each in inner]
    allowed = {each.name for each in started if each is not None}
    allowed |= {each.variable for each in program.scop.arrays if each.rank == 0}
    allowed -= {each.variable for each in program.scop.arrays if each.rank > 0}
    if private - allowed:
        reason = f"{min(private - allowed)} has no value where it is private"
        raise NotProved(reason, span=loop.span)


def _names(arrays: Sequence[Array]) -> frozenset[str]:
    return frozenset(each.name for each in arrays)


def _next(directive: Directive, tokens: Sequence[Token], word: str) -> int:
    """Where the token behind a directive begins, if it is this one."""
    at = tokens.index(directive.token) + 1
    is_there = at < len(tokens) and tokens[at].text == word
    return tokens[at].start if is_there else -1


def _is_visible(array: Array, loop: ForStmt, program: NewProgram) -> bool:
    """May the loop mean it?  Not what it declares itself, nor what a block beside it does."""
    if not array.is_local:
        return True
    blocks = [
        each
        for statement in program.region.statements
        for each in walk_statements(statement)
        if isinstance(each, Compound) and each.is_scope and _is_inside(array, each)
    ]
    has_loop = all(each.span.start < loop.span.start < each.span.end for each in blocks)
    return has_loop and not _is_inside(array, loop)


def _is_inside(array: Array, statement: Stmt) -> bool:
    return statement.span.start < array.span.start < statement.span.end


def _require_own_iterators(
    loop: ForStmt, private: frozenset[str], around: Sequence[Compound]
) -> None:
    """The iterators of inner loops must belong to an iteration: C shares what it can."""
    for each in walk_statements(loop.body):
        if isinstance(each, ForStmt):
            variable = started_variable(each.start)
            declared = variable.span.start if variable is not None else -1
            is_own = any(one.span.start < declared < one.span.end for one in (loop, *around))
            if not is_own and (variable is None or variable.name not in private):
                raise NotProved("an inner loop shares its iterator with others", span=each.span)


class _Block:
    """``#pragma omp parallel`` and the block that all threads run."""

    def __init__(self, program: NewProgram, directive: Directive, tokens: Sequence[Token]) -> None:
        place = _next(directive, tokens, "{")
        blocks = [
            each
            for statement in program.region.statements
            for each in walk_statements(statement)
            if isinstance(each, Compound) and each.is_scope and each.span.start == place
        ]
        if len(blocks) != 1:
            raise NotProved(f"{directive.token.text} does not stand in front of a block")
        self.directive = directive
        self.block = blocks[0]
        self._scop: Scop = program.scop

    def holds(self, statement: Stmt) -> bool:
        """Does the statement stand in the block?"""
        return self.block.span.start < statement.span.start < self.block.span.end

    def declares(self, array: Array) -> bool:
        """Has each thread a variable of its own behind the array?"""
        return array.is_local and _is_inside(array, self.block)

    def require_nothing_else(self, loops: Sequence[ParallelLoop]) -> None:
        """Outside its shared loops, the threads may only declare variables and count."""
        shared = [each.loop for each in loops if self._is_shared(each)]
        starts = {each.span.start for each in shared}
        self._require_only_loops(self.block.statements, starts)
        inside = {name for each in shared for name in each.statements}
        for each in self._scop.statements:
            is_here = self.block.span.start < each.span.start < self.block.span.end
            if is_here and not each.is_kill and each.name not in inside:
                raise NotProved(f"every thread runs {each.text}", span=each.span)

    def _is_shared(self, loop: ParallelLoop) -> bool:
        return loop.directive.name[0] == "for" and self.holds(loop.statement)

    def _require_only_loops(self, statements: Sequence[Stmt], starts: set[int]) -> None:
        for each in statements:
            if isinstance(each, ForStmt):
                if each.span.start not in starts:
                    self._require_counting(each)
                    self._require_only_loops((each.body,), starts)
            elif isinstance(each, Compound):
                self._require_only_loops(each.statements, starts)
            elif not isinstance(each, DeclStmt | EmptyStmt):
                raise NotProved("every thread runs this", span=each.span)

    def _require_counting(self, loop: ForStmt) -> None:
        """A loop that every thread runs needs an iterator in every thread."""
        variable = started_variable(loop.start)
        declared = variable.span.start if variable is not None else -1
        if not self.block.span.start < declared < self.block.span.end:
            raise NotProved("the threads share an iterator", span=loop.span)
