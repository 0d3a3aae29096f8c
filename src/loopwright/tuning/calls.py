"""How a function can be called with made-up arguments: which integers, arrays and numbers it takes.

Nothing is known about what the arguments mean, but the model of a region tells which integers are
sizes, and how large the arrays are for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clang.cindex import CursorKind, TypeKind

from loopwright.basics.records import record
from loopwright.frontend.c_reader import CReader
from loopwright.frontend.c_types import ArrayType, CType, FloatType, IntType, PointerType
from loopwright.frontend.clang_library import Cursor, ParsedFile, expansion_of, kind_of
from loopwright.frontend.type_reader import TypeReader
from loopwright.model.scop import Access, Scop, Statement
from loopwright.tuning.toolchain import CannotRun

KINDS = {"float": 4, "double": 8, "long double": 16}


@record
class Integer:
    """An integer that the function takes, or finds in a global variable."""

    name: str
    least: int
    greatest: int


@record
class Elements:
    """An array that the function takes or finds: what its elements are.

    ``kind`` is a type of C; a complex number counts as two.  ``is_whole`` for a global array, whose
    memory is there already; a global pointer gets memory.  ``rank`` is how many subscripts the
    source writes behind the name.
    """

    name: str
    kind: str
    parts: int
    is_whole: bool = False
    rank: int = 1


@record
class Number:
    """A floating-point argument."""


Argument = Integer | Elements | Number


@record(eq=False)
class Call:
    """A function with regions, its arguments in order, and the global variables that matter."""

    function: str
    arguments: tuple[Argument, ...]
    globals: tuple[Integer | Elements, ...]
    result: str | None
    """The type as which the result is kept, if there is one."""
    scops: tuple[Scop, ...]

    @property
    def integers(self) -> tuple[Integer, ...]:
        """All integers that have to be chosen, arguments first."""
        return tuple(each for each in self._all if isinstance(each, Integer))

    @property
    def arrays(self) -> tuple[Elements, ...]:
        """All arrays that are filled and compared, arguments first."""
        return tuple(each for each in self._all if isinstance(each, Elements))

    @property
    def _all(self) -> Sequence[Argument]:
        return (*self.arguments, *self.globals)


def has_main(parsed: ParsedFile) -> bool:
    """Is the file a whole program?"""
    return any(str(each.spelling) == "main" for each in parsed.functions())


def call_of(parsed: ParsedFile, function: str, scops: Sequence[Scop]) -> Call:
    """The call of a function; :class:`CannotRun` where nobody can make up its arguments."""
    if function == "main":
        raise CannotRun("main is the program itself")
    cursor = next(each for each in parsed.functions() if str(each.spelling) == function)
    if kind_of(cursor.type) == TypeKind.FUNCTIONPROTO and cursor.type.is_function_variadic():
        raise CannotRun(f"{function} takes any number of arguments")
    for name, _, read in CReader(parsed).defined_functions():
        if name == function:
            arguments = tuple(_argument(each.name, each.type) for each in read().parameters)
            break
    else:
        raise CannotRun(f"{function} cannot be read")
    taken = {each.name for each in arguments if not isinstance(each, Number)}
    found = tuple(_globals(parsed, scops, taken))
    is_void = kind_of(cursor.result_type.get_canonical()) == TypeKind.VOID
    result = None if is_void else _result(TypeReader().of(cursor.result_type))
    return Call(function, arguments, found, result, tuple(scops))


def _result(type_: CType) -> str | None:
    """The type as which a result is kept: every bit of an integer counts."""
    match type_:
        case IntType():
            return "int64_t"
        case FloatType(name=spelled, size=size):
            return "float" if size == (8 if "_Complex" in spelled else 4) else "double"
        case _:
            return None


def _argument(name: str, type_: CType) -> Argument:
    match type_:
        case IntType(least=least, greatest=greatest):
            return Integer(name, least, greatest)
        case FloatType():
            return Number()
        case PointerType() | ArrayType():
            return _elements(name, type_, is_argument=True)
        case _:
            raise CannotRun(f"nobody knows what to pass as {name}, which is a {type_.name}")


def _elements(name: str, type_: CType, *, is_argument: bool) -> Elements:
    is_whole = not is_argument and not isinstance(type_, PointerType)
    rank = 1 if isinstance(type_, PointerType) else 0
    element = type_.target if isinstance(type_, PointerType) else type_
    while isinstance(element, ArrayType):
        rank += 1
        element = element.element
    match element:
        case IntType(is_bool=True):
            kind, parts = "_Bool", 1
        case IntType(bits=bits, is_signed=is_signed):
            kind, parts = f"{'' if is_signed else 'u'}int{bits}_t", 1
            if bits > 64:
                raise CannotRun(f"{name} has integers of {bits} bits")
        case FloatType(name=spelled, size=size):
            parts = 2 if "_Complex" in spelled else 1
            kinds = [kind for kind, width in KINDS.items() if width * parts == size]
            if not kinds:
                raise CannotRun(f"{name} has elements of the type {spelled}")
            kind = kinds[0]
        case _:
            raise CannotRun(f"nobody knows what {name} points to: {element.name}")
    return Elements(name, kind, parts, is_whole, rank)


def _globals(
    parsed: ParsedFile, scops: Sequence[Scop], taken: set[str]
) -> Iterator[Integer | Elements]:
    """The global variables of the main file that the regions use."""
    sizes = {each.text for scop in scops for each in scop.parameters}
    arrays = {each.variable for scop in scops for each in scop.arrays}
    types = TypeReader()
    for cursor in _variables(parsed):
        name, type_ = str(cursor.spelling), types.of(cursor.type)
        if name in taken or cursor.type.is_const_qualified() or name not in sizes | arrays:
            continue
        if isinstance(type_, IntType) and name in sizes:
            yield Integer(name, type_.least, type_.greatest)
        elif isinstance(type_, PointerType | ArrayType | IntType | FloatType):
            yield _elements(name, type_, is_argument=False)


def _variables(parsed: ParsedFile) -> Iterator[Cursor]:
    seen: set[str] = set()
    for cursor in parsed.unit.cursor.get_children():
        is_here = expansion_of(cursor.location)[0] == parsed.main.name
        if kind_of(cursor) == CursorKind.VAR_DECL and is_here and cursor.spelling not in seen:
            seen.add(str(cursor.spelling))
            yield cursor


def require_plain_subscripts(scops: Sequence[Scop]) -> None:
    """Made-up integers are no subscripts: the program would leave its arrays."""
    for scop in scops:
        integers = {each.name for each in scop.arrays if _is_integer(each.element_type)}
        for statement in scop.statements:
            reads = {each.array for each in statement.accesses if each.reads}
            if not reads & integers:
                continue
            for each in statement.accesses:
                if _is_doubtful(each, statement, scop):
                    raise CannotRun(f"what {each.text} is depends on data, which cannot be made up")


def _is_doubtful(access: Access, statement: Statement, scop: Scop) -> bool:
    """Does data decide which element it is, or whether it is one at all?

    Data may well decide whether an element is touched, as in ``a[i] < b[i] ? a[i] : b[i]``.
    """
    if access.is_exact or "[" not in access.text:
        return False
    (array,) = (each for each in scop.arrays if each.name == access.array)
    touched = access.may.intersect_domain(statement.domain).intersect_params(scop.context)
    outside = touched.intersect_range(array.out_of_bounds())
    return not touched.is_single_valued() or not outside.is_empty()


def _is_integer(type_: str) -> bool:
    return not any(word in type_ for word in ("float", "double", "struct", "union", "void"))
