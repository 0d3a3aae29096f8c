"""Boxes, texts and curves, and how SVG writes them."""

from __future__ import annotations

from loopwright.basics.records import record
from loopwright.model.dependences import Kind
from loopwright.report.arrows import STYLES
from loopwright.report.markup import escaped

INK = "#111"
Point = tuple[float, float]
Curve = tuple[Point, Point, Point, Point]


@record
class Box:
    """A rectangle."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of its right side."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The y of its lower side."""
        return self.top + self.height

    @property
    def middle(self) -> Point:
        """Its centre."""
        return self.left + self.width / 2, self.top + self.height / 2

    def meets(self, other: Box) -> bool:
        """Do the two overlap?"""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def rectangle(box: Box, look: str) -> str:
    """A box that looks as the attributes say."""
    x, y, width, height = map(number, (box.left, box.top, box.width, box.height))
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" {look}/>'


def text_at(at: Point, text: str, colour: str, look: str = "") -> str:
    """A text whose first letter stands at the point."""
    x, y = map(number, at)
    return f'<text x="{x}" y="{y}" fill="{colour}"{look}>{escaped(text)}</text>'


def path(kind: Kind, curve: Curve) -> str:
    """An arrow."""
    start, *others = (" ".join(map(number, point)) for point in curve)
    style = STYLES[kind]
    dashes = f' stroke-dasharray="{style.dashes}"' if style.dashes else ""
    return (
        f'<path d="M {start} C {", ".join(others)}" fill="none" stroke="{style.colour}"{dashes}'
        f' marker-end="url(#{kind.value})"/>'
    )


def along(curve: Curve, t: float) -> Point:
    """The point of a cubic curve at ``t``."""
    weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
    x, y = (sum(w * p[axis] for w, p in zip(weights, curve, strict=True)) for axis in (0, 1))
    return x, y


def marker(kind: Kind) -> str:
    """The head of an arrow."""
    return (
        f'<marker id="{kind.value}" markerWidth="8" markerHeight="8" refX="6" refY="3"'
        f' orient="auto"><path d="M 0 0 L 7 3 L 0 6 z" fill="{STYLES[kind].colour}"/></marker>'
    )


def number(value: float) -> str:
    """A coordinate to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")
