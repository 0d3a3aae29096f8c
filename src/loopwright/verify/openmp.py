"""The OpenMP directives of the new text: which loops they stand in front of, and what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from loopwright.basics.c_tokens import Token, closing, texts, tokens_of
from loopwright.basics.records import record
from loopwright.frontend.c_tree import (
    BinaryExpr,
    CastExpr,
    Compound,
    DeclStmt,
    EmptyStmt,
    Expr,
    ForStmt,
    IncrementExpr,
    Stmt,
    Use,
    Variable,
    walk_expression,
    walk_statements,
)
from loopwright.frontend.headers import started_variable
from loopwright.model.bodies import Binary, Cast, Expression, Literal, Name
from loopwright.model.scop import Array, Loop, Scop, type_ranges
from loopwright.verify.failure import NotProved
from loopwright.verify.integers import BodyIntegers
from loopwright.verify.new_program import NewProgram

_OPENMP = re.compile(r"#\s*pragma\s+omp\s+(.*)")
_HINT = re.compile(
    r"#\s*pragma\s+(GCC\s+(unroll\s+\d{1,5}|novector)|unroll(\s*\(\s*\d{1,5}\s*\))?|nounroll"
    r"|clang\s+loop\s+(unroll\s*\(\s*(enable|disable|full)|unroll_count\s*\(\s*\d{1,5})\s*\)"
    r"|clang\s+loop\s+(vectorize|interleave)\s*\(\s*disable\s*\))"
)
"""Pragmas that ask for other machine code which computes the same.

Where clang is told to vectorize, it adds in another order.
"""
_INDEPENDENT = re.compile(
    r"#\s*pragma\s+(GCC\s+ivdep|ivdep|clang\s+loop\s+(vectorize|interleave)\s*\(\s*assume_safety\s*\))"
)
"""Those that say of a loop what ``omp simd`` says."""
LOOPS = (
    ("parallel", "for", "simd"),
    ("parallel", "for"),
    ("for", "simd"),
    ("for",),
    ("simd",),
)
BLOCK = ("parallel",)
_REDUCTION = re.compile(r"([+*&|^]|max|min) : (\w+(?: , \w+)*)")
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
_NUMBER = r"[1-9]\d{0,3}"
HARMLESS = {
    "schedule": re.compile(rf"(static|dynamic|guided)( , {_NUMBER})?|auto"),
    "proc_bind": re.compile("close|spread|master"),
    "default": re.compile("shared"),
    "num_threads": re.compile(_NUMBER),
    "simdlen": re.compile(_NUMBER),
    "safelen": re.compile(_NUMBER),
}
"""Clauses that do not change what a loop computes if it carries nothing, and what they may say.

A number that is not positive, or larger than a system takes, ends the program.
"""


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
    stretch = program.stretch
    tokens = tokens_of(program.rewriting.after, stretch.new_start, stretch.new_end)
    directives = list(_directives(tokens, _parameters(program)))
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


def _parameters(program: NewProgram) -> BodyIntegers:
    """What a clause may compute with: parameters that no variable of the new text hides.

    The new loops run only where its test and what its model assumes hold.
    """
    seen = [
        each
        for each in program.scop.parameters
        if not program.declared & set(re.findall(r"\w+", each.text))
    ]
    where = program.test & program.scop.context & type_ranges(program.scop.parameters)
    return BodyIntegers(frozenset(), tuple(seen), where)


def _require_usual_nesting(directive: Directive, loops: Sequence[ParallelLoop]) -> None:
    """Inside a marked loop, only inner loops may be marked, and only for vectors."""
    around = [each for each in loops if each.holds(directive.token.start)]
    names = {each.directive.name[-1] for each in around}
    if around and (directive.name != ("simd",) or "simd" in names):
        raise NotProved(f"{directive.token.text} stands inside of another parallel loop")


def _directives(tokens: Sequence[Token], known: BodyIntegers) -> Iterator[Directive]:
    for token in tokens:
        is_plain = not token.is_directive or token.is_border or _is_macro(token)
        if is_plain or _HINT.fullmatch(token.text):
            continue
        if _INDEPENDENT.fullmatch(token.text):
            yield Directive(("simd",), frozenset(), (), token)
            continue
        match = _OPENMP.fullmatch(token.text)
        if match is None:
            raise NotProved(f"it is not known what {token.text} does")
        yield _directive(match.group(1), token, known)


def _is_macro(token: Token) -> bool:
    return re.match(r"#\s*(define|undef)\b", token.text) is not None


def _directive(text: str, token: Token, known: BodyIntegers) -> Directive:
    words = tokens_of(text.encode())
    name = next((each for each in (*LOOPS, BLOCK) if texts(words[: len(each)]) == [*each]), None)
    if name is None:
        raise NotProved(f"it is not known what {token.text} does")
    private: list[str] = []
    reduced: list[tuple[str, str]] = []
    only: dict[str, str] = {}
    for clause, inside in _clauses(words[len(name) :], token):
        content = " ".join(texts(inside))
        if clause == "reduction":
            reduced += _reduced(content, token)
        elif clause == "private" and re.fullmatch(r"\w+( , \w+)*", content):
            private += texts(inside)[::2]
        elif clause in only:
            raise NotProved(f"{token.text} says {clause} twice")
        else:
            _require_belonging(clause, name, token)
            if not _is_harmless(clause, inside, text, known):
                raise NotProved(f"{clause} in {token.text} is not understood")
            only[clause] = content
    if len(set(private)) < len(private):
        raise NotProved(f"{token.text} names a variable twice")
    if int(only.get("simdlen", 0)) > int(only.get("safelen", 9999)):
        raise NotProved(f"simdlen in {token.text} is more than safelen")
    return Directive(name, frozenset(private), tuple(reduced), token)


def _clauses(words: Sequence[Token], token: Token) -> Iterator[tuple[str, Sequence[Token]]]:
    """The clauses and what stands in their brackets; a comma may stand between two of them."""
    at = 0
    while at < len(words):
        if at > 0 and words[at].text == ",":
            at += 1
        end = closing(words, at + 1) if texts(words[at + 1 : at + 2]) == ["("] else None
        if end is None:
            raise NotProved(f"{' '.join(texts(words[at:]))} in {token.text} is not understood")
        yield words[at].text, words[at + 2 : end]
        at = end + 1


def _require_belonging(clause: str, name: tuple[str, ...], token: Token) -> None:
    if clause in BELONGS_TO and not set(name) & set(BELONGS_TO[clause]):
        raise NotProved(f"{clause} does not belong to {token.text}")


def _reduced(content: str, token: Token) -> Iterator[tuple[str, str]]:
    """The operator and the variables of ``reduction(+: s, t)``."""
    match = _REDUCTION.fullmatch(content)
    if match is None:
        raise NotProved(f"reduction in {token.text} is not understood")
    for variable in match.group(2).split(" , "):
        yield match.group(1), variable


def _is_harmless(clause: str, inside: Sequence[Token], text: str, known: BodyIntegers) -> bool:
    if clause == "if":
        written = text.encode()[inside[0].start : inside[-1].end] if inside else b""
        return _Condition(written.decode(errors="replace"), known).is_harmless()
    is_known = clause in HARMLESS
    return is_known and HARMLESS[clause].fullmatch(" ".join(texts(inside))) is not None


_PART = re.compile(r"\s*(\d+\.\d+|\d+[lL]?|[A-Za-z_]\w*|->|&&|\|\||[<>=!]=|\S)")
_COMPARING = frozenset({"<", "<=", ">", ">=", "==", "!="})
_CASTS = frozenset({"int", "long"})


class _Unreadable(Exception):
    """Something in a condition that is not of the few things that we look for."""


class _Condition:
    """The condition of an ``if`` clause: comparisons, with ``&&`` and ``||`` between them.

    Products in floating point compute with infinity at worst.  Integers must fit their types, and
    ``known`` tells whether they do.
    """

    def __init__(self, text: str, known: BodyIntegers) -> None:
        self.parts: list[str] = _PART.findall(text)
        self.at = 0
        self.known = known
        self.names = {
            tuple(_PART.findall(each.text)): each.text
            for each in sorted(known.parameters, key=lambda each: -len(each.text))
        }

    def is_harmless(self) -> bool:
        """Can it be evaluated, whatever the parameters are?"""
        try:
            self._comparison()
            while self._takes("&&", "||"):
                self._comparison()
        except _Unreadable:
            return False
        return self.at == len(self.parts)

    def _comparison(self) -> None:
        self._term()
        if self._takes(*_COMPARING):
            self._term()

    def _term(self) -> None:
        if re.fullmatch(r"\d+\.\d+", self._next()) is None:
            self._require_fit(self._sum())
            return
        self.at += 1
        while self._takes("*"):
            self._require_fit(self._factor())

    def _require_fit(self, expression: Expression) -> None:
        if not isinstance(expression, Name) and self.known.of(expression) is None:
            raise _Unreadable

    def _sum(self) -> Expression:
        found = self._product()
        while operator := self._takes("+", "-"):
            found = Binary(operator, found, self._product())
        return found

    def _product(self) -> Expression:
        found = self._factor()
        while self._takes("*"):
            found = Binary("*", found, self._factor())
        return found

    def _factor(self) -> Expression:
        for parts, name in self.names.items():
            if tuple(self.parts[self.at : self.at + len(parts)]) == parts:
                self.at += len(parts)
                return Name(name)
        if self._takes("("):
            type_ = self._takes(*_CASTS)
            inner = self._sum() if not type_ else None
            if not self._takes(")"):
                raise _Unreadable
            return inner if inner is not None else Cast(type_, self._factor())
        if not re.fullmatch(r"\d{1,18}[lL]?", self._next()):
            raise _Unreadable
        self.at += 1
        return Literal(self.parts[self.at - 1])

    def _next(self) -> str:
        return self.parts[self.at] if self.at < len(self.parts) else ""

    def _takes(self, *wanted: str) -> str:
        found = self._next()
        if found not in wanted:
            return ""
        self.at += 1
        return found


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
    _require_usual_header(directive, statement)
    around = [each for each in blocks if each.holds(statement)]
    if (directive.name[0] == "for") != (len(around) == 1):
        raise NotProved(f"{directive.token.text} needs one parallel block around it")
    private = directive.private.union(*(each.directive.private for each in around))
    reductions = _reductions(program, directive, statement, private, around)
    _require_scalars(private, statement, program)
    _require_declared(directive, statement, program)
    _require_own_iterators(statement, private, [each.block for each in around])
    own = [each for each in program.scop.arrays if each.is_local and _is_inside(each, statement)]
    of_thread = [
        each
        for each in program.scop.arrays
        if each not in own
        and (each.variable in private or any(one.declares(each) for one in around))
    ]
    return ParallelLoop(directive, statement, loop, _names(own), _names(of_thread), reductions)


def _require_usual_header(directive: Directive, loop: ForStmt) -> None:
    """A loop ends by one comparison of its iterator; if that is ``!=``, its step must be one."""
    variable, condition = started_variable(loop.start), loop.condition
    is_usual = (
        variable is not None
        and isinstance(condition, BinaryExpr)
        and (condition.operator in _ORDERS or _is_next(condition.operator, loop.step))
        and any(
            _is_use(one, variable) and not _mentions(other, variable)
            for one, other in permutations((condition.left, condition.right))
        )
    )
    if not is_usual:
        raise NotProved(f"the loop behind {directive.token.text} is not for it", span=loop.span)


_ORDERS = frozenset({"<", "<=", ">", ">="})


def _is_next(operator: str, step: Expr | None) -> bool:
    return operator == "!=" and isinstance(step, IncrementExpr)


def _is_use(expression: Expr, variable: Variable) -> bool:
    """Is it the variable?  Whether a conversion changes its value is looked at elsewhere."""
    while isinstance(expression, CastExpr) and not expression.is_explicit:
        expression = expression.operand
    return isinstance(expression, Use) and expression.variable is variable


def _mentions(expression: Expr, variable: Variable) -> bool:
    return any(_is_use(each, variable) for each in walk_expression(expression))


def _require_declared(directive: Directive, statement: Stmt, program: NewProgram) -> None:
    """A variable that a directive names must be there in front of it."""
    inner = [each for each in walk_statements(statement) if isinstance(each, ForStmt)]
    counted = [each for each in (started_variable(one.start) for one in inner) if each is not None]
    span = statement.span
    there = {each.name for each in counted if not span.start < each.span.start < span.end}
    there |= {
        each.variable for each in program.scop.arrays if _is_visible(each, statement, program)
    }
    if directive.private - there:
        missing = min(directive.private - there)
        raise NotProved(f"{missing} cannot be private in {directive.token.text}", span=span)


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
    while at < len(tokens) and _HINT.fullmatch(tokens[at].text):
        at += 1
    is_there = at < len(tokens) and tokens[at].text == word
    return tokens[at].start if is_there else -1


def _is_visible(array: Array, loop: Stmt, program: NewProgram) -> bool:
    """May the loop mean it?  Not what it declares itself, nor what a block beside it does."""
    if not array.is_local:
        return True
    if array.span.start > loop.span.start:
        return False
    blocks = [
        each
        for statement in program.region.statements
        for each in walk_statements(statement)
        if isinstance(each, Compound) and each.is_scope and _is_inside(array, each)
    ]
    has_loop = all(each.span.start < loop.span.start < each.span.end for each in blocks)
    return has_loop


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
        _require_declared(directive, self.block, program)

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
