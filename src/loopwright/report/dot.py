"""The dependence graph in the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterable

from loopwright.report.arrows import STYLES, arrows, node_texts
from loopwright.report.findings import Findings


def dot_text(regions: Iterable[Findings]) -> str:
    """One drawing with a cluster for each region."""
    lines = ["digraph dependences {", '  node [shape=box, fontname="monospace", fontsize=11];']
    lines.append('  edge [fontname="sans-serif", fontsize=9];')
    for number, found in enumerate(regions):
        lines += [f"  {line}" for line in _cluster(number, found)]
    return "\n".join([*lines, "}"]) + "\n"


def _cluster(number: int, found: Findings) -> list[str]:
    def node(name: str) -> str:
        return quoted(f"{number}.{name}")

    scop, texts = found.scop, node_texts(found)
    title = f"{scop.function}, lines {scop.span.line}-{scop.span.end_line}"
    lines = [f"subgraph cluster_{number} {{", f"  label={quoted(title)};"]
    lines += [
        f"  {node(name)} [label={quoted(*text)}, group={at}];"
        for at, names in enumerate(found.components)
        for name in names
        for text in [texts[name]]
    ]
    for each in arrows(found):
        style = STYLES[each.kind]
        colour = quoted(style.colour)
        lines.append(
            f"  {node(each.source)} -> {node(each.sink)} [label={quoted(each.label)},"
            f" tooltip={quoted(each.kind.value)}, color={colour}, fontcolor={colour},"
            f" style={style.graphviz}];"
        )
    return [*lines, "}"]


def quoted(*lines: str) -> str:
    r"""A string of Graphviz, left-justified where it has several lines.

    >>> print(quoted(r's = "a\n";'), quoted("one", "two"))
    "s = \"a\\n\";" "one\ltwo\l"
    """
    escaped = [each.replace("\\", "\\\\").replace('"', '\\"') for each in lines]
    whole = "".join(f"{each}\\l" for each in escaped) if len(lines) > 1 else escaped[0]
    return f'"{whole}"'
