"""Functions of the library that are known: what they return for numbers.

Those of ``float`` are here where a ``double`` in between makes no difference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from loopwright.evaluation.numbers import (
    DOUBLE,
    FLOAT,
    Converter,
    Kind,
    Number,
    converter,
    negated,
    single,
)
from loopwright.evaluation.outcomes import CannotEvaluate

Known = Callable[..., float]


def _rounded(value: float) -> float:
    """Half away from zero, as C does."""
    return math.copysign(math.floor(abs(value) + 0.5), value) if abs(value) < 2**52 else value


def _kept(rounding: Callable[[float], int]) -> Known:
    """A rounding to whole numbers that keeps what is infinite, and the sign of zero."""

    def apply(value: float) -> float:
        if not math.isfinite(value):
            return value
        return math.copysign(float(rounding(value)), value)

    return apply


def _square_root(value: float) -> float:
    return math.sqrt(value) if value >= 0 else math.nan


def _least(first: float, second: float) -> float:
    if math.isnan(first):
        return second
    return first if math.isnan(second) or first < second else second


def _greatest(first: float, second: float) -> float:
    if math.isnan(first):
        return second
    return first if math.isnan(second) or first > second else second


EXACT: dict[str, Known] = {
    "fabs": math.fabs,
    "sqrt": _square_root,
    "floor": _kept(math.floor),
    "ceil": _kept(math.ceil),
    "trunc": _kept(math.trunc),
    "round": _rounded,
    "rint": _kept(round),
    "nearbyint": _kept(round),
    "fmin": _least,
    "fmax": _greatest,
}
"""What these return is the one number that is nearest to the result.

What looks at the sign of a NaN is not here: nobody keeps that.
"""
APPROXIMATE: dict[str, Known] = {
    name: getattr(math, name)
    for name in (
        "sin cos tan asin acos atan atan2 sinh cosh tanh exp expm1 log log2 log10 log1p pow "
        "hypot fmod cbrt"
    ).split()
    if hasattr(math, name)
}
"""What these return may differ in the last digit: the same, but for the same arguments only."""


def function_named(
    name: str, given: Sequence[Kind], result: Kind
) -> Callable[[Sequence[Number]], Number]:
    """What a call of a function of the library returns, for arguments of these kinds."""
    plain = name.removeprefix("__builtin_")
    if plain in ("min", "max", "floord", "ceild") or plain in ("abs", "labs", "llabs"):
        return _of_integers(plain, given, result)
    real = DOUBLE
    if plain not in EXACT and plain not in APPROXIMATE and plain[-1:] == "f":
        plain, real = plain[:-1], FLOAT
    known = EXACT.get(plain) or (APPROXIMATE.get(plain) if real is DOUBLE else None)
    if known is None or result is not real:
        raise CannotEvaluate(f"a call of {name}")
    changes = [converter(each, real) for each in given]

    def call(arguments: Sequence[Number]) -> Number:
        try:
            value = known(*_changed(arguments, changes))
        except (ValueError, OverflowError, ZeroDivisionError, TypeError):
            raise CannotEvaluate(f"{name} of what it is not defined for") from None
        return single(value) if real is FLOAT else float(value)

    return call


def _changed(arguments: Sequence[Number], changes: Sequence[Converter | None]) -> list[Number]:
    pairs = zip(arguments, changes, strict=True)
    return [value if change is None else change(value) for value, change in pairs]


def _of_integers(
    name: str, given: Sequence[Kind], result: Kind
) -> Callable[[Sequence[Number]], Number]:
    """Functions of numbers of one type, that which they return."""
    changes = [converter(each, result) for each in given]
    count = 1 if name.endswith("abs") else 2
    if len(given) != count or (name not in ("min", "max") and result.is_float):
        raise CannotEvaluate(f"a call of {name}")
    minus = negated(result) if count == 1 else None

    def call(arguments: Sequence[Number]) -> Number:
        values = _changed(arguments, changes)
        if minus is not None:
            return minus(values[0]) if values[0] < 0 else values[0]
        first, second = values
        if name == "min":
            return first if first < second else second
        if name == "max":
            return first if first > second else second
        if second <= 0:
            raise CannotEvaluate(f"{name} by what is not positive")
        return first // second if name == "floord" else -((-first) // second)

    return call
