"""The speed of every version as a picture: Figure 5 of "Convexity pruning", for any function.

The versions stand from maximal fusion to maximal distribution, those of one fusion structure beside
each other and the fastest of them first; the height is how many times as fast as the original they
are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from loopwright.basics.records import record
from loopwright.report.markup import escaped
from loopwright.report.shapes import Box, number, rectangle, text_at
from loopwright.report.tuning_texts import times_text
from loopwright.report.tuning_versions import Structure, TunedFunction, TunedVersion, structures_of

WIDTH, HEIGHT = 1000.0, 362.0
PLOT = Box(46, 26, 850, 286)
"""Where the bars stand; the names of the lines are at its right, those of structures below."""
LETTER = 7.0
WIDEST = 34.0
"""Of a bar."""
NARROWEST_BAND = 12.0
ROOM_FOR_FIGURES = 38.0
"""So much a version needs for that its speed is written over its bar."""


@record
class Column:
    """A version in the picture: where it stands, and for how much."""

    version: TunedVersion
    left: float
    width: float
    structure: Structure | None

    @property
    def middle(self) -> float:
        """The x of its bar."""
        return self.left + self.width / 2


def chart_svg(function: TunedFunction, prefix: str = "") -> str:
    """The picture; the bars lead to rows of a table, whose ids begin with the prefix."""
    columns = columns_of(function)
    if not columns:
        return ""
    scale = _Scale(max(each.version.gain or 0.0 for each in columns))
    about = f"How many times as fast as the original each of {len(columns)} versions is"
    parts = [
        f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" role="img"'
        f' viewBox="0 0 {number(WIDTH)} {number(HEIGHT)}" aria-label="{escaped(about)}">',
        *_bands(columns),
        *scale.grid(),
        *(_bar(each, function, scale, prefix) for each in columns),
        *_levels(function, scale),
        *_figures(columns, function, scale),
        *_names(columns),
        "</svg>",
    ]
    return "\n".join(parts)


def columns_of(function: TunedFunction) -> list[Column]:
    """The versions from left to right; those of no known structure come last."""
    known: list[tuple[TunedVersion, Structure | None]] = [
        (version, each) for each in structures_of(function) for version in each.versions
    ]
    others = [(each, None) for each in function.timed if not each.structures]
    placed = [each for each in [*known, *others] if each[0].gain is not None]
    width = PLOT.width / max(1, len(placed))
    return [
        Column(version, PLOT.left + at * width, width, structure)
        for at, (version, structure) in enumerate(placed)
    ]


class _Scale:
    """From speeds to heights."""

    def __init__(self, greatest: float) -> None:
        self.step = _step(max(greatest, 1.0))
        self.top = self.step * math.ceil(max(greatest, 1.0) * 1.04 / self.step)

    def y(self, gain: float) -> float:
        return PLOT.bottom - PLOT.height * gain / self.top

    def grid(self) -> Iterator[str]:
        for at in range(round(self.top / self.step) + 1):
            gain = at * self.step
            yield _line(PLOT.left, PLOT.right, self.y(gain), 'class="grid"')
            label = f"{gain:g}"
            place = PLOT.left - 8 - LETTER * len(label), self.y(gain) + 4
            yield text_at(place, label, "currentColor", ' class="tick"')
        title = "times as fast as the original"
        yield text_at((4, 14), title, "currentColor", ' class="tick"')


def _step(greatest: float) -> float:
    """The distance of lines: 1, 2 or 5 times a power of ten, so that there are about six.

    >>> [_step(each) for each in (1.0, 1.4, 4.2, 23.0)]
    [0.2, 0.5, 1.0, 5.0]
    """
    power = 10.0 ** math.floor(math.log10(greatest / 6))
    return next(each * power for each in (1, 2, 5, 10) if each * power * 6 >= greatest)


def _line(left: float, right: float, y: float, look: str) -> str:
    x, end, height = map(number, (left, right, y))
    return f'<line x1="{x}" x2="{end}" y1="{height}" y2="{height}" {look}/>'


# --- versions -------------------------------------------------------------------------------------


def version_tip(version: TunedVersion, structure: Structure | None) -> str:
    """What is told about a version under the mouse."""
    gain = f"{times_text(version.gain)} times as fast" if version.gain is not None else "not timed"
    where = f", structure {structure.number}" if structure is not None else ""
    return f"{version.label}: {gain}{where}"


def _bar(column: Column, function: TunedFunction, scale: _Scale, prefix: str) -> str:
    version = column.version
    gain = version.gain or 0.0
    tip = escaped(version_tip(version, column.structure))
    width = min(WIDEST, max(column.width * 0.72, column.width - 2.5))
    top = scale.y(gain)
    bar = Box(column.middle - width / 2, top, width, max(PLOT.bottom - top, 1.0))
    parts = [
        rectangle(
            Box(column.left, PLOT.top, column.width, PLOT.height), f'class="hit" data-tip="{tip}"'
        ),
        rectangle(
            bar, f'class="bar {_look(version, function)}" rx="{number(min(2.0, width / 4))}"'
        ),
    ]
    link = f'href="#{escaped(prefix + version.key)}" tabindex="-1"'
    return f"<a {link}><title>{tip}</title>{''.join(parts)}</a>"


def _look(version: TunedVersion, function: TunedFunction) -> str:
    if version.key == function.best:
        return "best"
    return "slower" if (version.gain or 0.0) < 1 else "faster"


def _figures(columns: Sequence[Column], function: TunedFunction, scale: _Scale) -> Iterator[str]:
    """The speeds, over the bars: that of the best one, and the others if there is room."""
    for column in columns:
        look = _look(column.version, function)
        if look == "best" or column.width >= ROOM_FOR_FIGURES:
            gain = column.version.gain or 0.0
            label = times_text(gain)
            place = _inside(column.middle - LETTER * len(label) / 2, label), scale.y(gain) - 6
            yield text_at(place, label, "currentColor", f' class="figure {look}"')


def _inside(left: float, label: str) -> float:
    """The label does not leave the picture at its left."""
    return max(PLOT.left, min(left, PLOT.right - LETTER * len(label)))


def _levels(function: TunedFunction, scale: _Scale) -> Iterator[str]:
    """The lines of the original, of ``optimize`` and of the best version, with their names.

    Names that would stand on each other are moved apart.
    """
    levels = {"original": 1.0}
    for name, key in (("optimize", function.optimize), ("best", function.best)):
        version = function.version(key)
        if version is not None and version.gain is not None:
            levels[name] = version.gain
    below = math.inf
    for name, gain in sorted(levels.items(), key=lambda item: (item[1], item[0] == "best")):
        y = scale.y(gain)
        yield _line(PLOT.left, PLOT.right, y, f'class="level {name}"')
        below = min(y + 4, below - 15)
        label = f"{name} {times_text(gain)}" if name != "original" else name
        yield text_at((PLOT.right + 6, below), label, "currentColor", f' class="name {name}"')


# --- structures -----------------------------------------------------------------------------------


def _groups(columns: Sequence[Column]) -> Iterator[tuple[Structure | None, float, float]]:
    """Each structure with the stretch that its versions take."""
    start = 0
    for at, each in enumerate(columns):
        is_last = at + 1 == len(columns) or columns[at + 1].structure is not each.structure
        if is_last:
            yield each.structure, columns[start].left, each.left + each.width
            start = at + 1


def _bands(columns: Sequence[Column]) -> Iterator[str]:
    """Every second structure has a ground of its own, unless that would be a hatching."""
    groups = list(_groups(columns))
    for at, (_, left, right) in enumerate(groups):
        if at % 2 and PLOT.width / len(groups) >= NARROWEST_BAND:
            yield rectangle(Box(left, PLOT.top, right - left, PLOT.height + 18), 'class="band"')


def _stride(room: float) -> int:
    """Every how-manieth structure has its number below it, if each takes so much room.

    >>> [_stride(each) for each in (100.0, 20.0, 4.7)]
    [1, 2, 10]
    """
    return next(each for each in (1, 2, 5, 10, 20, 50, 100, 1000) if each * room >= 4 * LETTER)


def _names(columns: Sequence[Column]) -> Iterator[str]:
    """What the places of the structures mean, with their numbers where there is room."""
    groups = list(_groups(columns))
    known = [(each.number, left, right) for each, left, right in groups if each is not None]
    others = [(left, right) for each, left, right in groups if each is None]
    end = others[0][0] if others else PLOT.right
    look = ' class="tick" text-anchor="middle"'
    step = _stride(PLOT.width / len(groups))
    for which, left, right in known:
        is_free = not others or (left + right) / 2 < end - 6 * LETTER or which == 1
        if is_free and (which == 1 or not which % step):
            place = (left + right) / 2, PLOT.bottom + 16
            yield text_at(place, str(which), "currentColor", look)
    for left, right in others:
        yield text_at(((left + right) / 2, PLOT.bottom + 16), "other", "currentColor", look)
    if len(known) > 1:
        places = (
            (PLOT.left, "start", "← maximal fusion"),
            ((PLOT.left + end) / 2, "middle", "fusion structure"),
            (end, "end", "maximal distribution →"),
        )
        for x, anchor, name in places:
            look = f' class="axis" text-anchor="{anchor}"'
            yield text_at((x, PLOT.bottom + 40), name, "currentColor", look)
