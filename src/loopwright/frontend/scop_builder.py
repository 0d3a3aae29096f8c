"""From the statements of a region to its polyhedral model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeGuard

import islpy as isl

from loopwright.basics.names import KEYWORDS, FreshNames, isl_name
from loopwright.basics.spans import Span
from loopwright.frontend.affine import condition_of, polynomial_of, value_of
from loopwright.frontend.aliasing import (
    disjointness,
    refuse_addressed_scalars,
    refuse_aliases,
    refuse_kept_addresses,
)
from loopwright.frontend.arrays import ArrayTable
from loopwright.frontend.c_tree import (
    CallExpr,
    Compound,
    ContinueStmt,
    DeclStmt,
    EmptyStmt,
    Expr,
    ExprStmt,
    ForStmt,
    IfStmt,
    LabelStmt,
    Stmt,
    Use,
    Variable,
    declarations_in,
    expressions_in,
    walk_statements,
    without_casts,
)
from loopwright.frontend.c_types import ArrayType, IntType, PointerType
from loopwright.frontend.calls import returning, summarise
from loopwright.frontend.dynamic import interrupts, run
from loopwright.frontend.facts import RegionFacts, assigned_in, facts_of
from loopwright.frontend.headers import counted_variables, other_starts
from loopwright.frontend.liveness import escapes, used_after
from loopwright.frontend.loops import AffineLoop, affine_loop, header_span
from loopwright.frontend.places import pointer_of, require_same_rows
from loopwright.frontend.recorder import Recorder
from loopwright.frontend.regions import IndependentPragma, Region
from loopwright.frontend.relations import RawStatement, Relations, finished_arrays
from loopwright.frontend.scope import Place, Scope
from loopwright.frontend.unreadable import refuse_unreadable
from loopwright.frontend.workshop import Workshop
from loopwright.model.bodies import (
    Assign,
    Block,
    Body,
    Cast,
    Declare,
    Evaluate,
    Kill,
    Literal,
    Reference,
    While,
)
from loopwright.model.scop import Assumption, Independence, Loop, Scop, union_map
from loopwright.polyhedra.instances import instance_value, same_prefix
from loopwright.polyhedra.limits import simple_negation, simplified
from loopwright.polyhedra.schedule_trees import band, leaf, mark, sequence
from loopwright.polyhedra.values import always, in_order

Tree = isl.Schedule | None


@dataclass(slots=True)
class ScopBuilder:
    """Walks a region once, collecting statements while it builds their schedule tree."""

    region: Region
    workshop: Workshop
    arrays: ArrayTable
    independent: dict[int, IndependentPragma]
    tags: FreshNames = field(default_factory=FreshNames)
    names: FreshNames = field(default_factory=FreshNames)
    statements: list[RawStatement] = field(default_factory=list[RawStatement])
    independences: list[Independence] = field(default_factory=list[Independence])
    loops: list[Loop] = field(default_factory=list[Loop])
    known_drafts: set[str] | None = None
    """The arrays that the region touches, once all of it has been seen."""

    # --- control -----------------------------------------------------------------------------

    def build(self, statement: Stmt, scope: Scope, label: str | None = None) -> Tree:
        """The schedule of a statement."""
        match statement:
            case Compound():
                return self._scoped_block(statement, scope, is_loop_body=False)
            case ForStmt():
                return self._for(statement, scope, label)
            case IfStmt():
                return self._if(statement, scope, label)
            case LabelStmt(label=name, statement=inner):
                tree = self.build(inner, scope, name)
                is_simple = isinstance(inner, ExprStmt | DeclStmt)
                return tree if tree is None or is_simple else mark(tree, name)
            case ExprStmt():
                return self._expression(statement, scope, label)
            case EmptyStmt():
                return None
            case _:
                return self._dynamic((statement,), scope, label)

    def block(
        self, statements: tuple[Stmt, ...], scope: Scope, *, is_loop_body: bool = False
    ) -> Tree:
        """Statements one after the other; in a loop's body, ``continue`` ends them."""
        trees: list[isl.Schedule] = []
        declared: list[Variable] = []
        inner = scope
        for position, statement in enumerate(statements):
            if is_loop_body and interrupts(statement):
                rest = statements[position:]
                trees += _present(self._interrupted(rest, inner))
                break
            if self._sets_pointer_by_data(statement, inner):
                trees += _present(self._dynamic(statements[position:], inner, None))
                break
            for each in declarations_in(statement):
                more, inner = self._declare(each, inner, declared)
                trees += more
            if not declarations_in(statement):
                trees += _present(self.build(statement, inner))
        is_outermost = statements is self.region.statements
        if not is_outermost:
            trees += [
                tree for each in declared for tree in self._kill(Place(each), inner, each.span)
            ]
        return sequence(trees)

    def _scoped_block(self, body: Stmt, scope: Scope, *, is_loop_body: bool) -> Tree:
        """A block; a label on its first statement names the whole of it (Loopy §2)."""
        statements = body.statements if isinstance(body, Compound) else (body,)
        first = statements[0] if statements else None
        if not isinstance(body, Compound) or not isinstance(first, LabelStmt):
            return self.block(statements, scope, is_loop_body=is_loop_body)
        if not isinstance(first.statement, ExprStmt):
            statements = (first.statement, *statements[1:])
        tree = self.block(statements, scope, is_loop_body=is_loop_body)
        return mark(tree, first.label) if tree is not None else None

    def _interrupted(self, rest: tuple[Stmt, ...], scope: Scope) -> Tree:
        """What follows a ``continue`` in a loop's body: ``if (c) continue; S`` is ``if (!c) S``."""
        match rest[0]:
            case IfStmt(condition=condition, then=then, otherwise=None) if _is_continue(then):
                skipped = condition_of(condition, scope.deciding(), self.workshop)
                goes_on = simple_negation(skipped) if skipped is not None else None
            case _:
                goes_on = None
        if goes_on is None:
            return self._dynamic(rest, scope, None)
        return self.block(rest[1:], scope.given(goes_on), is_loop_body=True)

    def _for(self, loop: ForStmt, scope: Scope, label: str | None) -> Tree:
        affine = None
        if not interrupts(loop.body, breaks_only=True):
            around = self._knowing_starts(loop, scope)
            affine = affine_loop(loop, around, self.workshop, hidden=False)
        if affine is None:
            self._note_stray(loop)
            return self._dynamic((loop,), scope, label)
        declared: list[Variable] = []
        trees = self._others_started(loop, scope, declared)
        trees += _present(self._iterations(loop, affine, scope))
        trees += [tree for each in declared for tree in self._kill(Place(each), scope, each.span)]
        return sequence(trees)

    def _knowing_starts(self, loop: ForStmt, scope: Scope) -> Scope:
        """With the values of integers that a header declares and that nobody changes."""
        for each in other_starts(loop):
            if self._is_known_start(each, scope):
                _, scope = self._declare(each, scope, [])
        return scope

    def _is_known_start(self, start: ExprStmt | DeclStmt, scope: Scope) -> TypeGuard[DeclStmt]:
        if not isinstance(start, DeclStmt) or start.value is None:
            return False
        is_affine = value_of(start.value, scope, self.workshop) is not None
        return is_affine and self._is_fixed(start.variable)

    def _others_started(
        self, loop: ForStmt, scope: Scope, declared: list[Variable]
    ) -> list[isl.Schedule]:
        """The variables that a header sets without counting with them."""
        trees: list[isl.Schedule] = []
        for each in other_starts(loop):
            if isinstance(each, ExprStmt):
                trees += _present(self.build(each, scope))
            elif self._is_known_start(each, scope):
                _, scope = self._declare(each, scope, [])
            else:
                trees += self._declare(each, scope, declared)[0]
        return trees

    def _iterations(self, loop: ForStmt, affine: AffineLoop, scope: Scope) -> Tree:
        first = len(self.statements)
        child = self._scoped_block(loop.body, affine.inside, is_loop_body=True)
        inside = self.statements[first:]
        if id(loop) in self.independent:
            depth = len(scope.iterators)
            self._note_independence(self.independent[id(loop)], affine.order, inside, depth)
        if child is None:
            return None
        members = [
            instance_value(affine.order, each.name, each.iterators)
            for each in inside
            if not each.condition.is_empty()
        ]
        names = tuple(each.name for each in inside)
        iterators = affine.inside.iterators
        count = instance_value(affine.count, "", iterators).reset_tuple_id(isl.dim_type.in_)
        self.loops.append(Loop(iterators[-1], len(iterators) - 1, names, header_span(loop), count))
        return band(child, members)

    def _note_stray(self, loop: ForStmt) -> None:
        """Say so when a loop is kept whole only because its iterator is used elsewhere."""
        for variable in counted_variables(loop):
            if variable in self.workshop.facts.stray_iterators:
                self.workshop.note(
                    "LW305",
                    f"the value of {variable.name} is used outside its loop, which is kept whole",
                    header_span(loop),
                    _declaring(variable),
                )

    def _if(self, statement: IfStmt, scope: Scope, label: str | None) -> Tree:
        chosen = condition_of(statement.condition, scope.deciding(), self.workshop)
        other = always()
        if chosen is not None and statement.otherwise is not None:
            negated = simple_negation(chosen)
            chosen, other = (chosen, negated) if negated is not None else (None, other)
        if chosen is None:
            return self._dynamic((statement,), scope, label)
        trees = _present(self.build(statement.then, scope.given(chosen)))
        if statement.otherwise is not None:
            trees += _present(self.build(statement.otherwise, scope.given(other)))
        return sequence(trees)

    # --- statements --------------------------------------------------------------------------

    def _expression(self, statement: ExprStmt, scope: Scope, label: str | None) -> Tree:
        expression = without_casts(statement.expression)
        if isinstance(expression, CallExpr):
            match expression.function:
                case "__pencil_kill":
                    return self._explicit_kill(expression, scope)
                case "__pencil_assume" | "__builtin_assume":
                    self._assume(expression, scope)
                    return None
                case _:
                    pass
        recorder = self._recorder()
        body = Evaluate(recorder.evaluate(statement.expression, scope))
        return self._add(recorder, body, scope, statement.span, label)

    def _dynamic(self, statements: tuple[Stmt, ...], scope: Scope, label: str | None) -> Tree:
        """Statements that run as one, because data decides what they do."""
        recorder = self._recorder()
        first, *others = statements
        whole = Compound(statements, first.span.joined_with(statements[-1].span))
        body, _ = run(whole if others else first, scope, recorder)
        if any(interrupts(each) for each in statements):
            body = While(Literal("0"), body, is_tested_last=True)
        borrowed = sorted(recorder.borrowed, key=lambda each: each.span.start)
        if borrowed:
            declared = tuple(Declare(each.type.name, each.name) for each in borrowed)
            body = Block((*declared, body))
        return self._add(recorder, body, scope, whole.span, label, is_dynamic=True)

    def _declare(
        self, statement: DeclStmt, scope: Scope, declared: list[Variable]
    ) -> tuple[list[isl.Schedule], Scope]:
        """A local: what it held before is dead, and its initialiser is a statement."""
        variable, value = statement.variable, statement.value
        if variable.is_static:
            return [], scope
        if isinstance(variable.type, PointerType):
            if value is None:
                return [], scope
            require_same_rows(variable, value, scope, self.workshop)
            text = self._recorder().address_text(variable, value, scope)
            return [], scope.pointing(variable, pointer_of(value, scope, self.workshop), text)
        if value is not None and self._is_fixed(variable):
            known = value_of(value, scope, self.workshop)
            if known is not None:
                spelled = self._recorder().evaluate(value, scope)
                return [], scope.knowing(variable, known, Cast(variable.type.name, spelled))
            product = polynomial_of(value, scope, self.workshop)
            if product is not None:
                spelled = self._recorder().evaluate(value, scope)
                cast = Cast(variable.type.name, spelled)
                whole = value_of(value, scope.deciding(), self.workshop)
                return [], scope.knowing_product(variable, product, whole, cast)
        if self.workshop.facts.is_private_iterator(variable) and value is None:
            return [], scope
        declared.append(variable)
        if value is not None:
            target = Use(variable, variable.type, statement.span)
            self._recorder().refuse_pointer_writes(target, scope)
        trees = self._kill(Place(variable), scope, statement.span)
        if value is not None:
            trees += _present(self._initialise(statement, value, scope))
        return trees, scope

    def _sets_pointer_by_data(self, statement: Stmt, scope: Scope) -> bool:
        """``double *row = A[B[i]]``: what follows must see the row that was chosen here."""
        for each in declarations_in(statement):
            if isinstance(each.variable.type, PointerType) and each.value is not None:
                recorder = self._recorder()
                recorder.evaluate(each.value, scope)
                if recorder.accesses:
                    return True
        return False

    def _is_fixed(self, variable: Variable) -> bool:
        facts = self.workshop.facts
        return (
            isinstance(variable.type, IntType)
            and variable not in facts.assigned
            and variable not in facts.addressed
        )

    def _initialise(self, statement: DeclStmt, value: Expr, scope: Scope) -> Tree:
        recorder = self._recorder()
        result = recorder.evaluate(value, scope)
        place = Place(statement.variable)
        tag = recorder.record(place, scope, statement.span, writes=True)
        body = Evaluate(Assign("=", Reference(tag, statement.variable.name), result))
        return self._add(recorder, body, scope, statement.span, None)

    def _explicit_kill(self, call: CallExpr, scope: Scope) -> Tree:
        trees: list[isl.Schedule] = []
        for argument in call.arguments:
            place, is_all = self._recorder().whole_place(argument, scope)
            if is_all:
                trees += self._kill(place, scope, argument.span, beyond_pointers=True)
        return sequence(trees)

    def _kill(
        self, place: Place, scope: Scope, span: Span, *, beyond_pointers: bool = False
    ) -> list[isl.Schedule]:
        """A variable dies, and with it what it holds; what it points to lives on unless so said."""
        if self.workshop.facts.is_private_iterator(place.variable):
            return []
        recorder = self._recorder()
        recorder.record(place, scope, span, kills=True)
        recorder.accesses = [
            each
            for each in recorder.accesses
            if each.draft is not None
            and (beyond_pointers or not each.draft.is_behind_pointer)
            and (self.known_drafts is None or each.draft.name in self.known_drafts)
        ]
        if not recorder.accesses:
            return []
        return _present(self._add(recorder, Kill(), scope, span, None, prefix="K"))

    def _assume(self, call: CallExpr, scope: Scope) -> None:
        condition = (
            condition_of(call.arguments[0], scope.perhaps().deciding(), self.workshop)
            if call.arguments
            else None
        )
        text = self.workshop.text_of(call.span)
        if condition is None:
            self.workshop.note("LW306", f"{text} is not affine and is ignored", call.span)
            return
        bad = scope.possible - condition
        if not self.workshop.exclude(bad, f"the program says {text}", call.span, scope.iterators):
            self.workshop.note("LW307", f"{text} can never hold and is ignored", call.span)

    def _recorder(self) -> Recorder:
        return Recorder(self.workshop, self.arrays, self.tags, summarise)

    def _name_of(self, label: str) -> str:
        name = isl_name(label)
        return name if name == label else self.names.fresh(name)

    def _add(
        self,
        recorder: Recorder,
        body: Body,
        scope: Scope,
        span: Span,
        label: str | None,
        *,
        is_dynamic: bool = False,
        prefix: str = "S",
    ) -> Tree:
        self.workshop.check_time()
        name = self._name_of(label) if label is not None else self.names.numbered(prefix)
        name = f"{name}_" if name in KEYWORDS else name
        raw = RawStatement(
            name,
            label,
            scope.iterators,
            simplified(scope.possible, isl.Set.coalesce),
            tuple(recorder.accesses),
            body,
            is_dynamic,
            span,
        )
        self.statements.append(raw)
        self.workshop.place_risks(span)
        return None if raw.condition.is_empty() else leaf(raw.domain)

    # --- promises and deaths -----------------------------------------------------------------

    def _note_independence(
        self, pragma: IndependentPragma, order: isl.PwAff, inside: list[RawStatement], depth: int
    ) -> None:
        pairs = [
            _distinct_iterations(source, target, order, depth)
            for source in inside
            for target in inside
        ]
        self.independences.append(Independence(union_map(pairs), pragma.arrays, pragma.span))

    def kill_the_dead(self, dead: set[Variable], scope: Scope) -> list[isl.Schedule]:
        """Values that nobody looks at once the region has ended (PPCG §3.2.3)."""
        outermost = {
            each.variable
            for statement in self.region.statements
            for each in declarations_in(statement)
        }
        touched = {
            each.variable
            for each in self.arrays.drafts.values()
            if each.variable is not None and each.variable in dead
        }
        touched -= self.workshop.facts.declared - outermost  # those died with their blocks
        ordered = sorted(touched, key=lambda each: each.span.start)
        span = self.region.span
        self.known_drafts = {each.name for each in self.arrays.drafts.values()}
        return [tree for each in ordered for tree in self._kill(Place(each), scope, span)]


def _distinct_iterations(
    source: RawStatement, target: RawStatement, order: isl.PwAff, depth: int
) -> isl.Map:
    """Pairs of instances in different iterations of a loop, in one iteration of those around it."""
    before = isl.Map.from_pw_aff(instance_value(order, source.name, source.iterators))
    after = isl.Map.from_pw_aff(instance_value(order, target.name, target.iterators))
    together = same_prefix(source.domain, target.domain, depth)
    return together - before.apply_range(after.reverse())


def _declaring(variable: Variable) -> str:
    return f"unless that is meant, declare it in the header: for (int {variable.name} = 0;"


def _present(tree: Tree) -> list[isl.Schedule]:
    return [tree] if tree is not None else []


def _is_continue(statement: Stmt) -> bool:
    match statement:
        case ContinueStmt():
            return True
        case Compound(statements=[only]):
            return _is_continue(only)
        case _:
            return False


# --- the whole --------------------------------------------------------------------------------


def scop_from_region(region: Region, workshop: Workshop) -> Scop:
    """The polyhedral model of a region."""
    refuse_unreadable(region, workshop)
    refuse_addressed_scalars(workshop.facts, workshop)
    refuse_aliases(region, workshop)
    refuse_kept_addresses(workshop.facts, workshop)
    builder = ScopBuilder(
        region, workshop, ArrayTable(workshop), _independent_loops(region, workshop)
    )
    builder.names.taken |= _labels(region)
    scope = Scope()
    tree = builder.block(region.statements, scope)
    workshop.require_evaluations(region.span)
    dead = _dead_variables(region)
    trees = _present(tree) + builder.kill_the_dead(dead, scope)
    whole = sequence(trees) or isl.Schedule.from_domain(isl.UnionSet("{ }"))
    statements = Relations(workshop, builder.arrays).statements(builder.statements)
    _take_for_granted(region, workshop)
    return Scop(
        region.function.name,
        region.span,
        tuple(workshop.parameters),
        in_order(workshop.context.coalesce(), [each.name for each in workshop.parameters]),
        tuple(workshop.assumptions),
        finished_arrays(builder.arrays.drafts.values(), statements, dead, workshop.context),
        statements,
        whole,
        tuple(builder.independences),
        tuple(workshop.notes),
        _outliving(region),
        tuple(sorted(builder.loops, key=lambda each: each.span.start)),
    )


def region_facts(region: Region) -> RegionFacts:
    """The facts about the region's variables."""
    later = used_after(region.function, region.span, region.enclosing_loops, by_region=False)
    escaped = escapes(region.function, region.span)
    facts = facts_of(region.statements, later, escaped)
    facts.assignments = assigned_in(region.function)
    return facts


def _dead_variables(region: Region) -> set[Variable]:
    """The function's own variables that nobody can look at after the region."""
    later = used_after(region.function, region.span, region.enclosing_loops, by_region=True)
    kept = escapes(region.function, region.span)
    mentioned = {
        each.variable
        for statement in region.statements
        for each in expressions_in(statement)
        if isinstance(each, Use)
    }
    return {each for each in mentioned if _is_own(each) and each not in later | kept}


def _outliving(region: Region) -> tuple[str, ...]:
    """The variables that the region declares and the code after it uses."""
    later = used_after(region.function, region.span, region.enclosing_loops, by_region=False)
    declared = [each for statement in region.statements for each in declarations_in(statement)]
    return tuple(each.variable.name for each in declared if each.variable in later)


def _is_own(variable: Variable) -> bool:
    """Does the variable's memory end with the function?"""
    if variable.is_global or variable.is_static or isinstance(variable.type, PointerType):
        return False
    return not (isinstance(variable.type, ArrayType) and variable.is_parameter)


def _take_for_granted(region: Region, workshop: Workshop) -> None:
    """What nobody can see from the text."""
    returns = returning(region.statements) if workshop.facts.calls_unknown else []
    for reason in (*returns, *disjointness(region, workshop.facts)):
        workshop.assumptions.append(Assumption(always(), reason, region.span))


def _labels(region: Region) -> set[str]:
    return {
        each.label
        for statement in region.statements
        for each in walk_statements(statement)
        if isinstance(each, LabelStmt)
    }


def _independent_loops(region: Region, workshop: Workshop) -> dict[int, IndependentPragma]:
    """The loop that each ``#pragma pencil independent`` of the region stands in front of."""
    found: dict[int, IndependentPragma] = {}
    for pragma in region.independent:
        if not region.function.span.start <= pragma.span.start < region.function.span.end:
            continue
        following = [
            each
            for each in walk_statements(region.function.body)
            if each.span.start >= pragma.span.end and not isinstance(each, LabelStmt)
        ]
        after = min(following, key=lambda each: each.span.start, default=None)
        if isinstance(after, ForStmt):
            found[id(after)] = pragma
        elif after is not None and region.span.start <= after.span.start < region.span.end:
            message = "no loop follows this promise of independence, which is ignored"
            workshop.note("LW309", message, pragma.span, "put it right in front of a for loop")
    return found
