"""Sizes and times as people write them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from loopwright.basics.records import record


def sizes_text(values: Mapping[str, int]) -> str:
    """Sizes, those that are the same in one breath.

    >>> sizes_text({"n": 100, "m": 100, "k": 3})
    'n = m = 100, k = 3'
    """
    groups: dict[int, list[str]] = {}
    for name, value in values.items():
        groups.setdefault(value, []).append(name)
    return ", ".join(f"{' = '.join(names)} = {value}" for value, names in groups.items())


def rounded(seconds: float) -> str:
    """Seconds with three digits."""
    digits = 3 - math.ceil(math.log10(seconds)) if seconds > 0 else 3
    return f"{round(seconds, digits):g}"


@record
class Unit:
    """A unit of time: its name, and how many of it are a second."""

    name: str
    per_second: float

    def text(self, seconds: float) -> str:
        """A time with three digits or more, in this unit.

        >>> Unit("ms", 1e3).text(0.0412), Unit("s", 1).text(0.12), Unit("s", 1).text(1234.5)
        ('41.2 ms', '0.120 s', '1234 s')
        """
        value = seconds * self.per_second
        digits = 2 - math.floor(math.log10(value)) if value > 0 else 0
        return f"{value:.{max(0, digits)}f} {self.name}"


UNITS = (Unit("s", 1.0), Unit("ms", 1e3), Unit("µs", 1e6))


def unit_for(times: Iterable[float]) -> Unit:
    """The unit in which all of these times are easy to compare.

    >>> unit_for([0.5, 0.02]).name, unit_for([0.5, 0.002]).name, unit_for([1e-6]).name
    ('s', 'ms', 'µs')
    """
    least = min(times, default=1.0)
    return next((each for each in UNITS if least * each.per_second >= 0.01), UNITS[-1])
