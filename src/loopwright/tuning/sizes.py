"""Sizes for a run: values of the parameters, and how large the arrays are for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

import islpy as isl

from loopwright.basics.records import record
from loopwright.model.scop import Array, Scop
from loopwright.polyhedra.extremes import greatest_value, least_value
from loopwright.tuning.calls import Call, Elements
from loopwright.tuning.toolchain import CannotRun

PARAM = isl.dim_type.param
WIDTHS = {"_Bool": 1, "float": 4, "double": 8, "long double": 16}
OTHER = 3
"""The value of an integer that is no size of a region."""


@record
class Shape:
    """The extents of an array in a run."""

    extents: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many elements there are."""
        return prod(self.extents)


def parameter_names(call: Call) -> dict[str, str]:
    """The parameters of the regions by the integers that they are."""
    known = {each.name for each in call.integers}
    found: dict[str, str] = {}
    for scop in call.scops:
        for each in scop.parameters:
            if each.text not in known:
                raise CannotRun(f"{each.text} is no argument of {call.function}")
            found[each.text] = each.name
    return found


def chosen_values(call: Call, size: int, given: Mapping[str, int]) -> dict[str, int]:
    """A value for each integer: about ``size``, unless somebody or the model knows better.

    The regions must be entered, so that the values are of their contexts.
    """
    sizes = parameter_names(call)
    values = {
        each.name: min(each.greatest, size) if each.name in sizes else OTHER
        for each in call.integers
    } | dict(given)
    context = context_of(call.scops)
    if _holds(context, {sizes[name]: values[name] for name in sizes}):
        return values
    free = [name for name in sizes if name not in given]
    for low, high in ((size // 2, 2 * size), (1, 4 * size), (-size, 8 * size)):
        possible = context
        for name in sizes:
            bounds = (low, high) if name in free else (values[name], values[name])
            text = f"[{sizes[name]}] -> {{ : {bounds[0]} <= {sizes[name]} <= {bounds[1]} }}"
            possible = possible.intersect(isl.Set(text))
        if not possible.is_empty():
            point = possible.sample_point()
            return values | {name: _coordinate(point, sizes[name]) for name in free}
    reason = "no sizes were found for which the new loops are run"
    raise CannotRun(reason, "name others with --size" if given else "name some with --size")


def context_of(scops: Sequence[Scop]) -> isl.Set:
    """Where all these regions are what their models say."""
    context = isl.Set("{ : }")
    for scop in scops:
        context = context & scop.context
    return context


def _holds(context: isl.Set, values: Mapping[str, int]) -> bool:
    return not _fixed(context, values).is_empty()


def _fixed(thing: isl.Set, values: Mapping[str, int]) -> isl.Set:
    for name, value in values.items():
        at = thing.find_dim_by_name(PARAM, name)
        if at >= 0:
            thing = thing.fix_val(PARAM, at, isl.Val(str(value)))
    return thing


def _coordinate(point: isl.Point, name: str) -> int:
    at = point.get_space().find_dim_by_name(PARAM, name)
    return point.get_coordinate_val(PARAM, at).to_python() if at >= 0 else 1


# --- arrays ---------------------------------------------------------------------------------------


def shapes(call: Call, values: Mapping[str, int]) -> dict[str, Shape]:
    """The shape of each array that needs memory; one that no region uses is like the largest."""
    wanted = [each for each in call.arrays if not each.is_whole]
    found = {
        each.name: shape
        for each in wanted
        if (shape := shape_in_regions(call, each.name, values)) is not None
    }
    most = max((each.count for each in found.values()), default=1)
    return {each.name: found.get(each.name, Shape((most,))) for each in wanted}


def shape_in_regions(call: Call, variable: str, values: Mapping[str, int]) -> Shape | None:
    """How large a variable is for the regions that use it, if any do."""
    named = {parameter: values[text] for text, parameter in parameter_names(call).items()}
    found = [
        extents_of(scop, array, named)
        for scop in call.scops
        for array in scop.arrays
        if array.variable == variable
    ]
    return Shape(max(found, key=prod)) if found else None


def extents_of(scop: Scop, array: Array, values: Mapping[str, int]) -> tuple[int, ...]:
    """The extents of an array of a region, for values of the model's parameters."""
    if len(array.parts) > 1:
        raise CannotRun(f"{array.variable} has members, which nobody knows the meaning of")
    touched = _touched(scop, array, values)
    found: list[int] = []
    for at, extent in enumerate(array.extents):
        if extent is not None:
            number = _value(extent, values)
            if number is None:
                raise CannotRun(f"nobody knows how large {array.variable} is")
            found.append(max(1, number))
        else:
            found.append(_reach(touched, at, array))
    return tuple(found)


def _touched(scop: Scop, array: Array, values: Mapping[str, int]) -> isl.Set:
    """The elements that the region may touch for these values."""
    touched = isl.Set.empty(array.elements().get_space())
    for statement in scop.statements:
        for access in statement.accesses:
            if access.array == array.name and not access.kills:
                touched = touched | access.may.intersect_domain(statement.domain).range()
    return _fixed(touched, values)


def _reach(touched: isl.Set, at: int, array: Array) -> int:
    """One more than the last subscript of a dimension whose extent the source does not tell."""
    if touched.is_empty():
        return 1
    if not touched.is_bounded():
        raise CannotRun(f"nobody knows how large {array.variable} is")
    least, greatest = least_value(touched, at), greatest_value(touched, at)
    if not least.is_int() or least.is_neg() or not greatest.is_int():
        raise CannotRun(f"{array.variable} is used in front of where it points to")
    return greatest.to_python() + 1


def _value(extent: isl.PwAff, values: Mapping[str, int]) -> int | None:
    image = _fixed(isl.Set.from_pw_aff(extent), values)
    if image.is_empty() or not image.is_bounded():
        return None
    number = greatest_value(image, 0)
    return number.to_python() if number.is_int() else None


def bytes_of(array: Elements, shape: Shape) -> int:
    """What an array takes."""
    digits = "".join(each for each in array.kind if each.isdigit())
    width = int(digits) // 8 if digits else WIDTHS[array.kind]
    return shape.count * array.parts * width
