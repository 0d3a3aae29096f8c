"""The dependence graph as an SVG picture: components in layers, arrows by kind, a legend."""

from __future__ import annotations

from collections.abc import Sequence

from loopwright.model.dependences import Kind
from loopwright.report.arrows import STYLES, Arrow, arrows, generations, node_texts
from loopwright.report.findings import Findings
from loopwright.report.shapes import (
    INK,
    Box,
    Curve,
    Point,
    along,
    marker,
    number,
    path,
    rectangle,
    text_at,
)

LETTER, LINE, HEIGHT = 7.0, 14.0, 40.0
"""The width of a letter, the height of a line and of a node."""
ACROSS, DOWN, MARGIN, LOOP, LANE = 56.0, 74.0, 24.0, 30.0, 16.0
PLACES = (0.5, 0.38, 0.62, 0.27, 0.73, 0.17, 0.83)
"""Where along an arrow its label may stand."""


def svg_text(regions: Sequence[Findings]) -> str:
    """One picture with the regions below each other."""
    parts: list[str] = []
    width, y = 420.0, MARGIN
    for found in regions:
        picture = _Picture(found)
        box = picture.bounds()
        shift = f"translate({number(MARGIN - box.left)} {number(y - box.top)})"
        parts += [f'<g transform="{shift}">', *picture.parts, "</g>"]
        width, y = max(width, box.width + 2 * MARGIN), y + box.height + 2 * MARGIN
    parts += _legend(y, with_inputs=any(each.asked.inputs for each in regions))
    size = f'width="{number(width)}" height="{number(y + 2 * LINE)}"'
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="monospace" font-size="11">',
        '<rect width="100%" height="100%" fill="white"/>',
        *(marker(kind) for kind in Kind),
    ]
    return "\n".join([*head, *parts, "</svg>"]) + "\n"


class _Picture:
    """The drawing of one region: arrows below, nodes over them, labels on top."""

    def __init__(self, found: Findings) -> None:
        self.texts = node_texts(found)
        self.arrows = arrows(found)
        self.nodes = self._laid_out(generations(found, self.arrows))
        self.labels: list[Box] = []
        self.lanes = 0
        self.curves: list[str] = []
        self.words: list[str] = []
        scop = found.scop
        self._word((0.0, -LINE), f"{scop.function}, lines {scop.span.line}-{scop.span.end_line}")
        for source, sink in dict.fromkeys((each.source, each.sink) for each in self.arrows):
            self._bundle(
                [each for each in self.arrows if (each.source, each.sink) == (source, sink)]
            )
        boxes = [_node(self.nodes[name], text) for name, text in self.texts.items()]
        self.parts = [*self.curves, *boxes, *self.words]

    def bounds(self) -> Box:
        """The rectangle around everything."""
        boxes = [*self.nodes.values(), *self.labels, Box(self._lane(), 0, 1, 1)]
        left, top = min(each.left for each in boxes), min(each.top for each in boxes)
        right, bottom = max(each.right for each in boxes), max(each.bottom for each in boxes)
        return Box(left, top, right - left, bottom - top)

    def _laid_out(self, layers: Sequence[Sequence[tuple[str, ...]]]) -> dict[str, Box]:
        """A column for each component of a layer, its statements below each other."""
        nodes: dict[str, Box] = {}
        top = 0.0
        for layer in layers:
            left = 0.0
            for names in layer:
                for at, name in enumerate(names):
                    width = LETTER * max(map(len, self.texts[name])) + 16
                    nodes[name] = Box(left, top + at * (HEIGHT + DOWN), width, HEIGHT)
                left = max(nodes[name].right + self._beside(name) for name in names) + ACROSS
            top += max(map(len, layer)) * (HEIGHT + DOWN)
        return nodes

    def _beside(self, name: str) -> float:
        """The room for loops and their labels at the right of a node."""
        own = [each.label for each in self.arrows if each.source == each.sink == name]
        return LOOP + LETTER * max(map(len, own)) if own else 0.0

    def _lane(self) -> float:
        """Where the next arrow passes that has to go around the nodes."""
        return -LANE * self.lanes - 40 if self.lanes else 0.0

    def _bundle(self, drawn: Sequence[Arrow]) -> None:
        """The arrows from one node to another, beside each other; a label that is shared once."""
        for at, arrow in enumerate(drawn):
            aside = (at - (len(drawn) - 1) / 2) * LANE
            curve = self._curve(self.nodes[arrow.source], self.nodes[arrow.sink], aside)
            self.curves.append(path(arrow.kind, curve))
            if arrow.label not in [each.label for each in drawn[:at]]:
                self._label(arrow, curve)

    def _curve(self, source: Box, sink: Box, aside: float) -> Curve:
        if source == sink:
            y, out = source.middle[1] + aside * 0.9, source.right + LOOP
            return (source.right, y - 4), (out, y - 8), (out, y + 8), (source.right + 2, y + 4)
        start = source.middle[0] + aside, source.bottom
        end = sink.middle[0] + aside, sink.top - 2
        if end[1] > start[1] and not self._is_blocked(start, end):
            half = (end[1] - start[1]) / 2
            return start, (start[0], start[1] + half), (end[0], end[1] - half), end
        self.lanes += 1
        if end[1] < start[1]:
            start, end = (source.left, source.middle[1]), (sink.left - 2, sink.middle[1])
        quarter = (end[1] - start[1]) / 4
        return start, (self._lane(), start[1] + quarter), (self._lane(), end[1] - quarter), end

    def _is_blocked(self, start: Point, end: Point) -> bool:
        """Does the straight way lead through a node?"""
        (x, y), (dx, dy) = start, (end[0] - start[0], end[1] - start[1])
        way = [Box(x + dx * t / 10, y + dy * t / 10, 1, 1) for t in range(1, 10)]
        return any(node.meets(point) for node in self.nodes.values() for point in way)

    def _label(self, arrow: Arrow, curve: Curve) -> None:
        """Beside a loop, or on the arrow where nothing else stands."""
        width = LETTER * len(arrow.label)
        spots = [(x - width / 2, y) for x, y in (along(curve, t) for t in PLACES)]
        spots += [(x, y + shift) for shift in (LINE, -LINE) for x, y in spots]
        if arrow.source == arrow.sink:
            spots = [(curve[1][0], curve[1][1] + 12)]
        taken = [*self.nodes.values(), *self.labels]
        free = [at for at in spots if not any(_room(at, width).meets(each) for each in taken)]
        self._word((free or spots)[0], arrow.label, STYLES[arrow.kind].colour)

    def _word(self, at: Point, text: str, colour: str = INK) -> None:
        room = _room(at, LETTER * len(text))
        self.labels.append(room)
        self.words += [
            rectangle(room, 'fill="white" fill-opacity="0.85"'),
            text_at(at, text, colour),
        ]


def _room(at: Point, width: float) -> Box:
    """The rectangle that a text covers."""
    return Box(at[0], at[1] - LINE + 3, width, LINE)


def _node(box: Box, text: tuple[str, str]) -> str:
    title, body = ((box.left + 8, box.top + 16 + line * LINE) for line in (0, 1))
    frame = rectangle(box, 'rx="4" fill="#f6f7f9" stroke="#333"')
    return frame + text_at(title, text[0], INK, ' font-weight="bold"') + text_at(body, text[1], INK)


def _legend(y: float, *, with_inputs: bool) -> list[str]:
    parts: list[str] = []
    kinds = [each for each in Kind if with_inputs or each is not Kind.INPUT]
    for at, kind in enumerate(kinds):
        x = MARGIN + at * 96
        parts.append(path(kind, ((x, y), (x + 10, y), (x + 20, y), (x + 30, y))))
        parts.append(text_at((x + 36, y + 4), kind.value, INK))
    return parts
