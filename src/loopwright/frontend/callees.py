"""What the declaration of a function says about the memory that it touches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clang.cindex import CursorKind, TypeKind

from loopwright.frontend.clang_library import kind_of

if TYPE_CHECKING:
    from clang.cindex import Cursor

    from loopwright.frontend.clang_library import ParsedFile

MATH_HEADERS = {"math.h", "mathcalls.h", "tgmath.h", "mathcalls-helper-functions.h"}
SETS_SIGNGAM = re.compile(r"_*l?gamma(f\d*x?|l)?")
"""What writes the global ``signgam``: the only hidden state of ``math.h`` but its flags."""
PURE_BUILTINS = set(
    "abs labs llabs fabs sqrt cbrt hypot pow exp exp2 expm1 log log2 log10 log1p sin cos tan asin "
    "acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc tgamma fma fmin fmax fdim fmod "
    "remainder copysign ceil floor trunc round rint nearbyint lround lrint signbit isnan isinf "
    "isfinite isnormal isgreater isless inf huge_val popcount parity clz ctz ffs bswap16 bswap32 "
    "bswap64 expect".split()
)
RESERVED = {"abs": 1, "labs": 1, "llabs": 1}
"""Functions of the library, whoever declares them, and how many numbers they take."""
NAMED = {**RESERVED, "floord": 2, "ceild": 2, "min": 2, "max": 2}
"""Functions whose names say what they do."""
FILLING = {"memset", "memcpy", "memmove"}
"""Functions of the library that touch so many bytes behind their pointers, and nothing else."""
NUMBERS = {
    TypeKind.CHAR_S,
    TypeKind.CHAR_U,
    TypeKind.SCHAR,
    TypeKind.UCHAR,
    TypeKind.SHORT,
    TypeKind.USHORT,
    TypeKind.INT,
    TypeKind.UINT,
    TypeKind.LONG,
    TypeKind.ULONG,
    TypeKind.LONGLONG,
    TypeKind.ULONGLONG,
    TypeKind.FLOAT,
    TypeKind.DOUBLE,
    TypeKind.LONGDOUBLE,
}


def effects_of(declaration: Cursor, parsed: ParsedFile) -> str:
    """One of the effects that a :class:`~loopwright.frontend.c_tree.Callee` may have.

    A function with a body is judged by that, whatever its name; only attributes that the program
    gives it count as well.  ``"named"`` is one without a body that is taken to compute what its
    name says.
    """
    is_defined = declaration.get_definition() is not None
    if not is_defined and _is_named(declaration):
        return "named"
    attributes = {
        kind_of(child)
        for child in declaration.get_children()
        if not (is_defined and parsed.is_of_system(child.location))
    }
    if CursorKind.CONST_ATTR in attributes or (
        not is_defined and _is_mathematical(declaration, parsed)
    ):
        return "pure"
    if CursorKind.PURE_ATTR in attributes:
        return "reads"
    if not is_defined and _is_filling(declaration, parsed):
        return "fills"
    return "unknown"


def _is_filling(declaration: Cursor, parsed: ParsedFile) -> bool:
    """Is it what the library, or the compiler, calls so?"""
    name = str(declaration.spelling)
    builtin = name.removeprefix("__builtin_")
    is_known = builtin != name or parsed.is_of_system(declaration.location)
    if builtin not in FILLING or not is_known:
        return False
    if kind_of(declaration.type) != TypeKind.FUNCTIONPROTO:
        return False
    given = [each.get_canonical() for each in declaration.type.argument_types()]
    kinds = [kind_of(each) for each in given]
    return len(kinds) == 3 and kinds[0] == TypeKind.POINTER and kinds[2] == TypeKind.ULONG


def _is_named(declaration: Cursor) -> bool:
    """Does its name say what it does, and does it take and return numbers of one type?

    Not if a summary says what it does, and names in namespaces are anybody's.
    """
    count = NAMED.get(str(declaration.spelling))
    if count is None or kind_of(declaration.type) != TypeKind.FUNCTIONPROTO:
        return False
    parent = declaration.semantic_parent
    if parent is not None and kind_of(parent) == CursorKind.NAMESPACE:
        return False
    if any(kind_of(each) == CursorKind.ANNOTATE_ATTR for each in declaration.get_children()):
        return False
    types = [declaration.type.get_result(), *declaration.type.argument_types()]
    kinds = {kind_of(each.get_canonical()) for each in types}
    return len(types) == 1 + count and len(kinds) == 1 and kinds <= NUMBERS


def _is_mathematical(declaration: Cursor, parsed: ParsedFile) -> bool:
    """Declared by the system's ``math.h``, and without a pointer to write a second result to."""
    name = str(declaration.spelling)
    if name.startswith("__builtin_"):
        builtin = name.removeprefix("__builtin_")
        is_known = builtin in PURE_BUILTINS or builtin[:-1] in PURE_BUILTINS  # sqrt, sqrtf, sqrtl
    else:
        file = parsed.file_of(declaration.location)
        is_of_library = parsed.is_of_system(declaration.location)
        is_known = is_of_library and file.rsplit("/", 1)[-1] in MATH_HEADERS
    given = [each for each in declaration.get_arguments() if each is not None]
    has_pointers = any(kind_of(each.type.get_canonical()) == TypeKind.POINTER for each in given)
    return is_known and not has_pointers and SETS_SIGNGAM.fullmatch(name) is None


def converts_arguments(declaration: Cursor) -> bool:
    """Do calls convert their arguments to the types of the parameters?

    Without a prototype, they only promote them: a definition in the old style gets an ``int`` for
    its ``char``.
    """
    if kind_of(declaration.type) != TypeKind.FUNCTIONPROTO:
        return False  # a typedef may stand for anything
    given = [each.get_canonical() for each in declaration.type.argument_types()]
    declared = [each.type.get_canonical() for each in declaration.get_arguments() if each]
    return all(kind_of(one) == kind_of(each) for one, each in zip(given, declared, strict=True))


def is_weak(definition: Cursor, parsed: ParsedFile) -> bool:
    """May another file of the program define it, too, so that this body is not the one?"""
    places = [
        parsed.span_of(child)
        for child in definition.get_children()
        if kind_of(child) == CursorKind.UNEXPOSED_ATTR
    ]
    return any("weak" in parsed.file(at.file).text(at.start, at.end).lower() for at in places)


def summary_name(declaration: Cursor) -> str:
    """The function named by PENCIL's ``__attribute__((pencil_access(f)))``, or nothing."""
    for child in declaration.get_children():
        spelling = str(child.spelling)
        if kind_of(child) == CursorKind.ANNOTATE_ATTR and spelling.startswith("pencil_access("):
            return spelling[len("pencil_access(") : -1].strip()
    return ""
