"""What the declaration of a function says about the memory that it touches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clang.cindex import CursorKind, TypeKind

from loopwright.frontend.clang_library import expansion_of, kind_of

if TYPE_CHECKING:
    from clang.cindex import Cursor

MATH_HEADERS = {"math.h", "mathcalls.h", "tgmath.h", "mathcalls-helper-functions.h"}
PURE_ELSEWHERE = {"abs", "labs", "llabs"}
PURE_BUILTINS = set(
    "abs labs llabs fabs sqrt cbrt hypot pow exp exp2 expm1 log log2 log10 log1p sin cos tan asin "
    "acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc tgamma fma fmin fmax fdim fmod "
    "remainder copysign ceil floor trunc round rint nearbyint lround lrint signbit isnan isinf "
    "isfinite isnormal isgreater isless inf huge_val popcount parity clz ctz ffs bswap16 bswap32 "
    "bswap64 expect constant_p".split()
)


def effects_of(declaration: Cursor) -> str:
    """One of the effects that a :class:`~loopwright.frontend.c_tree.Callee` may have."""
    attributes = {kind_of(child) for child in declaration.get_children()}
    if CursorKind.CONST_ATTR in attributes or _is_mathematical(declaration):
        return "pure"
    if CursorKind.PURE_ATTR in attributes:
        return "reads"
    return "unknown"


def _is_mathematical(declaration: Cursor) -> bool:
    """Declared by ``math.h`` and without a pointer to write a second result through."""
    name = str(declaration.spelling)
    builtin = name.removeprefix("__builtin_")
    is_known = builtin in PURE_BUILTINS or builtin[:-1] in PURE_BUILTINS  # sqrt, sqrtf, sqrtl
    file, _ = expansion_of(declaration.location)
    from_header = file.rsplit("/", 1)[-1] in MATH_HEADERS
    if not (from_header or (name.startswith("__builtin_") and is_known)):
        return name in PURE_ELSEWHERE
    given = [each for each in declaration.get_arguments() if each is not None]
    return all(kind_of(each.type.get_canonical()) != TypeKind.POINTER for each in given)


def converts_arguments(declaration: Cursor) -> bool:
    """Do calls convert their arguments to the types of the parameters?

    Without a prototype, they only promote them: a definition in the old style gets an ``int`` for
    its ``char``.
    """
    if kind_of(declaration.type) == TypeKind.FUNCTIONNOPROTO:
        return False
    given = [each.get_canonical() for each in declaration.type.argument_types()]
    declared = [each.type.get_canonical() for each in declaration.get_arguments() if each]
    return all(kind_of(one) == kind_of(each) for one, each in zip(given, declared, strict=True))
