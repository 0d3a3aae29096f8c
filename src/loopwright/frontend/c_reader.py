"""From libclang's cursors to our own C trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, cached_property, partial
from typing import Any, ClassVar

from clang.cindex import CursorKind, StorageClass, TLSKind, TypeKind

from loopwright.basics.diagnostics import InputError
from loopwright.basics.spans import Span, whole_file
from loopwright.frontend.addresses import members_pointed_into, pointed_into
from loopwright.frontend.agreed_constants import DISPUTED, AgreedConstants
from loopwright.frontend.c_tree import (
    VOLATILE_MEMBER,
    AssignExpr,
    BinaryExpr,
    BreakStmt,
    Callee,
    CallExpr,
    CastExpr,
    Compound,
    ConditionalExpr,
    ContinueStmt,
    DeclStmt,
    EmptyStmt,
    Expr,
    ExprStmt,
    ForStmt,
    Function,
    IfStmt,
    IncrementExpr,
    IntLiteral,
    LabelStmt,
    ListExpr,
    MemberOf,
    OpaqueExpr,
    OpaqueStmt,
    OtherLiteral,
    ReturnStmt,
    Stmt,
    Subscript,
    Targets,
    UnaryExpr,
    Use,
    Variable,
    WhileStmt,
)
from loopwright.frontend.c_types import (
    ArrayType,
    CType,
    IntType,
    PointerType,
    element_of,
)
from loopwright.frontend.callees import (
    converts_arguments,
    effects_of,
    is_weak,
    summary_name,
)
from loopwright.frontend.clang_library import (
    Cursor,
    ParsedFile,
    binary_operator,
    constant_value,
    initializer_of,
    is_expression,
    kind_of,
    string_text,
    too_deep,
    too_large,
    unary_operator,
)
from loopwright.frontend.cursors import (
    declared_in,
    has_code_of_its_own,
    has_hidden_code,
    is_at_top,
    is_broken_promise,
    is_called_by_name,
    is_designated,
    is_volatile,
    kind_name,
    names_otherwise,
    names_something_elsewhere,
    takes_references,
)
from loopwright.frontend.header_slots import header_slots
from loopwright.frontend.inlining import inlined, inlined_statement
from loopwright.frontend.literal_texts import floating_text, integer_text
from loopwright.frontend.loop_forms import with_counted_loops
from loopwright.frontend.pragmas import thread_private
from loopwright.frontend.references import require_values
from loopwright.frontend.short_functions import ShortFunctions
from loopwright.frontend.statement_expressions import computed_expression
from loopwright.frontend.type_reader import TypeReader, ambiguous_types
from loopwright.frontend.unread_kinds import UNREADABLE_EXPRESSIONS, UNREADABLE_STATEMENTS

MOST_NODES = 40_000
DEEPEST_STATEMENT = 250
DEEPEST_EXPRESSION = 1000
"""Far from where Python's recursion ends: there, a callback of the bindings would lose a child."""


class CReader:
    """Reads the functions of one parsed file, each when it is first asked for."""

    def __init__(self, parsed: ParsedFile) -> None:
        """Nothing is read yet."""
        self.parsed = parsed
        self._variables: dict[int, Variable] = {}
        self._functions: dict[int, Function | InputError] = {}
        self._short = ShortFunctions(parsed)
        self._types = TypeReader(ambiguous_types(parsed.main.content))
        self._constants = AgreedConstants(parsed)
        self._nodes = 0
        self._depth = 0
        self._place = whole_file(parsed.main.name)
        self._defined: list[tuple[str, Span, Callable[[], Function]]] | None = None

    # --- functions -------------------------------------------------------------------------

    def defined_functions(self) -> list[tuple[str, Span, Callable[[], Function]]]:
        """Name, span and reader of each function that the main file defines."""
        if self._defined is None:
            self._defined = self._find_functions()
        return self._defined

    def _find_functions(self) -> list[tuple[str, Span, Callable[[], Function]]]:
        return [
            (str(cursor.spelling), self.parsed.span_of(cursor), self._function_reader(cursor))
            for cursor in self.parsed.functions()
        ]

    def _function_reader(self, cursor: Cursor) -> Callable[[], Function]:
        return lambda: self._function(cursor)

    def _function(self, cursor: Cursor) -> Function:
        key = cursor.hash
        if key not in self._functions:
            around, self._nodes = self._nodes, 0
            try:
                self._functions[key] = self._read_function(cursor)
            except InputError as error:
                self._functions[key] = error
            finally:
                self._nodes = around
        found = self._functions[key]
        if isinstance(found, InputError):
            raise found
        return found

    def _read_function(self, cursor: Cursor) -> Function:
        children = list(cursor.get_children())
        declared = [each for each in children if kind_of(each) == CursorKind.PARM_DECL]
        parameters = tuple(map(self._variable, declared))
        with self._short.reading(cursor):
            body = self._statement(children[-1])
        assert isinstance(body, Compound)
        body = with_counted_loops(body, self.parsed)
        if any(map(has_hidden_code, children[:-1])):
            hidden = OpaqueStmt("size with effects", body.span, self._uses_in(cursor))
            body = Compound((hidden, *body.statements), body.span)
        span = self.parsed.span_of(cursor)
        return Function(str(cursor.spelling), parameters, body, span)

    def _callee(self, cursor: Cursor, name: str) -> Callee:
        declaration = cursor.referenced
        if declaration is None or kind_of(declaration) != CursorKind.FUNCTION_DECL:
            return Callee(name, "unknown", lambda: None)
        require_values(declaration.get_arguments(), self.parsed)
        return Callee(
            name, effects_of(declaration, self.parsed), lambda: self._definition_of(declaration)
        )

    def _definition_of(self, declaration: Cursor) -> Function | None:
        summary = summary_name(declaration)
        if summary:
            for name, _, read in self.defined_functions():
                if name == summary:
                    return read()
        definition = declaration.get_definition()
        if definition is None:
            return None
        if any(definition.get_arguments()) and not converts_arguments(declaration):
            return None
        if is_weak(definition, self.parsed) or self._is_foreign(definition):
            return None
        return self._function(definition)

    def _is_foreign(self, definition: Cursor) -> bool:
        """Is it of a header for another compiler, whose bodies may have lost something?"""
        parsed = self.parsed
        return parsed.has_foreign_bodies and parsed.is_of_system(definition.location)

    def _count_node(self, span: Span | None = None) -> None:
        """Refuse a function that would take minutes to read."""
        self._nodes += 1
        self._place = span or self._place
        if self._nodes > MOST_NODES:
            raise InputError(too_large(self._place, "statements and expressions"))

    # --- statements ------------------------------------------------------------------------

    def _statement(self, cursor: Cursor) -> Stmt:
        if self._depth >= DEEPEST_STATEMENT:
            raise InputError(too_deep(self.parsed.span_of(cursor)))
        self._depth += 1
        try:
            return self._read_statement(cursor)
        finally:
            self._depth -= 1

    def _read_statement(self, cursor: Cursor) -> Stmt:
        span = self.parsed.span_of(cursor)
        kind = kind_of(cursor)
        self._count_node(span)
        children = list(cursor.get_children())
        if kind in UNREADABLE_STATEMENTS:
            return OpaqueStmt(UNREADABLE_STATEMENTS[kind], span, self._uses_in(cursor))
        match kind:
            case CursorKind.COMPOUND_STMT:
                inner = [each for child in children for each in self._without_cases(child)]
                return Compound(tuple(inner), span)
            case CursorKind.SWITCH_STMT:
                place = self.parsed.span_of(children[-2])
                condition = ExprStmt(self._expression(children[-2]), place)
                inner = [condition, *(self._statement(child) for child in children[1:])]
                return OpaqueStmt("switch", span, self._uses_in(cursor), tuple(inner))
            case CursorKind.DECL_STMT:
                return self._declarations(cursor, children, span)
            case CursorKind.FOR_STMT:
                return self._for(cursor, children, span)
            case CursorKind.LABEL_STMT:
                return LabelStmt(str(cursor.spelling), self._statement(children[0]), span)
            case CursorKind.IF_STMT:
                otherwise = self._statement(children[2]) if len(children) > 2 else None
                condition, then = self._expression(children[0]), self._statement(children[1])
                return IfStmt(condition, then, otherwise, span)
            case _:
                return self._simple_statement(kind, children, cursor, span)

    def _without_cases(self, cursor: Cursor) -> Iterator[Stmt]:
        """``case 1: S`` as two statements, so that a region may follow the label."""
        children = list(cursor.get_children())
        if kind_of(cursor) in (CursorKind.CASE_STMT, CursorKind.DEFAULT_STMT):
            span = self.parsed.span_of(cursor)
            values = [self.parsed.span_of(child).end for child in children[:-1]]
            label_end = max([span.start + len("default"), *values])
            yield OpaqueStmt("case", self.parsed.file(span.file).span(span.start, label_end))
            yield from self._without_cases(children[-1])
        else:
            yield self._statement(cursor)

    def _simple_statement(
        self, kind: Any, children: list[Cursor], cursor: Cursor, span: Span
    ) -> Stmt:
        match kind:
            case CursorKind.WHILE_STMT:
                condition, body = self._expression(children[0]), self._statement(children[1])
                return WhileStmt(condition, body, False, span)
            case CursorKind.DO_STMT:
                body, condition = self._statement(children[0]), self._expression(children[1])
                return WhileStmt(condition, body, True, span)
            case CursorKind.BREAK_STMT:
                return BreakStmt(span)
            case CursorKind.CONTINUE_STMT:
                return ContinueStmt(span)
            case CursorKind.RETURN_STMT:
                return ReturnStmt(self._expression(children[0]) if children else None, span)
            case CursorKind.NULL_STMT:
                return EmptyStmt(span)
            case CursorKind.UNEXPOSED_STMT if children:
                return self._statement(children[-1])  # a statement under an attribute
            case _ if is_expression(cursor):
                return ExprStmt(self._effect(cursor), span)
            case _:
                what = kind_name(kind).removesuffix(" stmt")
                return OpaqueStmt(what, span, self._uses_in(cursor))

    def _declarations(self, cursor: Cursor, children: list[Cursor], span: Span) -> Stmt:
        declared = [child for child in children if kind_of(child) == CursorKind.VAR_DECL]
        if names_otherwise(children) or any(map(has_hidden_code, children)):
            return OpaqueStmt("declaration of several names", span, self._uses_in(cursor))
        if any(map(names_something_elsewhere, children)):
            return OpaqueStmt("declaration of what is elsewhere", span, self._uses_in(cursor))
        if any(map(has_code_of_its_own, declared)):
            what = "declaration of an object, whose constructor and destructor nobody follows"
            return OpaqueStmt(what, span, self._uses_in(cursor))
        statements = [self._declaration(child) for child in declared]
        if not statements:
            return EmptyStmt(span)
        if len(statements) == 1:
            return statements[0]
        return Compound(tuple(statements), span, is_scope=False)

    def _declaration(self, cursor: Cursor) -> DeclStmt:
        initializer = initializer_of(cursor)
        value = self._expression(initializer) if initializer is not None else None
        span = self.parsed.span_of(cursor)
        self._count_node(span)
        return DeclStmt(self._variable(cursor), value, span)

    def _for(self, cursor: Cursor, children: list[Cursor], span: Span) -> Stmt:
        slots = header_slots(self.parsed, cursor, children)
        if slots is None:
            what = "a for loop whose header comes from a macro and lacks a part"
            return OpaqueStmt(what, span, self._uses_in(cursor))
        start, condition, step = slots
        return ForStmt(
            self._statement(start) if start is not None else None,
            self._expression(condition) if condition is not None else None,
            self._expression(step) if step is not None else None,
            self._statement(children[-1]),
            span,
        )

    # --- expressions -----------------------------------------------------------------------

    def _expression(self, cursor: Cursor) -> Expr:
        kind = kind_of(cursor)
        while kind == CursorKind.PAREN_EXPR:
            (cursor,) = cursor.get_children()
            kind = kind_of(cursor)
        self._count_node()
        if self._depth >= DEEPEST_EXPRESSION:
            raise InputError(too_deep(self._place))
        self._depth += 1
        try:
            return self._read_expression(kind, cursor)
        finally:
            self._depth -= 1

    def _read_expression(self, kind: Any, cursor: Cursor) -> Expr:
        reader = self._readers.get(kind)
        if reader is None:
            name = kind_name(kind).removesuffix(" expr")
            return self._opaque(
                UNREADABLE_EXPRESSIONS.get(kind, f"the expression ({name})"), cursor
            )
        return reader(self, cursor)

    def _opaque(self, what: str, cursor: Cursor) -> OpaqueExpr:
        type_, span = self._types.of(cursor.type), self.parsed.span_of(cursor)
        return OpaqueExpr(what, type_, span, self._uses_in(cursor))

    def _uses_in(self, cursor: Cursor) -> tuple[Use, ...]:
        """The variables that unreadable code names."""
        found: list[Use] = []
        pending = [cursor]
        while pending:
            each = pending.pop()
            pending.extend(each.get_children())
            if kind_of(each) == CursorKind.DECL_REF_EXPR:
                use = self._use(each)
                if isinstance(use, Use):
                    found.append(use)
        return tuple(found)

    def _statement_expression(self, cursor: Cursor) -> Expr:
        (block,) = cursor.get_children()
        found = None
        if not any(map(has_code_of_its_own, declared_in(block))):
            found = computed_expression([self._statement(each) for each in block.get_children()])
        return found if found is not None else self._opaque("a statement expression", cursor)

    def _truth(self, cursor: Cursor) -> Expr:
        """``true`` or ``false``, which are no names in C++."""
        span, type_ = self.parsed.span_of(cursor), self._types.of(cursor.type)
        words = [str(each.spelling) for each in cursor.get_tokens()]
        if words not in (["true"], ["false"]):
            return self._opaque("a truth from a macro", cursor)
        value = int(words == ["true"])
        return IntLiteral(value, str(value), type_, span)

    def _unexposed(self, cursor: Cursor) -> Expr:
        """An implicit conversion; kept where it may change an integer's value."""
        children = list(cursor.get_children())
        if not children:
            return self._literal(cursor)
        if kind_of(children[0]) == CursorKind.MEMBER_REF:
            return self._expression(children[-1])  # a designated initialiser
        # What is implicit has no words of its own; ``__builtin_va_arg(x, int)`` has.
        if len(children) > 1 or cursor.extent != children[0].extent:
            return self._opaque("this expression", cursor)
        operand = self._expression(children[0])
        target = self._types.of(cursor.type)
        is_integer = isinstance(target, IntType) and isinstance(operand.type, IntType)
        if is_integer and target != operand.type:
            return CastExpr(operand, False, target, operand.span)
        return operand

    def _literal(self, cursor: Cursor) -> Expr:
        span = self.parsed.span_of(cursor)
        type_ = self._types.of(cursor.type)
        value = constant_value(cursor)
        if value is not None and self._constants.is_disputed(cursor):
            return self._opaque(DISPUTED, cursor)
        if isinstance(value, int) and isinstance(type_, IntType):
            return IntLiteral(value, integer_text(value, type_), type_, span)
        if kind_of(cursor) == CursorKind.CXX_UNARY_EXPR:
            return self._opaque("the size of a type of variable size", cursor)
        text = self.parsed.file(span.file).text(span.start, span.end)
        if isinstance(value, float):
            text = floating_text(text, value, type_)
        return OtherLiteral(string_text(cursor, text), type_, span)

    def _use(self, cursor: Cursor) -> Expr:
        span = self.parsed.span_of(cursor)
        declaration = cursor.referenced
        if declaration is None:
            return OpaqueExpr(f"the name {cursor.spelling}", self._types.of(cursor.type), span)
        kind = kind_of(declaration)
        if kind == CursorKind.ENUM_CONSTANT_DECL and self._constants.is_disputed(cursor):
            return OpaqueExpr(DISPUTED, self._types.of(cursor.type), span)
        if kind == CursorKind.ENUM_CONSTANT_DECL:
            value, type_ = int(declaration.enum_value), self._types.of(cursor.type)
            text = integer_text(value, type_) if isinstance(type_, IntType) else str(value)
            return IntLiteral(value, text, type_, span)
        if kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL):
            variable = self._variable(declaration)
            return Use(variable, variable.type, span)
        return OpaqueExpr(f"the name {cursor.spelling}", self._types.of(cursor.type), span)

    def _subscript(self, cursor: Cursor) -> Expr:
        base, index = map(self._expression, cursor.get_children())
        if isinstance(base.type, IntType):
            base, index = index, base  # 2[a] is a[2]
        return Subscript(base, index, element_of(base.type), self.parsed.span_of(cursor))

    def _member(self, cursor: Cursor) -> Expr:
        children = list(cursor.get_children())
        span = self.parsed.span_of(cursor)
        type_ = self._types.of(cursor.type)
        if not children:
            return self._opaque("a member of an unnamed struct", cursor)
        if is_volatile(str(cursor.type.get_canonical().spelling)):
            return self._opaque(VOLATILE_MEMBER, cursor)
        base = self._expression(children[0])
        is_arrow = isinstance(base.type, PointerType | ArrayType)
        return MemberOf(base, str(cursor.spelling), is_arrow, type_, span)

    def _unary(self, cursor: Cursor) -> Expr:
        span, type_ = self.parsed.span_of(cursor), self._types.of(cursor.type)
        operator = unary_operator(cursor)
        children = list(cursor.get_children())
        if not operator or len(children) != 1:
            return self._opaque("a unary operator", cursor)
        operand = self._expression(children[0])
        if operator == "__extension__":
            return operand
        if operator in ("x++", "x--", "++x", "--x"):
            is_postfix = operator.startswith("x")
            return IncrementExpr(operator.strip("x"), operand, is_postfix, operand.type, span)
        if operator == "*":
            type_ = element_of(operand.type)
        if operator == "&":
            type_ = PointerType(operand.type, type_.name)
        return UnaryExpr(operator, operand, type_, span)

    def _binary(self, cursor: Cursor) -> Expr:
        operator = binary_operator(cursor)
        children = list(cursor.get_children())
        if not operator or len(children) != 2:
            return self._opaque("an operator", cursor)
        left, right = map(self._expression, children)
        # The parser walks down to the leftmost operand for this; only now is the depth bounded.
        span, type_ = self.parsed.span_of(cursor), self._types.of(cursor.type)
        is_comparison = operator in ("==", "!=", "<=", ">=")
        if operator.endswith("=") and not is_comparison:
            return AssignExpr(operator, left, right, type_, span)
        if isinstance(type_, PointerType) and operator in "+-":
            pointer = right if isinstance(left.type, IntType) else left
            type_ = PointerType(element_of(pointer.type), type_.name)
        return BinaryExpr(operator, left, right, type_, span)

    def _conditional(self, cursor: Cursor) -> Expr:
        condition, then, otherwise = map(self._expression, cursor.get_children())
        type_, span = self._types.of(cursor.type), self.parsed.span_of(cursor)
        return ConditionalExpr(condition, then, otherwise, type_, span)

    def _cast(self, cursor: Cursor) -> Expr:
        *sizes, last = cursor.get_children()
        if any(map(is_expression, sizes)):
            return self._opaque("a cast to a type of variable size", cursor)
        operand = self._expression(last)
        return CastExpr(operand, True, self._types.of(cursor.type), self.parsed.span_of(cursor))

    def _call(self, cursor: Cursor) -> Expr:
        if takes_references(cursor.referenced):
            return self._opaque("a call that is given references", cursor)
        parsed = self.parsed
        if not is_called_by_name(cursor, parsed.is_of_system, is_cpp=parsed.is_cpp):
            return self._opaque("a call of what is not named", cursor)
        if is_broken_promise(cursor):
            return self._opaque("a promise that does something", cursor)
        arguments = tuple(self._expression(argument) for argument in cursor.get_arguments())
        span = self.parsed.span_of(cursor)
        name = str(cursor.spelling)
        call = CallExpr(
            name, arguments, self._callee(cursor, name), self._types.of(cursor.type), span
        )
        return self._short.written_out(call, cursor, inlined) or call

    def _effect(self, cursor: Cursor) -> Expr:
        """An expression whose value nobody uses."""
        found = self._expression(cursor)
        if not isinstance(found, CallExpr) or kind_of(cursor) != CursorKind.CALL_EXPR:
            return found
        return self._short.written_out(found, cursor, inlined_statement) or found

    def _list(self, cursor: Cursor) -> Expr:
        children = list(cursor.get_children())
        values = tuple(map(self._expression, children))
        type_, span = self._types.of(cursor.type), self.parsed.span_of(cursor)
        return ListExpr(values, type_, span, not any(map(is_designated, children)))

    _readers: ClassVar[dict[Any, Callable[[CReader, Cursor], Expr]]] = {
        CursorKind.UNEXPOSED_EXPR: _unexposed,
        CursorKind.StmtExpr: _statement_expression,
        CursorKind.CXX_BOOL_LITERAL_EXPR: _truth,
        CursorKind.INTEGER_LITERAL: _literal,
        CursorKind.FLOATING_LITERAL: _literal,
        CursorKind.CHARACTER_LITERAL: _literal,
        CursorKind.STRING_LITERAL: _literal,
        CursorKind.IMAGINARY_LITERAL: _literal,
        CursorKind.CXX_UNARY_EXPR: _literal,
        CursorKind.DECL_REF_EXPR: _use,
        CursorKind.ARRAY_SUBSCRIPT_EXPR: _subscript,
        CursorKind.MEMBER_REF_EXPR: _member,
        CursorKind.UNARY_OPERATOR: _unary,
        CursorKind.BINARY_OPERATOR: _binary,
        CursorKind.COMPOUND_ASSIGNMENT_OPERATOR: _binary,
        CursorKind.CONDITIONAL_OPERATOR: _conditional,
        CursorKind.CSTYLE_CAST_EXPR: _cast,
        CursorKind.CALL_EXPR: _call,
        CursorKind.INIT_LIST_EXPR: _list,
    }

    # --- variables and types ---------------------------------------------------------------

    def _is_of_thread(self, cursor: Cursor) -> bool:
        """Has each thread its own?  The parser does not look at OpenMP."""
        return cursor.tls_kind != TLSKind.NONE or str(cursor.spelling) in self._thread_private

    @cached_property
    def _thread_private(self) -> frozenset[str]:
        files = map(self.parsed.file, (self.parsed.main.name, *self.parsed.own_headers()))
        return frozenset(name for each in files for name in thread_private(each.content))

    def _variable(self, cursor: Cursor) -> Variable:
        key = cursor.canonical.hash
        require_values([cursor], self.parsed)
        if key not in self._variables:
            self._constants.require_sizes(cursor)
            at_top = is_at_top(cursor)
            self._variables[key] = Variable(
                str(cursor.spelling),
                self._declared_type(cursor),
                self.parsed.span_of(cursor),
                is_global=at_top or cursor.storage_class == StorageClass.EXTERN,
                is_parameter=kind_of(cursor) == CursorKind.PARM_DECL,
                is_static=cursor.storage_class in (StorageClass.STATIC, StorageClass.EXTERN),
                is_const=bool(cursor.type.is_const_qualified()),
                is_pinned=is_volatile(str(cursor.type.get_canonical().spelling))
                or self._is_of_thread(cursor),
                initial_targets=cache(partial(self._initial_targets, cursor)),
            )
        return self._variables[key]

    def _initial_targets(self, cursor: Cursor) -> Targets:
        initializer = initializer_of(cursor)
        kind = kind_of(cursor.type.get_canonical())
        if initializer is None or not is_at_top(cursor):
            return ()  # assignments inside functions are found there
        if kind in (TypeKind.POINTER, TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY):
            return tuple(("", each) for each in pointed_into(self._expression(initializer)))
        if kind == TypeKind.RECORD:
            type_ = self._types.of(cursor.type)
            return tuple(members_pointed_into(type_, self._expression(initializer)))
        return ()

    def _declared_type(self, cursor: Cursor) -> CType:
        """The type with the extents of variable-length dimensions, which only cursors know.

        Those of a type by another name are of the time when that was declared.
        """
        initializer = initializer_of(cursor)
        extents = [
            self._expression(child)
            for child in cursor.get_children()
            if is_expression(child) and (initializer is None or child != initializer)
        ]
        # libclang visits the innermost extent first.
        return self._types.of(cursor.type, iter(reversed(extents)))
